# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The table of hardware and software together: sums, speed-ups, what is missing, published rows."""

import json

from codekem_evaluation import paths, tables_soc

CYCLES = {"library": (1_000_000, 3_000_000, 6_000_000), "core": (10_000, 20_000, 30_000)}


def written(folder, ways):
    rows = [
        {
            "kem": "HQC-1",
            "operation": operation,
            "by": by,
            "cycles": cycles,
            "core_cycles": None,
            "stack_bytes": 256,
            "preset": None,
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


def test_sums_and_speedups(tmp_path):
    rows = written(tmp_path, ["library", "core"])
    assert len(rows) == len(tables_soc.SPLITS)
    both = rows["HQC-1", "HP: KeyGen and Decaps in hardware"]
    assert [cell.value for cell in both[3:]] == [10, 3000, 30, 3040, 10_000 / 3040]
    assert rows["HQC-1", "all three in hardware"][-1].value == 10_000 / 60
    assert rows["HQC-1", "software alone"][-1].value == 1


def test_what_was_not_measured_is_said(tmp_path):
    rows = written(tmp_path, ["core"])
    alone = rows["HQC-1", "all three in hardware"]
    assert alone[-2].value == 60
    assert "measure.py" in alone[-1].why
    assert ("HQC-1", "software alone") not in rows


def test_published_splits_stand_beside(tmp_path):
    table = tables_soc.splits(tmp_path)
    assert [row[1].text[:2] for row in table.rows] == ["so", "LW", "MR", "HP"]
    assert [round(row[-1].value, 2) for row in table.rows] == [1, 1.32, 1.68, 2.82]
    assert any("no row yet" in note for note in table.notes)


def test_ours_are_there():
    kems = {row[0].text for row in tables_soc.splits(paths.SOC).rows if "codekem" in row[2].text}
    assert {"BIKE-L1", "HQC-1"} <= kems
