# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Finds models of cores that tools/made.py has made; hardware/made.cmake lists them."""

import functools
import subprocess

from tests.fixtures import BUILDS, NotMade


@functools.cache
def is_present(path):
    """Says whether a file is there, and not older than what it is made from."""
    command = ["ninja", "-C", BUILDS / "graph", "-n", path]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return path.exists() and "ninja: no work to do." in done.stdout


def model(kind, output, **parameters):
    """Returns the path of `output` in the folder of a model with these parameters."""
    text = "-".join(sorted(f"{name}={value}" for name, value in parameters.items()))
    path = BUILDS / f"test-{kind}-{text}" / output
    if not is_present(path):
        raise NotMade(
            f"{path} is not there or not up to date: .venv/bin/python tools/made.py hardware, "
            "with --long for a long test (or hardware/made.cmake lacks it)"
        )
    return path
