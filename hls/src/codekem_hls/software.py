# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Runs a kernel as software: the same file, compiled for this machine, in a process of its own.

A kernel that gets an index from outside an array would end the process that runs it.
"""

from __future__ import annotations

import json
import os
import pathlib
import signal
import subprocess

from .design import Design
from .errors import ToolFailed
from .frontend import CLANG, LANGUAGE, WIDE, standard
from .indices import advice
from .ir import Array
from .llvm_text import stored_bytes
from .simulate import Run, Values, from_bytes, given, hash_of, number, run_tool, to_bytes

RUNNER = pathlib.Path(__file__).resolve().parent / "software.c"
# An access outside a local array or a table is an illegal instruction. It is looked for after the
# optimisation: what nobody uses is not in the core, either.
OUTSIDE = (signal.SIGSEGV, signal.SIGBUS, signal.SIGILL, signal.SIGTRAP)
LONGEST = 120  # seconds: with some inputs, a loop that data end may never end
BOUNDS = ["-fsanitize=local-bounds", "-fsanitize-trap=local-bounds"]


def entry(design: Design) -> str:
    """Returns C that includes the kernel, and calls its top with what is at[0], at[1]..."""
    function = design.top.function
    own = len(design.source.functions[function.name])
    passed = [
        f"(void *)at[{i}]"
        if isinstance(one, Array)
        else f"*(const unsigned _BitInt({one.width}) *)at[{i}]"
        for i, one in enumerate(function.arguments[:own])
    ]
    outside = [(one.name, own + i) for i, one in enumerate(function.arguments[own:])]
    first = [f"__builtin_memcpy(&{name}, at[{i}], sizeof {name}); " for name, i in outside]
    last = [f" __builtin_memcpy(at[{i}], &{name}, sizeof {name});" for name, i in outside]
    call = f"{function.name}({', '.join(passed)})"
    if function.return_width:
        place = f"at[{len(function.arguments)}]"
        call = f"*(unsigned _BitInt({function.return_width}) *){place} = {call}"
    kernel = json.dumps(str(design.directives.kernel.resolve()), ensure_ascii=False)
    return (
        f"#include {kernel}\n"
        '__attribute__((visibility("default"))) void codekem_hls_run(unsigned char **at);\n'
        f"void codekem_hls_run(unsigned char **at) {{ {''.join(first)}{call};{''.join(last)} }}\n"
    )


def runner(place: pathlib.Path) -> pathlib.Path:
    """Returns the program that runs kernels; it is compiled once below `place`."""
    target = place / f"software-{hash_of(RUNNER.read_text(encoding='ascii')):016x}"
    if not target.exists():
        part = target.with_suffix(f".{os.getpid()}")
        run_tool([CLANG, "-O1", RUNNER, "-ldl", "-o", part])
        part.replace(target)
    return target


class Software:
    """A kernel as software."""

    def __init__(self, design: Design, folder: pathlib.Path) -> None:
        self.design = design
        chosen = design.directives
        folder.mkdir(parents=True, exist_ok=True)
        folder = folder.resolve()
        self.runner = runner(folder.parent)
        self.library = folder / f"{chosen.top}.so"
        text = folder / f"{chosen.top}_software.c"
        text.write_text(entry(design), encoding="utf-8")
        defines = [f"-D{name}={value}" for name, value in chosen.define.items()]
        # Names of the kernel are hidden, so that none is taken for one of the C library.
        options = ["-O1", "-fPIC", "-shared", "-fvisibility=hidden", *BOUNDS, "-Wno-everything"]
        language = [*LANGUAGE, *standard(design.source.combined.text)]
        run_tool([CLANG, *language, *WIDE, *defines, *options, text, "-o", self.library])

    def run(self, values: Values) -> Run:
        function = self.design.top.function
        inputs = [
            to_bytes(given(values, one), one.width, one.stride)
            if isinstance(one, Array)
            else to_bytes([number(values, one)], one.width, stored_bytes(one.width))
            for one in function.arguments
        ]
        sizes = [*map(len, inputs), stored_bytes(function.return_width or 8)]
        try:
            done = subprocess.run(
                [self.runner, self.library, *map(str, sizes)],
                input=b"".join(inputs),
                capture_output=True,
                check=False,
                timeout=LONGEST,
            )
        except subprocess.TimeoutExpired:
            raise ToolFailed(
                f"the C of {function.name} has not ended after {LONGEST} seconds"
            ) from None
        if done.returncode == 0:
            return self.taken(done.stdout, sizes)
        why = done.stderr.decode(errors="replace").strip()
        if done.returncode < 0:
            why = f"was ended by {signal.Signals(-done.returncode).name}"
        if -done.returncode in OUTSIDE:
            why += f", as it accesses elements outside an array; {advice(self.design)}"
        raise ToolFailed(f"the C of {function.name} {why}")

    def taken(self, data: bytes, sizes: list[int]) -> Run:
        """Returns what a run has given."""
        function = self.design.top.function
        arrays = {}
        for one, size in zip(function.arguments, sizes, strict=False):
            if isinstance(one, Array):
                arrays[one.name] = from_bytes(data[:size], one.width, one.stride)
            data = data[size:]
        width = function.return_width
        returned = int.from_bytes(data, "little") & ((1 << width) - 1)
        return Run(arrays, returned if width else None)
