# SPDX-License-Identifier: Apache-2.0 OR MIT
"""RISC-V with carry-less multiplication on vectors (Zvbc), under an emulator that has it."""

import os
import pathlib

import pytest

from tests.kat_check import KEMS, run_kat_check
from tests.platforms.test_targets import case
from tools.count_instructions import line_of
from tools.newer_qemu import PROCESSOR, paths, qemu_riscv64

BACKEND = "rvv-zvbc"
SHORT_KEMS = ("BIKE-L1", "HQC-1")
UNIT_TESTS = sorted(
    path.stem for path in (pathlib.Path(__file__).parent.parent / "unit").glob("test_*.c")
)


@pytest.fixture
def zvbc(target):
    """The target riscv64 on a processor with Zvbc."""
    one = target("riscv64")
    if one.native:
        pytest.skip("rvv-zvbc not tested: a real processor cannot be exchanged")
    program = qemu_riscv64()
    if program is None:
        pytest.skip("rvv-zvbc not tested: needs QEMU 8.2 or later; run tools/setup.sh test")
    one.emulator = [program, *PROCESSOR]
    return one


@pytest.mark.parametrize(
    "processor, chosen",
    [
        (PROCESSOR[1], BACKEND),
        (PROCESSOR[1].replace("zvbc=true", "zvbc=false"), "rvv"),
        ("rv64,v=false,zbc=true", "zbc"),
        ("rv64,v=false,zbc=false", "portable"),
    ],
)
def test_the_emulated_system_says_what_there_is(processor, chosen, zvbc):
    zvbc.emulator[2] = processor
    program = zvbc.build(["marked_kems"]) / "bin" / "marked_kems"
    environment = {name: value for name, value in os.environ.items() if name != "CODEKEM_CPU"}
    done = zvbc.run(program, "-", "show backend", env=environment)
    assert (done.returncode, done.stdout.strip()) == (0, chosen)


@pytest.mark.parametrize("kem", [case(kem in SHORT_KEMS, kem) for kem in KEMS])
def test_known_answers(kem, zvbc):
    run_kat_check(zvbc.build(["kat_check"]), kem, BACKEND, zvbc.emulator)


@pytest.mark.parametrize("bits", ["256", "1024"])
def test_any_length_of_vectors_will_do(bits, zvbc):
    zvbc.emulator[2] = PROCESSOR[1].replace("vlen=128", f"vlen={bits}")
    for kem in SHORT_KEMS:
        run_kat_check(zvbc.build(["kat_check"]), kem, BACKEND, zvbc.emulator, record_limit=2)


@pytest.mark.long
@pytest.mark.parametrize("program", UNIT_TESTS)
def test_unit(program, zvbc):
    done = zvbc.run(zvbc.build([program]) / "bin" / program)
    assert done.returncode == 0, done.stdout[-3000:]
    assert "[  PASSED  ]" in done.stdout
    assert program != "test_gf2x" or f"with {BACKEND}" in done.stdout


@pytest.mark.long
@pytest.mark.parametrize(
    "kem, operation",
    [
        (kem, operation)
        for kem in SHORT_KEMS
        for operation in ["keypair", "encaps", "decaps"]
        if (kem, operation) != ("HQC-1", "keypair")  # shows the number of rejected draws
    ],
)
def test_every_secret_takes_the_same_path(kem, operation, zvbc, checked):
    program = zvbc.build(["marked_kems"]) / "bin" / "marked_kems"
    words = ["fixed-key"] if kem == "HQC-1" and operation == "decaps" else []
    rows = paths(zvbc.emulator, program, [BACKEND, line_of(kem, operation, 3, *words)])
    assert len(rows) == 3 and len(set(rows)) == 1, rows
    assert rows[0][0] > 100_000
    gcc = "riscv64-linux-gnu-gcc"
    checked("emulated paths", BACKEND, gcc, "-O3", {kem: [operation]}, "riscv64")


@pytest.mark.long
def test_deliberate_leak_changes_the_path(zvbc):
    program = zvbc.build(["marked_leaky"]) / "bin" / "marked_leaky"
    lines = ["leak leak1", line_of("BIKE-L1", "encaps", 8)]
    rows = paths(zvbc.emulator, program, [BACKEND, *lines])
    assert len(rows) == 8 and len(set(rows)) > 1


@pytest.mark.long
@pytest.mark.parametrize("operation", ["keypair", "encaps", "decaps"])
@pytest.mark.parametrize("kem", SHORT_KEMS)
def test_vectors_take_a_fifth_of_the_instructions(kem, operation, zvbc):
    program = zvbc.build(["marked_kems"]) / "bin" / "marked_kems"
    ((portable, _),) = paths(zvbc.emulator, program, ["portable", line_of(kem, operation)])
    ((vectors, _),) = paths(zvbc.emulator, program, [BACKEND, line_of(kem, operation)])
    print(f"{kem} {operation}: {vectors} of {portable}")
    assert 5 * vectors <= portable
