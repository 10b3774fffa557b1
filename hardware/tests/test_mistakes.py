# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Every bench can fail: mistakes planted in its module (planted.py) are found."""

import pytest

import mistakes
from hardware.bench_runner import BenchFailure
from hardware.planted import mistakes_of, number_of
from hardware.test_kit import BOARD_MODULES
from hardware.test_modules import MODULES


@pytest.mark.parametrize("mistake", mistakes.cases("hardware/benches"))
def test_mistake_is_found(bench, mistake):
    top, name, parameters = next(module for module in MODULES if module[0] == mistake.by)
    with pytest.raises(BenchFailure, match="AssertionError"):
        bench(top, name, parameters, mistake=number_of(mistake))


def test_every_bench_is_shown_to_fail():
    assert all(mistakes_of(top) for top, *_ in [*MODULES, *BOARD_MODULES])
