# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What is outside the subset is refused, with file and line and what to write instead."""

import pytest

from codekem_hls import control
from codekem_hls.errors import Refused

HEAD = '#include "hls.h"\n'
COPY = (
    HEAD
    + """void kernel(uint8_t out[static 8], const uint8_t in[static 8]) {
  uint8_t local[8];
  first: for (int i = 0; i < 8; i++) local[i] = in[i];
  second: for (int i = 0; i < 8; i++) out[i] = local[7 - i] + local[i];
}
"""
)
# By name: the C, the line, and a part of the message.
SOURCES = {
    "call by data": (
        """void get(uint8_t a[static 8]) { for (int i = 0; i < 8; i++) a[i] *= 2; }
void kernel(uint8_t a[static 8]) {
  for (int i = 0; i < 8; i++)
    if (a[i] > 3) get(a);
}""",
        5,
        r"depends on what line 5 reads from a; choose by c \? a : b",
    ),
    "trip count by data": (
        """void kernel(uint8_t a[static 8], const uint8_t n[static 1]) {
  for (int i = 0; i < n[0]; i++) a[i & 7] += 1;
}""",
        3,
        r"reads from n; say how often at most, for any data, by \[turns\] LABEL = NUMBER, and put",
    ),
    "trip count by a secret scalar": (
        """void kernel(uint8_t a[static 8], uint8_t n) {
  for (int i = 0; i < n; i++) a[i & 7] += 1;
}""",
        3,
        "the argument n, which is not PUBLIC",
    ),
    "while on data": (
        """uint8_t kernel(const uint8_t a[static 8]) {
  uint8_t i = 0;
  while (a[i & 7] != 0) i++;
  return i;
}""",
        4,
        "depends on what line 4 reads from a",
    ),
    "branch by the result of a shared function": (
        """uint8_t get(const uint8_t a[static 8]) { return a[0]; }
void kernel(uint8_t a[static 8]) {
  while (get(a) > 3) a[0]--;
}""",
        4,
        "depends on",
    ),
    "no length": ("void kernel(uint8_t *a) { a[0] = 1; }", 2, r"declare a\[static LENGTH\]"),
    "public array": (
        "void kernel(PUBLIC uint8_t a[static 8]) { a[0] = 1; }",
        2,
        "pass what decides as a PUBLIC scalar",
    ),
    "pointer that moves": (
        """void kernel(uint8_t a[static 64], uint8_t n[static 1]) {
  uint8_t *p = a;
  for (int i = 0; i < 8; i++) { *p = n[0]; p += i * i; }
}""",
        4,
        "pointer|branch",
    ),
    "pointers in an array": (
        "void kernel(uint8_t *a[static 2]) { a[0][0] = 1; }",
        2,
        r"uint8_t \*\* is neither an integer nor an array of integers",
    ),
    "floating point that a loop carries": (
        """void kernel(uint8_t a[static 8]) {
  float sum = 0;
  for (int i = 0; i < 8; i++) sum += a[i];
  a[0] = sum > 3;
}""",
        4,
        "floating point; use integers",
    ),
    "floating point": (
        "void kernel(float a[static 2]) { a[0] = a[1]; }",
        2,
        "neither an integer nor an array of integers: floating point; use integers, with the point",
    ),
    "elements of two types": (
        """uint16_t kernel(const unsigned _BitInt(24) a[static 4], uint8_t i) {
  return *(const uint16_t *)&a[i & 3];
}""",
        3,
        "a has elements of 24 bits, but 16 bits are accessed",
    ),
    "copy of a part": (
        """#include <string.h>
void kernel(uint32_t a[static 8], PUBLIC uint8_t n) { memcpy(a, a + 4, n); }""",
        3,
        "a number of bytes that may be a part of elements",
    ),
    "comparison of arrays": (
        """uint32_t kernel(const uint32_t a[static 8], const uint32_t b[static 8], uint8_t i) {
  return a + i < b + 3;
}""",
        3,
        "a comparison of pointers to different arrays",
    ),
    "variable outside functions": (
        """static uint32_t count;
uint32_t get(void) { return count++; }
void kernel(uint32_t a[static 2]) { a[0] = get(); }""",
        3,
        "count is a variable outside functions, but get is a module of its own; inline it",
    ),
    "static variable": (
        """void kernel(uint32_t a[static 2]) {
  static uint32_t count;
  a[0] = count++;
}""",
        4,
        "count is a static variable of a function; put it outside of it",
    ),
    "function elsewhere": (
        "uint32_t far(uint32_t);\nvoid kernel(uint32_t a[static 1]) { a[0] = far(a[0]); }",
        3,
        "far is not defined in this file",
    ),
    "element outside": (
        """void kernel(uint8_t a[static 8]) {
  for (int i = 0; i <= 8; i++) a[i] = (uint8_t)i;
}""",
        3,
        "element 8 of a, which has 8",
    ),
    "table of structures": (
        """uint32_t kernel(uint8_t i) {
  static const struct { int16_t x; uint32_t y; } t[2] = {{1, 2}, {3, 4}};
  return (uint32_t)(t[i & 1].x + t[i & 1].y);
}""",
        4,
        "is not a table of integers of one type",
    ),
    "structure with gaps": (
        """struct pair { uint8_t x; uint32_t y; };
void kernel(struct pair a[static 2]) { a[0].y = a[1].x; }""",
        3,
        "a structure with gaps between its members; put the widest first",
    ),
    "union": (
        """union both { uint8_t x; uint32_t y; };
void kernel(union both a[static 2]) { a[0].y = a[1].y; }""",
        3,
        "union both",
    ),
    "table of another file": (
        "extern const uint32_t t[4];\nuint32_t kernel(uint8_t i) { return t[i & 3]; }",
        3,
        "t is not a table of integers of one type that this file defines",
    ),
    "no end": (
        """void kernel(uint8_t a[static 8]) {
  for (unsigned i = 1; i != 0; i += 2) a[i & 7] ^= 1;
}""",
        3,
        "does not end|cannot end",
    ),
    "two loops with one label": (
        """void kernel(uint8_t a[static 8]) {
  same: for (int i = 0; i < 8; i++) a[i] ^= 1;
  same: for (int i = 0; i < 8; i++) a[i] ^= 2;
}""",
        4,
        "a second loop same",
    ),
    "two loops on one line": (
        """void kernel(uint8_t a[static 8]) {
  one: for (int i = 0; i < 2; i++) two: for (int j = 0; j < 2; j++) a[i + j] ^= 1;
}""",
        3,
        "on one line",
    ),
}


@pytest.mark.parametrize("name", SOURCES)
def test_source(name, compiled, monkeypatch):
    monkeypatch.setattr(control, "MOST_STEPS", 100_000)  # they are small
    text, line, message = SOURCES[name]
    share = {"functions": {"get": "share"}} if "get(" in text else {}
    with pytest.raises(Refused, match=message) as refused:
        compiled(HEAD + text + "\n", **share)
    assert refused.value.file.endswith("kernel.c")
    assert refused.value.line == line


def test_no_c(compiled):
    with pytest.raises(Refused, match=r"kernel\.c:2:.*error"):
        compiled(HEAD + "void kernel(uint8_t a[static 8]) { a[0] = ; }\n")


def test_recursion(compiled):
    text = """uint32_t down(uint32_t n, uint32_t a[static 4]) {
  a[n & 3] += 1;
  return n ? down(n - 1, a) ^ a[1] : 0;
}
void kernel(uint32_t a[static 4]) { a[0] = down(5, a); }
"""
    for how in ({}, {"functions": {"down": "share"}}):
        with pytest.raises(Refused, match=r"kernel\.c:4: down calls itself; write a loop"):
            compiled(HEAD + text, **how)


def test_the_branch_that_remains(compiled):
    text = """uint8_t kernel(uint32_t a[static 64], PUBLIC uint8_t n) {
  words: for (int i = 0; i < 64; i++) {
    a[i] += 3;
    if (i == n) return 2;
    if (i == 2 * n + 1) return 7;
  }
  return 5;
}
"""
    line = HEAD.count("\n") + 4
    with pytest.raises(Refused, match=rf"a branch on line {line} remains in it: choose"):
        compiled(HEAD + text, pipeline={"words": 1}, values={"n": [3, 9]})


def test_recursion_before_what_it_makes_of_arguments(compiled):
    """Length m of r is not known in what calls itself, but that is not what to change."""
    text = """static void fold(uint32_t *r, const uint32_t *a, unsigned n) {
  if (n < 2) { r[0] = a[0] ^ n; return; }
  fold(r, a, n / 2);
  fold(r + n / 2, a + n / 2, n - n / 2);
}
void kernel(uint32_t r[static 8], const uint32_t a[static 8]) { fold(r, a, 8); }
"""
    with pytest.raises(Refused, match=r"kernel\.c:[45]: fold calls itself; write a loop"):
        compiled(HEAD + text)


def test_part_of_array(compiled):
    text = """void add(uint8_t a[static 4]) { a[0] += a[1]; }
void kernel(uint8_t a[static 8]) { add(a + 4); }
"""
    with pytest.raises(Refused, match=r"kernel\.c:3: a part of an array"):
        compiled(HEAD + text, functions={"add": "share"})


def test_other_length(compiled):
    text = """void add(uint8_t *a);
void kernel(uint8_t a[static 4]) { add(a); }
void add(uint8_t a[static 8]) { a[0] += a[7]; }
"""
    with pytest.raises(Refused, match="add has 8 elements of 8 bits as a, a is 4 of 8"):
        compiled(HEAD + text, functions={"add": "share"})


def test_const_written(compiled):
    text = "void kernel(const uint8_t a[static 4]) { ((uint8_t *)a)[0] = 1; }\n"
    with pytest.raises(Refused, match="a is const, but it is written"):
        compiled(HEAD + text)


# Directives that are wrong, or would have no effect: what they are, and the message.
DIRECTIVES = {
    "unknown": ({"pipline": {"first": 1}}, "unknown directive pipline"),
    "no such loop": ({"pipeline": {"third": 1}}, "no loop of .* has the label third"),
    "not there any more": (
        {"pipeline": {"first": 1}, "define": {}, "unroll": {"first": 8}},
        "not there any more|cannot be",
    ),
    "both": ({"pipeline": {"first": 1}, "unroll": {"first": "full"}}, "nothing is left"),
    "interval": ({"pipeline": {"second": 1}}, "interval 1 is too small for 2 reads of local"),
    "no number": ({"pipeline": {"first": 0}}, "a whole number from 1"),
    "clock": ({"clock": 0.5}, "nanoseconds from 2"),
    "bind of an argument": ({"bind": {"in": "block"}}, "in is an argument"),
    "bind of nothing": ({"bind": {"rest": "block"}}, "no such array"),
    "bind to nothing": ({"bind": {"local": "disk"}}, "one of registers, lutram, block"),
    "partition of nothing": ({"partition": ["rest"]}, "no such array"),
    "ports of nothing": ({"ports": {"rest": [2, 1]}}, "no memory rest"),
    "ports by no macro": ({"ports": {"in": ["N", 1]}}, r"in: \[define\] has no number N"),
    "ports without use": ({"ports": {"in": [2, 1]}}, "the schedule uses 1"),
    "write ports of a block RAM": ({"ports": {"local": [1, 2]}}, "one write port"),
    "ports of registers": (
        {"ports": {"local": [2, 1]}, "partition": ["local"]},
        "registers, which need none",
    ),
    "function": ({"functions": {"other": "share"}}, "no function other"),
    "share or inline": ({"functions": {"other": "copy"}}, '"share" or "instantiate"'),
    "define": ({"define": {"SIZE": 3}}, "does not have the word SIZE"),
    "top": ({"top": "main"}, "no function main"),
    "no table": ({"pipeline": 1}, "pipeline is a table"),
}


@pytest.mark.parametrize("name", DIRECTIVES)
def test_directive(name, compiled):
    data, message = DIRECTIVES[name]
    with pytest.raises(Refused, match=message) as refused:
        compiled(COPY, **data)
    assert refused.value.file.endswith("directives.toml")
    assert refused.value.line >= 1


def test_pipeline_of_nested_loops(compiled):
    text = """void kernel(uint8_t a[static 8]) {
  outer: for (int i = 0; i < 8; i++)
    inner: for (int j = 0; j < 8; j++) a[j] ^= a[i];
}
"""
    with pytest.raises(Refused, match="contains the loop inner: unroll that"):
        compiled(HEAD + text, pipeline={"outer": 1})


def test_unroll_without_constant(compiled):
    text = """void kernel(uint8_t a[static 8], PUBLIC uint8_t n) {
  loop: for (int i = 0; i < n; i++) a[i & 7] ^= 1;
}
"""
    with pytest.raises(Refused, match="loop loop cannot be unrolled"):
        compiled(HEAD + text, unroll={"loop": "full"})


def test_shared_array_in_registers(compiled):
    text = """void add(uint8_t a[static 8]) { a[0] += a[1]; }
void kernel(uint8_t out[static 8], const uint8_t in[static 8]) {
  uint8_t local[8];
  first: for (int i = 0; i < 8; i++) local[i] = in[i];
  add(local);
  second: for (int i = 0; i < 8; i++) out[i] = local[i];
}
"""
    with pytest.raises(Refused, match=r"kernel\.c:6: local goes to the shared function add"):
        compiled(HEAD + text, functions={"add": "share"}, partition=["local"])


def test_public_trip_count(compiled):
    """What is declared PUBLIC may decide, and the latency is known once it is."""
    text = """void kernel(uint8_t a[static 8], PUBLIC uint8_t n) {
  loop: for (int i = 0; i < n; i++) a[i & 7] ^= 1;
}
"""
    design = compiled(HEAD + text)
    with pytest.raises(Refused, match="latency depends on n"):
        design.latency()
    assert design.latency({"n": 5}) - design.latency({"n": 3}) == 2 * (
        design.latency({"n": 4}) - design.latency({"n": 3})
    )
