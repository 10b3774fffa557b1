#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Writes src/gf2m/gf2m_12.c and gf2m_13.c: the constants of the additive Fourier transform over
GF(2^12) and GF(2^13). src/gf2m/gf2m_tables.h says what they are.

usage: generate_gf2m.py [--check]    --check compares with the files instead of writing them
"""

import pathlib
import sys

LEVELS = 8
LANES = 256
FOLDER = pathlib.Path(__file__).parent.parent / "src/gf2m"
FIELDS = ((12, 0x1009), (13, 0x201B))


class Field:
    """GF(2^degree); elements are numbers."""

    def __init__(self, degree, modulus):
        self.degree, self.modulus = degree, modulus

    def multiply(self, a, b):
        product = 0
        for i in range(self.degree):
            if b >> i & 1:
                product ^= a << i
        for i in range(2 * self.degree - 2, self.degree - 1, -1):
            if product >> i & 1:
                product ^= self.modulus << (i - self.degree)
        return product

    def power(self, a, exponent):
        result = 1
        for bit in f"{exponent:b}":
            result = self.multiply(result, result)
            if bit == "1":
                result = self.multiply(result, a)
        return result

    def inverse(self, a):
        return self.power(a, (1 << self.degree) - 2)


def reverse(number, bits):
    return int(format(number, f"0{bits}b")[::-1], 2)


def planes(field, elements):
    """Returns a row of 64-bit words for each bit of the elements."""
    return [
        [
            sum((e >> bit & 1) << i for i, e in enumerate(elements[start : start + 64]))
            for start in range(0, len(elements), 64)
        ]
        for bit in range(field.degree)
    ]


def span_element(basis, index):
    result = 0
    for j, element in enumerate(basis):
        if index >> j & 1:
            result ^= element
    return result


def levels(field):
    """Yields gamma, high and twist of each level."""
    basis = [1 << (field.degree - 1 - j) for j in range(field.degree)]
    for level in range(LEVELS):
        last = basis[-1]
        inverse = field.inverse(last)
        basis = [field.multiply(b, inverse) for b in basis[:-1]]
        half = 1 << len(basis)
        gamma = [span_element(basis[:9], lane & (half - 1)) for lane in range(512)]
        high = (basis[9:] + [0] * 3)[:3]
        twist = [field.power(last, reverse(lane, 8) >> level) for lane in range(LANES)]
        yield planes(field, gamma), high, planes(field, twist)
        basis = [field.multiply(b, b) ^ b for b in basis]


def rows_of_words(rows):
    """Returns the lines of some rows of words."""
    for row in rows:
        lines = [
            ", ".join(f"0x{word:016X}" for word in row[start : start + 4])
            for start in range(0, len(row), 4)
        ]
        yield "     {" + ",\n      ".join(lines) + "},"


def text(field):
    """Returns the file of a field."""
    degree = field.degree
    out = [
        "/* SPDX-License-Identifier: Apache-2.0 OR MIT */",
        "/* Constants of the additive transforms; tools/generate_gf2m.py writes this file. */",
        '#include "gf2m/gf2m_tables.h"\n',
        "/* clang-format off */",
        f"static const struct gf2m_level levels_{degree}[GF2M_LEVELS] = {{",
    ]
    for gamma, high, twist in levels(field):
        out += ["  {.gamma = {", *rows_of_words(gamma)]
        out += [f"   }}, .high = {{{', '.join(map(str, high))}}}, .twist = {{"]
        out += [*rows_of_words(twist), "   }},"]
    out += [
        "};\n",
        f"const struct gf2m_field gf2m_{degree} = {{",
        f"  .degree = {degree}, .modulus = 0x{field.modulus:X}, .levels = levels_{degree},",
        "  .frobenius = {",
    ]
    for k in range(LEVELS + 1):
        images = [field.power(1 << i, 1 << k) for i in range(degree)]
        out.append(f"    {{{', '.join(map(str, images))}}},")
    return "\n".join([*out, "  }};"]) + "\n"


def main():
    for degree, modulus in FIELDS:
        path = FOLDER / f"gf2m_{degree}.c"
        made = text(Field(degree, modulus))
        if sys.argv[1:] != ["--check"]:
            path.write_text(made, encoding="utf-8")
        elif path.read_text(encoding="utf-8") != made:
            sys.exit(f"{path.name} is not what this program writes: run it without --check")


if __name__ == "__main__":
    main()
