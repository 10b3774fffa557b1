# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The assertions of a module hold in all cycles after reset, by k-induction, for all inputs.

Base: from any first values, one cycle of reset; then the assertions hold in the next k cycles.
Step: if they hold in k cycles one after the other, they hold in the next one, from whatever state.
With k = 0 they hold in any state at all, also before reset.
"""

import dataclasses

from hardware.formal.model import ProofError, Solver, all_of, at, copy_of


@dataclasses.dataclass
class Failure:
    """An assertion that can be false, and a case in which it is."""

    asserted: str
    part: str  # "base" or "step"
    cycles: list[dict[str, str]]  # {input or register: value} of each cycle


def unrolled(model, cycles):
    """Returns a solver with this number of cycles, whose assumptions hold."""
    solver = Solver(
        "(set-logic ALL)\n" + "".join(copy_of(model, str(number)) for number in range(cycles))
    )
    for number in range(cycles):
        solver.holds(all_of(model.assumes, number))
    for number in range(cycles - 1):
        solver.holds(at(model.transition, str(number), str(number + 1)))
    return solver


def case_of(model, solver, cycles):
    """Returns the values of the case that the solver has found."""
    names = [
        name
        for name in [*model.inputs, *map(model.source_of, model.registers)]
        if name in model.known
    ]
    return [
        {name: str(solver.value(f"|{model.signal(name)}@{number}|")) for name in names}
        for number in range(cycles)
    ]


def failures_at(model, solver, number, part):
    """Returns the failures of the assertions in a cycle, one for each assertion that can fail."""
    failed = []
    if not solver.possible(f"(not {all_of(model.asserts, number)})"):
        return []
    for name, label in model.asserts.items():
        if solver.possible(f"(not |{name}@{number}|)"):
            failed.append(Failure(label, part, case_of(model, solver, number + 1)))
    return failed


def prove(model, reset, depth):
    """Returns the failures; `reset`: {input: its value in reset}."""
    if not model.asserts:
        raise ProofError(f"{model.name} has no assertions")
    if depth == 0:
        return failures_at(model, satisfiable(model, unrolled(model, 1)), 0, "step")
    for name in reset:
        model.signal(name)
    base = unrolled(model, depth + 1)
    for name, value in reset.items():
        base.holds(f"(= |{model.signal(name)}@0| {value})")
    satisfiable(model, base)
    for number in range(1, depth + 1):
        if failed := failures_at(model, base, number, "base"):
            return failed
    step = unrolled(model, depth + 1)
    for number in range(depth):
        step.holds(all_of(model.asserts, number))
    return failures_at(model, satisfiable(model, step), depth, "step")


def satisfiable(model, solver):
    if not solver.possible("true"):
        raise ProofError(f"{model.name}: nothing satisfies the assumptions")
    return solver
