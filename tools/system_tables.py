# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Tables of docs/results/hardware.md: the results of the system on a chip; result_tables.py
puts them into the document."""

import json
import pathlib

from tools.flow import sharing

RESULTS = pathlib.Path(__file__).resolve().parent.parent / "hardware" / "soc" / "results"
OPERATIONS = ("keypair", "encaps", "decaps")
WHO = {
    "library": "the library",
    "keccak": "the library, Keccak in hardware",
    "product": "the library, products in hardware",
    "pieces": "the library, both in hardware",
}
LIBRARY, CORE = "library", "core"
# Who does each of the operations.
SPLITS = {
    "software alone": (LIBRARY, LIBRARY, LIBRARY),
    "LW: KeyGen by the core": (CORE, LIBRARY, LIBRARY),
    "MR: Decaps by the core": (LIBRARY, LIBRARY, CORE),
    "HP: KeyGen and Decaps by the core": (CORE, LIBRARY, CORE),
    "all three by the core": (CORE, CORE, CORE),
    "HP, Encaps with Keccak and products in hardware": (CORE, "pieces", CORE),
    "Keccak in hardware": ("keccak",) * 3,
    "products in hardware": ("product",) * 3,
    "Keccak and products in hardware": ("pieces",) * 3,
}
PIECES = {
    "keccak": ("soc_keccak",),
    "product": ("soc_product",),
    "pieces": ("soc_keccak", "soc_product"),
}
FIGURES = ("lut", "ff", "bram36", "dsp")
BASE = ("VexRiscv", "soc_ram", "soc_dma", "soc_registers", "rest")
PARTS = {
    "VexRiscv": "processor, with its caches",
    "soc_ram": "RAM",
    "soc_dma": "DMA",
    "soc_registers": "registers",
    "rest": "what connects them",
    "soc_bridge": "bridge to a core",
    "bike_axi": "registers and buffers of the BIKE core",
    "hqc_axi": "registers and buffers of the HQC core",
    "soc_keccak": "Keccak as a piece",
    "soc_product": "products as a piece",
}


def line(*cells):
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


def read(name):
    return json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8"))


def split_rows():
    """Returns {kem: {(operation, by): row}}."""
    found = {}
    for row in read("splits"):
        found.setdefault(row["kem"], {})[row["operation"], row["by"]] = row
    return found


def area_rows():
    """Returns {bytes of RAM: row} of the parts of the system."""
    return {row["parameters"]["RAM_BYTES"]: row for row in read("areas")}


def figures(area):
    return [f"{area[key]:,g}" if key == "bram36" else f"{area[key]:,}" for key in FIGURES]


def cycles():
    """Returns the lines of the cycles of calls by the library and by the cores."""
    lines = []
    for kem, rows in split_rows().items():
        for by in dict.fromkeys(by for _, by in rows):
            calls = [rows[operation, by] for operation in OPERATIONS]
            who = WHO.get(by, f"the core, `{calls[0]['preset']}`")
            stack = max(row["stack_bytes"] for row in calls)
            lines.append(line(kem, who, *[f"{row['cycles']:,}" for row in calls], f"{stack:,}"))
    return lines


def brief():
    """Returns those of level 1, without the pieces."""
    rows = [row.strip("| ").split(" | ") for row in cycles()]
    return [
        line(f"{kem}, {who}", *cells)
        for kem, who, *cells in rows
        if kem in ("BIKE-L1", "HQC-1") and (who == WHO[LIBRARY] or who.startswith("the core"))
    ]


def area_of(areas, kem, cells):
    """Returns the figures of the system of a split, the sum of its parts, or blanks."""
    row = areas.get(cells[0]["parameters"]["RAM_BYTES"])
    if row is None:
        return [""] * len(FIGURES)
    pieces = {module for cell in cells for module in PIECES.get(cell["by"], ())}
    modules = [*BASE, *pieces]
    parts = []
    presets = [cell["preset"] for cell in cells if cell["by"] == CORE]
    if presets:
        scheme = kem.split("-", maxsplit=1)[0].lower()
        modules += ["soc_bridge", f"{scheme}_axi"]
        parts = [sharing.stored(scheme, presets[0], kem[-1])]
    parts += [row["modules"][module] for module in modules]
    return figures({key: sum(part[key] for part in parts) for key in FIGURES})


def contents_of(ways):
    """Returns what a program holds for a split, as in sizes.json."""
    if CORE not in ways:
        return LIBRARY
    return "driver" if set(ways) == {CORE} else "both"


def splits():
    """Returns the lines of the splits that have been counted."""
    areas, lines = area_rows(), []
    sizes = {(row["kem"], row["contents"]): row for row in read("sizes")}
    for kem, rows in split_rows().items():
        for split, ways in SPLITS.items():
            cells = [rows.get(key) for key in zip(OPERATIONS, ways, strict=True)]
            if None in cells or (OPERATIONS[0], LIBRARY) not in rows:
                continue
            alone = sum(rows[operation, LIBRARY]["cycles"] for operation in OPERATIONS)
            total = sum(cell["cycles"] for cell in cells)
            size = sizes[kem, contents_of(ways)]
            ram = size["ram_bytes"] + max(cell["stack_bytes"] for cell in cells)
            lines.append(
                line(
                    kem,
                    split,
                    f"{total:,}",
                    f"{alone / total:,.2f}",
                    *area_of(areas, kem, cells),
                    f"{size['flash_bytes']:,}",
                    f"{ram:,}",
                )
            )
    return lines


def areas():
    """Returns the lines of the parts of the system, with the smallest RAM; of the RAM, all."""
    rows = area_rows()
    lines = []
    for module, part in PARTS.items():
        sizes = sorted(rows) if module == "soc_ram" else sorted(rows)[:1]
        for ram in sizes:
            name = f"{part}, {ram // 1024} KiB" if module == "soc_ram" else part
            lines.append(line(name, f"`{module}`", *figures(rows[ram]["modules"][module])))
    return lines


def boards():
    """Returns the lines of the systems that were routed for a board."""
    lines = []
    for row in read("board"):
        used = [f"{row[key]:,} of {available:,}" for key, available in row["available"].items()]
        levels = ", ".join(
            f"{name}{row['parameters'].get(f'{scheme}_LEVEL', 1)}"
            for scheme, name in (("BIKE", "BIKE-L"), ("HQC", "HQC-"))
            if row["parameters"].get(f"{scheme}_LEVEL", 1)
        )
        lines.append(line(row["board"], levels, *used, row["mhz"], row["mhz_asked"]))
    return lines
