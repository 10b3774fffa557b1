# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Where the laboratory's files are, and those of the checkout."""

import pathlib

from codekem_base.paths import BUILD, CHECKOUT, ROOT, RUNS, short

__all__ = ["BUILD", "CHECKOUT", "ESTIMATES", "KEPT", "PACKAGE", "ROOT", "RUNS", "short"]

PACKAGE = pathlib.Path(__file__).resolve().parent
PROJECT = PACKAGE.parents[1]  # the folder of the laboratory, unless the package is installed
KEPT = PROJECT / "campaigns.tar.xz"
ESTIMATES = PROJECT / "estimates.csv"
