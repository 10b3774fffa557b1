# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Runs the cocotb test benches of single modules and of the bus wrapper under Verilator, and lint."""

import fcntl
import os
import pathlib

import pytest
from cocotb_tools.check_results import get_results
from cocotb_tools.runner import get_runner

import simulated

BENCHES = pathlib.Path(__file__).resolve().parent / "benches"
RTL = simulated.HARDWARE / "rtl"

# Waivers of `verilator --lint-only -Wall`, each with its reason.
WAIVERS = {
    "UNUSEDPARAM": "bike_pkg has constants for every unit; none uses all of them",
    "UNUSEDSIGNAL": "wide sums and products of which only some bits are needed, fields of structs "
                    "and address bits that a small memory does not have",
}


def run_bench(build, monkeypatch, top, bench, parameters):
    """Builds a module and runs its bench; fails if a test of it fails."""
    command, environment = simulated.build.verilator_command()
    monkeypatch.setenv("PATH", f"{pathlib.Path(command[0]).parent}:{os.environ['PATH']}")
    if "VERILATOR_ROOT" in environment:
        monkeypatch.setenv("VERILATOR_ROOT", environment["VERILATOR_ROOT"])
    monkeypatch.setenv("MAKEFLAGS", "CXX=g++ LINK=g++ OBJCACHE= CFG_CXXFLAGS_PCH_I=-include")
    monkeypatch.syspath_prepend(BENCHES)  # the runner hands sys.path on to the simulation
    for name, value in parameters.items():
        monkeypatch.setenv(f"BENCH_{name}", str(value))
    text = "-".join(f"{name}={value}" for name, value in sorted(parameters.items()))
    folder = build.folder(f"bench-{top}-{text}")
    folder.mkdir(parents=True, exist_ok=True)
    waves = bool(os.environ.get("CODEKEM_WAVES"))  # then dump.vcd is in the folder
    with (folder / ".lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        runner = get_runner("verilator")
        runner.build(sources=simulated.build.rtl_files(), hdl_toplevel=top, parameters=parameters,
                     build_dir=folder, build_args=["-Wno-fatal", "-O3"], waves=waves,
                     log_file=folder / "build.log", always=True)
        try:
            results = runner.test(hdl_toplevel=top, test_module=bench, build_dir=folder,
                                  test_dir=folder, waves=waves, log_file=folder / "test.log",
                                  results_xml=folder / "results.xml")
        except SystemExit:  # how the runner reports a bench that fails
            pytest.fail((folder / "test.log").read_text()[-6000:])
    ran, failed = get_results(results)
    assert ran > 0
    assert failed == 0


MODULES = [
    ("keccak", "bench_keccak", {"ROUNDS": 1}),
    ("gather_counters", "bench_counters", {"WORD": 64, "LANES": 8, "BITS": 8}),
    ("row_writer", "bench_row_writer", {"R": 12323, "WORD": 128, "STRIDE": 64, "ROW_BITS": 8}),
    ("gather_lane", "bench_lane", {"R": 12323, "WORD": 128, "STRIDE": 64, "LIST": 64}),
    ("bike_threshold", "bench_threshold", {"LEVEL": 1}),
    ("divstep_control", "bench_divstep_control", {"STEPS": 32, "RATE": 2}),
]
OTHERS = [
    ("keccak", "bench_keccak", {"ROUNDS": 3}),
    ("gather_counters", "bench_counters", {"WORD": 64, "LANES": 6, "BITS": 1}),
    ("row_writer", "bench_row_writer", {"R": 12323, "WORD": 64, "STRIDE": 64, "ROW_BITS": 8}),
    ("row_writer", "bench_row_writer", {"R": 40973, "WORD": 128, "STRIDE": 32, "ROW_BITS": 11}),
    ("bike_threshold", "bench_threshold", {"LEVEL": 3}),
    ("bike_threshold", "bench_threshold", {"LEVEL": 5}),
    ("divstep_control", "bench_divstep_control", {"STEPS": 64, "RATE": 4}),
]


@pytest.mark.parametrize(("top", "bench", "parameters"), MODULES)
def test_module(build, monkeypatch, top, bench, parameters):
    run_bench(build, monkeypatch, top, bench, parameters)


@pytest.mark.long
@pytest.mark.parametrize(("top", "bench", "parameters"), OTHERS)
def test_module_otherwise_configured(build, monkeypatch, top, bench, parameters):
    run_bench(build, monkeypatch, top, bench, parameters)


@pytest.mark.long
@pytest.mark.parametrize("parameters", [
    {"LEVEL": 1, "WORD": 64, "INV_WORD": 64, "STEPS": 32},
    {"LEVEL": 1, "WORD": 128, "INV_WORD": 384, "STEPS": 16},
    {"LEVEL": 5, "WORD": 128, "INV_WORD": 256, "STEPS": 64},
], ids=str)
def test_inverter(build, monkeypatch, parameters):
    run_bench(build, monkeypatch, "bike_inverter", "bench_inverter", parameters)


@pytest.mark.long
def test_bus(build, monkeypatch):
    run_bench(build, monkeypatch, "bike_axi", "bench_axi", {"LEVEL": 1, "PRESET": 2})


@pytest.mark.parametrize("preset", [0, 1, 2])
@pytest.mark.parametrize("level", [1, 3, 5])
def test_lint(level, preset):
    simulated.build.run(["--lint-only", "-Wall", *[f"-Wno-{name}" for name in WAIVERS],
                         f"-GLEVEL={level}", f"-GPRESET={preset}", "--top-module", "bike_axi",
                         *simulated.build.rtl_files()])


def test_lint_finds_a_fault(tmp_path):
    (tmp_path / "bad.sv").write_text("module bad (input logic [3:0] a_i, output logic b_o);\n"
                                     "  assign b_o = a_i;\nendmodule\n")
    with pytest.raises(simulated.build.BuildError, match="WIDTHTRUNC"):
        simulated.build.run(["--lint-only", "-Wall", tmp_path / "bad.sv"])
