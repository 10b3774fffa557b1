# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Finds models of cores that tools/made.py has made; hardware/made.cmake lists them."""

import functools

from tests.fixtures import NotMade
from tools import made

why_not_made = functools.cache(made.why_not_made)


def model(kind, output, **parameters):
    """Returns the path of `output` in the folder of a model with these parameters."""
    name = "-".join([kind, *sorted(f"{name}={value}" for name, value in parameters.items())])
    target = f"model-{name}".replace("=", ".")
    if why := why_not_made(target):
        raise NotMade(f"{why}: {made.how_to_make(target)}")
    return made.BUILDS / f"test-{name}" / output
