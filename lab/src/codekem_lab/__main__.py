# SPDX-License-Identifier: Apache-2.0 OR MIT
"""python -m codekem_lab is the command codekem-lab."""

from codekem_lab.cli import main

main()
