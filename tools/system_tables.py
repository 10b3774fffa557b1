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


def cycles():
    """Returns the cycles of calls by the library and by the cores."""
    found = []
    for kem, rows in split_rows().items():
        for by in dict.fromkeys(by for _, by in rows):
            calls = {operation: rows[operation, by] for operation in OPERATIONS}
            first = calls[OPERATIONS[0]]
            stack = max(row["stack_bytes"] for row in calls.values())
            row = {"kem": kem, "by": by, "who": WHO.get(by, f"the core, `{first['preset']}`")}
            row |= {operation: call["cycles"] for operation, call in calls.items()}
            found.append({**row, "stack": stack})
    return found


def brief():
    """Returns those of level 1, without the pieces."""
    shown = ("BIKE-L1", "HQC-1")
    return [row for row in cycles() if row["kem"] in shown and row["by"] in (LIBRARY, CORE)]


def area_of(areas, kem, cells):
    """Returns the area of the system of a split, the sum of its parts, or none."""
    row = areas.get(cells[0]["parameters"]["RAM_BYTES"])
    if row is None:
        return dict.fromkeys(FIGURES)
    pieces = {module for cell in cells for module in PIECES.get(cell["by"], ())}
    modules = [*BASE, *pieces]
    parts = []
    presets = [cell["preset"] for cell in cells if cell["by"] == CORE]
    if presets:
        scheme = kem.split("-", maxsplit=1)[0].lower()
        modules += ["soc_bridge", f"{scheme}_axi"]
        parts = [sharing.stored(scheme, presets[0], kem[-1])]
    parts += [row["modules"][module] for module in modules]
    return {key: sum(part[key] for part in parts) for key in FIGURES}


def contents_of(ways):
    """Returns what a program holds for a split, as in sizes.json."""
    if CORE not in ways:
        return LIBRARY
    return "driver" if set(ways) == {CORE} else "both"


def splits():
    """Returns the splits that have been counted."""
    areas, found = area_rows(), []
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
            row = {"kem": kem, "split": split, "total": total, "gain": alone / total}
            found.append({**row, **area_of(areas, kem, cells), **size, "ram": ram})
    return found


def areas():
    """Returns the parts of the system, with the smallest RAM; of the RAM, all."""
    rows, found = area_rows(), []
    for module, part in PARTS.items():
        sizes = sorted(rows) if module == "soc_ram" else sorted(rows)[:1]
        for ram in sizes:
            name = f"{part}, {ram // 1024} KiB" if module == "soc_ram" else part
            found.append({"part": name, "module": module, **rows[ram]["modules"][module]})
    return found


def boards():
    """Returns the systems that were routed for a board."""
    found = []
    for row in read("board"):
        used = [f"{row[key]:,} of {available:,}" for key, available in row["available"].items()]
        levels = ", ".join(
            f"{name}{row['parameters'].get(f'{scheme}_LEVEL', 1)}"
            for scheme, name in (("BIKE", "BIKE-L"), ("HQC", "HQC-"))
            if row["parameters"].get(f"{scheme}_LEVEL", 1)
        )
        found.append({**row, "levels": levels, "used": used})
    return found


HARDWARE = "docs/results/hardware.md"
AREA = ("{lut:,}", "{ff:,}", "{bram36:,g}", "{dsp:,}")
CALLS = ("{keypair:,}", "{encaps:,}", "{decaps:,}", "{stack:,}")
# {(document, first line): (rows, a template for each column)}
TABLES = {
    ("docs/hardware-soc.md", "| level 1, cycles |"): (brief, ("{kem}, {who}", *CALLS)),
    (HARDWARE, "| KEM | who |"): (cycles, ("{kem}", "{who}", *CALLS)),
    (HARDWARE, "| KEM | split |"): (
        splits,
        ("{kem}", "{split}", "{total:,}", "{gain:,.2f}", *AREA, "{flash_bytes:,}", "{ram:,}"),
    ),
    (HARDWARE, "| part | module |"): (areas, ("{part}", "`{module}`", *AREA)),
    (HARDWARE, "| on the board |"): (
        boards,
        ("{board}", "{levels}", *(f"{{used[{i}]}}" for i in range(4)), "{mhz}", "{mhz_asked}"),
    ),
}
