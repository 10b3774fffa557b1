/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Products in GF(2)[x]/(x^r - 1) on the Cortex-M4: Toom's method in five parts, twice, over the products
 * of gf2x_mul_m4.c.
 *
 * Where a product of words takes 54 instructions, few products matter more than what is around them.
 * The points are all polynomials in x below degree 3, which are a vector space over GF(2), and infinity.
 * In a vector space the coefficients of the product come apart by their exponents: differences of
 * the values leave out those of X^0 and X^(2^i), which are linear, and then those that are left are
 * solved for [BGTZ08, 4]. Values are only 8 bits longer than parts.
 *
 * All work is on streams of words, lowest first, so that an exact division by x^k + 1 is a product
 * with 1 + x^k + x^2k + ..., and needs of the past one word, as a shift to the left does.
 */
#include <string.h>

#include "base/unroll.h"
#include "gf2x/gf2x_m4.h"

#define POINTS 9

/* By how many bits a coefficient is further left when it is interpolated, so that no stream is shifted to
 * the right. */
static const uint8_t too_far[POINTS] = {0, 5, 5, 4, 5, 4, 4, 4, 0};

/* How an element is cut. */
struct parts {
  uint32_t bits;  /* of a part */
  uint32_t words; /* of a value */
};

static struct parts cut(uint32_t bits) {
  const struct parts parts = {GF2X_PART_BITS_M4(bits), GF2X_VALUE_WORDS_M4(bits)};
  return parts;
}

/* Returns a x^k; before is the word before a; 0 < k < 32. */
static inline uint32_t shift(uint32_t a, uint32_t before, unsigned k) {
  return a << k | before >> (32 - k);
}

/* Returns a / (x^k + 1); before is the word before in the quotient. */
static inline uint32_t divide(uint32_t a, uint32_t before, unsigned k) {
  a ^= before >> (32 - k);
  UNROLL
  for (unsigned i = k; i < 32; i *= 2) {
    a ^= a << i;
  }
  return a;
}

/* Returns 32 bits of a from bit position on. */
static inline uint32_t read_bits(const uint32_t *a, uint32_t position) {
  const uint32_t *word = a + position / 32;
  const unsigned bits = position % 32;

  return word[0] >> bits | word[1] << 1 << (31 - bits);
}

/* The words of the parts 1 to 4 before the current ones. */
struct parts_before {
  uint32_t a1, a2, a3, a4;
};

/* Evaluates one word of the parts at all points; the values stand distance words apart. */
static inline void evaluate_word(uint32_t *out, uint32_t distance, const uint32_t a[5],
                                 struct parts_before *b) {
  const uint32_t linear_x = shift(a[1], b->a1, 1) ^ shift(a[2], b->a2, 2) ^ shift(a[4], b->a4, 4);
  const uint32_t linear_y = shift(a[1], b->a1, 2) ^ shift(a[2], b->a2, 4) ^ shift(a[4], b->a4, 8);
  const uint32_t at_1 = a[0] ^ a[1] ^ a[2] ^ a[3] ^ a[4];
  const uint32_t third_1 = shift(a[3], b->a3, 1);
  const uint32_t third_2 = shift(a[3], b->a3, 2);
  const uint32_t third_3 = shift(a[3], b->a3, 3);
  const uint32_t third_4 = shift(a[3], b->a3, 4);
  const uint32_t third_5 = shift(a[3], b->a3, 5);
  const uint32_t third_6 = shift(a[3], b->a3, 6);
  const uint32_t at_x = a[0] ^ linear_x ^ third_3;
  const uint32_t at_xx = a[0] ^ linear_y ^ third_6;
  const uint32_t at_x_xx = at_x ^ linear_y ^ third_4 ^ third_5 ^ third_6;

  out[0] = a[0];
  out[distance] = at_1;
  out[2 * distance] = at_x;
  out[3 * distance] = at_1 ^ linear_x ^ third_1 ^ third_2 ^ third_3;
  out[4 * distance] = at_xx;
  out[5 * distance] = at_1 ^ linear_y ^ third_2 ^ third_4 ^ third_6;
  out[6 * distance] = at_x_xx;
  out[7 * distance] = at_x_xx ^ at_1 ^ a[0] ^ third_1 ^ third_4;
  out[8 * distance] = a[4];
  b->a1 = a[1];
  b->a2 = a[2];
  b->a3 = a[3];
  b->a4 = a[4];
}

/* Evaluates a at 0, 1, x, x + 1, x^2, x^2 + 1, x^2 + x, x^2 + x + 1 and infinity. */
static void evaluate(uint32_t *out, uint32_t distance, const uint32_t *a, const struct parts *parts) {
  const uint32_t whole = parts->bits / 32;
  struct parts_before before = {0, 0, 0, 0};
  uint32_t words[5];

  for (uint32_t i = 0; i < parts->words; i++) {
    uint32_t mask = UINT32_MAX;
    if (i >= whole) {
      mask = i == whole ? (UINT32_C(1) << (parts->bits % 32)) - 1 : 0;
    }
    UNROLL
    for (uint32_t j = 0; j < 5; j++) {
      words[j] = read_bits(a, j * parts->bits + 32 * i) & mask;
    }
    evaluate_word(out + i, distance, words, &before);
  }
}

/* The first half of interpolation: c3, c5, c6 and c7. With P(u) the values and P(u, v) = P(u + v) +
 * P(u) + P(v) + P(0), which has no linear terms:
 *   P(1, x) / (x (x + 1))         = c3 + (x^2 + x + 1) c5 + (x^2 + x) c6 + (x^4 + x^2 + 1) c7
 *   P(1, x^2) / (x^2 (x^2 + 1))   = the same with x^2 for x
 *   P(x, x^2) / (x^4 (x + 1))     = c3 + (x^4 + x^3 + x^2) c5 + (x^5 + x^4) c6 + (x^8 + x^6 + x^4) c7
 *   the sum of all values         = x^4 (x^4 + 1) (x^2 + x + 1) c7
 * All that is called c below is times x^4. */
static void interpolate_upper(uint32_t *p, uint32_t n) {
  uint32_t a12 = 0, a13 = 0, a23 = 0, g = 0, h_1 = 0, h = 0, j = 0;
  uint32_t sum = 0, c7 = 0, a4 = 0, t = 0;

  for (uint32_t i = 0; i < n; i++, p++) {
    const uint32_t p_01 = p[0] ^ p[n];
    const uint32_t p_12 = p_01 ^ p[2 * n] ^ p[3 * n];
    const uint32_t p_13 = p_01 ^ p[4 * n] ^ p[5 * n];
    const uint32_t p_23 = p[0] ^ p[2 * n] ^ p[4 * n] ^ p[6 * n];
    const uint32_t p_123 = p_12 ^ p[4 * n] ^ p[5 * n] ^ p[6 * n] ^ p[7 * n];
    const uint32_t sum_before = sum, c7_before = c7, a12_before = a12, g_before = g, a4_before = a4,
                   t_before = t;

    sum = divide(p_123, sum, 4);
    c7 = divide(sum ^ shift(sum, sum_before, 1), c7, 3); /* x^2 + x + 1 = (x^3 + 1) / (x + 1) */
    a12 = divide(p_12, a12, 1);
    a13 = divide(p_13, a13, 2);
    a23 = divide(p_23, a23, 1);
    g = divide(shift(a12, a12_before, 1) ^ a13, g, 3);
    const uint32_t a12_3 = shift(a12, a12_before, 3);
    h_1 = divide(a12_3 ^ a23, h_1, 1);
    h = divide(h_1, h, 3);
    j = divide(shift(g, g_before, 1) ^ h, j, 1);
    const uint32_t c7_2 = shift(c7, c7_before, 2);
    const uint32_t c6 = j ^ c7 ^ shift(c7, c7_before, 1) ^ c7_2;
    t = g ^ c7 ^ shift(c7, c7_before, 3);
    a4 = shift(t, t_before, 1); /* c5 + c6 */
    const uint32_t c5 = a4 ^ c6;
    p[3 * n] = a12_3 ^ c7 ^ c7_2 ^ shift(c7, c7_before, 4) ^ shift(a4, a4_before, 1) ^
               shift(a4, a4_before, 2) ^ c5;
    p[5 * n] = c5;
    p[6 * n] = c6;
    p[7 * n] = c7;
  }
}

/* The words before the current ones in interpolate_lower. */
struct lower_before {
  uint32_t c3, c5, c6, c7, c8, u_1, x_0, y_0, s_1, e, f, c4;
};

/* The second half: c1, c2 and c4, all times x^5, from the values at 1, x and x^2 without what is
 * known: c1 + v c2 + v^3 c4 for v = 1, x, x^2. */
static void interpolate_lower(uint32_t *p, uint32_t n) {
  struct lower_before b = {0};

  for (uint32_t i = 0; i < n; i++, p++) {
    const uint32_t c3 = p[3 * n], c5 = p[5 * n], c6 = p[6 * n], c7 = p[7 * n], c8 = p[8 * n];
    const uint32_t u_1 = p[0] ^ p[n] ^ c8;
    const uint32_t x_0 = p[2 * n] ^ p[0];
    const uint32_t y_0 = p[4 * n] ^ p[0];
    const uint32_t s_1 = shift(u_1, b.u_1, 4) ^ c3 ^ c5 ^ c6 ^ c7;
    const uint32_t s_x = shift(x_0, b.x_0, 3) ^ shift(c3, b.c3, 2) ^ shift(c5, b.c5, 4) ^
                         shift(c6, b.c6, 5) ^ shift(c7, b.c7, 6) ^ shift(c8, b.c8, 11);
    const uint32_t s_y = shift(y_0, b.y_0, 2) ^ shift(c3, b.c3, 4) ^ shift(c5, b.c5, 8) ^
                         shift(c6, b.c6, 10) ^ shift(c7, b.c7, 12) ^ shift(c8, b.c8, 18);
    const uint32_t e = divide(s_1 ^ s_x, b.e, 1);  /* c2 + (x^2 + x + 1) c4 */
    const uint32_t f = divide(s_1 ^ s_y, b.f, 2);  /* c2 + (x^4 + x^2 + 1) c4 */
    const uint32_t c4 = divide(e ^ f, b.c4, 3);
    const uint32_t c2 = shift(e, b.e, 1) ^ c4 ^ shift(c4, b.c4, 1) ^ shift(c4, b.c4, 2);

    p[n] = shift(s_1, b.s_1, 1) ^ c2 ^ c4;
    p[2 * n] = c2;
    p[4 * n] = c4;
    b = (struct lower_before){c3, c5, c6, c7, c8, u_1, x_0, y_0, s_1, e, f, c4};
  }
}

/* Adds a[count] to out[limit] from bit position on; what would be behind the end is left out. */
static void add_shifted(uint32_t *out, uint32_t limit, uint32_t position, const uint32_t *a,
                        uint32_t count) {
  const uint32_t start = position / 32;
  const unsigned bits = position % 32;
  const uint32_t room = limit - start;
  uint32_t before = 0;

  out += start;
  for (uint32_t i = 0; i < (count < room ? count : room); i++) {
    out[i] ^= a[i] << bits | before;
    before = a[i] >> 1 >> (31 - bits);
  }
  if (count < room) {
    out[count] ^= before;
  }
}

/* out[2 words] = a[words] * b[words], of so many bits; out may be where the factors are. */
static void multiply_value(uint32_t *out, const uint32_t *a, const uint32_t *b, uint32_t words,
                           const struct parts *parts, uint32_t *memory, uint32_t *scratch) {
  const uint32_t distance = 2 * parts->words;

  /* The values of a point stand where the product of the next point will be. */
  evaluate(memory + distance, distance, a, parts);
  evaluate(memory + distance + parts->words, distance, b, parts);
  for (uint32_t i = 0; i < POINTS; i++) {
    uint32_t *product = memory + i * distance;
    gf2x_mul_words_m4(product, product + distance, product + distance + parts->words,
                      parts->words, scratch);
  }
  interpolate_upper(memory, distance);
  interpolate_lower(memory, distance);
  memset(out, 0, 2 * words * sizeof *out);
  for (uint32_t i = 0; i < POINTS; i++) {
    add_shifted(out, 2 * words, i * parts->bits - too_far[i], memory + i * distance, distance);
  }
}

/* Adds a[count] x^position modulo x^r - 1. Bits from r on mean nothing afterwards. */
static void add_cyclic(const struct gf2x_ring *ring, uint32_t *out, uint32_t position,
                       const uint32_t *a, uint32_t count) {
  const uint32_t r = ring->r_bits;

  while (position >= r) {
    position -= r;
  }
  add_shifted(out, (r + 31) / 32, position, a, count);
  for (uint32_t from = r - position; from < 32 * count; from += 32) {
    const uint32_t next = from / 32 + 1 < count ? a[from / 32 + 1] : 0;
    *out++ ^= a[from / 32] >> (from % 32) | next << 1 << (31 - from % 32);
  }
}

void gf2x_mul_ring_m4(const struct gf2x_ring *ring, uint64_t *out, const uint64_t *a,
                      const uint64_t *b, bool add, uint64_t *scratch) {
  const struct parts parts = cut(ring->r_bits);
  const struct parts inner = cut(parts.bits + GF2X_VALUE_GROWTH_M4);
  const uint32_t distance = 2 * parts.words;
  uint32_t *words = (uint32_t *)(void *)out;
  uint32_t *values = (uint32_t *)(void *)scratch;
  uint32_t *rest = values + POINTS * distance;
  /* As soon as the factors are evaluated, out is free, even if it is one of them. */
  uint32_t *memory = add ? rest + GF2X_WORDS_SCRATCH_M4(inner.words) : words;

  evaluate(values, distance, (const uint32_t *)(const void *)a, &parts);
  evaluate(values + parts.words, distance, (const uint32_t *)(const void *)b, &parts);
  for (uint32_t i = 0; i < POINTS; i++) {
    uint32_t *value = values + i * distance;
    multiply_value(value, value, value + parts.words, parts.words, &inner, memory, rest);
  }
  interpolate_upper(values, distance);
  interpolate_lower(values, distance);
  if (!add) {
    memset(out, 0, ring->stride * sizeof *out);
  }
  for (uint32_t i = 0; i < POINTS; i++) {
    add_cyclic(ring, words, i * parts.bits - too_far[i], values + i * distance, distance);
  }
  words[ring->r_bits / 32] &= (UINT32_C(1) << (ring->r_bits % 32)) - 1;
}
