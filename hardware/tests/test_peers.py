# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The script that measures the core of others: what it changes in a copy, and what it refuses."""

import json
import subprocess
import sys

import pytest

from hardware.peers import open_hqc, racingbike, routed
from hardware.tests import simulated

SCRIPT = simulated.HARDWARE / "peers" / "racingbike.py"


@pytest.fixture
def checkout(tmp_path):
    """What the script reads of a checkout, made up: a package, a module, the bench."""
    source = tmp_path / "checkout" / "src"
    source.mkdir(parents=True)
    (source / "BIKE_package.sv").write_text(
        "package P;\n  parameter B_WIDTH       = 32;\nendpackage\n"
    )
    (source / "BIKE.sv").write_text(
        'module BIKE;\n  initial begin\n    $display("%d", 1.5);\n  end\n'
        "  assign addr = {{(LOGSWORDS-int'($clog2(THRESHOLD+1))){1'b0}}, CNT_OUT};\nendmodule\n"
    )
    (source / "TB_BIKE.sv").write_text('module TB_BIKE;\n  initial $display("done");\nendmodule\n')
    return source.parent


def test_copy_has_the_width_and_prints_in_the_bench_alone(monkeypatch, checkout, tmp_path):
    script = racingbike
    files = script.sources(checkout, 64, tmp_path / "copy")
    assert [path.name for path in files] == ["BIKE_package.sv", "BIKE.sv"]
    assert "B_WIDTH       = 64;" in files[0].read_text()
    core = files[1].read_text()
    assert "$display" not in core and "assign addr = LOGDWORDS'(CNT_OUT);\nendmodule" in core
    assert "$display" in (tmp_path / "copy" / "TB_BIKE.sv").read_text()
    assert (
        "= 32;" in (checkout / "src" / "BIKE_package.sv").read_text()
    )  # the original is as it was


def test_writes_to_memories_do_not_block_in_synthesis(monkeypatch):
    write = "    memory[addr_a] = din_a;\n    other = memory[addr_b];\n"
    assert (
        racingbike.BLOCKING_WRITE.sub(r"\1<=", write)
        == "    memory[addr_a] <= din_a;\n    other = memory[addr_b];\n"
    )


def test_another_version_is_refused(monkeypatch, checkout, tmp_path):
    (checkout / "src" / "BIKE_package.sv").write_text("package P;\nendpackage\n")
    with pytest.raises(SystemExit, match="does not set B_WIDTH once"):
        racingbike.sources(checkout, 64, tmp_path / "copy")


def test_a_folder_that_is_no_checkout_is_refused(tmp_path):
    done = subprocess.run(
        [sys.executable, SCRIPT, tmp_path],
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    assert done.returncode == 2 and "not a checkout of RacingBIKE" in done.stderr


def test_rows_are_stored_by_width_with_a_hash_of_the_peer(monkeypatch, checkout, tmp_path):
    script = racingbike
    monkeypatch.setattr(script, "cycles", lambda *_: {"keygen": 3, "encaps": 1, "decaps": 2})
    monkeypatch.setattr(script, "area", lambda *_: {"lut": 4711})
    results = tmp_path / "results"
    for width in ("64", "32", "64"):
        assert script.main([str(checkout), "--width", width, "--results", str(results)]) == 0
    rows = json.loads((results / "racingbike.json").read_text())
    assert [(row["width"], row["lut"]) for row in rows] == [(32, 4711), (64, 4711)]
    assert rows[0]["made_from"] == script.stored_results.made_from("racingbike", rows[0])
    before = script.peer_hash(checkout)
    core = checkout / "src" / "BIKE.sv"
    core.write_text("// A comment\n" + core.read_text())
    assert script.peer_hash(checkout) == before
    core.write_text(core.read_text() + "module other; endmodule\n")
    assert script.peer_hash(checkout) != before
    with pytest.raises(SystemExit):  # half a row is not stored
        script.main([str(checkout), "--only", "area", "--results", str(results)])


# --- The open core for HQC ---


def test_what_the_tools_cannot_read_is_changed():
    text = (
        "// synthesis translate_off\ninput [3:0] a,\n// synthesis translate_on\n"
        "wire [7:0] b, pm_out;\n/* wire pm_out; */\nwire [7:0] c, pm_out, d;\nreg e, sel_fw, f;\n"
        'reg sel_fw;\n(* ram_style = "block" *) reg [7:0] mem [3:0];\n'
        "always @(a or\n b) begin\nend\nalways @(b, c) begin\nend\n"
        "always @(posedge clk) begin\nend\n"
        "assign c = {0, b};\nassign d = {{MAX_AB/2}{1'b0}};\n"
    )
    changed = open_hqc.adapted(text, "encrypt.v")
    assert "translate" not in changed and "input [3:0] a," in changed
    assert "wire [7:0] b, pm_out;" in changed and "wire [7:0] c, d;" in changed
    assert "reg e, sel_fw, f;" in changed and "reg sel_fw;" not in changed
    assert 'ram_style = "block", no_rw_check *)' in changed
    assert changed.count("always @* begin") == 2 and "always @(posedge clk) begin" in changed
    assert "{32'd0, b}" in changed and "{(MAX_AB/2){1'b0}}" in changed


@pytest.mark.parametrize(
    ("file", "text"), [("encrypt.v", "wire pm_out;\nreg sel_fw;\n"), ("mod34.v", "output c_o;\n")]
)
def test_another_version_of_the_open_core_is_refused(file, text):
    with pytest.raises(SystemExit, match="another version"):
        open_hqc.adapted(text, file)


def test_words_of_a_memory_are_those_that_a_bench_printed():
    assert open_hqc.memory_words("0102030405", 32) == f"{0x04030201:032b}\n{0x05:032b}\n"


@pytest.mark.parametrize(
    ("printed", "fault"),
    [
        ("Message: 0f0e0d0c0b0a09080706050403020100\nTotal Clock Cycles: 4711\n", None),
        ("Message: 00000000000000000000000000000000\nTotal Clock Cycles: 4711\n", "the message"),
        ("Message: 0f0e0d0c0b0a09080706050403020100\n", "tells no cycles"),
        (None, "does not end"),
    ],
)
def test_bench_has_to_find_the_message_and_to_end(monkeypatch, tmp_path, printed, fault):
    benches = tmp_path / "hardware" / "joint_design" / "tb"
    benches.mkdir(parents=True)
    bench = benches / f"{open_hqc.TOP}_decap_tb.v"
    bench.write_text(
        "module t;\nwire h_0;\nwire h_0;\nwire h_1;\nwire h_1;\nwire s_0;\nwire s_0;\n"
        f'wire s_1;\nwire s_1;\n{open_hqc.TOP} #(.parameter_set("hqc128")) DUT();\n'
        'initial $display("Total Clock Cycles:", 1);\nendmodule\n'
    )
    monkeypatch.setattr(open_hqc.run_tool, "run", lambda *_, **__: printed)
    if fault is None:
        assert open_hqc.run_bench("decap", [], tmp_path, tmp_path, 2) == 4711
    else:
        with pytest.raises(open_hqc.run_tool.ToolError, match=fault):
            open_hqc.run_bench("decap", [], tmp_path, tmp_path, 2)
    made = (tmp_path / f"{open_hqc.TOP}_decap_tb.v").read_text()
    assert "decypted_msg" in made
    assert "#(.PARALLEL_ENCRYPT(1), .CT_DESIGN(2'b01), .parameter_set(" in made


@pytest.mark.parametrize("script", ["open_hqc.py", "routed.py"])
def test_a_folder_that_is_not_the_open_core_is_refused(tmp_path, script):
    done = subprocess.run(
        [sys.executable, simulated.HARDWARE / "peers" / script, tmp_path],
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    assert done.returncode == 2 and "not a checkout of pqc-hqc-hardware" in done.stderr


def test_a_routed_row_takes_the_place_of_the_one_before(tmp_path):
    path = tmp_path / "new" / "routed.json"
    for multipliers, mhz in [(2, 50.0), (1, 60.0), (2, 55.0)]:
        routed.keep({"multipliers": multipliers, "mhz": mhz}, path)
    found = json.loads(path.read_text(encoding="ascii"))
    assert found == [{"multipliers": 1, "mhz": 60.0}, {"multipliers": 2, "mhz": 55.0}]


def test_latches_become_flip_flops():
    text = (
        "module @top\n  cell $adlatch $1\n    parameter @EN_POLARITY 0\n  end\n"
        "  cell $dlatch $2\n    connect @EN @f\n  end\nend\n"
    ).replace("@", "\\")
    clock = "    parameter \\CLK_POLARITY 1\n    connect \\CLK \\clk_i\n"
    expected = text.replace("$adlatch $1\n", f"$adffe $1\n{clock}")
    assert routed.clocked(text) == expected.replace("$dlatch $2\n", f"$dffe $2\n{clock}")
    with pytest.raises(routed.run_tool.ToolError, match="does not know"):
        routed.clocked("  cell $dlatchsr $3\n  end\n")
