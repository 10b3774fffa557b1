# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The program of the masked engine that decodes HQC's Reed-Solomon code, and the field."""

from hardware.sim.masked_assembler import Code
from hardware.sim.masked_engine import WORD, Step, Turn
from hardware.sim.masked_programs import HALF, ONES, Chained, lanes, refresh, select, swap


# --- GF(256) --------------------------------------------------------------------------------------
def gf_mul(a, b):
    product = 0
    for i in range(8):
        product ^= a << i if b >> i & 1 else 0
    for i in range(14, 7, -1):
        product ^= 0x11D << (i - 8) if product >> i & 1 else 0
    return product


def powers():
    found = [1]
    while len(found) < 255:
        found.append(gf_mul(found[-1], 2))
    return found


ALPHA = powers()


# --- Linear sums ----------------------------------------------------------------------------------
def linear_in_loop(code, d, planes, start, count, step_lanes, columns):
    """d = the sum of public words times each bit, in all lanes, of `count` elements at lanes start,
    start + step_lanes, ...; columns: 8 words for each element."""
    first = code.constants(columns)
    code.sum_of_products(None, [{}])
    unrolled = 2 if count % 2 == 0 else 1
    with code.loop(count // unrolled, lane=step_lanes * unrolled, k=8 * unrolled) as body:
        body.add(
            *(
                Step(
                    b=planes[b],
                    k=first + 8 * i + b,
                    turn=Turn("all", start + step_lanes * i),
                    in_a="k",
                    in_b="t",
                    product=True,
                    accumulate=True,
                    indexed="lk",
                )
                for i in range(unrolled)
                for b in range(8)
            )
        )
    code.add(Step(d=d, product=True, accumulate=True))


class Packed:
    """Bits of so many elements side by side in words: bit b of one in lane i of all is in lane
    i ^ turns[b] of word words[b]; `first` has the lowest bit of each word."""

    def __init__(self, count):
        size = 1 << (count - 1).bit_length()
        each = WORD // size
        self.turns = [b % each * size for b in range(8)]
        self.words = [b // each for b in range(8)]
        self.first = range(0, 8, each)
        self.each = each

    def word(self, values, first):
        """Returns the word with bits from `first` on of {lane: value}."""
        return lanes(
            lane ^ self.turns[b]
            for b in range(first, first + self.each)
            for lane, value in values.items()
            if value >> b & 1
        )

    def taken(self, places, b, k):
        """Returns the factor that is bit b, in the lanes k, of the elements in words at places."""
        turn = swap(self.turns[b])
        return {"b": places[self.words[b]], "turn": turn, "k": k, "in_a": "k", "in_b": "t"}


def syndrome_columns(level, packed, first):
    """Bits from `first` on of the syndromes, by each bit of a symbol."""
    for j in range(level.n1):
        for b in range(8):
            values = [gf_mul(ALPHA[i * j % 255], 1 << b) for i in range(1, level.parity + 1)]
            yield packed.word(dict(enumerate(values)), first)


def message_lanes(level):
    """Where the message's symbols are."""
    return range(level.parity, level.n1)


def value_columns(level, packed, first, exponents):
    """What coefficients of z^e for exponents e add to bits from `first` on of a value at the places
    of the message."""
    for exponent in exponents:
        for b in range(8):
            places = message_lanes(level)
            values = {j: gf_mul(ALPHA[-j * exponent % 255], 1 << b) for j in places}
            yield packed.word(values, first)


# --- Elements in planes ---------------------------------------------------------------------------
def times_x(code, planes, new):
    """Returns the planes of x times an element: three new words."""
    *low, top = planes
    for place, below in zip(new, (1, 2, 3), strict=True):
        code.add(Step(d=place, a=low[below], b=top, add="at"))
    return [top, low[0], *new, *low[4:]]


def multiply(code, out, x, y, work):
    """out = x y in GF(256); work: 21 words."""
    multiples = [y]
    for i in range(7):
        multiples.append(times_x(code, multiples[-1], work[3 * i : 3 * i + 3]))
    for d in range(8):
        code.sum_of_products(
            out[d],
            [
                {"a": a, "b": z[d], "in_a": "a", "in_b": "t"}
                for a, z in zip(x, multiples, strict=True)
            ],
        )


def square(code, out, x):
    """out = x^2: linear."""
    rows = [gf_mul(1 << b, 1 << b) for b in range(8)]
    for d in range(8):
        words = [x[b] for b in range(8) if rows[b] >> d & 1]
        place = words.pop(0)
        if not words:
            code.add(Step(d=out[d], a=place, add="a"))
        for word in words:
            code.add(Step(d=out[d], a=place, b=word, add="at"))
            place = out[d]


def invert(code, out, x, work):
    """out = x^254 [RP10]; work: 60 words; x is kept."""
    area = [work[8 * i : 8 * i + 8] for i in range(4)]
    x2, x3, x12, fresh = area
    more = work[32:53]
    square(code, x2, x)
    for b in range(8):
        refresh(code, fresh[b], x2[b])  # x and x^2
    multiply(code, x3, x, fresh, more)
    square(code, out, x3)
    square(code, x12, out)
    for b in range(8):
        refresh(code, fresh[b], x12[b])  # x^3 and x^12
    multiply(code, out, x3, fresh, more)
    for one, other in ((x3, out), (out, x3), (x3, out), (out, x3)):
        square(code, one, other)
    multiply(code, x3, out, x12, more)  # (x^15)^16 x^12
    multiply(code, out, x3, x2, more)


# --- Decoder --------------------------------------------------------------------------------------
def decode_reed_solomon(level, symbols, work):
    """Returns the program that corrects the message in 8 words of symbols, lane i for symbol i.

    Other lanes than those of the message are left; work: the first of 120 words.
    """
    code = Code()
    words = [work + 8 * i for i in range(15)]
    received = [symbols + b for b in range(8)]
    packed = Packed(level.parity)
    syndromes = [words[5] + 2 + i for i in range(len(packed.first))]
    for place, first in zip(syndromes, packed.first, strict=True):
        columns = syndrome_columns(level, packed, first)
        linear_in_loop(code, place, received, 0, level.n1, 1, columns)
    find = find_locator if level.cells <= HALF else find_long_locator
    cells = find(code, level, packed, syndromes, words)
    correct(code, level, received, cells, words)
    return code


def find_locator(code, level, packed, syndromes, words):
    """Returns the places of the cells after Berlekamp's algorithm without inverses on cells [SS01]:
    delta in lanes from 0 on, theta from lane 64 on, gamma in lane 127. Its control number k is a
    word: lane i is 1 for i >= 31 - k."""
    cells, moved, factors, sums, new = ([words[i] + b for b in range(8)] for i in range(5))
    number, flag = (words[5] + i for i in range(2))
    multiples = [words[6] + i for i in range(21)]
    for b in range(8):
        syndrome = packed.taken(syndromes, b, (1 << level.parity) - 1)
        code.sum_of_products(moved[b], [syndrome])
        # Both begin with the syndromes, so theirs are other masks.
        ends = (level.cells - 1, HALF + level.cells - 1, WORD - 1) if b == 0 else ()
        begin = {"a": moved[b], "b": moved[b], "turn": swap(HALF), "k": lanes(ends), "add": "atk"}
        code.sum_of_products(cells[b], [begin])
    code.add(Step(d=number, k=lanes(range(31, HALF)), add="k"))
    with code.loop(level.parity) as body:
        planes = (cells, moved, factors, sums, new)
        step_cells(body, level.cells, *planes, number, flag, multiples)
    return cells


def step_cells(code, count, cells, moved, factors, sums, new, number, flag, multiples):
    for b in range(8):  # delta moves down by a cell; the one that leaves comes to lane 63
        select(code, moved[b], ONES >> HALF, cells[b], cells[b], Turn("next"))
    for b in range(8):  # gamma for delta's lanes, delta's first cell for theta's
        fresh = {"b": moved[b], "turn": Turn("crossed", HALF - 1), "add": "t"}
        code.sum_of_products(factors[b], [fresh])
    multiply(code, sums, factors, moved, multiples)
    for b in range(8):
        both = {"a": sums[b], "b": sums[b], "turn": swap(HALF), "in_a": "k", "in_b": "at"}
        code.sum_of_products(new[b], [{**both, "k": (1 << count) - 1}])
    chain = change_of(code, moved, number, flag, HALF)
    for b in range(8):
        both = {"a": moved[b], "b": moved[b], "turn": swap(HALF), "add": "a"}
        chain.step(d=sums[b], **both, **CHANGE)
    code.add(Step(d=number, b=flag, k=1 << HALF - 1, turn=Turn("next"), add="tk"))  # and 1 more
    for b in range(8):
        upper = {"a": sums[b], "b": new[b], "k": ONES ^ ONES >> HALF, "in_a": "k", "in_b": "a"}
        code.sum_of_products(cells[b], [{**upper, "add": "t"}])


CHANGE = {"in_a": "c", "in_b": "at", "product": True}


def change_of(code, moved, number, flag, size):
    """Returns a chain that has kept whether theta changes: if the cell, which has left to the last
    of `size` lanes, is not zero, and k not negative. Then flag, k before, is -2 - k."""
    chain = Chained(code)
    chain.step(a=moved[0], add="a", keep="sum")
    for b in range(1, 8):
        chain.step(a=moved[b], in_a="c", in_b="a", add="ac", product=True, keep="sum")
    sign = Turn("all", size // 2 - 1)
    chain.step(d=flag, b=number, turn=sign, in_a="c", in_b="t", product=True)
    chain = Chained(code)
    chain.step(b=flag, turn=Turn("all", size - 1), add="t", product=True, keep="sum")
    reflect = {"a": number, "b": number, "turn": swap(size - 1), "add": "ac"}
    chain.step(d=flag, **reflect, **CHANGE)  # -2 - k, or k
    return chain


def find_long_locator(code, level, packed, syndromes, words):
    """As find_locator, with more cells than half a word has lanes: delta has words, theta with
    gamma in lane 127 others, and of k lane i is 1 for i >= 63 - k."""
    cells, moved, factors, sums, new = ([words[i] + b for b in range(8)] for i in range(5))
    theta, gamma = ([words[i] + b for b in range(8)] for i in (9, 10))
    number, flag, turned = (words[11] + i for i in range(3))
    multiples = [words[6] + i for i in range(21)]
    for b in range(8):
        syndrome = packed.taken(syndromes, b, (1 << level.parity) - 1)
        code.sum_of_products(moved[b], [syndrome])
        # Both begin with the syndromes, so theirs are other masks.
        for planes, ends in ((cells, (level.cells - 1,)), (theta, (level.cells - 1, WORD - 1))):
            begin = {"a": moved[b], "k": lanes(ends if b == 0 else ()), "add": "ak"}
            code.sum_of_products(planes[b], [begin])
    code.add(Step(d=number, k=lanes(range(63, WORD)), add="k"))
    with code.loop(level.parity) as body:
        for b in range(8):  # delta moves down by a cell; the one that leaves comes to lane 127
            move_down(body, moved[b], cells[b], turned + b % 2)
        for b in range(8):
            cell = {"b": moved[b], "turn": Turn("all", WORD - 1), "add": "t"}
            body.sum_of_products(factors[b], [cell])
            body.sum_of_products(gamma[b], [{**cell, "b": theta[b]}])
        multiply(body, sums, gamma, moved, multiples)
        multiply(body, new, factors, theta, multiples)
        for b in range(8):
            both = {"a": sums[b], "b": new[b], "k": (1 << level.cells) - 1}
            body.sum_of_products(cells[b], [{**both, "in_a": "k", "in_b": "at"}])
        chain = change_of(body, moved, number, flag, WORD)
        for b in range(8):
            chain.step(d=theta[b], a=theta[b], b=moved[b], add="a", **CHANGE)
        move_down(body, flag, flag, turned)
        body.add(Step(d=number, a=flag, k=1 << WORD - 1, add="ak"))  # and 1 more
    return cells


def move_down(code, d, a, work):
    """d = a, each lane of which has moved down by one, the first one to the last."""
    ends = lanes((HALF - 1, WORD - 1))
    code.add(Step(d=work, b=a, turn=Turn("next"), add="t"))
    select(code, d, ends, work, work, swap(HALF))


def correct(code, level, received, cells, words):
    """Adds to the message what is wrong in it."""
    delta, packed = level.delta, Packed(level.k)
    parts = [words[9] + 3 * i for i in range(len(packed.first))]
    locator, odd, value = ([part + i for part in parts] for i in range(3))
    planes = [words[i] for i in (6, 7, 8)]
    even = range(0, delta + 1, 2)
    shifted = [i + level.parity + 1 for i in range(delta)]
    for i, first in enumerate(packed.first):
        for place, start, step, exponents in (
            (locator[i], delta, 2, even),
            (odd[i], delta + 1, 2, range(1, delta + 1, 2)),
            (value[i], 0, 1, shifted),
        ):
            columns = value_columns(level, packed, first, exponents)
            linear_in_loop(code, place, cells, start, len(exponents), step, columns)
            if place == odd[i]:
                code.add(Step(d=locator[i], a=locator[i], b=odd[i], add="at"))
    message = lanes(message_lanes(level))
    for places, plane in zip((locator, odd, value), planes, strict=True):
        for b in range(8):
            code.sum_of_products(plane + b, [packed.taken(places, b, message)])
    at_roots, odds, values = ([plane + b for b in range(8)] for plane in planes)
    inverse = [words[0] + b for b in range(8)]
    invert(
        code, inverse, odds, [words[1] + i for i in range(40)] + [words[10] + i for i in range(20)]
    )
    errors = [words[9] + b for b in range(8)]
    multiply(code, errors, inverse, values, [words[10] + i for i in range(21)])
    chain = Chained(code)
    chain.step(a=at_roots[0], add="a", keep="sum")
    for b in range(1, 8):
        chain.step(a=at_roots[b], in_a="c", in_b="a", add="ac", product=True, keep="sum")
    for b in range(8):
        chain.step(d=errors[b], a=errors[b], in_a="c", in_b="a", add="a", product=True)
    for b in range(8):
        code.add(Step(d=received[b], a=received[b], b=errors[b], add="at"))
