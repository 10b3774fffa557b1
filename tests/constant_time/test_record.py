# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The table of what was checked to be constant in time: from the record, and of these sources."""

import re

from tests import constant_time_record as record
from tools import constant_time_table as table
from tools.source_folders import INCLUDED, folder_of

NOTE = {
    "scheme": "BIKE",
    "machine": "x86_64",
    "backend": "portable",
    "tool": "valgrind",
    "compiler": "gcc 12",
    "flags": "-O2",
    "kem": "BIKE-L1",
    "operations": ["encaps"],
}


def test_page_has_the_table():
    """Run tools/constant_time_table.py if this fails; it says which rows are of older sources."""
    page = table.PAGE.read_text(encoding="utf-8")
    assert table.page_with_table(page, record.RECORD.read()) == page


def test_folders_of_a_scheme_are_there(root):
    for folders in record.FOLDERS.values():
        for folder in folders:
            assert folder_of(folder, root).is_dir()


def test_every_folder_of_the_sources_belongs_to_a_scheme(root):
    """So a new scheme is named here, and in what is watched."""
    tops = [root / top for top in INCLUDED]
    folders = {path.name for top in tops for path in top.iterdir() if path.is_dir()}
    folders -= {"common", "kem", "goppa"}
    assert folders == {name for names in record.FOLDERS.values() for name in names}


# The columns of the table of back ends that a scheme runs.
FAMILIES = {
    "BIKE": ["gf2x", "keccak", "sparse", "bike"],
    "HQC": ["gf2x", "keccak", "sparse", "hqc"],
    "Classic McEliece": ["keccak", "goppa", "mceliece"],
    "SOFIA": ["keccak", "mq4"],
}


def test_every_implementation_was_watched(root):
    """In some scheme; so a new back end is named in what is watched. devices/tests traces m4."""
    text = (root / "src" / "kem" / "backend.def").read_text(encoding="utf-8")
    (header, *rows) = re.findall(r"BACKEND\((\w+, [^)]*)\)", text)
    columns = re.findall(r"\w+", header)[3:]
    assert set(columns) == {family for names in FAMILIES.values() for family in names}
    recorded = {(row["backend"], row["scheme"]) for row in record.RECORD.read()}
    missing, watched = set(), set()
    for row in rows:
        _, name, _, *cells = re.findall(r"[\w-]+", row)
        found = dict(zip(columns, cells, strict=True))
        missing |= set(found.items())
        for scheme, families in FAMILIES.items():
            if (name, scheme) in recorded:
                watched |= {(family, found[family]) for family in families}
    assert {cell for cell in missing - watched if cell[1] not in ("reference", "m4")} == set()


def test_notes_of_the_same_sources_are_joined():
    rows = record.RECORD.merge([], [NOTE], "2026-01-01")
    rows = record.RECORD.merge(rows, [NOTE | {"operations": ["decaps"]}], "2026-01-02")
    assert [row["kems"] for row in rows] == [{"BIKE-L1": ["decaps", "encaps"]}]
    assert rows[0]["date"] == "2026-01-02"


def test_notes_of_older_sources_go():
    (old,) = record.RECORD.merge([], [NOTE], "2026-01-01")
    old["sources"] = "0" * 16
    assert "of older sources" in table.lines_of([old])[-1]
    (new,) = record.RECORD.merge([old], [NOTE | {"operations": ["decaps"]}], "2026-01-02")
    assert new["kems"] == {"BIKE-L1": ["decaps"]}
    assert "of older sources" not in table.lines_of([new])[-1]


def test_schemes_of_kems():
    names = ["BIKE-L1-v4.2-aes", "HQC-5-v5.0.0", "HQC-128-2023", "mceliece348864f", "SOFIA"]
    assert [record.scheme_of(name) for name in names] == [
        *["BIKE", "HQC", "HQC of 2023", "Classic McEliece", "SOFIA"],
    ]
    assert {record.scheme_of(name) for name in names} <= set(record.FOLDERS)
