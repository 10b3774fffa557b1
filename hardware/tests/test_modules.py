# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Runs the cocotb test benches of single modules and of the bus wrapper under Verilator, and
lint."""

import re

import pytest

from hardware.tests import hqc_modules, joint_modules, simulated
from hardware.tests.every_core import CORES, CORES_AT_LEVELS

RTL = simulated.HARDWARE / "rtl"

# Warnings of `verilator --lint-only -Wall` that are right as they are, each with its reason.
WAIVERS = simulated.HARDWARE / "sim" / "lint.vlt"


def inverters(*values):
    names = ("LEVEL", "WORD", "INV_WORD", "STEPS", "STAGE", "RATE")
    return [
        ("bike_inverter", "bench_inverter", dict(zip(names, some, strict=True))) for some in values
    ]


# Module, bench, parameters: what `make test` runs.
MODULES = [
    ("keccak", "bench_keccak", {"ROUNDS": 1}),
    ("keccak_sponge", "bench_sponge", {"ROUNDS": 1, "BUFFERED": 1}),
    ("gather_counters", "bench_counters", {"WORD": 64, "LANES": 8, "BITS": 8}),
    (
        "gather_unit",
        "bench_gather_unit",
        {
            "R": 1213,
            "LONG": 2200,
            "WORD": 64,
            "STRIDE": 32,
            "LANES": 8,
            "BITS": 5,
            "LIST": 32,
            "PARTS": 2,
            "REGIONS": 2,
        },
    ),
    ("row_writer", "bench_row_writer", {"R": 12323, "WORD": 128, "STRIDE": 64, "ROW_BITS": 8}),
    ("gather_lane", "bench_lane", {"R": 12323, "WORD": 128, "STRIDE": 64, "LIST": 64}),
    ("bike_threshold", "bench_threshold", {"LEVEL": 1, "LOWER_FIRST_THRESHOLD": 6}),
    ("divstep_control", "bench_divstep_control", {"STEPS": 32, "STAGE": 4, "RATE": 2}),
    ("divstep_pair", "bench_divstep_pair", {"N": 68}),
    ("divstep_stage", "bench_divstep_stage", {"WORD": 64, "STEPS": 4}),
    ("weight_of", "bench_weight", {"WIDTH": 128}),
    ("kem_late", "bench_late", {"WORD": 64}),
    ("kem_memory", "bench_memory", {"WIDTH": 15, "DEPTH": 97}),
    ("kem_strings", "bench_memory", {"STRINGS": 4, "READ_PORTS": 2}),
    ("kem_slots", "bench_memory", {"SLOTS": 5, "WORDS": 97, "WORD": 128, "READ_PORTS": 1}),
    ("kem_sampler", "bench_kem_sampler", {"WORD": 64, "POSITIONS": 1500}),
    ("bike_sampler", "bench_sampler", {"LEVEL": 1, "WORD": 128}),
    ("bike_hash", "bench_hash", {"LEVEL": 1, "WORD": 128, "ROUNDS": 1, "BUFFERED": 0}),
    ("bike_compare", "bench_compare", {"LEVEL": 1, "WORD": 128}),
    ("bike_rows", "bench_rows", {"LEVEL": 1, "WORD": 128, "STRIDE": 64, "EXTRA": 27}),
    ("bike_positions", "bench_positions", {"LEVEL": 1, "LANES": 8, "SHIFT": 7, "LIST_BITS": 6}),
    (
        "kem_receive",
        "bench_receive",
        {"WORD": 128, "TAIL_BYTES": 1, "LIMIT": 12323, "LIST_BASE": 128, "COUNT_BITS": 11},
    ),
    (
        "kem_send",
        "bench_send",
        {"WORD": 128, "POSITION_BITS": 14, "LIST_BASE": 128, "COUNT_BITS": 11},
    ),
    ("kem_sequencer", "bench_sequencer", {"UNITS": 5, "STEP_BITS": 6}),
    ("bike_program", "bench_program", {"BUILD": 0, "OVERLAP": 0}),
    ("kem_control", "bench_control", {"WIPE_WORDS": 30}),
    (
        "bike_gather",
        "bench_gather",
        {"LEVEL": 1, "WORD": 128, "STRIDE": 64, "LANES": 8, "DECODER": 1},
    ),
    (
        "inverter_load",
        "bench_inverter_load",
        {"R": 12323, "WORD": 128, "INV_WORD": 384, "DEPTH": 65},
    ),
    ("inverter_order", "bench_inverter_order", {"R": 12323, "WORD": 512, "STEPS": 32, "DEPTH": 49}),
    ("inverter_sweep", "bench_inverter_sweep", {"WORD": 64, "STEPS": 16, "STAGE": 4, "DEPTH": 30}),
    (
        "inverter_copy",
        "bench_inverter_copy",
        {"R": 12323, "WORD": 128, "INV_WORD": 384, "DEPTH": 65},
    ),
    *inverters((1, 64, 64, 32, 4, 2)),
    ("kem_skid", "bench_skid", {"WIDTH": 32}),
    ("kem_axi", "bench_kem_axi", {"ADDR_BITS": 12}),
    # The server's build has one operation, which is enough for the bus, and compiles faster.
    ("bike_axi", "bench_axi", {"LEVEL": 1, "PRESET": 2, "BUILD": 2}),
    ("masked_sponge", "bench_masked_sponge", {}),
    ("masked_engine", "bench_masked_engine", {"WORD": 128, "DEPTH": 1024, "CODE": 4096}),
    ("masked_product", "bench_masked_product", {"N": 1213, "WORD": 64, "LANES": 2, "LIST": 8}),
    ("masked_hqc", "bench_masked_hqc", {"LEVEL": 1, "LANES": 4}),
    *hqc_modules.MODULES,
    *joint_modules.MODULES,
]
# And `make test-long`.
OTHERS = [
    *inverters((1, 256, 512, 32, 4, 2)),
    (
        "inverter_load",
        "bench_inverter_load",
        {"R": 12323, "WORD": 64, "INV_WORD": 64, "DEPTH": 387},
    ),
    ("inverter_order", "bench_inverter_order", {"R": 12323, "WORD": 64, "STEPS": 64, "DEPTH": 387}),
    (
        "inverter_order",
        "bench_inverter_order",
        {"R": 40973, "WORD": 1024, "STEPS": 16, "DEPTH": 81},
    ),
    ("inverter_sweep", "bench_inverter_sweep", {"WORD": 32, "STEPS": 32, "STAGE": 8, "DEPTH": 20}),
    (
        "inverter_copy",
        "bench_inverter_copy",
        {"R": 24659, "WORD": 64, "INV_WORD": 64, "DEPTH": 771},
    ),
    *inverters(
        *[(1, 128, 384, 16, 4, 2), (1, 256, 1024, 32, 4, 4), (1, 256, 1024, 32, 4, 2)],
        *[(1, 256, 768, 32, 8, 4), (3, 64, 64, 64, 2, 4), (1, 128, 512, 32, 4, 1)],
        *[(3, 256, 512, 32, 4, 2), (5, 128, 256, 64, 4, 2)],
    ),
    ("bike_axi", "bench_axi", {"LEVEL": 1, "PRESET": 2, "BUILD": 0}),
    ("keccak", "bench_keccak", {"ROUNDS": 3}),
    ("keccak_sponge", "bench_sponge", {"ROUNDS": 1, "BUFFERED": 0}),
    ("keccak_sponge", "bench_sponge", {"ROUNDS": 3, "BUFFERED": 0}),
    ("keccak_sponge", "bench_sponge", {"ROUNDS": 2, "BUFFERED": 1}),
    ("keccak_sponge", "bench_sponge", {"ROUNDS": 6, "BUFFERED": 1}),
    ("kem_sampler", "bench_kem_sampler", {"WORD": 128, "POSITIONS": 17669}),
    ("kem_sampler", "bench_kem_sampler", {"WORD": 256, "POSITIONS": 57637}),
    ("kem_sampler", "bench_kem_sampler", {"WORD": 16, "POSITIONS": 1024}),
    ("gather_counters", "bench_counters", {"WORD": 64, "LANES": 6, "BITS": 1}),
    ("gather_counters", "bench_counters", {"WORD": 64, "LANES": 2, "BITS": 9}),
    ("gather_counters", "bench_counters", {"WORD": 256, "LANES": 12, "BITS": 8}),
    # Products alone, in the sizes of HQC.
    (
        "gather_unit",
        "bench_gather_unit",
        {
            "R": 17669,
            "LONG": 0,
            "WORD": 128,
            "STRIDE": 64,
            "LANES": 8,
            "BITS": 1,
            "LIST": 32,
            "PARTS": 1,
            "REGIONS": 1,
        },
    ),
    (
        "gather_unit",
        "bench_gather_unit",
        {
            "R": 57637,
            "LONG": 0,
            "WORD": 64,
            "STRIDE": 64,
            "LANES": 2,
            "BITS": 1,
            "LIST": 128,
            "PARTS": 1,
            "REGIONS": 1,
        },
    ),
    ("gather_lane", "bench_lane", {"R": 12323, "WORD": 256, "STRIDE": 64, "LIST": 64}),
    ("row_writer", "bench_row_writer", {"R": 12323, "WORD": 64, "STRIDE": 64, "ROW_BITS": 8}),
    ("row_writer", "bench_row_writer", {"R": 40973, "WORD": 128, "STRIDE": 32, "ROW_BITS": 11}),
    *(
        ("bike_threshold", "bench_threshold", {"LEVEL": level, "LOWER_FIRST_THRESHOLD": lower})
        for level, lower in [(1, 0), (3, 9), (5, 10)]
    ),
    ("divstep_control", "bench_divstep_control", {"STEPS": 64, "STAGE": 4, "RATE": 4}),
    ("divstep_control", "bench_divstep_control", {"STEPS": 32, "STAGE": 8, "RATE": 1}),
    ("divstep_control", "bench_divstep_control", {"STEPS": 16, "STAGE": 2, "RATE": 8}),
    ("divstep_stage", "bench_divstep_stage", {"WORD": 32, "STEPS": 8}),
    ("weight_of", "bench_weight", {"WIDTH": 6}),
    ("weight_of", "bench_weight", {"WIDTH": 83}),
    ("kem_memory", "bench_memory", {"WIDTH": 192, "DEPTH": 512}),
    ("kem_slots", "bench_memory", {"SLOTS": 5, "WORDS": 386, "WORD": 64, "READ_PORTS": 3}),
    ("kem_strings", "bench_memory", {"STRINGS": 8, "READ_PORTS": 1}),
    ("bike_sampler", "bench_sampler", {"LEVEL": 3, "WORD": 64}),
    ("bike_sampler", "bench_sampler", {"LEVEL": 5, "WORD": 256}),
    ("bike_hash", "bench_hash", {"LEVEL": 1, "WORD": 64, "ROUNDS": 2, "BUFFERED": 0}),
    ("bike_hash", "bench_hash", {"LEVEL": 1, "WORD": 256, "ROUNDS": 1, "BUFFERED": 1}),
    ("bike_hash", "bench_hash", {"LEVEL": 3, "WORD": 64, "ROUNDS": 6, "BUFFERED": 1}),
    ("bike_hash", "bench_hash", {"LEVEL": 5, "WORD": 256, "ROUNDS": 4, "BUFFERED": 0}),
    ("bike_hash", "bench_hash", {"LEVEL": 5, "WORD": 128, "ROUNDS": 2, "BUFFERED": 1}),
    ("bike_compare", "bench_compare", {"LEVEL": 5, "WORD": 64}),
    ("bike_rows", "bench_rows", {"LEVEL": 3, "WORD": 256, "STRIDE": 32, "EXTRA": 13}),
    ("bike_rows", "bench_rows", {"LEVEL": 5, "WORD": 64, "STRIDE": 64, "EXTRA": 40}),
    ("bike_positions", "bench_positions", {"LEVEL": 3, "LANES": 6, "SHIFT": -2, "LIST_BITS": 7}),
    ("bike_positions", "bench_positions", {"LEVEL": 5, "LANES": 2, "SHIFT": 61, "LIST_BITS": 9}),
    (
        "kem_receive",
        "bench_receive",
        {"WORD": 64, "TAIL_BYTES": 4, "LIMIT": 17669, "LIST_BASE": 64, "COUNT_BITS": 12},
    ),
    (
        "kem_receive",
        "bench_receive",
        {"WORD": 256, "TAIL_BYTES": 2, "LIMIT": 40973, "LIST_BASE": 256, "COUNT_BITS": 12},
    ),
    (
        "kem_send",
        "bench_send",
        {"WORD": 256, "POSITION_BITS": 15, "LIST_BASE": 128, "COUNT_BITS": 12},
    ),
    (
        "kem_send",
        "bench_send",
        {"WORD": 64, "POSITION_BITS": 16, "LIST_BASE": 256, "COUNT_BITS": 11},
    ),
    ("bike_program", "bench_program", {"BUILD": 1, "OVERLAP": 1}),
    ("bike_program", "bench_program", {"BUILD": 2, "OVERLAP": 1}),
    (
        "bike_gather",
        "bench_gather",
        {"LEVEL": 1, "WORD": 64, "STRIDE": 16, "LANES": 10, "DECODER": 1},
    ),
    # The most lanes.
    (
        "bike_gather",
        "bench_gather",
        {"LEVEL": 1, "WORD": 64, "STRIDE": 16, "LANES": 18, "DECODER": 1},
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
    (
        "masked_product",
        "bench_masked_product",
        {"N": 17669, "WORD": 128, "LANES": 4, "LIST": 64},
    ),
    ("masked_hqc", "bench_masked_hqc", {"LEVEL": 3, "LANES": 4}),
    ("masked_hqc", "bench_masked_hqc", {"LEVEL": 5, "LANES": 4}),
    *hqc_modules.OTHERS,
    *joint_modules.OTHERS,
]
# What has no bench of its own, and why.
WITHOUT_BENCH = {
    "kem_registers": "generated; the bench of kem_axi reads and writes them all",
    "kem_registers_pkg": "no module: the structs of kem_registers",
    "kem_pkg": "no module: what the units of every core share",
    "bike_pkg": "no module: parameters and codes, which all benches use",
    "keccak_round": "one round of keccak, whose bench compares with hashlib",
    **dict.fromkeys(("keccak_linear", "keccak_theta"), "parts of that round"),
    "shell_pkg": "no module: what a core is made of",
    "kem_shell": "test_core.py, test_hqc_core.py and test_joint_core.py run it as a core",
    "kem_top": "the benches of bike_axi, hqc_axi and joint_axi run it",
    "bike_core": "test_core.py runs it whole",
    "bike_units": "test_core.py runs it in the whole core",
    **dict.fromkeys(
        ("masked_and", "masked_chi", "masked_multiply", "masked_zero"),
        "test_probing.py tries all values",
    ),
    "masked_engine_pkg": "no module: the instructions of masked_engine",
    "masked_hqc_pkg": "no module: the steps of masked_hqc",
    **dict.fromkeys(
        (
            *("masked_guarded", "masked_hash", "masked_move", "masked_receive", "masked_rom"),
            *("masked_send", "masked_store"),
        ),
        "parts of masked_hqc",
    ),
    **dict.fromkeys(
        ("masked_alu", "masked_share", "masked_swap", "masked_turn"), "parts of masked_engine"
    ),
    **dict.fromkeys(("masked_buffer", "masked_ring"), "parts of masked_sponge"),
    **dict.fromkeys(("masked_lane", "masked_shift"), "parts of masked_product"),
    **hqc_modules.WITHOUT_BENCH,
    **joint_modules.WITHOUT_BENCH,
}


# For `make test-long`, with their mistakes, are parts of modules whose bench runs, units whose
# results the known answers of the cores show, and what compiles longest.
LONG = {
    *("bike_hash", "bike_inverter", "bike_sampler", "gather_unit", "keccak_sponge"),
    *("hqc_expand", "hqc_hash", "hqc_product", "hqc_sampler", "rm_encoder", "rs_encoder"),
    *("gather_counters", "gather_lane", "row_writer", "weight_of"),
    *("kem_receive", "kem_slots", "kem_slots_dual", "kem_strings"),
    *("divstep_control", "divstep_pair", "divstep_stage"),
    *("inverter_copy", "inverter_load", "inverter_order", "inverter_sweep"),
    *("rm_peak", "rm_transform", "rs_locator", "rs_syndromes"),
    *("bike_positions", "bike_program", "bike_rows"),
    *("hqc_positions", "hqc_program", "hqc_rows"),
    *("bike_axi", "bike_gather", "hqc_axi", "joint_axi", "joint_gather"),
    *("masked_engine", "masked_hqc", "masked_product", "masked_sponge"),
}


def marks_of(top):
    return [pytest.mark.long] * (top in LONG)


def named(benches):
    return [
        pytest.param(
            *bench,
            id="-".join([bench[0], *map(str, bench[2].values())]),
            marks=marks_of(bench[0]),
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


def test_what_is_common_knows_no_scheme():
    for path in (RTL / "common").glob("*.sv"):
        code = re.sub(r"//.*", "", path.read_text(encoding="utf-8"))
        assert not re.findall(r"bike|hqc|BIKE|HQC|\bLEVEL\b", code), path.name


def lint(scheme, level, preset, *others):
    return simulated.build.run(
        [
            "--lint-only",
            "-Wall",
            f"-GLEVEL={level}",
            f"-GPRESET={preset}",
            "--top-module",
            f"{scheme}_axi",
            *others,
            *simulated.build.rtl_files(scheme),
        ]
    )


@pytest.mark.parametrize(("scheme", "preset", "level"), CORES_AT_LEVELS)
def test_lint(scheme, level, preset):
    lint(scheme, level, preset, WAIVERS)


@pytest.mark.parametrize("level", [1, 3, 5])
@pytest.mark.parametrize("top", ["masked_hqc"])
def test_lint_of_what_is_in_no_core(top, level):
    files, options = simulated.build.files_for(top), ["--lint-only", "-Wall", f"-GLEVEL={level}"]
    simulated.build.run([*options, "--top-module", top, WAIVERS, *files])


@pytest.mark.long
def test_every_waiver_is_needed():
    """Each is for one signal of one file, of which Verilator warns without it."""
    lines = WAIVERS.read_text(encoding="ascii").splitlines()
    waivers = [line for line in lines if line.startswith("lint_off")]
    pattern = r"""lint_off -rule (\w+) -file "\*/(\w+\.sv)" -match "\*'(\w+)'\*"$"""
    named = [re.fullmatch(pattern, line) for line in waivers]
    assert waivers and all(named)
    warned = {
        (rule, name, signal)
        for scheme, preset in CORES
        for rule, name, signal in re.findall(
            r"%Warning-(\w+): \S*?(\w+\.sv):\d+:\d+: .*?'(\w+)'",
            lint(scheme, 1, preset, "-Wno-fatal"),
        )
    }
    assert {match.groups() for match in named} <= warned


def test_lint_finds_a_fault(tmp_path):
    (tmp_path / "bad.sv").write_text(
        "module bad (input logic [3:0] a_i, output logic b_o);\n  assign b_o = a_i;\nendmodule\n"
    )
    with pytest.raises(simulated.build.BuildError, match="WIDTHTRUNC"):
        simulated.build.run(["--lint-only", "-Wall", tmp_path / "bad.sv"])
