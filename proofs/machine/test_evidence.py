# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What a proof saw of a library is told apart from another one, and from nothing else."""

import itertools
import json

import numpy as np
import pytest

from proofs.kernels.positions import UNKNOWN
from proofs.kernels.proved import defining
from proofs.machine import mutations, prove
from proofs.machine.calls import entries
from proofs.machine.evidence import Evidence, View, seen
from proofs.machine.library import Library
from proofs.machine.marks import NAMED, Marks
from proofs.machine.report import Module
from proofs.machine.running import HERE, modules, proved

PROOF = "sparse_ops.set_positions-gfni-set_positions-12323-3-0"


@pytest.fixture(scope="module")
def evidence(shared, build):
    """evidence(change) returns the digests of what a proof saw of a library, and of the same of one
    that was changed: change(library, functions, what was read) gives the address of a byte."""
    library = shared("gcc")
    module = Module(library, None)
    assert proved(module, next(e.call for e in entries() if str(e) == PROOF)) is None
    functions, objects, digest = seen(View(library), module.executed, module.reads)

    def compare(change):
        other = Library(build("gcc", targets=["codekem_shared"]) / "libcodekem.so")
        address = change(other, functions, module.reads)
        other.patched(address, other.code(address)[0] ^ 1)
        return digest, Evidence(View(other), functions, objects).digest()

    return compare


def test_an_instruction_counts(evidence):
    """One byte of a function that ran."""
    before, after = evidence(lambda library, functions, _: library.named(
        functions[0].partition("@")[0]).address)  # fmt: skip
    assert before is not None
    assert before != after


def test_a_constant_counts(evidence):
    """One byte of what was read and has no name."""

    def constant(library, _, reads):
        view = View(library)
        return next(address for address, _ in reads if view.object_at(address) is None)

    before, after = evidence(constant)
    assert before != after


def test_another_function_does_not_count(evidence):
    """One byte of a function that did not run."""
    before, after = evidence(
        lambda library, *_: library.named("ckem_keccak_permute_many_avx2").address
    )
    assert before == after


def test_nothing_seen_is_no_evidence(shared):
    """A proof that ran nothing is made again."""
    assert seen(View(shared("gcc")), set(), set())[2] is None


@pytest.fixture(scope="module")
def made(build):
    """A library that was made, and the row of a proof about it."""
    path = build("gcc", targets=["codekem_shared"]) / "libcodekem.so"
    return path, prove.run(path, "keccak_ops.permute-portable-permute")


def test_a_row_holds_for_its_proof_and_code(made):
    """Not by another proof, nor if it failed, nor for other code."""
    path, row = made
    view = View(Library(path))
    assert row["wrong"] is None
    assert prove.holds(row, view)
    for name, other in {"by": "", "wrong": "NotProved", "code": "", "proof": ""}.items():
        assert not prove.holds({**row, name: other}, view)
    assert prove.page_of([{"functions": [], "proofs": [row], "compiler": "", "library": ""}])


def test_changes_of_what_ran_are_found(made, tmp_path):
    """Random ones; and the code is as before."""
    path, row = made
    record = tmp_path / "proved.json"
    record.write_text(json.dumps({"proofs": [row]}), encoding="utf-8")
    trial = mutations.Trial(Library(path), record, 1)
    some = itertools.islice(mutations.changes(trial.library, trial.executed, 1), 4)
    assert {trial.outcome(change)[0] for change in some} <= {"found", "equivalent"}
    assert prove.holds(row, View(trial.library))
    first = min(trial.executed)
    same = mutations.Change(first, 0, trial.library.code(first)[0])
    assert trial.outcome(same)[0] == "equivalent"


def test_a_proof_depends_on_what_it_imports():
    """What another call alone imports does not count."""
    call = next(e.call for e in entries() if str(e) == PROOF)
    names = modules((HERE, *defining(call)))[::2]
    for name in ("machine/marks", "machine/processor", "machine/many", "kernels/engine/prove"):
        assert f"proofs/{name}.py" in names
    assert "proofs/machine/counters.py" not in names


def test_a_mask_is_subtracted_as_its_bit():
    """x - y with y = 0 or -1 is x + 1 or x; what mixes positions is not known."""
    domain = Marks()
    masks = [np.repeat(domain.equal(np.full(8, 2 + i), np.zeros(8, dtype=int)), 8) for i in (0, 1)]
    assert masks[0][0] != masks[1][0] >= NAMED
    zero, second = np.zeros(8, dtype=int), np.zeros(8, dtype=int)
    second[1] = masks[1][0]
    assert list(domain.subtract(zero, masks[0])) == [masks[0][0]] + [0] * 7
    assert list(domain.subtract(second, masks[0])) == [masks[0][0], masks[1][0]] + [0] * 6
    mixed = domain.subtract(np.roll(second, -1), masks[0])
    assert UNKNOWN in domain.origins(mixed)
