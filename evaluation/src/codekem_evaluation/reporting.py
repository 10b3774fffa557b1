# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Makes the report of a stored run: facts, warnings, sections with sentences, tables and plots."""

import functools

import numpy

from codekem_base.model import Report, Section, Warned
from codekem_evaluation import (
    alike,
    answers,
    batches,
    brief,
    findings,
    history,
    long,
    paper,
    parts,
    plots,
    plots_samples,
    profile_samples,
    published,
    statistics,
    tables,
    tables_packages,
    tables_signatures,
    tables_times,
)
from codekem_evaluation.samples import LABELS, Samples
from codekem_evaluation.tables import NAMED, made

CLOCK_SPREAD = 0.03  # a core's clock that moves by more is worth a warning
WAITS = 0.01  # share of operations in which the thread waited for a processor
COVERAGE = (0.85, 1.1)  # the parts of a profile beside the same operation without their clocks
QUICK = "a quick run"
SLOW_CORE = 0.95  # cores of one kind differ by less
LOAD = 0.5  # load average of one minute, at the start


def unknown(value):
    return "the system does not tell" if value is None else str(value)


def facts(run):
    """Returns what the numbers depend on, as pairs of name and value."""
    machine, build, clock = run["machine"], run["build"], run["clock"]
    core = numpy.array(clock["core_hz"] or [numpy.nan]) / 1e9
    cycles = (
        f"; cycles of the {clock['cycles']}, {clock['cycles_hz'] / 1e9:.3f} GHz"
        if clock["cycles"]
        else "; no counter of cycles"
    )
    modified = " with changes" if build["modified"] else ""
    boost = {True: "on", False: "off", None: "unknown"}[machine["boost"]]
    return [
        (
            "Processor",
            f"{unknown(machine['cpu'])}, {machine['logical_cpus']} logical cores, "
            f"{unknown(machine['architecture'])}",
        ),
        ("System", f"{unknown(machine['os'])}, {unknown(machine['kernel'])}"),
        (
            "Frequency",
            f"governor: {unknown(machine['governor'])}; boost: {boost}; core "
            f"{unknown(machine['core'])} ran at {core.min():.2f} to {core.max():.2f} GHz "
            "(estimated before each round)",
        ),
        ("Clock", f"{clock['time']}{cycles}"),
        (
            "Build",
            f"codekem {unknown(build['codekem'])}, commit "
            f"{unknown(build['commit'])[:12]}{modified}, {unknown(build['compiler'])}, "
            f"{unknown(build['build_type'])} {unknown(build['flags'])}",
        ),
        (
            "Run",
            f"{run['mode']}, {run['created']}, {run['settings']['rounds']} rounds of "
            f"{run['settings']['milliseconds']:g} ms for each implementation, in random order "
            f"(seed {run['settings']['seed']})",
        ),
    ]


def warnings(run, samples):
    """Returns what a reader must know before trusting the numbers."""
    found = []
    core = run["clock"]["core_hz"]
    if core and max(core) / min(core) - 1 > CLOCK_SPREAD:
        moved = f"the clock of the core moved by {100 * (max(core) / min(core) - 1):.0f} %"
        found.append(
            Warned(
                moved,
                f"{moved}: trust ratios, which were measured side by side, more than times",
            )
        )
    share = run["machine"].get("core_share") or 1
    if share < SLOW_CORE:
        found.append(
            Warned(
                "a slow core",
                f"core {run['machine']['core']} is one of the slower ones: {100 * share:.0f} % of "
                "the fastest; --core N names another",
            )
        )
    if (run["machine"]["load"] or 0) > LOAD:
        load = f"{run['machine']['load']:.2f}"
        found.append(
            Warned(
                f"busy machine (load {load})",
                f"the load average was {load} at the start: something else was running",
            )
        )
    waits = run["waits"]
    if waits["waited"] > WAITS * waits["operations"]:
        share = f"{100 * waits['waited'] / waits['operations']:.1f} % of the operations"
        found.append(
            Warned(
                f"{share} had to wait for the processor",
                f"in {share} the scheduler took the processor away: for these, the time on the "
                "processor is given, without the waiting; the profile has no such correction, so "
                "its shares of slow back ends are rough",
            )
        )
    found += uncovered(run)
    if run["mode"] == "quick":
        found.append(
            Warned(QUICK, "a quick run: for figures to publish, use --full on a quiet machine")
        )
    if not run["complete"]:
        found.append(Warned("interrupted", "the run was interrupted: it holds what was finished"))
    return found + tables_times.noisy(samples)


def uncovered(run):
    """Returns a warning for profiles whose parts do not add up to the whole, or nothing."""
    wrong = [
        f"{entry['kem']} {entry['backend']} {LABELS[operation]} {100 * ratio:.0f} %"
        for entry in run.get("profile_samples", [])
        for operation, ratio in profile_samples.coverage(entry).items()
        if not COVERAGE[0] <= ratio <= COVERAGE[1]
    ]
    return (
        [
            Warned(
                f"{len(wrong)} profiles do not add up",
                f"the parts of the profile do not add up to what the operation takes without their "
                f"clocks ({', '.join(wrong)}): something else was running",
            )
        ]
        if wrong
        else []
    )


def sections(run, samples):
    processors, flash, stack, code, variants = made(
        samples, "processors", "flash", "stack", "code", "variants"
    )
    return [
        Section("findings", "What was found", findings.sentences(samples)),
        Section(
            "times",
            "How fast is it?",
            [*answers.on_times(samples), *findings_intro()],
            [
                *(made(samples, "peers") if alike.any_peers(samples) else []),
                *made(samples, "times", "speedups", "cycles", "spread"),
            ],
            [*plots.times(samples), *plots_samples.doubted(samples), *plots.growth(samples)],
            findings.on_times(samples),
        ),
        Section(
            "profile",
            "Where does the time go?",
            [answers.decaps(samples)],
            made(samples, "profile"),
            plots.profile(run),
            findings.on_profile(samples),
        ),
        Section(
            "network",
            "What does it cost on the wire?",
            [answers.wire(run), answers.slow(samples)],
            made(samples, "sizes", "wire", "tls"),
            [*plots.sizes(run), *plots.network(samples)],
        ),
        Section(
            "hardware",
            "What hardware does it take, and how fast is that?",
            [answers.fpga()],
            made(
                samples,
                *(name for name in NAMED if name.startswith(("hardware-", "hls-"))),
                "claims",
            ),
            plots.hardware(),
        ),
        Section(
            "processors",
            "And on other processors?",
            [],
            [processors, flash],
            plots.processors(processors),
        ),
        Section(
            "memory",
            "How much memory does it take?",
            [answers.stack(samples)],
            [stack, code],
            plots.stack(stack, run),
        ),
        Section(
            "variants",
            "What do the variants of BIKE cost?",
            [],
            [variants],
            plots.variants(variants),
        ),
        tables_signatures.section(run),
        *filter(None, [tables_packages.section()]),
        *batches.section(),
        *filter(None, [history.section(run)]),
        *parts.sections(),
        Section(
            "sources",
            "Where are the published figures from?",
            [f"{key}: {text}." for key, text in published.sources().items()],
        ),
    ]


def source_of(run):
    """Returns machine, day, version and how often, which every chart and table says."""
    build, rounds = run["build"], run["settings"]["rounds"]
    commit = f", commit {build['commit'][:8]}" if build["commit"] else ""
    return (
        f"{run['machine']['cpu'] or 'unknown processor'}, {run['created'][:10]}, codekem "
        f"{unknown(build['codekem'])}{commit}, {rounds} rounds, "
        f"intervals of {100 * statistics.ranks(rounds)[2]:.0f} %"
    )


def findings_intro():
    return [
        "Implementations were measured in turn, in random order, on one core; a ratio is the "
        "median of those of single rounds. Published times are set beside, on the authors' "
        "processors."
    ]


def make(run, path):
    """Returns the Report of a run that is stored at path."""
    samples = Samples(run)
    report = Report(
        "Code-based KEMs: codekem "
        + ("beside its peers" if alike.any_peers(samples) else "on this machine"),
        str(path),
        facts(run),
        warnings(run, samples),
        [f"{u['what']}: {u['reason']}; {u['remedy']}" for u in run["unavailable"]]
        + parts.problems(),
        sections(run, samples),
        list(findings.opening(samples)),
        plots.overview(samples),
        brief.make(samples),
        brief.screen(samples),
        first=brief.first(samples),
        source=source_of(run),
    )
    for plot in report.plots():
        plot.source = plot.source or report.source
    for table in filter(paper.measured, [*report.tables(), *filter(None, [report.first])]):
        table.source = report.source
    if report.brief and report.brief.plot:
        report.brief.plot.source = report.source
    report.rows = functools.cache(lambda: long.frame(tables.rows(samples, report), run["kems"]))
    return report
