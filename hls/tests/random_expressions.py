# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Expressions of random programs: unsigned arithmetic, into which numbers with a sign come."""

import dataclasses

TYPES = {
    "uint8_t": (8, False),
    "int8_t": (8, True),
    "uint16_t": (16, False),
    "int16_t": (16, True),
    "uint32_t": (32, False),
    "int32_t": (32, True),
    "uint64_t": (64, False),
    "int64_t": (64, True),
}
EDGES = ("0u", "1u", "2u", "127u", "128u", "0x7fffu", "0x8000u", "0x7fffffffu", "0x80000000u")
DIVISORS = (2, 3, 5, 7, 8, 10, 12, 25, 100, 127, 255, 256, 641, 1000, 3329, 12289, 65535, 8380417)
SMALL = ("uint8_t", "int8_t", "uint16_t", "int16_t")
SIGNED = ("int8_t", "int16_t", "int32_t")
ORDERS = ("<", "<=", "==", "!=", ">", ">=")


@dataclasses.dataclass
class Array:
    name: str
    kind: str
    length: int
    written: bool = True
    columns: int = 0  # of an array of two dimensions


class Expressions:
    """Draws expressions of type uint32_t; what a program has is `name`_..."""

    def __init__(self, rng, name):
        self.rng, self.name = rng, name
        self.tables: list[Array] = []
        self.forms = [
            *[self.two] * 4,
            self.shift,
            self.fixed_shift,
            self.signed_shift,
            self.choice,
            self.cast,
            self.from_table,
            self.division,
            self.signed_division,
            self.count,
            self.high_product,
            self.rotation,
            self.clamp,
            self.complement,
        ]

    def pick(self, *several):
        return self.rng.choice(several)

    def chance(self, percent):
        return self.rng.randrange(100) < percent

    def expression(self, names, depth=3):
        if depth == 0 or self.chance(15):
            return self.leaf(names)
        return self.pick(*self.forms)(lambda: self.expression(names, depth - 1), names)

    def leaf(self, names):
        roll = self.rng.randrange(10)
        if names and roll < 7:
            return f"(uint32_t){self.pick(*names)}"
        return self.pick(*EDGES) if roll < 8 else f"{self.rng.getrandbits(32)}u"

    def condition(self, names):
        return f"{self.typed(names)} {self.pick(*ORDERS)} {self.typed(names)}"

    def typed(self, names):
        return f"({self.pick(*TYPES)}){self.expression(names, 1)}"

    def two(self, inner, _):
        return f"({inner()} {self.pick('+', '-', '*', '&', '|', '^')} {inner()})"

    def shift(self, inner, _):
        return f"({inner()} {self.pick('<<', '>>')} ({inner()} & 31u))"

    def fixed_shift(self, inner, _):
        return f"({inner()} {self.pick('<<', '>>')} {self.rng.randrange(1, 32)})"

    def signed_shift(self, inner, _):
        return f"(uint32_t)(({self.pick(*SIGNED)}){inner()} >> {self.rng.randrange(8)})"

    def choice(self, inner, _):
        order, kind = self.pick(*ORDERS), self.pick(*TYPES)
        return f"(({kind}){inner()} {order} ({kind}){inner()} ? {inner()} : {inner()})"

    def cast(self, inner, _):
        return f"(uint32_t)({self.pick(*SMALL)})({inner()})"

    def from_table(self, inner, _):
        if not self.tables:
            return inner()
        table = self.pick(*self.tables)
        return f"(uint32_t){table.name}[({inner()}) % {table.length}u]"

    def division(self, inner, _):
        return f"({inner()} {self.pick('/', '%')} {self.pick(*DIVISORS)}u)"

    def signed_division(self, inner, _):
        sign, kind, by = self.pick("", "", "-"), self.pick(*SIGNED), self.pick(*DIVISORS)
        if self.chance(50):  # by less than -1, so it is inside of the type
            return f"(uint32_t)(({kind}){inner()} {self.pick('/', '%')} {sign}{by})"
        return f"(uint32_t)((int64_t)({kind}){inner()} {self.pick('/', '%')} {sign}{by})"

    def count(self, inner, _):
        what = self.pick("popcount(", "clz(1u | ", "ctz(0x80000000u | ", "bswap32(", "ffs(")
        return f"(uint32_t)__builtin_{what}{inner()})"

    def high_product(self, inner, _):
        return f"(uint32_t)(((uint64_t){inner()} * {inner()}) >> {self.rng.randrange(40)})"

    def rotation(self, _, names):
        places, value = self.rng.randrange(1, 32), self.pick(*names) if names else "7u"
        return f"((uint32_t){value} << {places} | (uint32_t){value} >> {32 - places})"

    def clamp(self, inner, _):
        kind = self.pick("int16_t", "int8_t")
        high = (1 << TYPES[kind][0] - 1) - 1
        both = f"(int32_t)({kind}){inner()} {self.pick('+', '-')} ({kind}){inner()}"
        return f"{self.name}_clamp({both}, {-high - 1}, {high})"

    def complement(self, inner, _):
        return f"(~{inner()})"
