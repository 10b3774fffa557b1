# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Where the laboratory's files are, and those of the checkout."""

import pathlib

from codekem_base.paths import BUILD, CHECKOUT, ROOT, RUNS, short

__all__ = ["BUILD", "CAMPAIGNS", "CHECKOUT", "LAB_CAMPAIGNS", "PACKAGE", "ROOT", "RUNS", "short"]

PACKAGE = pathlib.Path(__file__).resolve().parent
CAMPAIGNS = ROOT / "docs" / "dfr"
LAB_CAMPAIGNS = CAMPAIGNS / "lab"
