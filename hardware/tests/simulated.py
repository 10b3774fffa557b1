# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The simulated core: packets to and from the fields of keys and ciphertexts, cycle formula."""

import itertools
import pathlib
import random
import subprocess
from itertools import chain

from hardware.sim import (  # noqa: F401 (for those that import this)
    build,
    code_cycles,
    coverage,
    cycles,
    hqc_cycles,
    joint_cycles,
)
from hardware.sim import masked_positions as positions
from hardware.sim.masked_level import LEVELS
from hardware.tests.benches.hqc_models import sample_reject, xof
from parameters.table import TABLE
from tests.c_library import FFI, declare

HARDWARE = pathlib.Path(__file__).resolve().parent.parent


def driver_library(path):
    """Opens a library with the driver and a simulated core or bus."""
    declare("sim/simulated_bus.hpp", "sim/simulated_device.hpp", folders=["hardware"])
    return FFI.dlopen(str(path))


KEYGEN, ENCAPS, DECAPS, WIPE = 1, 2, 3, 4
ERROR_NONE, ERROR_OP, ERROR_SHORT, ERROR_LONG, ERROR_KEY, ERROR_BUSY = range(6)
ERROR_ABORT, ERROR_UPSET = 6, 7
# What becomes of an operation in which a bit flips (sim/simulated_core.hpp).
FATES = ("same", "accepted", "other", "upset", "failed", "hung", "lost")


class Fields:
    """Packets as fields, each of which begins at a word of 32 bits."""

    @staticmethod
    def words(data, lengths):
        """Returns the packet of bytes whose fields have these lengths."""
        packet, start = [], 0
        for length in lengths:
            field = data[start : start + length]
            field += bytes(-length % 4)
            packet += [int.from_bytes(field[i : i + 4], "little") for i in range(0, len(field), 4)]
            start += length
        assert start == len(data)
        return packet

    @staticmethod
    def unpack(packet, lengths):
        """Returns the bytes of a packet; the bytes that fill up a field must be zero."""
        out, at = b"", 0
        for length in lengths:
            count = (length + 3) // 4
            field = b"".join(word.to_bytes(4, "little") for word in packet[at : at + count])
            assert len(field) == 4 * count and not any(field[length:])
            out += field[:length]
            at += count
        assert at == len(packet)
        return out


class Packets(Fields):
    """The packets of a level of BIKE."""

    def __init__(self, level):
        of_level = TABLE.of("bike")[level]
        self.r_bits, self.weight = of_level.r, of_level.d
        self.bytes = (self.r_bits + 7) // 8
        self.public_key = [self.bytes]
        self.secret_key = [4 * self.weight] * 2 + [self.bytes] * 3 + [32]
        self.ciphertext = [self.bytes, 32]

    def decaps_packet(self, ciphertext, secret_key):
        return self.words(ciphertext, self.ciphertext) + self.words(secret_key, self.secret_key)

    def encaps_packet(self, public_key, randomness):
        return self.words(public_key, [self.bytes]) + self.words(randomness, [64])

    def keypair_packet(self, seed):
        return self.words(seed, [64])


class HqcPackets(Fields):
    """The packets of a level of HQC. A secret key goes in as what decapsulation uses of it: seed_dk
    first, so that y is drawn while the rest comes."""

    def __init__(self, level):
        of_level = TABLE.of("hqc")[level]
        self.n_bits, self.message = of_level.n, of_level.k
        self.bytes = (self.n_bits + 7) // 8
        self.public_key = [32, self.bytes]
        self.secret_key = [*self.public_key, 32, self.message, 32]
        self.ciphertext = [self.bytes, of_level.code_bits // 8, 16]

    def decaps_packet(self, ciphertext, secret_key):
        seed_dk = sum(self.public_key)
        sigma = seed_dk + 32
        return (
            self.words(secret_key[seed_dk:sigma], [32])
            + self.words(ciphertext, self.ciphertext)
            + self.words(secret_key[:seed_dk], self.public_key)
            + self.words(secret_key[sigma : sigma + self.message], [self.message])
        )

    def encaps_packet(self, public_key, randomness):
        return self.words(public_key, self.public_key) + self.words(randomness, [self.message, 16])

    def keypair_packet(self, seed):
        return self.words(seed, [32])


class MaskedPackets(HqcPackets):
    """The packets of the masked core (sim/masked_schedule.py) in masks from a seed, 32 bits a word,
    share 0 of a lane first. A secret key goes in as y and sigma."""

    def __init__(self, seed):
        super().__init__(1)
        self.source = random.Random(seed)

    def decaps_packet(self, ciphertext, secret_key):
        ends = itertools.accumulate([*self.public_key, 32, self.message])
        seed_ek, s, seed_dk, sigma = cut(secret_key, ends)
        u, v, salt = cut(ciphertext, itertools.accumulate(self.ciphertext))
        level = LEVELS[1]
        drawn, _ = sample_reject(xof(seed_dk, 1 << 12), level.weight, level.n)
        y = positions.words_of(level, drawn)
        accepted = ((1 << level.weight) - 1).to_bytes(16, "little")
        public = (self.lanes(field, False) for field in (u, v, salt, seed_ek, s))
        return [*self.lanes(accepted, False), *self.lanes(y + sigma, True), *chain(*public)]

    def lanes(self, data, is_shared):
        """Yields the words of bytes, which fill lanes up with zeros."""
        for i in range(0, len(data), 8):
            lane = int.from_bytes(data[i : i + 8], "little")
            mask = self.source.getrandbits(64) if is_shared else 0
            for share in (lane ^ mask, mask):
                yield from (share & 0xFFFFFFFF, share >> 32)


def cut(data, ends):
    """Returns the parts of bytes up to each of these ends."""
    ends = [0, *ends]
    return [data[one:other] for one, other in itertools.pairwise(ends)]


class Core:
    """A running simulation; arguments are those of the program."""

    def __init__(self, program, packets, word_bits, *arguments):
        self.folder = pathlib.Path(program).parent
        self.packets = packets
        self.word_bytes = word_bits // 8
        self._process = subprocess.Popen(
            [program, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def close(self):
        self._process.stdin.close()
        assert self._process.wait(timeout=600) == 0
        self._process.stdout.close()

    def _ask(self, line):
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()
        return self._process.stdout.readline().split()

    def run(self, op, packet=(), **disturbance):
        """Returns error, cycles and output packet; pauses=, stop=, again=, abort=, words=,
        blocked=, wipe_after=, flip= and at= disturb the operation (sim/packets_main.cpp)."""
        options = [f"{name}={value}" for name, value in disturbance.items()]
        words = "".join(f"{word:08x}" for word in packet) or "-"
        error, count, last, out = self._ask(" ".join([str(op), words, *options]))
        out = "" if out == "-" else out
        out = [int(out[i : i + 8], 16) for i in range(0, len(out), 8)]
        if out and not {"stop", "abort", "flip"} & set(disturbance):
            assert last == "1"  # the packet's end is marked
        return int(error), int(count), out

    def reset(self):
        assert self._ask("reset") == ["0"]

    def places(self):
        """Returns the names of the register bits that can be flipped."""
        return self._ask("places")

    def flips(self, op, packet, accepted, within, count=0, seed=1):
        """Runs an operation many times, each time with one bit of places() that flips in a cycle.

        accepted: the packet that must not come out. within: cycles (first, last), last 0: to the
        end. count: how many, drawn by seed; 0: each bit in each cycle. Returns {register: {what
        came of it: number}}, by the names of FATES.
        """
        words = ["".join(f"{word:08x}" for word in one) for one in (packet, accepted)]
        answer = self._ask(" ".join(map(str, ["flips", op, *words, *within, count, seed])))
        found = {}
        for one in answer:
            name, numbers = one.split("=")
            found[name] = dict(zip(FATES, map(int, numbers.split(",")[:-1]), strict=True))
        return found

    def polynomials(self):
        """Returns the bytes of the polynomial memory."""
        return bytes.fromhex(self._ask("polynomials")[0])

    def state(self):
        """Returns the bytes of all registers and memories."""
        return bytes.fromhex(self._ask("state")[0])

    def slot(self, number):
        """Returns a slot of the polynomial memory as an integer."""
        size = -(-self.packets.r_bits // (8 * self.word_bytes)) * self.word_bytes
        return int.from_bytes(self.polynomials()[number * size : (number + 1) * size], "little")

    # The operations on keys and ciphertexts as codekem has them; each asserts that it succeeded.
    def keypair(self, seed):
        error, count, out = self.run(KEYGEN, self.packets.keypair_packet(seed))
        assert error == ERROR_NONE
        return self.packets.unpack(out, self.packets.secret_key), count

    def encaps(self, public_key, randomness):
        error, count, out = self.run(ENCAPS, self.packets.encaps_packet(public_key, randomness))
        assert error == ERROR_NONE
        out = self.packets.unpack(out, [*self.packets.ciphertext, 32])
        return out[:-32], out[-32:], count

    def decaps(self, ciphertext, secret_key, **disturbance):
        error, count, out = self.run(
            DECAPS, self.packets.decaps_packet(ciphertext, secret_key), **disturbance
        )
        assert error == ERROR_NONE
        return self.packets.unpack(out, [32]), count


class SchemeOf(Core):
    """One scheme of a running joint core: its operations on its packets, by the same process."""

    def __init__(self, core, packets, added):
        self.packets, self.added = packets, added
        self.folder, self.word_bytes, self._process = core.folder, core.word_bytes, core._process

    def run(self, op, packet=(), **disturbance):
        """As Core.run; op is one of KEYGEN, ENCAPS and DECAPS, the scheme is added to it."""
        return super().run(op + self.added, packet, **disturbance)


class JointCore(Core):
    """A running simulation of the core for both schemes, with .bike and .hqc; packets of its own
    run() are those of BIKE."""

    HQC_OPERATIONS = 4  # what is added to an operation of HQC

    def __init__(self, program, level, word_bits, *arguments):
        super().__init__(program, Packets(level), word_bits, *arguments)
        self.bike = SchemeOf(self, self.packets, 0)
        self.hqc = SchemeOf(self, HqcPackets(level), self.HQC_OPERATIONS)


def begin(program, scheme, *arguments, LEVEL=1, PRESET=2, WORD=None, **_):
    """Returns a running simulation of a scheme's core, that for both, or the masked one; the other
    parameters are those of the core."""
    word = WORD or cycles.PRESETS[PRESET]["WORD"]
    if scheme == "joint":
        return JointCore(program, LEVEL, word, *arguments)
    of = {"bike": Packets, "hqc": HqcPackets}
    packets = MaskedPackets(1) if scheme == "masked" else of[scheme](LEVEL)
    return Core(program, packets, word, *arguments)
