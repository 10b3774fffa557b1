# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The command codekem-lab; `codekem-evaluation dfr` is the same."""

import sys

from codekem_base.errors import EvaluationError
from codekem_lab.dfr import app


def main():
    try:
        app()
    except EvaluationError as error:
        print(f"codekem-lab: error: {error}", file=sys.stderr)
        sys.exit(1)
