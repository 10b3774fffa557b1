# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What the laboratory adds to the evaluation: `codekem-evaluation dfr`, sections of the report, and
traces of their numbers."""

from codekem_lab import dfr, tables_dfr, tables_lab

COMMANDS = {"dfr": dfr.app}
TRACES = {"dfr": tables_dfr.trace, "lab": tables_lab.trace}


def sections():
    return [tables_dfr.section(), tables_lab.section()]
