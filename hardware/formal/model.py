# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Modules as formulas: Yosys writes a module in SMT-LIB 2, this makes copies of it, one for each
cycle or for each of two designs, and hands them to the solver Bitwuzla.

A name in a copy is the name that Yosys gives, "@" and the label of the copy.
"""

import dataclasses
import pathlib
import re

from hardware.sim import build as simulation
from tools.flow import run_tool

HARDWARE = pathlib.Path(__file__).resolve().parent.parent

DECLARED = re.compile(r"\(declare-fun \|([^|]+)\| \(\|[^|]+_s\|\) (.*)\)$", re.DOTALL)
DEFINED = re.compile(
    r"\(define-fun \|([^|]+)\| \(\(state \|[^|]+_s\|\)( \(next_state \|[^|]+_s\|\))?\)\s+"
    r"(Bool|\(_ BitVec \d+\)|\(Array .*?\)\))\s(.*)\)$",
    re.DOTALL,
)
APPLIED = re.compile(r"\(\|([^|]+)\| (state|next_state)\)")
CODE = re.compile(r"(?:\|[^|]*\||[^|;])*")  # of a line, before its comment


class ProofError(Exception):
    """A proof cannot be run: a tool is missing or failed, or the table names what is not there."""


@dataclasses.dataclass
class Model:
    """A module as Yosys wrote it."""

    name: str
    declared: dict[str, str]  # {name: sort}: registers, memories, inputs, free values
    labels: dict[str, str]  # {name of what is declared: name in the source}
    defined: list[tuple[str, str, str]]  # name, sort, body
    transition: str
    inputs: dict[str, int]
    outputs: dict[str, int]
    registers: list[str]  # what is declared and has a next value
    asserts: dict[str, str]  # {name: label in the source}
    assumes: dict[str, str]
    known: set[str]  # names in the source that have a value here

    def signal(self, name):
        """Returns the formula's name of a signal of the source."""
        if name not in self.known:
            raise ProofError(f"{self.name} has no signal {name}")
        return f"{self.name}_n {name}"

    def source_of(self, declared):
        """Returns the name in the source of an input, a register or a part of one."""
        return self.labels[declared].replace("\\", "")

    def input_of(self, declared):
        """Returns the input that this is, or is a part of, or None."""
        label = self.source_of(declared)
        named = [word for word in label.strip("{} ").split() if not word.startswith("[")]
        found = {word for word in named if word in self.inputs}
        if len(found) > 1 or (found and len(found) < len(set(named))):
            raise ProofError(f"{self.name}: {label} are several inputs in one")
        return found.pop() if found else None


def statements(text):
    """Yields (statement, the comment behind it) of SMT-LIB text, and ("", comment) of the others.

    Comments inside a statement are left out.
    """
    parts, depth = [], 0
    for line in text.splitlines():
        code = "".join(CODE.findall(line)[:1])
        comment = line[len(code) :]
        bare = re.sub(r"\|[^|]*\|", "", code)
        depth += bare.count("(") - bare.count(")")
        parts.append(code)
        if depth == 0:
            yield "\n".join(parts).strip(), comment.lstrip("; ") if len(parts) == 1 else ""
            parts = []


def own(label):
    """Says whether an assertion is the module's own, and not of one in it (u_name); a core's are
    those of its shell."""
    inside = " ".join(label).removeprefix("u_shell.")
    return not any(part.startswith("u_") for part in inside.split("."))


def all_of(names, label):
    """Returns the formula that all of these are true in a copy."""
    return f"(and true true {' '.join(f'|{name}@{label}|' for name in names)})"


def note(model, words):
    """Enters a comment, of which Yosys makes tables of what there is."""
    match words:
        case ["yosys-smt2-input" | "yosys-smt2-output" as kind, name, width]:
            (model.inputs if kind.endswith("input") else model.outputs)[name] = int(width)
            model.known.add(name)
        case ["yosys-smt2-wire" | "yosys-smt2-register", name, _]:
            model.known.add(name)
        case ["yosys-smt2-assert", number, *label] if own(label):
            model.asserts[f"{model.name}_a {number}"] = " ".join(label)
        case ["yosys-smt2-assume", number, *label] if own(label):
            if " ".join(label).startswith("$"):
                raise ProofError(f"{model.name}: an assumption has no name: {' '.join(label)}")
            model.assumes[f"{model.name}_u {number}"] = " ".join(label)


def define(model, statement):
    """Enters a definition: a signal, an assertion, or the transition."""
    match = DEFINED.match(statement)
    if not match:
        raise ProofError(f"Yosys wrote what this does not know: {statement[:200]}")
    if match[2]:
        model.transition = match[4]
    else:
        model.defined.append((match[1], match[3], match[4]))


def parse(text, top):
    """Returns the model that a text of Yosys describes."""
    model = Model(top, {}, {}, [], "true", {}, {}, [], {}, {}, set())
    for statement, comment in statements(text):
        if statement.startswith("(declare-fun"):
            match = DECLARED.match(statement)
            if match and match[1] != f"{top}_is":
                model.declared[match[1]] = match[2]
                model.labels[match[1]] = comment
        elif statement.startswith("(define-fun"):
            define(model, statement)
        else:
            note(model, comment.split())
    following = {name for name, step in APPLIED.findall(model.transition) if step == "next_state"}
    model.registers = [name for name in model.declared if name in following]
    for name, _, body in model.defined:  # of the names of a register that which ends in _q
        whole = APPLIED.fullmatch(body)
        if whole and whole[1] in following and name.endswith("_q"):
            model.labels[whole[1]] = name.removeprefix(f"{top}_n ")
    return model


def copy_of(model, label, values=None):
    """Returns the text of a copy; `values`: {register or input: formula} of what is not free."""
    values = values or {}
    # What the source has in `initial` is settled when it is read; a copy is of any later cycle.
    lines = [f"(define-fun |{model.name}_is@{label}| () Bool false)"]
    for name, sort in model.declared.items():
        if name in values:
            lines.append(f"(define-fun |{name}@{label}| () {sort} {values[name]})")
        else:
            lines.append(f"(declare-const |{name}@{label}| {sort})")
    for name, sort, body in model.defined:
        lines.append(f"(define-fun |{name}@{label}| () {sort} {at(body, label)})")
    return "\n".join(lines) + "\n"


def at(body, label, following=None):
    """Returns a formula with the names of a copy in it."""
    places = {"state": label, "next_state": following}
    return APPLIED.sub(lambda match: f"|{match[1]}@{places[match[2]]}|", body)


def next_values(model):
    """Returns {register: the formula of its next value}, of the transition's parts."""
    found = {}
    for line in model.transition.splitlines():
        match = re.match(r"\s*\(= (.*) \(\|([^|]+)\| next_state\)\)\s*$", line)
        if match:
            found[match[2]] = match[1]
    missing = set(model.registers) - set(found)
    if missing:
        raise ProofError(f"{model.name}: no next value of {sorted(missing)}")
    return found


def script_of(top, parameters, files, free_memories, asserts, kept, smt):
    """Returns the script for Yosys."""
    options = " ".join(f"-G {name}={value}" for name, value in parameters.items())
    names = " ".join(str(path) for path in files)
    # Memories are called mem; other arrays are registers, or tables of the source.
    memories = "t:$mem_v2 r:MEMID=*mem %i"
    free = [f"cutpoint {memories}"] if free_memories else []
    return "\n".join(
        [
            f"read_slang -j 1 -D FORMAL {options} {names} --top {top}",
            "setattr -mod -unset keep_hierarchy *",
            f"hierarchy -check -top {top}",
            *([] if asserts else ["chformal -assert -remove"]),
            *[f"setattr -set keep 1 w:*{name.split('.')[-1]}" for name in kept],
            f"prep -flatten -top {top}",
            *free,
            f"memory_map t:$mem_v2 {memories} %d",
            "opt_expr",  # an array of one register has an address of no bits
            "async2sync",
            "chformal -lower",
            "dffunmap",
            "setundef -undriven -anyseq",
            "opt_clean",
            f"rename -top {top}",
            f"write_smt2 -wires {smt}",
            "",
        ]
    )


def sources(module):
    """Returns the sources of a module's core and those of the proofs alone."""
    rtl = simulation.files_for(module)
    return [*rtl, *sorted((HARDWARE / "formal").glob("*.sv"))]


def read(proof, asserts, kept=(), files=None, folder=None):
    """Returns the model of a proof's module, with its assertions or without.

    kept: signals that Yosys must not remove; files: other sources than the core's.
    """
    folder = HARDWARE / (folder or proof.folder)
    folder.mkdir(parents=True, exist_ok=True)
    smt, script = folder / "model.smt2", folder / "run.ys"
    # The tool sees files by relative paths only.
    names = [path.resolve().relative_to(HARDWARE) for path in files or sources(proof.top)]
    script.write_text(
        script_of(
            proof.top,
            proof.parameters,
            names,
            proof.free_memories,
            asserts,
            kept,
            smt.relative_to(HARDWARE),
        ),
        encoding="ascii",
    )
    run_tool.run("Yosys", [*run_tool.YOSYS, "-q", "-s", script.relative_to(HARDWARE)])
    return parse(smt.read_text(encoding="utf-8"), proof.top)


class Solver:
    """Bitwuzla with formulas that are added as text."""

    def __init__(self, text):
        try:
            import bitwuzla  # pylint: disable=import-outside-toplevel
        except ModuleNotFoundError as error:
            raise ProofError("Bitwuzla is missing: install hardware/requirements.txt") from error
        options = bitwuzla.Options()
        options.set(bitwuzla.Option.PRODUCE_MODELS, True)
        self._manager = bitwuzla.TermManager()
        self._parser = bitwuzla.Parser(self._manager, options)
        self._sat = bitwuzla.Result.SAT
        self._unsat = bitwuzla.Result.UNSAT
        self._not = bitwuzla.Kind.NOT
        self._parser.parse(text, True, False)
        self._solver = self._parser.bitwuzla()

    def term(self, text):
        return self._parser.parse_term(text)

    def holds(self, text):
        """Adds a formula."""
        self._solver.assert_formula(self.term(text))

    def possible(self, *texts):
        """Says whether all these formulas can be true at once, with those that were added."""
        result = self._solver.check_sat(*[self.term(text) for text in texts])
        if result not in (self._sat, self._unsat):
            raise ProofError("Bitwuzla gave up")
        return result == self._sat

    def value(self, text):
        """Returns the value of a formula in the last case that was found possible: a bool, or a
        number in hexadecimal."""
        value = self._solver.get_value(self.term(text)).value(16)
        return value if isinstance(value, bool) else str(value)
