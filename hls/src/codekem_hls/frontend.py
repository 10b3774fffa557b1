# SPDX-License-Identifier: Apache-2.0 OR MIT
"""From C to LLVM's IR by clang, which unrolls and inlines what the directives say.

Two steps: clang translates without optimisation; then each function is marked to be inlined (the
rule) or kept (`share`), and clang optimises. Line numbers stay those of the C.
"""

from __future__ import annotations

import dataclasses
import json
import os
import pathlib
import re
import shutil
import subprocess
from typing import Any

from .combine import Combined, combined
from .directives import Directives
from .errors import Refused, ToolFailed
from .loops import with_pragmas, without_comments

# The version decides about cycles, so it is fixed; another one can be tried.
CLANG = os.environ.get("CODEKEM_HLS_CLANG", "clang-16")
KERNELS = pathlib.Path(__file__).resolve().parents[2] / "kernels"
LANGUAGE = ["-std=c2x", "-ffreestanding", "-fno-builtin", f"-I{KERNELS}", "-Wno-unused-label"]
WIDE = ["-Xclang", "-fexperimental-max-bitint-width=4096"]
OPTIMISE = [
    "-O2",
    "-fno-vectorize",
    "-fno-slp-vectorize",
    "-fno-unroll-loops",
    "-fno-jump-tables",
    "-fno-discard-value-names",
    "-fno-strict-aliasing",
    "-mllvm",
    "-disable-loop-idiom-all",
    # Choices stay choices: no branch is made where the C has c ? a : b.
    "-mllvm",
    "-jump-threading-threshold=0",
    "-mllvm",
    "-two-entry-phi-node-folding-threshold=1000",
    "-mllvm",
    "-phi-node-folding-threshold=1000",
    "-mllvm",
    "-pragma-unroll-threshold=10000000",
    "-mllvm",
    "-unroll-max-count=100000",
    "-mllvm",
    "-unroll-threshold=1000000",
    "-mllvm",
    "-unroll-max-iteration-count-to-analyze=1000",
]


@dataclasses.dataclass
class Declared:
    """An argument as the C declares it."""

    name: str
    width: int  # of the element, if it is an array
    pointer: bool
    constant: bool  # elements are const
    public: bool


@dataclasses.dataclass
class Source:
    """What the front end knows about a kernel."""

    file: str
    ir: str
    loops: dict[int, str]  # the name of the loop by the line of its `for`
    functions: dict[str, list[Declared]]
    words: set[str]  # all words of the C
    combined: Combined  # with the files that the kernel includes


def clang(
    arguments: list[str],
    text: str,
    folder: pathlib.Path,
    options: list[str],
    places: Combined | None = None,
) -> str:
    """Runs clang on a text; returns its output."""
    if shutil.which(CLANG) is None:
        raise ToolFailed(f"{CLANG} is missing; tools/setup.sh hls installs it")
    done = subprocess.run(
        [CLANG, *options, f"-I{folder}", *arguments, "-"],
        input=text,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        said = done.stderr.strip()
        if places is not None:
            said = re.sub(r"^(\S+?):(\d+):", places.clang_place, said, flags=re.M)
        raise Refused(f"clang does not accept this kernel:\n{said}")
    return done.stdout


def width_of(spelling: str, names: dict[str, str]) -> int | None:
    """Returns the bits of an integer type, None if it is another type; names: typedefs."""
    match = re.search(r"_BitInt\((\d+)\)", spelling)
    if match:
        return int(match[1])
    words = [word for word in spelling.split() if word not in ("const", "volatile", "restrict")]
    known = {"char": 8, "_Bool": 1, "bool": 1, "short": 16, "long": 64, "int": 32}
    for name, bits in known.items():
        if name in words:
            return bits
    if len(words) == 1 and words[0] in names:
        return width_of(names[words[0]], names)
    return 32 if words == ["unsigned"] else None


def declared(node: dict[str, Any], names: dict[str, str], file: str, line: int) -> Declared:
    kind = node["type"]["qualType"]
    name = node.get("name", "")
    if kind.count("*") > 1 or "(" in re.sub(r"_BitInt\(\d+\)", "", kind):
        raise Refused(
            f"argument {name}: {kind}; write arrays of integers of one dimension", file, line
        )
    width = width_of(kind.split("*")[0], names)
    if width is None:
        raise Refused(
            f"argument {name}: {kind} is neither an integer nor an array of integers", file, line
        )
    public = any(part["kind"] == "AnnotateAttr" for part in node.get("inner", []))
    return Declared(name, width, "*" in kind, "const" in kind.split("*")[0], public)


def declarations(tree: dict[str, Any], text: str, file: str) -> dict[str, list[Declared]]:
    """Returns the arguments of all functions that are defined."""
    names = {
        node["name"]: node["type"]["qualType"]
        for node in tree["inner"]
        if node["kind"] == "TypedefDecl"
    }
    found = {}
    for node in tree["inner"]:
        inner = node.get("inner", [])
        if node["kind"] == "FunctionDecl" and any(i["kind"] == "CompoundStmt" for i in inner):
            place = re.search(rf"\b{node['name']}\s*\(", text)
            line = text.count("\n", 0, place.start()) + 1 if place else 1
            params = [part for part in inner if part["kind"] == "ParmVarDecl"]
            found[node["name"]] = [declared(part, names, file, line) for part in params]
    return found


def mark_functions(ir: str, directives: Directives, functions: dict[str, list[Declared]]) -> str:
    """Marks functions of unoptimised IR to be inlined or to stay."""
    for name in directives.functions:
        if name == directives.top and name in directives.inherited:
            continue
        if name not in functions or name == directives.top:
            raise directives.refuse(name, f"no function {name} is called by {directives.top}")

    def mark(match: re.Match[str]) -> str:
        name = match[2]
        start = re.sub(r"\b(internal|dso_local) ", "", match[1])
        if name == directives.top:
            return f"{start}@{name}({match[3]}) {match[4]}"
        if directives.functions.get(name) in ("share", "instantiate"):
            return f"{start}@{name}({match[3]}) noinline {match[4]}"
        start = start.replace("define ", "define internal ", 1)
        return f"{start}@{name}({match[3]}) alwaysinline {match[4]}"

    ir = re.sub(r"^(define [^@]*)@(\w+)\((.*?)\) ((?:\w+ )*#\d+)", mark, ir, flags=re.M)
    # Options by which clang forbids what is marked here.
    return re.sub(r"^(attributes #\d+ = \{)(.*)", drop_attributes, ir, flags=re.M)


def drop_attributes(match: re.Match[str]) -> str:
    return match[1] + re.sub(r"\b(noinline|optnone|alwaysinline) ", "", match[2])


def read(directives: Directives) -> Source:
    """Translates a kernel into optimised IR."""
    path = directives.kernel
    try:
        whole = combined(path)
    except OSError as error:
        raise Refused(f"kernel {path} cannot be read: {error.strerror}", directives.file) from error
    try:
        return read_combined(whole, directives)
    except Refused as refused:
        if refused.file == str(path) and refused.line:
            raise whole.refused(refused) from None
        raise


def read_combined(whole: Combined, directives: Directives) -> Source:
    """Translates a kernel; lines are those of the combined text."""
    path, text = directives.kernel, whole.text
    file = str(path)
    marked, loops = with_pragmas(text, directives, file)
    marked = f'#line 1 "{file}"\n' + marked
    defines = [f"-D{name}={value}" for name, value in directives.define.items()]
    language = [*LANGUAGE, *WIDE, *defines, "-Wall", "-Wextra", "-Wno-unknown-pragmas", "-x", "c"]
    for name in directives.define:
        if not re.search(rf"\b{re.escape(name)}\b", without_comments(text)):
            raise directives.refuse(name, f"define: {file} does not have the word {name}")
    dumped = clang(
        ["-DCODEKEM_HLS_DECLARATIONS", "-fsyntax-only", "-Xclang", "-ast-dump=json"],
        marked,
        path.parent,
        language,
        whole,
    )
    functions = declarations(json.loads(dumped), without_comments(text), file)
    if directives.top not in functions:
        raise directives.refuse("top", f"{file} has no function {directives.top}")
    emit = ["-gline-tables-only", "-S", "-emit-llvm", "-o", "-"]
    raw = clang(
        [*OPTIMISE, "-Xclang", "-disable-llvm-passes", *emit], marked, path.parent, language
    )
    raw = mark_functions(raw, directives, functions)
    ir = clang(
        [*OPTIMISE, *emit], raw, path.parent, ["-x", "ir", "-Wno-unused-command-line-argument"]
    )
    words = set(re.findall(r"\w+", without_comments(text)))
    return Source(file, ir, loops, functions, words, whole)
