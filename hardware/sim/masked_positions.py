# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Programs of the masked engine that make and send positions and code words of HQC-1: the sampler
of fixed weight, positions as sums, the encoders."""

from hardware.sim.masked_assembler import Code
from hardware.sim.masked_engine import WORD, Step, Turn
from hardware.sim.masked_programs import (
    ALPHA,
    MESSAGE,
    ONES,
    PARITY,
    SYMBOLS,
    Chained,
    gf_mul,
    lanes,
    linear_in_loop,
    refresh,
    select,
    swap,
    with_bit,
)

N, WEIGHT = 17669, 75
POSITION_BITS = 15
RANDOM_BITS = 32  # of what a position is made of
STREAM_WORDS = -(-WEIGHT * RANDOM_BITS // WORD)


# --- Where positions are --------------------------------------------------------------------------
def index_of(lane):
    """Returns which position is in a lane: of words of four numbers each, turned."""
    return 4 * (lane % 32) + lane // 32


def lane_of(index):
    return 32 * (index % 4) + index // 4


USED = lanes(lane for lane in range(WORD) if index_of(lane) < WEIGHT)


def plane_of(numbers, bit):
    """Returns the public plane of a bit of numbers(index)."""
    return lanes(i for i in range(WORD) if USED >> i & 1 and numbers(index_of(i)) >> bit & 1)


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


def add_public(code, out, x, numbers):
    """out = x + a public number in each lane."""
    chain = Chained(code)
    chain.step(keep="sum")
    for i, (d, b) in enumerate(zip(out, x, strict=True)):
        k = plane_of(numbers, i)
        product = {"in_a": "kc", "in_b": "tc", "product": True, "write_z": False, "keep": "carry"}
        chain.step(d=d, b=b, k=k, add="ktc", **(product if i + 1 < len(out) else {}))


# --- Sampler of fixed weight ----------------------------------------------------------------------
def sample_fixed(stream, positions, work):
    """Returns the program that makes 75 positions [HQC, 5.3] of 19 words of the stream, in 15 words
    as planes; lane_of says in which lanes. work: the first of 250 words; stream may be in it."""
    code = Code()
    rows = [stream + i for i in range(32)]
    for place in rows[STREAM_WORDS:]:
        code.add(Step(d=place))
    planes = turn_square(code, rows, [work + i for i in range(32)], 32)
    planes = scaled(code, planes, [positions + i for i in range(POSITION_BITS)], work + 64)
    make_distinct(code, planes, work)
    return code


def scaled(code, a, out, work):
    """out = i + floor(a (n - i) / 2^32), with n - i = 2^14 + 2^10 + 2^8 + 2^3 - (i + 3)."""
    width = RANDOM_BITS + POSITION_BITS
    total, other = ([work + width * i + b for b in range(width)] for i in range(2))
    now = [None] * 3 + a
    for shift in (8, 10, 14):
        now = add_shifted(code, total, now, a, shift, width)
        total, other = other, total
    for bit in range(7):
        k = plane_of(lambda i: i + 3, bit)
        terms = [work + 2 * width + RANDOM_BITS * (bit % 2) + b for b in range(RANDOM_BITS)]
        for place, plane in zip(terms, a, strict=True):
            code.sum_of_products(place, [{"a": plane, "k": k, "in_a": "k", "in_b": "a"}])
        now = add_shifted(code, total, now, terms, bit, width, is_difference=True)
        total, other = other, total
    add_public(code, out, now[RANDOM_BITS:], lambda i: i)
    return out


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


def make_distinct(code, planes, work):
    """A position that one of a higher index has, too, becomes its own index.

    First those that are the same are found. Then, from the highest index on, those that are what
    another one became: its index, which in a lane of a lower index is no smaller number.
    """
    single, repeated, far = (work + i for i in range(3))
    differ = [work + 3 + i for i in range(8)]
    places = [work + 16 + i for i in range(4 * STREAM_WORDS)]  # lanes with position j; from the end

    def others_of(high):  # lanes that are not compared with this one
        return ONES ^ lanes(lane_of(low) for low in range(high if high < WEIGHT else 0))

    find_single(code, planes, single, work + 100, 80, others_of)
    code.add(Step(d=repeated, a=single, k=ONES, add="ak"))
    find_places(code, planes, far, places)
    with code.loop(STREAM_WORDS, address=4, lane=WORD - 1) as body:
        for q in reversed(range(4)):
            chain = Chained(body)
            turn = {"b": repeated, "turn": Turn("all", 32 * q + STREAM_WORDS - 1)}
            at = {"a": places[3 - q], "in_a": "a", "in_b": "t", "product": True, "indexed": "al"}
            chain.step(**turn, **at, keep="sum")
            either = {"a": repeated, "in_a": "c", "in_b": "a", "add": "ac", "product": True}
            chain.step(d=repeated, **either)
    chain = Chained(code)
    chain.step(a=repeated, add="a", keep="sum")
    for i, plane in enumerate(planes):
        k, change = plane_of(lambda index: index, i), differ[0] + i
        code.add(Step(d=change, a=plane, k=k, add="ak"))
        own = {"a": change, "k": k, "in_a": "c", "in_b": "a", "add": "ak", "product": True}
        chain.step(d=plane, **own)


def find_single(code, planes, single, differ, count, others_of, refused=None):
    """single = the lanes whose position is none of `count` positions, a multiple of 8, each of
    which is compared with all lanes but others_of(index), unless it is `refused`. differ: 14
    words."""
    code.add(Step(d=single, k=ONES, add="k"))
    table = code.constants(others_of(index) for index in range(count))
    with code.loop(count // 8, lane=2, k=8) as body:
        for i in range(8):
            half, q = divmod(i, 4)
            chain, turn = Chained(body), {"turn": Turn("all", 32 * q + half), "indexed": "l"}
            chain.step(k=table + i, add="k", keep="sum", indexed="k")
            if refused is not None:
                either = {"b": refused, "in_a": "c", "in_b": "t", "add": "tc", "product": True}
                chain.step(**either, **turn, keep="sum")
            for plane in planes:
                last = {"d": differ + i} if plane == planes[-1] else {}
                both = {"a": plane, "b": plane, **turn}
                chain.step(**both, **last, in_a="c", in_b="at", add="atc", product=True, keep="sum")
        for d, a, b in ((8, 0, 1), (9, 2, 3), (10, 4, 5), (11, 6, 7), (12, 8, 9), (13, 10, 11)):
            both = {"a": differ + a, "b": differ + b, "in_a": "a", "in_b": "t"}
            body.sum_of_products(differ + d, [both])
        for half in (12, 13):
            one = {"a": single, "b": differ + half, "in_a": "a", "in_b": "t"}
            body.sum_of_products(single, [one])


def find_places(code, planes, far, places):
    """places, from the end on, = the lanes whose position is 0, 1, and so on: a tree."""
    chain = Chained(code)
    chain.step(a=planes[7], add="a", keep="sum")
    for plane in planes[8:]:
        chain.step(a=plane, in_a="c", in_b="a", add="ac", product=True, keep="sum")
    chain.step(d=far, k=ONES, add="kc")
    nodes = [far]
    for bit in reversed(range(7)):
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
def split(positions, source, first, second, work):
    """Returns the program that makes positions p0 + p1 modulo n, uniform p1 = floor(r n / 2^32).

    source: 32 random planes r, in one share alone. 16 words each: p0 and p1 as numbers of 16 bits,
    lane 16 i + j of word k that of position index_of(16 i + k); of p0, which is to be opened, the
    shares say no more than it. work: 160 words.
    """
    code = Code()
    a = [source + i for i in range(RANDOM_BITS)]
    width = RANDOM_BITS + POSITION_BITS
    total, other = ([work + width * i + b for b in range(width)] for i in range(2))
    borrow, more = (work + 2 * width + i for i in range(2))
    now = a
    for shift in (2, 8, 10, 14):  # n = 1 + 2^2 + 2^8 + 2^10 + 2^14
        now = add_shifted(code, total, now, a, shift, width)
        total, other = other, total
    p1 = [work + 100 + i for i in range(16)]
    for i in range(POSITION_BITS):
        refresh(code, p1[i], now[RANDOM_BITS + i])
    code.add(Step(d=p1[15]))
    p = [positions + i for i in range(POSITION_BITS)]
    low, p0 = ([work + 116 + 16 * half + i for i in range(16)] for half in range(2))
    add(code, low[:POSITION_BITS], p, p1[:POSITION_BITS], True, carry=borrow)
    code.add(Step(d=more, a=borrow, k=ONES, add="ak"))
    refresh(code, more, more)  # it comes from the same carries
    n = [more if N >> i & 1 else None for i in range(POSITION_BITS)]
    add(code, p0[:POSITION_BITS], low[:POSITION_BITS], n)
    code.add(Step(d=p0[15]))
    for planes, place in ((p0, first), (p1, second)):
        rows = turn_square(code, planes, [work + i for i in range(16)], 16)
        for i in range(16):
            code.add(Step(d=place + i, a=rows[i], add="a"))
    return code


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
def parity_columns(first):
    """Bits first to first + 3 of the parity's symbols, in lanes 32 bit + i, by each bit of a symbol
    of the message."""
    g = [1]
    for i in range(1, PARITY + 1):
        g = [a ^ gf_mul(b, ALPHA[i]) for a, b in zip([0, *g], [*g, 0], strict=True)]
    row = [0] * (PARITY - 1) + [1]  # x^(29 + j) modulo g
    for _ in range(SYMBOLS - PARITY):
        top = row[-1]
        row = [below ^ gf_mul(top, g[j]) for j, below in enumerate([0, *row[:-1]])]
        for b in range(8):
            values = [gf_mul(value, 1 << b) for value in row]
            yield lanes(
                32 * bit + i
                for bit in range(4)
                for i, value in enumerate(values)
                if value >> (first + bit) & 1
            )


def send_message(symbols, message):
    """Returns the program that puts the message in 8 words of symbols into bytes of a word."""
    code = Code()
    columns = (1 << 8 * j + b for j in range(SYMBOLS - PARITY) for b in range(8))
    planes = [symbols + b for b in range(8)]
    linear_in_loop(code, message, planes, PARITY, SYMBOLS - PARITY, 1, columns)
    return code


def take_message(message, symbols):
    """Returns the program that puts the bytes of a word into 8 words of symbols."""
    code = Code()
    for b in range(8):
        code.sum_of_products(
            symbols + b,
            [
                {
                    "b": message,
                    "turn": Turn("all", 8 * j + b),
                    "k": 1 << PARITY + j,
                    "in_a": "k",
                    "in_b": "t",
                }
                for j in range(SYMBOLS - PARITY)
            ],
        )
    return code


def encode(symbols, words, work):
    """Returns the program that adds the code word of the message in 8 words of symbols to 138
    words, of which three are a symbol's. work: 12 words."""
    code = Code()
    received = [symbols + b for b in range(8)]
    low, high = work, work + 1
    sent = [work + 2 + b for b in range(8)]
    for place, first in ((low, 0), (high, 4)):
        columns = parity_columns(first)
        linear_in_loop(code, place, received, PARITY, SYMBOLS - PARITY, 1, columns)
    for b in range(8):
        parity = {"b": low if b < 4 else high, "turn": swap(b % 4 * 32), "k": (1 << PARITY) - 1}
        code.sum_of_products(sent[b], [{**parity, "in_a": "k", "in_b": "t"}])
        own = {"a": received[b], "b": sent[b], "k": MESSAGE, "in_a": "k", "in_b": "a", "add": "t"}
        code.sum_of_products(sent[b], [own])
    columns = [with_bit(b) if b < 7 else ONES for b in range(8)]
    with code.loop(SYMBOLS // 2, address=6, lane=2) as body:
        for i in range(2):
            word = work + 10 + i
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
            for c in range(3):
                place = words + 3 * i + c
                body.add(Step(d=place, a=place, b=word, add="at", indexed="ad"))
    return code
