# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Twelve programs as people write them, none of them for this tool: eleven become right cores.

The twelfth has no length for its array; the message says so.
"""

import hashlib
import math
import random

import pytest

from codekem_hls.errors import Refused
from codekem_hls.ir import Array
from codekem_hls.software import Software
from hls.tests.farm import Farm
from hls.tests.kernel_designs import read_design

HEAD = "#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n#include <string.h>\n"

FIR = """#define TAPS 8
static const int16_t coefficients[TAPS] = {-12, 40, -311, 1200, 1200, -311, 40, -12};
void fir(int16_t output[32], const int16_t input[32]) {
  int16_t line[TAPS] = {0};
  for (int n = 0; n < 32; n++) {
    int32_t sum = 1 << 11;
    for (int k = TAPS - 1; k > 0; k--) line[k] = line[k - 1];
    line[0] = input[n];
    for (int k = 0; k < TAPS; k++) sum += line[k] * coefficients[k];
    sum >>= 12;
    if (sum > INT16_MAX) sum = INT16_MAX;
    if (sum < INT16_MIN) sum = INT16_MIN;
    output[n] = (int16_t)sum;
  }
}
int main(int argc, char **argv) {
  int16_t in[32] = {1}, out[32];
  (void)argv;
  fir(out, in);
  return out[argc];
}
"""

CHACHA = """#define ROTL(a, b) (((a) << (b)) | ((a) >> (32 - (b))))
#define QR(a, b, c, d) \\
  (a += b, d ^= a, d = ROTL(d, 16), c += d, b ^= c, b = ROTL(b, 12), \\
   a += b, d ^= a, d = ROTL(d, 8), c += d, b ^= c, b = ROTL(b, 7))
void chacha(uint32_t out[16], uint32_t const in[16]) {
  uint32_t x[16];
  memcpy(x, in, sizeof x);
  for (int i = 0; i < 20; i += 2) {
    QR(x[0], x[4], x[8], x[12]);
    QR(x[1], x[5], x[9], x[13]);
    QR(x[2], x[6], x[10], x[14]);
    QR(x[3], x[7], x[11], x[15]);
    QR(x[0], x[5], x[10], x[15]);
    QR(x[1], x[6], x[11], x[12]);
    QR(x[2], x[7], x[8], x[13]);
    QR(x[3], x[4], x[9], x[14]);
  }
  for (int i = 0; i < 16; ++i) out[i] = x[i] + in[i];
}
"""

SORT = """void bubble_sort(int32_t values[16]) {
  for (size_t i = 0; i < 15; i++) {
    for (size_t j = 0; j < 15 - i; j++) {
      if (values[j] > values[j + 1]) {
        int32_t swap = values[j];
        values[j] = values[j + 1];
        values[j + 1] = swap;
      }
    }
  }
}
"""

CURVE = """typedef int64_t gf[16];
static void carry(gf o) {
  for (int i = 0; i < 16; i++) {
    int64_t c = o[i] >> 16;
    o[i] -= c << 16;
    if (i < 15) o[i + 1] += c; else o[0] += 38 * c;
  }
}
void multiply(gf o, const gf a, const gf b) {
  int64_t t[31] = {0};
  for (int i = 0; i < 16; i++)
    for (int j = 0; j < 16; j++) t[i + j] += a[i] * b[j];
  for (int i = 0; i < 15; i++) t[i] += 38 * t[i + 16];
  for (int i = 0; i < 16; i++) o[i] = t[i];
  carry(o);
  carry(o);
}
"""

KECCAK = """static uint64_t rotate(uint64_t x, unsigned n) {
  return n ? x << n | x >> (64 - n) : x;
}
void keccak(uint64_t s[25]) {
  uint8_t lfsr = 1;
  for (int round = 0; round < 24; round++) {
    uint64_t c[5], b[25];
    for (int x = 0; x < 5; x++) c[x] = s[x] ^ s[x + 5] ^ s[x + 10] ^ s[x + 15] ^ s[x + 20];
    for (int x = 0; x < 5; x++) {
      uint64_t d = c[(x + 4) % 5] ^ rotate(c[(x + 1) % 5], 1);
      for (int y = 0; y < 5; y++) s[x + 5 * y] ^= d;
    }
    int x = 1, y = 0;
    b[0] = s[0];
    for (unsigned t = 0; t < 24; t++) {
      int next = (2 * x + 3 * y) % 5;
      b[y + 5 * next] = rotate(s[x + 5 * y], (t + 1) * (t + 2) / 2 % 64);
      x = y;
      y = next;
    }
    for (int row = 0; row < 5; row++)
      for (int i = 0; i < 5; i++)
        s[i + 5 * row] =
            b[i + 5 * row] ^ (~b[(i + 1) % 5 + 5 * row] & b[(i + 2) % 5 + 5 * row]);
    for (int j = 0; j < 7; j++) {
      if (lfsr & 1) s[0] ^= 1ull << ((1 << j) - 1);
      lfsr = lfsr & 0x80 ? lfsr << 1 ^ 0x71 : lfsr << 1;
    }
  }
}
"""

AES = """static uint8_t double_of(uint8_t x) { return (uint8_t)(x << 1 ^ (x >> 7) * 0x1b); }
static uint8_t product(uint8_t a, uint8_t b) {
  uint8_t sum = 0;
  for (int i = 0; i < 2; i++) {
    if (b & 1) sum ^= a;
    a = double_of(a);
    b >>= 1;
  }
  return sum;
}
typedef struct {
  uint8_t bytes[4][4];
} state_t;
static const uint8_t matrix[4] = {2, 3, 1, 1};
void aes_columns(uint8_t block[16], const uint8_t key[16]) {
  state_t state, shifted;
  memcpy(&state, block, 16);
  for (int c = 0; c < 4; c++)
    for (int r = 0; r < 4; r++) shifted.bytes[c][r] = state.bytes[(c + r) % 4][r];
  for (int c = 0; c < 4; c++)
    for (int r = 0; r < 4; r++) {
      uint8_t sum = key[4 * c + r];
      for (int i = 0; i < 4; i++) sum ^= product(shifted.bytes[c][(r + i) % 4], matrix[i]);
      state.bytes[c][r] = sum;
    }
  memcpy(block, &state, sizeof state);
}
"""
SHA256 = """static const uint32_t k[64] = {@};
#define ROR(x, n) ((x) >> (n) | (x) << (32 - (n)))
void sha256_block(uint32_t h[8], const uint8_t data[64]) {
  uint32_t w[64] = {0};
  for (int i = 0; i < 16; i++)
    w[i] = (uint32_t)data[4 * i] << 24 | (uint32_t)data[4 * i + 1] << 16 |
           (uint32_t)data[4 * i + 2] << 8 | data[4 * i + 3];
  for (int i = 16; i < 64; i++) {
    uint32_t s0 = ROR(w[i - 15], 7) ^ ROR(w[i - 15], 18) ^ w[i - 15] >> 3;
    uint32_t s1 = ROR(w[i - 2], 17) ^ ROR(w[i - 2], 19) ^ w[i - 2] >> 10;
    w[i] = w[i - 16] + s0 + w[i - 7] + s1;
  }
  uint32_t v[8];
  for (int i = 0; i < 8; i++) v[i] = h[i];
  for (int i = 0; i < 64; i++) {
    uint32_t s1 = ROR(v[4], 6) ^ ROR(v[4], 11) ^ ROR(v[4], 25);
    uint32_t t1 = v[7] + s1 + ((v[4] & v[5]) ^ (~v[4] & v[6])) + k[i] + w[i];
    uint32_t s0 = ROR(v[0], 2) ^ ROR(v[0], 13) ^ ROR(v[0], 22);
    uint32_t t2 = s0 + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
    for (int j = 7; j > 0; j--) v[j] = v[j - 1];
    v[4] += t1;
    v[0] = t1 + t2;
  }
  for (int i = 0; i < 8; i++) h[i] += v[i];
}
"""

NTT = """#define Q 7681
static const uint16_t zetas[16] = {@};
void ntt(uint16_t r[16]) {
  unsigned length, start, j, k = 1;
  for (length = 8; length >= 1; length >>= 1) {
    for (start = 0; start < 16; start = j + length) {
      const uint16_t zeta = zetas[k++];
      for (j = start; j < start + length; j++) {
        uint32_t t = (uint32_t)zeta * r[j + length] % Q;
        r[j + length] = (r[j] + Q - t) % Q;
        r[j] = (r[j] + t) % Q;
      }
    }
  }
}
"""

MATRIX = """enum { N = 6 };
typedef int32_t matrix[N][N];
void matrix_product(matrix c, int32_t a[N][N], int32_t b[N][N]) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      c[i][j] = 0;
      for (int k = 0; k < N; k++) c[i][j] += a[i][k] * b[k][j];
    }
}
"""

CRC = """uint32_t crc32(const uint8_t *data, size_t length) {
  uint32_t crc = ~0u;
  while (length--) {
    crc ^= *data++;
    for (int k = 0; k < 8; k++) crc = crc & 1 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
  }
  return ~crc;
}
"""

REDUCE = """int16_t reduce(int16_t r[32]) {
  int16_t most = 0;
  for (int i = 0; i < 32; i++) {
    r[i] = r[i] % 3329;
    if (r[i] < 0) r[i] += 3329;
    int bits = r[i] ? 32 - __builtin_clz((unsigned)r[i]) : 0;
    if (bits > most) most = bits;
  }
  return most;
}
"""

STRUCTURE = """typedef struct {
  int32_t x, y;
} point;
typedef struct {
  point least, most;
} box;
box bounds_of(const point points[12]) {
  box found = {points[0], points[0]};
  for (int i = 1; i < 12; i++) {
    point p = points[i];
    if (p.x < found.least.x) found.least.x = p.x;
    if (p.y < found.least.y) found.least.y = p.y;
    if (p.x > found.most.x) found.most.x = p.x;
    if (p.y > found.most.y) found.most.y = p.y;
  }
  return found;
}
void bounds(box result[1], const point points[12]) { *result = bounds_of(points); }
"""

# By the name of the function: the C.
PROGRAMS = {
    "fir": FIR,
    "chacha": CHACHA,
    "bubble_sort": SORT,
    "multiply": CURVE,
    "keccak": KECCAK,
    "aes_columns": AES,
    "sha256_block": SHA256,
    "ntt": NTT,
    "matrix_product": MATRIX,
    "reduce": REDUCE,
    "bounds": STRUCTURE,
}


def constants():
    """Those of SHA-256: the first 32 bits behind the point of cube roots of primes."""
    primes = [n for n in range(2, 312) if all(n % d for d in range(2, math.isqrt(n) + 1))]
    found = []
    for prime in primes:
        low, high = 0, 8 << 32
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if middle**3 <= prime << 96 else (low, middle)
        found.append(low % (1 << 32))
    return ", ".join(f"0x{n:x}" for n in found)


ROOT = pow(17, 7680 // 32, 7681)  # of order 32
PLACES = [int(f"{i:04b}"[::-1], 2) for i in range(16)]


def zetas():
    return ", ".join(str(pow(ROOT, i, 7681)) for i in PLACES)


def designs_of(folder, directives):
    folder.mkdir(parents=True, exist_ok=True)
    found = {}
    for name, text in PROGRAMS.items():
        (folder / f"{name}.c").write_text(
            HEAD + text.replace("@", zetas() if name == "ntt" else constants())
        )
        data = {"kernel": f"{name}.c", "top": name, **directives}
        found[name] = read_design(folder / f"{name}.toml", data)
    return found


def inputs_of(design, rng, most):
    return {
        one.name: [rng.randrange(min(1 << one.width, most)) for _ in range(one.depth)]
        for one in design.top.function.arguments
        if isinstance(one, Array)
    }


def words(data, bytes_of_word, order):
    return [
        int.from_bytes(data[i : i + bytes_of_word], order)
        for i in range(0, len(data), bytes_of_word)
    ]


def known():
    """Inputs and what must come out, by other programs."""
    start = [math.isqrt(prime << 64) % (1 << 32) for prime in (2, 3, 5, 7, 11, 13, 17, 19)]
    block = b"abc\x80" + bytes(59) + b"\x18"
    digest = words(hashlib.sha256(b"abc").digest(), 4, "big")
    state = words(b"abc\x06" + bytes(131) + b"\x80" + bytes(64), 8, "little")
    polynomial = [(i * 1234 + 7) % 7681 for i in range(16)]
    reduced = [(n - 40000) % 65536 for n in range(0, 64000, 2000)]
    return {
        "sha256_block": ({"h": start, "data": list(block)}, "h", digest),
        "keccak": ({"s": state}, "s", words(hashlib.sha3_256(b"abc").digest(), 8, "little")),
        "ntt": ({"r": polynomial}, "r", transformed(polynomial)),
        "reduce": (
            {"r": reduced},
            "r",
            [(n - (n >> 15 << 16)) % 3329 for n in reduced],
        ),
    }


def transformed(values):
    """The number-theoretic transform of 16 values, from its definition."""
    points = [pow(ROOT, 2 * i + 1, 7681) for i in PLACES]
    return [sum(v * x**i for i, v in enumerate(values)) % 7681 for x in points]


def test_eleven_programs(folder):
    found = designs_of(folder / "own", {})
    farm = Farm(list(found.values()), folder / "own")
    software = {name: Software(design, folder / "own") for name, design in found.items()}
    rng = random.Random(5)
    answers = known()
    for turn in range(3):
        # Limbs of a number modulo 2^255 - 19 have 16 bits, coefficients are below q.
        most = {"multiply": 1 << 16, "ntt": 7681}
        inputs = [inputs_of(design, rng, most.get(name, 1 << 64)) for name, design in found.items()]
        if turn == 0:
            inputs = [
                answers[name][0] if name in answers else values
                for name, values in zip(found, inputs, strict=True)
            ]
        cores = farm.run(inputs, turn + 1)
        for (name, design), values, core in zip(found.items(), inputs, cores, strict=True):
            cycles, arrays, result = core
            wanted = software[name].run(values)
            assert (arrays, result) == (wanted.arrays, wanted.result), name
            assert cycles == design.latency(), name
            if turn == 0 and name in answers:
                _, array, numbers = answers[name]
                assert arrays[array][: len(numbers)] == numbers, name


def test_the_twelfth(compiled):
    """The message has the line and what to write instead, and that is enough."""
    text = HEAD + CRC
    with pytest.raises(Refused, match=r"length of array data is not known; declare data") as told:
        compiled(text, top="crc32")
    assert told.value.line == 5
    text = text.replace("*data,", "data[static 64],").replace("size_t", "PUBLIC size_t")
    design = compiled('#include "hls.h"\n' + text, top="crc32", values={"length": [0, 3, 64]})
    assert set(design.top.latencies) == {(0,), (3,), (64,)}
