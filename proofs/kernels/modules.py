# SPDX-License-Identifier: Apache-2.0 OR MIT
"""From C sources to an ir.Module: clang makes bitcode, llvmlite reads it, ir.py its text."""

import functools
import os
import pathlib
import re
import shutil
import subprocess

import llvmlite.binding as llvm

from proofs.kernels.instructions import read_instruction
from proofs.kernels.ir import Function, Local, Module, Reader
from proofs.kernels.proved import name_of, version_of
from tools.source_folders import INCLUDED

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


# What a proof may add. These macros are for units/ alone; everything else that src/ asks for is as
# in a build (shipped.py), so that the code that is proved is the code that is built.
UNIT_MACROS = "UNIT|UNIT_(BEGIN|FOURS|OPTIONS|PLANES|QUADS|RING|TOP)"
OPTION = re.compile(
    rf"-D({UNIT_MACROS})(=\S+)?"
    r"|-march=armv8\.2-a\+crypto\+sha3"  # as cmake/isa.cmake gives it to files for SHA-3
)


# The folders of a copy in which headers are, as in src/.
BELOW = [name.removeprefix("src/") for name in INCLUDED[1:]]


class CompileError(Exception):
    """clang refused a source; the message is what it printed."""


def compile_bitcode(clang, source, output, include, options=(), root=pathlib.Path()):
    """Compiles a C source to LLVM bitcode, of which the path of the project is no part."""
    places = [os.path.relpath(folder, root) for folder in include]
    command = [clang, *FLAGS, *options, *[f"-I{folder}" for folder in places]]
    command += ["-MD", "-MF", str(output.with_suffix(".d"))]  # a list of the files that it reads
    name = os.path.relpath(source, root)
    run([*command, "-c", "-emit-llvm", name, "-o", str(output.absolute())], root)


class Sources:
    """Compiles and reads files of src/, each once.

    folder: for what is made; proved: for the names of proofs, shared by processes.
    """

    def __init__(self, clang, root, folder, proved):
        self._clang = clang
        self._root = root
        self._folder = folder
        self._proved = proved
        self._read = {}
        self._includes = {}  # of what was read: what clang says that it read

    def module(self, files, target="x86_64-linux-gnu", changed=None):
        """Returns the Module of files below src/. changed: a mistake in one of them, or None."""
        for option in target.split()[1:]:
            if not OPTION.fullmatch(option):
                raise ValueError(f"{option} could make other code than a build reads")
        return combined([self._file(name, target, changed) for name in files])

    def proved(self, module, call):
        """Returns a file that exists if this call of this code was proved before."""
        return self._proved / name_of(call, module.texts, [version_of(self._clang), *FLAGS])

    def _file(self, name, target, changed):
        includes = name.startswith("../")  # a unit of this folder includes the file of src/
        other = changed is not None and changed.file != f"src/{name}"
        if other and changed.file.endswith(".c"):
            changed = changed if includes else None  # or this file is as it was
        if other and changed is not None:
            unchanged = self._file(name, target, None)
            if f"{changed.file.removeprefix('src')} " not in self._includes[name, target]:
                return unchanged
        include = [self._root / name for name in (*INCLUDED, "include")]
        folder = self._folder / target.split()[0]
        if changed is not None:
            include[:0] = [self._folder / "changed" / name for name in ("", *BELOW)]
            shutil.rmtree(include[0], ignore_errors=True)
            changed.apply(include[0], self._root, within="src")
            folder = include[0]
        key = (name, target, changed)
        if key not in self._read:
            source = next(path / name for path in include if (path / name).exists())
            output = folder / (pathlib.Path(name).stem + ".bc")
            output.parent.mkdir(parents=True, exist_ok=True)
            options = [f"--target={target.split()[0]}", *target.split()[1:]]
            compile_bitcode(self._clang, source, output, include, options, self._root)
            if changed is not None:
                return read_bitcode(output)  # nobody else will want it
            self._read[key] = read_bitcode(output)
            listing = output.with_suffix(".d").read_text(encoding="utf-8")
            self._includes[name, target] = f"{' '.join(listing.split())} "
        return self._read[key]


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


def read_bitcode(path):
    """Returns the Module of a bitcode file. Names local to the file get its name as an ending."""
    parsed = llvm.parse_bitcode(path.read_bytes())
    parsed.verify()
    text = str(parsed)
    whole = Module({}, {}, [text])
    read_module(text, whole, f".{path.stem}")
    return whole


def combined(modules):
    """Returns one Module with all definitions of several."""
    whole = Module({}, {}, [])
    for module in modules:
        whole.texts += module.texts
        twice = whole.functions.keys() & module.functions.keys()
        twice |= whole.variables.keys() & module.variables.keys()
        if twice:
            raise CompileError(f"defined twice: {sorted(twice)}")
        whole.functions.update(module.functions)
        whole.variables.update(module.variables)
    return whole


def read_module(text, whole, suffix):
    """Adds the definitions in the text of a module to `whole`."""
    local_names = set(re.findall(r"^@([-\w.$]+) = (?:private|internal)", text, re.MULTILINE))
    local_names |= set(re.findall(r"^define (?:internal|private) .*?@([-\w.$]+)\(", text, re.M))
    if local_names:
        names = sorted(map(re.escape, local_names), key=len, reverse=True)
        pattern = re.compile(r"@(" + "|".join(names) + r")(?![-\w.$])")
        text = pattern.sub(lambda found: f"@{found.group(1)}{suffix}", text)
    lines = text.splitlines()
    structs = read_structs(lines)
    at = 0
    while at < len(lines):
        line = lines[at]
        at += 1
        if line.startswith("@"):
            read_variable(line, structs, whole)
        elif line.startswith("define "):
            end = lines.index("}", at)
            function = Definition(line, lines[at:end], structs)
            whole.functions[function.name] = function
            at = end


class Definition:
    """A function, which is read when it is needed."""

    def __init__(self, header, lines, structs):
        self.name = re.search(r"@([-\w.$]+)\(", header).group(1)
        self._text = (header, lines, structs)

    @functools.cached_property
    def _function(self):
        return read_function(*self._text)

    @property
    def arguments(self):
        """See Function."""
        return self._function.arguments

    @property
    def blocks(self):
        """See Function."""
        return self._function.blocks

    @property
    def copies(self):
        """See Function."""
        return self._function.copies


def read_structs(lines):
    """Returns the named struct types; one may use others that come later."""
    texts = dict(
        line.split(" = type ", 1) for line in lines if re.match(r"%[-\w.$]+ = type ", line)
    )
    return Structs(texts)


class Structs(dict):
    """Named struct types, read when they are needed."""

    def __init__(self, texts):
        super().__init__()
        self._texts = texts

    def __missing__(self, name):
        self[name] = Reader(self._texts[name], self).type()
        return self[name]


def read_variable(line, structs, whole):
    """Reads the definition of a global variable; declarations have no value."""
    r = Reader(line, structs)
    name = r.next()[1:]
    external = False
    while r.peek() not in ("constant", "global"):
        external = external or r.peek() in ("external", "extern_weak")
        if r.next() == "alias":
            return
    r.next()
    type_ = r.type()
    if not external:
        whole.variables[name] = (type_, r.value(type_))


def read_function(header, lines, structs):
    """Reads a function from its first line and the lines of its body."""
    r = Reader(header, structs)
    while not (r.peek().startswith("@") and r.peek(1) == "("):
        r.next()
    name = r.next()[1:]
    r.expect("(")
    arguments, copies = [], {}
    while not r.accept(")"):
        if r.accept("..."):
            continue
        start = r.at
        _, value = r.typed_value()
        if "byval" in r.tokens[start : r.at]:
            end, r.at = r.at, r.tokens.index("byval", start) + 2
            copies[len(arguments)] = r.type().size
            r.at = end
        arguments.append(value)
        r.accept(",")
    numbered = sum(isinstance(a, Local) and a.name[1:].isdigit() for a in arguments)
    blocks = {}
    current = f"%{numbered}"
    pending = ""
    for line in lines:
        label = re.match(r"([-\w.$]+):", line)
        if label:
            current = f"%{label.group(1)}"
            blocks[current] = []
            continue
        text = f"{pending} {line}" if pending else line
        pending = text if "switch" in text and "]" not in text else ""
        if text.strip() and not pending:
            found = read_instruction(text, structs)
            blocks.setdefault(current, []).append(found)
    return Function(name, [argument.name for argument in arguments], blocks, copies)
