# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Encaps and Decaps of HQC-1 by the masked engine's programs, with models of masked sponge and
product: a model of the core that is to be built, which gives results, cycles and random bits."""

import dataclasses
import hashlib

from hardware.sim import masked_positions as positions
from hardware.sim import masked_programs as programs
from hardware.sim.masked_assembler import Code, Program
from hardware.sim.masked_engine import WORD, Engine, Step, Turn

N = positions.N
RING_WORDS, RING_BYTES = -(-N // WORD), -(-N // 8)
CODE_WORDS = programs.SYMBOLS * programs.COPIES
CODE_BITS = (1 << WORD * CODE_WORDS) - 1
LANES = 4  # positions that masked_product takes at once
KEY_WEIGHT = 66
# The engine's memory. Code words are 20 words apart for the decoder, else three of each.
SYMBOLS, WORK = 1000, 0
CODE, RING = 0, CODE_WORDS
RECEIVED = RING + RING_WORDS  # v, then u
ADDED = RECEIVED + CODE_WORDS + RING_WORDS
SPLIT = ADDED + RING_WORDS  # 32 words; the sampler works before the words above are there
DIFFER, EQUAL, FIRST, SECRETS = 980, 981, 982, 990


@dataclasses.dataclass
class Part:
    """A task of a unit: when it begins and ends, in cycles, and the random bits that it takes."""

    name: str
    unit: str
    begin: int
    end: int
    bits: int


def add_words(to, other, count):
    """Returns the program that adds words to words."""
    code = Code()
    unrolled = 8
    with code.loop(count // unrolled, address=unrolled) as body:
        for i in range(unrolled):
            step = Step(d=to + i, a=to + i, b=other + i, add="at", indexed="abd")
            body.add(step)
    for i in range(count - count % unrolled, count):
        code.add(Step(d=to + i, a=to + i, b=other + i, add="at"))
    return code


def choose(accepted, refused, out):
    """Returns the program that gives two words of one secret or the other: either is only there
    where its flag says so."""
    code = Code()
    for i in range(2):
        code.sum_of_products(
            out + i,
            [
                {"a": secret + i, "b": flag, "turn": Turn("all", 0), "in_a": "a", "in_b": "t"}
                for secret, flag in ((accepted, EQUAL), (refused, DIFFER))
            ],
        )
    return code


class Core:
    """The three units. Tasks of a unit follow each other in the order in which they come.

    source: a random.Random, of masks.
    """

    def __init__(self, source):
        self.source, self.parts = source, []
        self.engine = Engine(lambda: source.getrandbits(WORD))
        self._free = {"engine": 0, "sponge": 0, "product": 0}

    def task(self, name, unit, cycles, bits, after=()):
        """Notes a task, which begins after others."""
        begin = max([self._free[unit], *(part.end for part in after)])
        self.parts.append(Part(name, unit, begin, begin + cycles, bits))
        self._free[unit] = begin + cycles
        return self.parts[-1]

    def program(self, name, code, after=()):
        words = self.engine.words
        cycles = self.engine.run(Program(code)) + 4
        return self.task(name, "engine", cycles, WORD * (self.engine.words - words), after)

    def store(self, address, value, mask=None):
        mask = self.source.getrandbits(WORD) if mask is None else mask
        self.engine.store(address, value, mask)

    def store_all(self, name, address, value, count, after=(), is_public=False):
        """Writes so many words from a number in shares, or a public one."""
        for i in range(count):
            self.store(address + i, value >> WORD * i & (1 << WORD) - 1, 0 if is_public else None)
        return self.task(name, "engine", count, 0, after)

    def load(self, address, count):
        return sum(self.engine.load(address + i) << WORD * i for i in range(count))

    def hash(self, name, message, is_xof, rate, length, after=()):
        """Returns the output of the sponge, and the tasks of its blocks of output."""
        function = hashlib.shake_256(message).digest if is_xof else None
        digest = {72: hashlib.sha3_512, 136: hashlib.sha3_256}[rate]
        output = function(length) if function else digest(message).digest()[:length]
        blocks = len(message) // rate + 1
        tasks = [self.task(name, "sponge", 170 * blocks + 2, 64 * (25 + 120 * blocks), after)]
        tasks += [
            self.task(name, "sponge", 170, 64 * 120) for _ in range((len(output) - 1) // rate)
        ]
        return output, tasks

    def multiply(self, name, places, dense, after=(), known=()):
        """Returns the product of positions and a dense polynomial, and its task, after those that
        give the positions; known: those that give the polynomial, of which masks do not wait."""
        result = 0
        for place in places:
            result ^= dense << place
        entries = -(-len(places) // LANES)
        fill = 3 * RING_WORDS * WORD // 64
        self.task(f"{name}: masks", "product", RING_WORDS + fill, 64 * fill, known)
        cycles = (entries + 1) * (RING_WORDS + LANES + 11) + 13
        task = self.task(name, "product", cycles, 0, after)
        return (result ^ result >> N) & (1 << N) - 1, task

    def sample(self, name, words, after):
        """Returns the positions that a stream gives: the sums of two parts, as the lists have
        them."""
        self.store_all(f"{name}: stream", 0, words, positions.STREAM_WORDS, after)
        self.program(f"{name}: sampler", positions.sample_fixed(0, 600, 32))
        for i in range(positions.RANDOM_BITS):
            self.engine.memory[SPLIT + i] = [0, self.source.getrandbits(WORD)]
        self.program(f"{name}: two parts", positions.split(600, SPLIT, 900, 920, 32))
        found = []
        for i in range(positions.WEIGHT):
            lane = positions.lane_of(i)
            parts = [self.engine.load(at + lane % 16) >> lane // 16 * 16 for at in (900, 920)]
            found.append(sum(part & 0xFFFF for part in parts) % N)
        bits = WORD * positions.RANDOM_BITS
        return found, self.task(f"{name}: lists", "engine", 2 * positions.WEIGHT, bits)


def encrypt(core, ek, theta, digested):
    """Leaves s r2 + e + code word and h r2 + r1 in the engine, for a message that is there; after
    the task that gave theta."""
    s, length = int.from_bytes(ek[32:], "little"), 4 * positions.WEIGHT
    stream, tasks = core.hash("XOF", theta + b"\1", True, 136, 3 * length, [digested])
    row, expanded = core.hash("h", ek[:32] + b"\1", True, 136, RING_BYTES)
    h = int.from_bytes(row, "little") & (1 << N) - 1
    vectors, lists = [], []
    for i, name in enumerate(("r2", "e", "r1")):
        words = int.from_bytes(stream[length * i : length * (i + 1)], "little")
        block = tasks[-(-length * (i + 1) // 136) - 1]
        places, task = core.sample(name, words, [block])
        vectors.append(places)
        lists.append(task)
    r2, e, r1 = vectors
    first, task = core.multiply("h r2", r2, h, lists[:1], expanded[-1:])
    core.store_all("h r2", RING, first, RING_WORDS, [task, lists[2]])
    second, task = core.multiply("s r2", r2, s)
    core.store_all("s r2", CODE, second & CODE_BITS, CODE_WORDS, [task])
    core.program("encoders", positions.encode(SYMBOLS, CODE, ADDED))
    third, task = core.multiply("e", e, 1, lists[1:2])
    core.store_all("e", ADDED, third & CODE_BITS, CODE_WORDS, [task])
    core.program("e", add_words(CODE, ADDED, CODE_WORDS))
    fourth, task = core.multiply("r1", r1, 1, lists[2:])
    core.store_all("r1", ADDED, fourth, RING_WORDS, [task])
    core.program("r1", add_words(RING, ADDED, RING_WORDS))


def encaps(core, ek, message, salt):
    """Returns the ciphertext and the shared secret."""
    core.store_all("message", FIRST, int.from_bytes(message, "little"), 1)
    core.program("message", positions.take_message(FIRST, SYMBOLS))
    h_ek, _ = core.hash("H", ek + b"\1", False, 136, 32)
    digest, tasks = core.hash("G", h_ek + message + salt + b"\0", False, 72, 64)
    encrypt(core, ek, digest[32:], tasks[0])
    u = core.load(RING, RING_WORDS).to_bytes(WORD // 8 * RING_WORDS, "little")[:RING_BYTES]
    v = core.load(CODE, CODE_WORDS).to_bytes(WORD // 8 * CODE_WORDS, "little")
    core.task("u and v", "engine", RING_WORDS + CODE_WORDS, 0)
    return u + v + salt, digest[:32]


def decaps(core, ek, y, sigma, ciphertext):
    """Returns the shared secret. y: positions."""
    u, v = ciphertext[:RING_BYTES], ciphertext[RING_BYTES:-16]
    whole_u, whole_v = (int.from_bytes(part, "little") for part in (u, v))
    h_ek, _ = core.hash("H", ek + b"\1", False, 136, 32)
    refused, rejection = core.hash("J", h_ek + sigma + ciphertext + b"\3", False, 136, 32)
    product, task = core.multiply("u y", y, whole_u & (1 << N) - 1)
    message, task = decode(core, whole_v ^ product & CODE_BITS, task)
    given = h_ek + message + ciphertext[-16:] + b"\0"
    digest, tasks = core.hash("G", given, False, 72, 64, [task])
    encrypt(core, ek, digest[32:], tasks[0])
    core.store_all("v", RECEIVED, whole_v, CODE_WORDS, is_public=True)
    core.store_all("u", RECEIVED + CODE_WORDS, whole_u, RING_WORDS, is_public=True)
    count = CODE_WORDS + RING_WORDS
    core.program("comparison", programs.compare(0, RECEIVED, count, DIFFER, EQUAL))
    core.store_all("K", SECRETS, int.from_bytes(digest[:32], "little"), 2, tasks[:1])
    core.store_all("K", SECRETS + 2, int.from_bytes(refused, "little"), 2, rejection)
    core.program("choice", choose(SECRETS, SECRETS + 2, FIRST))
    return core.load(FIRST, 2).to_bytes(32, "little")


def decode(core, received, after):
    """Returns the message of v - u y, and when it is there."""
    for i in range(programs.SYMBOLS):
        for c in range(programs.COPIES):
            word = received >> WORD * (programs.COPIES * i + c) & (1 << WORD) - 1
            core.store(programs.AREA * i + c, word)
    core.task("v - u y", "engine", CODE_WORDS, 0, [after])
    core.program("Reed-Muller", programs.decode_reed_muller(SYMBOLS))
    core.program("Reed-Solomon", programs.decode_reed_solomon(SYMBOLS, WORK))
    task = core.program("message", positions.send_message(SYMBOLS, FIRST))
    return core.load(FIRST, 1).to_bytes(16, "little"), task
