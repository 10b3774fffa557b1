# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Slow tests are begun early by the scheduler of pytest-xdist, and no test is lost."""

import pathlib
import types

import pytest
from xdist.scheduler import WorkStealingScheduling

from tests.running_order import running_order

ROOT = pathlib.Path("/project")


class Item:
    """What the order needs of a test."""

    def __init__(self, folder, number, slow=False):
        self.path = ROOT / folder / "test_file.py"
        self.name, self.slow = f"{folder}-{number}", slow

    def get_closest_marker(self, name):
        return name if name == "slow" and self.slow else None


class Worker:
    """A worker of pytest-xdist that only notes what it is told to run."""

    shutting_down = False

    def __init__(self):
        self.tests = []
        self.gateway = types.SimpleNamespace(id=id(self))

    def send_runtest_some(self, indices):
        self.tests += indices


def first_parts(items, workers):
    """Returns the tests that the scheduler gives to each worker at the begin."""
    config = types.SimpleNamespace(getvalue=lambda _: ["popen"] * len(workers))
    scheduler = WorkStealingScheduling(config)
    for worker in workers:
        scheduler.add_node(worker)
        scheduler.add_node_collection(worker, [item.name for item in items])
    scheduler.schedule()
    return [[items[i] for i in worker.tests] for worker in workers]


@pytest.mark.parametrize("workers", [1, 2, 3, 8, 40])
def test_slow_tests_are_begun_first_on_all_workers_but_one(workers):
    tests = [
        Item(folder, number, slow=folder in ("hardware/tests", "tests/fuzz") and number % 10 == 3)
        for folder in ("tests/fuzz", "tests/unit", "hardware/tests", "tools/tests")
        for number in range(67)
    ]
    ordered = running_order(tests, ROOT, workers)
    assert sorted(test.name for test in ordered) == sorted(test.name for test in tests)
    parts = first_parts(ordered, [Worker() for _ in range(workers)])
    assert parts[0][0].name == "tools/tests-0"
    if workers > 1:
        for part in parts[1:]:
            slow = sum(test.slow for test in part)
            assert all(test.slow for test in part[:slow])
        assert sum(test.slow for part in parts[1:] for test in part) == 14


def test_one_worker_goes_from_folder_to_folder():
    tests = [
        Item("tests/fuzz", 1, slow=True),
        Item("tests/unit", 2),
        Item("tests/unit", 1),
        Item("tools/tests", 1),
    ]
    assert [test.name for test in running_order(tests, ROOT, 1)] == [
        "tools/tests-1",
        "tests/unit-2",
        "tests/unit-1",
        "tests/fuzz-1",
    ]
