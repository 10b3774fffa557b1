# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Programs of the masked engine that draw a key's positions of HQC by rejection [HQC, 5.2]."""

from hardware.sim.masked_assembler import Code
from hardware.sim.masked_engine import WORD, Step, Turn
from hardware.sim.masked_level import part_of
from hardware.sim.masked_positions import find_single, lane_of, planes_of, turn_square
from hardware.sim.masked_programs import ONES, Chained, lanes, swap

CANDIDATE_BYTES = 3


def stream_words(candidates):
    return -(-CANDIDATE_BYTES * candidates // (WORD // 8))


def refused_quotient(level):
    """That by n of candidates from the largest multiple of n on."""
    return (1 << 24) // level.n


def apart(code, candidates, stream, rows):
    """Puts candidates of 24 bits, side by side in words, into 32 bits each: four in a word."""
    for w, row in enumerate(rows):
        masks: dict[tuple[int, int], int] = {}
        for i in range(4 * CANDIDATE_BYTES if 4 * w < candidates else 0):
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


def reduce(code, level, planes, work, flags):
    """Makes numbers of 24 bits smaller than n, in place: from the highest bit of the quotient on, n
    is taken away where it can be; if there is no bit above those that are looked at, it would be
    zero and keep the carry. flags: words of the quotient's bits, from the lowest on. Returns
    the planes."""
    planes = planes[:24]
    for q in reversed(range(len(flags))):
        window = planes[q : q + level.position_bits + 1]
        chain = Chained(code)
        chain.step(k=ONES, add="k", keep="sum")  # x - n = x + ~n + 1
        for i, plane in enumerate(window):
            k = 0 if level.n >> i & 1 else ONES
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
    return planes[: level.position_bits]


def draw_candidates(level, stream, excluded, positions, accepted, work):
    """Returns the program that makes candidates of stream_words words of the stream.

    `excluded`: a word of lanes of the first group that are none. positions: their planes, of which
    lane_of has the lanes. accepted: a word each, of which all lanes say whether a candidate is
    below the largest multiple of n and none before it is the same position. work: the first of 124
    words.
    """
    code, count = Code(), level.candidates
    groups = planes_of(level, positions)
    rows, others = ([work + 32 * half + i for i in range(32)] for half in range(2))
    flags = [work + 64 + i for i in range(refused_quotient(level).bit_length())]
    refused = [work + 96, work + 99][: len(groups)]
    single, good = work + 97, work + 98
    for group, places in enumerate(groups):
        apart(code, part_of(count, group), stream + 24 * group, rows)
        planes = turn_square(code, rows, others, 32)
        planes = reduce(code, level, planes, work + 76, flags)
        for place, plane in zip(places, planes, strict=True):
            code.add(Step(d=place, a=plane, add="a"))
        ones = [flag for i, flag in enumerate(flags) if refused_quotient(level) >> i & 1]
        chain = Chained(code)
        chain.step(a=ones[0], add="a", keep="sum")
        for flag in ones[1:]:
            chain.step(a=flag, in_a="c", in_b="a", product=True, keep="sum")
        more = {"a": excluded, "in_a": "c", "in_b": "a", "add": "ac", "product": True}
        chain.step(d=refused[group], **(more if group == 0 else {"add": "c"}))

        def others_of(j, group=group):  # lanes that are not compared with candidate j
            later = range(WORD * group, WORD * group + part_of(count, group))
            return ONES ^ lanes(lane_of(i % WORD) for i in later if i > j)

        code.add(Step(d=single, k=ONES, add="k"))
        for other in range(group + 1):
            left_out = [others_of(WORD * other + i) for i in range(part_of(count, other))]
            one = (groups[other], single, work + 100, left_out, refused[other])
            find_single(code, places, *one)
        both = {"a": refused[group], "b": single, "k": ONES, "in_a": "ak", "in_b": "t"}
        code.sum_of_products(good, [both])
        with code.loop(part_of(count, group) // 4, address=4, lane=1) as body:
            for q in range(4):
                d = accepted + WORD * group + q
                body.add(Step(d=d, b=good, turn=Turn("all", 32 * q), add="t", indexed="dl"))
    return code
