# SPDX-License-Identifier: Apache-2.0 OR MIT
"""How much processor time tests of proofs took, which the summary says; no test depends on it.

A conftest.py of proofs imports `proof_time`. What was proved before, and is kept, takes little.
"""

import resource

import pytest

NAME = "processor seconds of proofs"


def seconds():
    """Returns the processor time of this process and of those that it waited for."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(part.ru_utime + part.ru_stime for part in used)


@pytest.fixture(autouse=True)
def proof_time(request, record_property):
    """Writes down what a test took, and in which folder."""
    before = seconds()
    yield
    folder = request.path.parent.relative_to(request.config.rootpath).as_posix()
    record_property(NAME, (folder, seconds() - before))


def say_times(terminalreporter):
    """Says what the proofs of each folder took in all processes."""
    total, count = {}, {}
    for report in terminalreporter.getreports(""):  # of what follows a test
        for name, value in getattr(report, "user_properties", []):
            if name == NAME and report.when == "teardown":
                folder, used = value
                total[folder] = total.get(folder, 0) + used
                count[folder] = count.get(folder, 0) + 1
    if total:
        terminalreporter.section("processor time of proofs")
        for folder, used in sorted(total.items()):
            terminalreporter.write_line(f"{folder}: {count[folder]} tests, {used:.0f} seconds")
