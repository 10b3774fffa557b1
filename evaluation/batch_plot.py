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
import subprocess
import sys

from codekem_base import charts, errors, files
from codekem_evaluation import statistics
from evaluation.speed_plot import drawn

ROOT = pathlib.Path(__file__).resolve().parent.parent


DATA = ROOT / "docs" / "speed" / "batch.json"
PICTURE = DATA.with_suffix(".svg")
SIZES = [1, 2, 4, 8, 16, 32, 64]
REPEATS = 6  # the smallest and the largest of six are an interval of 97 %
SECONDS = 0.15
CURVES = [
    ("BIKE-L1", "keygen"),
    ("BIKE-L1", "encaps"),
    ("BIKE-L1", "decaps"),
    ("HQC-1", "encaps"),
    ("HQC-1", "decaps"),
    ("HQC-1", "decaps-one-key"),
]


def speed(command, size, backend):
    """Runs the command once; returns its document."""
    options = [f"--kem={kem}" for kem in dict.fromkeys(kem for kem, _ in CURVES)]
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
    curves = {f"{kem} {operation}": [] for kem, operation in CURVES}
    machine = None
    for size in SIZES:
        documents = [speed(command, size, backend) for _ in range(REPEATS)]
        machine = documents[0]["machine"]
        for kem, operation in CURVES:
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


def chart(data):
    """Returns the chart: a curve for each operation."""
    series = {
        f"{kem} {operation.replace('-', ' ')}": [
            (point["batch"], 100 / point["ratio"]) for point in data["curves"][f"{kem} {operation}"]
        ]
        for kem, operation in CURVES
    }
    lines = charts.Lines(
        f"operations in a batch; {data['machine']['cpu']}, {data['backend']}, one core",
        "percent of the time of a single call",
        series,
        x_log=True,
        x_values=tuple(SIZES),
    )
    made = lines.described()
    heading = "Time of one operation, in % of that of a single call"
    made["spec"]["title"] = {"text": heading, "anchor": "start"}
    return charts.Own(made, alternative(data))


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
    """Returns the SVG."""
    return drawn(chart(data), "batch", "evaluation/batch_plot.py", data)


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
