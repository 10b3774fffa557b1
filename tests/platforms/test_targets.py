# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Known answers and unit tests on other processors, with all of their back ends."""

import json
import os
import pathlib
import platform
import subprocess

import pytest

from tests.decoder_cases import (
    LEVELS,
    cases_of,
    check_steps,
    ciphertext_of,
    noisy_hqc_cases,
    supports_of,
)
from tests.kat_check import KEMS, check_text, run_kat_check
from tests.watched import NO_BACKEND
from tools import known_answers
from tools.count_instructions import TARGETS

UNIT = pathlib.Path(__file__).parent.parent / "unit"
LEVEL_1 = ("BIKE-L1", "HQC-1")
SHORT_KEMS = (*LEVEL_1, "HQC-128-2023")
# Each target with each of its back ends.
BACKENDS = [
    (name, backend) for name, (_, _, backends, _) in TARGETS.items() for backend in backends
]
QUICK_UNITS = [("aarch64", "test_hqc"), ("aarch64", "test_keccak")]
WITHOUT_BACKENDS = ("test_batch", "test_threads", "test_ct", "test_entry_points")


def case(short, name, *values):
    """i686 is long: that its words are of 32 bits ARMv7 shows."""
    marks = [] if short and name != "i686" else pytest.mark.long
    return pytest.param(name, *values, marks=marks, id="-".join([name, *values]))


@pytest.mark.parametrize(
    "name, backend, kem",
    [case(kem in SHORT_KEMS, name, backend, kem) for name, backend in BACKENDS for kem in KEMS],
)
def test_known_answers(name, backend, kem, target):
    one = target(name)
    run_kat_check(one.build(["kat_check"]), kem, backend, one.emulator)


@pytest.mark.parametrize("name", [case(name == "s390x", name) for name in TARGETS])
def test_known_answers_of_the_reference(name, target):
    one = target(name)
    run_kat_check(one.build(["kat_check"]), "BIKE-L1", "reference", one.emulator, record_limit=1)


@pytest.mark.parametrize(
    "name, program",
    [
        case((name, path.stem) in QUICK_UNITS, name, path.stem)
        for name in TARGETS
        for path in sorted(UNIT.glob("test_*.c"))
    ],
)
def test_unit(name, program, target):
    """Every back end against the reference."""
    one = target(name)
    done = one.run(one.build([program]) / "bin" / program)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "[  PASSED  ]" in done.stdout
    if program not in WITHOUT_BACKENDS and not one.native:
        for backend in TARGETS[name][2]:
            assert f"with {backend}\n" in done.stdout


@pytest.mark.parametrize(
    "name, backend, kem",
    [
        case((name, backend) == ("aarch64", "neon") and kem in LEVEL_1, name, backend, kem)
        for name, backend in BACKENDS
        for kem in LEVELS
    ],
)
def test_decoder_takes_the_published_steps(name, backend, kem, target, internals):
    level, r_bits, weight = LEVELS[kem]
    ring = internals.ring(r_bits)
    records = known_answers.read_records(kem)
    cases = cases_of(kem)
    lines = []
    for one_case in cases:
        record = records[one_case["record"]]
        c0 = ciphertext_of(one_case, ring, record)[: ring.bytes]
        positions = [p for half in supports_of(record["sk"], weight) for p in half]
        lines.append(" ".join([str(level), c0.hex(), *map(str, positions)]))
    one = target(name)
    done = one.run(
        one.build(["decode_steps"]) / "bin" / "decode_steps", backend, input="\n".join(lines) + "\n"
    )
    assert done.returncode == 0, done.stderr
    for one_case, found in zip(cases, map(json.loads, done.stdout.splitlines()), strict=True):
        check_steps(one_case, found["steps"], bytes.fromhex(found["e"]))


@pytest.mark.parametrize(
    "name, backend, kem",
    [
        case((name, backend) == ("aarch64", "neon") and kem in LEVEL_1, name, backend, kem)
        for name, backend in BACKENDS
        for kem in KEMS
        if kem.startswith("HQC")
    ],
)
def test_hqc_corrects_as_many_symbols_as_published(name, backend, kem, target, internals):
    with internals.backend("portable"):
        cases = list(noisy_hqc_cases(kem, internals))
    text = f"kem {kem}\n" + "".join(
        f"secret_key {secret_key.hex()}\nciphertext {ciphertext.hex()}\n"
        f"shared_secret {secret.hex()}\nrun\n"
        for ciphertext, secret_key, secret in cases
    )
    one = target(name)
    check_text(one.build(["kat_check"]), text, backend, one.emulator)


def choose(one, processor, environment, backend="-"):
    """Runs an operation on a processor of the emulator, which ends it at an instruction that the
    processor lacks; returns the status and the first line that was printed."""
    program = one.build(["marked_kems"]) / "bin" / "marked_kems"
    one.emulator[one.emulator.index("-cpu") + 1] = processor
    lines = ("show backend", "HQC-1 encaps")
    done = one.run(program, backend, *lines, env=os.environ | environment)
    return done.returncode, (done.stdout + done.stderr).partition("\n")[0]


@pytest.mark.parametrize(
    "name, processor, environment, chosen",
    [
        ("aarch64", "max", {}, "neon-sha3"),
        ("aarch64", "cortex-a53", {}, "neon"),
        ("aarch64", "max", {"CODEKEM_CPU": "neon"}, "neon"),
        ("aarch64", "max", {"CODEKEM_CPU": "portable"}, "portable"),
        ("armv7", "cortex-a9", {}, "neon"),
        ("armv7", "cortex-a9,neon=off", {}, "portable"),
        ("riscv64", "rv64,v=true,vext_spec=v1.0", {}, "rvv"),
        ("riscv64", "rv64", {}, "portable"),
    ],
)
def test_back_end_follows_processor_and_environment(name, processor, environment, chosen, target):
    one = target(name)
    if one.native:
        pytest.skip("choice of back ends not tested: a real processor cannot be exchanged")
    assert choose(one, processor, environment) == (0, chosen)


@pytest.mark.long
@pytest.mark.parametrize("bits", ["256", "1024"])
def test_any_length_of_vectors_will_do(bits, target):
    one = target("riscv64")
    if one.native:
        pytest.skip("lengths of vectors not tested: a real processor cannot be exchanged")
    one.emulator = [word.replace("vlen=128", f"vlen={bits}") for word in one.emulator]
    assert any(bits in word for word in one.emulator)
    for kem in LEVEL_1:
        run_kat_check(one.build(["kat_check"]), kem, "rvv", one.emulator, record_limit=2)


def test_back_end_that_the_processor_lacks_is_refused(target):
    one = target("aarch64")
    if one.native:
        pytest.skip("choice of back ends not tested: a real processor cannot be exchanged")
    status, text = choose(one, "cortex-a53", {}, "neon-sha3")
    assert status == NO_BACKEND and "back end neon-sha3 cannot run here" in text
    status, text = choose(one, "cortex-a53", {"CODEKEM_CPU": "neon-sha3"})
    assert status == NO_BACKEND and "back end of CODEKEM_CPU cannot run here" in text


@pytest.mark.parametrize(
    "processor, chosen",
    [
        ("Haswell", "avx2"),
        ("Haswell,-popcnt", "portable"),
        ("Haswell,-abm", "portable"),
        ("Haswell,-pclmulqdq", "portable"),
        ("Nehalem", "portable"),
    ],
)
def test_avx2_is_taken_where_all_that_it_uses_is_there(processor, chosen, build, need):
    """The compiler may use POPCNT and LZCNT in files for AVX2; without LZCNT it would be BSR."""
    if platform.machine() != "x86_64":
        pytest.skip("choice between portable and avx2 not tested: this is no x86-64 machine")
    program = build("gcc", targets=["marked_kems"]) / "bin" / "marked_kems"
    done = subprocess.run(
        [need("qemu-x86_64"), "-cpu", processor, program, "-", "show backend", "HQC-1 encaps"],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "CODEKEM_CPU": ""},
    )
    assert done.returncode == 0, (done.returncode, done.stderr)
    assert done.stdout.splitlines()[0] == chosen
