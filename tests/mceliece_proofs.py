# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What the proofs about Classic McEliece in proofs/soundness share."""

import functools

import pytest

# Of both fields the set with the fewest columns, and one whose rows are no whole words.
SETS = {
    "348864": {"M": 12, "N": 3488, "T": 64, "TAU": 128},
    "6960119": {"M": 13, "N": 6960, "T": 119, "TAU": 238},
}

PREFIX = "ckem_mceliece"

FEW_ROUNDS = ["-eva-widening-delay", "3"]  # where loops are not run to their end


def kept_apart(slevels, *functions):
    """Returns options that keep what functions return apart, with 0 or not, where others call."""
    return [
        *("-eva-split-return-function", ",".join(f"{name}:0" for name in functions)),
        *("-eva-slevel-function", ",".join(f"{name}:{level}" for name, level in slevels.items())),
    ]


def check(analysis):
    assert not analysis.problems(), analysis.report()


def unless(case, short):
    """Returns a case that runs in `make test` if it is in short, else in `make test-long`."""
    return pytest.param(*case, marks=[] if case in short else pytest.mark.long)


class Analyses(dict):
    """The analyses of conftest.py by name, of the sources below `top`, and what else is named."""

    def __init__(self, request, top, **more):
        super().__init__(more)
        self._request, self._top = request, top

    def __missing__(self, name):
        return functools.partial(self._request.getfixturevalue(name), top=self._top)


def assert_noticed(request, top, mistake, **names):
    """Demands that an analysis says what the ledger does; top: of the sources with the mistake."""
    analysis = mistake.call(Analyses(request, top, **names))
    assert any(mistake.more["says"] in alarm for alarm in analysis.alarms), analysis.report()
