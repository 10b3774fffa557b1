# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Which planted mistakes `make test` tries: of each kind the first one. The others repeat what that
one shows of a proof, and are for `make test-long`."""

import pytest


def kind_of(call):
    """What is proved in one way, whatever the back end: a kind of call, and what it is for."""
    return type(call), getattr(call, "operation", None), getattr(call, "step", None)


def first_of_each(mistakes, kind):
    """Returns parameters for all names of mistakes; kind(name) says what a mistake repeats."""
    seen, parameters = set(), []
    for name in mistakes:
        marks = [pytest.mark.long] if kind(name) in seen else []
        seen.add(kind(name))
        parameters.append(pytest.param(name, marks=marks, id=str(name)))
    return parameters
