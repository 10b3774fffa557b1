# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Machine code of the shared library computes what its specification says, for all operands."""

import pytest

from proofs.kernels.coverage import kernels, sources
from proofs.machine.calls import BACKENDS, entries
from proofs.machine.report import Module
from proofs.machine.running import proved
from tools import mistakes

ENTRIES = entries()
TABLES = ("keccak_ops", "gf2x_ops", "sparse_ops", "bike_counters", "hqc_codes")
# What planted mistakes are compiled with.
FILES = {
    "bike_counters": ["kem/gf2x/gf2x_rings.c"],
    "hqc_codes": ["kem/hqc/params.c"],
    "gf2x_ops": ["kem/gf2x/gf2x_rings.c", "kem/gf2x/gf2x_power.c"],
    "sparse_ops": ["kem/gf2x/gf2x_rings.c"],
    "keccak_ops": ["common/keccak/keccak_constants.c"],
}


def parameters(quick):
    """Returns the entries of which a test runs some."""
    return [pytest.param(e.call, id=str(e)) for e in ENTRIES if e.quick == quick]


@pytest.mark.parametrize("call", parameters(quick=True))
def test_an_entry_is_its_specification(holds_in, call):
    """As gcc made it."""
    holds_in("gcc", call)


@pytest.mark.long
@pytest.mark.parametrize("call", parameters(quick=False))
def test_every_entry_is_its_specification(holds_in, call):
    """All that gcc made."""
    holds_in("gcc", call)


def test_every_entry_is_named(root):
    """Each entry of a table for x86-64 has a proof."""
    known = {(e.entry, e.backend) for e in ENTRIES}
    there = {
        (kernel.function, kernel.backend)
        for kernel in kernels(sources(root))
        if kernel.function.partition(".")[0] in TABLES and kernel.backend in BACKENDS
    }
    assert known == there


@pytest.mark.parametrize("mistake", mistakes.cases("machine/entries"))
def test_a_mistake_is_found(compiled_with, mistake):
    """A mistake in the source, in what a compiler makes of it. Without a barrier clang 14 makes a
    branch of a mask."""
    entry = next(e for e in ENTRIES if str(e) == mistake.by)
    source = mistake.more.get("source", mistake.file.removeprefix("src/"))
    files = [source, *FILES[entry.entry.partition(".")[0]], *mistake.more.get("files", [])]
    library = compiled_with(mistake.more.get("compiler", "gcc"), mistake, *files)
    assert proved(Module(library, None), entry.call)
