# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Machine code of AArch64 computes what its specification says, and instructions mean what
qemu-aarch64 does."""

import random

import pytest

from proofs.kernels.coverage import kernels, sources
from proofs.machine.arm.calls import BACKENDS, entries
from proofs.machine.arm.comparisons import kernels as compared
from proofs.machine.arm.processor import Module
from proofs.machine.arm.witness import COMPILER, EMULATOR, Comparison, Emulated, forms
from proofs.machine.running import proved
from proofs.machine.test_entries import FILES, TABLES
from proofs.machine.witness import NotTheProcessor
from tools import mistakes

ENTRIES = entries()
FEW, MANY = 16, 10_000  # operands
SOME = 20  # forms of which `make test` tries FEW operands


def parameters(quick):
    """Returns the entries of which a test runs some."""
    return [pytest.param(e.call, id=str(e)) for e in ENTRIES if e.quick == quick]


@pytest.fixture
def holds(shared):
    """holds(call) proves a call in the library that gcc makes."""

    def check(call):
        wrong = proved(Module(shared("aarch64")), call)
        assert wrong is None, wrong

    return check


@pytest.fixture(scope="module")
def emulated(need, own_folder):
    """A process that runs instructions."""
    need(COMPILER)
    need(EMULATOR[0])
    process = Emulated(own_folder)
    yield process
    process.close()


@pytest.mark.parametrize("call", parameters(quick=True))
def test_an_entry_is_its_specification(holds, call):
    """The shortest proofs."""
    holds(call)


@pytest.mark.long
@pytest.mark.parametrize("call", parameters(quick=False))
def test_every_entry_is_its_specification(holds, call):
    """All others."""
    holds(call)


def test_every_entry_is_named(root):
    """Each entry of a table for AArch64 has a proof."""
    there = {
        (kernel.function, kernel.backend)
        for kernel in kernels(sources(root))
        if kernel.function.partition(".")[0] in TABLES and kernel.backend in BACKENDS
    }
    known = {(e.entry, e.backend) for e in ENTRIES}
    assert known == there


@pytest.mark.parametrize("mistake", mistakes.cases("machine/arm"))
def test_a_mistake_is_found(compiled_with, mistake):
    """A mistake in the source, in what a compiler makes of it."""
    entry = next(e for e in ENTRIES if str(e) == mistake.by)
    source = mistake.more.get("source", mistake.file.removeprefix("src/"))
    files = [source, *FILES[entry.entry.partition(".")[0]], *mistake.more.get("files", [])]
    library = compiled_with("aarch64", mistake, *dict.fromkeys(files))
    assert proved(Module(library), entry.call).startswith("NotProved")


def test_some_instructions_are_those_of_the_processor(shared, emulated):
    """Some forms, a few operands."""
    library = shared("aarch64")
    for code, _ in random.Random(SOME).sample(forms(library, compared(library)), SOME):
        Comparison(emulated, code, FEW).run()


@pytest.mark.long
def test_all_instructions_are_those_of_the_processor(shared, emulated):
    """All forms in the kernels."""
    library = shared("aarch64")
    found = forms(library, compared(library))
    assert len(found) > SOME
    for code, _ in found:
        Comparison(emulated, code, MANY).run()


# An instruction, and another one that runs instead.
WRONG = {
    "add v0.4s, v1.4s, v2.4s": ("2084a24e", "2084a26e"),  # sub
    "bit v0.16b, v1.16b, v2.16b": ("201ca26e", "201ce26e"),  # bif
    "ushr v0.2d, v1.2d, #3": ("20047d6f", "20047c6f"),  # by 4
    "cmp x1, x2": ("3f0002eb", "3f0002ab"),  # cmn: another carry
    "ldp x1, x2, [x0], #16": ("0108c1a8", "010841a9"),  # does not change x0
}


@pytest.mark.parametrize("text", WRONG)
def test_a_wrong_meaning_is_found(emulated, text):
    """What runs is not what is compared with."""
    right, other = (bytes.fromhex(code) for code in WRONG[text])
    comparison = Comparison(emulated, right, FEW)
    assert str(comparison.instruction).replace("0x10", "16") == text
    comparison.run()
    comparison.code = other
    with pytest.raises(NotTheProcessor):
        comparison.run()
