# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Two stored runs side by side: ratio, interval, and "no difference seen" where there is none."""

import numpy

from codekem_evaluation import ratios, statistics
from codekem_evaluation.model import Table, label, missing, number
from codekem_evaluation.samples import LABELS, OPERATIONS, OVERALL, Samples, trace_id

CLOCKS_ALIKE = 0.01  # clocks of the core that differ by more are worth a warning


def core_clock(run):
    return float(numpy.median(run["clock"]["core_hz"])) if run["clock"]["core_hz"] else None


def warnings(first, second):
    """Returns sentences on what differs between two runs besides the code."""
    found = []
    for part, names in [
        ("machine", ("cpu", "kernel", "governor", "boost")),
        ("build", ("compiler", "flags", "build_type")),
    ]:
        found += [
            f"{name} differs: {first[part][name]} and {second[part][name]}"
            for name in names
            if first[part][name] != second[part][name]
        ]
    clocks = core_clock(first), core_clock(second)
    if None not in clocks and abs(clocks[1] / clocks[0] - 1) > CLOCKS_ALIKE:
        found.append(
            f"the core ran at {clocks[0] / 1e9:.2f} GHz in A and {clocks[1] / 1e9:.2f} GHz "
            "in B: times differ by that alone; --core-cycles takes it out"
        )
    return found


def in_core_cycles(run, rounds):
    """Turns the nanoseconds of each round into cycles at the clock that the core had then."""
    return [
        [value * hz / 1e9 for value in samples]
        for samples, hz in zip(rounds, run["clock"]["core_hz"], strict=False)
    ]  # if interrupted


def compare(first, second, core_cycles=False):
    """Returns the table of two runs: B over A, with the interval and a verdict."""
    a, b = Samples(first), Samples(second)
    table = Table(
        "comparison",
        "B over A: below 1, B takes less time",
        ["KEM", "implementation", "operation", "A, µs", "B, µs", "B/A", "interval", "verdict"],
        texts=3,
    )
    for kem, implementation in dict.fromkeys(
        (t["kem"], t["implementation"]) for t in first["times"]
    ):
        for operation in (*OPERATIONS, OVERALL):
            add_row(table, (a, b), (kem, implementation, operation), core_cycles)
    if not table.rows:
        table.reason = "run A holds no samples"
    return table


def add_row(table, sides, key, core_cycles):
    trace = trace_id(*key)
    rounds = [side.rounds(*key) if side.has(*key[:2]) else None for side in sides]
    names = [label(key[0]), label(key[1]), label(LABELS[key[2]])]
    if None in rounds:
        why = f"not measured in run {'AB'[rounds.index(None)]}"
        table.add(*names, *[missing(why)] * 4, label(why))
        return
    medians = [side.summary(*key).median / 1000 for side in sides]
    if core_cycles:
        rounds = [in_core_cycles(side.run, part) for side, part in zip(sides, rounds, strict=True)]
    ratio = statistics.independent_ratio(rounds[1], rounds[0])
    decimals = ratios.decimals_of(ratio, most=3)
    table.add(
        *names,
        *[number(median, trace) for median in medians],
        number(ratio.median, trace, max(0, decimals)),
        label(ratios.ends(ratio, decimals), trace),
        label(verdict(ratio), trace),
    )


def verdict(ratio):
    if not statistics.differs(ratio):
        return "no difference seen"
    change = abs(ratio.median - 1) * 100
    half = (ratio.high - ratio.low) / 2
    return f"B {change:.{0 if half > 0.01 else 1}f} % {'slower' if ratio.median > 1 else 'faster'}"
