# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Prints the table of working memory in docs/security.md.

.venv/bin/python tests/memory/stack_table.py build/default/libcodekem.so
"""

import sys

from tests.library import Library

# What a call needs on its stack beside the workspace; test_memory.py checks it.
STACK_MARGIN = 13 * 1024


def kibibytes(length):
    """Rounds up."""
    return f"{-(-length // 1024)}"


def stack(workspace):
    """Returns the bytes of stack that a call takes with so large a workspace."""
    return workspace + STACK_MARGIN


def table(library):
    """Returns the lines of the table, without earlier versions, which take as much as their level's
    present one."""
    lines = [
        "| KEM | keypair: workspace | stack, KiB | encaps: workspace | stack, KiB "
        "| decaps, check: workspace | stack, KiB |",
        "|---|--:|--:|--:|--:|--:|--:|",
    ]
    for kem in library.kems():
        if kem.superseded:
            continue
        cells = [kem.name]
        for workspace in (
            kem.length_keypair_workspace,
            kem.length_encaps_workspace,
            kem.length_decaps_workspace,
        ):
            cells += [f"{workspace}", kibibytes(stack(workspace))]
        lines.append(f"| {' | '.join(cells)} |")
    return lines


if __name__ == "__main__":
    print("\n".join(table(Library(sys.argv[1]))))
