# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Synthesis, placing and routing: tools/flow, which the hand-written cores take, too. A package of
its own, and optional: without it there are no areas and no clocks, and all else works."""

from __future__ import annotations

from .errors import ToolFailed


class Missing:
    """Stands for a module of tools/flow that is not here."""

    def __getattr__(self, name: str) -> object:
        raise ToolFailed(
            "areas and clocks need the package codekem-flow, which is tools/flow of the repository"
        )


try:
    from tools.flow import cells, ecp5, run_tool
except ImportError:  # an archive of hls/ alone
    cells = ecp5 = run_tool = Missing()  # type: ignore[assignment]

__all__ = ["cells", "ecp5", "run_tool"]
