/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Products in GF(2)[x] by VPCLMULQDQ: Karatsuba's method across and along the lanes.
 *
 * Multiplications of 64-bit words are by far the scarcest resource, so the method is carried through
 * from the whole operand to the word. An operand is cut into four chunks, and lane c of a vector
 * holds a block of 128 bits of chunk c: the chunks c0, c1, c2, c3 are transposed. The product of two
 * polynomials of four terms takes nine products:
 *
 *   four products of chunks                  first half of a unit
 *   c0+c1, c2+c3, c0+c2, c1+c3               second half of a unit
 *   r = c0+c1+c2+c3                          later, see below
 *
 * A unit is eight blocks of all chunks, that is 64 words of the operand: eight vectors for each of
 * the two halves. Operands are polynomials whose coefficients are units; they are cut into 2, 3 or 5
 * parts until one unit is left (multiply_units), and two units are multiplied as polynomials of
 * eight terms whose coefficients are blocks (multiply_unit).
 *
 * A block is again a polynomial of two terms, its words, and takes three products of words: low,
 * high, and the sum of both. The sums for the first half of a unit are put into the low words of
 * a vector and those for the second half into the high words, so that no word is idle.
 *
 * The ninth product, r, has one chunk only. It is cut once more so that its parts (and their sums)
 * fill the lanes of units.
 *
 * If the operands are only one or two words longer than a number of units (all rings of BIKE are),
 * these odd words are multiplied apart; otherwise the operands are padded with zeros.
 */
#include <assert.h>
#include <string.h>

#include "gf2x/gf2x_avx512.h"

#define UNIT_WORDS 64
#define UNIT_VECTORS 16      /* of an operand, and of the product for each unit of its length */
#define HALF_VECTORS 8
#define UNIT_LANES 8
#define UNIT_CHUNK_VECTORS 2 /* of one chunk in the natural order */
#define MAX_PARTS 5
#define MAX_SUMS 8
#define MAX_ODD_WORDS 2

/* A polynomial of `parts` terms: the products of the single terms and these sums of terms (bit j
 * stands for term j) determine the product. */
struct split {
  unsigned parts;
  unsigned sums;
  uint8_t sum[MAX_SUMS];
};

static const struct split whole = {.parts = 1, .sums = 0, .sum = {0}};
static const struct split in_two = {.parts = 2, .sums = 1, .sum = {0x3}};
static const struct split in_three = {.parts = 3, .sums = 3, .sum = {0x3, 0x5, 0x6}};
/* Thirteen products, as few as Montgomery's formula [Mon05] */
static const struct split in_five = {
    .parts = 5, .sums = 8, .sum = {0x03, 0x05, 0x0E, 0x14, 0x17, 0x18, 0x1D, 0x1F}};

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

/* The products of words in one half of a unit, as polynomials of 15 terms. */
struct word_products {
  vector low[15];
  vector high[15];
};

static __attribute__((noinline)) void multiply_all_words(struct word_products *out,
                                                         const vector a[8], const vector b[8]) {
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
    const vector first = unit[i];
    const vector second = unit[HALF_VECTORS + i];
    sums[i] = xor2(_mm512_alignr_epi8(second, first, 8),
                   _mm512_mask_blend_epi64(0xAA, first, second));
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
static void multiply_unit(vector *out, const vector *a, const vector *b) {
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

/* The coefficients c[2 parts - 1] of a product from those of its split. */
ALWAYS_INLINE void find_coefficients(unsigned parts, vector *c, const vector *single,
                                     const vector *sum) {
  const unsigned last = parts - 1;

  c[0] = single[0];
  c[2 * last] = single[last];
  if (parts == 2) {
    c[1] = xor3(single[0], single[1], sum[0]);
  } else if (parts == 3) {
    const vector t = xor2(single[0], single[1]);
    const vector u = xor2(single[1], single[2]);
    c[1] = xor2(t, sum[0]);
    c[2] = xor3(t, single[2], sum[1]);
    c[3] = xor2(u, sum[2]);
  } else if (parts == 5) {
    const vector t = xor2(single[0], single[1]);
    const vector u = xor2(single[3], single[4]);
    const vector v = xor2(single[2], u);
    const vector w = xor2(sum[6], sum[7]);
    c[1] = xor2(t, sum[0]);
    c[2] = xor3(t, single[2], sum[1]);
    c[3] = xor3(xor3(single[1], v, sum[2]), xor2(sum[4], sum[5]), sum[7]);
    c[4] = xor3(xor2(sum[1], sum[3]), sum[4], w);
    c[5] = xor3(xor3(t, single[2], single[3]), xor2(sum[0], sum[2]), w);
    c[6] = xor2(v, sum[3]);
    c[7] = xor2(u, sum[5]);
  }
}

/* Turns the products of a split into the product of the whole. product: those of the single terms,
 * one behind the other; sums: those of the sums. Each has 2 * length vectors. */
ALWAYS_INLINE void join_parts(unsigned parts, vector *product, const vector *sums, size_t length) {
  const unsigned last = 2 * parts - 1;
  const unsigned sum_count = parts == 5 ? 8 : parts == 3 ? 3 : 1;

  for (size_t i = 0; i < length; i++) {
    vector single[2][MAX_PARTS], sum[2][MAX_SUMS], c[2][2 * MAX_PARTS - 1];
    for (unsigned half = 0; half < 2; half++) {
      for (unsigned j = 0; j < parts; j++) {
        single[half][j] = product[(2 * j + half) * length + i];
      }
      for (unsigned j = 0; j < sum_count; j++) {
        sum[half][j] = sums[(2 * j + half) * length + i];
      }
      find_coefficients(parts, c[half], single[half], sum[half]);
    }
    product[i] = c[0][0];
    for (unsigned j = 1; j < last; j++) {
      product[j * length + i] = xor2(c[0][j], c[1][j - 1]);
    }
    product[last * length + i] = c[1][last - 1];
  }
}

static void join(const struct split *split, vector *product, const vector *sums, size_t length) {
  if (split->parts == 2) {
    join_parts(2, product, sums, length);
  } else if (split->parts == 3) {
    join_parts(3, product, sums, length);
  } else if (split->parts == 5) {
    join_parts(5, product, sums, length);
  }
}

/* out[length] = the sum of the terms, each of length vectors, that the bits of `terms` name: two to
 * five. */
static void add_terms(vector *out, const vector *a, size_t length, unsigned terms) {
  const vector *term[MAX_PARTS];
  unsigned count = 0;

  for (unsigned j = 0; terms >> j != 0; j++) {
    if ((terms >> j & 1) != 0) {
      term[count] = a + j * length;
      count += 1;
    }
  }
  if (count == 2) {
    for (size_t i = 0; i < length; i++) {
      out[i] = xor2(term[0][i], term[1][i]);
    }
  } else if (count == 3) {
    for (size_t i = 0; i < length; i++) {
      out[i] = xor3(term[0][i], term[1][i], term[2][i]);
    }
  } else if (count == 4) {
    for (size_t i = 0; i < length; i++) {
      out[i] = xor2(xor3(term[0][i], term[1][i], term[2][i]), term[3][i]);
    }
  } else {
    for (size_t i = 0; i < length; i++) {
      out[i] = xor3(xor3(term[0][i], term[1][i], term[2][i]), term[3][i], term[4][i]);
    }
  }
}

/* out[2 units] = a[units] * b[units]; units has no prime factor but 2, 3 and 5. */
static void multiply_units(vector *out, const vector *a, const vector *b, size_t units,
                           vector *scratch) {
  if (units == 1) {
    multiply_unit(out, a, b);
    return;
  }
  /* Smallest first: fewer products are kept. */
  const struct split *split = units % 2 == 0 ? &in_two : units % 3 == 0 ? &in_three : &in_five;
  const size_t part = units / split->parts;
  const size_t length = part * UNIT_VECTORS;
  vector *sum_a = scratch;
  vector *sum_b = sum_a + length;
  vector *sums = sum_b + length;
  vector *rest = sums + 2 * length * split->sums;

  for (unsigned j = 0; j < split->parts; j++) {
    multiply_units(out + 2 * length * j, a + length * j, b + length * j, part, rest);
  }
  for (unsigned j = 0; j < split->sums; j++) {
    add_terms(sum_a, a, length, split->sum[j]);
    add_terms(sum_b, b, length, split->sum[j]);
    multiply_units(sums + 2 * length * j, sum_a, sum_b, part, rest);
  }
  join(split, out, sums, length);
}

/* Where vector number i of a half of an operand or of a product stands. */
ALWAYS_INLINE size_t vector_place(size_t i) {
  return i / HALF_VECTORS * UNIT_VECTORS + i % HALF_VECTORS;
}

/* Cuts the operand a into chunks; out[units]: the products' operands, r: the sum of the chunks. */
static void cut_operand(const struct gf2x_ring *ring, size_t units, vector *out, vector *r,
                        const uint64_t *a) {
  const size_t chunk = units * UNIT_CHUNK_VECTORS;
  const size_t count = ring->stride / VECTOR_WORDS;

  for (size_t i = 0; i < chunk; i++) {
    vector c[4], sums[4];
#pragma GCC unroll 4
    for (size_t j = 0; j < 4; j++) {
      const size_t k = j * chunk + i;
      c[j] = k < count ? _mm512_load_si512(a + VECTOR_WORDS * k) : _mm512_setzero_si512();
    }
    sums[0] = xor2(c[0], c[1]);
    sums[1] = xor2(c[2], c[3]);
    sums[2] = xor2(c[0], c[2]);
    sums[3] = xor2(c[1], c[3]);
    r[i] = xor2(sums[0], sums[1]);
    transpose_blocks(out + vector_place(4 * i), c);
    transpose_blocks(out + vector_place(4 * i) + HALF_VECTORS, sums);
  }
}

/* Operands and products of a split in the natural order: the single terms, then the sums, then zeros
 * up to a multiple of the eight lanes of a unit. */
static size_t slot_count(const struct split *split) {
  return (split->parts + split->sums + UNIT_LANES - 1) / UNIT_LANES * UNIT_LANES;
}

static void fill_slots(const struct split *split, vector *slots, const vector *a, size_t length) {
  const size_t used = split->parts + split->sums;

  memcpy(slots, a, split->parts * length * sizeof *slots);
  for (unsigned j = 0; j < split->sums; j++) {
    add_terms(slots + (split->parts + j) * length, a, length, split->sum[j]);
  }
  memset(slots + used * length, 0, (slot_count(split) - used) * length * sizeof *slots);
}

/* Moves eight slots, each of length vectors, to the lanes of length / 2 units. */
static void pack_slots(vector *units, const vector *slots, size_t length) {
  for (size_t half = 0; half < 2; half++) {
    const vector *first = slots + 4 * half * length;
    for (size_t i = 0; i < length; i++) {
      const vector lanes[4] = {first[i], first[length + i], first[2 * length + i],
                               first[3 * length + i]};
      transpose_blocks(units + vector_place(4 * i) + half * HALF_VECTORS, lanes);
    }
  }
}

static void unpack_slots(vector *slots, const vector *units, size_t length) {
  for (size_t half = 0; half < 2; half++) {
    vector *first = slots + 4 * half * length;
    for (size_t i = 0; i < length; i++) {
      vector lanes[4];
      transpose_blocks(lanes, units + vector_place(4 * i) + half * HALF_VECTORS);
      for (size_t lane = 0; lane < 4; lane++) {
        first[lane * length + i] = lanes[lane];
      }
    }
  }
}

static const struct split *chunk_split(size_t units) {
  /* Largest first: fewer lanes stay idle. */
  return units % 5 == 0 ? &in_five : units % 3 == 0 ? &in_three : units % 2 == 0 ? &in_two : &whole;
}

/* Vectors that multiply_chunk takes for its result. */
static size_t chunk_product_vectors(size_t units) {
  const struct split *split = chunk_split(units);

  return slot_count(split) * (units / split->parts) * 2 * UNIT_CHUNK_VECTORS;
}

/* out = a * b where a and b have one chunk only, in the natural order. */
static void multiply_chunk(vector *out, const vector *a, const vector *b, size_t units,
                           vector *scratch) {
  const struct split *split = chunk_split(units);
  const size_t part = units / split->parts;
  const size_t slots = slot_count(split);
  const size_t length = part * UNIT_CHUNK_VECTORS;
  vector *slots_a = scratch;
  vector *slots_b = slots_a + slots * length;
  vector *units_a = slots_b + slots * length;
  vector *units_b = units_a + part * UNIT_VECTORS;
  vector *product = units_b + part * UNIT_VECTORS;
  vector *rest = product + 2 * part * UNIT_VECTORS;

  fill_slots(split, slots_a, a, length);
  fill_slots(split, slots_b, b, length);
  for (size_t first = 0; first < slots; first += UNIT_LANES) {
    pack_slots(units_a, slots_a + first * length, length);
    pack_slots(units_b, slots_b + first * length, length);
    multiply_units(product, units_a, units_b, part, rest);
    unpack_slots(out + first * 2 * length, product, 2 * length);
  }
  join(split, out, out + split->parts * 2 * length, length);
}

/* The coefficients of the product of two polynomials of four terms at position i: from the products
 * of the terms and of their sums, as cut_operand numbers them, and r of the sum of all. */
ALWAYS_INLINE void join_lanes(vector c[7], const vector *products, const vector *r, size_t i) {
  vector p[4], q[4];

  transpose_blocks(p, products + vector_place(4 * i));
  transpose_blocks(q, products + vector_place(4 * i) + HALF_VECTORS);
  const vector p01 = xor2(p[0], p[1]);
  const vector p23 = xor2(p[2], p[3]);
  c[0] = p[0];
  c[1] = xor2(p01, q[0]);
  c[2] = xor3(p01, p[2], q[2]);
  c[3] = xor3(xor3(c[1], p23, q[1]), xor2(q[2], q[3]), r[i]);
  c[4] = xor3(p[1], p23, q[3]);
  c[5] = xor2(p23, q[1]);
  c[6] = p[3];
}

/* out: the product in the natural order. */
static void join_chunks(vector *out, const vector *products, const vector *r, size_t units) {
  const size_t chunk = units * UNIT_CHUNK_VECTORS;

  for (size_t i = 0; i < chunk; i++) {
    vector low[7], high[7];
    join_lanes(low, products, r, i);
    join_lanes(high, products, r, chunk + i);
    out[i] = low[0];
#pragma GCC unroll 6
    for (size_t j = 1; j < 7; j++) {
      out[j * chunk + i] = xor2(low[j], high[j - 1]);
    }
    out[7 * chunk + i] = high[6];
  }
}

/* The odd words of a and b as blocks, and the blocks that their words' sums are multiplied with. */
struct odd_words {
  vector a;
  vector b;
  vector sums; /* low words: of b, high words: of a */
};

/* Adds (x * odd->b + y * odd->a) to out and carries what belongs to the next vector. */
ALWAYS_INLINE void add_odd_product(vector *out, vector x, vector y, const struct odd_words *odd,
                                   size_t count, vector *middle_before, vector *high_before) {
  const vector low = xor2(_mm512_clmulepi64_epi128(x, odd->b, 0x00),
                          _mm512_clmulepi64_epi128(y, odd->a, 0x00));
  vector middle;

  if (count == 1) {
    middle = xor2(_mm512_clmulepi64_epi128(x, odd->b, 0x01),
                  _mm512_clmulepi64_epi128(y, odd->a, 0x01));
    *out = xor3(*out, low, _mm512_alignr_epi64(middle, *middle_before, 7));
  } else {
    const vector high = xor2(_mm512_clmulepi64_epi128(x, odd->b, 0x11),
                             _mm512_clmulepi64_epi128(y, odd->a, 0x11));
    const vector sums = xor2(_mm512_alignr_epi8(y, x, 8), _mm512_mask_blend_epi64(0xAA, x, y));
    middle = xor3(xor2(low, high), _mm512_clmulepi64_epi128(sums, odd->sums, 0x00),
                  _mm512_clmulepi64_epi128(sums, odd->sums, 0x11));
    *out = xor3(xor2(*out, low), _mm512_alignr_epi64(middle, *middle_before, 7),
                _mm512_alignr_epi64(high, *high_before, 6));
    *high_before = high;
  }
  *middle_before = middle;
}

ALWAYS_INLINE void add_odd_products(vector *out, const uint64_t *a, const uint64_t *b,
                                    size_t vectors, size_t count) {
  const size_t start = vectors * VECTOR_WORDS;
  const __m128i odd_a = _mm_load_si128((const void *)(a + start));
  const __m128i odd_b = _mm_load_si128((const void *)(b + start));
  const __m128i sums = _mm_xor_si128(_mm_unpacklo_epi64(odd_b, odd_a),
                                     _mm_unpackhi_epi64(odd_b, odd_a));
  const struct odd_words odd = {.a = _mm512_broadcast_i64x2(odd_a),
                                .b = _mm512_broadcast_i64x2(odd_b),
                                .sums = _mm512_broadcast_i64x2(sums)};
  const vector zero = _mm512_setzero_si512();
  vector middle = zero;
  vector high = zero;

  for (size_t i = 0; i < vectors; i++) {
    add_odd_product(out + i, _mm512_load_si512(a + VECTOR_WORDS * i),
                    _mm512_load_si512(b + VECTOR_WORDS * i), &odd, count, &middle, &high);
  }
  add_odd_product(out + vectors, _mm512_zextsi128_si512(odd_a), zero, &odd, count, &middle, &high);
}

/* How a product is cut. */
struct layout {
  size_t units; /* a product of factors 2, 3 and 5 */
  size_t odd;   /* words behind the units: 0, 1 or 2 */
};

static struct layout find_layout(const struct gf2x_ring *ring) {
  struct layout layout = {.units = ring->words / UNIT_WORDS, .odd = ring->words % UNIT_WORDS};

  for (;;) {
    size_t rest = layout.units;
    for (size_t factor = 2; factor <= MAX_PARTS; factor++) {
      while (rest != 0 && rest % factor == 0) {
        rest /= factor;
      }
    }
    if (rest == 1 && layout.odd <= MAX_ODD_WORDS) {
      return layout;
    }
    layout.units += 1;
    layout.odd = 0;
  }
}

const vector *gf2x_product_avx512(const struct gf2x_ring *ring, const uint64_t *a,
                                  const uint64_t *b, vector *scratch) {
  const struct layout layout = find_layout(ring);
  const size_t units = layout.units;
  const size_t vectors = units * (UNIT_WORDS / VECTOR_WORDS);
  vector *r = scratch;
  vector *cut_a = r + chunk_product_vectors(units);
  vector *cut_b = cut_a + units * UNIT_VECTORS;
  vector *out = cut_b + units * UNIT_VECTORS;
  vector *r_a = out; /* until the products of the units are computed */
  vector *r_b = r_a + units * UNIT_CHUNK_VECTORS;
  vector *product = cut_a; /* when they are computed */

  cut_operand(ring, units, cut_a, r_a, a);
  cut_operand(ring, units, cut_b, r_b, b);
  multiply_chunk(r, r_a, r_b, units, r_b + units * UNIT_CHUNK_VECTORS);
  multiply_units(out, cut_a, cut_b, units, out + 2 * units * UNIT_VECTORS);
  join_chunks(product, out, r, units);
  product[2 * vectors] = _mm512_setzero_si512();
  product[2 * vectors + 1] = _mm512_setzero_si512();
  if (layout.odd == 1) {
    add_odd_products(product + vectors, a, b, vectors, 1);
  } else if (layout.odd == 2) {
    add_odd_products(product + vectors, a, b, vectors, 2);
  }
  return product;
}
