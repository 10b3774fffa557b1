# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The areas in hls/results and in docs/results/hls.md are of the cores that the tool makes now."""

import re

import pytest

from codekem_hls import area, results
from hls.tests.kernel_designs import read_design

# These take long to compile; hqc.perf and hqc.comp stand for them.
WHOLE = re.compile(r"hqc_|hqc\.pure|bike_(keygen|encaps|decaps|inverse)")
PATHS = [
    pytest.param(path, id=path.stem, marks=[pytest.mark.long] if WHOLE.match(path.stem) else [])
    for path in results.flavours()
]


@pytest.mark.parametrize("path", PATHS)
def test_area_is_of_these_sources(path):
    row = results.stored()[path.stem]
    design = read_design(path)
    assert row["cycles"] == results.cycles(design)
    assert row["made_from"] == results.made_from(design), "run codekem-hls results"


def test_no_core_is_worse_than_another():
    """Of the cores for all operations of HQC-1, but for that which shares nothing."""
    rows = results.stored()
    figures = {
        name: (*rows[name]["cycles"], area.luts(rows[name]))
        for name in ("hqc.comp", "hqc.perf", "hqc_fast.perf")
    }
    for name, mine in figures.items():
        for other, theirs in figures.items():
            better = all(a <= b for a, b in zip(theirs, mine, strict=True))
            assert name == other or not better, f"{other} is better than {name}"


def test_tables_in_docs(root):
    """`codekem-hls results` prints them."""
    text = (root / "docs" / "results" / "hls.md").read_text(encoding="utf-8")
    rows = results.stored()
    for lines in (results.table(rows), results.operations_table(rows)):
        assert lines and not [line for line in lines if line not in text]
