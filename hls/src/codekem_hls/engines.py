# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The same kernel and directives for other engines: Vitis HLS and Bambu.

Their files and scripts are written out after their manuals; the authors have neither tool, and have
not run them. Where a user has one, run() runs it and stores a row beside ours.
"""

from __future__ import annotations

import json
import pathlib
import re
import shutil
from typing import Any
from xml.etree import ElementTree

from . import area, frontend, results
from .design import Design
from .errors import ToolFailed
from .ir import Array
from .loops import Loop, bodies, labelled_loops, without_comments
from .simulate import Values, run_tool

STORED = results.FOLDER / "results" / "engines.json"
PART = "xc7a100tcsg324-1"
BAMBU_DEVICE = "xc7a100t-1csg324-VVD"
NOT_RUN = "Written by codekem-hls; its authors have not run it, for they have no {}."
NAMES = {"vitis": "Vitis HLS", "bambu": "Bambu"}
Files = dict[str, str]


def loops_of(design: Design) -> dict[str, Loop]:
    """Returns the loops by the names that the directives have."""
    source = design.source
    found = labelled_loops(source.combined.text, source.file)
    count: dict[str, int] = {}
    for loop in found:
        count[loop.label] = count.get(loop.label, 0) + 1
    return {loop.label if count[loop.label] == 1 else loop.whole: loop for loop in found}


def functions_with(text: str, array: str) -> list[str]:
    """Returns the functions that declare a local array."""
    code = without_comments(text)
    pattern = rf"\b\w+(?:\([^)]*\))?[\s,][^;()]*\b{re.escape(array)}\s*\["
    return [
        name
        for first, last, name in bodies(code)
        if re.search(pattern, code[first:last].replace("{", ";")) and name
    ]


def kernel_text(design: Design) -> tuple[str, str]:
    """Returns the name and text of the kernel: C as it is, or C++ if it has widths of its own."""
    text = design.source.combined.text
    top = design.directives.top
    if not re.search(r"_BitInt\s*\(", without_comments(text)):
        return f"{top}.c", text
    text = re.sub(r"\bunsigned\s+_BitInt\s*\(([^()]*(?:\([^()]*\))?[^()]*)\)", r"ap_uint<\1>", text)
    text = re.sub(r"\b_BitInt\s*\(([^()]*(?:\([^()]*\))?[^()]*)\)", r"ap_int<\1>", text)
    text = re.sub(r"\[\s*static\s+", "[", text)
    text = re.sub(rf"^(\w+ )(?={top}\s*\()", r'extern "C" \1', text, flags=re.M)
    return f"{top}.cpp", f"#include <ap_int.h>\n{text}"


def header() -> str:
    return (frontend.KERNELS / "hls.h").read_text(encoding="utf-8")


# --- Vitis HLS ------------------------------------------------------------------------------------


def vitis_directives(design: Design) -> list[str]:
    chosen, loops = design.directives, loops_of(design)
    text = design.source.combined.text
    lines = []
    for name, interval in chosen.pipeline.items():
        how = f"-II {interval} " if interval else ""
        loop = loops[name]
        lines.append(f'set_directive_pipeline {how}"{loop.function}/{loop.label}"')
    for name, factor in chosen.unroll.items():
        how = f"-factor {factor} " if factor else ""
        loop = loops[name]
        lines.append(f'set_directive_unroll {how}"{loop.function}/{loop.label}"')
    for name, kind in chosen.bind.items():
        for function in functions_with(text, name):
            if kind == "registers":
                lines.append(f'set_directive_array_partition -type complete "{function}" {name}')
            else:
                impl = {"block": "bram", "lutram": "lutram"}[kind]
                lines.append(
                    f'set_directive_bind_storage -type ram_s2p -impl {impl} "{function}" {name}'
                )
    for argument in design.top.function.arguments:
        if isinstance(argument, Array):
            kind = "ram_s2p" if argument.written else "ram_1p"
            kind = "ram_t2p" if max(chosen.ports.get(argument.name, (1, 1))) > 1 else kind
            lines.append(
                f'set_directive_interface -mode ap_memory -storage_type {kind} "{chosen.top}" '
                f"{argument.name}"
            )
    for name, how in chosen.functions.items():
        if how == "inline":
            lines.append(f'set_directive_inline "{name}"')
        else:
            lines.append(f'set_directive_inline -off "{name}"')
            lines.append(f'set_directive_allocation -limit 1 -type function "{chosen.top}" {name}')
    return lines


def vitis(design: Design) -> Files:
    name, text = kernel_text(design)
    chosen = design.directives
    flags = " ".join(["-I.", *[f"-D{key}={value}" for key, value in chosen.define.items()]])
    script = [
        f"# {NOT_RUN.format('Vitis HLS')}",
        "# vitis_hls -f run.tcl (from 2024.2 on: vitis-run --mode hls --tcl run.tcl)",
        f"open_project -reset {chosen.top}",
        f"set_top {chosen.top}",
        f'add_files {name} -cflags "{flags}"',
        "open_solution -reset solution -flow_target vivado",
        f"set_part {PART}",
        f"create_clock -period {chosen.clock:g} -name default",
        "# Loops without a directive stay as they are.",
        "config_compile -pipeline_loops 0",
        "source directives.tcl",
        "csynth_design",
        "exit",
    ]
    lines = [f"# {NOT_RUN.format('Vitis HLS')}", *vitis_directives(design)]
    return {
        name: text,
        "hls.h": header(),
        "run.tcl": "\n".join(script) + "\n",
        "directives.tcl": "\n".join(lines) + "\n",
    }


def number_in(root: ElementTree.Element, path: str) -> float:
    found = root.findtext(path)
    if found is None or not re.fullmatch(r"[0-9.]+", found.strip()):
        raise ToolFailed(f"the report of Vitis HLS has no number {path}, but {found!r}")
    return float(found)


def vitis_row(design: Design, folder: pathlib.Path) -> dict[str, Any]:
    """Runs Vitis HLS in a folder that has its files; returns what its report says."""
    program = shutil.which("vitis_hls") or shutil.which("vitis-run")
    if program is None:
        raise ToolFailed("vitis_hls and vitis-run are not on the path: install Vitis HLS")
    words = ["-f", "run.tcl"] if "vitis_hls" in program else ["--mode", "hls", "--tcl", "run.tcl"]
    run_tool([program, *words], folder=folder)
    report = folder / design.directives.top / "solution" / "syn" / "report" / "csynth.xml"
    if not report.exists():
        raise ToolFailed(f"Vitis HLS ended without an error and wrote no {report}")
    root = ElementTree.parse(report).getroot()
    least, most = (
        number_in(root, f"PerformanceEstimates/SummaryOfOverallLatency/{case}-caseLatency")
        for case in ("Best", "Worst")
    )
    counts = {
        key: number_in(root, f"AreaEstimates/Resources/{name}")
        for key, name in {"lut": "LUT", "ff": "FF", "dsp": "DSP", "bram36": "BRAM_18K"}.items()
    }
    version = root.findtext("ReportVersion/Version") or "of an unknown version"
    return {
        "cycles": int(most),
        "least_cycles": int(least),
        **counts,
        "bram36": counts["bram36"] / 2,
        "lut_is": "the estimate of Vitis HLS before synthesis",
        "tool": f"Vitis HLS {version}",
    }


# --- Bambu ----------------------------------------------------------------------------------------


def bambu_text(design: Design) -> tuple[str, str]:
    """Returns the kernel with clang's pragmas in place of labels, shared functions marked."""
    name, text = f"{design.directives.top}.c", design.source.combined.text
    parts, end = [], 0
    for key, loop in loops_of(design).items():
        factor = design.directives.unroll.get(key)
        if factor is None:
            pragma = "clang loop unroll(disable)"
        else:
            pragma = f"clang loop unroll_count({factor})" if factor else "clang loop unroll(full)"
        parts += [text[end : loop.start], f'_Pragma("{pragma}")']
        end = loop.end
    text = "".join([*parts, text[end:]])
    for function, how in design.directives.functions.items():
        mark = {"inline": "always_inline", "share": "noinline"}.get(how, "noinline")
        text = re.sub(
            rf"^(?:static inline )?(\w+ )(?={function}\s*\()",
            rf"__attribute__(({mark})) \1",
            text,
            flags=re.M,
        )
    return name, text


def testbench(values: Values) -> str:
    """Returns one run's inputs as Bambu's file of tests has them."""

    def shown(value: int | list[int]) -> str:
        return str(value) if isinstance(value, int) else "{" + ",".join(map(str, value)) + "}"

    pairs = " ".join(f'{name}="{shown(value)}"' for name, value in values.items())
    return f'<?xml version="1.0"?>\n<function>\n  <testbench {pairs}/>\n</function>\n'


def bambu(design: Design, values: Values) -> Files:
    name, text = bambu_text(design)
    chosen = design.directives
    defines = " ".join(f"-D{key}={value}" for key, value in chosen.define.items())
    lost = [f"pipeline {loop}" for loop in chosen.pipeline]
    lost += [f"bind {array}" for array in chosen.bind] + [f"ports {one}" for one in chosen.ports]
    script = [
        "#!/bin/sh",
        f"# {NOT_RUN.format('Bambu')}",
        "# Loops to be unrolled and functions have their marks in the C. About what it has no",
        f"# directive for, Bambu decides itself: {', '.join(lost) or 'nothing'}.",
        "set -e",
        f"bambu {name} --top-fname={chosen.top} --compiler=I386_CLANG16 -O3 -I. {defines} \\",
        f"  --clock-period={chosen.clock:g} --device-name={BAMBU_DEVICE} \\",
        "  --generate-tb=test.xml --simulate --simulator=VERILATOR",
    ]
    return {
        name: text,
        "hls.h": header(),
        "test.xml": testbench(values),
        "run.sh": "\n".join(script) + "\n",
    }


def bambu_row(design: Design, folder: pathlib.Path) -> dict[str, Any]:
    """Runs Bambu; cycles are those of its simulation, the area is ours by Yosys of its Verilog."""
    if shutil.which("bambu") is None:
        raise ToolFailed("bambu is not on the path: install PandA-Bambu")
    run_tool(["sh", "run.sh"], folder=folder)
    report = folder / "bambu_results_0.xml"
    if not report.exists():
        raise ToolFailed(f"Bambu ended without an error and wrote no {report}")
    cycles = ElementTree.parse(report).getroot().find("CYCLES")
    if cycles is None or not (cycles.get("value") or "").isdigit():
        raise ToolFailed(f"{report} has no number of cycles")
    top = design.directives.top
    verilog = folder / f"{top}.v"
    if not verilog.exists():
        raise ToolFailed(f"Bambu wrote no {verilog}")
    figures = area.area_of(verilog.read_text(encoding="utf-8"), top, [top], folder / "area")[top]
    version = run_tool(["bambu", "--version"]).strip().splitlines()[-1]
    return {
        "cycles": int(cycles.get("value") or 0),
        **{key: figures[key] for key in area.FIGURES},
        "lut_is": "Yosys' estimate",
        "tool": version,
    }


# --- both -----------------------------------------------------------------------------------------


def write(engine: str, design: Design, values: Values, folder: pathlib.Path) -> list[pathlib.Path]:
    """Writes the files for an engine; returns their names. values: inputs of a simulated run."""
    files = vitis(design) if engine == "vitis" else bambu(design, values)
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return [folder / name for name in files]


def run(
    engine: str,
    design: Design,
    name: str,
    values: Values,
    folder: pathlib.Path,
    path: pathlib.Path = STORED,
) -> dict[str, Any]:
    """Writes the files, runs the engine and stores its row; name: that of the flavour."""
    write(engine, design, values, folder)
    row = vitis_row(design, folder) if engine == "vitis" else bambu_row(design, folder)
    row["made_from"] = results.made_from(design)
    rows = results.stored(path) | {f"{name}/{engine}": row}
    text = json.dumps(dict(sorted(rows.items())), indent=1)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text + "\n", encoding="ascii")
    return row
