# SPDX-License-Identifier: Apache-2.0 OR MIT
"""An idle unit drives zeros, for all inputs.

A register, or several, say whether the unit is idle. Whatever the others hold and whatever comes
in: when it has been idle for as many cycles as the unit's pipeline has stages, the outputs are
zero; reset makes it idle; it stays so until the start; and after `done` it is idle again.
"""

from hardware.formal.invariants import unrolled
from hardware.formal.model import ProofError


def zero(model, name, label):
    width = model.outputs[name]
    return f"(= |{model.signal(name)}@{label}| {'false' if width == 1 else f'(_ bv0 {width})'})"


def value(model, name, number):
    """Returns the constant that a signal is compared with, as wide as the signal is."""
    sort = next(sort for found, sort, _ in model.defined if found == model.signal(name))
    if sort == "Bool":
        return "true" if number else "false"
    return f"(_ bv{number} {sort.strip('()').split()[-1]})"


def failures(model, proof):
    """Returns what does not hold, in words, for a proof, a Silent of proofs.py."""
    for name in (*proof.but, *proof.at_start):
        if name not in model.outputs:
            raise ProofError(f"{model.name} has no output {name}")
    last = proof.after
    solver = unrolled(model, last + 2)

    def idle(number):
        same = (f"(= |{model.signal(one)}@{number}| {value(model, one, 0)})" for one in proof.idle)
        return f"(and true true {' '.join(same)})"

    def is_set(name):
        return f"|{model.signal(name)}@{last}|"

    in_reset = [f"(= {is_set(name)} {text})" for name, text in proof.reset.items()]
    no_reset = f"(not (and true true {' '.join(in_reset)}))"
    no_start = f"(not {is_set(proof.start)})"
    idle_so_far = [idle(number) for number in range(last + 1)]
    if not solver.possible(*idle_so_far, idle(last + 1), no_reset, no_start):
        return [f"{model.name} is never idle"]
    wrong = {
        f"{name} is not zero in an idle unit": [
            *idle_so_far,
            *[no_start] * (name in proof.at_start),
            f"(not {zero(model, name, last)})",
        ]
        for name in model.outputs
        if name not in proof.but
    }
    busy = f"(not {idle(last + 1)})"
    wrong["reset does not make it idle"] = [*in_reset, busy]
    wrong["it begins without a start"] = [idle(last), no_start, busy]
    if proof.done:
        wrong["it is not idle after it is done"] = [is_set(proof.done), no_start, busy]
    return [text for text, formulas in wrong.items() if solver.possible(*formulas)]
