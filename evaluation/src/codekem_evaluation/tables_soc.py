# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Hardware and software together: a processor with and without the cores, beside the published
splits of BIKE between an Arm processor and cores from high-level synthesis.

Ours are the rows of hardware/soc/results: cycles and sizes of programs by hardware/soc/measure.py,
areas by hardware/soc/areas.py.
"""

from codekem_evaluation import inputs, long, paths, published
from codekem_evaluation.long import Column, Row, Spec, each
from codekem_evaluation.samples import LABELS, OPERATIONS, OVERALL
from codekem_evaluation.tables_hardware import NOT_PUBLISHED

# Who does KeyGen, Encaps and Decaps; the names of the first four are those of the published design.
SPLITS = {
    "software alone": ("library", "library", "library"),
    "LW: KeyGen in hardware": ("core", "library", "library"),
    "MR: Decaps in hardware": ("library", "library", "core"),
    "HP: KeyGen and Decaps in hardware": ("core", "library", "core"),
    "all three in hardware": ("core", "core", "core"),
    "HP, and Encaps with Keccak and products in hardware": ("core", "pieces", "core"),
    "Keccak in hardware": ("keccak", "keccak", "keccak"),
    "products in hardware": ("product", "product", "product"),
    "Keccak and products in hardware": ("pieces", "pieces", "pieces"),
}
# The parts of the system that each split takes, those that a scheme's core takes besides, and the
# pieces, as hardware/soc/areas.py names them.
BASE = ("VexRiscv", "soc_ram", "soc_registers", "soc_dma", "rest")
PLACES = {"BIKE": ("soc_bridge", "bike_axi"), "HQC": ("soc_bridge", "hqc_axi")}
PIECES = {
    "keccak": ("soc_keccak",),
    "product": ("soc_product",),
    "pieces": ("soc_keccak", "soc_product"),
}
PUBLISHED_SPLITS = {"LW": 1, "MR": 2, "HP": 3}  # places in SPLITS
PUBLISHED_SOFTWARE = ("galimberti2023", "Arm Cortex-A9", "Ref C99")
NOT_MEASURED = "not measured: hardware/soc/measure.py has not stored it"
NO_AREA = "not synthesised: hardware/soc/areas.py has not stored it"
OURS = "codekem, VexRiscv"
RESOURCES = {"LUT": "lut", "FF": "ff", "BRAM36": "bram36", "DSP": "dsp"}
SPLITS_TABLE = Spec(
    "hardware-splits",
    "Hardware and software together: thousands of clock cycles, or published milliseconds",
    {"KEM": "subject", "split": "code", "source": "source"},
    [
        *each(LABELS, "split", why=NOT_MEASURED),
        Column("speed-up", "speed-up over software", why=NOT_MEASURED),
        *(Column(name, name, shown=long.whole) for name in RESOURCES),
        Column("flash", "flash of a split", unit="thousand bytes", why=NOT_MEASURED),
        Column("RAM", "RAM of a split", unit="thousand bytes", why=NOT_MEASURED),
    ],
)
NOTES = (
    "ours: cycles of whole calls on the simulated system, with transfers and waiting, in "
    "the order of a program: an operation by the core is not overlapped with another. The "
    "published design has an Arm Cortex-A9 at 667 MHz and cores at another clock, so its "
    "times are milliseconds. Speed-ups are over the same processor alone",
    "areas: ours are sums of the parts of a system with this core alone, by Yosys for 7-series, "
    "the processor and the block RAMs of its RAM among them (64 BRAM36 at level 1, 128 at level "
    "3); the published ones are of the cores, beside a processor that is hard silicon",
    "flash: thousands of bytes of code and constants, of the library with this KEM alone, the "
    "driver of the cores, or both, as the split takes; RAM: thousands of bytes of static data and "
    "of the deepest stack, without the keys",
)


class Stored:
    """What is stored of our system, and sentences on what cannot be read."""

    def __init__(self, folder):
        kinds = {"splits": folder, "systems": folder, "sizes": folder, "hardware": paths.HARDWARE}
        found = {kind: inputs.read(kind, where) for kind, where in kinds.items()}
        self.problems = [problem for _, problems in found.values() for problem in problems]
        rows, areas, sizes, cores = (rows for rows, _ in found.values())
        self.rows = {(row["kem"], row["operation"], row["by"]): row for row in rows}
        self.areas = {row["parameters"]["RAM_BYTES"]: row for row in areas}
        self.cores = {
            (row["core"], row["preset"]): row for row in cores if row.get("build", "full") == "full"
        }
        self.sizes = {(row["kem"], row["contents"]): row for row in sizes}

    def kems(self):
        return list(dict.fromkeys(key[0] for key in self.rows))

    def cells(self, kem, ways):
        """Returns the rows of the three operations, or None for what is missing."""
        return [self.rows.get((kem, o, by)) for o, by in zip(OPERATIONS, ways, strict=True)]

    def area(self, kem, ways, cells):
        """Returns ({resource: count}, trace) of the system of a split, or None."""
        there = [cell for cell in cells if cell is not None]
        row = self.areas.get(there[0]["parameters"]["RAM_BYTES"])
        presets = [cell["preset"] for cell in there if cell["by"] == "core"]
        core = self.cores.get((kem, presets[0])) if presets else None
        if row is None or (presets and core is None):
            return None
        places = PLACES[kem.split("-", maxsplit=1)[0]] if presets else ()
        pieces = {module for way in ways for module in PIECES.get(way, ())}
        modules = (*BASE, *places, *pieces)
        parts = [row["modules"][module] for module in modules] + [core] * bool(presets)
        total = {r: sum(part[key] for part in parts) for r, key in RESOURCES.items()}
        return total, row["trace"]

    def size(self, kem, ways):
        """Returns the row of the size of the programs that a split takes, or None."""
        by_core = [way == "core" for way in ways]
        contents = "driver" if all(by_core) else "both" if any(by_core) else "library"
        return self.sizes.get((kem, contents))


def overall(cells):
    """Returns the sum of rows' cycles, or None if one of them is missing."""
    return None if None in cells else sum(row["cycles"] for row in cells)


def of_splits(folder=paths.SOC):
    """Yields the rows of our splits that were measured, then of the published ones."""
    stored = Stored(folder)
    for kem in stored.kems():
        for split, ways in SPLITS.items():
            cells = stored.cells(kem, ways)
            without_piece = any(
                cell is None and way in PIECES for cell, way in zip(cells, ways, strict=True)
            )
            if not without_piece and any(cells):
                yield from of_split(stored, kem, split, ways)
    yield from of_published()


def of_split(stored, kem, split, ways):
    """Yields cycles, gain, area and memory of one split of ours."""
    cells = stored.cells(kem, ways)
    trace = next(cell["trace"] for cell in cells if cell is not None)
    names: dict = {"subject": kem, "code": split, "source": OURS}
    for o, cell in zip(OPERATIONS, cells, strict=True):
        if cell is not None:
            yield Row(**names, operation=o, metric="split", value=cell["cycles"] / 1e3,
                      unit="thousand cycles", trace=cell["trace"])  # fmt: skip
    total = overall(cells)
    software = overall(stored.cells(kem, SPLITS["software alone"]))
    if total is not None:
        yield Row(**names, operation=OVERALL, metric="split", value=total / 1e3,
                  unit="thousand cycles", trace=trace)  # fmt: skip
        if software is not None:
            yield Row(**names, metric="speed-up over software", value=software / total, trace=trace)
    area = stored.area(kem, ways, cells)
    for resource in RESOURCES:
        if area is None:
            yield Row(**names, metric=resource, why=NO_AREA)
        else:
            yield Row(**names, metric=resource, value=area[0][resource], trace=area[1])
    size = stored.size(kem, ways)
    if size is not None and None not in cells:
        ram = size["ram_bytes"] + max(cell["stack_bytes"] for cell in cells)
        for metric, value in (("flash", size["flash_bytes"]), ("RAM", ram)):
            yield Row(**names, metric=f"{metric} of a split", value=value, unit="bytes",
                      trace=size["trace"])  # fmt: skip


def splits(folder=paths.SOC):
    """Returns the table of splits: cycles of ours in thousands, milliseconds of published ones."""
    stored = Stored(folder)
    notes = [*stored.problems, *([] if stored.rows else ["of our system there is no row yet"])]
    return SPLITS_TABLE.table(of_splits(folder), [*notes, *NOTES])


def published_resources():
    """Returns {instance: row} of the areas of the published design."""
    return {
        row["instance"]: row
        for row in published.rows("bike_hardware_resources")
        if row["design"] == "HLS-based" and row["source"] == PUBLISHED_SOFTWARE[0]
    }


def of_published():
    """Yields the rows of the splits of the published design, and of its processor alone."""
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
        if (row["source"], row["design"]) == (source, "HLS-based") and (
            row["instance"] in PUBLISHED_SPLITS
        ):
            designs.setdefault(row["instance"], {})[row["operation"]] = row
    if published.WHOLE not in alone:
        return
    base = float(alone[published.WHOLE]["milliseconds"])
    resources = published_resources()
    for instance, found in [(None, alone), *designs.items()]:
        names: dict = {"subject": "BIKE-L1", "source": f"{source}, milliseconds"}
        names["code"] = list(SPLITS)[PUBLISHED_SPLITS.get(instance, 0)]
        for o, name in {**LABELS, OVERALL: published.WHOLE}.items():
            if name in found:
                value, trace = float(found[name]["milliseconds"]), found[name]["trace"]
                yield Row(**names, operation=o, metric="split", value=value, unit="ms", trace=trace)
            else:
                yield Row(**names, operation=o, metric="split", why=NOT_PUBLISHED)
        whole = found[published.WHOLE]
        gain = base / float(whole["milliseconds"])
        yield Row(**names, metric="speed-up over software", value=gain, trace=whole["trace"])
        area = resources.get(instance)
        for resource in RESOURCES:
            if area is None:
                yield Row(**names, metric=resource, why=NOT_PUBLISHED)
            else:
                value, trace = float(area[resource]), area["trace"]
                yield Row(**names, metric=resource, value=value, trace=trace)
        for metric in ("flash", "RAM"):
            yield Row(**names, metric=f"{metric} of a split", why=NOT_PUBLISHED)
