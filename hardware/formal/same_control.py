# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Two copies of a module with the same public inputs and different secrets take the same path.

A copy is the module with any content of its memories, any secret inputs and any first values.
After a cycle of reset, all registers that reset settles are equal, or some cycles later,
where reset reaches units by registers. Of these the largest set is
sought that stays equal: while some register of the set can get different values although all of
the set were equal, it leaves the set. What remains is inductive, so it is equal in the two copies
for ever, and so is every output that depends on nothing else.
"""

import dataclasses
import re

from hardware.formal.model import ProofError, Solver, all_of, at, copy_of, next_values


@dataclasses.dataclass
class Comparison:
    """What two copies have in common for ever."""

    equal: list[str]  # registers of the source
    secret: list[str]  # registers that may differ
    differing: list[str]  # outputs that should be equal and can differ


def differ(one, two):
    return f"(distinct {one} {two})"


def check_names(model, inputs, outputs):
    for name in inputs:
        if name not in model.inputs:
            raise ProofError(f"{model.name} has no input {name}")
    for name in outputs:
        if name.partition("[")[0] not in model.outputs:
            raise ProofError(f"{model.name} has no output {name}")


def output_differs(model, name, may_differ):
    """Returns the formula that an output is not equal, but for what of it may differ, or None."""
    if name in may_differ:
        return None
    width = model.outputs[name]
    free = set()
    for some in may_differ:
        if match := re.fullmatch(re.escape(name) + r"\[(\d+):(\d+)\]", some):
            free |= set(range(int(match[2]), int(match[1]) + 1))
    signals = [f"|{model.signal(name)}@{one}|" for one in "ab"]
    if not free:
        return differ(*signals)
    if not free < set(range(width)):
        raise ProofError(f"{model.name}: {name} has {width} bits")
    bits = [
        differ(*(f"((_ extract {bit} {bit}) {signal})" for signal in signals))
        for bit in range(width)
        if bit not in free
    ]
    return f"(or false {' '.join(bits)})"


def after(following, label):
    """Returns {register: its value in the cycle after that of a copy}."""
    return {name: at(value, label) for name, value in following.items()}


def pair(model, shared, told, following, ahead=False, past=0):
    """Returns a solver with two copies, a and b, that share inputs and registers.

    ahead: with the copies "next a" and "next b" of the next cycle, too; past: with the copies
    "past 1 a", "past 1 b" and so on of so many cycles before, too, which share inputs alone.
    """
    inputs = [name for name in shared if name not in model.registers]
    labels = ["a", "b"]
    text, values = "", ({}, {name: f"|{name}@a|" for name in shared})
    for number in range(1, past + 1):
        before = [f"past {number} {one}" for one in "ab"]
        same = {name: f"|{name}@{before[0]}|" for name in inputs}
        text += copy_of(model, before[0], values[0] if number > 1 else {})
        text += copy_of(model, before[1], (values[1] if number > 1 else {}) | same)
        labels += before
        values = (after(following, before[0]), after(following, before[1]))
    if past:
        values[1].update((name, f"|{name}@a|") for name in inputs)
    text += copy_of(model, "a", values[0]) + copy_of(model, "b", values[1])
    if ahead:
        others = {name: f"|{name}@next a|" for name in inputs}
        text += copy_of(model, "next a", after(following, "a"))
        text += copy_of(model, "next b", after(following, "b") | others)
        labels += ["next a", "next b"]
    solver = Solver("(set-logic ALL)\n" + text)
    for label in labels:
        solver.holds(all_of(model.assumes, label))
    for name in told:
        signal = model.signal(name)
        solver.holds(f"(= |{signal}@a| |{signal}@b|)")
    if not solver.possible("true"):
        raise ProofError(f"{model.name}: nothing satisfies the assumptions")
    return solver


def separated(solver, differences, assumptions=()):
    """Returns the names of all {name: formula} that can be true, each in some case."""
    found, left = set(), dict(differences)
    while left:
        some = next(iter(left.values())) if len(left) == 1 else f"(or {' '.join(left.values())})"
        if not solver.possible(some, *assumptions):
            break
        now = {name for name, formula in left.items() if solver.value(formula) is True}
        if not now:
            raise ProofError("Bitwuzla found a case that is none")
        found |= now
        left = {name: formula for name, formula in left.items() if name not in now}
    return found


def compare(model, proof):
    """Returns the comparison of two copies for a proof, a SameControl of proofs.py."""
    check_names(model, [*proof.secret, *proof.reset], proof.may_differ)
    reset, secret, told, also = proof.reset, proof.secret, proof.told, proof.also
    public = {
        name
        for name in model.declared
        if name not in model.registers and model.input_of(name) not in {None, *secret}
    }
    following = next_values(model)
    changes = {name: differ(at(value, "a"), at(value, "b")) for name, value in following.items()}
    later = {name: differ(*(f"|{model.signal(name)}@next {one}|" for one in "ab")) for name in also}
    equal, equal_signals = set(model.registers), set(also)
    first = "past 1 a" if proof.settle else "a"
    in_reset = [f"(= |{model.signal(name)}@{first}| {value})" for name, value in reset.items()]
    shared, known, assumed = public, [], in_reset  # at first the copies have nothing in common
    while True:
        past = proof.settle if assumed else 0
        solver = pair(model, shared, known, following, bool(also), past)
        left = separated(
            solver,
            {name: changes[name] for name in sorted(equal)}
            | {name: later[name] for name in sorted(equal_signals)},
            assumed,
        )
        equal -= left
        equal_signals -= left
        if not left and not assumed:
            break
        shared, known, assumed = public | equal, [*told, *sorted(equal_signals)], []
    formulas = {name: output_differs(model, name, proof.may_differ) for name in model.outputs}
    outputs = {name: formula for name, formula in formulas.items() if formula}
    return Comparison(
        sorted([*map(model.source_of, equal), *equal_signals]),
        sorted([*map(model.source_of, set(model.registers) - equal), *set(also) - equal_signals]),
        sorted(separated(solver, outputs)),
    )
