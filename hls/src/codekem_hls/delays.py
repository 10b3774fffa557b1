# SPDX-License-Identifier: Apache-2.0 OR MIT
"""How long operations take, in nanoseconds, for chaining them in a cycle.

Two models: "generic" is rough, for FPGAs with look-up tables of six inputs; "ecp5" is fitted to
what calibrate.py has measured on a Lattice ECP5. They decide in which step an operation is, never
what it computes.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import json
import pathlib
from collections.abc import Iterator
from typing import Any

import numpy

from .ir import Array, Const, Op

STORED = pathlib.Path(__file__).resolve().parents[2] / "results" / "delays.json"


@dataclasses.dataclass(frozen=True)
class Model:
    register: float = 1.0  # from the clock to the output, and from the input to the clock
    logic: float = 0.9  # a look-up table and its wires
    gate: float = 0.5  # and, or, xor: a look-up table takes two or three of them
    total: float = 0.9  # a carry chain but for its length
    compare: float = 0.9  # the same of a comparison
    carry: float = 0.03  # for each bit of a carry chain
    product: float = 3.0  # a multiplication but for its length
    ones: float = 0.9  # a count of ones, for each bit of the result
    memory_out: float = 1.8  # more than a register, from the clock to the data of a block RAM
    memory_in: float = 0.5  # more than a register, from address or data to the clock
    ways: int = 4  # of a multiplexer in one look-up table
    old_data: bool = True  # a block RAM gives the old word while it is written
    sharing: bool = False  # whether the choice between a memory's accesses counts
    parts_shifts: bool = False  # whether a shift that is too long is made in two steps


GENERIC = Model()
MODELS = ("generic", "ecp5")
_model = GENERIC


def fitted(stored: dict[str, Any]) -> Model:
    """Returns a model of what was measured; straight lines by least squares, else the most."""
    rows: dict[str, list[tuple[int, float]]] = {}
    for row in stored["operators"]:
        rows.setdefault(row["kind"], []).append((row["bits"], row["operator_ns"]))

    def line(kind: str) -> tuple[float, float]:
        bits, delays = ([row[place] for row in rows[kind]] for place in range(2))
        slope, start = numpy.polyfit(bits, delays, 1)
        return round(float(slope), 3), round(float(start), 2)

    def most(kind: str, parts: dict[int, int]) -> float:
        return round(max(delay / parts[bits] for bits, delay in rows[kind]), 2)

    levels = {bits: (bits - 1).bit_length() for bits, _ in rows["shift"]}
    carry, total = line("add")
    # Wires are longer in a core than between registers that stand alone.
    wires = stored.get("wires", 1.0)
    return Model(
        register=stored["register_ns"],
        logic=wires * most("shift", levels),
        gate=wires * most("chain", {bits: bits for bits, _ in rows["chain"]}),
        total=wires * total,
        compare=wires * line("icmp")[1],
        carry=max(carry, line("icmp")[0]),
        product=line("mul")[1],
        ones=wires * most("ctpop", {bits: bits.bit_length() for bits, _ in rows["ctpop"]}),
        memory_out=rows["memory"][0][1],
        ways=2,  # of look-up tables of four inputs
        old_data=False,
        sharing=True,
        parts_shifts=wires > 1,  # calibrate.py wants the longest chains
    )


@functools.cache
def model_called(name: str) -> Model:
    if name == "generic":
        return GENERIC
    stored = json.loads(STORED.read_text(encoding="utf-8"))
    if name == "alone":  # for calibrate.py: without what wires in a core take
        stored["wires"] = 1.0
    return fitted(stored)


def model() -> Model:
    """Returns the model in use."""
    return _model


@contextlib.contextmanager
def using(name: str) -> Iterator[None]:
    """Uses another model for a while."""
    global _model  # noqa: PLW0603 (one design is compiled at a time)
    before, _model = _model, model_called(name)
    try:
        yield
    finally:
        _model = before


FREE = ("zext", "sext", "trunc", "copy", "phi", "bswap", "bitreverse", "call")
SUMS = ("add", "sub", "icmp", "abs")


def levels_of_choice(ways: int) -> int:
    """Returns the levels of multiplexers."""
    return max(1, -(-(max(2, ways) - 1).bit_length() // (_model.ways.bit_length() - 1)))


def widest(op: Op) -> int:
    """Returns the length of the carry chain of a sum or comparison."""
    if op.kind != "icmp":
        return op.bits
    return max(arg.value.bit_length() if isinstance(arg, Const) else arg.bits for arg in op.args)


def choice_delay(array: Array, op: Op) -> float:
    """An element of registers or of a table, chosen by a variable index."""
    if isinstance(op.args[0], Const):
        return 0.0
    inputs = max(0, array.address_bits - 6)
    levels = levels_of_choice(array.depth) if array.kind != "table" else 1 + inputs / 2
    return _model.logic * levels


def access_delay(op: Op, array: Array) -> float:
    """Returns the delay from the registers or the memory of an array to an element."""
    if op.kind == "table" or array.bind == "registers":
        return choice_delay(array, op)
    if array.read_latency:
        return _model.memory_out
    return _model.logic * (1 + array.address_bits / 6)


def delay_of(op: Op) -> float:
    """Returns the delay of the logic of an operation; of a load, from the data on."""
    kind = op.kind
    by_constant = len(op.args) > 1 and isinstance(op.args[1], Const)
    if kind in ("and", "or", "xor"):
        return 0.0 if by_constant else _model.gate
    if kind in FREE or (kind in ("shl", "lshr", "ashr") and by_constant):
        return 0.0
    if kind in ("fshl", "fshr") and isinstance(op.args[2], Const):
        return 0.0
    if kind in ("shl", "lshr", "ashr", "fshl", "fshr"):
        return _model.logic * (op.distance or levels_of_choice(op.width))
    if kind in SUMS:
        start = _model.compare if kind == "icmp" else _model.total
        return start + _model.carry * min(64, widest(op))
    if kind in ("umin", "umax", "smin", "smax", "usub.sat", "uadd.sat"):
        return _model.compare + _model.logic + _model.carry * min(64, widest(op))
    if kind == "mul":
        return _model.product + _model.carry * widest(op)
    if kind == "udiv":  # a product with a constant of as many bits (expressions.py)
        return _model.product + _model.carry * 2 * widest(op)
    if kind in ("ctlz", "cttz"):
        return _model.logic * op.width.bit_length()
    if kind == "ctpop":
        return _model.ones * op.width.bit_length()
    if kind in ("load", "table") and op.array is not None:
        return access_delay(op, op.array)
    if kind == "store":
        return 0.0
    return _model.logic


def input_delay(op: Op) -> float:
    """Returns what the inputs of an operation take before a register or memory has them."""
    array = op.array
    if op.kind not in ("load", "store") or array is None or array.bind == "registers":
        return 0.0
    ports = array.reads if op.kind == "load" else array.writes
    requests = -(-array.requests.get(op.kind, 1) // ports)
    levels = levels_of_choice(requests) if _model.sharing and requests > 1 else 0
    if _model.sharing and op.kind == "load" and array.read_latency and array.address_bits <= 6:
        # Synthesis may take look-up tables of 16 elements each, whose data go into a register.
        levels += 1 + max(0, array.address_bits - 4)
    return _model.memory_in + _model.logic * levels
