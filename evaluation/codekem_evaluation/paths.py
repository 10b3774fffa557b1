# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Where things are in a checkout of the project."""

import os
import pathlib

PACKAGE = pathlib.Path(__file__).resolve().parent
ROOT = PACKAGE.parent.parent
PUBLISHED = PACKAGE.parent / "published"
SCHEMA = PACKAGE / "schema" / "run.json"

# The build of `make evaluate`; tests use one of their own.
BUILD = pathlib.Path(os.environ.get("CODEKEM_EVALUATION_BUILD", ROOT / "build" / "default"))
RUNS = ROOT / "results"  # not under build/: `make clean` leaves it
REPORT = ROOT / "build" / "evaluation"
PEERS = PACKAGE.parent / "peers" / "rust"
PEERS_BUILD = pathlib.Path(os.environ.get("CODEKEM_PEERS_BUILD", ROOT / "build" / "peers"))

# What other parts of the project measure; shown when it is there.
HARDWARE = ROOT / "hardware" / "results"
EMBEDDED = ROOT / "embedded" / "results"
CAMPAIGNS = ROOT / "docs" / "dfr"
TLS = ROOT / "openssl-provider" / "results"


def short(path):
    """Returns a path as one would type it here: relative if it is below the current folder."""
    path = pathlib.Path(path).resolve()
    here = pathlib.Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path
