# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The paper's tables on HQC from C with our columns beside: from stored areas, with traces."""

import json

import pytest

from codekem_base.errors import EvaluationError
from codekem_evaluation import published, tables_hls, tracing

ROW = {
    "cycles": 1000,
    "lut": 90,
    "lut_raw": 120,
    "lutram": 10,
    "ff": 7,
    "bram36": 1.5,
    "dsp": 0,
    "made_from": "0",
}


def texts(row):
    return [cell.text for cell in row]


def test_functions_stand_below_those_of_the_paper(tmp_path):
    (tmp_path / "areas.json").write_text(json.dumps({"sparse_product.mid": ROW}))
    table = tables_hls.functions(tmp_path)
    rows = [texts(row) for row in table.rows]
    place = next(i for i, row in enumerate(rows) if row[1] == "sparse_product")
    # The paper's row, its RTL peer, then ours.
    assert [row[1] for row in rows[place - 2 : place]] == [
        "vect_mul_add",
        "poly_mult & add module",
    ]
    assert rows[place][2:] == [
        "codekem-hls, mid",
        "1,000",
        "1.5",
        "0",
        "7",
        "100 to 130",
        "0.100",
    ]
    assert rows[place - 2][-1] == "132"  # 21,418 x 6,175: equation 4
    assert table.rows[place][3].trace == "hls/sparse_product.mid"
    # All published rows are there, and a kernel without a row says so.
    assert len([row for row in rows if "codekem" not in row[2]]) == len(
        published.rows("hqc_hls_functions")
    )
    assert tables_hls.NOT_STORED in table.reasons()
    assert any("Vivado" in note for note in table.notes)


def test_whole_operations_and_cores_by_hand(tmp_path):
    rows = {"hqc_keygen.perf": ROW, "bike_decaps.comp": ROW, "hqc_keys.perf": ROW}
    rows["hqc.comp"] = ROW | {"cycles": [10, 20, 30]}
    (tmp_path / "areas.json").write_text(json.dumps(rows))
    table = tables_hls.primitives(tmp_path)
    ours = [texts(row)[:3] for row in table.rows if "codekem-hls" in row[1].text]
    assert ours == [
        ["keygen", "codekem-hls, comp, shared", "10"],
        ["encaps", "codekem-hls, comp, shared", "20"],
        ["decaps", "codekem-hls, comp, shared", "30"],
        ["keygen", "codekem-hls, perf", "1,000"],
    ]
    by_hand = [row for row in table.rows if "written by hand, light" in row[1].text]
    assert [row[0].text for row in by_hand] == ["keygen", "encaps", "decaps"]
    compared = tables_hls.comparison(tmp_path).rows
    (joint,) = [row for row in compared if row[1].text == "codekem-hls, comp"]
    assert [cell.value for cell in joint[-3:]] == [0.01, 0.02, 0.03]
    (bike,) = [row for row in compared if row[1].text == "codekem-hls, decaps, comp"]
    assert bike[0].text == "BIKE-L1" and bike[-1].text == "1.00"
    assert any("Vivado" in note for note in tables_hls.comparison(tmp_path).notes)


def test_no_results(tmp_path):
    rows = tables_hls.functions(tmp_path).rows
    assert not [row for row in rows if "codekem" in row[2].text and row[3].value]


def test_traces():
    name = next(iter(tables_hls.stored()))
    lines = tracing.trace({}, "run", f"hls/{name}")
    assert "areas.json" in lines[0] and any(line.startswith("cycles: ") for line in lines)
    with pytest.raises(EvaluationError, match="there is no hls/nothing"):
        tracing.trace({}, "run", "hls/nothing")
