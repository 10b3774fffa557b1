# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Where things are in a checkout of the project.

An installed package has no checkout around it; then the current folder stands in for it.
"""

import os
import pathlib


def checkout_of(package):
    """Returns the checkout that the folder of this package belongs to; None if it is installed."""
    above = pathlib.Path(package).parents
    root = above[3] if len(above) > 3 else above[-1]
    there = (root / "tools" / "base" / "pyproject.toml").is_file()
    return root if there and (root / "include" / "codekem.h").is_file() else None


CHECKOUT = checkout_of(pathlib.Path(__file__).resolve().parent)
ROOT = CHECKOUT or pathlib.Path.cwd()

# The build of `make evaluate`; tests use one of their own.
BUILD = pathlib.Path(os.environ.get("CODEKEM_EVALUATION_BUILD", ROOT / "build" / "default"))
RUNS = ROOT / "results"  # not under build/: `make clean` leaves it


def short(path):
    """Returns a path as one would type it here: relative if it is below the current folder."""
    path = pathlib.Path(path).resolve()
    here = pathlib.Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path
