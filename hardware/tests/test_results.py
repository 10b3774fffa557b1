# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The stored results of synthesis, placing and routing: cycles, limits, what route.py says.

tools/tests/test_stored_results.py has whether they are of the present sources, and the tables.
"""

import json
import os
import subprocess
import sys

import pytest

from hardware.syn import netlists, structure
from hardware.tests import simulated
from tools.flow import areas, run_tool

ROUTED = simulated.HARDWARE / "results" / "ecp5.json"
PEER = simulated.HARDWARE / "peers" / "results" / "racingbike.json"
ROUTE = simulated.HARDWARE / "syn" / "route.py"
# At most, at level 1: LUTs, block RAMs, cycles of the three operations.
LIMITS = {
    "light": (10000, 10, 240000, 18000, 195000),
    "fast": (21000, 38, 84000, 6500, 31000),
    "hp": (45000, 126, 35000, 3500, 17000),  # 126.5 are a fifth of the client-server HP's
    "max": (72000, 126, 18000, 3000, 12000),
}


def rows(scheme="BIKE"):
    return [row for row in areas.read(ROUTED.parent) if row["core"].startswith(scheme)]


def test_cycles_are_those_of_the_formula():
    assert rows("BIKE") and rows("HQC") and rows("joint BIKE") and rows("joint HQC")
    for row in rows(""):
        scheme = "hqc" if "HQC" in row["core"] else "bike"
        formula = (
            getattr(simulated.joint_cycles.JointCycles(**row["parameters"]), scheme)
            if row["core"].startswith("joint")
            else {"bike": simulated.cycles.Cycles, "hqc": simulated.hqc_cycles.HqcCycles}[scheme](
                **row["parameters"]
            )
        )
        for operation in ("keygen", "encaps", "decaps"):
            cycles = row[f"{operation}_cycles"]
            assert cycles in (None, getattr(formula, operation)())


@pytest.mark.parametrize("preset", LIMITS)
def test_presets_are_within_their_limits(preset):
    (row,) = (
        row for row in rows() if (row["preset"], row["level"], row["build"]) == (preset, 1, "full")
    )
    figures = [
        row[key] for key in ("lut", "bram36", "keygen_cycles", "encaps_cycles", "decaps_cycles")
    ]
    assert all(have <= limit for have, limit in zip(figures, LIMITS[preset], strict=True)), figures


def test_fast_takes_at_most_a_third_of_the_official_core():
    """In look-up tables times cycles, of the official core's best width."""
    (row,) = (
        row for row in rows() if (row["preset"], row["level"], row["build"]) == ("fast", 1, "full")
    )
    cycles = row["keygen_cycles"] + row["encaps_cycles"] + row["decaps_cycles"]
    theirs = [
        one["lut"] * (one["keygen"] + one["encaps"] + one["decaps"])
        for one in json.loads(PEER.read_text(encoding="ascii"))
    ]
    assert 3 * row["lut"] * cycles <= min(theirs)


def test_hp_takes_at_most_a_quarter_of_the_client_server_design():
    """In look-up tables; at 100 MHz in less time for KeyGen with Decaps, and for Encaps
    [GMFZ23, tables 4 and 5]."""
    (row,) = (
        row for row in rows() if (row["preset"], row["level"], row["build"]) == ("hp", 1, "full")
    )
    assert 4 * row["lut"] <= 217_932
    assert 5 * row["bram36"] <= 632.5
    assert row["keygen_cycles"] + row["decaps_cycles"] <= 52_000  # 0.58 ms are 58,000
    assert row["encaps_cycles"] <= 3_000


HQC_LIMITS = {  # as above, of HQC-1
    "light": (7000, 12, 12000, 26000, 38000),
    "fast": (13000, 29, 2500, 4840, 7500),  # a hundredth above 4,792, for the clock
}


@pytest.mark.parametrize("preset", HQC_LIMITS)
def test_presets_of_hqc_are_within_their_limits(preset):
    (row,) = (
        row
        for row in rows("HQC")
        if (row["preset"], row["level"], row["build"]) == (preset, 1, "full")
    )
    figures = [
        row[key] for key in ("lut", "bram36", "keygen_cycles", "encaps_cycles", "decaps_cycles")
    ]
    assert all(have <= limit for have, limit in zip(figures, HQC_LIMITS[preset], strict=True))


def test_better_open_core_takes_7_times_of_fast_hqc():
    """In look-up tables times cycles, although it does less: the open core leaves out h, y, H(ek)
    and its streams. 7 is rounded."""
    (row,) = (
        row
        for row in rows("HQC")
        if (row["preset"], row["level"], row["build"]) == ("fast", 1, "full")
    )
    theirs = json.loads((PEER.parent / "open_hqc.json").read_text(encoding="ascii"))
    assert [one["multipliers"] for one in theirs] == [1, 2]
    cycles = row["keygen_cycles"] + row["encaps_cycles"] + row["decaps_cycles"]
    best = min(one["lut"] * (one["keygen"] + one["encaps"] + one["decaps"]) for one in theirs)
    assert 6.95 * row["lut"] * cycles <= best


# At least, of the two cores apart: LUTs. A quarter is the goal of the joint core.
SAVED = {"light": 0.25, "mid": 0.24}


def test_joint_core_saves_a_quarter_of_the_two_apart():
    """With the cycles of both, and more of the block RAMs."""
    apart = {
        (row["core"], row["preset"], row["level"], row["build"]): row
        for row in rows("BIKE") + rows("HQC")
    }
    joint = [row for row in rows("joint") if row["preset"] in SAVED]
    assert {row["preset"] for row in joint} == set(SAVED)
    for row in joint:
        which, level = (row["preset"], row["level"], row["build"]), row["level"]
        two = [apart[core, *which] for core in (f"BIKE-L{level}", f"HQC-{level}")]
        for figure, least in [("lut", SAVED[row["preset"]]), ("bram36", 0.3)]:
            assert row[figure] <= (1 - least) * sum(one[figure] for one in two), (which, figure)
        (own,) = (one for one in two if row["core"] == f"joint {one['core']}")
        for operation in ("keygen", "encaps", "decaps"):
            assert row[f"{operation}_cycles"] == own[f"{operation}_cycles"]


@pytest.mark.parametrize("scheme", ["BIKE", "HQC"])
def test_clock_of_a_whole_core_is_that_of_its_routing(scheme):
    whole = {
        json.dumps(row["parameters"], sort_keys=True): row["mhz"]
        for row in json.loads(ROUTED.read_text(encoding="ascii"))
        if row["module"] == f"{scheme.lower()}_core"
    }
    for row in rows(scheme):
        assert row["ecp5_mhz"] == whole.get(json.dumps(row["parameters"], sort_keys=True)), row


# --- Netlists -------------------------------------------------------------------------------------

LOGIC = """module below(input a, input b, output y);
  assign y = a ^ b;
endmodule
module top(input clk, input a, input b, output reg [1:0] q, output [7:0] r);
  reg [7:0] memory [0:3];
  wire y;
  below u_below (.a(a), .b(b), .y(y));
  always @(posedge clk) begin
    q <= {y, q[0] & a};
    memory[q] <= {q, q, q, q};
  end
  assign r = memory[{a, b}];
endmodule
"""
# The same: all in one module, with other names, in another order.
SAME = """module top(input clk, input a, input b, output reg [1:0] q, output [7:0] r);
  wire other = a ^ b;  // of below
  reg [7:0] words [0:3];
  assign r = words[{a, b}];
  always @(posedge clk) words[q] <= {q, q, q, q};
  always @(posedge clk) q <= {other, q[0] & a};
endmodule
"""
OTHERS = {  # what is another netlist
    "cell": ("a ^ b", "a | b"),
    "bit": ("q[0] & a", "q[1] & a"),
    "input": ("q[0] & a", "q[0] & b"),
    "order of bits": ("{y, q[0] & a}", "{q[0] & a, y}"),
    "size of a memory": ("memory [0:3]", "memory [0:7]"),
    "what is written": ("{q, q, q, q}", "{q, q, q, ~q}"),
    "where it is written": ("memory[q]", "memory[~q]"),
    "kept boundary": ("module below", "(* keep_hierarchy *) module below"),
    "another cell of the same": ("assign y = a ^ b;", "wire z = a ^ b; assign y = z & (a ^ b);"),
}


def structure_of(text, folder):
    (folder / "design.v").write_text(text, encoding="ascii")
    script = f"read_verilog design.v; hierarchy -top top; {netlists.FLAT}; write_json design.json"
    run_tool.run("Yosys", [*run_tool.YOSYS, "-q", "-p", script], cwd=folder)
    modules = json.loads((folder / "design.json").read_text(encoding="utf-8"))["modules"]
    return structure.digest(modules["top"], modules)


def test_of_a_netlist_the_cells_count_and_what_they_are_connected_to(tmp_path):
    digest = structure_of(LOGIC, tmp_path)
    assert digest == structure_of(SAME, tmp_path)
    for name, (old, new) in OTHERS.items():
        assert LOGIC.count(old) == 1, name
        assert structure_of(LOGIC.replace(old, new), tmp_path) != digest, name


# --- Placing and routing --------------------------------------------------------------------------


def run_route(*arguments):
    return subprocess.run(
        [sys.executable, ROUTE, *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
        env=dict(os.environ),
    )


@pytest.mark.long
def test_route_gives_the_clock_of_a_module(tmp_path):
    file = tmp_path / "ecp5.json"
    of_light = {"scheme": "bike", "level": 1, "parameters": {"PRESET": 0}}
    kept, old = [of_light | {"module": module} for module in ("keccak", "kem_control")]
    file.write_text(json.dumps([old, kept]), encoding="ascii")
    done = run_route("--results", file, "kem_control", "PRESET=0")
    assert done.returncode == 0, done.stderr
    other, row = json.loads(file.read_text(encoding="ascii"))  # the earlier row is replaced
    assert other == kept
    assert (row["module"], row["preset"], row["level"]) == ("kem_control", "light", 1)
    assert 20 <= row["ff"] <= 40 and 20 <= row["lut4"] <= 200  # its registers: 23 bits
    assert 50 < row["mhz"] < 600 and list(row["mhz_by_seed"]) == ["1"]
    assert row["slowest_path"]["wires_ns"] > 0


@pytest.mark.long
def test_route_of_a_lane_is_near_the_checked_in_clock(tmp_path):
    done = run_route("--results", tmp_path / "ecp5.json", "gather_lane", "PRESET=2")
    assert done.returncode == 0, done.stderr
    (row,) = json.loads((tmp_path / "ecp5.json").read_text(encoding="ascii"))
    (kept,) = (
        one
        for one in json.loads(ROUTED.read_text(encoding="ascii"))
        if (one["module"], one["preset"], one["level"]) == ("gather_lane", "fast", 1)
    )
    assert row["ff"] == kept["ff"] and row["lut4"] == kept["lut4"]
    assert row["mhz"] == pytest.approx(kept["mhz_by_seed"]["1"], rel=0.2)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["no_module"], "no module no_module; it has bike_compare"),
        (["--scheme", "no", "kem_control"], "invalid choice: 'no'"),
        pytest.param(["--limit", "0", "kem_control"], "", marks=pytest.mark.long),
        (["keccak", "PRESET=big"], "NAME=NUMBER"),
        ([], "module"),
    ],
)
def test_route_says_what_is_wrong(arguments, message):
    done = run_route(*arguments)
    if message:
        assert done.returncode != 0 and message in done.stderr
    else:  # given up at once: a row that says so
        assert done.returncode == 0
        row = json.loads(done.stdout)
        assert row["mhz"] is None and row["unfinished_after_seconds"] == 0
