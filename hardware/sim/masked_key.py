# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Programs of the masked engine that draw a key's positions of HQC-1 by rejection [HQC, 5.2]."""

from hardware.sim.masked_assembler import Code
from hardware.sim.masked_engine import WORD, Step, Turn
from hardware.sim.masked_positions import POSITION_BITS, N, find_single, lane_of, turn_square
from hardware.sim.masked_programs import ONES, Chained, lanes, swap

CANDIDATES = 88  # fewer than 66 of them are accepted once in 2^128 keys
CANDIDATE_BYTES = 3
STREAM_WORDS = -(-CANDIDATE_BYTES * CANDIDATES // (WORD // 8))
QUOTIENT_BITS = 10  # of a candidate by n
REFUSED = (1 << 24) // N  # the quotient of those from the largest multiple of n on


def apart(code, stream, rows):
    """Puts candidates of 24 bits, side by side in words, into 32 bits each: four in a word."""
    for w, row in enumerate(rows):
        masks: dict[tuple[int, int], int] = {}
        for i in range(4 * CANDIDATE_BYTES if 4 * w < CANDIDATES else 0):
            source = 4 * CANDIDATE_BYTES * w + i
            to = i // CANDIDATE_BYTES * 4 + i % CANDIDATE_BYTES
            key = source // 16, 8 * (source % 16 ^ to)
            masks[key] = masks.get(key, 0) | 0xFF << 8 * to
        if not masks:
            code.add(Step(d=row))
            continue
        code.sum_of_products(
            row,
            [
                {"b": stream + word, "turn": swap(lane), "k": k, "in_a": "k", "in_b": "t"}
                for (word, lane), k in masks.items()
            ],
        )


def reduce(code, planes, work, flags):
    """Makes numbers of 24 bits smaller than n, in place: from the highest bit of the quotient on, n
    is taken away where it can be; if there is no bit above the 15 that are looked at, it would be
    zero and keep the carry. flags: words of the quotient's bits, from the lowest on. Returns
    the planes."""
    planes = planes[:24]
    for q in reversed(range(QUOTIENT_BITS)):
        window = planes[q : q + POSITION_BITS + 1]
        chain = Chained(code)
        chain.step(k=ONES, add="k", keep="sum")  # x - n = x + ~n + 1
        for i, plane in enumerate(window):
            k = 0 if N >> i & 1 else ONES
            carried = {"in_a": "kc", "in_b": "tc", "write_z": False, "keep": "carry"}
            # What is kept to choose by is by how much both differ.
            chain.step(d=work + i, k=k, b=plane, add="kc", product=True, **carried)
        # It comes from what it chooses.
        chain.step(d=flags[q], add="c", product=True)
        for half in range(2):  # two threads
            chain = Chained(code)
            chain.step(a=flags[q], add="a", keep="sum")
            for i in range(half, len(window), 2):
                both = {"a": window[i], "b": work + i, "in_a": "c", "in_b": "t", "add": "a"}
                chain.step(d=window[i], product=True, **both)
    return planes[:POSITION_BITS]


def draw_candidates(stream, excluded, positions, accepted, work):
    """Returns the program that makes 88 candidates of 17 words of the stream.

    `excluded`: a word of lanes that are none. positions: 15 words, of which lane_of has the lanes.
    accepted: the first of 88 words, of which all lanes say whether a candidate is below the largest
    multiple of n and none before it is the same position. work: the first of 124 words.
    """
    code = Code()
    rows, others = ([work + 32 * half + i for i in range(32)] for half in range(2))
    apart(code, stream, rows)
    planes = turn_square(code, rows, others, 32)
    flags = [work + 64 + i for i in range(QUOTIENT_BITS)]
    planes = reduce(code, planes, work + 76, flags)
    for place, plane in zip(range(positions, positions + POSITION_BITS), planes, strict=True):
        code.add(Step(d=place, a=plane, add="a"))
    planes = [positions + i for i in range(POSITION_BITS)]
    refused, single, good = (work + 96 + i for i in range(3))
    ones = [flag for i, flag in enumerate(flags) if REFUSED >> i & 1]
    chain = Chained(code)
    chain.step(a=ones[0], add="a", keep="sum")
    for flag in ones[1:]:
        chain.step(a=flag, in_a="c", in_b="a", product=True, keep="sum")
    chain.step(d=refused, a=excluded, in_a="c", in_b="a", add="ac", product=True)

    def others_of(j):  # lanes that are not compared with candidate j
        return ONES ^ lanes(lane_of(i) for i in range(j + 1, CANDIDATES))

    find_single(code, planes, single, work + 100, CANDIDATES, others_of, refused)
    code.sum_of_products(good, [{"a": refused, "b": single, "k": ONES, "in_a": "ak", "in_b": "t"}])
    with code.loop(CANDIDATES // 4, address=4, lane=1) as body:
        for q in range(4):
            one = {"d": accepted + q, "b": good, "turn": Turn("all", 32 * q)}
            body.add(Step(**one, add="t", indexed="dl"))
    return code
