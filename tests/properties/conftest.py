# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What the property tests share."""

import functools

import pytest

from tests.samples import honest_exchange


@pytest.fixture(scope="session")
def exchange(library):
    """exchange(name) returns an honest exchange with the KEM; see tests/samples.py."""
    return functools.cache(functools.partial(honest_exchange, library))
