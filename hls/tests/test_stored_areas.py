# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The areas in hls/results and in docs/results/hls.md are of the cores that the tool makes now."""

import itertools
import re

import numpy
import pytest

from codekem_hls import area, results
from hls.tests.kernel_designs import read_design

# These take long to compile; hqc.perf and hqc.comp stand for them.
WHOLE = re.compile(r"hqc_|hqc\.(comp_)?pure|bike\.|bike_inverse")
PATHS = [
    pytest.param(path, id=path.stem, marks=[pytest.mark.long] if WHOLE.match(path.stem) else [])
    for path in results.for_areas()
]


@pytest.mark.parametrize("path", PATHS)
def test_area_is_of_these_sources(path):
    row = results.stored()[path.stem]
    design = read_design(path)
    assert row["cycles"] == results.cycles(design)
    assert row["made_from"] == results.made_from(design), "run codekem-hls results"


def beaten(rows):
    """Returns (flavour, better one) of the same work: not slower, and not larger.

    Flavours that share nothing show what sharing saves, so they may be.
    """
    work = {name: name.split(".")[0].removesuffix("_fast") for name in rows}
    figures = {
        name: (*numpy.atleast_1d(row["cycles"]), area.luts(row)) for name, row in rows.items()
    }
    return [
        (name, other)
        for name, other in itertools.permutations(figures, 2)
        if work[name] == work[other]
        and "pure" not in name
        and all(a <= b for a, b in zip(figures[other], figures[name], strict=True))
    ]


def test_no_flavour_is_beaten_by_another():
    rows = results.stored()
    assert set(rows) == {path.stem for path in results.for_areas()}
    assert not beaten(rows)
    slower = rows["hqc_fast.perf"] | {"cycles": [16_000, 32_000, 56_000]}
    assert beaten(rows | {"hqc_fast.perf": slower}) == [("hqc_fast.perf", "hqc.perf")]


def test_tables_in_docs(root):
    """`codekem-hls results` prints them."""
    text = (root / "docs" / "results" / "hls.md").read_text(encoding="utf-8")
    rows = results.stored()
    for lines in (results.table(rows), results.operations_table(rows)):
        assert lines and not [line for line in lines if line not in text]
