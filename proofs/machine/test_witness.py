# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Meanings of instructions are what the processor does."""

import random

import pytest

from proofs.kernels.engine.host import cpu_flags
from proofs.machine.comparisons import forms, possible
from proofs.machine.witness import FRAME, Comparison, NotTheProcessor, lacking

FEW, MANY = 16, 10_000  # operands
SOME = 40  # forms of which `make test` tries FEW operands


@pytest.fixture(scope="session")
def compared(shared, own_folder):
    """compared(compiler, count, only) compares the instructions that this processor has, and
    returns how many there were, and the flags that it lacks for others."""

    def compare(compiler, count, only=None):
        chosen, lacks = possible(forms(shared(compiler)))
        if not chosen:
            pytest.skip(f"no instruction compared: this processor lacks {', '.join(lacks)}")
        if only:
            chosen = random.Random(only).sample(chosen, only)
        for address, code, _ in chosen:
            Comparison(str(own_folder), address, code, count).run()
        return len(chosen), lacks

    return compare


def test_some_instructions_are_those_of_the_processor(compared):
    """Some forms, a few operands."""
    assert compared("gcc", FEW, SOME)[0] == SOME


@pytest.mark.long
def test_all_instructions_are_those_of_the_processor(compared):
    """All forms in the kernels."""
    count, lacks = compared("gcc", MANY)
    assert count > SOME
    if lacks:
        pytest.skip(f"only {count} forms compared: this processor lacks {', '.join(lacks)}")


def test_what_a_processor_lacks_is_named():
    """By the instruction's features; what the frame needs is needed by all."""
    shift, add = (bytes.fromhex(WRONG[name][0]) for name in ("vpshrdvq", "adc"))
    assert lacking(shift, FRAME) == {"avx512_vbmi2"}
    assert lacking(shift, {*FRAME, "avx512_vbmi2"}) == lacking(add, FRAME) == set()
    assert lacking(add, set()) == FRAME


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
    right, other = (bytes.fromhex(code) for code in WRONG[name])
    if lacks := lacking(right, cpu_flags()) | lacking(other, cpu_flags()):
        pytest.skip(f"{name} not compared: this processor lacks {', '.join(sorted(lacks))}")
    assert compared("gcc", 1, 1)
    comparison = Comparison(str(own_folder), 0x1000, right.ljust(15, b"\x90"), FEW)
    comparison.code = bytearray(other)
    with pytest.raises(NotTheProcessor):
        comparison.run()
