# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The areas in hls/results and in docs/hls.md are of the cores that the tool makes now."""

import pytest

from codekem_hls import results
from codekem_hls.design import build_file


@pytest.mark.parametrize("path", results.flavours(), ids=lambda path: path.stem)
def test_area_is_of_these_sources(path):
    row = results.stored()[path.stem]
    design = build_file(path)
    assert row["cycles"] == results.cycles(design)
    assert row["made_from"] == results.made_from(design), "run codekem-hls results"


def test_table_in_docs(root):
    text = (root / "docs" / "hls.md").read_text(encoding="utf-8")
    rows = results.stored()
    for line in results.table(rows) + results.operations_table(rows):
        assert line in text, "put the table that codekem-hls results prints into docs/hls.md"
