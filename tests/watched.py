# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Runs programs of tests/harness: lines say which rows, under the watcher that is linked in."""

import os
import subprocess

REPORTED = 99  # the exit status that checkers of constant time are told to use
NO_BACKEND = 3  # that of the harness if the processor lacks the back end


def lines_of(subject, operations):
    """Returns a line for each operation."""
    return [f"{subject} {operation}" for operation in operations]


def run(program, backend, lines, before=(), keys=None, **environment):
    """Runs a program; before: what runs it. keys: a file that it reads. Returns what is done."""
    with open(keys or os.devnull, "rb") as given:
        return subprocess.run(
            [*map(str, before), str(program), backend, *lines],
            stdin=given,
            capture_output=True,
            text=True,
            check=False,
            env=environment or None,
        )


def operations_of(output):
    """Returns {subject: operations} of what a program printed, "SUBJECT OPERATION ..." a line."""
    found = {}
    for line in output.splitlines():
        subject, operation, *_ = line.split()
        found.setdefault(subject, set()).add(operation)
    return found
