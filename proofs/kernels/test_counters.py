# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The decoder's counters: moving a syndrome, adding, comparing, for everything they may get."""

import pytest

from parameters.table import TABLE
from proofs.kernels.counters import FILES, Adder, Compare, target
from proofs.kernels.rotations import BACKENDS, STEPPING, Rotation, Steps, files
from tools import mistakes

PLANES = [7, 8]  # of the shapes: counters below 128, and below 256


def adders(backend):
    """Returns what a back end adds by."""
    steps = ["unit_add_group"]
    if backend in STEPPING:
        steps = [f"unit_add_bits_{n}" for n in (2, 3, 4)] + [f"unit_add_alone_{n}" for n in (2, 3)]
    return [Adder(backend, step, planes) for step in steps for planes in PLANES]


# Plain words always have eight planes.
UNITS = [
    unit
    for backend in BACKENDS
    for unit in [*adders(backend), *(Compare(backend, planes) for planes in PLANES)]
    if backend != "portable" or unit.planes == 8
]
QUICK = [u for u in UNITS if not isinstance(u, Adder) or u.backend == "portable"]
QUICK += [u for u in UNITS if repr(u) in ("avx2-unit_add_bits_4-7", "avx2-unit_add_bits_2-7")]
MOVES = [Rotation("portable", r) for r in TABLE.rings[0]]
STEPS = [
    Steps(backend, r, adding) for backend in STEPPING for r in TABLE.rings[0] for adding in range(4)
]


@pytest.mark.parametrize(
    "unit",
    [unit if unit in QUICK else pytest.param(unit, marks=pytest.mark.long) for unit in UNITS],
    ids=repr,
)
def test_a_step_is_right_for_all_operands(holds, unit):
    """Sums and comparisons of one vector, as circuits."""
    holds(FILES, unit, target=target(unit.backend, unit.planes))


@pytest.mark.long
@pytest.mark.parametrize("rotation", MOVES, ids=repr)
def test_the_syndrome_moves_by_every_position(holds, rotation):
    """All positions of all rings, by some that stand for all."""
    backend = rotation.backend
    holds(files(backend), rotation, target=BACKENDS[backend].processor)


@pytest.mark.long
@pytest.mark.parametrize("steps", STEPS, ids=repr)
def test_the_syndrome_moves_on_by_every_step(holds, steps):
    """From any place, by all words of a step, and by all bits of what is added."""
    holds(steps.files, steps, target=steps.target)


@pytest.mark.parametrize("mistake", mistakes.cases("equivalence/counters"))
def test_a_changed_step_is_found(fails, mistake):
    """A mistake in each kind of step."""
    call = mistake.call(globals())
    fails(FILES, call, mistake, target=target(call.backend, call.planes))


@pytest.mark.parametrize("mistake", mistakes.cases("equivalence/counters moves"))
def test_a_changed_move_is_found(fails, mistake):
    """A mistake in each back end."""
    call = mistake.call(globals())
    if isinstance(call, Steps):
        fails(call.files, call, mistake, target=call.target)
    else:
        fails(files(call.backend), call, mistake, target=BACKENDS[call.backend].processor)
