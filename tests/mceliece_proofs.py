# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What the proofs about Classic McEliece in tests/soundness share."""

import pytest

# Of both fields the set with the fewest columns, and one whose rows are no whole words.
SETS = {
    "348864": {"M": 12, "N": 3488, "T": 64, "TAU": 128},
    "6960119": {"M": 13, "N": 6960, "T": 119, "TAU": 238},
}

PREFIX = "codekem_mceliece"

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


def mistakes(found, short=()):
    """Returns the cases of a table of mistakes."""
    return [unless((name,), [(mistake,) for mistake in short]) for name in found]


def assert_noticed(request, mistaken, mistake):
    """mistake: file, text, what stands there instead, what must be said, fixture and arguments."""
    file, before, after, expected, analyse, arguments = mistake
    top = mistaken(file, before, after)
    analysis = request.getfixturevalue(analyse)(*arguments, top=top)
    assert any(expected in alarm for alarm in analysis.alarms), analysis.report()
