# SPDX-License-Identifier: Apache-2.0 OR MIT
"""From the text of LLVM's modules to an ir.Module."""

import functools
import re

from proofs.kernels.engine.instructions import read_instruction
from proofs.kernels.engine.ir import Function, Local, Module, Reader


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
            raise ValueError(f"defined twice: {sorted(twice)}")
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
