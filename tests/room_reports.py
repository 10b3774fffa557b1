# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What the end of a run says of each room: its processor time beside its budget, and of a failure
the claim of the test and the command that repeats it alone.

No test depends on a time: a machine may be busy.
"""

import ast
import functools
import pathlib
import resource
import shlex

# Processor seconds of `make test` with all set-ups, without what tools/made.py takes before: what
# "processor time of rooms" said at the end of a run, and a third more.
BUDGETS = {
    "apps": 110,
    "bindings": 145,
    "devices": 55,
    "evaluation": 145,
    "hardware": 110,
    "hls": 120,
    "lab": 80,
    "parameters": 15,
    "proofs": 130,
    "tests": 370,
    "tools": 110,
}


def seconds():
    """Returns the processor time of this process and of those that it waited for."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(part.ru_utime + part.ru_stime for part in used)


class Clock:
    """Tells what was used since it was asked last."""

    def __init__(self):
        self._last = seconds()

    def used(self):
        now = seconds()
        used, self._last = now - self._last, now
        return used


def room_of(nodeid):
    return nodeid.partition("/")[0]


@functools.cache
def docstrings(path):
    """Returns {function: first sentence of its docstring} of a file of tests."""
    try:
        tree = ast.parse(pathlib.Path(path).read_text(encoding="utf-8"))
    except (OSError, SyntaxError):
        return {}
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and ast.get_docstring(node):
            found[node.name] = " ".join(ast.get_docstring(node).split("\n\n")[0].split())
    return found


def claim_of(nodeid):
    """Returns what a test claims: its name in words, and what its docstring adds."""
    path, _, name = nodeid.partition("::")
    function = name.rpartition("::")[2].partition("[")[0]
    words = function.removeprefix("test_").replace("_", " ") or "it can be collected"
    more = docstrings(path).get(function)
    return f"{words} ({more.rstrip('.')})" if more else words


def failure_line(report):
    """Returns the line for a failure: room, claim, the commands that repeat it alone."""
    nodeid, long = report.nodeid, "long" in getattr(report, "keywords", ())
    path = shlex.quote(nodeid.partition("::")[0])
    made = f".venv/bin/python tools/made.py{' --long' * long} {path}"
    command = f".venv/bin/python -m pytest -p no:xdist{' -m long' * long} {shlex.quote(nodeid)}"
    return f"{room_of(nodeid)}: {claim_of(nodeid)}: {made}; {command}"


def say_failures(terminalreporter):
    """Ends the run with a line for each failure."""
    failed = [*terminalreporter.getreports("failed"), *terminalreporter.getreports("error")]
    lines = dict.fromkeys(failure_line(one) for one in failed)
    if lines:
        terminalreporter.section("what failed: room, claim, commands")
    for line in lines:
        terminalreporter.write_line(line)


def say_times(terminalreporter):
    """Says what the tests of each room took in all processes."""
    total, count = {}, {}
    for reports in terminalreporter.stats.values():
        for report in reports:
            used = getattr(report, "processor_seconds", None)
            if used is None:
                continue
            room = room_of(report.nodeid)
            total[room] = total.get(room, 0) + used
            count[room] = count.get(room, 0) + (report.when == "call")
    if total:
        terminalreporter.section("processor time of rooms")
    for room, used in sorted(total.items()):
        budget = f" of {BUDGETS[room]}" if room in BUDGETS else ""
        terminalreporter.write_line(f"{room}: {count[room]} tests, {used:.0f}{budget} seconds")
