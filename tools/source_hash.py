# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Hashes of sources as their tools read them: comments, line breaks and blanks do not count.

They are the same on every machine: no compiler and no absolute path has a part in them. Macros are
not expanded, so that the headers of a system do not matter either; a hash covers every file of this
project that the compiler read, instead. Of SystemVerilog, what is for simulation alone (`ifdef)
does not count.
"""

import ast
import functools
import hashlib
import itertools
import json
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
TOP = "bike_core"
HEX_DIGITS = 16

# Strings and quoted quotes, in which nothing is a comment; comments; words; any other sign.
C_LIKE = re.compile(
    r"""(?P<kept>"(?:\\.|[^"\\\n])*"|'\\?"')|//[^\n]*|/\*.*?\*/"""
    r"|(?P<word>\w+)|(?P<end>\n)|(?P<sign>\S)",
    re.DOTALL,
)
CMAKE = re.compile(r"""(?P<kept>"(?:\\.|[^"\\])*")|\#[^\n]*|(?P<word>[^\s"\#()]+)|(?P<sign>[()])""")
DIRECTIVES = {".sv": "`", ".v": "`"}  # signs that begin lines whose end means something
ASSEMBLY = (".S", ".s")
VERILOG = (".sv", ".v")
SYNTHESIS_DEFINES = ("SYNTHESIS",)


class SourceError(Exception):
    """A source is missing, or is not as this module expects."""


def digest(text):
    return hashlib.sha256(text.encode()).hexdigest()[:HEX_DIGITS]


# --- Tokens ---------------------------------------------------------------------------------------


def c_tokens(text, by_lines=False, directive="#"):
    """Returns the tokens of C, SystemVerilog, assembly (by lines) or a linker script."""
    found, line_begin = [], 0
    for match in C_LIKE.finditer(re.sub(r"\\\r?\n", " ", text)):
        if match["end"]:
            if found[line_begin:] and (by_lines or found[line_begin] == directive):
                found.append("\n")
            line_begin = len(found)
        elif match.lastgroup:
            found.append(match[0])
    return found


def without_unused_parts(text):
    """Returns SystemVerilog without what `ifdef leaves out in synthesis, nor these lines."""
    defined, kept, lines = set(SYNTHESIS_DEFINES), [True], []
    taken = []  # for each open conditional: whether one of its parts has been taken
    for line in text.splitlines():
        words = line.split("//")[0].split()
        first = words[0] if words else ""
        name = words[1] if len(words) > 1 else ""
        if first in ("`elsif", "`else", "`endif") and not taken:
            raise SourceError(f"SystemVerilog with {first} outside of `ifdef")
        if first in ("`ifdef", "`ifndef"):
            taken.append((name in defined) == (first == "`ifdef"))
            kept.append(kept[-1] and taken[-1])
        elif first in ("`elsif", "`else"):
            now = not taken[-1] and (first == "`else" or name in defined)
            taken[-1] = taken[-1] or now
            kept[-1] = kept[-2] and now
        elif first == "`endif":
            taken.pop()
            kept.pop()
        elif kept[-1]:
            defined |= {name} if first == "`define" else set()
            lines.append(line)
    return "\n".join([*lines, ""])


def shape(node):
    """Returns a Python syntax tree as nested lists: without annotations, docstrings, positions.

    Unlike ast.dump it is the same in all versions of Python.
    """
    if isinstance(node, ast.AnnAssign) and node.value is not None:
        node = ast.Assign(targets=[node.target], value=node.value)
    if isinstance(node, list):
        return [shape(one) for one in node]
    if not isinstance(node, ast.AST):
        return repr(node)
    left_out = {"annotation", "returns", "ctx", "kind", "type_comment", "type_params"}
    fields = {
        name: value
        for name, value in ast.iter_fields(node)
        if name not in left_out and value not in (None, [])
    }
    body = fields.get("body")
    if (
        isinstance(body, list)
        and isinstance(body[0], ast.Expr)
        and isinstance(getattr(body[0].value, "value", None), str)
    ):
        fields["body"] = body[1:]
    return [type(node).__name__, *[[name, shape(value)] for name, value in sorted(fields.items())]]


@functools.cache
def tokens(text, language):
    """Returns the tokens of a text, with blanks between; `language` is a suffix of a file name."""
    if language == ".py":
        return json.dumps(shape(ast.parse(text)))
    if language == ".cmake":
        return " ".join(match[0] for match in CMAKE.finditer(text) if match.lastgroup)
    if language in VERILOG:
        text = without_unused_parts(text)
    return " ".join(c_tokens(text, language in ASSEMBLY, DIRECTIVES.get(language, "#")))


@functools.cache
def digest_of_tokens(text, language):
    return digest(tokens(text, language))


def read(path):
    """Returns the text of a file and its language."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise SourceError(f"{path} cannot be read: {error.strerror}") from error
    return text, ".cmake" if path.name == "CMakeLists.txt" else path.suffix


# --- Scripts --------------------------------------------------------------------------------------


def definitions(tree):
    """Returns {name: node} of what a module defines at its top: functions, classes, constants."""
    found: dict[str, ast.AST] = {}
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found[node.name] = node
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            found |= {
                name.id: node
                for target in targets
                for name in ast.walk(target)
                if isinstance(name, ast.Name)
            }
    return found


@functools.cache
def functions_of(text, path, names):
    """Returns [path, name, digest] of functions in the text of a script, and of what they use."""
    known = definitions(ast.parse(text))
    wanted, used = list(names), {}
    while wanted:
        name = wanted.pop()
        if name not in known:
            raise SourceError(f"{path} has no {name}, which tools/stored_results.py hashes")
        if name not in used:
            used[name] = digest(json.dumps(shape(known[name])))
            wanted += [
                node.id
                for node in ast.walk(known[name])
                if isinstance(node, ast.Name) and node.id in known
            ]
    return [[path, name, used[name]] for name in sorted(used)]


def functions(scripts):
    """Returns what to hash of functions, {path: [name]}, with what they use of the same script."""
    return json.dumps(
        [
            part
            for path, names in sorted(scripts.items())
            for part in functions_of(read(ROOT / path)[0], path, tuple(names))
        ]
    )


# --- Lists of sources -----------------------------------------------------------------------------


def preset(name):
    """Returns what a preset of CMake sets, with what it inherits."""
    known = json.loads((ROOT / "CMakePresets.json").read_text(encoding="utf-8"))
    known = {one["name"]: one for one in known["configurePresets"]}
    if name not in known:
        raise SourceError(f"CMakePresets.json has no preset {name}")
    one = dict(known[name])
    base = preset(one["inherits"]) if "inherits" in one else {"cacheVariables": {}}
    variables = base["cacheVariables"] | one.get("cacheVariables", {})
    left_out = {"name", "displayName", "hidden", "inherits"}
    return (
        base
        | {key: value for key, value in one.items() if key not in left_out}
        | {"cacheVariables": variables}
    )


def sources(lines):
    """Returns what to hash of sources: of each line a path below ROOT, or "preset NAME".

    What is not there counts as such. Of a path its last part counts, so that a file may move to
    another folder.
    """
    parts = []
    for line in set(lines):
        try:
            found = (
                json.dumps(preset(line.removeprefix("preset ")), sort_keys=True)
                if line.startswith("preset ")
                else digest_of_tokens(*read(ROOT / line))
            )
        except SourceError:
            found = "not there"
        parts.append([line.rsplit("/", maxsplit=1)[-1], found])
    return json.dumps(sorted(parts))


def compiled(folder, target, preset_name):
    """Returns the lines of `sources` for a target that Ninja has built in a folder.

    These are the files of this project that the compiler read for what the target links, and those
    that choose files and flags: preset, toolchain, cmake/isa.cmake, cmake/compile_options.cmake.
    """

    def ninja(*words):
        done = subprocess.run(
            ["ninja", "-C", folder, "-t", *words], capture_output=True, text=True, check=False
        )
        if done.returncode != 0:
            raise SourceError(f"ninja -t {words[0]} in {folder} failed: {done.stdout}{done.stderr}")
        return done.stdout.splitlines()

    objects = [line for line in ninja("inputs", target) if line.endswith((".o", ".obj"))]
    found = {"cmake/isa.cmake", "cmake/compile_options.cmake", f"preset {preset_name}"}
    build = pathlib.Path(folder).resolve()
    for line in ninja("deps", *objects):
        path = (build / line.strip()).resolve()
        if line.startswith(" ") and path.is_relative_to(ROOT) and not path.is_relative_to(build):
            found.add(path.relative_to(ROOT).as_posix())
    toolchain = preset(preset_name).get("toolchainFile", "").removeprefix("${sourceDir}/")
    if toolchain:
        found.add(toolchain)
        found |= {
            f"cmake/toolchains/{name}"
            for name in re.findall(
                r"CMAKE_CURRENT_LIST_DIR}/([\w.-]+)", (ROOT / toolchain).read_text(encoding="utf-8")
            )
        }
    return sorted(found)


@functools.cache
def rtl_words(text):
    """Returns the modules and packages that a SystemVerilog text defines, and all of its words."""
    words = tokens(text, ".sv").split(" ")
    return (
        [name for keyword, name in itertools.pairwise(words) if keyword in ("module", "package")],
        frozenset(words),
    )


def rtl_files(folder):
    """Returns {module or package: (its file, the words in it)} of the SystemVerilog in a folder."""
    found = {}
    for path in sorted(folder.rglob("*.sv")):
        names, words = rtl_words(read(path)[0])
        found |= dict.fromkeys(names, (path, words))
    return found


def rtl(module, instantiated=False, folder=None):
    """Returns the lines of `sources` for a module with all below it, and what they import.

    Where it is elaborated as the core instantiates it, the modules above it decide its parameters
    and belong to it, too; those beside it do not.
    """
    folder = folder or ROOT / "hardware" / "rtl"
    files = rtl_files(folder)
    if module not in files:
        raise SourceError(f"{folder} has no module {module}")
    uses = {
        name: {other for other in files if other in words and other != name}
        for name, (_, words) in files.items()
    }

    def below(start):
        reached, wanted = set(), [start]
        while wanted:
            name = wanted.pop()
            if name not in reached:
                reached.add(name)
                wanted += uses[name]
        return reached

    wanted = below(module)
    if instantiated:
        above = {name for name in below(TOP) if module in below(name)}
        wanted |= above | {
            other for name in above for other in uses[name] if other.endswith("_pkg")
        }
    paths = {
        files[name][0].relative_to(ROOT).as_posix()
        if files[name][0].is_relative_to(ROOT)
        else str(files[name][0])
        for name in wanted
    }
    return sorted(paths)
