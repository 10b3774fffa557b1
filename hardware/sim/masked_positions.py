# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Programs of the masked engine that make and send positions and code words of HQC: the sampler of
fixed weight, positions as sums, the encoders."""

from hardware.sim.masked_assembler import Code
from hardware.sim.masked_engine import WORD, Step, Turn
from hardware.sim.masked_level import part_of
from hardware.sim.masked_programs import (
    ONES,
    Chained,
    lanes,
    refresh,
    select,
    swap,
    with_bit,
)
from hardware.sim.masked_reed_solomon import ALPHA, Packed, gf_mul, linear_in_loop, message_lanes

RANDOM_BITS = 32  # of what a position is made of
# n + c as a sum of powers of two, by n, with a small c.
NEAR_N = {17669: (3, 8, 10, 14), 35851: (4, 10, 11, 15), 57637: (6, 8, 13, 14, 15)}


def stream_words(level):
    """Words of what the positions of a vector of r1, r2 and e are made of."""
    return -(-level.weight_r * RANDOM_BITS // WORD)


# --- Where positions are --------------------------------------------------------------------------
def index_of(lane):
    """Returns which position of a group is in a lane: of words of four numbers each, turned."""
    return 4 * (lane % 32) + lane // 32


def lane_of(index):
    return 32 * (index % 4) + index // 4


def plane_of(level, group, numbers, bit):
    """Returns the public plane of a bit of numbers(index)."""
    indices = {lane: WORD * group + index_of(lane) for lane in range(WORD)}
    used = {lane: i for lane, i in indices.items() if i < level.weight_r}
    return lanes(lane for lane, i in used.items() if numbers(i) >> bit & 1)


def planes_of(level, first):
    """Returns the places of the planes of positions, by groups, from a word on."""
    bits = level.position_bits
    return [[first + bits * group + i for i in range(bits)] for group in range(level.groups)]


def words_of(level, drawn):
    """Returns the words of the planes of positions, as bytes."""
    planes = [0] * (level.groups * level.position_bits)
    for i, position in enumerate(drawn):
        for b in range(level.position_bits):
            plane = i // WORD * level.position_bits + b
            planes[plane] |= (position >> b & 1) << lane_of(i % WORD)
    return b"".join(plane.to_bytes(WORD // 8, "little") for plane in planes)


def clear(code, places):
    for place in places:
        code.add(Step(d=place))


def turn_square(code, rows, others, size):
    """Turns squares of so many bits, side by side in so many words: bit j of word i becomes bit i
    of word j. rows and others: places of the words, which change; returns those of the result."""
    for m in range(size.bit_length() - 1):
        for i in range(size):
            partner, is_high = i ^ 1 << m, i >> m & 1
            k = ONES ^ with_bit(m) if is_high else with_bit(m)
            select(code, others[i], k, rows[i], rows[partner], swap(1 << m))
        rows, others = others, rows
    return rows


# --- Sums -----------------------------------------------------------------------------------------
def add(code, out, x, y, is_difference=False, carry=None):
    """out = x + y or x - y, bit by bit from the lowest on. A place in x or y may be None, if not
    in both: zero. carry: a word for what is carried, 1 for a difference that is not negative."""
    chain = Chained(code)
    ones = {"k": ONES} if is_difference else {}
    constant = "k" if is_difference else ""
    chain.step(add=constant, keep="sum", **ones)
    for i, (d, b, a) in enumerate(zip(out, x, y, strict=True)):
        own = constant + ("a" if a is not None else "") + "c"
        other = "t" if b is not None else ""
        last = i == len(out) - 1 and carry is None
        product = {"in_a": own, "in_b": other + "c", "write_z": False, "keep": "carry"}
        product |= {"product": True}
        chain.step(d=d, a=a, b=b, add=own + other, **ones, **({} if last else product))
    if carry is not None:
        chain.step(d=carry, add="c")


def add_public(code, out, x, planes):
    """out = x + a public number in each lane, of which planes(bit) has the bits."""
    chain = Chained(code)
    chain.step(keep="sum")
    for i, (d, b) in enumerate(zip(out, x, strict=True)):
        k = planes(i)
        product = {"in_a": "kc", "in_b": "tc", "product": True, "write_z": False, "keep": "carry"}
        chain.step(d=d, b=b, k=k, add="ktc", **(product if i + 1 < len(out) else {}))


# --- Sampler of fixed weight ----------------------------------------------------------------------
def sample_fixed(level, stream, positions, work):
    """Returns the program that makes the positions of r1, r2 or e [HQC, 5.3] of stream_words words,
    in planes; lane_of says in which lanes. stream: the first of 32 words a group, which it changes;
    work: the first of 250 words, or of 410 for two groups."""
    code = Code()
    groups = planes_of(level, positions)
    for group, planes in enumerate(groups):
        rows = [stream + 32 * group + i for i in range(32)]
        clear(code, rows[max(stream_words(level) - 32 * group, 0) :])
        numbers = turn_square(code, rows, [work + i for i in range(32)], 32)
        scaled(code, level, group, numbers, planes, work + 64)
    make_distinct(code, level, groups, work)
    return code


def scaled(code, level, group, a, out, work):
    """out = i + floor(a (n - i) / 2^32), with n - i = n + c - (i + c), of which n + c is a sum of a
    few powers of two."""
    width = RANDOM_BITS + level.position_bits
    first, *powers = NEAR_N[level.n]
    c = sum(1 << i for i in (first, *powers)) - level.n
    total, other = ([work + width * i + b for b in range(width)] for i in range(2))
    now = [None] * first + a
    for shift in powers:
        now = add_shifted(code, total, now, a, shift, width)
        total, other = other, total
    for bit in range((level.weight_r - 1 + c).bit_length()):
        k = plane_of(level, group, lambda i: i + c, bit)
        terms = [work + 2 * width + RANDOM_BITS * (bit % 2) + b for b in range(RANDOM_BITS)]
        for place, plane in zip(terms, a, strict=True):
            code.sum_of_products(place, [{"a": plane, "k": k, "in_a": "k", "in_b": "a"}])
        now = add_shifted(code, total, now, terms, bit, width, is_difference=True)
        total, other = other, total
    add_public(code, out, now[RANDOM_BITS:], lambda bit: plane_of(level, group, lambda i: i, bit))


def add_shifted(code, out, x, y, shift, width, is_difference=False):
    """Returns the places of x + y 2^shift, a bit longer if width lets it be, or of x - y 2^shift:
    below the shift those of x."""
    high = x[shift:]
    length = max(len(high), len(y))
    high, low = ([*some, *[None] * (length - len(some))] for some in (high, y))
    end = shift + length
    carry = None if is_difference or end == width else out[end]
    add(code, out[shift:end], high, low, is_difference, carry)
    return [*x[:shift], *out[shift : end + (carry is not None)]]


def make_distinct(code, level, groups, work):
    """A position that one of a higher index has, too, becomes its own index.

    First those that are the same are found. Then, from the highest index on, those that are what
    another one became: its index, which in a lane of a lower index is no smaller number.
    """
    count = 4 * stream_words(level)
    places = [[work + 16 + count * group + i for i in range(count)] for group in range(len(groups))]
    behind = work + 16 + count * len(groups)
    single, far = work, work + 2
    repeated = [work + 1, behind][: len(groups)]
    for group, planes in enumerate(groups):

        def others_of(high, group=group):  # lanes that are not compared with this one
            if high >= level.weight_r:
                return ONES
            return ONES ^ lanes(lane_of(low) for low in range(part_of(high, group)))

        code.add(Step(d=single, k=ONES, add="k"))
        for other in range(group, len(groups)):
            compared = range(WORD * other, WORD * other + -(-part_of(count, other) // 8) * 8)
            indices = map(others_of, compared)
            find_single(code, planes, groups[other], single, behind + 8, list(indices))
        code.add(Step(d=repeated[group], a=single, k=ONES, add="ak"))
        # From the end on.
        find_places(code, planes, far, places[group])
    for other in reversed(range(len(groups))):
        repeat(code, count, other, places, repeated)
    for group, planes in enumerate(groups):
        chain = Chained(code)
        chain.step(a=repeated[group], add="a", keep="sum")
        for i, plane in enumerate(planes):
            k, change = plane_of(level, group, lambda index: index, i), work + 3 + i
            code.add(Step(d=change, a=plane, k=k, add="ak"))
            own = {"a": change, "k": k, "in_a": "c", "in_b": "a", "add": "ak", "product": True}
            chain.step(d=plane, **own)


def repeat(code, count, other, places, repeated):
    """Adds to `repeated` the lanes whose position is an index of a group that is repeated; those of
    groups behind have none of them."""
    words = part_of(count, other) // 4
    first = count - WORD * other - 4 * words
    with code.loop(words, address=4, lane=WORD - 1) as body:
        for q in reversed(range(4)):
            for group in range(other + 1):
                chain = Chained(body)
                place = places[group][first + 3 - q]
                turn = {"b": repeated[other], "turn": Turn("all", 32 * q + words - 1)}
                at = {"a": place, "in_a": "a", "in_b": "t", "product": True, "indexed": "al"}
                chain.step(**turn, **at, keep="sum")
                own = repeated[group]
                either = {"a": own, "in_a": "c", "in_b": "a", "add": "ac", "product": True}
                chain.step(d=own, **either)


def find_single(code, planes, others, single, differ, left_out, refused=None):
    """Leaves in `single` the lanes whose position is none of those of others, as many as there are
    words in left_out, a multiple of 8, the lanes that are not compared with each; nor are any if it
    is `refused`. planes, others: of positions of one group or of two. differ: 14 words."""
    table = code.constants(left_out)
    with code.loop(len(left_out) // 8, lane=2, k=8) as body:
        for i in range(8):
            half, q = divmod(i, 4)
            chain, turn = Chained(body), {"turn": Turn("all", 32 * q + half), "indexed": "l"}
            chain.step(k=table + i, add="k", keep="sum", indexed="k")
            if refused is not None:
                either = {"b": refused, "in_a": "c", "in_b": "t", "add": "tc", "product": True}
                chain.step(**either, **turn, keep="sum")
            for plane, other in zip(planes, others, strict=True):
                last = {"d": differ + i} if plane == planes[-1] else {}
                both = {"a": plane, "b": other, **turn}
                chain.step(**both, **last, in_a="c", in_b="at", add="atc", product=True, keep="sum")
        for d, a, b in ((8, 0, 1), (9, 2, 3), (10, 4, 5), (11, 6, 7), (12, 8, 9), (13, 10, 11)):
            both = {"a": differ + a, "b": differ + b, "in_a": "a", "in_b": "t"}
            body.sum_of_products(differ + d, [both])
        for half in (12, 13):
            one = {"a": single, "b": differ + half, "in_a": "a", "in_b": "t"}
            body.sum_of_products(single, [one])


def find_places(code, planes, far, places):
    """places, from the end on, = the lanes whose position is 0, 1, and so on: a tree."""
    bits = (len(places) - 1).bit_length()
    chain = Chained(code)
    chain.step(a=planes[bits], add="a", keep="sum")
    for plane in planes[bits + 1 :]:
        chain.step(a=plane, in_a="c", in_b="a", add="ac", product=True, keep="sum")
    chain.step(d=far, k=ONES, add="kc")
    nodes = [far]
    for bit in reversed(range(bits)):
        needed = -(-len(places) >> bit)
        # In place, from the last node on: none is written before it is read.
        new = [places[-1 - i] for i in range(needed)]
        for i in reversed(range(len(nodes))):
            both = {"a": nodes[i], "b": planes[bit], "in_a": "a", "in_b": "t"}
            if 2 * i + 1 < needed:
                code.sum_of_products(new[2 * i + 1], [both])
                code.add(Step(d=new[2 * i], a=nodes[i], b=new[2 * i + 1], add="at"))
            else:
                code.sum_of_products(new[2 * i], [{**both, "add": "a"}])
        nodes = new


# --- Positions as sums ----------------------------------------------------------------------------
def split(level, positions, source, first, second, work):
    """Returns the program that makes positions p0 + p1 modulo n, uniform p1 = floor(r n / 2^32).

    source: 32 random planes r a group, in one share alone. 16 words a group each: p0 and p1 as
    numbers of 16 bits, lane 16 i + j of word k that of position index_of(16 i + k); of p0, which is
    to be opened, the shares say no more than it. work: 160 words.
    """
    code = Code()
    for group, planes in enumerate(planes_of(level, positions)):
        a = [source + RANDOM_BITS * group + i for i in range(RANDOM_BITS)]
        split_group(code, level, planes, a, first + 16 * group, second + 16 * group, work)
    return code


def split_group(code, level, p, a, first, second, work):
    bits = level.position_bits
    width = RANDOM_BITS + bits
    total, other = ([work + width * i + b for b in range(width)] for i in range(2))
    borrow, more = (work + 2 * width + i for i in range(2))
    now = a
    for shift in (i for i in range(1, bits) if level.n >> i & 1):
        now = add_shifted(code, total, now, a, shift, width)
        total, other = other, total
    p1 = [work + 100 + i for i in range(16)]
    for i in range(bits):
        refresh(code, p1[i], now[RANDOM_BITS + i])
    clear(code, p1[bits:])
    low, p0 = ([work + 116 + 16 * half + i for i in range(16)] for half in range(2))
    add(code, low[:bits], p, p1[:bits], True, carry=borrow)
    code.add(Step(d=more, a=borrow, k=ONES, add="ak"))
    refresh(code, more, more)  # it comes from the same carries
    n = [more if level.n >> i & 1 else None for i in range(bits)]
    add(code, p0[:bits], low[:bits], n)
    clear(code, p0[bits:])
    for planes, place in ((p0, first), (p1, second)):
        rows = turn_square(code, planes, [work + i for i in range(16)], 16)
        for i in range(16):
            code.add(Step(d=place + i, a=rows[i], add="a"))


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


# --- Encoders -------------------------------------------------------------------------------------
def parity_columns(level, packed, first):
    """Bits from `first` on of the parity's symbols, by each bit of a symbol of the message."""
    g = [1]
    for i in range(1, level.parity + 1):
        g = [a ^ gf_mul(b, ALPHA[i]) for a, b in zip([0, *g], [*g, 0], strict=True)]
    row = [0] * (level.parity - 1) + [1]  # x^(parity - 1 + j) modulo g
    for _ in range(level.k):
        top = row[-1]
        row = [below ^ gf_mul(top, g[j]) for j, below in enumerate([0, *row[:-1]])]
        for b in range(8):
            values = [gf_mul(value, 1 << b) for value in row]
            yield packed.word(dict(enumerate(values)), first)


def message_parts(level):
    """Returns of each word of a message which of its symbols it has."""
    return [range(i, min(i + 16, level.k)) for i in range(0, level.k, 16)]


def send_message(level, symbols, message):
    """Returns the program that puts the message in 8 words of symbols into bytes of its words."""
    code = Code()
    planes = [symbols + b for b in range(8)]
    for i, part in enumerate(message_parts(level)):
        columns = (1 << 8 * j + b for j in range(len(part)) for b in range(8))
        start = level.parity + part.start
        linear_in_loop(code, message + i, planes, start, len(part), 1, columns)
    return code


def take_message(level, message, symbols):
    """Returns the program that puts the bytes of the message's words into 8 words of symbols."""
    code = Code()
    for b in range(8):
        code.sum_of_products(
            symbols + b,
            [
                {
                    "b": message + j // 16,
                    "turn": Turn("all", 8 * (j % 16) + b),
                    "k": 1 << level.parity + j,
                    "in_a": "k",
                    "in_b": "t",
                }
                for j in range(level.k)
            ],
        )
    return code


def encode(level, symbols, words, work):
    """Returns the program that adds the code word of the message in 8 words of symbols to its
    words, side by side those of a symbol. work: 14 words."""
    code = Code()
    received = [symbols + b for b in range(8)]
    packed, copies = Packed(level.parity), level.copies
    parities = [work + i for i in range(len(packed.first))]
    sent = [work + len(parities) + b for b in range(8)]
    for place, first in zip(parities, packed.first, strict=True):
        columns = parity_columns(level, packed, first)
        linear_in_loop(code, place, received, level.parity, level.k, 1, columns)
    message = lanes(message_lanes(level))
    for b in range(8):
        code.sum_of_products(sent[b], [packed.taken(parities, b, (1 << level.parity) - 1)])
        own = {"a": received[b], "b": sent[b], "k": message, "in_a": "k", "in_b": "a", "add": "t"}
        code.sum_of_products(sent[b], [own])
    columns = [with_bit(b) if b < 7 else ONES for b in range(8)]
    with code.loop(level.n1 // 2, address=2 * copies, lane=2) as body:
        for i in range(2):
            word = sent[-1] + 1 + i
            body.sum_of_products(
                word,
                [
                    {
                        "b": sent[b],
                        "turn": Turn("all", i),
                        "k": columns[b],
                        "in_a": "k",
                        "in_b": "t",
                        "indexed": "l",
                    }
                    for b in range(8)
                ],
            )
            for c in range(copies):
                place = words + copies * i + c
                body.add(Step(d=place, a=place, b=word, add="at", indexed="ad"))
    return code
