# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Where the masked core has its words, and its programs with what they work on."""

import types

from hardware.sim import masked_key as key
from hardware.sim import masked_positions as positions
from hardware.sim import masked_programs as programs
from hardware.sim import masked_reed_solomon as reed_solomon
from hardware.sim.masked_assembler import Code, Program
from hardware.sim.masked_engine import STEP, EngineError, encoded
from hardware.sim.masked_level import LEVELS


def store_of(level):
    """Returns the first word of what is in the store, by its name."""
    ring, message, groups = level.ring_words, level.message_words, level.groups
    numbers = -(-level.weight_r // 4)
    sizes = {
        "h_ek": 2,
        "seed_ek": 2,
        "s": ring,
        "u": ring,
        "v": level.code_words,
        "salt": 1,
        "sigma": message,
        "message": message,
        **dict.fromkeys(("k", "theta", "refused", "shared"), 2),
        **dict.fromkeys(("accepted", "accepted of x"), groups),
        "y": groups * level.position_bits,
        "h": ring,
        "r2": numbers,  # those of e go on where these end, within a lane
        "e": numbers,
        "r1": numbers,
    }
    places, at = {}, 0
    for name, size in sizes.items():
        apart = {"k": 2, **dict.fromkeys(("u", "v", "h", "r2", "r1"), 8)}.get(name, 1)
        places[name] = -(-at // apart) * apart
        at = places[name] + size
    return places


# Words of the engine's memory, at levels 1, 3 and 5.
PLACES = {
    "received": (0, 0, 0),
    "encoder": (620, 1160, 0),  # what it works with
    "accepted": (300, 568, 904),
    "code": (290, 568, 904),  # behind what the sampler works with, and so is what follows
    "added": (620, 1160, 904),  # which at level 5 comes when the code word is needed no more
    "ring": (428, 848, 1356),
    "positions": (600, 1136, 1808),
    "numbers": (760, 1448, 1840),
    "window": (790, 1480, 1880),
    "split": (800, 1488, 1884),
    "first_part": (900, 1520, 1948),
    "other_part": (920, 1540, 1980),
    "differ": (980, 1560, 2012),
    "equal": (981, 1561, 2013),
    "first": (982, 1562, 2014),
    "secrets": (990, 1564, 2016),
    "symbols": (1000, 1568, 2020),  # behind what the Reed-Muller decoder works with
}
MEMORY = {
    level: types.SimpleNamespace(**{name: one[i] for name, one in PLACES.items()})
    for i, level in enumerate(LEVELS)
}


def refresh_words(first, count):
    code = Code()
    for i in range(first, first + count):
        programs.refresh(code, i, i)
    return code


def lanes_of(level):
    """Returns how many lanes of numbers r2, e and r1 take of a stream: together no half of one."""
    half = level.weight_r // 2
    return -(-level.weight_r // 2), half, -(-level.weight_r // 2)


def is_aligned(level):
    """Whether the numbers of e have to be moved: they begin within a lane."""
    return level.weight_r % 2 == 1


def align(level, source, to):
    """Returns the program that moves the words of e up by a number of 32 bits: the first one is the
    last number of the word before `source`."""
    code, groups = Code(), [0xFFFFFFFF << 32 * i for i in range(4)]
    for i in range(positions.stream_words(level)):
        before = 96 if i else level.weight_r % 4 * 32
        turns = [(source + i, 32, groups[1] | groups[3]), (source + i, 96, groups[2])]
        turns = turns if i < -(-lanes_of(level)[1] // 2) else []
        code.sum_of_products(
            to + i,
            [
                {"b": b, "turn": programs.swap(lane), "k": k, "in_a": "k", "in_b": "t"}
                for b, lane, k in [*turns, (source + i - 1, before, groups[0])]
            ],
        )
    return code


def engine_programs(level):
    """Returns the programs by their names."""
    at, ring, code = MEMORY[level.level], level.ring_words, level.code_words
    bits = level.position_bits * level.groups
    found = {
        "refresh y": refresh_words(at.positions, bits),
        "two parts": positions.split(
            level, at.positions, at.split, at.first_part, at.other_part, 32
        ),
        "Reed-Muller": programs.decode_reed_muller(level, at.symbols),
        "Reed-Solomon": reed_solomon.decode_reed_solomon(level, at.symbols, 0),
        "send message": positions.send_message(level, at.symbols, at.first),
        "take message": positions.take_message(level, at.first, at.symbols),
        "candidates": key.draw_candidates(
            level, at.numbers, at.window, at.positions, at.accepted, 0
        ),
        "align": align(level, at.numbers + 1, 0),
        "sampler": positions.sample_fixed(level, 0, at.positions, 32 * level.groups),
        "encoders": positions.encode(level, at.symbols, at.code, at.encoder),
        "add r1": positions.add_words(at.ring, at.added, ring),
        "compare v": programs.compare(
            at.code, at.received, code, at.differ, at.equal, is_end=False
        ),
        "compare u": programs.compare(
            at.ring, at.received + code, ring, at.differ, at.equal, is_begin=False
        ),
        "choice": programs.choose(at.secrets, at.secrets + 2, at.equal, at.differ, at.first),
    }
    if not is_aligned(level):
        del found["align"]
    return found


class Images:
    """Code and constants of all programs, one after the other; starts: {name: pc}."""

    def __init__(self, level):
        self.code, self.constants, self.starts = [], [], {}
        for name, code in engine_programs(level).items():
            program, base = Program(code, level.fields), len(self.constants)
            self.starts[name] = len(self.code)
            for fields in program.fields:
                is_step = fields["kind"] == STEP  # else k is by what numbers count on
                whole = {**fields, "k": fields["k"] + base * is_step}
                self.code.append(encoded(whole, level.fields))
            self.constants += program.constants
        if len(self.code) > level.code or len(self.constants) > level.constants:
            raise EngineError("the programs are too long")
