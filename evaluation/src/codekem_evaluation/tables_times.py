# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Tables of times: ours, peers' and published ones; speed-ups; variants; every sample set."""

from codekem_base.kems import current
from codekem_base.model import Cell, Warned
from codekem_evaluation import long, published, ratios, statistics
from codekem_evaluation.long import Column, Row, Spec, each, of_ratio
from codekem_evaluation.samples import LABELS, OPERATIONS, OVERALL, trace_id

HERE = "this run"
SURVEY = "galimberti2023"
TO_OUR_BEST = "to our best"
PUBLISHED_NAMES = {
    "KeyGen": "keygen",
    "Encaps": "encaps",
    "Decaps": "decaps",
    published.WHOLE: OVERALL,
}
# Whose cycles these are, where the source does not say it.
CYCLES_OF = {"bike-kem README": "bike-kem", "aguilar-melchor2022": "HQC, version of 2022"}
OLD_HQC = dict(zip(("HQC-128", "HQC-192", "HQC-256"), current("HQC"), strict=False))
METRICS = {"nanoseconds": ("time", "ns"), "cycles": ("cycles", "cycles")}
PRINTED_MS = 0.01  # the unit of the last digit of the survey's times, in milliseconds
OUTLIER_SHARE = 0.1  # more than this is worth a warning
NO_CYCLES = "this processor has no counter of cycles that programs can read"
NO_SAMPLES = "this run holds no such samples; measure again with 'run'"

NAMES = {"KEM": "subject", "implementation": "code", "where": "source"}
TIMES = Spec(
    "times",
    "Times in milliseconds (median)",
    NAMES,
    [
        *each(LABELS, "time", "ms"),
        Column(TO_OUR_BEST, "time to our best", OVERALL, shown=long.ratio),
    ],
    printed=True,
)
CYCLES = Spec(
    "cycles",
    "Times in thousands of cycles (median)",
    NAMES,
    [
        *each(LABELS, "cycles", "thousand cycles"),
        Column(TO_OUR_BEST, "cycles to our best", OVERALL, shown=long.ratio),
    ],
    detail=True,
)
SPEEDUPS = Spec(
    "speedups",
    "Vector code over portable code: how many times as fast (interval)",
    {"KEM": "subject", "where": "source", "vector code": "code"},
    each(LABELS, "speed-up over portable code", shown=long.ratio),
)
VARIANTS_TABLE = Spec(
    "variants",
    "BIKE 5.1 beside the variants of 4.2, thousands of cycles",
    {"KEM": "subject", "variant": "code", "where": "source"},
    each({o: LABELS[o] for o in OPERATIONS}, "cycles of variants", "thousand cycles"),
    detail=True,
)


def span(row):
    text = f"{row.low / 1e3:.2f} to {row.high / 1e3:.2f}"
    return Cell(text, None, row.trace, interval=(row.low / 1e3, row.high / 1e3))


def percent(row):
    return Cell(f"{row.value:,.1f} %", row.value, row.trace)


SPREAD = Spec(
    "spread",
    "Every set of samples, in microseconds",
    {"KEM": "subject", "implementation": "code", "operation": "operation"},
    [
        Column("median", "median", unit="µs"),
        Column("interval", "median", unit="µs", shown=span),
        Column("confidence", "confidence", shown=percent),
        Column("quartiles", "quartiles", unit="µs", shown=span),
        Column("samples", "samples", digits=0),
        Column("outliers", "outliers", digits=0),
    ],
    detail=True,
)


def current_kems(run):
    return [kem["name"] for kem in run["kems"] if not kem.get("legacy")]


def published_times(source=None):
    """Returns {KEM: {(implementation, processor, source): {operation: row}}}."""
    return {
        kem: {
            key: {PUBLISHED_NAMES[operation]: row for operation, row in each.items()}
            for key, each in several.items()
        }
        for kem, several in published.times(source).items()
    }


def where_of(processor, source):
    """Names the processor and the source of a published figure; the CSV files have the full
    name."""
    return f"{processor.split(' (')[0]} [{source}]"


# --- Rows of the long table ----------------------------------------------------------------------


def measured(samples, unit):
    """Yields the rows of every implementation in a run, with the ratio to our best."""
    metric, of = METRICS[unit]
    for kem in current_kems(samples.run):
        best = samples.best(kem)
        for code in samples.implementations(kem):
            if samples.rounds(kem, code, OVERALL, unit) is None:
                continue
            for operation in LABELS:
                e = samples.summary(kem, code, operation, unit).estimate
                yield Row(kem, code, operation, metric, e.median, of, HERE,
                          trace_id(kem, code, operation), e.low, e.high)  # fmt: skip
            names = {"subject": kem, "code": code, "operation": OVERALL, "source": HERE}
            names["metric"] = f"{metric} to our best"
            if best is None:
                yield Row(**names, why="no ratio: codekem has no such KEM")
            else:
                found = ratios.of(samples, kem, code, best, OVERALL, unit)
                yield of_ratio(found, trace_id(kem, code, OVERALL), **names)


def ratio_to_published(samples, names, platform, row, value, unit="nanoseconds"):
    """Returns the row of a published value over our best, if the processor is the same."""
    names = {**names, "operation": OVERALL, "metric": f"{METRICS[unit][0]} to our best"}
    best, cpu = samples.best(names["subject"]), samples.run["machine"]["cpu"]
    if best is None or not published.same_platform(platform, cpu):
        return Row(**names, why=published.not_comparable({"other processors"}, cpu))
    ours = samples.summary(names["subject"], best, OVERALL, unit).estimate
    return of_ratio(ratios.to_measured(value, ours), row["trace"], **names)


def published_rows(samples):
    """Yields the rows of published times, and their ratios to our best."""
    for kem, several in published_times().items():
        for (code, cpu, source), operations in several.items():
            names = {"subject": kem, "code": code, "source": where_of(cpu, source)}
            for operation in LABELS:
                row = operations[operation]
                value = float(row["milliseconds"])
                yield Row(**names, operation=operation, metric="time", value=value, unit="ms",
                          trace=row["trace"])  # fmt: skip
            yield ratio_to_published(samples, names, cpu, row, value * 1e6)


def published_cycles(samples):
    """Yields the rows of published cycles, and their ratios to our best."""
    found = [
        (row["kem"], row["cpu"], row)
        for row in published.rows("bike_kem_cycles")
        if row["variant"] == "v5.1"
    ] + [
        (OLD_HQC.get(row["kem"], row["kem"]), row["platform"], row)
        for row in published.rows("hqc_software_cycles")
        if "FPGA" not in row["platform"]
    ]
    for kem, where, row in found:
        values = [float(row[f"{o}_cycles"]) for o in OPERATIONS]
        names = {"subject": kem, "code": whose(row), "source": where_of(where, row["source"])}
        for operation, value in zip(LABELS, [*values, sum(values)], strict=True):
            yield Row(**names, operation=operation, metric="cycles", value=value, unit="cycles",
                      trace=row["trace"])  # fmt: skip
        yield ratio_to_published(samples, names, where, row, sum(values), "cycles")


def whose(row):
    """Returns the name of the code whose cycles were published."""
    return CYCLES_OF.get(row["source"], row["source"])


def spread(samples):
    """Yields what describes every set of samples."""
    for kem in samples.run["kems"]:
        for code in samples.implementations(kem["name"]):
            for operation, name in LABELS.items():
                s = samples.summary(kem["name"], code, operation)
                trace, e = trace_id(kem["name"], code, operation), s.estimate
                names = {"subject": kem["name"], "code": code, "operation": name, "source": HERE}
                names["trace"] = trace
                yield Row(**names, metric="median", value=s.median, unit="ns", low=e.low,
                          high=e.high)  # fmt: skip
                yield Row(**names, metric="confidence", value=100 * e.confidence, unit="percent")
                yield Row(**names, metric="quartiles", value=s.median, unit="ns",
                          low=s.lower_quartile, high=s.upper_quartile)  # fmt: skip
                yield Row(**names, metric="samples", value=s.count)
                yield Row(**names, metric="outliers", value=s.outliers)


def gains(samples):
    """Yields what vector code gains over portable code, here and in the survey."""
    for kem in current_kems(samples.run):
        for code in samples.implementations(kem):
            if (
                code not in ("reference", "portable")
                and samples.has(kem, "portable")
                and is_ours(samples.run, code)
            ):
                for o in LABELS:
                    found = ratios.of(samples, kem, "portable", code, o)
                    yield gain(kem, code, o, HERE, found, trace_id(kem, code, o))
    for kem, several in published_times().items():
        # The survey's AVX2 over its portable constant-time code, both on the same processor; so
        # those of others who use its names.
        for (code, cpu, source), operations in several.items():
            base = several.get(("CT C99", cpu, source))
            for o in LABELS if code == "CT AVX2" and base is not None else ():
                slow, fast = (float(row[o]["milliseconds"]) for row in (base, operations))
                found = ratios.of_printed(slow, fast, PRINTED_MS)
                yield gain(kem, code, o, where_of(cpu, source), found, operations[o]["trace"])


def gain(kem, code, operation, source, found, trace):
    return of_ratio(found, trace, subject=kem, code=code, operation=operation, source=source,
                    metric="speed-up over portable code")  # fmt: skip


def is_ours(run, name):
    return any(i["name"] == name and i["kind"] == "codekem" for i in run["implementations"])


# --- Tables --------------------------------------------------------------------------------------


def of_run(run, rows):
    """Returns the rows of the KEMs of a run."""
    known = set(current_kems(run))
    return [row for row in rows if row.subject in known]


def times(samples):
    """Returns the survey's table 2: every KEM and implementation, in milliseconds."""
    run, shown = samples.run, current_kems(samples.run)
    rows = [*measured(samples, "nanoseconds"), *published_rows(samples)]
    notes = [
        f"not shown: {next(iter(rows.values()))['place']}: this run has no {kem}"
        for kem, several in published_times().items()
        for rows in several.values()
        if kem not in shown
    ]
    notes = [note_on_ratios(run), *notes_of(run), *notes]
    return TIMES.table(of_run(run, rows), notes, NO_SAMPLES, shown)


def note_on_ratios(run):
    """Says what the brackets are."""
    confidence = statistics.ranks(run["settings"]["rounds"])[2]
    return (
        f"{TO_OUR_BEST}: the median of the ratios of single rounds and, in brackets, its "
        f"{100 * confidence:.0f} % interval; beside a published time, that of our time alone"
    )


def notes_of(run):
    return [
        f"{i['name']}: {i['version']}" + (f"; {i['note']}" if i.get("note") else "")
        for i in run["implementations"]
        if i["kind"] == "peer"
    ]


def cycles(samples):
    """Returns the same in cycles, with the published cycles of BIKE and HQC."""
    run = samples.run
    if run["clock"]["cycles"] is None:
        return CYCLES.table([], reason=NO_CYCLES)
    notes = [
        note_on_ratios(run),
        "cycles of this run are those of the time-stamp counter, "
        f"{run['clock']['cycles_hz'] / 1e9:.2f} GHz, not of the core",
    ]
    rows = [*measured(samples, "cycles"), *published_cycles(samples)]
    return CYCLES.table(of_run(run, rows), notes, NO_SAMPLES, current_kems(run))


def details(samples):
    """Returns every set of samples with its spread; long."""
    notes = [
        "the interval is that of the median, between two of the rounds' medians; an "
        "outlier is beyond the quartiles by three times their distance"
    ]
    return SPREAD.table(spread(samples), notes, NO_SAMPLES)


def speedups(samples):
    """Returns what vector code gains over portable code, here and in the survey."""
    notes = ["published: in brackets, what the rounding of the printed times leaves open"]
    why = "this run holds no vector code beside portable code"
    rows = of_run(samples.run, gains(samples))
    return SPEEDUPS.table(rows, notes, why, current_kems(samples.run))


def noisy(samples):
    """Returns a warning for the sets of samples with many outliers, or nothing."""
    found = []
    for kem in samples.run["kems"]:
        for implementation in samples.implementations(kem["name"]):
            s = samples.summary(kem["name"], implementation, OVERALL)
            if s.outliers > OUTLIER_SHARE * s.count:
                found.append(f"{kem['name']} {implementation}")
    if not found:
        return []
    return [
        Warned(
            f"many outliers for {len(found)} of {len(samples.run['times']) // len(OPERATIONS)}",
            f"more than {100 * OUTLIER_SHARE:.0f} % outliers for {', '.join(found)}: was something "
            "else running? Measure again on a quiet machine",
        )
    ]


# --- Variants of BIKE -----------------------------------------------------------------------------

VARIANTS = {
    "v5.1": "",
    "v4.2 AES+SHA2": "-v4.2-aes",
    "v4.2 AES+SHA2 + BIND_PK_AND_M": "-v4.2-aes-bind",
    "v4.2 SHA3+SHAKE": "-v4.2-sha3",
    "v4.2 SHA3+SHAKE + BIND_PK_AND_M": "-v4.2-sha3-bind",
}


def of_variants(samples):
    """Yields the cycles of v5.1 and of the four variants of v4.2, ours and published."""
    why = "not measured in this run: the build has no legacy KEMs (CODEKEM_BUILD_LEGACY=ON)"
    if samples.run["clock"]["cycles"] is None:
        why = NO_CYCLES
    for level in current("BIKE"):
        for variant, suffix in VARIANTS.items():
            kem = level + suffix
            best = samples.best(kem)
            for o in OPERATIONS:
                found = samples.summary(kem, best, o, "cycles") if best else None
                yield Row(level, variant, o, "cycles of variants", found and found.median, "cycles",
                          f"{HERE}, {best or 'no back end'}", found and trace_id(kem, best, o),
                          why=None if found else why)  # fmt: skip
            for row in published.rows("bike_kem_cycles"):
                if (row["kem"], row["variant"]) == (level, variant):
                    for o in OPERATIONS:
                        yield Row(level, variant, o, "cycles of variants",
                                  float(row[f"{o}_cycles"]), "cycles",
                                  f"{whose(row)}, {row['cpu']}", row["trace"])  # fmt: skip


def variants(samples):
    """Returns the table of the additional implementation: v5.1 beside the four variants of v4.2."""
    cpu = samples.run["machine"]["cpu"]
    platforms = {row["cpu"] for row in published.rows("bike_kem_cycles")}
    alike = any(published.same_platform(each, cpu) for each in platforms)
    notes = [] if alike else [published.not_comparable(platforms, cpu)]
    return VARIANTS_TABLE.table(of_variants(samples), notes)
