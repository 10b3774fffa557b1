# SPDX-License-Identifier: Apache-2.0 OR MIT
"""From C to the text of a module, by clang and LLVM's reader of its own bitcode."""

import pathlib
import subprocess
import tempfile

import llvmlite.binding as llvm

from proofs.kernels.engine.texts import read_text

# Without -fno-inline and the like the meaning would be the same, but there would be more of it: a
# function that stays one is interpreted once for equal arguments.
FLAGS = [
    "-O1",
    "-std=c11",
    "-fno-inline",
    "-fno-strict-aliasing",
    "-fno-vectorize",
    "-fno-slp-vectorize",
    "-fPIC",
    "-fvisibility=default",
]


class CompileError(Exception):
    """clang refused a source; the message is what it printed."""


def module_of(source, *options, clang="clang"):
    """Returns the Module of a file of C."""
    with tempfile.TemporaryDirectory() as folder:
        output = pathlib.Path(folder) / "module.bc"
        words = [clang, *FLAGS, *options, "-c", "-emit-llvm", str(source), "-o", str(output)]
        run(words, None)
        return read_text(text_of(output), pathlib.Path(source).stem)


def text_of(path):
    """Returns the text of a bitcode file: by its own names, whatever was read before."""
    parsed = llvm.parse_bitcode(path.read_bytes(), context=llvm.create_context())
    parsed.verify()
    return str(parsed)


def run(command, folder):
    """Runs a compiler in a folder."""
    done = subprocess.run(
        command,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise CompileError(f"{' '.join(command)} failed:\n{done.stdout[-4000:]}")
