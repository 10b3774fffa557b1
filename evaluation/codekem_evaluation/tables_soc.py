# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Hardware and software together: a processor with and without the cores, beside the published
splits of BIKE between an Arm processor and cores from high-level synthesis.

Ours are the rows of hardware/soc/results, which hardware/soc/measure.py makes.
"""

from codekem_evaluation import inputs, paths, published, tables_hardware
from codekem_evaluation.model import Table, label, missing, number
from codekem_evaluation.samples import OPERATIONS

# What the core does; the names of the first four are those of the published design.
SPLITS = {
    "software alone": (),
    "LW: KeyGen in hardware": ("keygen",),
    "MR: Decaps in hardware": ("decaps",),
    "HP: KeyGen and Decaps in hardware": ("keygen", "decaps"),
    "all three in hardware": OPERATIONS,
}
PUBLISHED_SPLITS = {"LW": 1, "MR": 2, "HP": 3}  # places in SPLITS
PUBLISHED_SOFTWARE = ("galimberti2023", "Arm Cortex-A9", "Ref C99")
NAMES = {"keygen": "KeyGen", "encaps": "Encaps", "decaps": "Decaps"}
NOT_MEASURED = "not measured: hardware/soc/measure.py has not stored it"
OURS = "codekem, VexRiscv"


def counted(folder=paths.SOC):
    """Returns ({(kem, operation, by): row}, sentences on what cannot be read)."""
    rows, problems = inputs.read("splits", folder)
    return {(row["kem"], row["operation"], row["by"]): row for row in rows}, problems


def overall(cells):
    """Returns the sum of rows' cycles, or None if one of them is missing."""
    return None if None in cells else sum(row["cycles"] for row in cells)


def splits(folder=paths.SOC):
    """Returns the table of splits: cycles of ours in thousands, milliseconds of published ones."""
    table = Table(
        "hardware-splits",
        "Hardware and software together: thousands of clock cycles, or published milliseconds",
        ["KEM", "split", "source", "KeyGen", "Encaps", "Decaps", "Overall", "speed-up"],
        texts=3,
    )
    rows, table.notes = counted(folder)
    for kem in dict.fromkeys(key[0] for key in rows):
        software = overall([rows.get((kem, o, "library")) for o in OPERATIONS])
        for split, in_core in SPLITS.items():
            add_split(table, rows, kem, split, in_core, software)
    if not rows:
        table.notes.append("of our system there is no row yet")
    add_published(table)
    table.notes.append(
        "ours: cycles of whole calls on the simulated system, with transfers and waiting, in "
        "the order of a program: an operation by the core is not overlapped with another. The "
        "published design has an Arm Cortex-A9 at 667 MHz and cores at another clock, so its "
        "times are milliseconds. Speed-ups are over the same processor alone"
    )
    return table


def add_split(table, rows, kem, split, in_core, software):
    cells = [rows.get((kem, o, "core" if o in in_core else "library")) for o in OPERATIONS]
    if all(cell is None for cell in cells):
        return
    total = overall(cells)
    whole = missing(NOT_MEASURED)
    faster = missing(NOT_MEASURED)
    trace = next(cell["trace"] for cell in cells if cell is not None)
    if total is not None:
        whole = number(total / 1e3, trace)
        faster = faster if software is None else number(software / total, trace)
    table.add(
        label(kem),
        label(split),
        label(OURS),
        *[
            missing(NOT_MEASURED) if cell is None else number(cell["cycles"] / 1e3, cell["trace"])
            for cell in cells
        ],
        whole,
        faster,
    )


def add_published(table):
    """Adds the splits of the published design, and its processor alone."""
    source, processor, implementation = PUBLISHED_SOFTWARE
    alone = {
        row["operation"]: row
        for row in published.rows("bike_software_times")
        if (row["source"], row["kem"]) == (source, "BIKE-L1")
        and row["cpu"].startswith(processor)
        and row["implementation"] == implementation
    }
    designs = {}
    for row in published.rows("bike_hardware_times"):
        if row["design"] == "HLS-based" and row["instance"] in PUBLISHED_SPLITS:
            designs.setdefault(row["instance"], {})[row["operation"]] = row
    if "Overall KEM" not in alone:
        return
    base = float(alone["Overall KEM"]["milliseconds"])
    names = list(SPLITS)
    for name, found in [
        (names[0], alone),
        *[(names[PUBLISHED_SPLITS[instance]], found) for instance, found in designs.items()],
    ]:
        total = found["Overall KEM"]
        table.add(
            label("BIKE-L1"),
            label(name),
            label(f"{source}, milliseconds"),
            *[
                number(float(found[NAMES[o]]["milliseconds"]), found[NAMES[o]]["trace"])
                if NAMES[o] in found
                else missing(tables_hardware.NOT_PUBLISHED)
                for o in OPERATIONS
            ],
            number(float(total["milliseconds"]), total["trace"]),
            number(base / float(total["milliseconds"]), total["trace"]),
        )
