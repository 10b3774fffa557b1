# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Machine code of the Cortex-M4: its assembly, and the C around it as gcc compiles it."""

import functools
import os

import pytest

from parameters.table import TABLE
from proofs.kernels.engine.prove import NotProved
from proofs.kernels.machine_calls import (
    CompareCode,
    CounterCode,
    Keccak,
    PositionCode,
    RotationCode,
    Search,
)
from proofs.kernels.machine_code import FLAGS, GCC, MachineCall
from proofs.kernels.machine_code import build as build_program
from proofs.kernels.machine_errors import FindRepeatCode, PlaceCode, RowsCode
from proofs.kernels.machine_products import SIZES, RingCode, Words, WordsCode, inner_words
from proofs.kernels.proved import name_of, version_of
from proofs.kernels.quadratic import ROW_BYTES
from proofs.kernels.rings import PLANS, RINGS
from tools import mistakes

SMALLEST = (12323, 17669)  # of the rings of both schemes
QUICK = [
    *[Words(name) for name in SIZES],
    Keccak(),
    CounterCode("add_first", 7),
    *[CounterCode(f"add_second_{planes}", planes) for planes in (7, 8)],
    *[CompareCode(planes) for planes in (7, 8)],
    *[Search(count) for count in (3, 8, 21)],
    *[RingCode("square_times", r, 1) for r in SMALLEST],
    RingCode("square_times", 12323, 64),
    RowsCode(340),
]
SLOWER = [
    *[RingCode("square_times", r, 1) for r in RINGS if r not in SMALLEST],
    PlaceCode(8, 128),
]
LONG = [
    *[WordsCode(inner_words(r)) for r in RINGS],
    *[RingCode("mul", r) for r in RINGS],
    RingCode("mul_add", 12323),
    *[RingCode("square_times", r, k) for r in PLANS for k in PLANS[r]],
    *[RotationCode(r) for r in TABLE.rings[0]],
    *[PositionCode(r, first) for r in (12323, 17669) for first in (0, r)],
    *[FindRepeatCode(count) for count in (64, 96, 119, 128)],
    # positions, and words of as many columns as the parameter set has
    *[PlaceCode(*shape) for shape in ((64, 55), (96, 72), (119, 109), (128, 105), (128, 128))],
    *[RowsCode(size) for size in ROW_BYTES[1:]],
]
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


@pytest.mark.parametrize(
    "call", [*QUICK, *(pytest.param(call, marks=pytest.mark.long) for call in SLOWER)], ids=repr
)
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


@pytest.mark.parametrize("mistake", mistakes.cases("equivalence/machine_code"))
def test_a_changed_constant_is_found(need, root, tmp_path, mistake):
    """A mistake in each file."""
    need("arm-none-eabi-gcc")
    changed = build_program(root, tmp_path / "cortex-m4", mistake)
    call = mistake.call(globals())
    proof = functools.partial(call.prove, changed)
    if isinstance(call, MachineCall):
        proof = functools.partial(call.compare, changed, SAMPLES_FOR_MISTAKES)
    with pytest.raises(NotProved):
        proof()
