# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Machine code of the Cortex-M4: its assembly, and the C around it as gcc compiles it."""

import functools
import os

import pytest

from equivalence.machine_calls import (
    CompareCode,
    CounterCode,
    Keccak,
    PositionCode,
    RotationCode,
    Search,
)
from equivalence.machine_code import FLAGS, GCC, MachineCall
from equivalence.machine_code import build as build_program
from equivalence.machine_errors import FindRepeatCode, PlaceCode, RowsCode
from equivalence.machine_products import SIZES, RingCode, Words, WordsCode, inner_words
from equivalence.prove import NotProved
from equivalence.proved import name_of, version_of
from equivalence.quadratic import ROW_BYTES
from equivalence.rings import PLANS, RINGS

QUICK = [
    *[Words(name) for name in SIZES],
    Keccak(),
    CounterCode("add_first", 7),
    *[CounterCode(f"add_second_{planes}", planes) for planes in (7, 8)],
    *[CompareCode(planes) for planes in (7, 8)],
    *[Search(count) for count in (3, 8, 21)],
    *[RingCode("square_times", r, 1) for r in RINGS],
    RingCode("square_times", 12323, 64),
    FindRepeatCode(64),
    PlaceCode(8, 128),
    RowsCode(340),
]
LONG = [
    *[WordsCode(inner_words(r)) for r in RINGS],
    *[RingCode("mul", r) for r in RINGS],
    RingCode("mul_add", 12323),
    *[RingCode("square_times", r, k) for r in PLANS for k in PLANS[r]],
    *[RotationCode(r) for r in (12323, 24659, 40973)],
    *[PositionCode(r, first) for r in (12323, 17669) for first in (0, r)],
    *[FindRepeatCode(count) for count in (96, 119, 128)],
    # positions, and words of as many columns as the parameter set has
    *[PlaceCode(*shape) for shape in ((64, 55), (96, 72), (119, 109), (128, 105), (128, 128))],
    *[RowsCode(size) for size in ROW_BYTES[1:]],
]
# The file that is changed, how, and a call that shows it; those that are quick come first.
MISTAKES = {
    "words": ("gf2x/m4/gf2x_words_m4.S", "and r12, r12, #0x22222222", "and r12, r12, #0x22002200"),
    "square": (
        "gf2x/m4/gf2x_m4.c",
        "(x | x << 2) & UINT32_C(0x33333333)",
        "(x | x << 2) & 0x33333331",
    ),
    "power": ("gf2x/m4/gf2x_power_m4.c", "[i + 4], 16, 0x0000FFFF)", "[i + 4], 16, 0x0000FFFE)"),
    "keccak": (
        "keccak/keccak_permute_m4.S",
        "offsets 2, 3, 10, 43, 25, 39",
        "offsets 2, 3, 10, 43, 25, 38",
    ),
    "counters": ("bike/bike_count_m4.S", "half_add r7, r6", "half_add r7, r5"),
    "comparison": ("bike/bike_ops_m4.c", "below[b] & (plane | reached)", "below[b] & plane"),
    "search": ("sparse/sparse_place_m4.S", "eor \\word, \\word, r0", "eor \\word, r4, r0"),
    "points": (
        "gf2x/m4/gf2x_points_m4.S",
        "add_shifted r8, r10, lr, 11",
        "add_shifted r8, r10, lr, 12",
    ),
    "Toom": (
        "gf2x/m4/gf2x_toom_m4.c",
        "next << 1 << (31 - from % 32)",
        "next << 1 << (30 - from % 32)",
    ),
    "rotation": ("gf2x/m4/gf2x_rotate_m4.S", "sel r6, r11, r6", "sel r6, r10, r6"),
    "start of rotations": (
        "gf2x/m4/gf2x_rotation_m4.c",
        "(uint64_t)a[i] << (top + 1)",
        "(uint64_t)a[i] << top",
    ),
    "place": ("sparse/sparse_place_m4.S", "and r9, r0, #7", "and r9, r0, #3"),
    "position": ("sparse/sparse_m4.c", "word * 52429 >> 18", "word * 52428 >> 18"),
    "repeat": ("mceliece/mceliece_ops_m4.c", "distance += 8)", "distance += 9)"),
    "sign of a repeat": ("mceliece/mceliece_ops_m4.c", "& 0x80008000", "& 0x80000000"),
    "last ones": ("mceliece/mceliece_ops_m4.c", ": count - 5)", ": count - 6)"),
    "ones": ("mceliece/mceliece_encode_m4.S", "lsr \\word, \\word, #5", "lsr \\word, \\word, #6"),
    "rows": ("mceliece/mceliece_encode_m4.S", "eor r2, r2, r4", "orr r2, r2, r4"),
    "parities": ("mceliece/mceliece_ops_m4.c", "x[i + 4], 4,", "x[i + 3], 4,"),
}
SHOWN_BY = {
    "words": Words("mul8"),
    "square": RingCode("square_times", 12323, 1),
    "power": RingCode("square_times", 12323, 64),
    "keccak": Keccak(),
    "counters": CounterCode("add_second_7", 7),
    "comparison": CompareCode(7),
    "search": Search(8),
    "points": RingCode("mul", 12323),
    "Toom": RingCode("mul", 12323),
    "rotation": RotationCode(12323, 6000, 16),
    "start of rotations": RotationCode(12323, 6000, 16),
    "place": PositionCode(12323, 0),
    "position": PositionCode(12323, 0),
    "repeat": FindRepeatCode(21),
    "sign of a repeat": FindRepeatCode(21),
    "last ones": PlaceCode(8, 128),
    "ones": PlaceCode(5, 128),
    "rows": RowsCode(628),
    "parities": RowsCode(340),
}
QUICK_MISTAKES = ["words", "power", "keccak", "counters", "search", "repeat", "ones"]
SAMPLES_FOR_MISTAKES = 16


@pytest.fixture(scope="session")
def folder(build):
    """Where programs and names of proofs are; a process has its own programs."""
    return build.folder("equivalence")


@pytest.fixture(scope="session")
def program(folder, root):
    """The kernels of the Cortex-M4."""
    worker = os.environ.get("PYTEST_XDIST_WORKER", "main")
    return build_program(root, folder / worker / "cortex-m4")


def prove(call, program, folder):
    """Proves a call, unless that was done before."""
    proved = folder / "proved" / name_of(call, [program.text], [version_of(GCC), *FLAGS])
    if not proved.exists():
        call.prove(program)
        proved.parent.mkdir(parents=True, exist_ok=True)
        proved.write_text(f"{call!r}\n")


@pytest.mark.parametrize("call", QUICK, ids=repr)
def test_machine_code_computes_the_specification(need, request, call):
    """Assembly alone, and what takes no time."""
    need("arm-none-eabi-gcc")
    prove(call, request.getfixturevalue("program"), request.getfixturevalue("folder"))


@pytest.mark.long
@pytest.mark.parametrize("call", LONG, ids=repr)
def test_all_machine_code_computes_the_specification(need, request, call):
    """Products, powers, rotations and positions."""
    need("arm-none-eabi-gcc")
    prove(call, request.getfixturevalue("program"), request.getfixturevalue("folder"))


def test_the_name_of_a_proof_has_no_path(need, root, folder, request):
    """What is hashed of the program is the same wherever it was built."""
    need("arm-none-eabi-gcc")
    text = request.getfixturevalue("program").text
    assert len(text) > 10000 and not any(str(path) in text for path in (root, folder))


def shows(root, folder, name):
    """Demands that a proof fails with a mistake."""
    changed = build_program(root, folder / "cortex-m4", MISTAKES[name])
    call = SHOWN_BY[name]
    proof = functools.partial(call.prove, changed)
    if isinstance(call, MachineCall):
        proof = functools.partial(call.compare, changed, SAMPLES_FOR_MISTAKES)
    with pytest.raises(NotProved):
        proof()


@pytest.mark.parametrize("name", QUICK_MISTAKES)
def test_a_changed_constant_is_found(need, root, tmp_path, name):
    """A mistake in a file."""
    need("arm-none-eabi-gcc")
    shows(root, tmp_path, name)


@pytest.mark.long
@pytest.mark.parametrize("name", [name for name in MISTAKES if name not in QUICK_MISTAKES])
def test_every_changed_constant_is_found(need, root, tmp_path, name):
    """In every other file."""
    need("arm-none-eabi-gcc")
    shows(root, tmp_path, name)
