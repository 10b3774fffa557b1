#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Cycle formula of the HQC core: each part as a function of the parameters (docs/hardware.md).

usage: hqc_cycles.py [NAME=VALUE]...     parameters of hqc_core: LEVEL=3 PRESET=0 LANES=4

As in cycles.py: cycles of a part are those from its start to its done_o, those of an operation,
too, with streams that never pause. How long x and y are drawn depends on how many candidates are
rejected, which the seed tells; without a seed the figures are those without a rejection.
"""

import hashlib
import sys

from hardware.sim import code_cycles as codes
from hardware.sim import cycles
from hardware.sim import hqc_sampling as sampling

NAMES = ("WORD", "STRIDE", "LANES", "RM_VALUES", "BM_CELLS")
SHARED = ("KECCAK_ROUNDS", "KECCAK_BUFFERED", "OVERLAP")
PRESETS = {
    number: dict(zip(NAMES + SHARED, values, strict=True))
    for number, values in enumerate(
        [
            (64, 64, 2, 2, 1, 1, 0, 0),
            (128, 64, 4, 4, 2, 1, 0, 0),
            (128, 64, 8, 8, 4, 1, 1, 1),
        ]
    )
}


class Schedule:
    """The steps of an operation by the rules of kem_sequencer.sv: a step begins two cycles after
    the one before it, or after the done_o of the last unit that it waits for, if that is later."""

    def __init__(self):
        self.begin, self.done = 0, {}

    def step(self, unit, count, *needs):
        """Begins a unit when it and those that it needs have ended; count may be a function of the
        cycle in which it begins."""
        waits_for = {unit}.union(*[need.split() for need in needs])
        self.begin = 2 + max([self.begin, *[self.done.get(name, 0) for name in waits_for]])
        self.done[unit] = self.begin + (count(self.begin) if callable(count) else count)

    def end(self):
        return 3 + max(self.begin, *self.done.values())


class HqcCycles:
    """The parts of an operation; every method returns cycles."""

    def __init__(self, LEVEL=1, PRESET=2, BUILD=0, **free):
        del BUILD
        if unknown := set(free) - set(NAMES + SHARED):
            raise TypeError(f"no parameters of the core: {', '.join(unknown)}")
        chosen = PRESETS[PRESET] | free
        self.level = LEVEL
        self.n, self.k, code, self.key, self.error = sampling.LEVELS[LEVEL]
        self.symbols = {1: 46, 3: 56, 5: 90}[LEVEL]
        self.delta = (self.symbols - self.k) // 2
        self.word, self.stride, self.lanes = (chosen[n] for n in ("WORD", "STRIDE", "LANES"))
        self.values, self.cells = chosen["RM_VALUES"], chosen["BM_CELLS"]
        self.overlap = bool(chosen["OVERLAP"])
        self.keccak = cycles.Cycles(**{name: chosen[name] for name in SHARED})
        self.words, self.code_words = -(-self.n // self.word), 8 * code // self.word
        self.u32, self.v32 = -(-self.n // 32), code // 4
        # Those that share a port with a step, as in hqc_program.sv.
        readers = "send hash sample rows product"
        self.streams = "send hash" if self.overlap else readers
        self.work = "sample rows product" if self.overlap else readers
        self.writers = "" if self.overlap else "sample"
        self.erasing = self.work if self.overlap else "recv"
        self.hashing = "" if self.overlap else "send encode"
        self.strings = "send encode" + " hash" * (not self.overlap)

    # --- streams, as in cycles.py
    def receive(self, words):
        return words

    def receive_poly(self, words):
        """Of u, s or v, which fill whole words."""
        return -(-words * 32 // self.word) * self.word // 32

    def send(self, words):
        return words + 1

    # --- hash and sampler
    def hash(self, kind):
        return sampling.hash_cycles(self.keccak, self.level, kind)

    def expand(self, late=0):
        return sampling.expand_cycles(self.keccak, self.level, self.word, self.stride, late)

    def erase(self):
        return sampling.erase_cycles(self.level, self.word)

    def fixed(self, draw, apart=1):
        """Of r2, e or r1: draw 0, 1 or 2 of a stream, so many cycles after the one before."""
        return sampling.fixed_cycles(self.keccak, self.level, self.word, draw, apart)

    def reject(self, seed, draws):
        """Returns the cycles of so many draws from the stream of a seed, or without rejections."""
        kept = candidates(seed, self.n, self.key, draws) if seed else [()] * draws
        return [
            sampling.reject_cycles(self.keccak, self.level, *kept[: i + 1]) for i in range(draws)
        ]

    # --- products and codes
    def rows(self):
        rows = self.word // self.stride
        return self.words * rows + rows + 6

    def product(self, weight, words):
        return words * -(-weight // self.lanes) + 11

    def encode(self):
        return codes.rs_encoder(self.k, self.delta, self.cells)

    def decode(self):
        """From the last word that the product gives to the last lane of m'."""
        gap = self.symbols and self.code_words // self.symbols * -(-self.key // self.lanes)
        rings = 1 if gap >= 2 * self.delta else 2
        return codes.rm_decoder(self.values) + codes.rs_decoder(
            self.k, self.delta, self.cells, rings
        )

    # --- operations: the steps of hqc_program.sv
    def hash_slots(self, run, kind, needs):
        run.step("hash", self.hash(kind), needs, self.hashing, self.streams)

    def stream(self, run, needs=""):
        run.step("hash", self.hash("XOF"), needs, self.hashing)

    def expand_step(self, run, needs):
        run.step("expand", lambda begin: self.expand(begin - run.done["hash"] - 1), needs)

    def send_string(self, run, length):
        run.step("send", self.send(length // 4), self.strings)

    def send_product(self, run, words):
        """Sends what the product unit gives; with OVERLAP behind it."""
        left = (words - 1) % (self.word // 32)  # after the first of the last word
        run.step(
            "send",
            lambda begin: max(self.send(words), run.done["product"] + left - begin),
            self.streams,
            "" if self.overlap else "product",
        )

    def draw_errors(self, run, same_slot):
        """Draws r2, e and r1; r1 to the slot to which r2 was drawn, or to another one."""
        run.step("sample", self.fixed(0), self.work, "hash")
        run.step("sample", self.fixed(1), self.work)
        end = run.done["sample"]
        if same_slot:
            run.step("sample", self.erase(), self.erasing)
        run.step("sample", lambda begin: self.fixed(2, begin - end), self.work)

    def keygen(self, seed_kem=None):
        run = Schedule()
        y, x = self.reject(seed_dk(seed_kem), 2)
        run.step("recv", self.receive(8))
        run.step("sample", self.erase(), self.erasing)
        run.step("hash", self.hash("SEEDS"), "recv", self.hashing)
        run.step("hash", self.hash("I"), self.hashing)
        run.step("sample", self.erase(), self.erasing)
        self.stream(run)
        run.step("sample", y, self.work, "hash")
        run.step("sample", x, self.work)
        self.stream(run, "sample")
        self.expand_step(run, "hash")
        self.send_string(run, 32)
        run.step("product", self.product(self.key, self.words), self.work, "expand sample")
        self.send_product(run, self.u32)
        for length in (32, self.k, 32):
            self.send_string(run, length)
        return run.end()

    def encaps(self):
        run = Schedule()
        run.step("recv", self.receive(8))
        self.stream(run, "recv")
        run.step("recv", self.receive_poly(self.u32), self.writers)
        self.expand_step(run, "hash")
        run.step("recv", self.receive(self.k // 4))
        run.step("recv", self.receive(4))
        self.hash_slots(run, "H", "recv expand")
        for _ in range(3):
            run.step("sample", self.erase(), self.erasing)
        run.step("hash", self.hash("G"), self.hashing)
        self.stream(run)
        run.step("encode", self.encode(), self.strings)
        self.draw_errors(run, same_slot=False)
        run.step("product", self.product(self.error, self.words), self.work)
        self.send_product(run, self.u32)
        run.step("rows", self.rows(), self.work)
        run.step("product", self.product(self.error, self.code_words), self.work, "rows encode")
        self.send_product(run, self.v32)
        self.send_string(run, 16)
        self.send_string(run, 32)
        return run.end()

    def decaps(self, seed_dk=None):
        run = Schedule()
        (y,) = self.reject(seed_dk, 1)
        receive_u = ("recv", self.receive_poly(self.u32), self.writers)
        draw_y = ("sample", y, self.work, "hash")
        run.step("recv", self.receive(8))
        run.step("sample", self.erase(), self.erasing)
        self.stream(run, "recv")
        for step in (receive_u, draw_y) if self.overlap else (draw_y, receive_u):
            run.step(*step)
        run.step("rows", self.rows(), self.work, "recv")
        run.step("recv", self.receive_poly(self.v32), self.writers)
        run.step("decode", 0)
        run.step("product", self.product(self.key, self.code_words), self.work, "recv rows")
        run.done["decode"] = run.done["product"] - 2 + self.decode()
        run.step("recv", self.receive(4))
        run.step("recv", self.receive(8))
        run.step("recv", self.receive_poly(self.u32), self.writers)
        run.step("recv", self.receive(self.k // 4))
        self.hash_slots(run, "H", "recv")
        self.stream(run)
        self.expand_step(run, "hash product")
        run.step("sample", self.erase(), self.erasing)
        run.step("sample", self.erase(), self.erasing)
        run.step("hash", self.hash("G"), "decode expand", self.hashing)
        self.stream(run)
        run.step("encode", self.encode(), self.strings)
        self.draw_errors(run, same_slot=True)
        self.hash_slots(run, "J", "sample")
        run.step("product", self.product(self.error, self.words), self.work)
        run.step("rows", self.rows(), self.work)
        run.step("product", self.product(self.error, self.code_words), self.work, "rows encode")
        run.step("send", self.send(8), self.strings, "product hash")
        return run.end()


def seed_dk(seed_kem):
    """Returns the seed of x and y that a key's seed gives [HQC, S10, S11]."""
    if seed_kem is None:
        return None
    seed_pke = hashlib.shake_256(seed_kem + b"\1").digest(32)
    return hashlib.sha3_512(seed_pke + b"\2").digest()[:32]


def candidates(seed, n, weight, draws):
    """Returns of each draw's candidates whether they are accepted [HQC, S5.2]."""
    stream, found = hashlib.shake_256(seed + b"\1").digest(12 * weight * draws), []
    numbers = (int.from_bytes(stream[i : i + 3], "little") for i in range(0, len(stream), 3))
    for _ in range(draws):
        drawn, kept = set(), []
        while len(drawn) < weight:
            number = next(numbers)
            kept.append(number < (1 << 24) // n * n and number % n not in drawn)
            if kept[-1]:
                drawn.add(number % n)
        found.append(kept)
    return found


def main(arguments):
    try:
        parameters = {name: int(value) for name, value in (a.split("=", 1) for a in arguments)}
        formula = HqcCycles(**parameters)
    except (ValueError, TypeError, KeyError):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    for name in ("keygen", "encaps", "decaps"):
        print(f"{name} {getattr(formula, name)()}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
