# SPDX-License-Identifier: Apache-2.0 OR MIT
"""KeyGen, Encaps and Decaps of HQC from C: official records, altered ciphertexts and wrong symbols,
as software and as cores, in the cycles that were computed and within the limits that we set."""

import json
import random

import pytest

from codekem_hls import results, simulate
from hls.tests import hqc_operations
from hls.tests.hqc_checks import Checked
from hls.tests.hqc_operations import DECAPS, ENCAPS, KEYGEN
from hls.tests.kernel_designs import KERNELS, read_design
from hls.tests.test_kept_answer import KEPT
from tools import known_answers

# Cycles of KeyGen, Encaps and Decaps of HQC-1, and LUTs: at most.
LIMITS = {
    "hqc.perf": ((20_000, 45_000, 65_000), 15_000),
    "hqc_fast.perf": ((5_000, 9_500, 16_000), 15_000),
    "hqc.comp": ((200_000, 350_000, 500_000), 6_000),
}
# Cycles of hqc_fast.perf as a part of those of hqc.perf at the same level: at most.
RATIOS = (0.32, 0.28, 0.28)
ALONE = {"hqc_keygen": KEYGEN, "hqc_encaps": ENCAPS, "hqc_decaps": DECAPS}


@pytest.fixture
def core(folder):
    """core("hqc.perf") builds the simulation of a flavour."""

    def get(name):
        design = read_design(KERNELS / f"{name}.toml")
        level = int(design.directives.define["LEVEL"])
        simulation = simulate.build_simulations([design], folder / name)
        return hqc_operations.hardware(level, design, simulation, Checked)

    return get


def check_software(operations):
    for record in known_answers.read_records(operations.kem)[:3]:
        operations.check_record(record)
    operations.check_altered()
    operations.check_stress()
    operations.check_padded()


@pytest.mark.parametrize("level", [1, 3, 5])
def test_software(level, folder):
    check_software(hqc_operations.software(level, folder, Checked))


@pytest.mark.parametrize(
    ("level", "windows"),
    [
        (1, 10),  # an even number of windows without a position, and an odd one
        pytest.param(1, 11, marks=pytest.mark.long),
        pytest.param(3, 8, marks=pytest.mark.long),
        pytest.param(5, 8, marks=pytest.mark.long),
    ],
)
def test_fast_software(level, windows, folder):
    operations = hqc_operations.software(
        level, folder / f"windows-{windows}", Checked, "hqc_fast", [f"-DWINDOWS={windows}"]
    )
    check_software(operations)


def test_the_kept_answer_is_that_of_the_repository():
    """What test_kept_answer.py takes where hls/ stands alone."""
    record = known_answers.read_records("HQC-1")[0]
    seeds = known_answers.record_seeds("HQC-1", record)
    parts = {name: record[name] for name in ("pk", "sk", "ct", "ss")}
    parts |= dict(zip(("keypair_seed", "encaps_seed"), seeds, strict=True))
    kept = json.loads(KEPT.read_text(encoding="ascii"))
    assert kept == {name: value.hex() for name, value in parts.items()}


@pytest.mark.parametrize(
    "level", [1, *(pytest.param(level, marks=pytest.mark.long) for level in (3, 5))]
)
def test_padding_bits_of_a_public_key(level, folder, library):
    """They count as in the library, whichever positions r2 has."""
    operations, source = hqc_operations.software(level, folder, Checked), random.Random(level)
    kem, record = library.kem(operations.kem), known_answers.read_records(operations.kem)[0]
    for bits in (0x80, 0xE0 if level != 3 else 0xF8, 0x40) * 8:
        public_key = record["pk"][:-1] + bytes([record["pk"][-1] | bits])
        coins = source.randbytes(operations.memory.message + 16)
        expected = library.encaps(kem, public_key, coins)
        assert operations.encaps(public_key, coins) == list(expected)


@pytest.mark.long
def test_core(core):
    operations = core("hqc.perf")
    operations.check_record(known_answers.read_records("HQC-1")[0])
    operations.check_altered(3)
    operations.check_stress([1, 15, 16])
    operations.check_padded()


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.long if at else []) for at, name in enumerate(LIMITS)],
)
def test_limits(name):
    design = read_design(KERNELS / f"{name}.toml")
    most, luts = LIMITS[name]
    assert all(
        design.latency({"operation": operation}) <= most[operation] for operation in range(3)
    )
    row = results.stored()[name]
    assert row["lut"] + row["lutram"] <= luts


@pytest.mark.long
@pytest.mark.parametrize("name", ["hqc.perf", "hqc_fast.perf", "hqc.comp", "hqc.pure"])
def test_whole_cores(name, core):
    operations = core(name)
    for record in known_answers.read_records("HQC-1"):
        operations.check_record(record)
    operations.check_altered()
    operations.check_stress()
    operations.check_padded()


@pytest.mark.long
@pytest.mark.parametrize("flavour", ["perf", "comp"])
@pytest.mark.parametrize("top", ALONE)
def test_cores_of_one_operation(top, flavour, core):
    operations = core(f"{top}.{flavour}")
    for record in known_answers.read_records("HQC-1")[:2]:
        operations.check_record(record, [ALONE[top]])


@pytest.mark.long
@pytest.mark.parametrize("flavour", ["perf", "comp"])
@pytest.mark.parametrize("level", [3, 5])
def test_other_levels(level, flavour, core):
    operations = core(f"hqc_{level}.{flavour}")
    for record in known_answers.read_records(operations.kem)[:2]:
        operations.check_record(record)
    operations.check_altered(6)
    operations.check_stress([0, 1, 7])


def at_level(level, flavour, folder):
    """Compiles directives of level 1 for another one."""
    path = folder / f"{flavour}-{level}.toml"
    path.write_text(
        f'extends = "{KERNELS / flavour}.toml"\nkernel = "{KERNELS / flavour.split(".")[0]}.c"\n'
        f"[define]\nLEVEL = {level}\n"
    )
    return read_design(path)


@pytest.mark.long
@pytest.mark.parametrize("level", [3, 5])
def test_fast_core_at_other_levels(level, folder, tmp_path):
    """It saves as much as at level 1."""
    design, slow = (at_level(level, name, tmp_path) for name in ("hqc_fast.perf", "hqc.perf"))
    for operation, most in enumerate(RATIOS):
        mine, other = (one.latency({"operation": operation}) for one in (design, slow))
        assert mine <= most * other
    simulation = simulate.build_simulations([design], folder / f"hqc_{level}_fast")
    operations = hqc_operations.hardware(level, design, simulation, Checked)
    for record in known_answers.read_records(operations.kem)[:2]:
        operations.check_record(record)
    operations.check_altered(6)
    operations.check_stress([0, 1, 7])
