# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Areas, clocks and energy in standard cells: what hardware/syn/silicon.py makes of a small design,
and what it refuses."""

import collections
import gzip
import json
import pathlib
import shutil

import pytest

from hardware.syn import silicon
from hardware.tests import simulated
from tools.flow import areas, run_tool

STORED = simulated.HARDWARE / "results" / "silicon.json"
FOLDER = simulated.HARDWARE / "build" / "silicon-test"
# --- A library and a netlist of a few cells -------------------------------------------------------

LIBERTY = """library (made_up) {
  cell ("NAND") {
    area : 2.0;
  }
  cell (BUF) {
    leakage_power () { value : 9.0; }
    area : 3;
  }
  cell (DFF) {
    area : 8.000;
    ff (IQ, IQN) { next_state : "D"; clocked_on : "CK"; }
  }
  cell (SMALL) {
    area : 0.1;
  }
}
"""
MADE_UP = silicon.Library("", "", "NAND", ("BUF", "A", "Z"), ("CK",), ("SMALL",), 500, (0.1, 0.2))


def a_memory(words=64, **changed):
    """Returns a memory of one clocked read port, with an address of two bits and a bit of data."""
    bits = {"SIZE": words, "WIDTH": 1, "RD_PORTS": 1, "WR_PORTS": 1, "RD_CLK_ENABLE": 1} | changed
    pins = {"RD_ADDR": [4, "0"], "RD_EN": ["1"], "WR_ADDR": [4, 5], "WR_DATA": [6], "WR_EN": [5]}
    return {
        "type": "$mem_v2",
        "parameters": {name: f"{value:b}" for name, value in bits.items()},
        "connections": {**pins, "RD_DATA": [7]},
    }


def a_module(flip_flops):
    """Returns a netlist in which the word of a memory drives so many flip-flops."""
    cells = {"memory": a_memory()}
    for number in range(flip_flops):
        cells[f"f{number}"] = {
            "type": "DFF",
            "connections": {"CK": [2], "D": [7], "Q": [100 + number]},
        }
    ports = {"clk_i": ("input", [2]), "x_i": ("input", [4, 5, 6]), "y_o": ("output", [100, "1"])}
    return {
        "ports": {name: {"direction": d, "bits": bits} for name, (d, bits) in ports.items()},
        "netnames": {
            "y_q": {"bits": [100, 101], "hide_name": 0},
            "word": {"bits": [7], "hide_name": 0},
        },
        "cells": cells,
    }


@pytest.mark.parametrize(("sinks", "buffers"), [(16, 0), (17, 2), (16 * 16, 16), (16 * 17, 17 + 2)])
def test_buffers_keep_the_fan_out(sinks, buffers):
    netlist = silicon.Netlist(a_module(sinks), MADE_UP)
    assert netlist.buffers == buffers
    kinds = collections.Counter(kind for kind, _ in netlist.cells)
    assert kinds == {"DFF": sinks, "MEMORY_IN": 3, "MEMORY_OUT": 1} | (
        {"BUF": buffers} if buffers else {}
    )
    takers = collections.Counter(
        pins[pin] for kind, pins in netlist.cells for pin in ("A", "D") if pin in pins
    )
    assert max(takers.values()) <= silicon.FAN_OUT
    drivers = [pins[pin] for _, pins in netlist.cells for pin in ("Q", "Z") if pin in pins]
    assert len(drivers) == len(set(drivers))
    assert set(takers) - set(drivers) <= {4, 5, 6}  # those of the memory come from ports


def test_netlist_for_the_timing():
    """A port is a bit; constants stay; ends of paths have the names of the source."""
    netlist = silicon.Netlist(a_module(2), MADE_UP)
    lines = netlist.verilog().splitlines()
    assert lines[0] == "module top (n2, n4, n5, n6, n100);" and "output n100;" in lines
    assert "DFF i4 (.CK(n2), .D(n7), .Q(n100));" in lines
    assert [netlist.source_of(one) for one in ("i0", "i3", "i4")] == [
        "memory at 4",
        "word",
        "y_q[0]",
    ]
    assert '("0.2")' in silicon.ends_of(MADE_UP) and '("0.1")' in silicon.ends_of(MADE_UP)


def test_areas_of_units():
    """In gate equivalents, a unit with what is below it; an unknown cell is refused."""
    modules = silicon.with_counts(
        {
            "core": {"cells": {"u_unit": {"type": "unit$1"}}},
            "unit$1": {"cells": {str(number): {"type": "NAND"} for number in range(996)}},
        }
    )
    modules["\\core"]["num_cells_by_type"] |= {"DFF": 5}
    modules["\\unit$1"]["num_cells_by_type"] |= {"DFF": 1, "$mem_v2": 1}
    found = silicon.read_cells(LIBERTY, MADE_UP.avoided)
    figures = silicon.figures_of(modules, "\\core", found, "NAND", ["unit", "other"])
    assert figures == {"kge": 1.02, "kge_registers": 0.02, "registers": 6, "units": {"unit": 1.0}}
    modules["\\core"]["num_cells_by_type"]["SMALL"] = 1
    with pytest.raises(run_tool.ToolError, match="SMALL"):
        silicon.figures_of(modules, "\\core", found, "NAND", [])


def test_memories_are_listed():
    cells = {"a": a_memory(), "b": a_memory(), "c": a_memory(128, WIDTH=9, WR_PORTS=2)}
    found = silicon.memories_of({"cells": cells})
    assert [tuple(one.values()) for one in found] == [(128, 9, 1, 2, 1), (64, 1, 1, 1, 2)]
    cells["d"] = a_memory(RD_PORTS=2)
    with pytest.raises(run_tool.ToolError, match="64 words is read without a clock"):
        silicon.memories_of({"cells": cells})


# --- Libraries ------------------------------------------------------------------------------------


def test_another_library_is_refused(tmp_path):
    library = silicon.LIBRARIES["nangate45"]
    with pytest.raises(run_tool.ToolError, match="no library"):
        silicon.load(library, tmp_path)
    (tmp_path / "examples").mkdir()
    with gzip.open(tmp_path / library.path, "wt") as file:
        file.write(LIBERTY)
    with pytest.raises(run_tool.ToolError, match="another library"):
        silicon.load(library, tmp_path)


def test_what_is_avoided_leaves_a_whole_library():
    found = silicon.read_cells(LIBERTY, ("SM*", "NAND"))
    assert found.area == {"BUF": 3, "DFF": 8} and found.registers == {"DFF"}
    assert found.text.count("{") == found.text.count("}") and "NAND" not in found.text
    assert silicon.read_cells(LIBERTY).text == LIBERTY


# --- The whole flow -------------------------------------------------------------------------------

OSU018 = pathlib.Path("/usr/share/qflow/tech/osu018/osu018_stdcells.lib")  # of Debian
# 64 x 8 bits are a memory, 4 x 8 are registers, a table of 64 words becomes gates, a program of 512
# is a memory; one register chooses for forty others.
DESIGN = """module tiny(input logic clk_i, write_i, input logic [5:0] at_i,
             input logic [8:0] step_i, input logic [39:0] x_i, output logic [39:0] y_o,
             output logic [7:0] a_o, b_o, c_o, d_o);
  logic [7:0] many[64], few[4], squares[64], codes[512];
  initial for (int i = 0; i < 64; i++) squares[i] = 8'(i * i);
  initial for (int i = 0; i < 512; i++) codes[i] = 8'(i * i >> 4);
  logic [39:0] y_q;
  logic held_q;
  always_ff @(posedge clk_i) begin
    held_q <= write_i;
    y_q <= held_q ? x_i + 40'(a_o) : y_q;
    if (write_i) many[at_i] <= x_i[7:0];
    if (write_i) few[at_i[1:0]] <= x_i[7:0];
    a_o <= many[at_i];
    d_o <= codes[step_i];
  end
  assign c_o = squares[at_i];
  assign y_o = y_q;
  assign b_o = few[at_i[1:0]];
endmodule
"""
REGISTERS = 40 + 1 + 4 * 8  # what is read of the memory is registered in it


@pytest.mark.long
def test_area_clock_and_energy_of_a_small_design():
    """A memory that answers late is the slowest, and named."""
    if shutil.which("sta") is None or not OSU018.exists():
        pytest.skip("this system has no opensta or qflow-tech-osu018 (tools/packages-hardware.txt)")
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    (FOLDER / "tiny.sv").write_text(DESIGN, encoding="ascii")
    library = MADE_UP._replace(unit="NAND2X1", buffer=("BUFX4", "A", "Y"), clocks=("CLK",))
    found = silicon.read_cells(OSU018.read_text(encoding="ascii"))
    read = f"read_slang -j 1 {(FOLDER / 'tiny.sv').relative_to(simulated.HARDWARE)}"

    def measured(**changed):
        return silicon.measure(read, "tiny", [], library._replace(**changed), found, FOLDER)

    figures = measured()
    assert figures["registers"] == REGISTERS
    memories = [
        {"words": words, "bits": 8, "reads": 1, "writes": writes, "number": 1}
        for words, writes in ((512, 0), (64, 1))
    ]
    assert figures["memories"] == memories and figures["memory_bits"] == 8 * (512 + 64)
    assert figures["kge_registers"] == round(
        REGISTERS * found.area["DFFPOSX1"] / found.area["NAND2X1"] / 1000, 2
    )
    assert figures["kge_registers"] < figures["kge"] < 2
    assert 0 < figures["clock_pj"] < figures["toggles_pj"] and figures["leakage_uw"] > 0
    slow = measured(memory_ns=(0.1, 8))
    assert 100 < figures["mhz"] < 2000 and slow["mhz"] < 125
    assert "a_o" in slow["slowest_path"][0] and "y_" in slow["slowest_path"][1]


# --- Stored rows ----------------------------------------------------------------------------------


def test_stored_rows_are_of_both_schemes_and_libraries():
    rows = json.loads(STORED.read_text(encoding="ascii"))
    assert {(row["core"], row["preset"], row["library"]) for row in rows} >= {
        (core, "light", library) for core in ("BIKE-L1", "HQC-1") for library in silicon.LIBRARIES
    }
    (light,) = (row for row in rows if row["case"] == "HQC-1 light osu018")
    assert light["kge"] <= 75  # the goal, counted with the library in which it was set
    flip_flops = {
        (row["core"], row["preset"]): row["ff"]
        for row in areas.read(STORED.parent)
        if row["build"] == "full"
    }
    for row in rows:
        assert row["kge_registers"] < row["kge"] and row["mhz"] > 50
        assert row["memory_bits"] == sum(
            one["words"] * one["bits"] * one["number"] for one in row["memories"]
        )
        assert min(one["words"] for one in row["memories"]) >= silicon.SMALL
        if (core := (row["core"], row["preset"])) in flip_flops:
            assert row["registers"] >= 0.95 * flip_flops[core]
