#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Draws the cost of an operation in a batch against the size of the batch.

    evaluation/batch_plot.py --measure build/default/bin/codekem    measures, and draws
    evaluation/batch_plot.py                                        draws again from the figures

Measures with `codekem speed --batch N`, which does N single calls and a batch of N in turn, so that
a busy machine meets both, and takes the median of the ratios of such pairs. Several short runs of
each size follow each other. A figure is the median of their medians, and its interval lies between
two of these, as that of times does. Run it in .venv, after 'make evaluate'. The figures
are in docs/speed/batch.json, and in the report as a plot.
"""

import argparse
import datetime
import json
import pathlib
import re
import subprocess
import sys

from codekem_base import charts, errors, files
from codekem_base.model import Plot
from codekem_evaluation import plots, statistics
from evaluation.speed_plot import STYLE, fingerprint

ROOT = pathlib.Path(__file__).resolve().parent.parent


DATA = ROOT / "docs" / "speed" / "batch.json"
PICTURE = DATA.with_suffix(".svg")
SIZES = [1, 2, 4, 8, 16, 32, 64]
REPEATS = 6  # the smallest and the largest of six are an interval of 97 %
SECONDS = 0.15
# KEM, operation, marker.
CURVES = [
    ("BIKE-L1", "keygen", "o"),
    ("BIKE-L1", "encaps", "s"),
    ("BIKE-L1", "decaps", "^"),
    ("HQC-1", "encaps", "D"),
    ("HQC-1", "decaps", "v"),
    ("HQC-1", "decaps-one-key", "P"),
]
COLOURS = """:root { --series-3: #2c8a4b; --series-4: #8a4fbf; --series-5: #b3261e;
  --series-6: #6b7280 }
@media (prefers-color-scheme: dark) { :root { --series-3: #62c98a; --series-4: #c59bf0;
  --series-5: #ff8a80; --series-6: #a9b1bc } }"""


def speed(command, size, backend):
    """Runs the command once; returns its document."""
    options = [f"--kem={kem}" for kem in dict.fromkeys(kem for kem, _, _ in CURVES)]
    done = subprocess.run(
        [
            *[command, "speed", "--json", f"--batch={size}", f"--seconds={SECONDS}"],
            *[f"--backend={backend}", *options],
        ],
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise errors.EvaluationError(f"{command} speed --batch failed; is it of this version?")
    return json.loads(done.stdout)


def measure(command, backend):
    """Returns what the picture shows, as it is stored."""
    curves = {f"{kem} {operation}": [] for kem, operation, _ in CURVES}
    machine = None
    for size in SIZES:
        documents = [speed(command, size, backend) for _ in range(REPEATS)]
        machine = documents[0]["machine"]
        for kem, operation, _ in CURVES:
            runs = [
                result
                for document in documents
                for result in document["results"]
                if (result["kem"], result["operation"]) == (kem, operation)
            ]
            found = statistics.interval([run["ratio"] for run in runs])
            curves[f"{kem} {operation}"].append(
                {
                    "batch": size,
                    "ratio": found.median,
                    "interval": [found.low, found.high],
                    "runs": len(runs),
                    "samples": sum(run["samples"] for run in runs),
                }
            )
    return {
        "what": "the time of a single call over that of one operation in a batch: the median of "
        "runs, each of which is the median of pairs that follow each other, and its interval",
        "created": datetime.datetime.now(datetime.UTC).replace(microsecond=0).isoformat(),
        "machine": machine,
        "backend": backend,
        "curves": curves,
    }


def draw(axes, palette, data):
    for colour, (kem, operation, marker) in zip(palette.series, CURVES, strict=False):
        points = data["curves"][f"{kem} {operation}"]
        axes.plot(
            [point["batch"] for point in points],
            [100 / point["ratio"] for point in points],
            marker=marker,
            color=colour,
            linewidth=1.8,
            label=f"{kem} {operation.replace('-', ' ')}",
        )
    axes.set_xscale("log", base=2)
    axes.set_xticks(SIZES, [str(size) for size in SIZES])
    axes.minorticks_off()
    axes.set_ylim(0, 110)
    axes.grid(axis="y", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.set_xlabel(f"operations in a batch; {data['machine']['cpu']}, {data['backend']}, one core")
    axes.set_title("Time of one operation, in % of that of a single call", loc="left")
    axes.legend(ncols=3, loc="lower left", bbox_to_anchor=(0, -0.36), frameon=False)


def alternative(data):
    """Returns the picture in words."""
    largest = {name: points[-1] for name, points in data["curves"].items()}
    return f"Time of one operation against the size of the batch. In batches of {SIZES[-1]}: " + (
        ", ".join(
            f"{name} {100 / point['ratio']:.0f} % of a single call"
            for name, point in largest.items()
        )
        + "."
    )


def picture(data):
    """Returns the SVG; a comment has the fingerprint of the figures."""
    words = alternative(data)
    size = (8, 4.6)
    chart = charts.Drawing(lambda axes, palette: draw(axes, palette, data), words, size)
    text = plots.svg(Plot("batch", "Batches", chart))
    opening = f'<svg role="img" width="{size[0] * 96:.0f}" height="{size[1] * 96:.0f}"'
    head, rest = text[4:].split(">", 1)
    rest = re.sub(r"[ \t]+$", "", rest, flags=re.MULTILINE)
    return (
        f"<!-- SPDX-License-Identifier: Apache-2.0 OR MIT\n"
        f"     Drawn by evaluation/batch_plot.py from figures {fingerprint(data)} -->\n"
        f"{opening}{head}>\n<title>{words}</title>\n<style>{STYLE}{COLOURS}\n</style>{rest}"
    )


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--measure", type=pathlib.Path, metavar="COMMAND", help="measure first")
    parser.add_argument("--backend", default="avx512", help="the back end to measure")
    arguments = parser.parse_args()
    try:
        if arguments.measure is not None:
            data = measure(arguments.measure, arguments.backend)
            files.write_text(DATA, json.dumps(data, indent=1) + "\n")
        data = files.read_json(DATA)
        files.write_text(PICTURE, picture(data))
    except errors.EvaluationError as error:
        sys.exit(f"batch_plot.py: error: {error}")
    print(alternative(data))


if __name__ == "__main__":
    main()
