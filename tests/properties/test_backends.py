# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Choosing a back end, and many threads at once."""

from concurrent.futures import ThreadPoolExecutor

import pytest

import codekem_ctypes as ck
from codekem_ctypes import CodekemError
from samples import run_python


CHOICE = ("import sys; from codekem_ctypes import *\nlibrary = Library(sys.argv[1])\n"
          "print(library.call['backend_current']())\n"
          "try:\n    library.keypair(library.kem('BIKE-L1'), bytes(64)); print('works')\n"
          "except CodekemError as error:\n    print(error.status)\n")


def test_environment_chooses_the_back_end(backend_name, build):
    done = run_python(CHOICE, build("gcc"), CODEKEM_CPU=backend_name)
    assert done.stdout.split() == [f"b'{backend_name}'", "works"], done.stderr


@pytest.mark.parametrize("bad", ["z80", "Portable", "portable "])
def test_unknown_back_end_in_the_environment_fails_every_call(bad, build):
    done = run_python(CHOICE, build("gcc"), CODEKEM_CPU=bad)
    assert done.stdout.split() == ["None", str(ck.ERROR_BACKEND)], done.stderr


def test_without_a_wish_the_best_back_end_is_taken(library, build):
    best = [name for name, runs in library.backends().items() if runs][-1]
    assert best != "reference"
    done = run_python(CHOICE, build("gcc"), CODEKEM_CPU="")
    assert done.stdout.split() == [f"b'{best}'", "works"], done.stderr


def test_selecting_an_unknown_back_end_changes_nothing(library):
    with library.backend("portable"):
        assert library.call["backend_select"](b"z80") == ck.ERROR_BACKEND
        assert library.call["backend_current"]() == b"portable"
    assert library.call["backend_name"](library.call["backend_count"]()) is None
    assert library.call["backend_supported"](library.call["backend_count"]()) is False


def test_many_threads_agree(library):
    """ctypes gives up Python's lock during a call, so these run at once."""
    kems = library.kems()

    def one(number):
        kem = kems[number % len(kems)]
        public_key, secret_key = library.keypair(kem)
        ciphertext, shared = library.encaps(kem, public_key)
        return library.decaps(kem, ciphertext, secret_key) == shared
    with ThreadPoolExecutor(max_workers=16) as pool:
        assert all(pool.map(one, range(200)))


def test_error_class_names_the_status():
    error = CodekemError(ck.ERROR_NULL, "text")
    assert (error.status, str(error)) == (1, "status 1: text")
