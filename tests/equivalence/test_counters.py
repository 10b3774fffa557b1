# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The decoder's counters: moving a syndrome, adding, comparing, for everything they may get."""

import pytest

from equivalence.counters import FILES, Adder, Compare, target
from equivalence.prove import NotProved
from equivalence.quick import first_of_each, kind_of
from equivalence.rotations import BACKENDS, Rotation, files

PLANES = [7, 8]  # of the shapes: counters below 128, and below 256


def adders(backend):
    """Returns what a back end adds by."""
    steps = ["unit_add_ones", "unit_add_fours"] if backend != "portable" else ["unit_add_group"]
    return [Adder(backend, step, planes) for step in steps for planes in PLANES]


# Plain words always have eight planes.
UNITS = [
    unit
    for backend in BACKENDS
    for unit in [*adders(backend), *(Compare(backend, planes) for planes in PLANES)]
    if backend != "portable" or unit.planes == 8
]
MOVES = {
    "quick": [Rotation("avx512", 12323, 12000, 64)],
    "long": [Rotation(backend, r) for backend in BACKENDS for r in (12323, 24659, 40973)],
}

TEMPLATE = "bike/bike_count_steps.template.h"
UNIT_MISTAKES = {
    "portable sums": (
        Adder("portable", "unit_add_group", 8),
        ("bike/bike_ops_portable.c", "(*a & b) | (half & c)", "(*a & b) | (half & b)"),
    ),
    "portable comparison": (
        Compare("portable", 8),
        ("bike/bike_ops_portable.c", "equal = UINT64_MAX", "equal = UINT64_MAX - 1"),
    ),
    "AVX-512 carries": (
        Adder("avx512", "unit_add_ones", 7),
        (
            "bike/bike_ops_avx512.c",
            "ternarylogic_epi64(a, b, c, 0xE8)",
            "ternarylogic_epi64(a, b, c, 0xE9)",
        ),
    ),
    "AVX-512 fours": (
        Adder("avx512", "unit_add_fours", 8),
        (
            "bike/bike_ops_avx512.c",
            "full_add(&eights, carry0, carry1)",
            "full_add(&eights, carry0, carry0)",
        ),
    ),
    "AVX-512 comparison": (
        Compare("avx512", 7),
        ("bike/bike_ops_avx512.c", "borrow, 0x8E)", "borrow, 0x8F)"),
    ),
    "ones of the template": (
        Adder("avx2", "unit_add_ones", 8),
        (TEMPLATE, "full_add(&ones, bits[2], bits[3])", "full_add(&ones, bits[2], bits[2])"),
    ),
    "fours of the template": (
        Adder("neon", "unit_add_fours", 8),
        (TEMPLATE, "plane[3 * n] = eights;", "plane[3 * n] = fours;"),
    ),
    "comparison of the template": (
        Compare("avx2", 8),
        (
            TEMPLATE,
            "choose_by_logic(reached, bits, differ)",
            "choose_by_logic(reached, differ, bits)",
        ),
    ),
}
MOVE_MISTAKES = {
    "portable": (
        "bike/bike_ops_portable.c",
        "ct_shift_left_u64(work[i + 1] << 1, 63 - shift)",
        "ct_shift_left_u64(work[i + 1] << 1, 62 - shift)",
    ),
    "avx2": (
        "bike/bike_ops_avx2.c",
        "_mm256_setr_epi64x(0, 1, 2, 3)",
        "_mm256_setr_epi64x(0, 1, 3, 3)",
    ),
    "avx512": (
        "bike/bike_ops_avx512.c",
        "_mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7)",
        "_mm512_setr_epi64(0, 1, 2, 3, 4, 5, 7, 6)",
    ),
    "neon": ("bike/bike_ops_neon.c", "(uint8_t)(8 * odd)", "(uint8_t)(4 * odd)"),
}


@pytest.mark.parametrize("unit", UNITS, ids=repr)
def test_a_step_is_right_for_all_operands(holds, unit):
    """Sums and comparisons of one vector, as circuits."""
    holds(FILES, unit, target=target(unit.backend, unit.planes))


def moves(holds, rotation):
    """Proves a rotation."""
    backend = rotation.backend
    holds(files(backend), rotation, target=BACKENDS[backend].processor)


@pytest.mark.parametrize("rotation", MOVES["quick"], ids=repr)
def test_the_syndrome_moves_by_the_position(holds, rotation):
    """Some positions."""
    moves(holds, rotation)


@pytest.mark.long
@pytest.mark.parametrize("rotation", MOVES["long"], ids=repr)
def test_the_syndrome_moves_by_every_position(holds, rotation):
    """All positions of all rings, by some that stand for all."""
    moves(holds, rotation)


@pytest.mark.parametrize(
    "name", first_of_each(UNIT_MISTAKES, lambda name: kind_of(UNIT_MISTAKES[name][0]))
)
def test_a_changed_step_is_found(sources, name):
    """A mistake in each kind of step."""
    unit, changed = UNIT_MISTAKES[name]
    module = sources.module(FILES, target(unit.backend, unit.planes), changed)
    with pytest.raises(NotProved):
        unit.prove(module)


@pytest.mark.long
@pytest.mark.parametrize("backend", MOVE_MISTAKES)
def test_a_changed_move_is_found(sources, backend):
    """A mistake in each back end."""
    processor = BACKENDS[backend].processor
    module = sources.module(files(backend), processor, MOVE_MISTAKES[backend])
    with pytest.raises(NotProved):
        Rotation(backend, 12323, 4000, 64).prove(module)
