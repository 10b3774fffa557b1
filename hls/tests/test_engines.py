# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What is written for other engines: complete, readable by their languages, marked as not run."""

import json
import os
import re

import pytest

from codekem_hls import cli, engines
from codekem_hls.errors import ToolFailed
from codekem_hls.software import Software
from hls.tests.kernel_designs import KERNELS, read_design

REPORT = """<profile>
<ReportVersion><Version>0000.0</Version></ReportVersion>
<PerformanceEstimates><SummaryOfOverallLatency>
<Best-caseLatency>90</Best-caseLatency><Worst-caseLatency>95</Worst-caseLatency>
</SummaryOfOverallLatency></PerformanceEstimates>
<AreaEstimates><Resources>
<BRAM_18K>3</BRAM_18K><DSP>1</DSP><FF>200</FF><LUT>300</LUT>
</Resources></AreaEstimates></profile>
"""
VITIS = """#!/bin/sh
test "$1" = -f && grep -q csynth_design "$2" || exit 1
mkdir -p common_bits/solution/syn/report
printf '%s' '{report}' > common_bits/solution/syn/report/csynth.xml
"""
BAMBU = """#!/bin/sh
if test "$1" = --version; then echo 'a bambu of the test'; exit; fi
grep -q '<testbench out="{{[0-9]' test.xml || exit 1
echo '<bambu_results><CYCLES value="77"/></bambu_results>' > bambu_results_0.xml
echo 'module common_bits(input a, b, c, output o); assign o = a ^ b & c; endmodule' > common_bits.v
"""


@pytest.fixture
def program(tmp_path, monkeypatch):
    """program(name, text) puts a program on the path, which has no engine otherwise."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")

    def put(name, text):
        (folder / name).write_text(text)
        (folder / name).chmod(0o755)

    return put


def test_vitis_has_all_directives():
    design = read_design(KERNELS / "rm_decode.perf.toml")
    files = engines.vitis(design)
    lines = files["directives.tcl"].splitlines()
    assert "have not run it" in lines[0] and "have not run it" in files["run.tcl"]
    chosen = design.directives
    for word, names in (("pipeline", chosen.pipeline), ("unroll", chosen.unroll)):
        found = [line for line in lines if line.startswith(f"set_directive_{word} ")]
        assert len(found) == len(names)
        for name in names:
            assert any(line.endswith(f'"rm_decode/{name}"') for line in found)
    assert 'set_directive_array_partition -type complete "rm_decode" sums' in lines
    # Each loop that is named stands in the text with its label.
    text = files["rm_decode.cpp"]
    for label in re.findall(r'"rm_decode/(\w+)"', files["directives.tcl"]):
        assert re.search(rf"\b{label}:\s*for\b", text)
    # Widths of C23 are those of the engine's library.
    assert "_BitInt" not in text and "typedef ap_int<11> sum_t;" in text and "[static" not in text
    assert "create_clock -period 8 " in files["run.tcl"] and "-DPEAKS=8" in files["run.tcl"]


def test_vitis_shares_functions():
    files = engines.vitis(read_design(KERNELS / "shake256.perf.toml"))
    assert 'set_directive_inline -off "keccak_f"' in files["directives.tcl"]
    assert "-limit 1 -type function" in files["directives.tcl"]
    assert files["shake256.c"].count("_BitInt") == 0  # plain C stays C


def test_bambu_c_gives_the_same_results(tmp_path):
    """The C with pragmas and marks, as software, beside the kernel as it is."""
    design = read_design(KERNELS / "shake256.perf.toml")
    files = engines.bambu(design, {"in": list(range(34)), "out": [0] * 8})
    text = files["shake256.c"]
    assert "__attribute__((noinline)) void keccak_f(" in text
    assert text.count("clang loop unroll(full)") == len(design.directives.unroll)
    assert "pipeline rounds" in files["run.sh"] and "have not run it" in files["run.sh"]
    assert 'in="{0,1,2,' in files["test.xml"]
    for name, content in files.items():
        (tmp_path / name).write_text(content)
    software = Software(design, tmp_path / "kernel")
    expected = software.run({"in": list(range(34))})
    design.directives.kernel = tmp_path / "shake256.c"
    other = Software(design, tmp_path / "bambu")
    assert other.run({"in": list(range(34))}) == expected


@pytest.mark.parametrize("engine", sorted(engines.NAMES))
def test_without_the_engine(engine, tmp_path, capsys, monkeypatch):
    words = ["engine", engine, str(KERNELS / "common_bits.perf.toml"), "-o", str(tmp_path)]
    design = read_design(KERNELS / "common_bits.perf.toml")
    monkeypatch.setattr(engines.shutil, "which", lambda _: None)
    with pytest.raises(ToolFailed, match="not on the path"):
        engines.run(engine, design, "x", {}, tmp_path)
    monkeypatch.undo()
    assert cli.main(words) == 0
    assert "have not run it" in capsys.readouterr().out


def test_a_row_of_each_engine(program, tmp_path, monkeypatch, capsys):
    program("vitis_hls", VITIS.format(report=REPORT))
    program("bambu", BAMBU.format())
    stored = tmp_path / "engines.json"
    monkeypatch.setattr(engines.run, "__defaults__", (stored,))
    for engine in ("vitis", "bambu"):
        words = ["engine", engine, str(KERNELS / "common_bits.perf.toml"), "--run"]
        assert cli.main([*words, "-o", str(tmp_path / engine)]) == 0
    rows = json.loads(stored.read_text())
    vitis, bambu = rows["common_bits.perf/vitis"], rows["common_bits.perf/bambu"]
    assert (vitis["cycles"], vitis["lut"], vitis["bram36"]) == (95, 300, 1.5)
    assert vitis["tool"] == "Vitis HLS 0000.0" and "before synthesis" in vitis["lut_is"]
    assert (bambu["cycles"], bambu["lut"], bambu["tool"]) == (77, 1, "a bambu of the test")
    assert vitis["made_from"] == bambu["made_from"]
    assert "77 cycles, 1 LUT" in capsys.readouterr().out


def test_a_report_without_a_latency(program, tmp_path):
    program("vitis_hls", VITIS.format(report=REPORT.replace(">95<", ">undef<")))
    design = read_design(KERNELS / "common_bits.perf.toml")
    with pytest.raises(ToolFailed, match="'undef'"):
        engines.run("vitis", design, "x", {}, tmp_path / "v", tmp_path / "rows.json")
