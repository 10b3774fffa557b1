# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Every bench can fail: mistakes planted in its module (mistakes.py) are found."""

import pytest

from hardware.bench_runner import BenchFailure
from hardware.mistakes import MISTAKES
from hardware.test_kit import BOARD_MODULES
from hardware.test_modules import LONG, MODULES

NUMBERED = [  # one of each module in `make test`
    pytest.param(
        top,
        number,
        id=f"{top}-{number}",
        marks=pytest.mark.long if number > 1 or top in LONG else [],
    )
    for top in dict.fromkeys(top for top, *_ in MODULES)
    for number in range(1, len(MISTAKES[top]) + 1)
]


@pytest.mark.parametrize(("top", "number"), NUMBERED)
def test_mistake_is_found(bench, top, number):
    name, parameters = next(rest for its, *rest in MODULES if its == top)
    with pytest.raises(BenchFailure, match="AssertionError"):
        bench(top, name, parameters, mistake=number)


def test_every_bench_is_shown_to_fail():
    assert all(MISTAKES.values())
    assert set(MISTAKES) == {"open_values", *[top for top, *_ in [*MODULES, *BOARD_MODULES]]}
