# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Tables of constants: LLVM prints an element whose top bit is set as a negative number."""

import random

import pytest

from codekem_hls.constants import table_of
from codekem_hls.expressions import expression
from codekem_hls.ir import Op, Param
from codekem_hls.llvm_text import Kind
from hls.tests.program_strategy import literal

HEAD = '#include "hls.h"\n'
WIDTHS = [2, 7, 8, 9, 12, 16, 17, 24, 31, 32, 33, 48, 63, 64, 65, 128]


def test_elements_are_modulo_their_width():
    """Bytes are text in LLVM, other widths numbers with a sign."""
    assert table_of("[3 x i16] [i16 -1, i16 -32768, i16 7], align 2") == (16, [65535, 32768, 7])
    assert table_of("[2 x i12] [i12 -2048, i12 -1]") == (12, [2048, 4095])
    assert table_of("[2 x i65] [i65 -1, i65 poison]") == (65, [2**65 - 1, 0])
    assert table_of("[2 x i1] [i1 true, i1 false]") == (1, [1, 0])
    assert table_of("i32 -5, align 4") == (32, [2**32 - 5])
    assert table_of("[4 x i8] zeroinitializer, align 4") == (8, [0] * 4)
    tail = "<{ i32, i32, [2 x i32] }> <{ i32 -2, i32 2, [2 x i32] zeroinitializer }>, align 16"
    assert table_of(tail) == (32, [2**32 - 2, 2, 0, 0])
    kind = Kind("[2 x [3 x i24]]")
    assert (kind.element(), kind.size) == (24, 24)


def test_text_with_signs_of_llvm():
    """A backslash is doubled; commas, brackets and words of LLVM in a text are characters."""
    assert table_of(r'[5 x i8] c"\B2.\\A\00"') == (8, [0xB2, 0x2E, 0x5C, 0x41, 0])
    two = r'[2 x [4 x i8]] [[4 x i8] c"],}\22", [4 x i8] c", al"], align 1'
    assert table_of(two) == (8, [*b'],}"', *b", al"])


@pytest.mark.parametrize(
    "text",
    [
        "[2 x i32]",
        "[1 x ptr] [ptr @x]",
        "[1 x float] [float 1.0]",
        "[1 x %struct.p] [%struct.p { i32 1, i32 2 }]",
        "<{ i8, i32 }> <{ i8 1, i32 2 }>",
        "[3 x i32] [i32 1, i32 2]",
    ],
)
def test_what_is_no_table(text):
    with pytest.raises(ValueError, match=r"integer|types|values"):
        table_of(text)


def all_widths():
    """A kernel that reads a table of each width and sign at an index of data."""
    chosen = random.Random(1)
    lines, reads = [], []
    for width in WIDTHS:
        for signed in (False, True):
            low, high = (-(1 << width - 1), 1 << width - 1) if signed else (0, 1 << width)
            # No element is 2^(width-1), whose width as a negative number is right by luck.
            numbers = [high - 1, low + 1, high // 2 + 1, chosen.randrange(low, high)]
            elements = ", ".join(literal(number, width) for number in numbers)
            kind = f"{'' if signed else 'unsigned '}_BitInt({width})"
            name = f"t{len(reads)}"
            lines.append(f"static const {kind} {name}[4] = {{{elements}}};")
            shift = f" >> {width - 64}" if width > 64 else ""
            reads.append(f"  out[{len(reads)}] = (uint64_t)({name}[at[{len(reads)}] & 3]{shift});")
    body = "\n".join(reads)
    arguments = f"uint64_t out[static {len(reads)}], const uint8_t at[static {len(reads)}]"
    return "\n".join([*lines, f"void all_widths({arguments}) {{", body, "}\n"]), len(reads)


# Each is a way to read a table, of elements whose top bit is set, at an index of data.
WAYS = """static const uint32_t a[4] = {0x428a2f98, 0xb5c0fbcf, 0xe9b5dba5, 0xfc19dc6f};
static const int16_t s[2][4] = {{-1, 0, 1, -2}, {-32768, 32767, -300, 5}};
static const uint64_t zeros[40] = {0xf000000000000001, 0x8000000000000002};
static const char text[2][8] = {"a, al]b", "\\"{<\\\\41\\x80"};
uint32_t shared(uint8_t i, const uint32_t v[static 4]) { return a[i & 3] ^ v[i >> 6]; }
static uint32_t same_name(uint8_t i) { return a[i & 3] >> 4; }
int64_t ways(int64_t out[static 12], const uint32_t a[static 4], uint8_t i, int16_t x) {
  const uint16_t inside[4] = {0x8001, 0xfffe, 0xfff0, 0xff00};
  static const int32_t sorted[4] = {-2147483647, -5, 3, 2147483647};
  int64_t below = 0;
  out[0] = inside[i & 3];
  out[1] = s[i >> 7][i & 3];
  out[2] = s[1][i & 3] < x;
  out[3] = (int64_t)zeros[i & 1] + (int64_t)zeros[i & 31];
  out[4] = text[i >> 7][i & 7];
  out[5] = same_name(i);
  out[6] = shared(i, a);
  out[7] = -(int64_t)s[0][i & 3] * x;
  out[8] = s[0][i & 3] >> 1;
  for (int k = 0; k < 4; k++) {
    int32_t one = sorted[(k + i) & 3], other = sorted[(k ^ i) & 3];
    below += one < x ? other : k;
  }
  out[9] = below;
  out[10] = (uint16_t)s[1][i & 3];
  int16_t high = s[1][i & 3], low = s[0][i >> 6];
  uint16_t third = inside[i >> 6];
  out[11] = high > low ? third : -1;
  return sorted[i >> 6];
}
"""


def test_tables_at_an_index_of_data(compiled, cores):
    text, count = all_widths()
    widths = compiled(HEAD + text + WAYS, top="all_widths")
    ways = compiled(HEAD + text + WAYS, top="ways", functions={"shared": "share"})
    run = cores.build("tables", [widths, ways])
    for turn in range(4):
        values = {"at": [turn + i for i in range(count)]}
        core, software = run(widths, values)
        assert core.arrays == software.arrays
        for i in range(16):
            values = {"a": [11, 22, 33, 44], "i": 16 * i + 4 * turn + i % 4, "x": 700 * i - 5000}
            core, software = run(ways, values)
            assert (core.arrays, core.result) == (software.arrays, software.result), values


@pytest.mark.parametrize(
    ("kind", "text"),
    [("abs", "x_i"), ("ctpop", "x_i"), ("bitreverse", "x_i"), ("ctlz", "!x_i"), ("cttz", "!x_i")],
)
def test_operations_on_a_single_bit(kind, text):
    """It has no parts that Verilog could name."""
    op = Op("v", kind, 1, [Param("x", 1, False)], bits=1)
    assert expression(op, lambda one, _: f"{one.name}_i", lambda _name, _bits, text: text) == text
