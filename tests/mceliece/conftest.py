# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Classic McEliece through ctypes."""

import functools

import pytest

from mceliece_ctypes import McEliece, vectors


@pytest.fixture(scope="session")
def mceliece(internals):
    return McEliece(internals)


@pytest.fixture(scope="session")
def stored():
    """stored("pc") is that file of vectors."""
    return functools.cache(vectors)
