# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Tables of docs/results/hardware.md: flipped bits, toggles and standard cells of the cores;
result_tables.py puts them into the document."""

import json
import pathlib

from tools.flow import areas

RESULTS = pathlib.Path(__file__).resolve().parent.parent / "hardware" / "results"
HARDWARE = "docs/results/hardware.md"
OPERATIONS = ("keygen", "encaps", "decaps")


def read(name):
    """Returns the rows of a file of results."""
    return json.loads((RESULTS / f"{name}.json").read_text(encoding="ascii"))


def flip_rows():
    """Returns what became of flipped bits, by core and unit (hardware/sim/flips.py)."""
    return [
        {
            **counts,
            "case": row["case"],
            "unit": unit,
            "flips": sum(number for fate, number in counts.items() if fate != "bits"),
        }
        for row in read("flips")
        for unit, counts in row["units"].items()
    ]


def leaks(order):
    """Returns the cycles in which an order of t tells the sets apart, and the largest t."""
    most = "infinite" if order["most"] is None else f"{order['most']:.0f}"
    return f"{order['cycles']:,} ({most})" if order["cycles"] else "0"


def leaking_modules():
    """Returns the modules of the cores `fast` that tell secrets (hardware/leakage/measure.py)."""
    found = {}
    for row in read("leakage"):
        kem, preset, operation = row["case"].split()
        for module, one in row["modules"].items() if preset == "fast" else ():
            cells = found.setdefault((kem, module), dict.fromkeys(OPERATIONS, "0"))
            cells[operation] = f"{leaks(one['first'])}; {leaks(one['second'])}"
    return [{"module": f"{kem} {module}", **cells} for (kem, module), cells in found.items()]


def leaking_cores():
    """Returns for each operation how many cycles tell secrets."""
    return [
        {
            **row,
            "sets": " and ".join(map(str, row["sets"])),
            "others": sum(row["other_lengths"]),
            "first": row["leaking"]["first"],
            "second": row["leaking"]["second"],
        }
        for row in read("leakage")
    ]


def glitch_rows():
    """Returns what changes of all wires tell (hardware/leakage/glitches.py)."""
    return [
        {
            **row,
            **{f"{order}_{name}": row[order][name] for order in ("first", "second")
               for name in ("most", "samples")},
        }
        for row in read("glitches")
    ]  # fmt: skip


def silicon_rows():
    """Returns the cores in standard cells (hardware/syn/silicon.py)."""
    return [
        {
            **row,
            "strings": row["units"].get("kem_strings", 0),
            "leakage_mw": row["leakage_uw"] / 1000,
        }
        for row in read("silicon")
    ]


def silicon_energy():
    """Returns the microjoules of operations at 100 MHz, of the cores whose toggles are stored: all
    wires are taken to change as often as registers do (hardware/leakage/measure.py)."""
    toggles = {row["case"]: row for row in read("leakage")}
    found = []
    for row in read("silicon"):
        cells = {}
        for operation in OPERATIONS:
            one = toggles.get(f"{row['core']} {row['preset']} {operation}")
            if one is None:
                continue
            bits, changed = (
                sum(module[name] for module in one["modules"].values())
                for name in ("bits", "toggles")
            )
            moved = row["clock_pj"] * one["cycles"] + row["toggles_pj"] * changed / bits  # pJ
            still = row["leakage_uw"] * one["cycles"] / 100  # pJ: microwatts times microseconds
            cells[operation] = (moved + still) / 1e6
        if cells:
            found.append({"case": row["case"], **cells})
    return found


def silicon_memories():
    """Returns the memories of these cores, which are the same in each library."""
    found = {}
    for row in read("silicon"):
        shown = ", ".join(
            f"{one['number']} of {one['words']} x {one['bits']} ({one['reads']}, {one['writes']})"
            for one in row["memories"]
        )
        found[f"{row['core']} {row['preset']}"] = {"bits": row["memory_bits"], "memories": shown}
    return [{"core": core, **row} for core, row in found.items()]


def masked_rows():
    """Returns the levels of the masked core (hardware/syn/masked.py)."""
    return [
        {
            **row,
            **row["cycles"],
            **{f"random_{operation}": count for operation, count in row["random_bytes"].items()},
            "product": f"{row['lut'] * sum(row['cycles'].values()) / 1e9:.2f}e9",
        }
        for row in read("masked")
    ]


def cores_for_hqc():
    """Returns the masked core beside those without shares, of level 1: area, cycles, gates and
    clock in cells of 45 nm, and what registers tell in Decaps."""
    cells = {row["preset"]: row for row in read("silicon")
             if (row["core"], row["library"]) == ("HQC-1", "nangate45")}  # fmt: skip
    told = {row["case"]: row["modules"].values() for row in read("leakage")}
    found = []
    for row in areas.read(RESULTS):
        if (row["core"], row["build"]) != ("HQC-1", "full"):
            continue
        of = told.get(f"HQC-1 {row['preset']} decaps", ())
        most = [module["first"]["most"] for module in of]
        found.append(
            {
                **row,
                "case": f"`{row['preset']}`",
                **{operation: row[f"{operation}_cycles"] for operation in OPERATIONS},
                "bits": 0,
                "told": "infinite" if None in most else f"{max(most):.1f}" if most else None,
            }
        )
    (masked,) = (row for row in read("masked") if row["level"] == 1)
    (registers,) = (row for row in read("masked_leakage") if row["case"] == "decaps, registers")
    found.append(
        {
            **masked,
            "case": "masked",
            "preset": "masked",
            **masked["cycles"],
            "bits": 8 * masked["random_bytes"]["decaps"] / masked["cycles"]["decaps"],
            "told": f"{registers['most']:.1f} (chance {registers['chance']})",
        }
    )
    for row in found:
        row |= {name: cells.get(row["preset"], {}).get(name) for name in ("kge", "mhz")}
    return found


def masked_leakage():
    """Returns what toggles and gates of the masked core tell (hardware/leakage)."""
    found = []
    for row in read("masked_leakage"):
        parts = row.get("part", (0, 1))[1]
        cycles = f"{row['cycles']:,}" + (f", 1 in {parts}" if parts > 1 else "")
        found.append({**row, "cycles": cycles})
    return found


TABLES = {
    (HARDWARE, "| core for HQC-1 |"): (
        cores_for_hqc,
        (
            *("{case}", "{lut:,}", "{bram36:g}"),
            *(f"{{{operation}:,}}" for operation in OPERATIONS),
            *("{kge:.1f}", "{mhz:.0f}", "{bits:.0f}", "{told}"),
        ),
    ),
    (HARDWARE, "| masked core, what |"): (
        masked_leakage,
        (
            *("{case}", "{traces:,}", "{cycles}", "{samples:,}", "{above:,}"),
            *("{most:.1f}", "{chance:.1f}"),
        ),
    ),
    (HARDWARE, "| masked core |"): (
        masked_rows,
        (
            *("{case}", "{lut:,} ({lut_raw:,})", "{ff:,}", "{bram36:g}"),
            *(f"{{{operation}:,}}" for operation in OPERATIONS),
            *(f"{{random_{operation}:,}}" for operation in OPERATIONS),
            "{product}",
        ),
    ),
    (HARDWARE, "| core and cells |"): (
        silicon_rows,
        (
            *("{case}", "{kge:.1f}", "{kge_registers:.1f}", "{strings:.1f}", "{mhz:.0f}"),
            *("{clock_pj:.0f}", "{toggles_pj:,.0f}", "{leakage_mw:.2g}"),
        ),
    ),
    (HARDWARE, "| core and cells, microjoules |"): (
        silicon_energy,
        ("{case}", *(f"{{{operation}:.2f}}" for operation in OPERATIONS)),
    ),
    (HARDWARE, "| core | memory bits |"): (silicon_memories, ("{core}", "{bits:,}", "{memories}")),
    (HARDWARE, "| core | unit |"): (
        flip_rows,
        (
            *("{case}", "{unit}", "{flips:,}", "{same:,}", "{upset:,}", "{failed:,}", "{other:,}"),
            *("{hung:,}", "{lost}", "{accepted}"),
        ),
    ),
    (HARDWARE, "| `fast`: module |"): (
        leaking_modules,
        ("{module}", *(f"{{{operation}}}" for operation in OPERATIONS)),
    ),
    (HARDWARE, "| core, operation | traces |"): (
        leaking_cores,
        ("{case}", "{sets}", "{others}", "{cycles:,}", "{first:,}", "{second:,}"),
    ),
    (HARDWARE, "| module, delays |"): (
        glitch_rows,
        (
            *("{case}", "{gates:,}", "{traces:,}", "{samples}"),
            *("{first_samples} ({first_most:.1f})", "{second_samples} ({second_most:.1f})"),
        ),
    ),
}
