# SPDX-License-Identifier: Apache-2.0 OR MIT
"""From C sources to an ir.Module: compiled.py makes texts of them, ir.py reads these."""

import functools
import pathlib
import re
import shutil

from proofs.kernels.compiled import FLAGS, CompileError, Compiler
from proofs.kernels.instructions import read_instruction
from proofs.kernels.ir import Function, Local, Module, Reader
from proofs.kernels.proved import name_of, version_of
from tools.source_folders import INCLUDED

# What a proof may add. These macros are for units/ alone; everything else that src/ asks for is as
# in a build (shipped.py), so that the code that is proved is the code that is built.
UNIT_MACROS = "UNIT|UNIT_(BEGIN|FOURS|OPTIONS|PLANES|QUADS|RING|TOP)"
OPTION = re.compile(
    rf"-D({UNIT_MACROS})(=\S+)?"
    r"|-march=armv8\.2-a\+crypto\+sha3"  # as cmake/isa.cmake gives it to files for SHA-3
)


# The folders of a copy in which headers are, as in src/.
BELOW = [name.removeprefix("src/") for name in INCLUDED[1:]]


def target_options(target):
    """Returns clang's options for a target, which may have more behind it."""
    name, *more = target.split()
    # What a build with clang before 16 defines (cmake/isa.cmake): tables of back ends have the row.
    sha3 = ["-DCODEKEM_HAVE_NEON_SHA3"] if name.startswith("aarch64") else []
    return [f"--target={name}", *sha3, *more]


class Sources:
    """Compiles and reads files of src/, each once.

    folder: for what is made; shared by processes are kept, for texts of modules, and proved, for
    the names of proofs.
    """

    def __init__(self, clang, root, folder, kept, proved):
        self._clang = clang
        self._compiler = Compiler(clang, root, folder, kept)
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
            if changed.file not in self._includes[name, target]:
                return unchanged
        key = (name, target)
        if changed is None and key in self._read:
            return self._read[key]
        include = [self._root / name for name in (*INCLUDED, "include")]
        file = None
        if changed is not None:
            include[:0] = [self._folder / "changed" / name for name in ("", *BELOW)]
            shutil.rmtree(include[0], ignore_errors=True)
            file = changed.apply(include[0], self._root, within="src")
        text, read = self._compiler.text(name, include, target_options(target), file)
        module = read_text(text, pathlib.Path(name).stem)
        if changed is None:  # nobody else will want one with a mistake
            self._read[key] = module
            self._includes[key] = read
        return module


def read_text(text, stem):
    """Returns the Module of a text. Names local to the file get its name as an ending."""
    whole = Module({}, {}, [text])
    read_module(text, whole, f".{stem}")
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
