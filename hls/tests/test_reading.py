# SPDX-License-Identifier: Apache-2.0 OR MIT
"""C that was once refused with a false message, or read wrongly; and mistakes in reading it."""

import random

import pytest

from codekem_hls import cli, frontend, pareto
from codekem_hls.errors import Refused, ToolFailed
from codekem_hls.expressions import reciprocal
from codekem_hls.inputs import random_inputs
from codekem_hls.software import Software
from hls.tests.farm import Farm
from hls.tests.kernel_designs import read_design
from hls.tests.planted import plant
from tools import mistakes

HEAD = '#include <stdbool.h>\n#include <string.h>\n#include "hls.h"\n'
# By name, which is the function's: the C, directives.
CASES = {
    "rows": (
        """void rows(int32_t t[static 6 * 9], uint64_t u[6][9]) {
  for (int r = 1; r < 6; r++)
    each: for (int i = 1; i < 9; i++) {
      t[9 * r + i] += t[9 * r + i - 1] ^ t[9 * (r - 1) + i];
      u[r][i] += u[r][i - 1] * 3;
    }
}""",
        {"pipeline": {"each": "auto"}},
    ),
    "rests": (  # no whole number of the wider elements is copied or set
        """void rests(uint64_t a[8], uint8_t b[46], uint16_t c[30], uint32_t d[9],
           const uint8_t e[46], uint8_t n) {
  memcpy(a, e, 46);
  memcpy(b + 2, a, 43);
  memset(c, n, 45);
  memcpy(d, e + 8, 7);
  memmove(d + 2, d, 23);
  memmove(d, d + 3, 11);
}""",
        {},
    ),
    "gaps": (  # of a local variable, for which no memory outside stands
        """struct state { uint64_t s[5]; uint16_t place; uint32_t count; uint8_t last; };
uint32_t gaps(uint64_t o[5], const uint8_t e[24]) {
  struct state one = {0}, other;
  for (unsigned i = 0; i < 24; i++) {
    one.s[one.place / 8 % 5] ^= (uint64_t)e[i] << 8 * (one.place % 8);
    one.place = (uint16_t)(one.place + 1 + (e[i] & 1));
    one.count += e[i];
    one.last ^= e[i];
  }
  other = one;
  for (unsigned i = 0; i < 5; i++) o[i] = other.s[i];
  return other.place + other.count * other.last;
}""",
        {},
    ),
    "saturated": (
        """void saturated(int8_t o[8], int16_t p[8], const int16_t a[8], const int16_t b[8]) {
  for (int i = 0; i < 8; i++) {
    int32_t s = (int32_t)a[i] - b[i], t = (int8_t)a[i] + (int8_t)b[i];
    p[i] = (int16_t)(s < -32768 ? -32768 : s > 32767 ? 32767 : s);
    o[i] = (int8_t)(t < -128 ? -128 : t > 127 ? 127 : t);
  }
}""",
        {},
    ),
    "labels": (
        """enum { SUM, MIX, QUOTE = '"' };
uint32_t labels(const uint8_t a[8], PUBLIC uint8_t n) {
  uint32_t s = 0;
  for (int k = 0; k < 3; k++) {
    if (k == 2 && n) goto last;
    switch (k) {
      case SUM: for (int i = 0; i < 8; i++) s += a[i];
        break;
      case MIX: mix: for (int i = 0; i < 8; i++) s = s * 5 ^ a[i];
    }
  }
  char q = '"'; words: for (int i = 0; i < 4; i++) s += a[i] == QUOTE ? q : 1;
last: for (int i = 0; i < 2; i++) s ^= a[i] << i;
  return s;
}""",
        {"unroll": {"words": "full", "last": "full"}, "values": {"n": [0, 1]}},
    ),
    "beside_a_main": (
        """#include <stdio.h>
struct options { const char *name; double scale; };
static int usage(const struct options *o) { return printf("%s", o->name); }
uint32_t beside_a_main(const uint32_t a[4]) { return a[0] ^ a[3]; }
int main(int argc, char **argv) {
  struct options o = {argv[0], 0.5};
  uint32_t a[4] = {(uint32_t)argc};
  return usage(&o) + (int)beside_a_main(a);
}""",
        {},
    ),
    "choice": (
        """uint32_t choice(PUBLIC bool e, uint32_t o[8], const uint32_t a[8], const uint32_t b[8],
                uint8_t x) {
  uint32_t s = 0;
  for (int i = 0; i < 8; i++) {
    if (e) o[i] = a[i];
    else o[i] = b[7 - i];
  }
  const uint32_t *p = x & 1 ? a : b, *q = x & 2 ? p + 1 : o;
  for (int i = 0; i < 7; i++) s = s * 3 + *q++;
  return s;
}""",
        {"values": {"e": [0, 1]}},
    ),
    "kinds": (
        """enum way { UP, DOWN };
typedef uint16_t vector[8];
typedef bool flags[8];
uint32_t kinds(enum way w, const flags f, vector v, const vector u, bool g) {
  uint32_t s = g;
  for (int i = 0; i < 8; i++) {
    s += f[i];
    v[i] = (uint16_t)(w == UP ? u[i] + s : u[i] - s);
  }
  return s;
}""",
        {},
    ),
    "rest": (
        """uint32_t rest(const uint32_t a[50]) {
  uint32_t s = 0;
  turns: for (int i = 0; i < 50; i++) s = (s << 1 | s >> 31) + a[i];
  return s;
}""",
        {"unroll": {"turns": 4}, "pipeline": {"turns": "auto"}},
    ),
    "quotients": (
        """void quotients(int32_t o[4], const int32_t a[4], PUBLIC int8_t k, int16_t x) {
  for (int i = 0; i < 4; i++) o[i] = a[i] / 8 + a[i] % 16 + a[i] / 7 - a[i] % -100 + x / 3;
  o[0] += k < 0 ? -x : x % 4;
}""",
        {"values": {"k": [-1, 3]}},
    ),
    "conditions": (
        """uint32_t conditions(uint32_t h[8], const uint8_t a[16], uint8_t x) {
  uint32_t s = 0;
  for (int i = 0; i < 16; i++) {
    if (a[i] > x) {
      if (a[i] & 1) h[a[i] & 7]++;
      else s += h[i & 7];
    } else {
      h[i & 7] ^= a[i];
    }
  }
  return s;
}""",
        {},
    ),
    "bytes": (
        """uint32_t bytes(uint32_t w[4], uint8_t b[32], uint8_t x) {
  uint32_t s = 0;
  for (int i = 0; i < 4; i++) {
    uint32_t one;
    memcpy(&one, b + 4 * i, 4);
    w[i] ^= one;
    s += ((uint8_t *)w)[x & 15] + ((uint16_t *)w)[i];
  }
  ((uint8_t *)w)[(x >> 4) & 15] = x;
  memcpy(b + 16, w, 16);
  memset(b + 20, x, 9);
  memmove(b + 3, b, 10);
  return s;
}""",
        {},
    ),
    "xor": (
        """uint32_t xor(const uint32_t new[4], uint32_t release, uint32_t a__b, uint32_t at_) {
  uint32_t row[16], row_end[16], s = at_;
  row: for (int i = 0; i < 16; i++) row[i] = new[i & 3] + release * (unsigned)i;
  row_end: for (int i = 0; i < 16; i++) row_end[i] = row[(row[i] + a__b) & 15];
  row_end_0: for (int i = 0; i < 16; i++) s += row_end[(s + row_end[i]) & 15];
  return s;
}""",
        {"pipeline": {"row": "auto", "row_end": "auto", "row_end_0": "auto"}},
    ),
    "funnels": (
        """void funnels(uint64_t o[4], const uint64_t a[4], uint8_t x, uint8_t y) {
  uint64_t c = a[0], d = a[1], e = a[2], f = a[3];
  unsigned s = x & 63, r = y & 63, q = (x ^ y) & 31, p = (x + y) & 63;
  uint32_t low = (uint32_t)c, high = (uint32_t)(d >> 32);
  o[0] = s ? c >> s | d << (64 - s) : c;
  o[1] = r ? e << r | f >> (64 - r) : e;
  o[2] = q ? low >> q | high << (32 - q) : low;
  o[3] = (p ? f >> p | c << (64 - p) : f) & 0xFFF;
}""",
        {},
    ),
    "inside": (
        """uint32_t inside(uint32_t o[static 16], uint32_t a[static 16], PUBLIC uint8_t n) {
  uint32_t s = n, first = 0;
  for (unsigned k = 0; k < 2; k++) {
    turns: for (unsigned i = 0; i < 16; i++) {
      uint32_t one = a[i];
      if (i >= n) o[i - n] = one + s;
      if (i & 1) s += one;
      else if (i > 4) a[i - 1] = s ^ first;
      first = i == 3 ? one : first;
    }
  }
  return s;
}""",
        {"pipeline": {"turns": "auto"}, "values": {"n": [0, 3, 16]}},
    ),
    "ends": (
        """int ends(uint8_t o[12], const uint8_t a[12], uint8_t x) {
  uint8_t s = 3;
  for (int k = 0; k < 9; k++) {
    if (a[k] > x) {
      for (int i = 0; i < k; i++) { s += a[i]; o[i] ^= s; }
      if (s & 4) continue;
      if (s & 8) break;
    }
    if ((a[k] & 3) == 1 || (o[k + 1] & 1)) s *= 5;
    else s += 7;
    o[k] = s;
  }
  for (int i = 1; i < 12; ++i) {
    uint8_t y = o[i];
    int j = i;
    while (j > 0) { if (o[j - 1] <= y) break; o[j] = o[j - 1]; --j; }
    o[j] = y;
  }
  for (int i = 0; i < 12; i++) if ((a[i] & 15) == (x & 15)) return i * 3;
  return -s;
}""",
        {},
    ),
    "divisor": (
        """uint8_t divisor(uint8_t a, uint8_t b) {
  unsigned k = 0;
  if (a == 0) return b;
  if (b == 0) return a;
  both: while (((a | b) & 1) == 0) { a >>= 1; b >>= 1; k++; }
  one: while ((a & 1) == 0) a >>= 1;
  two: while ((b & 1) == 0) b >>= 1;
  steps: while (a != b) {
    if (a < b) { uint8_t t = a; a = b; b = t; }
    a -= b;
    last: while (a && (a & 1) == 0) a >>= 1;
    if (!a) break;
  }
  return (uint8_t)(b << k);
}""",
        {"turns": {"both": 8, "one": 8, "two": 8, "steps": 9, "last": 8}},
    ),
    "outside": (
        """#include <stdio.h>
int state[5] = {1, 2, 3, 4, 5}, last;
static int table[4] = {7, 8, 9, -10};
static unsigned char seen, other[2];
void reset(void) { last = 0; for (int i = 0; i < 5; i++) state[i] = 0; }
static void add(int *to, int x) {
  *to += table[x & 3];
  seen++;
  other[0] = (unsigned char)x;
  printf("%d", x);
}
int outside(x, d)
  int x;
  short d;
{
  int *p = state;
  for (int i = 0; i < 5; i++) add(p++, x + i);
  last = x / (d | 1) + other[1];
  return (int)((unsigned)state[4] / (seen | 1u)) + x % (d | 1);
}""",
        {},
    ),
}


def made(folder, name, text, data, called=""):
    """Compiles a case; `called` is another name for its function."""
    called = called or name
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{called}.c").write_text(HEAD + text.replace(f"{name}(", f"{called}("))
    return read_design(folder / f"{called}.toml", {"kernel": f"{called}.c", "top": called, **data})


def differing(folder, designs, turns=6):
    """Returns the names of designs whose core is not their C, or takes other cycles."""
    farm = Farm(list(designs.values()), folder)
    software = {name: Software(design, folder) for name, design in designs.items()}
    found = set()
    for turn in range(turns):
        inputs = [random_inputs(design, turn, []) for design in designs.values()]
        cores = farm.run(inputs, turn + 1)
        for (name, design), values, core in zip(designs.items(), inputs, cores, strict=True):
            cycles, arrays, result = core
            wanted = software[name].run(values)
            computed = design.latency({k: v for k, v in values.items() if isinstance(v, int)})
            if (arrays, result, cycles) != (wanted.arrays, wanted.result, computed):
                found.add(name)
    return found


def test_cases(folder):
    place = folder / "reading"
    designs = {name: made(place, name, text, data) for name, (text, data) in CASES.items()}
    assert "module xor_core (" in designs["xor"].text
    assert not differing(place, designs)


def test_planted_mistakes(folder, monkeypatch):
    place = folder / "reading-mistakes"
    designs = {}
    for number, (name, mistake) in enumerate(mistakes.of("hls/reading").items()):
        text, data = CASES[mistake.by]
        with monkeypatch.context() as planted:
            plant(mistake, planted)
            designs[name] = made(place, mistake.by, text, data, f"wrong_{number}")
    assert differing(place, designs, 12) == set(designs)


def test_reciprocals():
    for bits in range(1, 8):
        for number in range(1, 300):
            factor, shift = reciprocal(number, bits)
            assert all((x * factor) >> shift == x // number for x in range(1 << bits))
    rng = random.Random(3)
    for _ in range(300):
        bits, number = rng.randrange(8, 65), rng.randrange(1, 1 << rng.randrange(1, 64))
        factor, shift = reciprocal(number, bits)
        last = ((1 << bits) - 1) // number * number
        for x in (last, last - 1, (1 << bits) - 1, rng.getrandbits(bits)):
            assert x < 0 or (x * factor) >> shift == x // number


def test_names_that_collide(compiled):
    text = "uint32_t kernel(const uint32_t x[4], uint32_t x_rdata0) { return x[1] + x_rdata0; }\n"
    with pytest.raises(Refused, match=r"signals of kernel would be called x_rdata0_i") as refused:
        compiled(HEAD + text)
    assert refused.value.line == 4


def test_memory_functions_of_the_file():
    """One that the file defines is its own; a result that is used stays a call."""
    own = "define ptr @memset(ptr %a, i32 %b, i64 %c) {\n  ret ptr %a\n}\n"
    call = "define void @f(ptr %a) {\n  %call = call ptr @memset(ptr noundef %a, i32 3, i64 4)\n}\n"
    assert frontend.memory_functions(own + call) == own + call
    assert "@llvm.memset.p0.i64(ptr %a, i8 %hls.byte" in frontend.memory_functions(call)
    used = call.replace("4)\n", "4)\n  store ptr %call, ptr %a\n")
    assert frontend.memory_functions(used) == used


def test_plot_without_its_packages(tmp_path, monkeypatch, capsys):
    """It is said before anything is explored."""

    def missing():
        raise ToolFailed("the plot needs the packages codekem-base")

    monkeypatch.setattr(pareto, "drawing_tools", missing)
    monkeypatch.setattr(cli.cli_explore.explore, "explore", lambda *_, **__: pytest.fail("begun"))
    words = ["explore", "common_bits", "--build", str(tmp_path)]
    assert cli.main([*words, "--plot", "p.svg"]) == 1
    assert "needs the packages" in capsys.readouterr().err
    monkeypatch.undo()
    monkeypatch.setattr(cli.cli_explore.explore, "explore", lambda *_, **__: pytest.fail("begun"))
    assert cli.main([*words, "--plot", str(tmp_path / "p.doc")]) == 1
    assert "must end in .svg, .png or .pdf" in capsys.readouterr().err
