# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The sources are accepted by slang, in Yosys, with its warnings as errors."""

import pytest

from hardware.tests import simulated
from hardware.tests.every_core import CORES, CORES_AT_LEVELS
from tools.flow import run_tool

# Warnings that are right as they are, each with its reason.
WAIVERS = {
    "case-redundant-default": "default is for the codes that an enumeration does not name",
    "useless-cast": "whether a cast changes a width depends on parameters",
}


def elaborate(files, top, options="", behind=""):
    """Runs slang and its elaboration to Yosys' netlist; `behind`: commands of Yosys."""
    names = " ".join(str(path.relative_to(simulated.HARDWARE)) for path in files)
    strict = " ".join(["-Wextra", "-Wpedantic", "-Werror", *(f"-Wno-{name}" for name in WAIVERS)])
    script = f"read_slang -j 1 {strict} {options} {names} --top {top}; {behind}"
    run_tool.run("Yosys", [*run_tool.YOSYS, "-q", "-p", script])


@pytest.mark.parametrize(("scheme", "preset", "level"), CORES_AT_LEVELS)
def test_slang_accepts_the_sources(scheme, level, preset):
    options = f"-G LEVEL={level} -G PRESET={preset}"
    elaborate(simulated.build.rtl_files(scheme), f"{scheme}_axi", options)


@pytest.mark.long
@pytest.mark.parametrize(("scheme", "preset"), CORES)
def test_yosys_finds_no_problem(scheme, preset):
    """No latch, no loop, no wire with two drivers or none."""
    elaborate(
        simulated.build.rtl_files(scheme),
        f"{scheme}_axi",
        f"-G PRESET={preset}",
        "proc; select -assert-none t:$dlatch* t:$adlatch* t:$sr; check -assert",
    )


FAULTS = {
    "latch": "  always_comb if (x_i[0]) y_o = x_i;\n",
    "two-drivers": "  assign y_o = x_i;\n  assign y_o = ~x_i;\n",
    "width": "  assign y_o = {x_i, x_i};\n",
}


@pytest.mark.parametrize("fault", sorted(FAULTS))
def test_fault_is_found(fault):
    folder = simulated.HARDWARE / "build" / "slang"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{fault}.sv"
    path.write_text(
        f"module bad (input logic [3:0] x_i, output logic [3:0] y_o);\n{FAULTS[fault]}endmodule\n",
        encoding="ascii",
    )
    with pytest.raises(run_tool.ToolError):
        elaborate([path], "bad", behind="proc; select -assert-none t:$dlatch*; check -assert")
