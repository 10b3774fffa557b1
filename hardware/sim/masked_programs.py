# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Programs of the masked engine for HQC-1, and the constants in them.

A number is a list of addresses, those of its bits from the lowest on. Refreshes are where factors
would else have sharings that depend on each other, as in the software (src/masked).
"""

from hardware.sim.masked_assembler import Chain, Code
from hardware.sim.masked_engine import STAY, WORD, Step, Turn

HALF = WORD // 2
ONES = (1 << WORD) - 1
SYMBOLS, DELTA, COPIES = 46, 15, 3  # of HQC-1
PARITY = 2 * DELTA
CELLS = 3 * DELTA + 1


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


# --- Steps of which all is made -------------------------------------------------------------------
def lanes(numbers):
    return sum(1 << i for i in numbers)


def swap(lane):
    return Turn("swap", lane)


def with_bit(m):
    """Returns the lanes of whose number bit m is 1."""
    return lanes(i for i in range(WORD) if i >> m & 1)


def refresh(code, d, a):
    code.sum_of_products(d, [{"add": "a", "a": a}])


def select(code, d, k, a, b, turn=STAY):
    """d = turned b in the lanes k, a in the others."""
    code.sum_of_products(
        d, [{"a": a, "b": b, "k": k, "turn": turn, "in_a": "k", "in_b": "at", "add": "a"}]
    )


class Chained:
    """Adds steps of one chain."""

    def __init__(self, code):
        self.code, self.chain = code, Chain()

    def step(self, **step):
        self.code.add(Step(**step), chain=self.chain)


# --- Comparison -----------------------------------------------------------------------------------
def compare(first, second, count, differ, equal, is_begin=True, is_end=True):
    """Returns the program that compares count words at two places.

    Lane 0 of `differ` becomes whether they are not equal, that of `equal` whether they are: two
    results of two computations, one with OR and one with AND, which a fault must change both.
    Several programs, one after the other, compare more words: the first one begins, the last one
    ends, and between them all lanes are results.
    """
    code, unrolled = Code(), 6
    either, both = Chained(code), Chained(code)
    if is_begin:
        either.step(keep="sum")
        both.step(add="k", k=ONES, keep="sum")
    else:
        either.step(a=differ, add="a", keep="sum")
        both.step(a=equal, add="a", keep="sum")
    whole = count // unrolled
    if whole:
        with code.loop(whole, address=unrolled) as body:
            either.code = both.code = body
            for i in range(unrolled):
                compare_word(either, both, {"a": first + i, "b": second + i, "indexed": "ab"})
    either.code = both.code = code
    for i in range(unrolled * whole, count):
        compare_word(either, both, {"a": first + i, "b": second + i})
    either.step(d=differ, add="c")
    both.step(d=equal, add="c")
    for m in reversed(range(7 if is_end else 0)):
        turned = {"turn": swap(1 << m), "in_a": "a", "in_b": "t"}
        code.sum_of_products(differ, [{"a": differ, "b": differ, "add": "at", **turned}])
        code.sum_of_products(equal, [{"a": equal, "b": equal, **turned}])
    return code


def compare_word(either, both, words):
    either.step(**words, in_a="c", in_b="at", add="atc", product=True, keep="sum")
    both.step(**words, in_a="c", in_b="at", product=True, keep="carry")


def choose(accepted, refused, equal, differ, out):
    """Returns the program that gives two words of one secret or the other: either is only there
    where its flag, in lane 0, says so."""
    code = Code()
    for i in range(2):
        code.sum_of_products(
            out + i,
            [
                {"a": secret + i, "b": flag, "turn": Turn("all", 0), "in_a": "a", "in_b": "t"}
                for secret, flag in ((accepted, equal), (refused, differ))
            ],
        )
    return code


# --- Reed-Muller decoder --------------------------------------------------------------------------
AREA = 20  # words of a symbol
VALUE_BITS = 8  # of an absolute value, at most 192


def decode_reed_muller(symbols):
    """Returns the program that decodes 46 symbols; those of lane i become lane i of the 8 words
    `symbols`, other lanes mean nothing.

    Words 20 i to 20 i + 2 hold the three copies of symbol i's code word, lanes are positions.
    """
    code = Code()
    with code.loop(SYMBOLS // 2, address=2 * AREA) as body:
        transform_symbols(body, 2)
    places = [AREA * i + 10 for i in range(SYMBOLS)]
    for m in range(7):
        for place in places:
            play(code, place, m)
        if m < 6:
            for one, other in zip(places[::2], places[1::2], strict=False):
                for plane in range(VALUE_BITS + 2 + m):
                    select(code, one + plane, with_bit(m), one + plane, other + plane, swap(1 << m))
            places = places[::2]
    sign = places[0] + VALUE_BITS
    for bit in range(7):
        code.add(Step(d=symbols + bit, a=sign + 1 + bit, add="a"))
    top = Chained(code)  # positive: neither negative nor zero
    top.step(a=places[0], add="a", keep="sum")
    for plane in range(1, VALUE_BITS):
        top.step(a=places[0] + plane, in_a="c", in_b="a", add="ac", product=True, keep="sum")
    top.step(d=symbols + 7, a=sign, in_a="c", in_b="a", add="c", product=True)
    return code


def transform_symbols(code, count):
    """For so many symbols: the copies' sum, its transform, absolute values at 10 to 17, the signs
    at 18."""
    for area in range(0, count * AREA, AREA):
        near, far = (lambda i, area=area: area + i), (lambda i, area=area: area + 10 + i)
        chain = Chained(code)
        chain.step(a=near(0), add="a", keep="sum", indexed="a")
        chain.step(
            d=far(0),
            a=near(1),
            b=near(2),
            in_a="ac",
            in_b="tc",
            add="atc",
            product=True,
            write_z=False,
            keep="carry",
            indexed="abd",
        )
        chain.step(d=far(1), add="c", indexed="d")
        # A sum less 3 and a difference of numbers of two bits: either with a carry, less 4.
        butterfly(code, [far(0), far(1)], [near(i) for i in range(3)], 0, is_first=True)
        source, target = near, far
        for m in range(1, 7):
            width = m + 2
            numbers = [source(i) for i in range(width)], [target(i) for i in range(width + 1)]
            butterfly(code, *numbers, m)
            source, target = target, source
        absolute(code, [near(i) for i in range(9)], [far(i) for i in range(9)])


def butterfly(code, x, out, m, is_first=False):
    """out = x and its turned one added in lanes with bit m 0, and subtracted in the others."""
    chain, high = Chained(code), with_bit(m)
    every = {"k": high, "turn": swap(1 << m), "indexed": "abd"}
    chain.step(k=ONES if is_first else high, add="k", keep="sum")
    for place, plane in zip(out, x, strict=False):
        chain.step(
            d=place,
            a=plane,
            b=plane,
            in_a="akc",
            in_b="tc",
            add="atkc",
            product=True,
            write_z=False,
            keep="carry",
            **every,
        )
    if is_first:
        chain.step(d=out[-1], k=ONES, add="kc", indexed="d")
    else:
        chain.step(d=out[-1], a=x[-1], b=x[-1], add="atkc", **every)


def absolute(code, x, out):
    """out = the absolute value of x in two's complement, then the sign. The lowest bit is the same
    sum in all lanes, so it needs another sharing in each."""
    *bits, sign = x
    code.add(Step(d=out[0], a=bits[0], add="a", product=True, indexed="ad"))
    code.add(Step(d=out[-1], a=sign, add="a", indexed="ad"))
    chain = Chained(code)
    chain.step(a=sign, add="a", keep="sum", indexed="a")
    for place, plane in zip(out, bits, strict=False):
        half = {"a": plane, "b": sign, "in_a": "c", "in_b": "atc", "product": True}
        if plane == bits[0]:
            chain.step(**half, keep="carry", indexed="ab")
        elif plane == bits[-1]:
            chain.step(d=place, a=plane, b=sign, add="atc", indexed="abd")
        else:
            more = {"add": "atc", "write_z": False, "keep": "carry", "indexed": "abd"}
            chain.step(d=place, **half, **more)


def play(code, place, m):
    """Lets neighbours meet, lanes i with bit m 0 and i + 2^m: in lane i is then the larger absolute
    value, of two equal ones the first, with its sign, and bits 0 to m of its index. What is in the
    other lanes means nothing."""
    chain, turn = Chained(code), swap(1 << m)
    for plane in range(place, place + VALUE_BITS):
        own = "" if plane == place else "c"
        chain.step(
            a=plane,
            b=plane,
            k=ONES,
            turn=turn,
            in_a="ak" + own,
            in_b="t" + own,
            product=True,
            keep="carry" if own else "sum",
        )
    won = place + VALUE_BITS + 1 + m
    chain.step(d=won, add="c", product=True, keep="sum")  # it comes from what it chooses
    for plane in range(place, won):
        both = {"a": plane, "b": plane, "turn": turn, "in_b": "at", "add": "a"}
        chain.step(d=plane, in_a="c", product=True, **both)


# --- Reed-Solomon decoder -------------------------------------------------------------------------
def linear(inputs, columns):
    """Returns factors of a sum of products: inputs, (word, Turn), each times a public word."""
    return [
        {"b": word, "turn": turn, "k": k, "in_a": "k", "in_b": "t"}
        for (word, turn), k in zip(inputs, columns, strict=True)
    ]


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


def syndrome_columns(first):
    """Bits first to first + 3 of the syndromes, in lanes 32 bit + i, by each bit of a symbol."""
    for j in range(SYMBOLS):
        for b in range(8):
            values = [gf_mul(ALPHA[i * j % 255], 1 << b) for i in range(1, PARITY + 1)]
            yield lanes(
                32 * bit + i
                for bit in range(4)
                for i, value in enumerate(values)
                if value >> (first + bit) & 1
            )


MESSAGE = lanes(range(PARITY, SYMBOLS))  # where the message's symbols are
MOVES = [16 * i for i in range(8)]  # of those lanes, by which they do not meet


def value_columns(exponents):
    """What coefficients of z^e for exponents e add to a value at the places of the message, bit b
    in the lanes of the message, each turned by MOVES[b]."""
    for exponent in exponents:
        for b in range(8):
            word = 0
            for j in range(PARITY, SYMBOLS):
                value = gf_mul(ALPHA[-j * exponent % 255], 1 << b)
                word |= lanes(j ^ move for i, move in enumerate(MOVES) if value >> i & 1)
            yield word


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


def decode_reed_solomon(symbols, work):
    """Returns the program that corrects the message in 8 words of symbols, lane i for symbol i.

    Other lanes than those of the message are left; work: the first of 120 words. Berlekamp's
    algorithm without inverses on cells [SS01]: delta in lanes 0 to 45, theta from lane 64 on, gamma
    in lane 127. Its control number k is a word: lane i is 1 for i >= 31 - k.
    """
    code = Code()
    words = [work + 8 * i for i in range(15)]
    received = [symbols + b for b in range(8)]
    cells, moved, factors, sums, new = ([words[i] + b for b in range(8)] for i in range(5))
    number, flag, low, high = (words[5] + i for i in range(4))
    multiples = [words[6] + i for i in range(21)]
    for place, first in ((low, 0), (high, 4)):
        linear_in_loop(code, place, received, 0, SYMBOLS, 1, syndrome_columns(first))
    for b in range(8):
        place = low if b < 4 else high
        code.sum_of_products(
            moved[b],
            [
                {
                    "b": place,
                    "turn": swap(b % 4 * 32),
                    "k": (1 << PARITY) - 1,
                    "in_a": "k",
                    "in_b": "t",
                }
            ],
        )
        # Both begin with the syndromes, so theirs are other masks.
        ends = (CELLS - 1, HALF + CELLS - 1, WORD - 1) if b == 0 else ()
        begin = {"a": moved[b], "b": moved[b], "turn": swap(HALF), "k": lanes(ends), "add": "atk"}
        code.sum_of_products(cells[b], [begin])
    code.add(Step(d=number, k=lanes(range(31, HALF)), add="k"))
    with code.loop(PARITY) as body:
        step_cells(body, cells, moved, factors, sums, new, number, flag, multiples)
    correct(code, received, cells, words)
    return code


def step_cells(code, cells, moved, factors, sums, new, number, flag, multiples):
    for b in range(8):  # delta moves down by a cell; the one that leaves comes to lane 63
        select(code, moved[b], ONES >> HALF, cells[b], cells[b], Turn("next"))
    for b in range(8):  # gamma for delta's lanes, delta's first cell for theta's
        fresh = {"b": moved[b], "turn": Turn("crossed", HALF - 1), "add": "t"}
        code.sum_of_products(factors[b], [fresh])
    multiply(code, sums, factors, moved, multiples)
    for b in range(8):
        both = {"a": sums[b], "b": sums[b], "turn": swap(HALF), "in_a": "k", "in_b": "at"}
        code.sum_of_products(new[b], [{**both, "k": (1 << CELLS) - 1}])
    chain = Chained(code)  # whether theta changes: if the cell is not zero, and k not negative
    chain.step(a=moved[0], add="a", keep="sum")
    for b in range(1, 8):
        chain.step(a=moved[b], in_a="c", in_b="a", add="ac", product=True, keep="sum")
    chain.step(d=flag, b=number, turn=Turn("all", 31), in_a="c", in_b="t", product=True)
    chain = Chained(code)
    chain.step(b=flag, turn=Turn("all", HALF - 1), add="t", product=True, keep="sum")
    change = {"in_a": "c", "in_b": "at", "product": True}
    reflect = {"a": number, "b": number, "turn": swap(HALF - 1), "add": "ac"}
    chain.step(d=flag, **reflect, **change)  # -2 - k, or k
    for b in range(8):
        both = {"a": moved[b], "b": moved[b], "turn": swap(HALF), "add": "a"}
        chain.step(d=sums[b], **both, **change)
    code.add(Step(d=number, b=flag, k=1 << HALF - 1, turn=Turn("next"), add="tk"))  # and 1 more
    for b in range(8):
        upper = {"a": sums[b], "b": new[b], "k": ONES ^ ONES >> HALF, "in_a": "k", "in_b": "a"}
        code.sum_of_products(cells[b], [{**upper, "add": "t"}])


def correct(code, received, cells, words):
    """Adds to the message what is wrong in it."""
    locator, odd, value = (words[9] + i for i in range(3))
    planes = [words[i] for i in (6, 7, 8)]
    even = range(0, DELTA + 1, 2)
    linear_in_loop(code, locator, cells, DELTA, len(even), 2, value_columns(even))
    linear_in_loop(
        code, odd, cells, DELTA + 1, (DELTA + 1) // 2, 2, value_columns(range(1, DELTA + 1, 2))
    )
    code.add(Step(d=locator, a=locator, b=odd, add="at"))
    shifted = [i + PARITY + 1 for i in range(DELTA)]
    linear_in_loop(code, value, cells, 0, DELTA, 1, value_columns(shifted))
    for place, plane in zip((locator, odd, value), planes, strict=True):
        for b in range(8):
            one = {"b": place, "turn": swap(MOVES[b]), "k": MESSAGE, "in_a": "k", "in_b": "t"}
            code.sum_of_products(plane + b, [one])
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
