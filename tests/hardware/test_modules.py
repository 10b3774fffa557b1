# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Runs the cocotb test benches of single modules and of the bus wrapper under Verilator, and lint."""

import pytest

import simulated

RTL = simulated.HARDWARE / "rtl"

# Waivers of `verilator --lint-only -Wall`, each with its reason.
WAIVERS = {
    "UNUSEDPARAM": "bike_pkg has constants for every unit; none uses all of them",
    "UNUSEDSIGNAL": "wide sums and products of which only some bits are needed, fields of structs "
                    "and address bits that a small memory does not have",
}


MODULES = [
    ("keccak", "bench_keccak", {"ROUNDS": 1}),
    ("gather_counters", "bench_counters", {"WORD": 64, "LANES": 8, "BITS": 8}),
    ("row_writer", "bench_row_writer", {"R": 12323, "WORD": 128, "STRIDE": 64, "ROW_BITS": 8}),
    ("gather_lane", "bench_lane", {"R": 12323, "WORD": 128, "STRIDE": 64, "LIST": 64}),
    ("bike_threshold", "bench_threshold", {"LEVEL": 1}),
    ("divstep_control", "bench_divstep_control", {"STEPS": 32, "RATE": 2}),
    ("bike_sampler", "bench_sampler", {"LEVEL": 1, "WORD": 128}),
    ("bike_hash", "bench_hash", {"LEVEL": 1, "WORD": 128, "ROUNDS": 1}),
]
OTHERS = [
    ("keccak", "bench_keccak", {"ROUNDS": 3}),
    ("gather_counters", "bench_counters", {"WORD": 64, "LANES": 6, "BITS": 1}),
    ("row_writer", "bench_row_writer", {"R": 12323, "WORD": 64, "STRIDE": 64, "ROW_BITS": 8}),
    ("row_writer", "bench_row_writer", {"R": 40973, "WORD": 128, "STRIDE": 32, "ROW_BITS": 11}),
    ("bike_threshold", "bench_threshold", {"LEVEL": 3}),
    ("bike_threshold", "bench_threshold", {"LEVEL": 5}),
    ("divstep_control", "bench_divstep_control", {"STEPS": 64, "RATE": 4}),
    ("bike_sampler", "bench_sampler", {"LEVEL": 3, "WORD": 64}),
    ("bike_sampler", "bench_sampler", {"LEVEL": 5, "WORD": 256}),
    ("bike_hash", "bench_hash", {"LEVEL": 1, "WORD": 64, "ROUNDS": 2}),
    ("bike_hash", "bench_hash", {"LEVEL": 3, "WORD": 64, "ROUNDS": 6}),
    ("bike_hash", "bench_hash", {"LEVEL": 5, "WORD": 256, "ROUNDS": 4}),
]


@pytest.mark.parametrize(("top", "module", "parameters"), MODULES)
def test_module(bench, top, module, parameters):
    bench(top, module, parameters)


@pytest.mark.long
@pytest.mark.parametrize(("top", "module", "parameters"), OTHERS)
def test_module_otherwise_configured(bench, top, module, parameters):
    bench(top, module, parameters)


@pytest.mark.long
@pytest.mark.parametrize("parameters", [
    {"LEVEL": 1, "WORD": 64, "INV_WORD": 64, "STEPS": 32},
    {"LEVEL": 1, "WORD": 128, "INV_WORD": 384, "STEPS": 16},
    {"LEVEL": 5, "WORD": 128, "INV_WORD": 256, "STEPS": 64},
], ids=str)
def test_inverter(bench, parameters):
    bench("bike_inverter", "bench_inverter", parameters)


@pytest.mark.long
def test_bus(bench):
    bench("bike_axi", "bench_axi", {"LEVEL": 1, "PRESET": 2})


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
