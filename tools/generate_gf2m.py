#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Writes src/mceliece/goppa/gf2m/gf2m_12.c and gf2m_13.c: the constants of the additive Fourier
transform over GF(2^12) and GF(2^13). src/mceliece/goppa/gf2m/gf2m_tables.h says what they are. And
gf2m_12_m4.c and gf2m_13_m4.c, the same for the Cortex-M4, as gf2m_m4.h says.

usage: generate_gf2m.py [--check]    --check compares with the files instead of writing them
"""

import pathlib
import sys

LEVELS = 8
LANES = 256
FOLDER = pathlib.Path(__file__).parent.parent / "src/mceliece/goppa/gf2m"
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


class Tower(Field):
    """GF(2^12) as GF(2^6)[y] modulo y^2 + y + 1/x, GF(2^6) as GF(2)[x] modulo x^6 + x + 1; bits 0
    to 5 of an element are the constant."""

    SMALL, INVERSE_OF_X = Field(6, 0b1000011), 0b100001

    def multiply(self, a, b):
        a0, a1, b0, b1 = a & 63, a >> 6, b & 63, b >> 6
        small = self.SMALL.multiply
        low, high = small(a0, b0), small(a1, b1)
        middle = small(a0 ^ a1, b0 ^ b1)
        return low ^ small(high, self.INVERSE_OF_X) | (middle ^ low) << 6


def image_of_z(field, inner):
    """Returns the smallest root of a field's polynomial in another form of the field."""
    if inner is field:
        return 2
    for root in range(2, 1 << field.degree):
        value = 0
        for i in range(field.degree + 1):
            if field.modulus >> i & 1:
                value ^= inner.power(root, i)
        if value == 0:
            return root
    raise ValueError("the field has no such form")


def groups_of_words(field, elements):
    """Returns the words of the elements in groups of 32."""
    return [
        sum((e >> bit & 1) << i for i, e in enumerate(elements[start : start + 32]))
        for start in range(0, len(elements), 32)
        for bit in range(field.degree)
    ]


def m4_constants(field, inner):
    """Returns gamma, the two of twist, basis, and tops, in the form `inner`."""
    degree, root = field.degree, image_of_z(field, inner)
    to_inner = [inner.power(root, i) for i in range(degree)]

    def read(element):
        return span_element(to_inner, element)

    basis = [1 << (degree - 1 - j) for j in range(degree)]
    gamma, twists, top, tops = [], ([], []), 1, []
    for level in range(degree - 5):
        element = basis[-1]
        inverse = field.inverse(element)
        basis = [field.multiply(b, inverse) for b in basis[:-1]]
        gamma += groups_of_words(
            field, [read(span_element(basis, i)) for i in range(1 << len(basis))]
        )
        for bits, twist in zip((degree - 6, degree - 5), twists, strict=True):
            if 0 < level < bits:
                powers = [
                    read(field.power(element, reverse(lane, bits) >> level))
                    for lane in range(1 << bits)
                ]
                twist += groups_of_words(field, powers)
        squares = [field.multiply(b, b) for b in basis]
        if level < degree - 6:
            top = field.multiply(top, field.power(element, 1 << (degree - 6 - level)))
            tops.append(read(top))
        if level == degree - 7:
            tops += [read(field.multiply(top, square)) for square in squares[:6]]
        basis = [square ^ b for square, b in zip(squares, basis, strict=True)]
    return gamma, twists, to_inner, tops


def array(name, words):
    """Returns the lines of an array of 32-bit words."""
    yield f"static const uint32_t {name}[{len(words)}] = {{"
    line = ""
    for word in words:
        written = f"{word}," if word < 10 else f"0x{word:X},"
        if len(line + written) > 100:
            yield line
            line = ""
        line += written
    yield line
    yield "};\n"


def m4_text(field, inner):
    """Returns the file of a field for the Cortex-M4."""
    degree = field.degree
    gamma, twists, to_inner, tops = m4_constants(field, inner)
    out = [
        "/* SPDX-License-Identifier: Apache-2.0 OR MIT */",
        "/* Constants of the additive transforms; tools/generate_gf2m.py writes this file. */",
        '#include "gf2m/gf2m_m4.h"\n',
        "#if defined(CODEKEM_HAVE_M4)",
        "/* clang-format off */",
        *array("gamma", gamma),
        *array("twist_short", twists[0]),
        *array("twist_long", twists[1]),
        f"const struct gf2m_m4 gf2m_{degree}_m4 = {{",
        f"  .degree = {degree},",
    ]
    for name in ("multiply", "multiply_add", "butterfly", "butterfly_transposed", "square"):
        out.append(f"  .{name} = gf2m_{name}_{degree}_m4,")
    moves = {12: ["2_12", "2_12"], 13: ["3_13", "4_13"]}[degree]
    out += [
        f"  .move_up = {{{', '.join(f'gf2m_move_up_{move}_m4' for move in moves)}}},",
        "  .gamma = gamma, .twist = {twist_short, twist_long},",
        f"  .basis = {{{', '.join(map(str, to_inner))}}},",
        f"  .tops = {{{', '.join(map(str, tops))}}},",
        "};",
        "#endif",
    ]
    return "\n".join(out) + "\n"


def main():
    files = {}
    for degree, modulus in FIELDS:
        field = Field(degree, modulus)
        files[f"gf2m_{degree}.c"] = text(field)
        inner = Tower(degree, modulus) if degree == 12 else field
        files[f"gf2m_{degree}_m4.c"] = m4_text(field, inner)
    for name, made in files.items():
        path = FOLDER / name
        if sys.argv[1:] != ["--check"]:
            path.write_text(made, encoding="utf-8")
        elif path.read_text(encoding="utf-8") != made:
            sys.exit(f"{path.name} is not what this program writes: run it without --check")


if __name__ == "__main__":
    main()
