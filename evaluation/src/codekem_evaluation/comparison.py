# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Two stored runs side by side: ratio, interval, and "no difference seen" where there is none."""

import math

import numpy

from codekem_base import charts
from codekem_base.model import Plot, Report, Section, Table, label, missing, number
from codekem_evaluation import machine, ratios, reporting, statistics
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
    identities = [run["machine"].get("identity") for run in (first, second)]
    if first["machine"]["cpu"] == second["machine"]["cpu"] and not machine.same(*identities):
        found.append(
            "whether both ran on one kind of processor is not known: one name stands for several"
            if None in identities
            else "the processors differ, though they have one name: "
            + "; ".join(differences(*identities))
        )
    clocks = core_clock(first), core_clock(second)
    if None not in clocks and abs(clocks[1] / clocks[0] - 1) > CLOCKS_ALIKE:
        found.append(
            f"the core ran at {clocks[0] / 1e9:.2f} GHz in A and {clocks[1] / 1e9:.2f} GHz "
            "in B: times differ by that alone; --core-cycles takes it out"
        )
    return found


def differences(one, other):
    """Returns in words how two identities of processors differ."""
    found = [
        f"{name} {one.get(name)} and {other.get(name)}"
        for name in machine.IDENTITY
        if one.get(name) != other.get(name)
    ]
    sets = sorted(set(one["features"]) ^ set(other["features"]))
    return found + ([f"only one has {', '.join(sets)}"] if sets else [])


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
        [
            "KEM",
            "implementation",
            "operation",
            "A, µs",
            "B, µs",
            "B/A",
            "interval",
            "seen from",
            "verdict",
        ],
        texts=3,
    )
    for kem, implementation in dict.fromkeys(
        (t["kem"], t["implementation"]) for t in first["times"]
    ):
        for operation in (*OPERATIONS, OVERALL):
            add_row(table, (a, b), (kem, implementation, operation), core_cycles)
    table.notes = ["seen from: a difference of so many percent is the least that could be seen"]
    if not table.rows:
        table.reason = "run A holds no samples"
    return table


def add_row(table, sides, key, core_cycles):
    trace = trace_id(*key)
    there = [side.has(*key[:2]) for side in sides]
    names = [label(key[0]), label(key[1]), label(LABELS[key[2]])]
    if not all(there):
        why = f"not measured in run {'AB'[there.index(False)]}"
        table.add(*names, *[missing(why)] * 5, label(why))
        return
    medians = [side.summary(*key).median / 1000 for side in sides]
    ratio = ratio_of(sides, key, core_cycles)
    decimals = ratios.decimals_of(ratio, most=3)
    table.add(
        *names,
        *[number(median, trace) for median in medians],
        number(ratio.median, trace, max(0, decimals)),
        label(ratios.ends(ratio, decimals), trace),
        number(visible(ratio), trace, 0, " %"),
        label(verdict(ratio), trace),
    )


def visible(ratio):
    """Returns how large a difference must be, in percent, to be seen between two such runs."""
    if ratio.confidence == 0 or not ratio.low > 0:
        return math.inf
    return 100 * (max(ratio.high / ratio.median, ratio.median / ratio.low) - 1)


def verdict(ratio):
    if not statistics.differs(ratio):
        return "no difference seen"
    change = abs(ratio.median - 1) * 100
    half = (ratio.high - ratio.low) / 2
    return f"B {change:.{0 if half > 0.01 else 1}f} % {'slower' if ratio.median > 1 else 'faster'}"


def seen_from(first, second, core_cycles):
    """Yields what visible() says of each whole exchange that both runs have."""
    sides = Samples(first), Samples(second)
    for kem, code in dict.fromkeys((t["kem"], t["implementation"]) for t in first["times"]):
        if sides[1].has(kem, code):
            yield visible(ratio_of(sides, (kem, code, OVERALL), core_cycles))


def ratio_of(sides, key, core_cycles):
    """Returns the ratio of a time in the second run to that in the first."""
    rounds = [side.rounds(*key) for side in sides]
    if core_cycles:
        rounds = [in_core_cycles(side.run, part) for side, part in zip(sides, rounds, strict=True)]
    return statistics.independent_ratio(rounds[1], rounds[0])


# --- Runs side by side, as a page ----------------------------------------------------------------


def name_of(run, path):
    """Names a run by its file, processor, commit and day."""
    cpu = run["machine"]["cpu"] or "unknown processor"
    commit = (run["build"]["commit"] or "unknown")[:8]
    return f"{path}: {cpu}, commit {commit}, {run['created'][:10]}, {run['mode']}"


def plot(runs, letters):
    """Returns the plot of the whole exchange in every run, or nothing."""
    found = []
    for letter, run in zip(letters, runs, strict=True):
        samples = Samples(run)
        for kem in [k["name"] for k in run["kems"] if not k.get("legacy")]:
            for implementation in samples.implementations(kem):
                e = samples.summary(kem, implementation, OVERALL).estimate
                values = e.median / 1e3, e.low / 1e3, e.high / 1e3
                found.append(charts.Dot(kem, f"{letter}: {implementation}", *values))
    found.sort(key=lambda dot: dot.group)
    chart = charts.Dots("microseconds of a whole exchange", tuple(found))
    return [Plot("plot-runs", "A whole exchange in each run", chart)] if found else []


def report(runs, paths, core_cycles=False):
    """Returns the Report of two or more runs; the first is what the others are compared with."""
    letters = [chr(ord("A") + i) for i in range(len(runs))]
    tables, words, warned = [], [], []
    for letter, run in zip(letters[1:], runs[1:], strict=True):
        table = compare(runs[0], run, core_cycles)
        table.key = f"comparison-{letter.lower()}"
        table.title = table.title.replace("B", letter)
        table.printed = True
        tables.append(table)
        verdicts = [row[-1].text for row in table.rows if row[2].text == LABELS[OVERALL]]
        same = sum(verdict == "no difference seen" for verdict in verdicts)
        faster = sum("faster" in verdict for verdict in verdicts)
        slower = sum("slower" in verdict for verdict in verdicts)
        words.append(
            f"{letter} beside A, whole exchanges: {faster} faster, {slower} slower, {same} without "
            f"a difference that can be seen, {len(verdicts) - faster - slower - same} in A only."
        )
        unseen = sorted(seen_from(runs[0], run, core_cycles))
        if unseen:
            words.append(
                f"Between A and {letter}, a difference of {unseen[0]:.0f} to {unseen[-1]:.0f} % "
                "is the least that could be seen, in half of all exchanges "
                f"{numpy.median(unseen):.0f} % or less."
            )
        warned += [f"A and {letter}: {line}" for line in warnings(runs[0], run)]
    for letter, run in zip(letters, runs, strict=True):
        briefs = [line.brief for line in reporting.warnings(run, Samples(run))]
        warned += [f"{letter}: {'; '.join(briefs)}"] if briefs else []
    facts = [
        (letter, name_of(*pair))
        for letter, pair in zip(letters, zip(runs, paths, strict=True), strict=True)
    ]
    return Report(
        "Runs side by side",
        str(paths[0]),
        facts,
        warned,
        [],
        [Section("comparison", "How do they differ?", [], tables)],
        words,
        plot(runs, letters),
    )
