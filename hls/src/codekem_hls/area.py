# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Area of a design by Yosys for Xilinx 7-series, counted as for the hand-written cores.

Memories of arrays that are arguments lie outside and are not counted; local arrays are.
"""

from __future__ import annotations

import importlib.util
import json
import pathlib
import sys
from typing import Any

from .design import Design
from .errors import ToolFailed

HARDWARE = pathlib.Path(__file__).resolve().parents[2] / "hardware"
FIGURES = ("lut", "lut_raw", "lutram", "ff", "bram36", "dsp")


def load(path: pathlib.Path) -> Any:
    """Imports a module of the hand-written core's flow."""
    for folder in (path.parent, HARDWARE.parent / "tools"):
        if str(folder) not in sys.path:
            sys.path.append(str(folder))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def area_of(
    text: str, top: str, names: list[str], folder: pathlib.Path, kept: str = ""
) -> dict[str, dict[str, float]]:
    """Synthesises SystemVerilog; returns the figures of modules. kept: those not flattened."""
    folder.mkdir(parents=True, exist_ok=True)
    flow = load(HARDWARE / "syn" / "synthesise.py")
    tool = flow.run_tool
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
        tool.run("Yosys", [*tool.YOSYS, "-q", "-s", "run.ys"], cwd=folder)
    except tool.ToolError as error:
        raise ToolFailed(str(error)) from error
    modules = json.loads((folder / "stat.json").read_text(encoding="utf-8"))["modules"]
    return {
        name: flow.area(flow.cells_of(modules, "\\" + name))
        for name in names
        if "\\" + name in modules
    }


def areas(design: Design, folder: pathlib.Path) -> dict[str, dict[str, float]]:
    """Returns the figures of each function; those of the one on top are of the whole core."""
    top = design.directives.top
    kept = " ".join([*(name for name in design.parts if name != top), f"{top}_control"])
    return area_of(design.text, top, list(design.parts), folder, kept if design.whole else "")
