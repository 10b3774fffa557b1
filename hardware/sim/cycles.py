#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Cycle formula of the core: each part as a function of the parameters (docs/hardware.md).

usage: cycles.py [NAME=VALUE]...     parameters of bike_core: LEVEL=3 PRESET=0 LANES=4

Cycles of a part are those from its start to its done_o: if both were in one cycle, 0. Those of an
operation, too, with streams that never pause. The tests compare both with simulation.
"""

import sys

PRESETS = {
    0: {"WORD": 64, "STRIDE": 64, "LANES": 2, "INV_WORD": 64, "INV_STEPS": 32},
    1: {"WORD": 128, "STRIDE": 64, "LANES": 4, "INV_WORD": 128, "INV_STEPS": 32},
    2: {"WORD": 128, "STRIDE": 64, "LANES": 8, "INV_WORD": 384, "INV_STEPS": 16},
}
LEVELS = {1: (12323, 71, 134), 3: (24659, 103, 199), 5: (40973, 137, 264)}


class Cycles:
    """The parts of an operation; every method returns cycles."""

    def __init__(
        self, LEVEL=1, PRESET=2, INV_STAGE=4, INV_RATE=2, KECCAK_ROUNDS=1, BUILD=0, **free
    ):
        del BUILD
        self.r, self.d, self.t = LEVELS[LEVEL]
        chosen = PRESETS[PRESET] | free
        self.word, self.stride, self.lanes = (chosen[n] for n in ("WORD", "STRIDE", "LANES"))
        self.inv_word, self.steps = chosen["INV_WORD"], chosen["INV_STEPS"]
        self.stage, self.rate, self.rounds = INV_STAGE, INV_RATE, KECCAK_ROUNDS
        self.words = -(-self.r // self.word)
        self.rows = self.word // self.stride
        self.bytes = -(-self.r // 8)

    # --- streams: a cycle a word, one for the first address when sending
    def receive(self, words):
        return words

    def send(self, words):
        return words + 1

    def poly32(self):
        return -(-self.bytes // 4)

    # --- hash: 25 rotations and the permutation for each block
    def permutation(self):
        return 24 // self.rounds + 1

    def hash(self, kind):
        lanes = -(-self.bytes // 8)
        surplus = self.bytes % 8
        if kind == "seed":
            return 1 + 25 + self.permutation()
        if kind == "L":  # two polynomials; the lane that only fills the gap is not emitted
            emitted, silent = (2 * self.bytes) // 8 + 1, 1
        else:  # K: m, c0, c1
            emitted, silent = (64 + self.bytes) // 8 + 1, 1
        assert surplus and lanes
        blocks = -(-emitted // 13)
        return 1 + silent + blocks * (25 + self.permutation()) + 4

    # --- sampler: clear, 8 cycles a position, refill after each 34 words
    def sample(self, count, drawn_before, halves):
        refills = (drawn_before + count) // 34 - drawn_before // 34
        last = (drawn_before + count) % 34 == 0  # that refill is not waited for
        gap = 8 - 1  # a refill runs while the sampler places
        wait = 8 + self.permutation() - gap
        return halves * self.words + 8 * count + (refills - last) * max(0, wait)

    # --- positions: a cycle a slot
    def positions(self, kind):
        slots = self.groups(kind) * (self.lanes // 2 if kind == "update" else self.lanes)
        return slots + 2

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
        return 4 * self.words + 1

    # --- inverter
    def invert(self):
        r, b, s = self.r, self.inv_word, self.steps
        sweeps = -(-(2 * r - 1) // s)
        top = (2 * r - 1 + s) // b
        v_top = (r + s - 1) // b
        reach = r // b + 1
        stages = s // self.stage
        decide = stages + s // self.rate + 2  # from the read of a word to the decisions from it
        total = (top + 1) * (b // self.word)  # load h0
        first_ready = b // self.word + 1 + s // self.rate
        total = max(total, first_ready) + 1
        for sweep in range(sweeps):
            base = sweep * s // b
            end = min(base + reach, top)
            order = (
                list(range(end + 1))
                if base <= v_top + 1
                else [*range(v_top + 1), *range(base, end + 1)]
            )
            cycles = len(order)
            if sweep < sweeps - 1:
                known = order.index((sweep + 1) * s // b) + decide
                cycles = max(cycles, known + 1)
            total += cycles
        return total + stages + 4 + self.words

    # --- operations: 1 more for each step, from the end of one to the start of the next, and 2 for
    # the begin and the end of the whole
    def keygen(self):
        parts = [
            self.receive(8),
            self.receive(8),
            self.hash("seed"),
            self.sample(self.d, 0, 1),
            self.sample(self.d, self.d, 1),
            self.invert(),
            self.load_rows(),
            self.positions("key"),
            self.gather("key"),
            self.send(self.d),
            self.send(self.d),
            *[self.send(self.poly32())] * 3,
            self.send(8),
        ]
        return self.total(parts)

    def encaps(self):
        parts = [
            self.receive(self.poly32()),
            self.receive(8),
            self.receive(8),
            self.hash("seed"),
            self.sample(self.t, 0, 2),
            self.load_rows(),
            self.positions("err"),
            self.gather("err"),
            self.hash("L"),
            self.hash("K"),
            self.send(self.poly32()),
            self.send(8),
            self.send(8),
        ]
        return self.total(parts)

    def decaps(self):
        parts = [
            *[self.receive(self.poly32())] * 4,
            self.receive(8),
            *[self.receive(self.d)] * 2,
            self.receive(8),
            self.load_rows(),
            self.positions("key"),
            self.gather("key"),
            *[self.positions("key")] * 2,
            *[self.positions("update")] * 2,
            *[self.gather("count")] * 7,
            *[self.gather("update")] * 6,
            self.hash("L"),
            self.hash("seed"),
            self.sample(self.t, 0, 2),
            self.compare(),
            self.hash("K"),
            self.send(8),
        ]
        return self.total(parts)

    @staticmethod
    def total(parts):
        return sum(parts) + 1 * len(parts) + 2


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
