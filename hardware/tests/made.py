# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Finds models of cores that tools/made.py has made; hardware/made.cmake lists them."""

import functools

from tests.fixtures import NotMade
from tools import made

why_not_made = functools.cache(made.why_not_made)


def model(kind, output, **parameters):
    """Returns the path of `output` in the folder of a model with these parameters."""
    name = "-".join([kind, *sorted(f"{name}={value}" for name, value in parameters.items())])
    if why := why_not_made(f"model-{name}".replace("=", ".")):
        raise NotMade(f"{why}: .venv/bin/python tools/made.py hardware")
    return made.BUILDS / f"test-{name}" / output
