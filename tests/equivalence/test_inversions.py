# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Inverses in GF(2^12) and GF(2^13), and the field of AES in HQC with AVX-512."""

import pytest

import mistakes
from equivalence.codes import SIZES
from equivalence.fields import FILES, SHARED
from equivalence.inversions import UNIT_FILES, AesInverse, AesSyndromes, FieldInverses
from equivalence.prove import NotProved, prove_exhaustively

BACKENDS = ["portable", "avx2", "avx512"]
QUICK = [FieldInverses(backend, 12, 1) for backend in BACKENDS]
LONG = [FieldInverses(backend, 13, 1) for backend in BACKENDS]
LONG += [FieldInverses(backend, degree, 3) for backend in BACKENDS for degree in (12, 13)]


def files(call):
    """Returns the files of the back end of a call."""
    return [*FILES[call.backend], *SHARED]


@pytest.mark.parametrize("call", QUICK, ids=repr)
def test_inverses_of_all_elements(holds, call):
    """One block, all elements in all lanes."""
    holds(files(call), call)


@pytest.mark.long
@pytest.mark.parametrize("call", LONG, ids=repr)
def test_inverses_of_all_elements_of_the_larger_field(holds, call):
    """And several blocks, which share one inversion."""
    holds(files(call), call)


@pytest.mark.parametrize("size", [32, 64])
def test_inverses_through_the_field_of_aes(sources, size):
    """All 256 elements."""
    prove_exhaustively(sources.module(UNIT_FILES), AesInverse(size), 8)


@pytest.mark.parametrize("code", SIZES)
def test_syndromes_through_the_field_of_aes(holds, code):
    """A linear map."""
    holds(UNIT_FILES, AesSyndromes(code))


@pytest.mark.parametrize("mistake", mistakes.cases("equivalence/inversions"))
def test_a_changed_chain_is_found(fails, mistake):
    """A square too few."""
    call = mistake.call(globals())
    fails(files(call), call, mistake)


def test_a_wrong_matrix_is_found(sources):
    """The way back from the field of AES."""
    mistake = mistakes.of("equivalence/field of AES")["wrong_matrix"]
    with pytest.raises(NotProved):
        prove_exhaustively(sources.module(UNIT_FILES, changed=mistake), mistake.call(globals()), 8)


def test_a_wrong_point_is_found(fails):
    """Where the syndromes evaluate."""
    mistake = mistakes.of("equivalence/field of AES")["wrong_point"]
    fails(UNIT_FILES, mistake.call(globals()), mistake)
