# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Hardware from C: the tables of the paper on HQC by high-level synthesis, with our columns beside.

Ours are the rows of hls/results/areas.json, which `codekem-hls results` makes.
"""

import json

from codekem_base.errors import EvaluationError
from codekem_evaluation import long, paths, published, tables_hardware
from codekem_evaluation.long import PARTS, Column, Row, Spec, each
from codekem_evaluation.samples import OPERATIONS
from codekem_evaluation.tables_hardware import NOT_PUBLISHED, number_or_none

STORED = "areas.json"
# By the paper's function: our kernel that does the same, and what of it differs.
SAME = {
    "vect_mul_add": ("sparse_product", ""),
    "vect_set_random_fixe": ("fixed_weight", "positions of given random words"),
    "vect_set_random_fixe_1": ("fixed_weight", "positions of given random words"),
    "reed_solomon_encode": ("rs_encode", ""),
    "reed_muller_encode": ("rm_encode", ""),
    "shake256_512_ds": ("shake256", "two blocks in, 64 bytes out"),
    "vect_add": ("vect_add", ""),
    "hqc_ciphertext_to_st": ("ciphertext_to_string", ""),
    "hqc_public_key_from_s": ("public_key_from_string", ""),
    "reed_solomon_decode": ("rs_decode", ""),
    "reed_muller_decode": ("rm_decode", ""),
    "vect_compare_64": ("compare_64", ""),
    "vect_compare": ("compare", ""),
    "hqc_ciphertext_from_s": ("ciphertext_from_string", ""),
}
NOT_STORED = "we have no such kernel, or no stored area of it"
PAPER = "aguilar-melchor2022"
VIVADO = (
    "published LUTs are those of Vivado, after placing; ours are Yosys' estimate before it, up to "
    "the raw count of look-up tables, both with LUT RAM. A kernel of ours stands alone: the "
    "memories of its arguments are outside and not counted, and what the paper's functions hold "
    "besides is not said. Much of the difference is the C, which was written for hardware"
)
PRODUCT = "LUT x clocks in millions is the paper's latency-area product (equation 4)"
ALL_THREE = "a core written by hand does all three operations: its LUTs are those of the whole"
AREA = [
    Column("BRAM", "BRAM of a kernel", digits=1),
    Column("DSP", "DSP of a kernel", digits=0),
    Column("FF", "FF of a kernel", digits=0),
    Column("LUT", "LUT of a kernel", shown=long.to),
]
KERNEL = [Column("clocks", "clocks of a kernel", shown=long.to), *AREA,
          Column("LUT x clocks, M", "LUT x clocks of a kernel")]  # fmt: skip
FUNCTIONS = Spec(
    "hls-functions",
    "HQC-1 from C: functions, published (tables 1 to 3) and ours",
    {"primitive": "code.0", "function": "operation", "design": "code.1"},
    KERNEL,
    detail=True,
)
PRIMITIVES = Spec(
    "hls-primitives",
    "HQC-1 from C: whole operations, published (table 4), ours from C, ours by hand",
    {"operation": "operation", "design": "code"},
    KERNEL,
)
COMPARISON = Spec(
    "hls-comparison",
    "KEMs on FPGAs: published (table 6), ours from C, ours by hand",
    {"core": "subject", "design": "code"},
    [
        *(Column(f, f"{f} of a core from C", shown=long.to) for f in ("LUT", "FF", "BRAM", "DSP")),
        *each({o: f"{o} kcycles" for o in OPERATIONS}, "cycles of a core from C",
              "thousand cycles"),
    ],
)  # fmt: skip


def stored(folder=paths.HLS):
    """Returns {flavour: row with its trace} of what codekem-hls has stored."""
    path = folder / STORED
    if not path.is_file():
        return {}
    found = json.loads(path.read_text(encoding="utf-8"))
    return {name: {**row, "trace": f"hls/{name}"} for name, row in found.items()}


def trace(name):
    """Returns the lines that explain hls/FLAVOUR."""
    rows, flavour = stored(), name.removeprefix("hls/")
    if flavour not in rows:
        raise EvaluationError(f"there is no {name}; there are {', '.join(sorted(rows))}")
    return [
        f"{paths.short(paths.HLS / STORED)}, {flavour}",
        *[f"{key}: {value}" for key, value in rows[flavour].items() if key != "trace"],
    ]


# --- Rows of the long table ----------------------------------------------------------------------


def figures(row):
    """Returns {figure: (value, low, high)} of a row of ours: LUTs from the estimate to the raw
    count, with those used as memory; clocks, which may depend on what a run is for, not on data."""
    cycles = row["cycles"] if isinstance(row["cycles"], list) else [row["cycles"]]
    low, high = (row[key] + row["lutram"] for key in ("lut", "lut_raw"))
    found = {key: (row[name],) for key, name in (("BRAM", "bram36"), ("DSP", "dsp"), ("FF", "ff"))}
    product = max(cycles) * low / 1e6
    ends = {"clocks": (max(cycles), min(cycles), max(cycles)), "LUT": (low, low, high)}
    return {**found, **ends, "LUT x clocks": (product,)}


def of_paper(name):
    """Returns the rows of the paper that these tables are set beside."""
    return [row for row in published.rows(name) if row["source"] == PAPER]


def published_figures(row):
    """Returns the same of a row of the paper; no figure that it has not printed."""
    found = {key: number_or_none(row.get(key)) for key in ("clocks", "BRAM", "DSP", "FF", "LUT")}
    both = None not in (found["clocks"], found["LUT"])
    found["LUT x clocks"] = found["clocks"] * found["LUT"] / 1e6 if both else None
    return {key: (value,) for key, value in found.items()}


def rows_of(names, found, what="kernel", why=None):
    """Yields a row for each figure."""
    for figure, (value, *ends) in found.items():
        low, high = ends or (None, None)
        yield Row(**names, metric=f"{figure} of a {what}", value=value, low=low, high=high,
                  why=why if value is None else None)  # fmt: skip


def of_functions(folder=paths.HLS):
    """Yields tables 1 to 3 of the paper, each function with the flavours of our kernel."""
    rows, kept = stored(folder), of_paper("hqc_hls_functions")
    for place, row in enumerate(kept):
        names = {"subject": "HQC-1", "code": PARTS.join((row["primitive"], row["design"]))}
        names |= {"operation": row["function"], "source": PAPER, "trace": row["trace"]}
        yield from rows_of(names, published_figures(row), why=NOT_PUBLISHED)
        # Ours come below the last published row of a function: the paper's own and its RTL peer.
        following = kept[place + 1] if place + 1 < len(kept) else None
        kernel, differs = SAME.get(row["function"], ("", ""))
        if following is not None and following["design"].startswith("RTL") and kernel:
            continue
        if not kernel and row["design"].startswith("RTL") and place:
            kernel, differs = SAME.get(kept[place - 1]["function"], ("", ""))
        if kernel:
            yield from ours(row, rows, kernel, differs)


def ours(beside, rows, kernel, differs):
    """Yields the flavours of a kernel beside a row of the paper, or that none is stored."""
    primitive, source = beside["primitive"], f"codekem, beside {beside['function']}"
    names = {"subject": "HQC-1", "operation": kernel, "source": source}
    found = [name for name in sorted(rows) if name.split(".")[0] == kernel]
    for name in found:
        design = f"codekem-hls, {name.split('.')[1]}" + (f" ({differs})" if differs else "")
        names |= {"code": PARTS.join((primitive, design)), "trace": rows[name]["trace"]}
        yield from rows_of(names, figures(rows[name]))
    if not found:
        names["code"] = PARTS.join((primitive, "codekem-hls"))
        none = {column.metric.removesuffix(" of a kernel"): (None,) for column in KERNEL}
        yield from rows_of(names, none, why=NOT_STORED)


def operation_rows(rows, kem):
    """Yields (operation, flavour, row) of whole operations, as hqc1_keygen.perf."""
    for name in sorted(rows):
        kernel, flavour = name.split(".", 1)
        several = rows[name]["cycles"] if isinstance(rows[name]["cycles"], list) else []
        for place, operation in enumerate(OPERATIONS):
            if kernel.lower() == kem and len(several) == len(OPERATIONS):
                yield operation, f"{flavour}, shared", {**rows[name], "cycles": several[place]}
            if kernel.lower() in (f"{kem}_{operation}", f"{kem}_{operation[:3]}"):
                yield operation, flavour, rows[name]


def by_hand(hardware):
    """Yields our cores that are written in SystemVerilog and synthesised."""
    for core in tables_hardware.cores(hardware)[0]:
        if core.source == tables_hardware.OURS and core.need["LUT"] is not None:
            yield core, {"subject": core.name, "code": f"written by hand, {core.design}",
                         "source": "codekem", "trace": core.trace}  # fmt: skip


def of_primitives(folder=paths.HLS, hardware=paths.HARDWARE):
    """Yields table 4 of the paper: whole operations of HQC-1; ours from C and by hand below.

    Builds for clients and servers are left out: a core here does all three operations.
    """
    for row in of_paper("hqc_hls_primitives"):
        design = " ".join(filter(None, (row["target"], row["variant"], row["instance"])))
        names = {"subject": "HQC-1", "code": f"paper: {design}", "operation": row["primitive"]}
        names |= {"source": PAPER, "trace": row["trace"]}
        yield from rows_of(names, published_figures(row), why=NOT_PUBLISHED)
    for operation, flavour, row in operation_rows(stored(folder), "hqc"):
        names = {"subject": "HQC-1", "code": f"codekem-hls, {flavour}", "operation": operation}
        yield from rows_of({**names, "source": "codekem", "trace": row["trace"]}, figures(row))
    for core, names in by_hand(hardware):
        if core.name != "HQC-1" or None in core.cycles.values():
            continue
        row = {"lutram": 0, "lut": core.need["LUT"], "lut_raw": core.raw_luts}
        row |= {"bram36": core.need["BRAM36"], "dsp": core.need["DSP"], "ff": core.need["FF"]}
        for operation in OPERATIONS:
            found = figures({**row, "cycles": core.cycles[operation]})
            yield from rows_of({**names, "operation": operation}, found)


def compared(names, found, cycles, why, thousand=1):
    """Yields a row of table 6: its area, and the cycles {operation: count} that it has."""
    area = {key: found[key] for key in ("LUT", "FF", "BRAM", "DSP")}
    yield from rows_of(names, area, "core from C")
    unit = "cycles" if thousand == 1 else "thousand cycles"
    for operation in OPERATIONS:
        count = cycles.get(operation)
        yield Row(**names, operation=operation, metric="cycles of a core from C",
                  value=count and thousand * count, unit=unit,
                  why=None if count else why)  # fmt: skip


def of_comparison(folder=paths.HLS, hardware=paths.HARDWARE):
    """Yields table 6 of the paper: BIKE and HQC on FPGAs, ours from C and by hand beside."""
    for row in of_paper("pqc_fpga_comparison"):
        names = {"subject": row["scheme"], "code": row["instance"], "source": PAPER}
        names["trace"] = row["trace"]
        millions = {o: number_or_none(row[f"{o}_Mcycles"]) for o in OPERATIONS}
        yield from compared(names, published_figures(row), millions, NOT_PUBLISHED, 1e3)
    rows = stored(folder)
    for kem, name in (("hqc", "HQC-1"), ("bike", "BIKE-L1")):
        names = {"subject": name, "source": "codekem"}
        for operation, flavour, row in operation_rows(rows, kem):
            if flavour.endswith(", shared"):
                continue
            names |= {"code": f"codekem-hls, {operation}, {flavour}", "trace": row["trace"]}
            cycles = {operation: row["cycles"]}
            yield from compared(names, figures(row), cycles, "a core for one operation")
        for joint, row in sorted(rows.items()):
            kernel, flavour = joint.split(".", 1)
            if kernel == kem and isinstance(row["cycles"], list) and len(row["cycles"]) == 3:
                names |= {"code": f"codekem-hls, {flavour}", "trace": row["trace"]}
                cycles = dict(zip(OPERATIONS, row["cycles"], strict=True))
                yield from compared(names, figures(row), cycles, "")
    for core, names in by_hand(hardware):
        need, raw = core.need, core.raw_luts or core.need["LUT"]
        found: dict = {"FF": (need["FF"],), "DSP": (need["DSP"],), "BRAM": (need["BRAM36"],)}
        found["LUT"] = (need["LUT"], need["LUT"], raw)
        yield from compared(names, found, core.cycles, tables_hardware.NO_OPERATION)


# --- Tables --------------------------------------------------------------------------------------


def functions(folder=paths.HLS):
    return FUNCTIONS.table(of_functions(folder), [VIVADO, PRODUCT])


def primitives(folder=paths.HLS, hardware=paths.HARDWARE):
    return PRIMITIVES.table(of_primitives(folder, hardware), [VIVADO, PRODUCT, ALL_THREE])


def comparison(folder=paths.HLS, hardware=paths.HARDWARE):
    return COMPARISON.table(of_comparison(folder, hardware), [VIVADO])
