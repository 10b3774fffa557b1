#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Draws the picture in the README: the time of one exchange, codekem beside others.

    evaluation/speed_plot.py --measure PEERS    measures what the picture shows, and draws it
    evaluation/speed_plot.py RUN.json           takes the figures from a stored run, and draws
    evaluation/speed_plot.py                    draws again from docs/speed/speed.json

PEERS are options that name libraries of others, as evaluation/peers/build.py prints them for
bike-kem and HQC's authors, by gcc and clang, and evaluation/peers/liboqs.sh for liboqs 0.16:

    evaluation/speed_plot.py --measure $(cat build/*.options)

`codekem-evaluation run --full` takes the same options and measures everything else as well; this is
the same measurement, of fewer subjects and for a shorter time. Run it in .venv, after 'make
evaluate'.

An exchange is one key generation, one encapsulation and one decapsulation, all on one core. Each
row of the picture names the code on both sides, so that nobody takes a comparison of vector code
with portable C for one of like with like. Of several builds of a peer the fastest is shown.
"""

import argparse
import dataclasses
import hashlib
import json
import pathlib
import re
import sys

from codekem_base import charts, drawing, errors, files
from codekem_base.charts import field
from codekem_evaluation import (
    kems,
    measure,
    paths,
    peers,
    runner,
    sampler,
    samples,
    statistics,
    store,
)

ROOT = pathlib.Path(__file__).resolve().parent.parent


OTHER = "the library that is named"
DATA = ROOT / "docs" / "speed" / "speed.json"
PICTURE = DATA.with_suffix(".svg")

# The rows: KEM, codekem's back end, the builds of a peer to set beside it, its name in words, what
# runs on both sides, and whether that is alike.
ROWS = [
    ("BIKE-L1", "avx512", r"bike-kem-all-.+", "bike-kem", "AVX-512 on both sides", True),
    ("BIKE-L1", "avx2", r"bike-kem-avx2-.+", "bike-kem", "AVX2 on both sides", True),
    ("BIKE-L1", "portable", r"liboqs-.+-portable", "liboqs", "portable C on both sides", True),
    ("HQC-1", "avx512", r"authors-avx2-.+", "its authors", "AVX-512 beside AVX2, the best", False),
    ("HQC-1", "avx2", r"authors-avx2-.+", "its authors", "AVX2 on both sides", True),
    ("HQC-1", "portable", r"authors-portable-.+", "its authors", "portable C on both sides", True),
]
SETTINGS = dataclasses.replace(measure.FULL, milliseconds=60)

# The page is light or dark as the reader's system is.
STYLE = """
:root { --ink: #1b1f24; --soft: #57606a; --grid: #d3d9df; --paper: #ffffff;
  --series-1: #1f5fbf; --series-2: #d9730d; --series-3: #2c8a4b; --series-4: #8a4fbf;
  --series-5: #b3261e; --series-6: #6b7280 }
@media (prefers-color-scheme: dark) {
:root { --ink: #e6eaee; --soft: #a3adb8; --grid: #3a434d; --paper: #14181d;
  --series-1: #6ea8ff; --series-2: #ff9d4d; --series-3: #62c98a; --series-4: #c59bf0;
  --series-5: #ff8a80; --series-6: #a9b1bc }
}
"""


def of_interval(interval, scale=1.0):
    """Returns [median, low, high] with four significant digits."""
    return [
        float(f"{value / scale:.4g}") for value in (interval.median, interval.low, interval.high)
    ]


def peers_of(run, pattern):
    """Returns the names of a peer's builds that a run has."""
    names = [each["name"] for each in run["implementations"] if re.fullmatch(pattern, each["name"])]
    if not names:
        raise errors.EvaluationError(
            f"the run has no library {pattern}; measure with the --peer options that "
            "evaluation/peers/build.py and evaluation/peers/liboqs.sh print"
        )
    return names


def row_of(found, kem, backend, pattern, peer, code, alike):
    """Returns one row of the picture: both times and their ratio, taken round by round."""
    builds = [name for name in peers_of(found.run, pattern) if found.has(kem, name)]
    if not builds or not found.has(kem, backend):
        raise errors.EvaluationError(
            f"the run has no {kem} of {peer if found.has(kem, backend) else backend}; measure it "
            "with --full, on a processor that has it, and with the --peer options that "
            "evaluation/peers/build.py and evaluation/peers/liboqs.sh print"
        )
    ours = found.rounds(kem, backend, samples.OVERALL)
    times = {name: found.rounds(kem, name, samples.OVERALL) for name in builds}
    best = min(builds, key=lambda name: statistics.summarise(times[name]).estimate.median)
    return {
        "kem": kem,
        "code": code,
        "alike": alike,
        "backend": backend,
        "peer": peer,
        "build": best,
        "codekem_us": of_interval(statistics.summarise(ours).estimate, 1000),
        "peer_us": of_interval(statistics.summarise(times[best]).estimate, 1000),
        "ratio": of_interval(statistics.paired_ratio(times[best], ours)),
    }


def figures(run):
    """Returns what the picture shows of a run, as it is stored."""
    found = samples.Samples(run)
    return {
        "what": "KeyGen, Encaps and Decaps together, in microseconds: the median of the rounds "
        "and its interval; ratio: the peer's time over codekem's, round by round",
        **{key: run[key] for key in ("created", "mode", "settings", "waits", "machine", "build")},
        "rows": [row_of(found, *row) for row in ROWS],
    }


def fingerprint(data):
    """Returns the hash that ties the picture to the figures."""
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()


def in_words(microseconds):
    """Returns a time with its unit, three significant digits at most."""
    if microseconds < 1000:
        return f"{microseconds:.3g} \u00b5s"
    return f"{float(f'{microseconds:.3g}') / 1000:g} ms"


def times_as_fast(ratio):
    """Returns a ratio with as many digits as its interval allows, two at most."""
    median, low, high = ratio
    digits = 2 if (high - low) / 2 < 0.05 * median else 1
    return f"{float(f'{median:.{digits}g}'):g} \u00d7"


def marked(data):
    """Returns the rows of the chart: two places on the scale for each comparison, and the words at
    them and between them."""
    return [
        {
            "name": f"{row['kem']}, {row['peer']}|{row['code']}",
            "ours": row["codekem_us"][0],
            "theirs": row["peer_us"][0],
            "ours shown": in_words(row["codekem_us"][0]),
            "theirs shown": in_words(row["peer_us"][0]),
            "between": (row["codekem_us"][0] * row["peer_us"][0]) ** 0.5,
            "ratio": times_as_fast(row["ratio"]) if row["alike"] else "",
            "alike": row["alike"],
            "codekem": "codekem",
            "peer": OTHER,
        }
        for row in data["rows"]
    ]


def chart(data):
    """Returns the chart: two marks on a logarithmic scale, the ratio between them."""
    known = ["codekem", OTHER]
    sides = {"domain": known, "range": ["circle", "square"]}
    legend = {"orient": "top", "title": None, "labelLimit": 0}
    ticks = {
        "values": [10, 100, 1000, 10_000, 100_000],
        "labelExpr": "datum.value < 1000 ? datum.value + ' \u00b5s' : datum.value / 1000 + ' ms'",
    }
    title = (
        f"logarithmic scale; {data['machine']['cpu']}, one core, "
        f"{data['build']['compiler']}, codekem {data['build']['codekem']}"
    )
    name = field("name", "nominal", sort=None, title=None)
    name["axis"] = {
        "labelExpr": "split(datum.label, '|')",
        "labelLimit": 0,
        "ticks": False,
        "domain": False,
        "labelPadding": 10,
        "grid": False,
    }

    def layer(mark, x, **more):
        scale = {"type": "log", "domain": [10, 200_000], "nice": False}
        x = field(x, "quantitative", scale=scale, axis=ticks, title=title)
        return {"mark": mark, "encoding": {"x": x, "y": name, **more}}

    layers = [
        layer(
            {"type": "rule", "strokeWidth": 3},
            "ours",
            x2={"field": "theirs"},
            strokeDash={"condition": {"test": "datum.alike", "value": [1, 0]}, "value": [2, 4]},
        )
    ]
    for x, side, size in (("ours", "codekem", 130), ("theirs", "peer", 110)):
        colour = field(side, "nominal", scale={"domain": known}, legend=legend)
        shape = field(side, "nominal", scale=sides, legend=legend)
        mark = {"type": "point", "filled": True, "size": size, "opacity": 1}
        layers.append(layer(mark, x, color=colour, shape=shape))
    for x, words, align, dx, dy in (
        ("ours", "ours shown", "right", -11, 0),
        ("theirs", "theirs shown", "left", 11, 0),
        ("between", "ratio", "center", 0, -10),
    ):
        mark = {"type": "text", "fontSize": 12, "align": align, "dx": dx, "dy": dy}
        layers.append(layer(mark, x, text=field(words, "nominal")))
    heading = "Time of one key exchange (KeyGen + Encaps + Decaps), less is better"
    made = charts.whole(
        marked(data),
        height=46 * len(data["rows"]),
        title={"text": heading, "anchor": "start"},
        layer=layers,
    )
    return charts.Own(made, alternative(data))


def alternative(data):
    """Returns the picture in words."""
    return "Time of one key exchange. " + " ".join(
        f"{row['kem']}, {row['code']}: codekem {in_words(row['codekem_us'][0])}, "
        f"{row['peer']} {in_words(row['peer_us'][0])}."
        for row in data["rows"]
    )


def picture(data):
    """Returns the SVG."""
    return drawn(chart(data), "speed", "evaluation/speed_plot.py", data)


def drawn(shown, key, program, data):
    """Returns a chart as SVG that is light or dark as its reader's system is; a comment has the
    fingerprint of the figures."""
    text = drawing.in_page(drawing.svg(shown, drawing.STAND_INS), key)
    (size,) = re.findall(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', text)
    head, rest = text.split(">", 1)
    head = head.replace("<svg", f'<svg role="img" width="{size[0]}" height="{size[1]}"', 1)
    return (
        f"<!-- SPDX-License-Identifier: Apache-2.0 OR MIT\n"
        f"     Drawn by {program} from figures {fingerprint(data)} -->\n"
        f"{head}>\n<title>{shown.words()}</title>\n<style>{STYLE}</style>{rest}\n"
    )


def take_run(pairs):
    """Measures what the picture shows, as a run with --full does; returns the stored run's path."""
    settings, program = SETTINGS, sampler.Sampler(paths.BUILD)
    core = measure.core_of(settings)
    run = measure.new_run(settings, paths.BUILD, core)
    run["kems"], backends, best = kems.listed(paths.BUILD)
    run["implementations"] = [
        {"name": name, "kind": "codekem", "version": run["build"]["codekem"]} for name in backends
    ]
    subjects = measure.subjects_of(program, run["kems"], backends, best) + peers.shared_libraries(
        program, run, pairs
    )
    shown = {
        (kem, name)
        for kem, backend, pattern, *_ in ROWS
        for name in (backend, *peers_of(run, pattern))
    }
    subjects = [each for each in subjects if (each.kem, each.implementation) in shown]
    with sampler.pinned(core):
        measure.take_times(run, subjects, settings, program)
    run["complete"] = True
    with runner.place(None, run) as path:
        store.write_run(path, run)
    return path


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("run", nargs="?", type=pathlib.Path, metavar="RUN.json")
    parser.add_argument("--measure", action="store_true", help="measure first")
    parser.add_argument(
        "--peer",
        action="append",
        default=[],
        metavar="NAME:KEM=LIBRARY.so",
        help="a shared library, as evaluation/peers/build.py and liboqs.sh print it",
    )
    arguments = parser.parse_args()
    if bool(arguments.peer) != arguments.measure or (arguments.measure and arguments.run):
        parser.error("--measure and --peer belong together, without a stored run")
    try:
        run = take_run(arguments.peer) if arguments.measure else arguments.run
        if run is not None:
            data = figures(store.read_run(run))
            files.write_text(DATA, json.dumps(data, indent=1) + "\n")
        data = files.read_json(DATA)
        files.write_text(PICTURE, picture(data))
    except errors.EvaluationError as error:
        sys.exit(f"speed_plot.py: error: {error}")
    print(alternative(data))


if __name__ == "__main__":
    main()
