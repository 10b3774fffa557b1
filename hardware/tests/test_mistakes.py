# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Every bench can fail: mistakes planted in its module (planted.py) are found."""

import pytest

from hardware.tests.bench_models import BOARD
from hardware.tests.bench_runner import BenchFailure
from hardware.tests.planted import mistakes_of, number_of
from hardware.tests.test_modules import MODULES
from tools import mistakes


@pytest.mark.parametrize("mistake", mistakes.cases("hardware/benches"))
def test_mistake_is_found(bench, mistake):
    top, name, parameters = next(module for module in MODULES if module[0] == mistake.by)
    with pytest.raises(BenchFailure, match="AssertionError"):
        bench(top, name, parameters, mistake=number_of(mistake))


def test_every_bench_is_shown_to_fail():
    assert all(mistakes_of(top) for top, *_ in [*MODULES, *BOARD])
