#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Steps and programs of the masked core (hardware/rtl/masked/masked_hqc.sv), for its memories.

usage: python -m hardware.sim.masked_schedule FOLDER [LEVEL]
       writes masked_code.hex, masked_constants.hex and masked_steps.hex

Packets are lanes of 64 bits in two shares; what is public is in share 0, share 1 is not looked at.
At level 1:

    KeyGen  seed_kem (4)
            -> accepted (2), y (30), sigma (2), seed_ek (4), s (277)
    Decaps  accepted (2), y (30), sigma (2), u (277), v (276), salt (2), seed_ek (4), s (277)
            -> K (4)
    Encaps  message (2), salt (2), seed_ek (4), s (277)
            -> K (4), v (276), u (277)

seed_kem, y, sigma, message and K are shared, the others public. y: 88 candidates as 15 planes of
128 bits from the lowest bit on, candidate i in lane 32 (i mod 4) + i // 4; its positions are those
of which `accepted` has a 1: 66 at least, of which the first 66 count. Of 160 candidates, at level
5, those from 128 on have words of their own, behind the others.
"""

import pathlib
import sys

from hardware.sim import masked_key as key
from hardware.sim import masked_memory as memory
from hardware.sim import masked_positions as positions
from hardware.sim.masked_engine import WORD, EngineError, width_of
from hardware.sim.masked_level import LEVELS, part_of

FILES = ("code", "constants", "steps")
GUARDED = ("code", "steps")  # words with a parity, as masked_rom.sv says
UNITS = ("receive", "hash", "engine", "move", "product", "send")
HASH = ("begin", "absorb", "carry", "tail", "squeeze")
MOVE = ("load", "draw", "take", "save", "list0", "list1", "feed", "scan", "window")
FLAGS = {
    "receive": ("public", "byte", "last"),
    "hash": ("shifted", "open"),
    "move": ("", "open more", "strided masked", "added", "ring go", "one"),
    "send": ("", "", "last"),
}
STEP_BITS = 7
OPERATIONS = {"keygen": 1, "encaps": 2, "decaps": 3}  # kem_pkg::op_e

LANES = 4  # positions that masked_product takes at once
SHA3, SHAKE = 0x06, 0x1F  # the first byte of the padding


def fields_of(level):
    """Returns the fields of a step and their widths, from its lowest bit."""
    a, b = ((depth - 1).bit_length() for depth in (level.code, level.depth))
    rest = (("count", 10), ("flags", 6), ("op", 4), ("needs", 6), ("target", 6))
    return ("a", a), ("b", b), *rest


class Steps:
    """The steps of an operation. They begin in their order: what a step needs has ended for those
    that follow, too."""

    def __init__(self, level, starts):
        self.level, self.starts, self.steps, self.running = level, starts, [], {}
        self.store, self.at = memory.store_of(level), memory.MEMORY[level.level]

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
                "b": self.store[b] if isinstance(b, str) else b,
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

    def lists(self, flags="", needs=""):
        """Opens positions of r1, r2 or e to the product's lists, one part after the other, and has
        it begin."""
        weight = self.level.weight_r
        counts = [part_of(weight, group) for group in range(self.level.groups)]
        self.open_lists([(n, LANES * -(-n // LANES)) for n in counts], flags, needs)

    def key_lists(self, accepted, flags="", needs=""):
        """The same with those of a key that are accepted; entries that are not full end with some
        that are none."""
        level, first = self.level, self.store[accepted]
        count = level.candidates + -level.weight % LANES
        groups = [(first + group, part_of(count, group)) for group in range(level.groups)]
        self.open_lists(groups, f"masked {flags}", needs)

    def open_lists(self, groups, flags, needs):
        """groups: `b` and the count of each."""
        parts = (("list0", self.at.first_part), ("list1", self.at.other_part))
        for op, a in parts:
            for group, (b, count) in enumerate(groups):
                more = " more" * (group > 0)
                more += " go" * (op == "list1" and group == len(groups) - 1)
                self.move(op, a + 16 * group, b, count, f"{flags}{more}", needs=needs)

    def product(self, *weights, needs=""):
        """Begins a product by so many positions, which draws its masks and waits for lists."""
        entries = sum(-(-weight // LANES) for weight in weights)
        self.add("product", a=entries - 1, needs=needs)

    def encoded(self):
        """Returns the words of the steps, and of the end behind them."""
        words = []
        for step in [*self.steps, {"needs": (1 << len(UNITS)) - 1}]:
            word = at = 0
            for name, width in fields_of(self.level):
                value = step.get(name, 0)
                if not 0 <= value < 1 << width:
                    raise EngineError(f"{name} = {value} in {step}")
                word |= value << at
                at += width
            words.append(word)
        return words

    def ring_rest(self, name):
        """Absorbs the last lane of s or u, of which some bytes count."""
        self.hash("carry", self.store[name] + self.level.ring_words - 1)


def expand(steps):
    """h from its seed."""
    steps.hash("begin")
    steps.hash("absorb", "seed_ek", 4)
    steps.tail(1, SHAKE)
    steps.hash("squeeze", "h", steps.level.ring_lanes, "open")


def digest(steps):
    """G, and the XOF of theta, which gives the numbers of r2, e and r1."""
    steps.hash("begin", flags="shifted", needs="hm")  # flag 0: 9 lanes
    for name, lanes in (("h_ek", 4), ("message", steps.level.k // 8), ("salt", 2)):
        steps.hash("absorb", name, lanes)
    steps.tail(0, SHA3)
    steps.hash("squeeze", "k", 4)
    steps.hash("squeeze", "theta", 4)
    steps.hash("begin")
    steps.hash("absorb", "theta", 4)
    steps.tail(1, SHAKE)
    steps.hash("squeeze", "r2", memory.lanes_of(steps.level)[0])


def draw(steps, needs=""):
    steps.move(
        "draw", steps.at.split, count=steps.level.groups * positions.RANDOM_BITS, needs=needs
    )


def sample(steps, name):
    """The numbers of a vector to its positions, in two parts."""
    draw(steps, needs="em")
    words = positions.stream_words(steps.level)
    if name == "e" and memory.is_aligned(steps.level):
        steps.move("load", steps.at.numbers, steps.store["e"] - 1, words + 1, needs="h")
        steps.run("align", needs="m")
    else:
        steps.move("load", 0, name, words, needs="h")
    steps.run("sampler", needs="m")


def encrypt(steps, has_h):
    """s r2 + e + code word, and h r2 of h r2 + r1, of which a product by r1 has begun; another one
    has drawn masks before."""
    level, at, ring = steps.level, steps.at, steps.level.ring_words
    sample(steps, "r2")
    for name, lanes in zip(("e", "r1"), memory.lanes_of(level)[1:], strict=True):
        steps.hash("squeeze", name, lanes)
    if not has_h:
        expand(steps)
    steps.run("two parts")
    steps.move("feed", b="h", count=ring, needs="h")
    steps.lists(needs="e")
    sample(steps, "e")
    steps.move("take", at.ring, count=ring, flags="ring", needs="pe")
    steps.product(level.weight_r, level.weight_r, needs="m")  # s r2 + e
    steps.run("two parts")
    steps.move("feed", b="s", count=ring)
    steps.lists("added one", needs="e")
    sample(steps, "r1")
    steps.run("two parts")
    steps.move("take", at.code, count=level.code_words, needs="pe")
    steps.product(level.weight_r, needs="m")  # r1
    steps.lists("one")
    steps.run("encoders", needs="m")


def draw_key(steps, first, accepted, flags=""):
    """Positions of y or x from words of the stream, in two parts, and which are accepted."""
    level, at = steps.level, steps.at
    draw(steps, needs="em")
    steps.move("load", at.numbers, first, key.stream_words(level.candidates), needs="h")
    steps.move("window", at.window, flags=flags)
    steps.run("candidates", needs="m")
    if not flags:
        expand(steps)
    for group in range(level.groups):
        count, place = part_of(level.candidates, group), steps.store[accepted] + group
        more = "more" * (group > 0)
        steps.move("scan", at.accepted + WORD * group, place, count, more, needs="e")
    steps.run("two parts", needs="m")


def keygen(level, starts):
    steps = Steps(level, starts)
    at, store, ring = steps.at, steps.store, level.ring_words
    bits = level.groups * level.position_bits
    # The stream has candidates of y, then as many of x from `start` on.
    numbers = [-(-key.CANDIDATE_BYTES * n // 8) for n in (level.candidates, level.start)]
    of_y = numbers[0] + numbers[0] % 2
    squeezed = ("r2", of_y), (store["r2"] + of_y // 2, sum(numbers) - of_y)
    steps.product(level.weight)  # h y
    steps.receive("k", 4, "last")
    steps.move("feed", count=ring, flags="one")
    for rate, source, domain, padding, results in (
        ("", "k", 1, SHAKE, (("theta", 4), ("sigma", level.k // 8))),  # seed_pke
        ("shifted", "theta", 2, SHA3, (("refused", 4), ("seed_ek", 4))),  # seed_dk
        ("", "refused", 1, SHAKE, squeezed),
    ):
        steps.hash("begin", flags=rate, needs="r")
        steps.hash("absorb", source, 4)
        steps.tail(domain, padding)
        for name, lanes in results:
            steps.hash("squeeze", name, lanes)
    # seed_ek is opened here, for where it comes from its neighbours are secret.
    steps.move("load", at.first, "seed_ek", 2)
    steps.move("save", at.first, "seed_ek", 2, "open")
    draw_key(steps, "r2", "accepted")
    steps.move("feed", b="h", count=ring, needs="h")
    steps.key_lists("accepted", needs="e")
    steps.move("save", at.positions, "y", bits)
    draw_key(steps, store["r2"] + key.stream_words(level.start), "accepted of x", "one")
    steps.move("take", at.ring, count=ring, flags="ring", needs="pe")
    steps.product(level.weight, needs="m")  # x
    steps.key_lists("accepted of x", "one")
    steps.send("accepted", 2 * level.groups, needs="m")
    steps.send("y", 2 * bits)
    steps.send("sigma", level.k // 8)
    steps.send("seed_ek", 4)
    steps.move("take", at.added, count=ring, flags="ring", needs="p")
    steps.run("add r1", needs="m")
    steps.move("save", at.ring, "s", ring, "open", needs="e")
    steps.send("s", level.ring_lanes, "last", needs="m")
    return steps


def decaps(level, starts):
    steps = Steps(level, starts)
    at, ring, bits = steps.at, level.ring_words, level.groups * level.position_bits
    steps.product(level.weight)  # u y
    steps.receive("accepted", 2 * level.groups, "public")
    steps.receive("y", 2 * bits)
    draw(steps)
    steps.receive("sigma", level.k // 8)
    steps.receive("u", level.ring_lanes, "public byte")
    steps.move("load", at.positions, "y", bits)
    steps.run("refresh y", needs="m")
    steps.run("two parts")
    steps.move("feed", count=ring, flags="one")
    steps.receive("v", 2 * level.code_words, "public")
    steps.move("feed", b="u", count=ring)
    steps.receive("salt", 2, "public")
    steps.receive("seed_ek", 4, "public")
    steps.receive("s", level.ring_lanes, "public byte last")
    steps.key_lists("accepted", needs="e")
    decode(steps)
    steps.move("save", at.first, "message", level.message_words, needs="e")
    digest(steps)
    encrypt(steps, has_h=True)
    choose(steps)
    steps.send("shared", 4, "last", needs="m")
    return steps


def decode(steps):
    """The message of v - u y; meanwhile H(ek), J and h."""
    level = steps.level
    # H(ek)
    steps.hash("begin", needs="r")
    steps.hash("absorb", "seed_ek", 4)
    steps.hash("absorb", "s", level.ring_lanes - 1)
    # v - u y, and its message
    flags = "strided added"
    steps.move("take", 0, "v", level.code_words, flags, needs="pe")
    steps.product(level.weight_r, needs="m")  # h r2
    steps.run("Reed-Muller", needs="m")
    steps.ring_rest("s")
    steps.tail(1, SHA3, "shifted")
    steps.hash("squeeze", "h_ek", 4, "open")
    # J
    steps.hash("begin")
    steps.hash("absorb", "h_ek", 4)
    steps.hash("absorb", "sigma", level.k // 8)
    steps.hash("absorb", "u", level.ring_lanes - 1)
    steps.ring_rest("u")
    steps.hash("absorb", "v", 2 * level.code_words, "shifted")
    steps.run("Reed-Solomon")
    steps.hash("absorb", "salt", 2, "shifted")
    steps.tail(3, SHA3, "shifted")
    steps.hash("squeeze", "refused", 4)
    expand(steps)
    steps.run("send message")


def choose(steps):
    """K, or what the rejection gives; what is received is public."""
    at, code, ring = steps.at, steps.level.code_words, steps.level.ring_words
    steps.move("load", at.received, "v", code, needs="e")
    steps.move("load", at.received + code, "u", ring)
    steps.move("load", at.secrets, "k", 2)
    steps.move("load", at.secrets + 2, "refused", 2)
    steps.run("compare v", needs="m")
    steps.move("take", at.added, count=ring, flags="ring", needs="pe")
    steps.run("add r1", needs="m")
    steps.run("compare u")
    steps.run("choice")
    steps.move("save", at.first, "shared", 2, needs="e")


def encaps(level, starts):
    steps = Steps(level, starts)
    at, store, ring, lanes = steps.at, steps.store, level.ring_words, level.ring_lanes
    steps.product(level.weight_r)  # h r2
    steps.receive("message", level.k // 8)
    steps.receive("salt", 2, "public")
    steps.receive("seed_ek", 4, "public")
    steps.receive("s", 32, "public")  # two blocks of H, while the rest comes
    steps.receive(store["s"] + 16, lanes - 32, "public byte last")
    steps.hash("begin")
    steps.hash("absorb", "seed_ek", 4)
    steps.hash("absorb", "s", 32)
    steps.move("load", at.first, "message", level.message_words)
    steps.run("take message", needs="m")
    steps.move("feed", count=ring, flags="one")
    steps.hash("absorb", store["s"] + 16, lanes - 33, needs="r")
    steps.ring_rest("s")
    steps.tail(1, SHA3, "shifted")
    steps.hash("squeeze", "h_ek", 4, "open")
    digest(steps)
    encrypt(steps, has_h=False)
    steps.move("save", at.code, "v", level.code_words, "open", needs="e")
    steps.send("k", 4, needs="m")
    steps.send("v", 2 * level.code_words)
    steps.move("take", at.added, count=ring, flags="ring", needs="p")
    steps.run("add r1", needs="m")
    steps.move("save", at.ring, "u", ring, "open", needs="e")
    steps.send("u", lanes, "last", needs="m")
    return steps


def write(folder, number=1):
    """Writes the three files of a level."""
    level, folder = LEVELS[number], pathlib.Path(folder)
    images, fields = memory.Images(level), fields_of(level)
    steps = [0] * (4 << STEP_BITS)
    for make in (keygen, encaps, decaps):
        name = make.__name__
        words = make(level, images.starts).encoded()
        if len(words) > 1 << STEP_BITS:
            raise EngineError(f"{name}: {len(words)} steps")
        first = OPERATIONS[name] << STEP_BITS
        steps[first : first + len(words)] = words
    for name, words, width, depth in zip(
        FILES,
        (images.code, images.constants, steps),
        (width_of(level.fields), WORD, width_of(fields)),
        (level.code, level.constants, len(steps)),
        strict=True,
    ):
        if name in GUARDED:
            words, width = [word | (word.bit_count() & 1) << width for word in words], width + 1
        lines = [f"{word:0{-(-width // 4)}x}\n" for word in [*words, *[0] * (depth - len(words))]]
        (folder / f"masked_{name}.hex").write_text("".join(lines), encoding="ascii")


def main(arguments):
    folder, number = [*arguments, "1"][:2] if arguments else ("-", "")
    if len(arguments) > 2 or folder.startswith("-") or number not in map(str, LEVELS):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    write(folder, int(number))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
