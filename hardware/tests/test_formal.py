# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The proofs of hardware/formal: each holds, and each finds a mistake that is planted."""

import dataclasses
import shutil

import pytest

from hardware.formal import model, prove
from hardware.tests import simulated
from hardware.tests.planted import with_mistake
from tools import mistakes


def found_by(top, method):
    return next(proof for proof in prove.PROOFS if (proof.top, proof.method) == (top, method))


def marked(proof):
    return pytest.param(proof, id=proof.name, marks=[] if proof.quick else [pytest.mark.long])


@pytest.mark.parametrize("proof", [marked(proof) for proof in prove.PROOFS])
def test_property_holds(proof):
    failed, _ = prove.run(proof)
    assert failed == []


def planted(mistake):
    """Returns the proof that must fail, a module's sources with the mistake, and the folder below
    hardware/ where they are."""
    proof = found_by(*mistake.by.split())
    folder = simulated.HARDWARE / f"{proof.folder}-mistake-{mistake.name}"
    shutil.rmtree(folder, ignore_errors=True)
    return proof, with_mistake(folder, model.sources(proof.top), mistake), folder


@pytest.mark.parametrize("mistake", mistakes.cases("hardware/formal"))
def test_mistake_is_found(mistake):
    failed, _ = prove.run(*planted(mistake))
    assert any(mistake.more["says"] in line for line in failed), failed


def test_contradictory_assumption_is_refused():
    """From a contradiction all would follow."""
    (mistake,) = mistakes.of("hardware/contradiction").values()
    with pytest.raises(model.ProofError, match="nothing satisfies the assumptions"):
        prove.run(*planted(mistake))


@pytest.mark.parametrize(
    "change", [{"secret": ("no",)}, {"may_differ": ("no",)}, {"told": ("no",)}], ids=str
)
def test_unknown_name_is_refused(change):
    proof = dataclasses.replace(found_by("row_writer", "same-control"), **change)
    with pytest.raises(model.ProofError, match=r"has no (input|output|signal) no"):
        prove.run(proof, folder=f"{proof.folder}-unknown-{'-'.join(change)}")


@pytest.mark.parametrize("arguments", [["no-such-proof"], ["--no-such-option"]])
def test_wrong_usage(arguments, capsys):
    assert prove.main(arguments) == 2
    assert capsys.readouterr().out == ""


def test_every_method_of_a_module_is_shown_to_fail():
    shown = {tuple(mistake.by.split()) for mistake in mistakes.of("hardware/formal").values()}
    assert shown == {(proof.top, proof.method) for proof in prove.PROOFS}
