# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What proofs take for granted is proved, for the function and the back end where it is."""

import functools
import graphlib
import importlib
import random

import pytest

from proofs.kernels import assumed
from proofs.kernels.engine.interpreter import Machine
from proofs.kernels.engine.prove import prove
from proofs.kernels.engine.thumb import Processor
from proofs.kernels.machine_code import build as build_program

# Tests whose proofs are looked at quickly.
SHORT = ("codes", "masks")


class Reached(Exception):
    """The function that a proof should be about is called; with what stands for others."""


@functools.cache
def run_by(test):
    """Returns what the tests of a file prove: by name, the test function and its arguments."""
    found = {}
    for function in vars(importlib.import_module(f"proofs.kernels.test_{test}")).values():
        for mark in getattr(function, "pytestmark", ()):
            if mark.name == "parametrize" and uses(function, "holds", "request"):
                names, rows = mark.args
                names = [names] if isinstance(names, str) else names
                for row in rows:
                    values = getattr(row, "values", row if len(names) > 1 else (row,))  # of a param
                    arguments = dict(zip(names, values, strict=True))
                    found |= {repr(value): (function, arguments) for value in arguments.values()}
    return found


def uses(function, *fixtures):
    """Tells whether a test takes one of these arguments."""
    code = function.__code__
    return any(name in code.co_varnames[: code.co_argcount] for name in fixtures)


def same(one, other):
    """Tells whether two names are of one function: units/apart.c has it under another one."""
    (name, _, unit), (other_name, _, other_unit) = one.partition("."), other.partition(".")
    return name == other_name and (unit == other_unit or "apart" in (unit, other_unit))


def stops_at(monkeypatch, kind, attribute, function):
    """Lets calls of a function that a proof makes itself raise Reached, if it is not replaced."""
    whole = kind.call
    depth = 0

    def call(machine, name, arguments):
        nonlocal depth
        contracts = getattr(machine, attribute)
        if depth == 0 and same(name, function) and name not in contracts:
            raise Reached([known for known in contracts if known in assumed.PROVED])
        depth += 1
        try:
            return whole(machine, name, arguments)
        finally:
            depth -= 1

    monkeypatch.setattr(kind, "call", call)


def reached(monkeypatch, kind, attribute, function, run):
    """Returns the contracts with which a proof calls the function, or None."""
    with monkeypatch.context() as patch:
        stops_at(patch, kind, attribute, function)
        patch.setattr("secrets.randbits", random.getrandbits)  # nothing is compared
        try:
            run()
        except Reached as found:
            return found.args[0]
    return None


def entries(machine_code=False):
    """Yields the functions of the Cortex-M4, or all others, with file and name of each proof."""
    for function, (test, *proofs) in assumed.PROVED.items():
        if (test == "machine_code") == machine_code:
            yield from ((function, test, proof) for proof in proofs)


def test_what_is_assumed_is_proved(need, sources, monkeypatch):
    """Some test runs each proof; those of masks are about what they are for."""
    need("clang")
    for function, test, proof in entries():
        assert proof in run_by(test), f"{function}: no test runs {proof}"
    look_at(sources, monkeypatch, [entry for entry in entries() if entry[1] in SHORT])


@pytest.mark.long
def test_every_proof_is_about_what_it_is_for(need, sources, monkeypatch):
    """All proofs of each function; none needs itself."""
    need("clang")
    look_at(sources, monkeypatch, entries())


def look_at(sources, monkeypatch, looked_at):
    """Demands that a test gives each proof to `holds`, that it calls the function, and that no
    proof needs itself."""
    needs = {}
    for function, test, proof in looked_at:
        by, arguments = run_by(test)[proof]
        given = []
        by(holds=lambda *what, given=given, **how: given.append((*what, how)), **arguments)
        ((files, call, options),) = given
        module = sources.module(files, **options)
        whole = getattr(call, "prove", lambda module, call=call: prove(module, call))
        run = lambda whole=whole, module=module: whole(module)  # noqa: E731 (a call with both)
        contracts = reached(monkeypatch, Machine, "contracts", function, run)
        assert contracts is not None, f"{proof} is not about {function}"
        needs.setdefault(function, set()).update(contracts)
    graphlib.TopologicalSorter(needs).prepare()  # or a CycleError says which


def test_what_is_assumed_of_machine_code_is_proved(need, root, tmp_path, monkeypatch):
    """The same for the Cortex-M4."""
    need("arm-none-eabi-gcc")
    program = build_program(root, tmp_path)
    for function, test, proof in entries(machine_code=True):
        _, arguments = run_by(test)[proof]
        run = lambda call=arguments["call"]: call.prove(program)  # noqa: E731
        assert reached(monkeypatch, Processor, "replaced", function, run) is not None, proof


def test_a_contract_without_a_proof_is_refused(sources):
    """Whatever the machine is for; what may be anything has its reason."""
    module = sources.module(["common/keccak/keccak_portable.c"])
    for name in (next(iter(assumed.PROVED)), *assumed.ANY):
        Machine(module, None, {name: None})
    with pytest.raises(LookupError, match="pair_count"):
        Machine(module, None, {"pair_count.counters_avx512": None})


@pytest.mark.parametrize("name", ["avx2-gf256_mul", "no such proof"])
def test_a_proof_of_something_else_is_found(need, sources, monkeypatch, name):
    """One that is about another back end, or that no test runs."""
    need("clang")
    function = "gf256_mul.codes_neon"
    monkeypatch.setattr(assumed, "PROVED", {function: ("codes", name)})
    with pytest.raises(AssertionError, match=r"is not about|no test runs"):
        test_what_is_assumed_is_proved(need, sources, monkeypatch)
