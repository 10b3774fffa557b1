# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Classic McEliece in the library of the internals."""

import pytest

from tests import mceliece_checks
from tests.mceliece_library import McEliece


@pytest.fixture(scope="session")
def mceliece(internals):
    return McEliece(internals)


@pytest.fixture(scope="session")
def stored():
    """stored("pc") is that file of vectors."""
    return mceliece_checks.stored
