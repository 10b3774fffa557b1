# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Ring arithmetic: every operation of every back end is the map of the specification."""

import pytest

from proofs.kernels.products import MULTIPLY, LowProduct, Multiply, parts_of
from proofs.kernels.rings import FILES, PLANS, RINGS, SHARED, TARGETS, RingCall
from tools import mistakes

LOW = LowProduct()


def quick():
    """What `make test` proves: some operations of BIKE-L1 and HQC-1."""
    yield from (LOW, *parts_of(12323))
    yield from (RingCall(b, "mul", 12323) for b in MULTIPLY)
    yield from (RingCall(b, "square_times", 12323, 1) for b in FILES)
    yield RingCall("neon", "square_times", 12323, 64)


def slower():
    """The same on other back ends."""
    yield from (Multiply(backend, 12323) for backend in ("avx2", "vpclmul"))
    yield RingCall("avx512", "mul", 17669)
    yield from (RingCall(b, "square_times", 12323, 64) for b in FILES if b != "neon")


def everything():
    """All operations in all rings, the powers of inversion included, and results in place."""
    for r in RINGS:
        yield from (*parts_of(r), *(Multiply(backend, r) for backend in MULTIPLY))
    for backend in FILES:
        for r in RINGS:
            yield from (RingCall(backend, name, r) for name in ("mul", "mul_add"))
            yield from (RingCall(backend, "mul", r, in_place=name) for name in "ab")
            yield from (RingCall(backend, "square_times", r, k) for k in (1, 2))
            yield from (RingCall(backend, "square_times", r, k) for k in PLANS.get(r, []))
            yield RingCall(backend, "square_times", r, 3, in_place="a")


def files(call):
    """Returns the files that a call needs."""
    return [*FILES[call.backend], *SHARED]


def target(call):
    """Returns the processor that a call is for."""
    return TARGETS[call.backend]


def left():
    """Returns everything else, each once."""
    done = {repr(call) for call in (*quick(), *slower())}
    return list({repr(call): call for call in everything() if repr(call) not in done}.values())


@pytest.mark.parametrize(
    "call",
    [*quick(), *(pytest.param(call, marks=pytest.mark.long) for call in slower())],
    ids=repr,
)
def test_an_operation_is_the_map_of_the_specification(holds, call):
    """Products are bilinear, 2^k-th powers linear."""
    holds(files(call), call, target=target(call))


@pytest.mark.long
@pytest.mark.parametrize("call", left(), ids=repr)
def test_every_operation_is_the_map_of_the_specification(holds, call):
    """The same for all."""
    holds(files(call), call, target=target(call))


@pytest.mark.parametrize("mistake", mistakes.cases("equivalence/rings"))
def test_a_changed_constant_is_found(fails, mistake):
    """A mistake in each file."""
    call = mistake.call(globals())
    fails(files(call), call, mistake, target=target(call))
