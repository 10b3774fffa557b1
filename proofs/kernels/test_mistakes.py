# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The ledger names proofs as their tests do: a name that is lost shows before a long test runs."""

import importlib
import pathlib

import pytest

from tools import mistakes

GROUPS = [group for group in mistakes.ledger() if group.startswith("equivalence/")]


@pytest.mark.parametrize("group", GROUPS)
def test_the_proof_of_every_mistake_is_found(group):
    for mistake in mistakes.of(group).values():
        test = pathlib.Path(mistake.test.partition("::")[0])
        names = vars(importlib.import_module(f"proofs.kernels.{test.stem}"))
        assert repr(mistake.call(names)), mistake
