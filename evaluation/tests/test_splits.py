# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The table of hardware and software together: sums, speed-ups, areas and sizes, what is missing,
published rows."""

import json

from codekem_evaluation import inputs, paths, tables_soc

CYCLES = {
    "library": (1_000_000, 3_000_000, 6_000_000),
    "core": (10_000, 20_000, 30_000),
    "keccak": (900_000, 2_000_000, 5_000_000),
}
RAM = 262144
AREA = {"lut": 2000, "ff": 1000, "bram36": 69, "dsp": 4}
NOTHING = dict.fromkeys(AREA, 0)
PIECE = {"lut": 300, "ff": 100, "bram36": 2.5, "dsp": 0}


def written(folder, ways):
    rows = [
        {
            "kem": "HQC-1",
            "operation": operation,
            "by": by,
            "cycles": cycles,
            "core_cycles": None,
            "stack_bytes": 4000 if by == "library" else 256,
            "preset": "mid" if by == "core" else None,
            "parameters": {"RAM_BYTES": RAM},
        }
        for by in ways
        for operation, cycles in zip(("keypair", "encaps", "decaps"), CYCLES[by], strict=True)
    ]
    (folder / "splits.json").write_text(json.dumps(rows))
    return {
        tuple(cell.text for cell in row[:2]): row
        for row in tables_soc.splits(folder).rows
        if row[0].text == "HQC-1"
    }


def write_areas(folder):
    modules = dict.fromkeys(tables_soc.BASE, NOTHING) | {
        "rest": AREA,
        "soc_bridge": PIECE,
        "hqc_axi": PIECE,
        "soc_keccak": PIECE,
        "soc_product": PIECE,
    }
    row = {"system": "parts", "parameters": {"RAM_BYTES": RAM}, "modules": modules, **AREA}
    (folder / "areas.json").write_text(json.dumps([row]))


def write_sizes(folder):
    rows = [
        {"kem": "HQC-1", "contents": contents, "flash_bytes": flash, "ram_bytes": 100}
        for contents, flash in (("library", 40_000), ("driver", 6000), ("both", 46_500))
    ]
    (folder / "sizes.json").write_text(json.dumps(rows))


def test_sums_and_speedups(tmp_path):
    rows = written(tmp_path, ["library", "core"])
    assert len(rows) == 5  # without the pieces
    both = rows["HQC-1", "HP: KeyGen and Decaps in hardware"]
    assert [cell.value for cell in both[3:8]] == [10, 3000, 30, 3040, 10_000 / 3040]
    assert rows["HQC-1", "all three in hardware"][7].value == 10_000 / 60
    assert rows["HQC-1", "software alone"][7].value == 1


def test_areas_and_sizes_are_those_of_the_split(tmp_path):
    write_areas(tmp_path)
    write_sizes(tmp_path)
    rows = written(tmp_path, ["library", "core", "keccak"])
    found = {name: [cell.value for cell in row[8:]] for (_, name), row in rows.items()}
    stored, _ = inputs.read("hardware", paths.HARDWARE)
    name = ("HQC-1", "mid", "full")
    (core,) = (one for one in stored if (one["core"], one["preset"], one["build"]) == name)
    with_core = [AREA[key] + 2 * PIECE[key] + core[key] for key in AREA]
    assert found["software alone"] == [2000, 1000, 69, 4, 40, 4.1]
    assert found["HP: KeyGen and Decaps in hardware"] == [*with_core, 46.5, 4.1]
    assert found["all three in hardware"] == [*with_core, 6, 0.356]
    assert found["Keccak in hardware"] == [2300, 1100, 71.5, 4, 40, 0.356]
    assert rows["HQC-1", "Keccak in hardware"][7].value == 10_000 / 7900


def test_what_was_not_measured_is_said(tmp_path):
    rows = written(tmp_path, ["core"])
    alone = rows["HQC-1", "all three in hardware"]
    assert alone[6].value == 60
    assert "measure.py" in alone[7].why
    assert "areas.py" in alone[8].why
    assert ("HQC-1", "software alone") not in rows


def test_published_splits_stand_beside(tmp_path):
    table = tables_soc.splits(tmp_path)
    assert [row[1].text[:2] for row in table.rows] == ["so", "LW", "MR", "HP"]
    assert [round(row[7].value, 2) for row in table.rows] == [1, 1.32, 1.68, 2.82]
    assert [row[8].value for row in table.rows] == [None, 13_567, 37_160, 50_727]
    assert any("no row yet" in note for note in table.notes)


def test_ours_are_there():
    ours = [row for row in tables_soc.splits(paths.SOC).rows if "codekem" in row[2].text]
    assert {"BIKE-L1", "HQC-1"} <= {row[0].text for row in ours}
    assert {name[:2] for name in tables_soc.SPLITS} <= {row[1].text[:2] for row in ours}
    assert not [row for row in ours if row[12].value is None]
    assert not [row for row in ours if row[0].text in ("BIKE-L1", "HQC-1") and row[8].value is None]
