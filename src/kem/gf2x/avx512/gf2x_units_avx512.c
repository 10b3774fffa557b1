/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Products of polynomials whose coefficients are units (see gf2x_avx512.h), by Karatsuba's method:
 * cut into 2, 3 or 5 parts until one unit is left (ckem_gf2x_multiply_units_avx512), and two units
 * multiplied as polynomials of eight terms whose coefficients are blocks (multiply_unit_avx512).
 *
 * A block is again a polynomial of two terms, its words, and takes three products of words: low,
 * high, and the sum of both. The sums for the first half of a unit are put into the low words of
 * a vector and those for the second half into the high words, so that no word is idle.
 */
#include "gf2x/avx512/gf2x_avx512.h"

#include <string.h>

#include "base/isa.h"

#if defined(CODEKEM_HAVE_AVX512)
ISA_BEGIN_AVX512

#define HALF_VECTORS GF2X_HALF_VECTORS
#define UNIT_VECTORS GF2X_UNIT_VECTORS
#define MAX_PARTS GF2X_MAX_PARTS

const struct gf2x_split ckem_gf2x_split_whole = {.parts = 1, .sums = 0, .term_places = {0x1}};
const struct gf2x_split ckem_gf2x_split_in_two = {
    .parts = 2, .sums = 1, .sum = {{2, {0, 1}}}, .term_places = {0x3, 0x6}, .sum_places = {0x2}};
const struct gf2x_split ckem_gf2x_split_in_three = {.parts = 3,
                                                    .sums = 3,
                                                    .sum = {{2, {0, 1}}, {2, {0, 2}}, {2, {1, 2}}},
                                                    .term_places = {0x07, 0x0E, 0x1C},
                                                    .sum_places = {0x02, 0x04, 0x08}};
/* Thirteen products, as few as Montgomery's formula [Mon05] */
const struct gf2x_split ckem_gf2x_split_in_five = {
    .parts = 5,
    .sums = 8,
    .sum = {{2, {0, 1}},
            {2, {0, 2}},
            {3, {1, 2, 3}},
            {2, {2, 4}},
            {4, {0, 1, 2, 4}},
            {2, {3, 4}},
            {4, {0, 2, 3, 4}},
            {5, {0, 1, 2, 3, 4}}},
    .term_places = {0x027, 0x02E, 0x06C, 0x0E8, 0x1C8},
    .sum_places = {0x022, 0x014, 0x028, 0x050, 0x018, 0x088, 0x030, 0x038}};

/* The products of the low words (high = 0) or of the high words (high = 1) of all blocks. */
ALWAYS_INLINE vector multiply_words(vector a, vector b, int high) {
  return high ? _mm512_clmulepi64_epi128(a, b, 0x11) : _mm512_clmulepi64_epi128(a, b, 0x00);
}

ALWAYS_INLINE void multiply_2(vector out[3], const vector a[2], const vector b[2], int high) {
  out[0] = multiply_words(a[0], b[0], high);
  out[2] = multiply_words(a[1], b[1], high);
  out[1] = xor3(multiply_words(xor2(a[0], a[1]), xor2(b[0], b[1]), high), out[0], out[2]);
}

ALWAYS_INLINE void multiply_4(vector out[7], const vector a[4], const vector b[4], int high) {
  const vector sum_a[2] = {xor2(a[0], a[2]), xor2(a[1], a[3])};
  const vector sum_b[2] = {xor2(b[0], b[2]), xor2(b[1], b[3])};
  vector bottom[3], top[3], middle[3];

  multiply_2(bottom, a, b, high);
  multiply_2(top, a + 2, b + 2, high);
  multiply_2(middle, sum_a, sum_b, high);
  const vector overlap = xor2(bottom[2], top[0]);
  out[0] = bottom[0];
  out[1] = bottom[1];
  out[2] = xor3(middle[0], bottom[0], overlap);
  out[3] = xor3(middle[1], bottom[1], top[1]);
  out[4] = xor3(middle[2], top[2], overlap);
  out[5] = top[1];
  out[6] = top[2];
}

ALWAYS_INLINE void multiply_8(vector out[15], const vector a[8], const vector b[8],
                              const vector sum_a[4], const vector sum_b[4], int high) {
  vector bottom[7], top[7], middle[7];

  multiply_4(bottom, a, b, high);
  multiply_4(top, a + 4, b + 4, high);
  multiply_4(middle, sum_a, sum_b, high);
#pragma GCC unroll 4
  for (int i = 0; i < 4; i++) {
    out[i] = bottom[i];
    out[11 + i] = top[3 + i];
  }
#pragma GCC unroll 3
  for (int i = 0; i < 3; i++) {
    const vector overlap = xor2(bottom[4 + i], top[i]);
    out[4 + i] = xor3(middle[i], bottom[i], overlap);
    out[8 + i] = xor3(middle[4 + i], top[4 + i], overlap);
  }
  out[7] = xor3(middle[3], bottom[3], top[3]);
}

/* gcc makes the better code from one large function, clang from small ones (4 and 13 percent of
 * a product). */
#if defined(__clang__)
#define MULTIPLY_FUNCTION static __attribute__((noinline))
#else
#define MULTIPLY_FUNCTION ALWAYS_INLINE
#endif

/* The products of words in one half of a unit, as polynomials of 15 terms. */
struct word_products {
  vector low[15];
  vector high[15];
};

MULTIPLY_FUNCTION void multiply_all_words(struct word_products *out, const vector a[8],
                                          const vector b[8]) {
  vector sum_a[4], sum_b[4];

#pragma GCC unroll 4
  for (int i = 0; i < 4; i++) {
    sum_a[i] = xor2(a[i], a[4 + i]);
    sum_b[i] = xor2(b[i], b[4 + i]);
  }
  multiply_8(out->low, a, b, sum_a, sum_b, 0);
  multiply_8(out->high, a, b, sum_a, sum_b, 1);
}

/* Adds the low and the high word of each block; low words: of the unit's first half. */
ALWAYS_INLINE void add_words(vector sums[8], const vector unit[UNIT_VECTORS]) {
#pragma GCC unroll 8
  for (int i = 0; i < HALF_VECTORS; i++) {
    sums[i] = add_halves(unit[i], unit[HALF_VECTORS + i]);
  }
}

/* Puts the 16 blocks of a product together. sums: the products of the sums of words. out[8 + i] is
 * UNIT_VECTORS behind out[i]. */
ALWAYS_INLINE void join_words(vector *out, const struct word_products *p, const vector sums[15]) {
  vector before = _mm512_setzero_si512();

#pragma GCC unroll 15
  for (int i = 0; i < 15; i++) {
    const vector middle = xor3(p->low[i], p->high[i], sums[i]);
    const vector shifted = _mm512_alignr_epi8(middle, before, 8);
    out[i % 8 + i / 8 * UNIT_VECTORS] =
        i == 0 ? xor2(p->low[i], shifted) : xor3(p->low[i], p->high[i - 1], shifted);
    before = middle;
  }
  out[7 + UNIT_VECTORS] = xor2(p->high[14], _mm512_bsrli_epi128(before, 8));
}

/* out[2 units] = a[1 unit] * b[1 unit] */
static void multiply_unit_avx512(vector *out, const vector *a, const vector *b) {
  vector sums_a[8], sums_b[8];
  struct word_products sums, half;

  add_words(sums_a, a);
  add_words(sums_b, b);
  multiply_all_words(&sums, sums_a, sums_b);
  multiply_all_words(&half, a, b);
  join_words(out, &half, sums.low);
  multiply_all_words(&half, a + HALF_VECTORS, b + HALF_VECTORS);
  join_words(out + HALF_VECTORS, &half, sums.high);
}

/* The coefficients c[2 parts - 1] of a product from the products of a split: of the single terms p
 * and of the sums s, each `step` vectors behind the one before. */
ALWAYS_INLINE void find_coefficients(unsigned parts, vector *c, const vector *p, const vector *s,
                                     size_t step) {
  const vector p0 = p[0];
  const vector p1 = p[step];

  c[0] = p0;
  if (parts == 2) {
    c[1] = xor3(p0, p1, s[0]);
    c[2] = p1;
  } else if (parts == 3) {
    const vector p01 = xor2(p0, p1);
    const vector p2 = p[2 * step];
    c[1] = xor2(p01, s[0]);
    c[2] = xor3(p01, p2, s[step]);
    c[3] = xor3(p1, p2, s[2 * step]);
    c[4] = p2;
  } else if (parts == 5) {
    const vector p01 = xor2(p0, p1);
    const vector p2 = p[2 * step], p3 = p[3 * step], p4 = p[4 * step];
    const vector p34 = xor2(p3, p4);
    const vector p234 = xor2(p2, p34);
    const vector s0 = s[0], s1 = s[step], s2 = s[2 * step], s3 = s[3 * step];
    const vector s4 = s[4 * step], s5 = s[5 * step], s7 = s[7 * step];
    const vector s67 = xor2(s[6 * step], s7);
    c[1] = xor2(p01, s0);
    c[2] = xor3(p01, p2, s1);
    c[3] = xor3(xor3(p1, p234, s2), xor2(s4, s5), s7);
    c[4] = xor3(xor2(s1, s3), s4, s67);
    c[5] = xor3(xor3(p01, p2, p3), xor2(s0, s2), s67);
    c[6] = xor2(p234, s3);
    c[7] = xor2(p34, s5);
    c[8] = p4;
  }
}

ALWAYS_INLINE void join_parts(unsigned parts, vector *product, const vector *sums, size_t length) {
  for (size_t i = 0; i < length; i++) {
    vector low[2 * MAX_PARTS - 1], high[2 * MAX_PARTS - 1];
    vector *out = product + i;
    find_coefficients(parts, low, out, sums + i, 2 * length);
    find_coefficients(parts, high, out + length, sums + length + i, 2 * length);
    out[0] = low[0];
    for (unsigned j = 1; j < 2 * parts - 1; j++) {
      out[j * length] = xor2(low[j], high[j - 1]);
    }
    out[(2 * parts - 1) * length] = high[2 * parts - 2];
  }
}

void ckem_gf2x_join_avx512(const struct gf2x_split *split, vector *product, const vector *sums,
                           size_t length) {
  if (split->parts == 2) {
    join_parts(2, product, sums, length);
  } else if (split->parts == 3) {
    join_parts(3, product, sums, length);
  } else if (split->parts == 5) {
    join_parts(5, product, sums, length);
  }
}

void ckem_gf2x_add_terms_avx512(vector *out, const vector *a, size_t step, size_t length,
                                const struct gf2x_sum *sum) {
  const vector *a0 = a + sum->term[0] * step;
  const vector *a1 = a + sum->term[1] * step;
  const vector *a2 = a + sum->term[2] * step;
  const vector *a3 = a + sum->term[3] * step;
  const vector *a4 = a + sum->term[4] * step;

  if (sum->terms == 1) {
    memcpy(out, a0, length * sizeof *out);
  } else if (sum->terms == 2) {
    for (size_t i = 0; i < length; i++) {
      out[i] = xor2(a0[i], a1[i]);
    }
  } else if (sum->terms == 3) {
    for (size_t i = 0; i < length; i++) {
      out[i] = xor3(a0[i], a1[i], a2[i]);
    }
  } else if (sum->terms == 4) {
    for (size_t i = 0; i < length; i++) {
      out[i] = xor2(xor3(a0[i], a1[i], a2[i]), a3[i]);
    }
  } else {
    for (size_t i = 0; i < length; i++) {
      out[i] = xor3(xor3(a0[i], a1[i], a2[i]), a3[i], a4[i]);
    }
  }
}

/* Smallest first: fewer products are kept. */
static const struct gf2x_split *find_split_avx512(size_t units) {
  return units % 2 == 0   ? &ckem_gf2x_split_in_two
         : units % 3 == 0 ? &ckem_gf2x_split_in_three
                          : &ckem_gf2x_split_in_five;
}

size_t ckem_gf2x_units_scratch_avx512(size_t units) {
  size_t vectors = 0;

  while (units > 1) {
    const struct gf2x_split *split = find_split_avx512(units);
    units /= split->parts;
    vectors += 2 * units * UNIT_VECTORS * (1 + split->sums);
  }
  return vectors;
}

void ckem_gf2x_multiply_units_avx512(vector *out, const vector *a, const vector *b, size_t units,
                                     vector *scratch) {
  if (units == 1) {
    multiply_unit_avx512(out, a, b);
    return;
  }
  const struct gf2x_split *split = find_split_avx512(units);
  const size_t part = units / split->parts;
  const size_t length = part * UNIT_VECTORS;
  vector *sum_a = scratch;
  vector *sum_b = sum_a + length;
  vector *sums = sum_b + length;
  vector *rest = sums + 2 * length * split->sums;

  for (unsigned j = 0; j < split->parts; j++) {
    ckem_gf2x_multiply_units_avx512(out + 2 * length * j, a + length * j, b + length * j, part,
                                    rest);
  }
  for (unsigned j = 0; j < split->sums; j++) {
    ckem_gf2x_add_terms_avx512(sum_a, a, length, length, &split->sum[j]);
    ckem_gf2x_add_terms_avx512(sum_b, b, length, length, &split->sum[j]);
    ckem_gf2x_multiply_units_avx512(sums + 2 * length * j, sum_a, sum_b, part, rest);
  }
  ckem_gf2x_join_avx512(split, out, sums, length);
}

ISA_END
#endif
