# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What the laboratory adds to the evaluation: `codekem-evaluation dfr`, sections of the report,
traces of their numbers, and a paper."""

from codekem_lab import dfr, paper, tables_dfr, tables_lab

COMMANDS = {"dfr": dfr.app}
PAPERS = {"dfr": paper.write}
TRACES = {"dfr": tables_dfr.trace, "lab": tables_lab.trace}


def sections():
    return [tables_dfr.section(), tables_lab.section()]
