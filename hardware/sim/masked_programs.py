# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Programs of the masked engine for HQC, and the constants in them; `level` is a Level.

A number is a list of addresses, those of its bits from the lowest on. Refreshes are where factors
would else have sharings that depend on each other, as in the software (src/masked).
"""

from hardware.sim.masked_assembler import Chain, Code
from hardware.sim.masked_engine import STAY, WORD, Step, Turn

HALF = WORD // 2
ONES = (1 << WORD) - 1


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
def value_bits(level):
    """Of an absolute value, at most 64 for each copy."""
    return (64 * level.copies).bit_length()


def area(level):
    """Words of a symbol: two numbers, the second one with its sign and a bit more."""
    return 2 * (value_bits(level) + 2)


def decode_reed_muller(level, symbols):
    """Returns the program that decodes all symbols; those of lane i become lane i of the 8 words
    `symbols`, other lanes mean nothing.

    The first words of each area hold the copies of a symbol's code word, lanes are positions.
    """
    code, bits = Code(), value_bits(level)
    with code.loop(level.n1 // 2, address=2 * area(level)) as body:
        transform_symbols(body, level, 2)
    places = [area(level) * i + area(level) // 2 for i in range(level.n1)]
    for m in range(7):
        for place in places:
            play(code, place, m, bits)
        if len(places) > 1:
            for one, other in zip(places[::2], places[1::2], strict=False):
                for plane in range(bits + 2 + m):
                    select(code, one + plane, with_bit(m), one + plane, other + plane, swap(1 << m))
            places = places[::2]
    sign = places[0] + bits
    for bit in range(7):
        code.add(Step(d=symbols + bit, a=sign + 1 + bit, add="a"))
    top = Chained(code)  # positive: neither negative nor zero
    top.step(a=places[0], add="a", keep="sum")
    for plane in range(1, bits):
        top.step(a=places[0] + plane, in_a="c", in_b="a", add="ac", product=True, keep="sum")
    top.step(d=symbols + 7, a=sign, in_a="c", in_b="a", add="c", product=True)
    return code


def transform_symbols(code, level, count):
    """For so many symbols: the copies' sum, its transform, absolute values in the second half of
    each area, the signs behind them."""
    bits, size = value_bits(level), area(level)
    for first in range(0, count * size, size):
        near = [first + i for i in range(size // 2)]
        far = [place + size // 2 for place in near]
        digit = sum_of_copies(code, near[: level.copies], far)
        # A sum less the copies and a difference: either with a carry, less 2 to the power of bits.
        butterfly(code, digit, near[: len(digit) + 1], 0, is_first=True)
        source, target = near, far
        for m in range(1, 7):
            width = m + len(digit)
            butterfly(code, source[:width], target[: width + 1], m)
            source, target = target, source
        absolute(code, near[: bits + 1], far[: bits + 1])


def sum_of_copies(code, copies, out):
    """Returns the places, of those in `out`, of the sum of three bits, or of five and 1."""
    if len(copies) == 3:
        full_adder(code, out[0], out[1], copies)
        return out[:2]
    full_adder(code, out[3], out[4], copies[:3])
    full_adder(code, out[5], out[6], [out[3], *copies[3:]])
    code.add(Step(d=out[0], a=out[5], k=ONES, add="ak", indexed="ad"))
    full_adder(code, out[1], out[2], [out[5], out[4], out[6]])
    return out[:3]


def full_adder(code, total, carry, bits):
    chain = Chained(code)
    chain.step(a=bits[0], add="a", keep="sum", indexed="a")
    chain.step(
        d=total,
        a=bits[1],
        b=bits[2],
        in_a="ac",
        in_b="tc",
        add="atc",
        product=True,
        write_z=False,
        keep="carry",
        indexed="abd",
    )
    chain.step(d=carry, add="c", indexed="d")


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


def play(code, place, m, bits):
    """Lets neighbours meet, lanes i with bit m 0 and i + 2^m: in lane i is then the larger absolute
    value of so many bits, of two equal ones the first, with its sign, and bits 0 to m of its index.
    What is in the other lanes means nothing."""
    chain, turn = Chained(code), swap(1 << m)
    for plane in range(place, place + bits):
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
    won = place + bits + 1 + m
    chain.step(d=won, add="c", product=True, keep="sum")  # it comes from what it chooses
    for plane in range(place, won):
        both = {"a": plane, "b": plane, "turn": turn, "in_b": "at", "add": "a"}
        chain.step(d=plane, in_a="c", product=True, **both)
