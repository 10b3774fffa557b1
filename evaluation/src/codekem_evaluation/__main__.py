# SPDX-License-Identifier: Apache-2.0 OR MIT
"""python -m codekem_evaluation: the command, where it is not installed."""

from codekem_evaluation.cli import main

if __name__ == "__main__":
    main()
