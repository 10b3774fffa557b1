# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Functions as the scheduler sees them: blocks of operations on integers and arrays.

An operand is an Op, a Param (a scalar argument) or a Const. Values are in static single assignment
form; widths are in bits. `width` is the width of the type, `bits` the number of bits that are kept
(widths.py), which hold the value modulo 2**bits.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator


@dataclasses.dataclass(frozen=True)
class Const:
    value: int  # not negative
    width: int


@dataclasses.dataclass(eq=False)
class Param:
    name: str
    width: int
    public: bool
    signed: bool = False  # in the C
    bits: int = 0


@dataclasses.dataclass(eq=False)
class Array:
    """An array: an argument, a local one, or a table of constants."""

    name: str
    width: int
    depth: int
    kind: str  # "argument", "local", "table"
    declared: str = ""  # the name in the C, by which directives call it
    contents: tuple[int, ...] = ()
    stride: int = 1  # bytes of an element in memory
    boolean: bool = False  # elements are 0 or 1
    bind: str = "memory"  # "memory" (data in the next cycle), "block", "lutram", "registers"
    reads: int = 1  # ports
    writes: int = 1
    written: bool = True
    used_reads: int = 0  # ports that have accesses
    used_writes: int = 0
    requests: dict[str, int] = dataclasses.field(default_factory=dict)  # by kind: loads, stores

    @property
    def address_bits(self) -> int:
        return max(1, (self.depth - 1).bit_length())

    @property
    def read_latency(self) -> int:
        return 1 if self.bind in ("memory", "block") else 0


@dataclasses.dataclass(eq=False)
class Op:
    """An operation; `kind` is LLVM's name of it, or load, store, table, copy, call, phi."""

    name: str
    kind: str
    width: int
    args: list[Operand]
    line: int = 0
    array: Array | None = None
    predicate: str = ""  # of icmp
    sources: list[str] = dataclasses.field(default_factory=list)  # of phi: names of blocks
    callee: str = ""
    passed: list[Array | None] = dataclasses.field(default_factory=list)  # of call, by argument
    public: list[int] = dataclasses.field(default_factory=list)  # of call: arguments that decide
    bits: int = 0
    block: str = ""
    distance: int = 0  # of a shift that was parted: the bits of its distance
    guarded: bool = False  # of load: what it gives from outside the array is not taken
    # From the schedule: the step in which it begins, and how many later its result is there.
    step: int = 0
    latency: int = 0
    port: int = 0

    @property
    def result_step(self) -> int:
        return self.step + self.latency

    @property
    def is_memory(self) -> bool:
        return self.kind in ("load", "store")


Operand = Op | Param | Const


@dataclasses.dataclass(eq=False)
class Block:
    name: str
    phis: list[Op] = dataclasses.field(default_factory=list)
    ops: list[Op] = dataclasses.field(default_factory=list)
    # How it ends: "jump" to targets[0]; "branch" to targets[0] if condition else targets[1];
    # "return" of condition (or None).
    end: str = "jump"
    condition: Operand | None = None
    targets: list[str] = dataclasses.field(default_factory=list)
    line: int = 0
    loop: str = ""  # the loop whose last block this is
    wanted_interval: int | None = None  # of a pipelined loop; 0: the smallest that is possible
    # From the schedule
    interval: int = 0  # 0: not pipelined
    steps: int = 1
    limits: str = ""  # what keeps the interval from being smaller

    @property
    def is_call(self) -> bool:
        """Whether it is a call, or several at the same time."""
        return bool(self.ops) and all(op.kind == "call" for op in self.ops)

    @property
    def pipelined(self) -> bool:
        return self.wanted_interval is not None

    @property
    def all_ops(self) -> Iterator[Op]:
        yield from self.phis
        yield from self.ops


@dataclasses.dataclass(eq=False)
class Function:
    name: str
    file: str
    line: int
    return_width: int
    arguments: list[Param | Array]
    arrays: dict[str, Array]  # all, by name
    blocks: dict[str, Block]  # in order; the first is the entry
    place: str = ""  # FILE:LINE

    @property
    def entry(self) -> Block:
        return next(iter(self.blocks.values()))

    @property
    def ops(self) -> Iterator[Op]:
        for block in self.blocks.values():
            yield from block.all_ops

    def predecessors(self, name: str) -> list[Block]:
        return [block for block in self.blocks.values() if name in block.targets]

    def loop_blocks(self, latch: Block) -> list[Block]:
        """Returns the blocks of a loop, from what its last block goes back to up to that."""
        names = list(self.blocks)
        last = names.index(latch.name)
        heads = [name for name in latch.targets if names.index(name) <= last]
        if not heads:
            return []
        inside = {heads[0], latch.name}
        work = [latch.name] if latch.name != heads[0] else []
        while work:  # backwards from the latch until the head
            for block in self.predecessors(work.pop()):
                if block.name not in inside:
                    inside.add(block.name)
                    work.append(block.name)
        return [self.blocks[name] for name in names if name in inside]
