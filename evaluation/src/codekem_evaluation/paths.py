# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Where things are: data of the package beside this file, the rest in a checkout of the project.

An installed package has no checkout around it; then the current folder stands in for it. What is
only in a checkout (programs to measure, results of the other parts) is missing there, and the
report says so.
"""

import os
import pathlib

PACKAGE = pathlib.Path(__file__).resolve().parent
PUBLISHED = PACKAGE / "publications"
SCHEMA = PACKAGE / "schema" / "run.json"


def checkout_of(package):
    """Returns the checkout that the folder of the package belongs to; None if it is installed."""
    root = package.parents[2]
    return (
        root
        if (root / "evaluation" / "pyproject.toml").is_file()
        and (root / "include" / "codekem.h").is_file()
        else None
    )


CHECKOUT = checkout_of(PACKAGE)
ROOT = CHECKOUT or pathlib.Path.cwd()

# The build of `make evaluate`; tests use one of their own.
BUILD = pathlib.Path(os.environ.get("CODEKEM_EVALUATION_BUILD", ROOT / "build" / "default"))
RUNS = ROOT / "results"  # not under build/: `make clean` leaves it
REPORT = ROOT / "build" / "evaluation"
PEERS = ROOT / "evaluation" / "peers" / "rust"
PEERS_BUILD = pathlib.Path(os.environ.get("CODEKEM_PEERS_BUILD", ROOT / "build" / "peers"))

# What other parts of the project measure; shown when it is there.
HARDWARE = ROOT / "hardware" / "results"
SOC = ROOT / "hardware" / "soc" / "results"
HLS = ROOT / "hls" / "results"
PEER_CORES = ROOT / "hardware/peers/results"
EMBEDDED = ROOT / "devices/results"
CAMPAIGNS = ROOT / "docs" / "dfr"
HISTORY = ROOT / "docs" / "speed" / "history.jsonl"
LAB_CAMPAIGNS = CAMPAIGNS / "lab"
TLS = ROOT / "apps/openssl-provider/results"


def short(path):
    """Returns a path as one would type it here: relative if it is below the current folder."""
    path = pathlib.Path(path).resolve()
    here = pathlib.Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path
