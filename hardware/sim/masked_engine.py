# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Instructions of the masked engine (hardware/rtl/masked/masked_engine.sv), and a model of it.

A word has two shares of WORD bits, its lanes; a public one is in share 0. A step reads a, b and a
constant k, and turns b to t (Turn). c is what the step two slots before kept, so slots of the same
parity are a thread with a c of its own. Then, with sums of a, c, k and t as the step says,

    z = A & B, with A a sum of a, c and k, and B a sum of a, c and t; 0 without `product`
    L = a sum of a, c, k and t
    what is written to d: L + z, or L alone; what is kept as c: z + L, or z + c

With `accumulate` z is added to that of the last product; no other step is in between. A product
takes a random word. What is written can be read by the fourth slot after it.
"""

import dataclasses
import functools
import typing
from operator import xor

WORD = 128
READ_AFTER = 4  # slots
STEP, LOOP, END, HALT = range(4)
KINDS = ("swap", "next", "all", "halves", "crossed")
INPUTS = {"in_a": "akc", "in_b": "atc", "add": "atck"}
INDEXED = "abdlk"


class EngineError(Exception):
    """A program does what the engine cannot do."""


def layout(address=10, constant=11):
    """Returns an instruction's fields and their widths, from its lowest bit: with addresses and
    numbers of constants of so many bits."""
    return (
        *(("a", address), ("b", address), ("d", address), ("k", constant), ("lane", 7)),
        *(("turn", 3), ("index", 5), ("in_a", 3), ("in_b", 3), ("add", 4), ("product", 1)),
        *(("accumulate", 1), ("write", 1), ("write_z", 1), ("keep", 1), ("carry", 1), ("kind", 2)),
    )


def width_of(fields):
    return sum(width for _, width in fields)


FIELDS = layout()


class Turn(typing.NamedTuple):
    """What becomes of b. swap: lane i gets lane i ^ lane; next: lane i + 1, in each half; all: the
    lane in all lanes; halves: the one of each half in it; crossed: the one of the other half."""

    kind: str = "swap"
    lane: int = 0


STAY = Turn()


@dataclasses.dataclass(frozen=True)
class Step:
    """An instruction on data.

    a, b, d: addresses, or None; k: a constant word, or a number in the program's table if
    `indexed` has k; in_a, in_b, add: what A, B and L are sums of; keep: "", "sum" (z + L) or
    "carry" (z + c); indexed: of a, b, d, l (lane) and k, which count on in a loop.
    """

    a: int | None = None
    b: int | None = None
    d: int | None = None
    k: int | None = None
    turn: Turn = STAY
    in_a: str = ""
    in_b: str = ""
    add: str = ""
    product: bool = False
    accumulate: bool = False
    write_z: bool = True
    keep: str = ""
    indexed: str = ""

    def fields(self, number):
        """Returns the fields of the instruction; number: of its constant."""
        inputs = {
            name: sum(1 << i for i, one in enumerate(order) if one in getattr(self, name))
            for name, order in INPUTS.items()
        }
        return {
            "kind": STEP,
            **{name: getattr(self, name) or 0 for name in "abd"},
            "k": number,
            "lane": self.turn.lane,
            "turn": KINDS.index(self.turn.kind),
            "index": sum(1 << i for i, one in enumerate(INDEXED) if one in self.indexed),
            **inputs,
            "product": int(self.product),
            "accumulate": int(self.accumulate),
            "write": int(self.d is not None),
            "write_z": int(self.write_z),
            "keep": int(self.keep != ""),
            "carry": int(self.keep == "carry"),
        }


def encoded(fields, widths=FIELDS):
    """Returns an instruction as a number; raises EngineError if a field is too wide."""
    value = at = 0
    for name, width in widths:
        field = fields.get(name, 0)
        if not 0 <= field < 1 << width:
            raise EngineError(f"{name} = {field} in {fields}")
        value |= field << at
        at += width
    return value


def decoded(value):
    """Returns the fields of an instruction."""
    fields = {}
    for name, width in FIELDS:
        fields[name] = value & ((1 << width) - 1)
        value >>= width
    return fields


def names_in(fields, name):
    """Returns the inputs of one of an instruction's sums."""
    return [one for i, one in enumerate(INPUTS[name]) if fields[name] >> i & 1]


class Lanes:
    """Words of so many copies of an engine side by side, in one number: for many runs at once."""

    def __init__(self, word=WORD, copies=1):
        self.word, self.copies, self.half = word, copies, word // 2
        self.ones = (1 << word * copies) - 1
        self.first = self.ones // ((1 << word) - 1)  # lane 0
        self.of_halves = self.first | self.first << self.half
        # Lanes of which bit m of the number is 0.
        self.low = [self.ones // ((1 << (1 << m)) + 1) for m in range(word.bit_length() - 1)]

    def everywhere(self, constant):
        return constant * self.first

    def turned(self, x, kind, lane):
        if kind == "swap":
            for m, low in enumerate(self.low):
                if lane >> m & 1:
                    x = (x & low) << (1 << m) | x >> (1 << m) & low
            return x
        if kind == "next":
            last = self.of_halves << (self.half - 1)
            return x >> 1 & ~last | (x & self.of_halves) << (self.half - 1)
        if kind == "all":
            one = x >> lane & self.first
            return (one << self.word) - one
        one = x >> lane % self.half & self.of_halves
        x = (one << self.half) - one
        return x if kind == "halves" else self.turned(x, "swap", self.half)


class Engine:
    """The model: run(program) goes on with the memory as it is.

    memory: {address: [share 0, share 1]}; random(): a fresh word; watch(step, A, B, accumulated)
    sees the factors of each product in shares. slots and words count cycles and random words.
    """

    def __init__(self, random, lanes=None, watch=None):
        self.random, self.lanes, self.watch = random, lanes or Lanes(), watch
        self.memory: dict[int, list[int]] = {}
        self.slots = self.words = 0
        self._kept = [[0, 0], [0, 0]]  # of each parity
        self._inner, self._cross = [0, 0], [[0, 0], [0, 0]]
        self._written: dict[int, int] = {}

    def store(self, address, value, mask):
        """Writes a word in two shares."""
        self.memory[address] = [value ^ mask, mask]

    def load(self, address):
        one, other = self.memory[address]
        return one ^ other

    def run(self, program):
        """Runs a program to its end; returns the slots that it takes."""
        begun, pc, start, left = self.slots, 0, 0, 0
        index = {"address": 0, "lane": 0, "k": 0}
        while True:
            fields = program.fields[pc]
            pc += 1
            self.slots += 1
            kind = fields["kind"]
            if kind == HALT:
                return self.slots - begun
            if kind == LOOP:
                index = dict.fromkeys(index, 0)
                start, left = pc, fields["a"]
            elif kind == END:
                for name, field in (("address", "d"), ("lane", "lane"), ("k", "k")):
                    index[name] += fields[field]
                left -= 1
                if left:
                    pc = start
            else:
                self._step(fields, program.constants, index)

    def _read(self, fields, name, index):
        address = fields[name] + index["address"] * (fields["index"] >> "abd".index(name) & 1)
        if self.slots - self._written.get(address, -READ_AFTER) < READ_AFTER:
            raise EngineError(f"{address} is read before it is written, in slot {self.slots}")
        if address not in self.memory:
            raise EngineError(f"{address} is read and was never written, in slot {self.slots}")
        return self.memory[address]

    def _inputs(self, fields, constants, index):
        """Returns the inputs that a step has, by their names, in shares."""
        lanes, inputs = self.lanes, {"c": self._kept[self.slots & 1]}
        named = {one for name in INPUTS for one in names_in(fields, name)}
        if "a" in named:
            inputs["a"] = self._read(fields, "a", index)
        if "t" in named:
            lane = fields["lane"] + index["lane"] * (fields["index"] >> 3 & 1)
            kind = KINDS[fields["turn"]]
            both = self._read(fields, "b", index)
            inputs["t"] = [lanes.turned(x, kind, lane % lanes.word) for x in both]
        if "k" in named:
            number = fields["k"] + index["k"] * (fields["index"] >> 4 & 1)
            inputs["k"] = [lanes.everywhere(constants[number]), 0]
        return inputs

    def _multiply(self, fields, a, b):
        """Adds a product to the sum."""
        fresh = self.random()
        self.words += 1
        cross = self._cross[self.slots & 1]
        for share in (0, 1):
            self._inner[share] ^= a[share] & b[share]
            cross[share] ^= a[share] & b[1 - share] ^ fresh
        if self.watch:
            self.watch(self.slots, a, b, fields["accumulate"])

    def _step(self, fields, constants, index):
        inputs = self._inputs(fields, constants, index)
        in_a, in_b, linear = (
            [
                functools.reduce(xor, (inputs[one][s] for one in names_in(fields, name)), 0)
                for s in (0, 1)
            ]
            for name in INPUTS
        )
        if not (fields["product"] or fields["write"] or fields["keep"]):
            return
        if not fields["accumulate"]:
            self._inner, self._cross = [0, 0], [[0, 0], [0, 0]]
        if fields["product"]:
            self._multiply(fields, in_a, in_b)
        z = [self._inner[s] ^ self._cross[0][s] ^ self._cross[1][s] for s in (0, 1)]
        if fields["write"]:
            address = fields["d"] + index["address"] * (fields["index"] >> 2 & 1)
            self.memory[address] = [linear[s] ^ z[s] * fields["write_z"] for s in (0, 1)]
            self._written[address] = self.slots
        if fields["keep"]:
            other = inputs["c"] if fields["carry"] else linear
            self._kept[self.slots & 1] = [z[s] ^ other[s] for s in (0, 1)]
