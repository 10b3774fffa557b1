# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The report as text, JSON and LaTeX: loops, latency, area, latency-area product."""

from codekem_hls import report
from hls.tests.kernel_designs import KERNELS, read_design

AREA = {"lut": 4000, "lut_raw": 4500, "lutram": 44, "ff": 10, "bram36": 0.0, "dsp": 0}


def test_forms():
    design = read_design(KERNELS / "shake256.perf.toml")
    found = report.figures(design, {"keccak_f": AREA})
    keccak, shake = found["functions"]
    assert (keccak["latency"], shake["latency"]) == (75, 230)
    assert keccak["latency_area_product"] == 75 * 4044 / 1e6 and "area" not in shake
    rounds = keccak["loops"][0]
    assert (rounds["interval"], rounds["iteration_latency"], rounds["trips"]) == (1, 1, 24)
    text, latex = report.text(found), report.latex(found)
    assert "function shake256: 230 cycles, least = most" in text
    assert r"keccak\_f & 75 & 4000 & 4500 & 44 & 10 & 0 & 0 & 0.303 \\" in latex
    assert r"keccak\_f: rounds & 24 & 1 & 1 & 24 \\" in latex
    assert "Vivado" in latex and latex.count("tabular") == 4
    assert "Vivado" not in report.latex(report.figures(design))
