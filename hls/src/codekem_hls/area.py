# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Area of a design by Yosys for Xilinx 7-series, counted as for the hand-written cores.

Memories of arrays that are arguments lie outside and are not counted; local arrays are.
"""

from __future__ import annotations

import json
import pathlib
from collections.abc import Mapping

from .design import Design
from .errors import ToolFailed
from .flow import cells, run_tool
from .names import module_called

FIGURES = ("lut", "lut_raw", "lutram", "ff", "bram36", "dsp")


def luts(figures: Mapping[str, float]) -> float:
    """Returns all look-up tables of an area: those of logic and those used as memory."""
    return figures["lut"] + figures["lutram"]


def area_of(
    text: str, top: str, names: list[str], folder: pathlib.Path, kept: str = ""
) -> dict[str, dict[str, float]]:
    """Synthesises SystemVerilog; returns the figures of modules. kept: those not flattened."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "core.sv").write_text(text, encoding="ascii")
    script = [
        "read_verilog -sv core.sv",
        f"hierarchy -check -top {top}",
        *([f"setattr -mod -set keep_hierarchy 1 {kept}"] if kept else []),
        f"synth_xilinx -family xc7 -flatten -noiopad -top {top}",
        "tee -q -o stat.json stat -json -tech xilinx",
    ]
    (folder / "run.ys").write_text("\n".join(script) + "\n", encoding="ascii")
    try:
        run_tool.run("Yosys", [*run_tool.YOSYS, "-q", "-s", "run.ys"], cwd=folder)
    except run_tool.ToolError as error:
        raise ToolFailed(str(error)) from error
    modules = json.loads((folder / "stat.json").read_text(encoding="utf-8"))["modules"]
    return {
        name: cells.area(cells.cells_of(modules, "\\" + name))
        for name in names
        if "\\" + name in modules
    }


def areas(design: Design, folder: pathlib.Path) -> dict[str, dict[str, float]]:
    """Returns the figures of each function; those of the one on top are of the whole core."""
    top = design.directives.top
    modules = {name: module_called(name) for name in design.parts}
    inner = [module for name, module in modules.items() if name != top]
    kept = " ".join([*inner, f"{top}_control"]) if design.whole else ""
    found = area_of(design.text, design.module, list(modules.values()), folder, kept)
    return {name: found[module] for name, module in modules.items() if module in found}
