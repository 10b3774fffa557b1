# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Meanings of instructions are what the processor does."""

import random

import pytest

from proofs.machine.comparisons import forms
from proofs.machine.witness import Comparison, NotTheProcessor

FEW, MANY = 16, 10_000  # operands
SOME = 40  # forms of which `make test` tries FEW operands
NEEDED = {"avx512bw", "avx512_vbmi2", "gfni", "vpclmulqdq", "bmi2"}


@pytest.fixture(scope="session")
def compared(shared, own_folder):
    """compared(compiler, count, only) compares instructions, and returns how many there were."""
    try:
        with open("/proc/cpuinfo", encoding="ascii", errors="replace") as stream:
            flags = set(stream.read().split())
    except OSError:
        flags = set()
    if not flags >= NEEDED:
        pytest.fail(f"a processor with {', '.join(sorted(NEEDED))} is needed")

    def compare(compiler, count, only=None):
        chosen = forms(shared(compiler))
        if only:
            chosen = random.Random(only).sample(chosen, only)
        for address, code, _ in chosen:
            Comparison(str(own_folder), address, code, count).run()
        return len(chosen)

    return compare


def test_some_instructions_are_those_of_the_processor(compared):
    """Some forms, a few operands."""
    assert compared("gcc", FEW, SOME) == SOME


@pytest.mark.long
def test_all_instructions_are_those_of_the_processor(compared):
    """All forms in the kernels."""
    assert compared("gcc", MANY) > SOME


# Bytes of one instruction, and of another one whose meaning is taken instead.
WRONG = {
    "vpaddd": ("c5f5fec2", "c5f5fac2"),  # vpsubd
    "vpshufb": ("c4e27500c2", "c4e27504c2"),  # vpmaddubsw, which has none
    "adc": ("4811d8", "4801d8"),  # add
    "shr": ("48c1e803", "48c1f803"),  # sar
    "vpshrdvq": ("62f2f54873c2", "62f2f54871c2"),  # vpshldvq
    "imul": ("480fafc3", "4801d8"),  # add
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_meaning_is_found(compared, own_folder, name):
    """What runs is not what is compared with."""
    assert compared("gcc", 1, 1)
    right, other = (bytes.fromhex(code) for code in WRONG[name])
    comparison = Comparison(str(own_folder), 0x1000, right.ljust(15, b"\x90"), FEW)
    comparison.code = bytearray(other)
    with pytest.raises(NotTheProcessor):
        comparison.run()
