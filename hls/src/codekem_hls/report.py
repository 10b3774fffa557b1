# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The figures of a design: of loops, of functions, as text and as JSON."""

from __future__ import annotations

import pathlib
from typing import Any

from .area import FIGURES, luts
from .design import Design, Part, block_cycles
from .ir import Array, Block, Op


def trip_count(part: Part, latch: Block, head: Block) -> dict[str, Any]:
    """Returns how often a loop turns: a number, or the least and the most."""
    walk = part.walk
    if walk is None:
        return {"trips": None}
    if latch is head:
        counts = sorted(walk.trips.get(latch.name, {}))
        if not counts:
            return {"trips": 0}
        return {"trips": counts[0] if len(counts) == 1 else [counts[0], counts[-1]]}
    before = [block for block in part.function.predecessors(head.name) if block is not latch]
    entries = sum(walk.visits[block.name] for block in before if block.end == "jump")
    entries = entries or 1
    turns = walk.visits[head.name] / entries
    return {"trips": int(turns) if turns == int(turns) else round(turns, 1)}


def place(design: Design, block: Block) -> int | str:
    """Returns the line of a loop, with the file's name if the kernel's file includes that."""
    lines = (line for line, name in design.source.loops.items() if name == block.loop)
    file, line = design.source.combined.place(next(lines, block.line))
    return line if file == design.source.file else f"{pathlib.PurePath(file).name}:{line}"


def loops(design: Design, part: Part) -> list[dict[str, Any]]:
    rows = []
    for block in part.function.blocks.values():
        if not block.loop:
            continue
        inside = part.function.loop_blocks(block)
        if not inside:
            continue
        cycles = None
        if part.walk is not None:
            cycles = sum(block_cycles(one, part.walk, design.parts) for one in inside)
        rows.append(
            {
                "loop": block.loop,
                "line": place(design, block),
                **trip_count(part, block, inside[0]),
                "interval": block.interval or None,
                "iteration_latency": block.steps if len(inside) == 1 else None,
                "cycles": cycles,
                "limit": design.source.combined.told(block.limits, design.source.file),
            }
        )
    return rows


def memories(part: Part) -> list[dict[str, Any]]:
    return [
        {
            "array": array.name,
            "kind": array.kind,
            "width": array.width,
            "depth": array.depth,
            "bind": array.bind,
            "ports": [array.used_reads, array.used_writes],
        }
        for array in part.function.arrays.values()
        if isinstance(array, Array)
    ]


def operators(part: Part) -> dict[str, int]:
    """Counts the operations that are hardware, by kind."""
    counts: dict[str, int] = {}
    for op in part.function.ops:
        if isinstance(op, Op) and op.kind not in ("phi", "zext", "trunc", "sext", "copy"):
            counts[op.kind] = counts.get(op.kind, 0) + 1
    return dict(sorted(counts.items()))


def figures(design: Design, areas: dict[str, dict[str, float]] | None = None) -> dict[str, Any]:
    """Returns the report as data; areas: of area.areas(), if they are wanted."""
    functions = []
    for name, part in design.parts.items():
        row: dict[str, Any] = {
            "function": name,
            "latency": part.latency,
            "loops": loops(design, part),
            "memories": memories(part),
            "operations": operators(part),
        }
        area = (areas or {}).get(name)
        if area is not None:
            row["area"] = {figure: area[figure] for figure in FIGURES}
            if part.latency is not None:
                row["latency_area_product"] = part.latency * luts(area) / 1e6
        functions.append(row)
    return {
        "kernel": design.directives.kernel.name,
        "top": design.directives.top,
        "clock_ns": design.directives.clock,
        "functions": functions,
    }


def table(rows: list[list[str]]) -> list[str]:
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return [
        "  ".join(
            cell.ljust(width) if i == 0 else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def shown(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, list):
        return "-".join(map(str, value))
    return (
        f"{value:.3f}"
        if isinstance(value, float) and value != int(value)
        else f"{value:g}"
        if (isinstance(value, float))
        else str(value)
    )


def text(report: dict[str, Any]) -> str:
    """Returns the report to be read."""
    lines = [f"{report['top']} of {report['kernel']}, {report['clock_ns']:g} ns"]
    for row in report["functions"]:
        latency = row["latency"]
        cycles = f"{latency} cycles, least = most" if latency is not None else "by PUBLIC scalars"
        lines += ["", f"function {row['function']}: {cycles}"]
        if row["loops"]:
            head = ["loop", "line", "trips", "II", "iteration", "cycles"]
            keys = ("loop", "line", "trips", "interval", "iteration_latency", "cycles")
            body = [[shown(loop[key]) for key in keys] for loop in row["loops"]]
            lines += [f"  {line}" for line in table([head, *body])]
        for loop in row["loops"]:
            if loop["limit"]:
                lines.append(f"  {loop['loop']}: no smaller II because of {loop['limit']}")
        if row["memories"]:
            head = ["array", "kind", "width", "depth", "bind", "ports"]
            body = [[shown(one[key]) for key in head] for one in row["memories"]]
            lines += [f"  {line}" for line in table([head, *body])]
        if "area" in row:
            area = ", ".join(f"{row['area'][name]:g} {name}" for name in FIGURES)
            lines.append(f"  area: {area}")
        if "latency_area_product" in row:
            product = row["latency_area_product"]
            lines.append(f"  latency x LUT: {product:.3f} million")
    return "\n".join(lines) + "\n"


def latex_escaped(text: str) -> str:
    return "".join(f"\\{one}" if one in "&%$#_{}" else one for one in text)


def latex_table(head: list[str], rows: list[list[str]], caption: str) -> list[str]:
    return [
        "\\begin{table}",
        f"\\caption{{{latex_escaped(caption)}}}",
        f"\\begin{{tabular}}{{l{'r' * (len(head) - 1)}}}",
        " & ".join(map(latex_escaped, head)) + r" \\ \hline",
        *[" & ".join(map(latex_escaped, row)) + r" \\" for row in rows],
        "\\end{tabular}",
        "\\end{table}",
    ]


def latex(report: dict[str, Any]) -> str:
    """Returns two LaTeX tables: functions, and loops."""
    names = [] if all("area" not in row for row in report["functions"]) else list(FIGURES)
    head = ["function", "latency", *names, *(["latency x LUT, M"] if names else [])]
    functions, loop_rows = [], []
    for row in report["functions"]:
        area = [shown(row.get("area", {}).get(name)) for name in names]
        product = [shown(row.get("latency_area_product"))] if names else []
        functions.append([row["function"], shown(row["latency"]), *area, *product])
        for loop in row["loops"]:
            keys = ("trips", "interval", "iteration_latency", "cycles")
            loop_rows.append(
                [f"{row['function']}: {loop['loop']}", *[shown(loop[key]) for key in keys]]
            )
    title = f"{report['top']} of {report['kernel']} at {report['clock_ns']:g} ns"
    lines = latex_table(head, functions, f"{title}: functions; least latency = most")
    if loop_rows:
        words = ["loop", "trip count", "II", "iteration latency", "cycles"]
        lines += latex_table(words, loop_rows, f"{title}: loops")
    if names:
        lines.append(
            "% LUT: estimate of Yosys (raw: not packed); those of publications are Vivado's. The "
            "product counts LUT RAM, too"
        )
    return "\n".join(lines) + "\n"
