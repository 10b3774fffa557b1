# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Puts the steps of programs for the masked engine (masked_engine.py) into slots.

A program is written as if one step ended before the next one began. Steps that keep c, or use what
was kept, are a chain; a chain has the slots of one parity from its first step to its last one, so
two run side by side. Steps without c go where they fit. What is read waits until it is written.
"""

import contextlib
import dataclasses

from hardware.sim.masked_engine import (
    END,
    FIELDS,
    HALT,
    LOOP,
    READ_AFTER,
    EngineError,
    Step,
    encoded,
)

AHEAD = 80  # how many units that wait are looked at
NOTHING = Step()


class Chain:
    """Steps that hand c on: of one parity."""

    def __init__(self):
        self.left, self.parity = 0, None


@dataclasses.dataclass
class Unit:
    """Steps of slots that follow each other."""

    steps: list
    chain: Chain | None = None


@dataclasses.dataclass
class Loop:
    code: "Code"
    count: int
    address: int
    lane: int
    k: int


class Code:
    """A program as it is written."""

    def __init__(self):
        self.parts, self.table = [], []

    def add(self, *steps, chain=None):
        """Adds steps, of slots that follow each other if there are several."""
        if chain:
            chain.left += 1
        self.parts.append(Unit(list(steps), chain))

    def sum_of_products(self, d, factors, **more):
        """Adds d = the sum of products of factors, each a Step's in_a, in_b and what they name."""
        steps = [Step(product=True, accumulate=i > 0, **factor) for i, factor in enumerate(factors)]
        steps[-1] = dataclasses.replace(steps[-1], d=d, **more)
        self.add(*steps)

    @contextlib.contextmanager
    def loop(self, count, address=0, lane=0, k=0):
        """What is added within is run so many times; indexed addresses, lanes and constants count
        on by these numbers."""
        inner = Code()
        inner.table = self.table
        yield inner
        self.parts.append(Loop(inner, count, address, lane, k))

    def constants(self, words):
        """Adds words to the table; returns the number of the first one, for indexed steps."""
        self.table.append(tuple(words))
        return sum(len(one) for one in self.table[:-1])


class Program:
    """A program in slots: `code`, numbers as an engine with fields of these widths reads them, and
    `constants`."""

    def __init__(self, code, widths=FIELDS):
        self.constants = [word for words in code.table for word in words]
        self._numbers: dict[int, int] = {}
        self.fields: list[dict] = []
        self._slot = 1  # the first one
        self._owners: list[Chain | None] = [None, None]
        self._lay(code)
        self.fields.append({"kind": HALT})
        self.code = [encoded(fields, widths) for fields in self.fields]
        self.fields = [{**dict.fromkeys(NOTHING.fields(0), 0), **one} for one in self.fields]

    def _number(self, step):
        if step.k is None or "k" in step.indexed:
            return step.k or 0
        if step.k not in self._numbers:
            self._numbers[step.k] = len(self.constants)
            self.constants.append(step.k)
        return self._numbers[step.k]

    def _put(self, fields):
        self.fields.append(fields)
        self._slot += 1

    def _lay(self, code):
        units = []
        for part in [*code.parts, None]:
            if isinstance(part, Unit):
                units.append(part)
                continue
            if part is None:
                self._schedule(units, 0)
                return
            self._schedule(units, 1)
            units = []
            self._put({"kind": LOOP, "a": part.count})
            first = self._slot
            self._lay_body(part, first)

    def _lay_body(self, loop, first):
        if any(isinstance(part, Loop) for part in loop.code.parts):
            raise EngineError("a loop in a loop")
        self._schedule(loop.code.parts, 1)
        if (self._slot - first) % 2 == 0:  # with the end an even number: parities stay
            self._put(NOTHING.fields(0))
        self._put({"kind": END, "d": loop.address, "lane": loop.lane, "k": loop.k})

    def _schedule(self, units, after):
        """Puts units into slots; `after`: slots behind them without a step."""
        first = self._slot
        slots = layout(units, first, self._owners)
        end = max(slots, default=first - 1) + 1
        written = [s for s, step in slots.items() if step.d is not None]
        end = max(end, max(written, default=-READ_AFTER) + READ_AFTER - after)
        for slot in range(first, end):
            step = slots.get(slot, NOTHING)
            self._put(step.fields(self._number(step)))


def reads(step):
    used = step.in_a + step.in_b + step.add
    found = [("a" in used, step.a, "a"), ("t" in used, step.b, "b")]
    return {(address, name in step.indexed) for is_used, address, name in found if is_used}


class Uses:
    """Which units read and write what, in the order in which they are written down."""

    def __init__(self):
        self.writer, self.readers, self.last = {}, {}, {}

    def waits(self, number, unit):
        """Yields (unit before this one, how many slots this one begins after that at least), and
        takes this one."""
        if unit.chain:
            if id(unit.chain) in self.last:
                yield self.last[id(unit.chain)], 2
            self.last[id(unit.chain)] = number
        for at, step in enumerate(unit.steps):
            for key in reads(step) & self.writer.keys():
                other, place = self.writer[key]
                yield other, place + READ_AFTER - at
        for at, step in enumerate(unit.steps):
            if step.d is None:
                continue
            key = step.d, "d" in step.indexed
            before = self.readers.pop(key, [])
            for other, place in [*before, *([self.writer[key]] if key in self.writer else [])]:
                yield other, place + 1 - at
            self.writer[key] = number, at
        for at, step in enumerate(unit.steps):
            for key in reads(step):
                self.readers.setdefault(key, []).append((number, at))


def dependences(units):
    """Returns for each unit [(unit before it, how many slots it begins after that at least)]."""
    uses = Uses()
    found = [
        [(other, slots) for other, slots in uses.waits(number, unit) if other != number]
        for number, unit in enumerate(units)
    ]
    begin_late(units, found)
    return found


def begin_late(units, waits):
    """Lets a chain begin when all that its steps wait for and that is before it has begun: else two
    chains could wait for a third one that finds no parity."""
    first: dict[int, int] = {}
    for number, unit in enumerate(units):
        if unit.chain:
            begin = first.setdefault(id(unit.chain), number)
            waits[begin] += [(other, -len(units)) for other, _ in waits[number] if other < begin]


def layout(units, first, owners):
    """Returns {slot: step}. owners: of each parity the chain that has it; changed."""
    waits, begins, slots = dependences(units), {}, {}
    left, slot = list(range(len(units))), first
    while left:
        for number in left[:AHEAD]:
            unit = units[number]
            if is_ready(unit, slot, owners, waits[number], begins):
                break
        else:
            slot += 1
            if slot > first + 100 * len(units) + 1000:
                raise EngineError("steps that wait for each other")
            continue
        left.remove(number)
        begins[number] = slot
        if unit.chain:
            unit.chain.left -= 1
            unit.chain.parity = slot & 1
            owners[slot & 1] = unit.chain if unit.chain.left else None
        for step in unit.steps:
            slots[slot] = step
            slot += 1
    return slots


def is_ready(unit, slot, owners, waits, begins):
    if unit.chain:
        owner = owners[slot & 1]
        if unit.chain.parity is None:
            if owner is not None:
                return False
        elif owner is not unit.chain:
            return False
    return all(other in begins and slot >= begins[other] + apart for other, apart in waits)
