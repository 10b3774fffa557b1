#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Cycle formula of the core: each part as a function of the parameters (docs/hardware.md).

usage: cycles.py [NAME=VALUE]...     parameters of bike_core: LEVEL=3 PRESET=0 LANES=4

Cycles of a part are those from its start to its done_o: if both were in one cycle, 0. Those of an
operation, too, with streams that never pause. The tests compare both with simulation.
"""

import sys

from parameters.table import TABLE

NAMES = (
    *("WORD", "STRIDE", "LANES", "INV_WORD", "INV_STEPS", "INV_STAGE", "INV_RATE"),
    *("KECCAK_ROUNDS", "KECCAK_BUFFERED", "OVERLAP"),
)
PRESETS = {
    number: dict(zip(NAMES, values, strict=True))
    for number, values in enumerate(
        [
            (64, 64, 2, 64, 32, 4, 2, 1, 0, 0),
            (128, 64, 4, 128, 32, 4, 2, 1, 0, 0),
            (128, 64, 8, 384, 16, 4, 2, 1, 0, 0),
            (256, 64, 8, 512, 32, 4, 2, 1, 1, 1),
            (256, 64, 12, 1024, 32, 4, 4, 1, 1, 1),
        ]
    )
}
LEVELS = {one.level: (one.r, one.d, one.t) for one in TABLE.levels["bike"]}


class Cycles:
    """The parts of an operation; every method returns cycles."""

    def __init__(self, LEVEL=1, PRESET=2, BUILD=0, **free):
        del BUILD
        if unknown := set(free) - set(NAMES):
            raise TypeError(f"no parameters of the core: {', '.join(unknown)}")
        self.r, self.d, self.t = LEVELS[LEVEL]
        chosen = PRESETS[PRESET] | free
        self.word, self.stride, self.lanes = (chosen[n] for n in ("WORD", "STRIDE", "LANES"))
        self.inv_word, self.steps = chosen["INV_WORD"], chosen["INV_STEPS"]
        self.stage, self.rate = chosen["INV_STAGE"], chosen["INV_RATE"]
        self.rounds = chosen["KECCAK_ROUNDS"]
        self.buffered, self.overlap = bool(chosen["KECCAK_BUFFERED"]), bool(chosen["OVERLAP"])
        self.words = -(-self.r // self.word)
        self.inv_depth = (2 * self.r - 1 + self.steps) // self.inv_word + 1
        self.rows = self.word // self.stride
        self.bytes = -(-self.r // 8)

    # --- streams: a cycle a word, one for the first address when sending
    def receive(self, words):
        return words

    def receive_poly(self):
        """Of a polynomial, which fills whole words."""
        return self.words * self.word // 32

    def send(self, words):
        return words + 1

    def poly32(self):
        return -(-self.bytes // 4)

    # --- hash: 25 moves of the lanes and the permutation for each block; with a buffer, which takes
    # 17 moves and one cycle while the permutation runs, the longer of the two
    def permutation(self):
        return 24 // self.rounds + 1

    def block(self):
        return max(18, self.permutation()) if self.buffered else 25 + self.permutation()

    def sponge(self, blocks):
        """From the first lane of a message to the first that is given."""
        last = 18 + self.permutation() + 1 if self.buffered else self.block()
        return (blocks - 1) * self.block() + last

    def hash(self, kind):
        lanes = -(-self.bytes // 8)
        surplus = self.bytes % 8
        first = 3  # from the start to the first lane
        if kind == "seed":
            return first + self.sponge(1)
        # L: two polynomials, K: m, c0, c1; the lane that only fills the gap is not absorbed
        absorbed = (self.bytes + (self.bytes if kind == "L" else 64)) // 8 + 1
        assert surplus and lanes
        silent = 0 if self.buffered and self.permutation() > 18 else 1
        return first + silent + self.sponge(-(-absorbed // 13)) + 4

    # --- sampler: a word a cycle to erase; 4 cycles a position, and the next block of the sponge
    # after each 34 words
    def erase(self, halves):
        return halves * self.words

    def turn(self):
        """The cycles after a block of words in which there is none."""
        return 2 if self.buffered else 25 - 17 + self.permutation()

    def sample(self, count, drawn_before):
        refills = (drawn_before + count) // 34 - drawn_before // 34
        last = (drawn_before + count) % 34 == 0  # that refill is not waited for
        return 4 * count + 8 + (refills - last) * max(0, self.turn() - 3)

    # --- positions: a cycle a slot
    def positions(self, kind):
        slots = self.groups(kind) * (self.lanes // 2 if kind == "update" else self.lanes)
        return slots + 4

    def groups(self, kind):
        if kind == "update":
            return -(-(self.d + 1) // (self.lanes // 2))
        return -(-{"key": self.d, "err": self.t}[kind] // self.lanes)

    def load_rows(self):
        return 2 + self.words * self.rows + self.rows + 3

    def gather(self, kind):
        per_word = {
            "key": self.groups("key"),
            "err": self.groups("err"),
            "update": self.groups("update"),
            "count": 2 * self.groups("key"),
        }[kind]
        return self.words * per_word + 11 + 2 * self.rows

    def compare(self):
        return 4 * self.words + 3

    # --- inverter: load h0, sweeps, copy the result
    def inverter_load(self):
        return 1 + self.inv_depth * self.inv_word // self.word

    def inverter_copy(self):
        return self.words + 2

    def visits(self, sweep):
        """Returns the inverter's words that a sweep visits, in their order."""
        top = self.inv_depth - 1
        v_top = (self.r + self.steps - 1) // self.inv_word
        base = sweep * self.steps // self.inv_word
        end = min(base + self.r // self.inv_word + 1, top)
        if base <= v_top + 1:
            return [*range(end + 1)]
        return [*range(base, end + 1), *range(v_top + 1)]

    def decided(self):
        """Returns the cycles from the coefficients that decide to the begin of their sweep."""
        wait = [
            -(-self.stage * (i + 1) // self.rate) - i - 2 for i in range(self.steps // self.stage)
        ]
        return 2 + max(0, *wait)

    def sweeps(self):
        """Returns the cycles from the start of the inverter to the end of its sweeps."""
        sweeps = -(-(2 * self.r - 1) // self.steps)
        through = self.steps // self.stage + 2  # from a word's visit to its writing
        first = 1 + self.inv_word // self.word  # h0's lowest coefficients are there
        total = max(self.inverter_load() + 2, first + self.decided())
        for sweep in range(sweeps - 1):
            order = self.visits(sweep)
            decides = order.index((sweep + 1) * self.steps // self.inv_word)
            total += max(len(order), decides + through + self.decided())
        return total + len(self.visits(sweeps - 1)) + through

    def invert(self):
        """Returns the cycles of the inverter if it is asked to finish before its sweeps end."""
        return self.sweeps() + self.inverter_copy()

    # --- operations: the steps of bike_program.sv as (unit, cycles, units that it needs); "reads"
    # stands for those that share a read port with it, unless OVERLAP gives each its own
    def keygen(self):
        string, list_, poly = self.receive(8), self.send(self.d), self.send(self.poly32())
        return self.total(
            ("recv", string, ""),
            ("sample", self.erase(2), ""),
            ("hash", self.hash("seed"), "recv"),
            ("recv", string, ""),
            ("sample", self.sample(self.d, 0), "reads hash"),
            ("invert", self.inverter_load(), "reads sample"),
            ("sample", self.sample(self.d, self.d), "reads"),
            ("pos", self.positions("key"), "sample"),
            ("send", list_, "recv pos"),
            ("send", list_, ""),
            ("send", poly, "reads"),
            ("send", poly, "reads"),
            ("invert", self.inverter_copy(), "", self.sweeps()),
            ("rows", self.load_rows(), "reads invert send"),
            ("gather", self.gather("key"), "reads rows"),
            ("send", poly, "reads gather"),
            ("send", self.send(8), "reads"),
        )

    def encaps(self):
        return self.total(
            ("recv", self.receive_poly(), ""),
            ("recv", self.receive(8), ""),
            ("rows", self.load_rows(), "reads"),
            ("sample", self.erase(2), ""),
            ("hash", self.hash("seed"), "recv"),
            ("recv", self.receive(8), ""),
            ("sample", self.sample(self.t, 0), "reads hash"),
            ("hash", self.hash("L"), "reads sample"),
            ("pos", self.positions("err"), ""),
            ("gather", self.gather("err"), "reads rows pos"),
            ("send", self.send(self.poly32()), "reads gather recv"),
            ("hash", self.hash("K"), "reads"),
            ("send", self.send(8), "reads"),
            ("send", self.send(8), "reads hash"),
        )

    def decaps(self):
        key, update = self.positions("key"), self.positions("update")
        flips = ("gather", self.gather("count"), "reads")
        syndrome = ("gather", self.gather("update"), "reads")
        return self.total(
            ("recv", self.receive_poly(), ""),
            ("recv", self.receive(8), ""),
            ("rows", self.load_rows(), "reads"),
            *[("recv", self.receive(self.d), "")] * 2,
            ("pos", key, ""),
            ("recv", self.receive(3 * self.poly32()), ""),
            ("gather", self.gather("key"), "reads rows pos"),
            *[("pos", key, "")] * 2,
            ("gather", self.gather("count"), "reads pos"),
            *[("pos", update, "")] * 2,
            ("gather", self.gather("update"), "reads pos"),
            *[flips, syndrome] * 5,
            ("sample", self.erase(2), ""),
            flips,
            ("recv", self.receive(8), ""),
            ("hash", self.hash("L"), "reads gather recv"),
            ("hash", self.hash("seed"), ""),
            ("sample", self.sample(self.t, 0), "reads hash"),
            ("compare", self.compare(), "reads sample"),
            ("hash", self.hash("K"), "reads compare"),
            ("send", self.send(8), "reads hash"),
        )

    def total(self, *steps):
        """Returns the cycles of an operation, by the rules of kem_sequencer.sv.

        A step begins two cycles after the one before it, or after the done_o of the last unit that
        it waits for, if that is later. A fourth entry of a step is the time that its unit has been
        going on by itself, since its step before, when this one can take effect.
        """
        readers = "" if self.overlap else "send hash sample rows gather invert compare"
        begin, begins, done = 0, {}, {}  # of the operation, and of each unit
        for unit, cycles, needs, *goes_on in steps:
            waits_for = {unit, *needs.replace("reads", readers).split()}
            begin = 2 + max([begin, *[done.get(name, 0) for name in waits_for]])
            done[unit] = max([begin, *[begins[unit] + more for more in goes_on]]) + cycles
            begins[unit] = begin
        return 3 + max([begin, *done.values()])


def main(arguments):
    try:
        parameters = {name: int(value) for name, value in (a.split("=", 1) for a in arguments)}
        cycles = Cycles(**parameters)
    except (ValueError, TypeError, KeyError):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    for name in ("keygen", "encaps", "decaps"):
        print(f"{name} {getattr(cycles, name)()}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
