# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Where things are: data of the package beside this file, the rest in a checkout of the project.

An installed package has no checkout around it; then the current folder stands in for it. What is
only in a checkout (programs to measure, results of the other parts) is missing there, and the
report says so.
"""

import os
import pathlib

from codekem_base.paths import BUILD, CHECKOUT, ROOT, RUNS, short

__all__ = ["BUILD", "CHECKOUT", "ROOT", "RUNS", "short"]

PACKAGE = pathlib.Path(__file__).resolve().parent
PUBLISHED = PACKAGE / "publications"
SCHEMA = PACKAGE / "schema" / "run.json"


REPORT = ROOT / "build" / "evaluation"
PEERS = ROOT / "evaluation" / "peers" / "rust"
PEERS_BUILD = pathlib.Path(os.environ.get("CODEKEM_PEERS_BUILD", ROOT / "build" / "peers"))

# What other parts of the project measure; shown when it is there.
HARDWARE = ROOT / "hardware" / "results"
SOC = ROOT / "hardware" / "soc" / "results"
HLS = ROOT / "hls" / "results"
PEER_CORES = ROOT / "hardware/peers/results"
EMBEDDED = ROOT / "devices/results"
HISTORY = ROOT / "docs" / "speed" / "history.jsonl"
TLS = ROOT / "apps/openssl-provider/results"
