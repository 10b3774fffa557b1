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

from .combine import Combined, combined
from .declared import Declared, declarations, variables, with_lengths
from .directives import Directives
from .errors import Refused, ToolFailed
from .loops import with_pragmas, without_comments

# The version decides about cycles, so it is fixed; another one can be tried.
CLANG = os.environ.get("CODEKEM_HLS_CLANG", "clang-16")
KERNELS = pathlib.Path(__file__).resolve().parents[2] / "kernels"
LANGUAGE = ["-std=c2x", "-ffreestanding", "-fno-builtin", f"-I{KERNELS}", "-Wno-unused-label"]
QUIET_IR = ["-x", "ir", "-Wno-unused-command-line-argument"]
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
    # No copy of a loop for arrays that overlap, or for indices that wrap: arrays are separate.
    "-mllvm",
    "-runtime-check-per-loop-load-elim=0",
    "-mllvm",
    "-loop-load-elimination-scev-check-threshold=0",
    # A value after a loop is that of its counters: computed from the trip count, it may be divided.
    "-mllvm",
    "-replexitval=never",
    "-mllvm",
    "-pragma-unroll-threshold=10000000",
    "-mllvm",
    "-unroll-max-count=100000",
    "-mllvm",
    "-unroll-threshold=1000000",
    "-mllvm",
    "-unroll-max-iteration-count-to-analyze=1000",
]


# NAME (a, b) int a; int *b; {
OLD_STYLE = re.compile(
    r"\b\w+\s*\(\s*\w+(?:\s*,\s*\w+)*\s*\)\s*(?:[A-Za-z_][\w\s*,\[\]]*;\s*)+\{"
)


def standard(text: str) -> list[str]:
    """Returns options for C in which the types of arguments are behind the brackets."""
    old = OLD_STYLE.search(without_comments(text))
    return ["-std=gnu17", "-Dbool=_Bool"] if old else []


@dataclasses.dataclass
class Source:
    """What the front end knows about a kernel."""

    file: str
    ir: str
    loops: dict[int, str]  # the name of the loop by the line of its `for`
    functions: dict[str, list[Declared]]
    variables: dict[str, Declared]  # outside functions, that something in the file may write
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
        # The arrays of a module are different memories.
        apart = re.sub(r"\bptr (?!noalias)", "ptr noalias ", match[3])
        if name == directives.top:
            return f"{start}@{name}({apart}) {match[4]}"
        if directives.functions.get(name) in ("share", "instantiate"):
            return f"{start}@{name}({apart}) noinline {match[4]}"
        start = start.replace("define ", "define internal ", 1)
        return f"{start}@{name}({match[3]}) alwaysinline {match[4]}"

    ir = re.sub(r"^(define [^@]*)@(\w+)\((.*?)\) ((?:\w+ )*#\d+)", mark, ir, flags=re.M)
    # Options by which clang forbids what is marked here.
    return re.sub(r"^(attributes #\d+ = \{)(.*)", drop_attributes, ir, flags=re.M)


CALL = r"^( *)(?:(%\S+) = )?call ptr @(memcpy|memmove|memset)\(([^()]*)\)(?: #\d+)?(.*)$"


def memory_functions(ir: str) -> str:
    """Makes LLVM's own operations of calls of memcpy, memmove and memset, which it then knows."""
    there = set(re.findall(r"^define [^@]*@(\w+)\(", ir, re.M))
    used: set[str] = set()

    def one_function(body: re.Match[str]) -> str:
        def replaced(match: re.Match[str]) -> str:
            start, result, name, words, rest = match.groups()
            uses = len(re.findall(rf"{re.escape(result)}(?![\w.])", body[0])) if result else 0
            if name in there or uses > 1:
                return match[0]
            used.add(name)
            to, second, size = (word.replace(" noundef", "") for word in words.split(", "))
            if name == "memset":
                # The byte is an int.
                byte = f"%hls.byte.{match.start()}"
                start = f"{start}{byte} = trunc {second} to i8\n{start}"
                return (
                    f"{start}call void @llvm.memset.p0.i64({to}, i8 {byte}, {size}, i1 false){rest}"
                )
            return (
                f"{start}call void @llvm.{name}.p0.p0.i64({to}, {second}, {size}, i1 false){rest}"
            )

        return re.sub(CALL, replaced, body[0], flags=re.M)

    ir = re.sub(r"^define .*?^}", one_function, ir, flags=re.M | re.S)
    for name in sorted(used):
        second, kind = ("i8", "p0.i64") if name == "memset" else ("ptr", "p0.p0.i64")
        if f"declare void @llvm.{name}.{kind}(" not in ir:
            ir += f"\ndeclare void @llvm.{name}.{kind}(ptr, {second}, i64, i1)\n"
    return ir


GLOBAL = re.compile(
    r"^(@[\w.]+ = )(?:dso_local |internal |local_unnamed_addr |unnamed_addr )*global ", re.M
)


def written_variables(ir: str) -> set[str]:
    """Returns the variables outside functions that something in the file may write.

    Those that nothing writes are tables; LLVM knows which, if nothing outside of the file can.
    """
    names = {match[1][1:-3] for match in GLOBAL.finditer(ir)}
    if not names:
        return set()
    places = {}  # what points into a variable, by function
    found = set()
    for body in re.findall(r"^define .*?^}", ir, re.M | re.S):
        places = {}
        for line in body.splitlines():
            made = re.match(r"\s*(%\S+) = getelementptr .*?ptr ([@%][\w.]+)", line)
            if made and places.get(made[2], made[2])[1:] in names:
                places[made[1]] = places.get(made[2], made[2])
            target = re.search(r"\bstore .*, ptr (?:getelementptr .*?ptr )?([@%][\w.]+)", line)
            if target:
                found.add(places.get(target[1], target[1])[1:])
    own = re.sub(r"^(attributes #\d+ = \{)(.*)", drop_attributes, ir, flags=re.M)
    own = GLOBAL.sub(r"\1internal global ", own)
    kept = clang(["-O1", "-S", "-emit-llvm", "-o", "-"], own, pathlib.Path(), QUIET_IR)
    return names & (found | {match[1][1:-3] for match in GLOBAL.finditer(kept)})


def apart(ir: str, written: set[str]) -> str:
    """Lets what is written be changed from outside, and nothing else."""

    def one(match: re.Match[str]) -> str:
        return f"{match[1]}{'' if match[1][1:-3] in written else 'internal '}global "

    return GLOBAL.sub(one, ir)


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
    language = [*LANGUAGE, *standard(text), *WIDE, *defines, "-Wall", "-Wextra", "-Wno-unknown-pragmas", "-x", "c"]
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
    tree = json.loads(dumped)
    functions = declarations(tree, without_comments(text), marked)
    if directives.top not in functions:
        raise directives.refuse("top", f"{file} has no function {directives.top}")
    modules = {name for name, how in directives.functions.items() if how != "inline"}
    marked = with_lengths(marked, functions, {directives.top, *modules})
    emit = ["-gline-tables-only", "-S", "-emit-llvm", "-o", "-"]
    raw = clang(
        [*OPTIMISE, "-Xclang", "-disable-llvm-passes", *emit], marked, path.parent, language
    )
    written = written_variables(raw)
    raw = apart(memory_functions(mark_functions(raw, directives, functions)), written)
    ir = clang([*OPTIMISE, *emit], raw, path.parent, QUIET_IR)
    words = set(re.findall(r"\w+", without_comments(text)))
    known = variables(tree, without_comments(text))
    outside = {name: one for name, one in known.items() if name in written}
    return Source(file, ir, loops, functions, outside, words, whole)
