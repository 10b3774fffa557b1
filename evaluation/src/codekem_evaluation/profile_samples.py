# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Where the time of a KEM goes: runs codekem_profile, and makes rows and words of its samples."""

import json
import statistics
import subprocess

from codekem_base import markdown as md
from codekem_base.errors import EvaluationError

FORMAT = "codekem-profile-1"
SAMPLES_FORMAT = "codekem-profile-samples-1"
OPERATIONS = ("keygen", "encaps", "decaps")
OPERATION_WORDS = {"keygen": "Key generation", "encaps": "Encapsulation", "decaps": "Decapsulation"}
REST = "other"  # what is in no part


def collect(program, kem, backend, rounds):
    """Runs codekem_profile; returns its samples."""
    try:
        done = subprocess.run(
            [program, kem, backend, str(rounds)],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
    except OSError as error:
        raise EvaluationError(f"{program} cannot run: {error.strerror}") from error
    if done.returncode != 0:
        raise EvaluationError(done.stderr.strip() or f"{program} ended with {done.returncode}")
    samples = json.loads(done.stdout)
    if samples["format"] != SAMPLES_FORMAT:
        raise EvaluationError(
            f"{program} writes {samples['format']}, not {SAMPLES_FORMAT}; build it again"
        )
    return samples


def quiet_rounds(totals):
    """Returns the indices of the middle half: the rounds that no interrupt and no cold cache
    met."""
    order = sorted(range(len(totals)), key=lambda i: totals[i])
    quarter = len(order) // 4
    return order[quarter : len(order) - quarter]


def cell_rows(samples):
    """Returns a row for each pair of part and kernel of each operation.

    cycles is the mean over the middle half of the rounds, so that the rows of an operation add up
    to what it takes as a whole.
    """
    rows = []
    for operation in samples["operations"]:
        cells = operation["cells"]
        quiet = quiet_rounds(
            [sum(c) for c in zip(*(cell["cycles"] for cell in cells), strict=True)]
        )
        # What is shorter than the clock's own cost may come out below zero.
        means = [max(0.0, statistics.fmean(cell["cycles"][i] for i in quiet)) for cell in cells]
        total = sum(means)
        for cell, mean in zip(cells, means, strict=True):
            rows.append(
                {
                    "kem": samples["kem"],
                    "backend": samples["backend"],
                    "operation": operation["operation"],
                    "part": cell["part"],
                    "kernel": cell["kernel"],
                    "cycles": mean,
                    "share": mean / total,
                    "calls": cell["calls"],
                    "part_calls": cell["part_calls"],
                }
            )
    whole = sum(row["cycles"] for row in rows)
    for row in rows:
        row["share_of_kem"] = row["cycles"] / whole
    return rows


def part_rows(rows):
    """Sums the kernels of each part; the largest part of an operation comes first, `other` last."""
    parts = {}
    for row in rows:
        key = (row["operation"], row["part"])
        if key not in parts:
            parts[key] = {
                "kem": row["kem"],
                "backend": row["backend"],
                "operation": row["operation"],
                "part": row["part"],
                "cycles": 0.0,
                "share": 0.0,
                "calls": row["part_calls"],
                "share_of_kem": 0.0,
            }
        for name in ("cycles", "share", "share_of_kem"):
            parts[key][name] += row[name]
    return sorted(
        parts.values(),
        key=lambda row: (OPERATIONS.index(row["operation"]), row["part"] == REST, -row["cycles"]),
    )


def coverage(samples):
    """Returns for each operation the ratio of the sum of all parts to the time without clocks."""
    ratios = {}
    for operation in samples["operations"]:
        totals = [
            sum(c) for c in zip(*(cell["cycles"] for cell in operation["cells"]), strict=True)
        ]
        ratios[operation["operation"]] = statistics.median(totals) / statistics.median(
            operation["plain"]
        )
    return ratios


def result(samples):
    """Returns one entry of a result file: rows, coverage and all samples."""
    cells = cell_rows(samples)
    return {
        "format": FORMAT,
        "kem": samples["kem"],
        "backend": samples["backend"],
        "rows": part_rows(cells),
        "kernels": cells,
        "coverage": coverage(samples),
        "samples": samples,
    }


# --- Words ---------------------------------------------------------------------------------------


def percent(share):
    return f"{100 * share:.0f} %" if share >= 0.01 else "less than 1 %"


def dominant(rows, operation):
    """Returns the parts that together make up at least three quarters of an operation."""
    named, covered = [], 0.0
    for row in rows:
        if row["operation"] == operation and row["part"] != REST and covered < 0.75:
            named.append(row)
            covered += row["share"]
    return named


def findings(entry):
    """Says in sentences which parts dominate, from the rows of one KEM and back end."""
    rows = entry["rows"]
    sentences = []
    for operation in OPERATIONS:
        named = [f"{row['part']} {percent(row['share'])}" for row in dominant(rows, operation)]
        inner = [
            row
            for row in entry["kernels"]
            if row["operation"] == operation and row["part"] == dominant(rows, operation)[0]["part"]
        ]
        of_first = sum(row["share"] for row in inner)
        kernels = [
            f"{row['kernel']} {percent(row['share'] / of_first)}"
            for row in sorted(inner, key=lambda row: -row["share"])[:2]
            if row["kernel"] != "rest" and row["share"] > 0.1 * of_first
        ]
        within = f" (of which {', '.join(kernels)})" if len(kernels) > 1 else ""
        first, *others = named
        sentences.append(
            f"{OPERATION_WORDS[operation]}: " + ", ".join([first + within, *others]) + "."
        )
    shares = {
        operation: sum(row["share_of_kem"] for row in rows if row["operation"] == operation)
        for operation in OPERATIONS
    }
    heaviest = max(shares, key=shares.__getitem__)
    top = max((row for row in rows if row["part"] != REST), key=lambda row: row["share_of_kem"])
    sentences.append(
        f"Of the three operations together, {OPERATION_WORDS[heaviest].lower()} takes "
        f"{percent(shares[heaviest])}, and {top['part']} in "
        f"{OPERATION_WORDS[top['operation']].lower()} is the largest part with "
        f"{percent(top['share_of_kem'])}."
    )
    return sentences


def survey_table(entries):
    """Returns the table of the survey for entries of one KEM: each part in percent of the
    operation, and behind it of all three operations, a column for each back end."""
    cells, order = {}, []
    for entry in entries:
        for row in entry["rows"]:
            cells[row["operation"], row["part"], entry["backend"]] = row
            if (row["operation"], row["part"]) not in order:
                order.append((row["operation"], row["part"]))
    order.sort(key=lambda key: (OPERATIONS.index(key[0]), key[1] == REST))
    backends = [entry["backend"] for entry in entries]

    def shown(row):
        if row is None:
            return "not entered"
        return f"{100 * row['share']:.1f} ({100 * row['share_of_kem']:.1f})"

    lines = [[*key, *(shown(cells.get((*key, backend))) for backend in backends)] for key in order]
    return md.lines([entries[0]["kem"], "part", *backends], lines, texts=2)


def markdown(entry):
    """Returns the table of one entry: cycles and shares of all parts, the calls, and the
    findings."""
    columns = ["operation", "part", "thousands of cycles", "of the operation", "of the KEM"]
    cells = [
        [row["operation"], row["part"], f"{row['cycles'] / 1000:.1f}",
         *(f"{100 * row[share]:.1f} %" for share in ("share", "share_of_kem")), row["calls"]]
        for row in entry["rows"]
    ]  # fmt: skip
    ratios = ", ".join(
        f"{operation} {100 * ratio:.1f} %" for operation, ratio in entry["coverage"].items()
    )
    return [
        f"### {entry['kem']}, {entry['backend']}",
        "",
        *md.lines([*columns, "entered"], cells, texts=2),
        "",
        f"Sum of the parts beside the time without clocks: {ratios}.",
        "",
        *findings(entry),
    ]
