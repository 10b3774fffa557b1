# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Hardware from C: the tables of the paper on HQC by high-level synthesis, with our columns beside.

Ours are the rows of hls/results/areas.json, which `codekem-hls results` makes.
"""

import json

from codekem_base.errors import EvaluationError
from codekem_base.model import Cell, Table, label, missing, number
from codekem_evaluation import paths, published, tables_hardware
from codekem_evaluation.samples import OPERATIONS

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
FIGURES = (("BRAM", "bram36", 1), ("DSP", "dsp", 0), ("FF", "ff", 0), ("LUT", "lut", 0))
COLUMNS = ["clocks", *[name for name, _, _ in FIGURES], "LUT x clocks, M"]
NOT_STORED = "we have no such kernel, or no stored area of it"
PAPER = "aguilar-melchor2022"
VIVADO = (
    "published LUTs are those of Vivado, after placing; ours are Yosys' estimate before it, up to "
    "the raw count of look-up tables, both with LUT RAM. A kernel of ours stands alone: the "
    "memories of its arguments are outside and not counted, and what the paper's functions hold "
    "besides is not said. Much of the difference is the C, which was written for hardware"
)
PRODUCT = "LUT x clocks in millions is the paper's latency-area product (equation 4)"


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


def luts(row):
    """Returns the cell of LUTs, from the estimate to the raw count, with those used as memory."""
    low, high = (row[key] + row["lutram"] for key in ("lut", "lut_raw"))
    if low == high:
        return number(low, row["trace"], 0)
    return Cell(f"{low:,.0f} to {high:,.0f}", low, row["trace"], interval=(low, high))


def least_and_most(row):
    """Returns the clocks of a core; they may depend on what a run is for, not on data."""
    clocks = row["cycles"] if isinstance(row["cycles"], list) else [row["cycles"]]
    return min(clocks), max(clocks)


def our_cells(row):
    least, most = least_and_most(row)
    clocks = number(most, row["trace"], 0)
    if least != most:
        clocks = Cell(f"{least:,} to {most:,}", most, row["trace"], interval=(least, most))
    cells = [clocks]
    for _, key, digits in FIGURES[:-1]:
        cells.append(number(row[key], row["trace"], digits))
    product = most * (row["lut"] + row["lutram"]) / 1e6
    return [*cells, luts(row), number(product, row["trace"])]


def of_paper(name):
    """Returns the rows of the paper that these tables are set beside."""
    return [row for row in published.rows(name) if row["source"] == PAPER]


def published_cells(row):
    cells = []
    for key, digits in [("clocks", 0), *[(name, digits) for name, _, digits in FIGURES]]:
        text = row.get(key, "")
        cells.append(
            number(float(text), row["trace"], digits)
            if text
            else missing(tables_hardware.NOT_PUBLISHED)
        )
    if row["clocks"] and row["LUT"]:
        cells.append(number(float(row["clocks"]) * float(row["LUT"]) / 1e6, row["trace"]))
    else:
        cells.append(missing(tables_hardware.NOT_PUBLISHED))
    return cells


def functions(folder=paths.HLS):
    """Returns tables 1 to 3 of the paper, each function with the flavours of our kernel."""
    table = Table(
        "hls-functions",
        "HQC-1 from C: functions, published (tables 1 to 3) and ours",
        ["primitive", "function", "design", *COLUMNS],
        texts=3,
        detail=True,
    )
    rows = stored(folder)
    kept = of_paper("hqc_hls_functions")
    for place, row in enumerate(kept):
        names = [label(row["primitive"]), label(row["function"]), label(row["design"])]
        table.add(*names, *published_cells(row))
        # Ours come below the last published row of a function: the paper's own and its RTL peer.
        following = kept[place + 1] if place + 1 < len(kept) else None
        kernel, differs = SAME.get(row["function"], ("", ""))
        if following is not None and following["design"].startswith("RTL") and kernel:
            continue
        if not kernel and row["design"].startswith("RTL") and place:
            kernel, differs = SAME.get(kept[place - 1]["function"], ("", ""))
        add_ours(table, row, rows, kernel, differs)
    table.notes += [VIVADO, PRODUCT]
    return table


def add_ours(table, row, rows, kernel, differs):
    found = [name for name in sorted(rows) if name.split(".")[0] == kernel]
    for name in found:
        design = f"codekem-hls, {name.split('.')[1]}" + (f" ({differs})" if differs else "")
        table.add(label(row["primitive"]), label(kernel), label(design), *our_cells(rows[name]))
    if kernel and not found:
        table.add(
            label(row["primitive"]),
            label(kernel),
            label("codekem-hls"),
            *[missing(NOT_STORED) for _ in COLUMNS],
        )


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


def primitives(folder=paths.HLS, hardware=paths.HARDWARE):
    """Returns table 4 of the paper: whole operations of HQC-1; ours from C and by hand below."""
    table = Table(
        "hls-primitives",
        "HQC-1 from C: whole operations, published (table 4), ours from C, ours by hand",
        ["operation", "design", *COLUMNS],
        texts=2,
    )
    for row in of_paper("hqc_hls_primitives"):
        design = " ".join(filter(None, (row["target"], row["variant"], row["instance"])))
        table.add(label(row["primitive"]), label(f"paper: {design}"), *published_cells(row))
    for operation, flavour, row in operation_rows(stored(folder), "hqc"):
        table.add(label(operation), label(f"codekem-hls, {flavour}"), *our_cells(row))
    add_hand_written(table, hardware, "HQC-1")
    table.notes += [VIVADO, PRODUCT]
    table.notes.append(
        "a core written by hand does all three operations: its LUTs are those of the whole"
    )
    return table


def add_hand_written(table, hardware, name):
    """Adds the cores that are written in SystemVerilog, an operation in each row.

    Builds for clients and servers are left out: a core of the table does all three operations.
    """
    for core in tables_hardware.cores(hardware)[0]:
        if core.name != name or core.source != tables_hardware.OURS or core.need["LUT"] is None:
            continue
        if any(core.cycles[operation] is None for operation in OPERATIONS):
            continue
        row = {"lutram": 0, "lut": core.need["LUT"], "lut_raw": core.raw_luts}
        row |= {"bram36": core.need["BRAM36"], "dsp": core.need["DSP"], "ff": core.need["FF"]}
        for operation in OPERATIONS:
            row |= {"cycles": core.cycles[operation], "trace": core.trace}
            table.add(label(operation), label(f"written by hand, {core.design}"), *our_cells(row))


def comparison(folder=paths.HLS, hardware=paths.HARDWARE):
    """Returns table 6 of the paper: BIKE and HQC on FPGAs, ours from C and by hand beside."""
    table = Table(
        "hls-comparison",
        "KEMs on FPGAs: published (table 6), ours from C, ours by hand",
        ["core", "design", "LUT", "FF", "BRAM", "DSP", *[f"{o} kcycles" for o in OPERATIONS]],
        texts=2,
    )
    for row in of_paper("pqc_fpga_comparison"):
        counts = [number(float(row[key]), row["trace"], 0) for key in ("LUT", "FF", "BRAM", "DSP")]
        clocks = [
            number(1e3 * float(row[f"{o}_Mcycles"]), row["trace"])
            if row[f"{o}_Mcycles"]
            else missing(tables_hardware.NOT_PUBLISHED)
            for o in OPERATIONS
        ]
        table.add(label(row["scheme"]), label(row["instance"]), *counts, *clocks)
    rows = stored(folder)
    for kem, name in (("hqc", "HQC-1"), ("bike", "BIKE-L1")):
        for operation, flavour, row in operation_rows(rows, kem):
            if flavour.endswith(", shared"):
                continue
            clocks = [
                number(row["cycles"] / 1e3, row["trace"])
                if operation == one
                else missing("a core for one operation")
                for one in OPERATIONS
            ]
            cells = [number(row[key], row["trace"], 0) for key in ("ff", "bram36", "dsp")]
            design = f"codekem-hls, {operation}, {flavour}"
            table.add(label(name), label(design), luts(row), *cells, *clocks)
        for joint, row in sorted(rows.items()):
            clocks = row["cycles"]
            if joint.split(".")[0] == kem and isinstance(clocks, list) and len(clocks) == 3:
                cells = [number(row[key], row["trace"], 0) for key in ("ff", "bram36", "dsp")]
                times = [number(count / 1e3, row["trace"]) for count in clocks]
                design = f"codekem-hls, {joint.split('.', 1)[1]}"
                table.add(label(name), label(design), luts(row), *cells, *times)
    for core in tables_hardware.cores(hardware)[0]:
        if core.source == tables_hardware.OURS and core.need["LUT"] is not None:
            counts = [
                tables_hardware.count_cell(
                    core.need, key, core.trace, tables_hardware.NOT_PUBLISHED, raw
                )
                for key, raw in [
                    ("LUT", core.raw_luts),
                    ("FF", None),
                    ("BRAM36", None),
                    ("DSP", None),
                ]
            ]
            clocks = [
                missing("this core has no such operation")
                if core.cycles[o] is None
                else number(core.cycles[o] / 1e3, core.trace)
                for o in OPERATIONS
            ]
            design = f"written by hand, {core.design}"
            table.add(label(core.name), label(design), *counts, *clocks)
    table.notes.append(VIVADO)
    return table
