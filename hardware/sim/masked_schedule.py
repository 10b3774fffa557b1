#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Steps and programs of the masked core (hardware/rtl/masked/masked_hqc.sv), for its memories.

usage: python -m hardware.sim.masked_schedule FOLDER
       writes masked_code.hex, masked_constants.hex and masked_steps.hex

Packets are lanes of 64 bits in two shares; what is public is in share 0, share 1 is not looked at:

    KeyGen  seed_kem (4)
            -> accepted (2), y (30), sigma (2), seed_ek (4), s (277)
    Decaps  accepted (2), y (30), sigma (2), u (277), v (276), salt (2), seed_ek (4), s (277)
            -> K (4)
    Encaps  message (2), salt (2), seed_ek (4), s (277)
            -> K (4), v (276), u (277)

seed_kem, y, sigma, message and K are shared, the others public. y: 88 candidates as 15 planes of
128 bits from the lowest bit on, candidate i in lane 32 (i mod 4) + i // 4; its positions are those
of which `accepted` has a 1: 66 at least, of which the first 66 count.
"""

import pathlib
import sys

from hardware.sim import masked_key as key
from hardware.sim import masked_positions as positions
from hardware.sim import masked_programs as programs
from hardware.sim.masked_assembler import Code, Program
from hardware.sim.masked_engine import BITS, STEP, WORD, EngineError, encoded

FILES = ("code", "constants", "steps")
GUARDED = ("code", "steps")  # words with a parity, as masked_rom.sv says
UNITS = ("receive", "hash", "engine", "move", "product", "send")
HASH = ("begin", "absorb", "carry", "tail", "squeeze")
MOVE = ("load", "draw", "take", "save", "list0", "list1", "feed", "scan", "window")
FLAGS = {
    "receive": ("public", "byte", "last"),
    "hash": ("shifted", "open"),
    "move": ("", "open", "strided masked", "added", "ring go", "one"),
    "send": ("", "", "last"),
}
FIELDS = (("a", 13), ("b", 10), ("count", 10), ("flags", 6), ("op", 4), ("needs", 6), ("target", 6))
CODE_DEPTH, CONSTANTS, STEP_BITS = 8192, 2048, 7
OPERATIONS = {"keygen": 1, "encaps": 2, "decaps": 3}  # kem_pkg::op_e

LANES = 4  # positions that masked_product takes at once
KEY_WEIGHT = 66
RING_WORDS, CODE_WORDS = -(-positions.N // WORD), programs.SYMBOLS * programs.COPIES
RING_LANES, CODE_LANES = -(-positions.N // 64), 2 * CODE_WORDS
SHA3, SHAKE = 0x06, 0x1F  # the first byte of the padding
# Words of the store.
STORE = {
    "h_ek": 0,
    "seed_ek": 2,
    "s": 4,
    "u": 144,
    "v": 288,
    "salt": 426,
    "sigma": 427,
    "message": 428,
    "k": 430,
    "theta": 432,
    "refused": 434,
    "shared": 436,
    "accepted": 438,
    "accepted of x": 439,
    "y": 440,
    "h": 456,
    "r2": 600,  # numbers; those of e go on where these end, within a lane
    "e": 619,
    "r1": 640,
}
# And of the engine's memory: the sampler works below 282, the decoder below 920.
CODE = 290
RING = CODE + CODE_WORDS
RECEIVED = 0
POSITIONS, ADDED, NUMBERS, WINDOW, SPLIT = 600, 620, 760, 790, 800
ACCEPTED = 300
FIRST_PART, OTHER_PART = 900, 920
DIFFER, EQUAL, FIRST, SECRETS, SYMBOLS = 980, 981, 982, 990, 1000


def refresh_words(first, count):
    code = Code()
    for i in range(first, first + count):
        programs.refresh(code, i, i)
    return code


def align(source, to):
    """Returns the program that moves 19 words up by a number of 32 bits: the first one is the last
    number of the word before `source`."""
    code, groups = Code(), [0xFFFFFFFF << 32 * i for i in range(4)]
    for i in range(positions.STREAM_WORDS):
        turns = (
            (source + i, 32, groups[1] | groups[3]),
            (source + i, 96, groups[2]),
            (source + i - 1, 96, groups[0]),
        )
        code.sum_of_products(
            to + i,
            [
                {"b": b, "turn": programs.swap(lane), "k": k, "in_a": "k", "in_b": "t"}
                for b, lane, k in turns
            ],
        )
    return code


def engine_programs():
    """Returns the programs by their names."""
    return {
        "refresh y": refresh_words(POSITIONS, positions.POSITION_BITS),
        "two parts": positions.split(POSITIONS, SPLIT, FIRST_PART, OTHER_PART, 32),
        "Reed-Muller": programs.decode_reed_muller(SYMBOLS),
        "Reed-Solomon": programs.decode_reed_solomon(SYMBOLS, 0),
        "send message": positions.send_message(SYMBOLS, FIRST),
        "take message": positions.take_message(FIRST, SYMBOLS),
        "candidates": key.draw_candidates(NUMBERS, WINDOW, POSITIONS, ACCEPTED, 0),
        "align": align(NUMBERS + 1, 0),
        "sampler": positions.sample_fixed(0, POSITIONS, 32),
        "encoders": positions.encode(SYMBOLS, CODE, ADDED),
        "add r1": positions.add_words(RING, ADDED, RING_WORDS),
        "compare v": programs.compare(CODE, RECEIVED, CODE_WORDS, DIFFER, EQUAL, is_end=False),
        "compare u": programs.compare(
            RING, RECEIVED + CODE_WORDS, RING_WORDS, DIFFER, EQUAL, is_begin=False
        ),
        "choice": programs.choose(SECRETS, SECRETS + 2, EQUAL, DIFFER, FIRST),
    }


class Images:
    """Code and constants of all programs, one after the other; starts: {name: pc}."""

    def __init__(self):
        self.code, self.constants, self.starts = [], [], {}
        for name, code in engine_programs().items():
            program, base = Program(code), len(self.constants)
            self.starts[name] = len(self.code)
            for fields in program.fields:
                is_step = fields["kind"] == STEP  # else k is by what numbers count on
                self.code.append(encoded({**fields, "k": fields["k"] + base * is_step}))
            self.constants += program.constants
        if len(self.code) > CODE_DEPTH or len(self.constants) > CONSTANTS:
            raise EngineError("the programs are too long")


class Steps:
    """The steps of an operation. They begin in their order: what a step needs has ended for those
    that follow, too."""

    def __init__(self, starts):
        self.starts, self.steps, self.running = starts, [], {}

    def add(self, unit, op=0, a=0, b=0, count=1, flags="", needs=""):
        """Adds a step; needs: first letters of units, and of flags their names."""
        names = FLAGS.get(unit, ())
        self._check(unit, op, needs)
        self.steps.append(
            {
                "target": 1 << UNITS.index(unit),
                "needs": sum(1 << i for i, name in enumerate(UNITS) if name[0] in needs),
                "op": op,
                "flags": sum(
                    1 << i for i, one in enumerate(names) if {*one.split()} & {*flags.split()}
                ),
                "count": count,
                "b": STORE[b] if isinstance(b, str) else b,
                "a": a,
            }
        )

    def _check(self, unit, op, needs):
        """Raises EngineError if a unit that may still run uses the same memory."""
        for other in [one for one in self.running if one[0] in needs or one == unit]:
            del self.running[other]
        self.running[unit] = op
        move = MOVE[self.running["move"]] if "move" in self.running else "feed"
        both = {"move", "engine"} <= self.running.keys() and move != "feed"
        if both or ("product" in self.running and move == "take"):
            raise EngineError(f"{unit} begins while {', '.join(self.running)} may run: {move}")

    def receive(self, name, lanes, flags="", needs=""):
        self.add("receive", b=name, count=lanes, flags=flags, needs=needs)

    def send(self, name, lanes, flags="", needs=""):
        self.add("send", b=name, count=lanes, flags=flags, needs=needs)

    def run(self, name, needs=""):
        self.add("engine", a=self.starts[name], needs=needs)

    def hash(self, op, b=0, lanes=1, flags="", a=0, needs=""):
        self.add("hash", HASH.index(op), a, b, lanes, flags, needs)

    def tail(self, domain, padding, flags=""):
        self.hash("tail", a=padding << 8 | domain, flags=flags)

    def move(self, op, a=0, b=0, count=1, flags="", needs=""):
        self.add("move", MOVE.index(op), a, b, count, flags, needs)

    def lists(self, weight, flags="", needs=""):
        """Opens positions to the product's lists, one part after the other, and has it begin."""
        self.open_lists(weight, LANES * -(-weight // LANES), flags, needs)

    def key_lists(self, accepted, flags="", needs=""):
        self.open_lists(accepted, key.CANDIDATES + 2, f"masked {flags}", needs)

    def open_lists(self, b, count, flags, needs):
        for op, a, more in (("list0", FIRST_PART, ""), ("list1", OTHER_PART, " go")):
            self.move(op, a, b, count, f"{flags}{more}", needs=needs)

    def product(self, *weights, needs=""):
        """Begins a product by so many positions, which draws its masks and waits for lists."""
        entries = sum(-(-weight // LANES) for weight in weights)
        self.add("product", a=entries - 1, needs=needs)

    def encoded(self):
        """Returns the words of the steps, and of the end behind them."""
        words = []
        for step in [*self.steps, {"needs": (1 << len(UNITS)) - 1}]:
            word = at = 0
            for name, width in FIELDS:
                value = step.get(name, 0)
                if not 0 <= value < 1 << width:
                    raise EngineError(f"{name} = {value} in {step}")
                word |= value << at
                at += width
            words.append(word)
        return words


def expand(steps):
    """h from its seed."""
    steps.hash("begin")
    steps.hash("absorb", "seed_ek", 4)
    steps.tail(1, SHAKE)
    steps.hash("squeeze", "h", RING_LANES, "open")


def digest(steps):
    """G, and the XOF of theta, which gives the numbers of r2, e and r1."""
    steps.hash("begin", flags="shifted", needs="hm")  # flag 0: 9 lanes
    for name, lanes in (("h_ek", 4), ("message", 2), ("salt", 2)):
        steps.hash("absorb", name, lanes)
    steps.tail(0, SHA3)
    steps.hash("squeeze", "k", 4)
    steps.hash("squeeze", "theta", 4)
    steps.hash("begin")
    steps.hash("absorb", "theta", 4)
    steps.tail(1, SHAKE)
    steps.hash("squeeze", "r2", 38)


def sample(steps, name):
    """The numbers of a vector to its positions, in two parts."""
    steps.move("draw", SPLIT, count=positions.RANDOM_BITS, needs="em")
    words = positions.STREAM_WORDS
    if name == "e":
        steps.move("load", NUMBERS, STORE["e"] - 1, words + 1, needs="h")
        steps.run("align", needs="m")
    else:
        steps.move("load", 0, name, words, needs="h")
    steps.run("sampler", needs="m")


def encrypt(steps, has_h):
    """s r2 + e + code word, and h r2 of h r2 + r1, of which a product by r1 has begun; another one
    has drawn masks before."""
    weight, ring = positions.WEIGHT, RING_WORDS
    sample(steps, "r2")
    steps.hash("squeeze", "e", 37)
    steps.hash("squeeze", "r1", 38)
    if not has_h:
        expand(steps)
    steps.run("two parts")
    steps.move("feed", b="h", count=ring, needs="h")
    steps.lists(weight, needs="e")
    sample(steps, "e")
    steps.move("take", RING, count=ring, flags="ring", needs="pe")
    steps.product(weight, weight, needs="m")  # s r2 + e
    steps.run("two parts")
    steps.move("feed", b="s", count=ring)
    steps.lists(weight, "added one", needs="e")
    sample(steps, "r1")
    steps.run("two parts")
    steps.move("take", CODE, count=CODE_WORDS, needs="pe")
    steps.product(weight, needs="m")  # r1
    steps.lists(weight, "one")
    steps.run("encoders", needs="m")


def draw_key(steps, first, accepted, flags=""):
    """Positions of y or x from 17 words of the stream, in two parts, and which are accepted."""
    steps.move("draw", SPLIT, count=positions.RANDOM_BITS, needs="em")
    steps.move("load", NUMBERS, first, key.STREAM_WORDS, needs="h")
    steps.move("window", WINDOW, flags=flags)
    steps.run("candidates", needs="m")
    if not flags:
        expand(steps)
    steps.move("scan", ACCEPTED, accepted, key.CANDIDATES, needs="e")
    steps.run("two parts", needs="m")


def keygen(starts):
    steps = Steps(starts)
    weight, ring = KEY_WEIGHT, RING_WORDS
    steps.product(weight)  # h y
    steps.receive("k", 4, "last")
    steps.move("feed", count=ring, flags="one")
    for rate, source, domain, padding, results in (
        ("", "k", 1, SHAKE, (("theta", 4), ("sigma", 2))),  # seed_pke
        ("shifted", "theta", 2, SHA3, (("refused", 4), ("seed_ek", 4))),  # seed_dk
        ("", "refused", 1, SHAKE, (("r2", 34), (STORE["r2"] + 17, 23))),
    ):
        steps.hash("begin", flags=rate, needs="r")
        steps.hash("absorb", source, 4)
        steps.tail(domain, padding)
        for name, lanes in results:
            steps.hash("squeeze", name, lanes)
    # seed_ek is opened here, for where it comes from its neighbours are secret.
    steps.move("load", FIRST, "seed_ek", 2)
    steps.move("save", FIRST, "seed_ek", 2, "open")
    draw_key(steps, "r2", "accepted")
    steps.move("feed", b="h", count=ring, needs="h")
    steps.key_lists("accepted", needs="e")
    steps.move("save", POSITIONS, "y", positions.POSITION_BITS)
    draw_key(steps, STORE["r2"] + 12, "accepted of x", "one")
    steps.move("take", RING, count=ring, flags="ring", needs="pe")
    steps.product(weight, needs="m")  # x
    steps.key_lists("accepted of x", "one")
    steps.send("accepted", 2, needs="m")
    steps.send("y", 2 * positions.POSITION_BITS)
    steps.send("sigma", 2)
    steps.send("seed_ek", 4)
    steps.move("take", ADDED, count=ring, flags="ring", needs="p")
    steps.run("add r1", needs="m")
    steps.move("save", RING, "s", ring, "open", needs="e")
    steps.send("s", RING_LANES, "last", needs="m")
    return steps


def decaps(starts):
    steps = Steps(starts)
    weight, ring = KEY_WEIGHT, RING_WORDS
    steps.product(weight)  # u y
    steps.receive("accepted", 2, "public")
    steps.receive("y", 2 * positions.POSITION_BITS)
    steps.move("draw", SPLIT, count=positions.RANDOM_BITS)
    steps.receive("sigma", 2)
    steps.receive("u", RING_LANES, "public byte")
    steps.move("load", POSITIONS, "y", positions.POSITION_BITS)
    steps.run("refresh y", needs="m")
    steps.run("two parts")
    steps.move("feed", count=ring, flags="one")
    steps.receive("v", CODE_LANES, "public")
    steps.move("feed", b="u", count=ring)
    steps.receive("salt", 2, "public")
    steps.receive("seed_ek", 4, "public")
    steps.receive("s", RING_LANES, "public byte last")
    steps.key_lists("accepted", needs="e")
    decode(steps)
    steps.move("save", FIRST, "message", 1, needs="e")
    digest(steps)
    encrypt(steps, has_h=True)
    choose(steps)
    steps.send("shared", 4, "last", needs="m")
    return steps


def decode(steps):
    """The message of v - u y; meanwhile H(ek), J and h."""
    ring = RING_WORDS
    # H(ek)
    steps.hash("begin", needs="r")
    steps.hash("absorb", "seed_ek", 4)
    steps.hash("absorb", "s", RING_LANES - 1)
    # v - u y, and its message
    flags = "strided added"
    steps.move("take", 0, "v", CODE_WORDS, flags, needs="pe")
    steps.product(positions.WEIGHT, needs="m")  # h r2
    steps.run("Reed-Muller", needs="m")
    steps.hash("carry", STORE["s"] + ring - 1)
    steps.tail(1, SHA3, "shifted")
    steps.hash("squeeze", "h_ek", 4, "open")
    # J
    steps.hash("begin")
    steps.hash("absorb", "h_ek", 4)
    steps.hash("absorb", "sigma", 2)
    steps.hash("absorb", "u", RING_LANES - 1)
    steps.hash("carry", STORE["u"] + ring - 1)
    steps.hash("absorb", "v", CODE_LANES, "shifted")
    steps.run("Reed-Solomon")
    steps.hash("absorb", "salt", 2, "shifted")
    steps.tail(3, SHA3, "shifted")
    steps.hash("squeeze", "refused", 4)
    expand(steps)
    steps.run("send message")


def choose(steps):
    """K, or what the rejection gives; what is received is public."""
    ring = RING_WORDS
    steps.move("load", RECEIVED, "v", CODE_WORDS, needs="e")
    steps.move("load", RECEIVED + CODE_WORDS, "u", ring)
    steps.move("load", SECRETS, "k", 2)
    steps.move("load", SECRETS + 2, "refused", 2)
    steps.run("compare v", needs="m")
    steps.move("take", ADDED, count=ring, flags="ring", needs="pe")
    steps.run("add r1", needs="m")
    steps.run("compare u")
    steps.run("choice")
    steps.move("save", FIRST, "shared", 2, needs="e")


def encaps(starts):
    steps = Steps(starts)
    ring = RING_WORDS
    steps.product(positions.WEIGHT)  # h r2
    steps.receive("message", 2)
    steps.receive("salt", 2, "public")
    steps.receive("seed_ek", 4, "public")
    steps.receive("s", 32, "public")  # two blocks of H, while the rest comes
    steps.receive(STORE["s"] + 16, RING_LANES - 32, "public byte last")
    steps.hash("begin")
    steps.hash("absorb", "seed_ek", 4)
    steps.hash("absorb", "s", 32)
    steps.move("load", FIRST, "message", 1)
    steps.run("take message", needs="m")
    steps.move("feed", count=ring, flags="one")
    steps.hash("absorb", STORE["s"] + 16, RING_LANES - 33, needs="r")
    steps.hash("carry", STORE["s"] + ring - 1)
    steps.tail(1, SHA3, "shifted")
    steps.hash("squeeze", "h_ek", 4, "open")
    digest(steps)
    encrypt(steps, has_h=False)
    steps.move("save", CODE, "v", CODE_WORDS, "open", needs="e")
    steps.send("k", 4, needs="m")
    steps.send("v", CODE_LANES)
    steps.move("take", ADDED, count=ring, flags="ring", needs="p")
    steps.run("add r1", needs="m")
    steps.move("save", RING, "u", ring, "open", needs="e")
    steps.send("u", RING_LANES, "last", needs="m")
    return steps


def write(folder):
    """Writes the three files."""
    images, folder = Images(), pathlib.Path(folder)
    steps = [0] * (4 << STEP_BITS)
    for make in (keygen, encaps, decaps):
        name = make.__name__
        words = make(images.starts).encoded()
        if len(words) > 1 << STEP_BITS:
            raise EngineError(f"{name}: {len(words)} steps")
        first = OPERATIONS[name] << STEP_BITS
        steps[first : first + len(words)] = words
    bits = sum(width for _, width in FIELDS)
    for name, words, width, depth in zip(
        FILES,
        (images.code, images.constants, steps),
        (BITS, WORD, bits),
        (CODE_DEPTH, CONSTANTS, len(steps)),
        strict=True,
    ):
        if name in GUARDED:
            words, width = [word | (word.bit_count() & 1) << width for word in words], width + 1
        lines = [f"{word:0{-(-width // 4)}x}\n" for word in [*words, *[0] * (depth - len(words))]]
        (folder / f"masked_{name}.hex").write_text("".join(lines), encoding="ascii")


def main(arguments):
    if len(arguments) != 1 or arguments[0].startswith("-"):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    write(arguments[0])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
