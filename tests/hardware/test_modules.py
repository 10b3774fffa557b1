# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Runs the cocotb test benches of single modules and of the bus wrapper under Verilator, and
lint."""

import re

import pytest

import simulated

RTL = simulated.HARDWARE / "rtl"

# Warnings of `verilator --lint-only -Wall` that are right as they are, each with its reason.
WAIVERS = simulated.HARDWARE / "sim" / "lint.vlt"


# Module, bench, parameters: what `make test` runs.
MODULES = [
    ("keccak", "bench_keccak", {"ROUNDS": 1}),
    ("gather_counters", "bench_counters", {"WORD": 64, "LANES": 8, "BITS": 8}),
    ("row_writer", "bench_row_writer", {"R": 12323, "WORD": 128, "STRIDE": 64, "ROW_BITS": 8}),
    ("gather_lane", "bench_lane", {"R": 12323, "WORD": 128, "STRIDE": 64, "LIST": 64}),
    ("bike_threshold", "bench_threshold", {"LEVEL": 1}),
    ("divstep_control", "bench_divstep_control", {"STEPS": 32, "RATE": 2}),
    ("divstep_pair", "bench_divstep_pair", {"N": 68}),
    ("divstep_stage", "bench_divstep_stage", {"WORD": 64, "STEPS": 4}),
    ("weight_of", "bench_weight", {"WIDTH": 128}),
    ("kem_memory", "bench_memory", {"WIDTH": 15, "DEPTH": 97}),
    ("kem_strings", "bench_memory", {}),
    ("kem_slots", "bench_memory", {"LEVEL": 1, "WORD": 128}),
    ("bike_sampler", "bench_sampler", {"LEVEL": 1, "WORD": 128}),
    ("bike_hash", "bench_hash", {"LEVEL": 1, "WORD": 128, "ROUNDS": 1}),
    ("bike_compare", "bench_compare", {"LEVEL": 1, "WORD": 128}),
    ("bike_rows", "bench_rows", {"LEVEL": 1, "WORD": 128, "STRIDE": 64}),
    ("bike_positions", "bench_positions", {"LEVEL": 1, "LANES": 8, "SHIFT": 7, "LIST_BITS": 6}),
    ("kem_receive", "bench_receive", {"LEVEL": 1, "WORD": 128}),
    ("kem_send", "bench_send", {"LEVEL": 1, "WORD": 128}),
    ("bike_sequencer", "bench_sequencer", {"BUILD": 0}),
    ("kem_control", "bench_control", {"WIPE_WORDS": 30}),
    (
        "bike_gather",
        "bench_gather",
        {"LEVEL": 1, "WORD": 128, "STRIDE": 64, "LANES": 8, "DECODER": 1},
    ),
    ("bike_inverter", "bench_inverter", {"LEVEL": 1, "WORD": 64, "INV_WORD": 64, "STEPS": 32}),
    # The server's build has one operation, which is enough for the bus, and compiles faster.
    ("bike_axi", "bench_axi", {"LEVEL": 1, "PRESET": 2, "BUILD": 2}),
]
# And `make test-long`.
OTHERS = [
    ("bike_inverter", "bench_inverter", {"LEVEL": 1, "WORD": 128, "INV_WORD": 384, "STEPS": 16}),
    ("bike_inverter", "bench_inverter", {"LEVEL": 5, "WORD": 128, "INV_WORD": 256, "STEPS": 64}),
    ("bike_axi", "bench_axi", {"LEVEL": 1, "PRESET": 2, "BUILD": 0}),
    ("keccak", "bench_keccak", {"ROUNDS": 3}),
    ("gather_counters", "bench_counters", {"WORD": 64, "LANES": 6, "BITS": 1}),
    ("row_writer", "bench_row_writer", {"R": 12323, "WORD": 64, "STRIDE": 64, "ROW_BITS": 8}),
    ("row_writer", "bench_row_writer", {"R": 40973, "WORD": 128, "STRIDE": 32, "ROW_BITS": 11}),
    ("bike_threshold", "bench_threshold", {"LEVEL": 3}),
    ("bike_threshold", "bench_threshold", {"LEVEL": 5}),
    ("divstep_control", "bench_divstep_control", {"STEPS": 64, "RATE": 4}),
    ("divstep_stage", "bench_divstep_stage", {"WORD": 32, "STEPS": 8}),
    ("weight_of", "bench_weight", {"WIDTH": 6}),
    ("weight_of", "bench_weight", {"WIDTH": 83}),
    ("kem_memory", "bench_memory", {"WIDTH": 192, "DEPTH": 512}),
    ("kem_slots", "bench_memory", {"LEVEL": 3, "WORD": 64}),
    ("bike_sampler", "bench_sampler", {"LEVEL": 3, "WORD": 64}),
    ("bike_sampler", "bench_sampler", {"LEVEL": 5, "WORD": 256}),
    ("bike_hash", "bench_hash", {"LEVEL": 1, "WORD": 64, "ROUNDS": 2}),
    ("bike_hash", "bench_hash", {"LEVEL": 3, "WORD": 64, "ROUNDS": 6}),
    ("bike_hash", "bench_hash", {"LEVEL": 5, "WORD": 256, "ROUNDS": 4}),
    ("bike_compare", "bench_compare", {"LEVEL": 5, "WORD": 64}),
    ("bike_rows", "bench_rows", {"LEVEL": 3, "WORD": 256, "STRIDE": 32}),
    ("bike_rows", "bench_rows", {"LEVEL": 5, "WORD": 64, "STRIDE": 64}),
    ("bike_positions", "bench_positions", {"LEVEL": 3, "LANES": 6, "SHIFT": -2, "LIST_BITS": 7}),
    ("bike_positions", "bench_positions", {"LEVEL": 5, "LANES": 2, "SHIFT": 61, "LIST_BITS": 9}),
    ("kem_receive", "bench_receive", {"LEVEL": 3, "WORD": 64}),
    ("kem_receive", "bench_receive", {"LEVEL": 5, "WORD": 256}),
    ("kem_send", "bench_send", {"LEVEL": 3, "WORD": 256}),
    ("kem_send", "bench_send", {"LEVEL": 5, "WORD": 64}),
    ("bike_sequencer", "bench_sequencer", {"BUILD": 1}),
    ("bike_sequencer", "bench_sequencer", {"BUILD": 2}),
    (
        "bike_gather",
        "bench_gather",
        {"LEVEL": 1, "WORD": 64, "STRIDE": 16, "LANES": 10, "DECODER": 1},
    ),
    (
        "bike_gather",
        "bench_gather",
        {"LEVEL": 3, "WORD": 128, "STRIDE": 64, "LANES": 8, "DECODER": 0},
    ),
    (
        "bike_gather",
        "bench_gather",
        {"LEVEL": 5, "WORD": 256, "STRIDE": 128, "LANES": 4, "DECODER": 1},
    ),
]
# What has no bench of its own, and why.
WITHOUT_BENCH = {
    "kem_pkg": "no module: what the units of every core share",
    "bike_pkg": "no module: parameters and codes, which all benches use",
    "keccak_round": "one round of keccak, whose bench compares with hashlib",
    "bike_core": "test_core.py runs it whole",
}


SLOW = {"bike_gather", "bike_inverter", "bike_axi"}


def named(benches):
    return [
        pytest.param(
            *bench,
            id="-".join([bench[0], *map(str, bench[2].values())]),
            marks=[pytest.mark.slow] if bench[0] in SLOW else [],
        )
        for bench in benches
    ]


@pytest.mark.parametrize(("top", "module", "parameters"), named(MODULES))
def test_module(bench, top, module, parameters):
    bench(top, module, parameters, mistake=0)  # the model that test_mistakes.py uses, too


@pytest.mark.long
@pytest.mark.parametrize(("top", "module", "parameters"), named(OTHERS))
def test_module_otherwise_configured(bench, top, module, parameters):
    bench(top, module, parameters)


def test_every_module_has_a_bench():
    sources = sorted(path.stem for path in RTL.rglob("*.sv"))
    benches = {top for top, *_ in MODULES}
    assert {top for top, *_ in OTHERS} <= benches
    assert not benches & set(WITHOUT_BENCH)
    assert sources == sorted(benches | set(WITHOUT_BENCH))


def lint(level, preset, *others):
    return simulated.build.run(
        [
            "--lint-only",
            "-Wall",
            f"-GLEVEL={level}",
            f"-GPRESET={preset}",
            "--top-module",
            "bike_axi",
            *others,
            *simulated.build.rtl_files(),
        ]
    )


@pytest.mark.parametrize("preset", [0, 1, 2])
@pytest.mark.parametrize("level", [1, 3, 5])
def test_lint(level, preset):
    lint(level, preset, WAIVERS)


def test_every_waiver_is_needed():
    """Each is for one signal of one file, of which Verilator warns without it."""
    lines = WAIVERS.read_text(encoding="ascii").splitlines()
    waivers = [line for line in lines if line.startswith("lint_off")]
    pattern = r"""lint_off -rule (\w+) -file "\*/(\w+\.sv)" -match "\*'(\w+)'\*"$"""
    named = [re.fullmatch(pattern, line) for line in waivers]
    assert waivers and all(named)
    warned = {
        (rule, name, signal)
        for preset in (0, 1, 2)
        for rule, name, signal in re.findall(
            r"%Warning-(\w+): \S*?(\w+\.sv):\d+:\d+: .*?'(\w+)'", lint(1, preset, "-Wno-fatal")
        )
    }
    assert {match.groups() for match in named} <= warned


def test_lint_finds_a_fault(tmp_path):
    (tmp_path / "bad.sv").write_text(
        "module bad (input logic [3:0] a_i, output logic b_o);\n  assign b_o = a_i;\nendmodule\n"
    )
    with pytest.raises(simulated.build.BuildError, match="WIDTHTRUNC"):
        simulated.build.run(["--lint-only", "-Wall", tmp_path / "bad.sv"])
