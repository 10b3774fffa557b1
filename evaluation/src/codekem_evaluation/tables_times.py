# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Tables of times: ours, peers' and published ones; speed-ups; variants; every sample set."""

from codekem_base.kems import current
from codekem_base.model import Table, Warned, label, missing, number
from codekem_evaluation import published, ratios, statistics
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
# Which of our back ends does what the survey's implementations do.
COUNTERPARTS = {"Ref C99": "reference", "CT C99": "portable", "CT AVX2": "avx2"}
OLD_HQC = dict(zip(("HQC-128", "HQC-192", "HQC-256"), current("HQC"), strict=False))
UNITS = {"nanoseconds": ("milliseconds", 1e6), "cycles": ("thousands of cycles", 1e3)}
PRINTED_MS = 0.01  # the unit of the last digit of the survey's times, in milliseconds
OUTLIER_SHARE = 0.1  # more than this is worth a warning


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


def times(samples):
    """Returns the survey's table 2: every KEM and implementation, in milliseconds."""
    table = Table(
        "times",
        "Times in milliseconds (median)",
        ["KEM", "implementation", "where", *LABELS.values(), TO_OUR_BEST],
        texts=3,
        printed=True,
    )
    others = published_times()
    for kem in current_kems(samples.run):
        add_measured(table, samples, kem, "nanoseconds")
        for (implementation, cpu, source), operations in others.get(kem, {}).items():
            cells = [
                number(float(operations[o]["milliseconds"]), operations[o]["trace"]) for o in LABELS
            ]
            table.add(
                label(kem),
                label(implementation),
                label(where_of(cpu, source)),
                *cells,
                ratio_to_published(
                    samples,
                    kem,
                    cpu,
                    operations[OVERALL],
                    float(operations[OVERALL]["milliseconds"]) * 1e6,
                ),
            )
    table.notes = [note_on_ratios(samples.run), *notes_of(samples.run)]
    shown = current_kems(samples.run)
    table.notes += [
        f"not shown: {next(iter(rows.values()))['place']}: this run has no {kem}"
        for kem, several in others.items()
        for rows in several.values()
        if kem not in shown
    ]
    return finished(table)


def where_of(processor, source):
    """Names the processor and the source of a published figure; the CSV files have the full
    name."""
    return f"{processor.split(' (')[0]} [{source}]"


def ratio_to_published(samples, kem, platform, row, value, unit="nanoseconds"):
    """Returns the cell of a published value over our best, if the processor is the same."""
    best = samples.best(kem)
    measured = samples.run["machine"]["cpu"]
    if best is None or not published.same_platform(platform, measured):
        return missing(published.not_comparable({"other processors"}, measured))
    ours = samples.summary(kem, best, OVERALL, unit).estimate
    return ratios.to_measured(value, ours).cell(row["trace"])


def add_measured(table, samples, kem, unit):
    """Adds a row for each implementation of a KEM in a run, with the ratio to our best."""
    best = samples.best(kem)
    for implementation in samples.implementations(kem):
        if samples.rounds(kem, implementation, OVERALL, unit) is None:
            continue
        trace = trace_id(kem, implementation, OVERALL)
        cells = [
            number(
                samples.summary(kem, implementation, o, unit).median / UNITS[unit][1],
                trace_id(kem, implementation, o),
            )
            for o in LABELS
        ]
        ratio = (
            missing("no ratio: codekem has no such KEM")
            if best is None
            else ratios.of(samples, kem, implementation, best, OVERALL, unit).cell(trace)
        )
        table.add(label(kem), label(implementation), label(HERE), *cells, ratio)


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


def finished(table, reason="this run holds no such samples; measure again with 'run'"):
    if not table.rows:
        table.reason = reason
    return table


def cycles(samples):
    """Returns the same in cycles, with the published cycles of BIKE and HQC."""
    table = Table(
        "cycles",
        "Times in thousands of cycles (median)",
        ["KEM", "implementation", "where", *LABELS.values(), TO_OUR_BEST],
        texts=3,
        detail=True,
    )
    if samples.run["clock"]["cycles"] is None:
        table.reason = "this processor has no counter of cycles that programs can read"
        return table
    for kem in current_kems(samples.run):
        add_measured(table, samples, kem, "cycles")
        for row, implementation, where in published_cycles(kem):
            values = [float(row[f"{o}_cycles"]) / 1e3 for o in ("keygen", "encaps", "decaps")]
            ratio = ratio_to_published(samples, kem, where, row, sum(values) * 1e3, "cycles")
            table.add(
                label(kem),
                label(implementation),
                label(where_of(where, row["source"])),
                *[number(value, row["trace"]) for value in [*values, sum(values)]],
                ratio,
            )
    table.notes = [
        note_on_ratios(samples.run),
        "cycles of this run are those of the time-stamp counter, "
        f"{samples.run['clock']['cycles_hz'] / 1e9:.2f} GHz, not of the core",
    ]
    return finished(table)


def published_cycles(kem):
    """Yields (row, implementation, platform) of the published cycles of a KEM."""
    for row in published.rows("bike_kem_cycles"):
        if row["kem"] == kem and row["variant"] == "v5.1":
            yield row, whose(row), row["cpu"]
    for row in published.rows("hqc_software_cycles"):
        if OLD_HQC.get(row["kem"], row["kem"]) == kem and "FPGA" not in row["platform"]:
            yield row, whose(row), row["platform"]


def whose(row):
    """Returns the name of the code whose cycles were published."""
    return CYCLES_OF.get(row["source"], row["source"])


def details(samples):
    """Returns every set of samples with its spread; long."""
    table = Table(
        "spread",
        "Every set of samples, in microseconds",
        [
            "KEM",
            "implementation",
            "operation",
            "median",
            "interval",
            "confidence",
            "quartiles",
            "samples",
            "outliers",
        ],
        texts=3,
        detail=True,
    )
    for kem in samples.run["kems"]:
        for implementation in samples.implementations(kem["name"]):
            for operation, name in LABELS.items():
                s = samples.summary(kem["name"], implementation, operation)
                trace = trace_id(kem["name"], implementation, operation)
                e = s.estimate
                table.add(
                    label(kem["name"]),
                    label(implementation),
                    label(name),
                    number(s.median / 1e3, trace),
                    label(f"{e.low / 1e3:.2f} to {e.high / 1e3:.2f}", trace),
                    number(100 * e.confidence, trace, 1, " %"),
                    label(f"{s.lower_quartile / 1e3:.2f} to {s.upper_quartile / 1e3:.2f}", trace),
                    number(s.count, trace, 0),
                    number(s.outliers, trace, 0),
                )
    table.notes = [
        "the interval is that of the median, between two of the rounds' medians; an "
        "outlier is beyond the quartiles by three times their distance"
    ]
    return finished(table)


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


def speedups(samples):
    """Returns what vector code gains over portable code, here and in the survey."""
    table = Table(
        "speedups",
        "Vector code over portable code: how many times as fast (interval)",
        ["KEM", "where", "vector code", *LABELS.values()],
        texts=3,
    )
    others = published_times()
    for kem in current_kems(samples.run):
        for backend in samples.implementations(kem):
            if (
                backend in ("reference", "portable")
                or not samples.has(kem, "portable")
                or not is_ours(samples.run, backend)
            ):
                continue
            cells = [
                ratios.of(samples, kem, "portable", backend, o).cell(trace_id(kem, backend, o))
                for o in LABELS
            ]
            table.add(label(kem), label(HERE), label(backend), *cells)
        add_published_speedup(table, kem, others.get(kem, {}))
    table.notes = ["published: in brackets, what the rounding of the printed times leaves open"]
    return finished(table, "this run holds no vector code beside portable code")


def is_ours(run, name):
    return any(i["name"] == name and i["kind"] == "codekem" for i in run["implementations"])


def add_published_speedup(table, kem, others):
    """Adds the survey's AVX2 over its portable constant-time code, both on the same processor; so
    those of others who use its names."""
    for (implementation, cpu, source), operations in others.items():
        base = others.get(("CT C99", cpu, source))
        if implementation == "CT AVX2" and base is not None:
            cells = [
                ratios.of_printed(
                    float(base[o]["milliseconds"]), float(operations[o]["milliseconds"]), PRINTED_MS
                ).cell(operations[o]["trace"])
                for o in LABELS
            ]
            table.add(label(kem), label(where_of(cpu, source)), label(implementation), *cells)


# --- Variants of BIKE -----------------------------------------------------------------------------

VARIANTS = {
    "v5.1": "",
    "v4.2 AES+SHA2": "-v4.2-aes",
    "v4.2 AES+SHA2 + BIND_PK_AND_M": "-v4.2-aes-bind",
    "v4.2 SHA3+SHAKE": "-v4.2-sha3",
    "v4.2 SHA3+SHAKE + BIND_PK_AND_M": "-v4.2-sha3-bind",
}


def variants(samples):
    """Returns the table of the additional implementation: v5.1 beside the four variants of v4.2."""
    table = Table(
        "variants",
        "BIKE 5.1 beside the variants of 4.2, thousands of cycles",
        ["KEM", "variant", "where", "KeyGen", "Encaps", "Decaps"],
        texts=3,
        detail=True,
    )
    why = "not measured in this run: the build has no legacy KEMs (CODEKEM_BUILD_LEGACY=ON)"
    if samples.run["clock"]["cycles"] is None:
        why = "this processor has no counter of cycles that programs can read"
    for level in current("BIKE"):
        for variant, suffix in VARIANTS.items():
            kem = level + suffix
            best = samples.best(kem)
            cells = [missing(why)] * 3
            if best is not None and samples.rounds(kem, best, OVERALL, "cycles") is not None:
                cells = [
                    number(
                        samples.summary(kem, best, o, "cycles").median / 1e3, trace_id(kem, best, o)
                    )
                    for o in ("keygen", "encaps", "decaps")
                ]
            table.add(
                label(level), label(variant), label(f"{HERE}, {best or 'no back end'}"), *cells
            )
            for row in published.rows("bike_kem_cycles"):
                if (row["kem"], row["variant"]) == (level, variant):
                    table.add(
                        label(level),
                        label(variant),
                        label(f"{whose(row)}, {row['cpu']}"),
                        *[
                            number(float(row[f"{o}_cycles"]) / 1e3, row["trace"])
                            for o in ("keygen", "encaps", "decaps")
                        ],
                    )
    cpu = samples.run["machine"]["cpu"]
    platforms = {row["cpu"] for row in published.rows("bike_kem_cycles")}
    if not any(published.same_platform(each, cpu) for each in platforms):
        table.notes.append(published.not_comparable(platforms, cpu))
    return table
