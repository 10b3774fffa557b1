/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Products in GF(2)[x] by VPCLMULQDQ: Karatsuba's method across and along the lanes.
 *
 * Multiplications of 64-bit words are by far the scarcest resource, so the method is carried
 * through from the whole operand to the word. An operand is cut into four chunks, and lane c of
 * a vector holds a block of 128 bits of chunk c: the chunks c0, c1, c2, c3 are transposed. The
 * product of two polynomials of four terms takes nine products:
 *
 *   four products of chunks                  first halves of the units
 *   c0+c1, c2+c3, c0+c2, c1+c3               second halves of the units
 *   r = c0+c1+c2+c3                          apart, see below
 *
 * gf2x_units_avx512.c computes the first eight. The ninth, r, has one chunk only: it is cut once
 * more so that its parts and their sums fill the lanes of units.
 *
 * If the operands are only one or two words longer than a number of units (193, 386 and 641 words
 * are), these odd words are multiplied apart; otherwise the operands are padded with zeros.
 */
#include "gf2x/avx512/gf2x_avx512.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include "base/isa.h"

#if defined(CODEKEM_HAVE_AVX512)
ISA_BEGIN_AVX512

#define HALF_VECTORS GF2X_HALF_VECTORS
#define UNIT_VECTORS GF2X_UNIT_VECTORS
#define UNIT_WORDS 64
#define UNIT_LANES 8
#define MAX_ODD_WORDS 2

/* Where vector number i of a half of an operand or of a product stands. */
ALWAYS_INLINE size_t vector_place(size_t i) {
  return i / HALF_VECTORS * UNIT_VECTORS + i % HALF_VECTORS;
}

/* out[units]: the products' operands, r: the sum of the chunks. */
void ckem_gf2x_cut_operand_avx512(size_t units, vector *out, size_t step, vector *r,
                                  const vector *a, size_t count) {
  const size_t chunk = GF2X_CHUNK_VECTORS(units);

  for (size_t i = 0; i < chunk; i++) {
    vector c[4], sums[4];
#pragma GCC unroll 4
    for (size_t j = 0; j < 4; j++) {
      const size_t k = j * chunk + i;
      c[j] = k < count ? a[k] : _mm512_setzero_si512();
    }
    sums[0] = xor2(c[0], c[1]);
    sums[1] = xor2(c[2], c[3]);
    sums[2] = xor2(c[0], c[2]);
    sums[3] = xor2(c[1], c[3]);
    r[i] = xor2(sums[0], sums[1]);
    vector *place = out + i / 2 * step + i % 2 * 4;
    transpose_blocks(place, c);
    transpose_blocks(place + HALF_VECTORS, sums);
  }
}

/* Operands and products of a split in the natural order: the single terms, then the sums, then
 * zeros up to a multiple of the eight lanes of a unit. */
static size_t slot_count_avx512(const struct gf2x_split *split) {
  return (split->parts + split->sums + UNIT_LANES - 1) / UNIT_LANES * UNIT_LANES;
}

static void fill_slots_avx512(const struct gf2x_split *split, vector *slots, const vector *a,
                              size_t length) {
  const size_t used = split->parts + split->sums;

  memcpy(slots, a, split->parts * length * sizeof *slots);
  for (unsigned j = 0; j < split->sums; j++) {
    ckem_gf2x_add_terms_avx512(slots + (split->parts + j) * length, a, length, length,
                               &split->sum[j]);
  }
  memset(slots + used * length, 0, (slot_count_avx512(split) - used) * length * sizeof *slots);
}

/* Moves eight slots, each of length vectors, to the lanes of length / 2 units. */
static void pack_slots_avx512(vector *units, const vector *slots, size_t length) {
  for (size_t half = 0; half < 2; half++) {
    const vector *first = slots + 4 * half * length;
    for (size_t i = 0; i < length; i++) {
      const vector lanes[4] = {first[i], first[length + i], first[2 * length + i],
                               first[3 * length + i]};
      transpose_blocks(units + vector_place(4 * i) + half * HALF_VECTORS, lanes);
    }
  }
}

static void unpack_slots_avx512(vector *slots, const vector *units, size_t length) {
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

static const struct gf2x_split *chunk_split_avx512(size_t units) {
  /* Largest first: fewer lanes stay idle. */
  return units % 5 == 0   ? &ckem_gf2x_split_in_five
         : units % 3 == 0 ? &ckem_gf2x_split_in_three
         : units % 2 == 0 ? &ckem_gf2x_split_in_two
                          : &ckem_gf2x_split_whole;
}

size_t ckem_gf2x_chunk_product_vectors_avx512(size_t units) {
  const struct gf2x_split *split = chunk_split_avx512(units);

  return slot_count_avx512(split) * GF2X_CHUNK_VECTORS(2 * units / split->parts);
}

void ckem_gf2x_multiply_chunk_avx512(vector *out, const vector *a, const vector *b, size_t units,
                                     vector *scratch) {
  const struct gf2x_split *split = chunk_split_avx512(units);
  const size_t part = units / split->parts;
  const size_t slots = slot_count_avx512(split);
  const size_t length = GF2X_CHUNK_VECTORS(part);
  vector *slots_a = scratch;
  vector *slots_b = slots_a + slots * length;
  vector *units_a = slots_b + slots * length;
  vector *units_b = units_a + part * UNIT_VECTORS;
  vector *product = units_b + part * UNIT_VECTORS;
  vector *rest = product + 2 * part * UNIT_VECTORS;

  fill_slots_avx512(split, slots_a, a, length);
  fill_slots_avx512(split, slots_b, b, length);
  for (size_t first = 0; first < slots; first += UNIT_LANES) {
    pack_slots_avx512(units_a, slots_a + first * length, length);
    pack_slots_avx512(units_b, slots_b + first * length, length);
    ckem_gf2x_multiply_units_avx512(product, units_a, units_b, part, rest);
    unpack_slots_avx512(out + first * 2 * length, product, 2 * length);
  }
  ckem_gf2x_join_avx512(split, out, out + split->parts * 2 * length, length);
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

void ckem_gf2x_join_chunks_avx512(vector *out, const vector *products, const vector *r,
                                  size_t units) {
  const size_t chunk = GF2X_CHUNK_VECTORS(units);

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
  const vector low =
      xor2(_mm512_clmulepi64_epi128(x, odd->b, 0x00), _mm512_clmulepi64_epi128(y, odd->a, 0x00));
  vector middle;

  if (count == 1) {
    middle =
        xor2(_mm512_clmulepi64_epi128(x, odd->b, 0x01), _mm512_clmulepi64_epi128(y, odd->a, 0x01));
    *out = xor3(*out, low, _mm512_alignr_epi64(middle, *middle_before, 7));
  } else {
    const vector high =
        xor2(_mm512_clmulepi64_epi128(x, odd->b, 0x11), _mm512_clmulepi64_epi128(y, odd->a, 0x11));
    const vector sums = add_halves(x, y);
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
  const __m128i sums =
      _mm_xor_si128(_mm_unpacklo_epi64(odd_b, odd_a), _mm_unpackhi_epi64(odd_b, odd_a));
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

/* True if a split is known for every step. */
static bool can_split_avx512(size_t units) {
  while (units % 2 == 0) {
    units /= 2;
  }
  while (units % 3 == 0) {
    units /= 3;
  }
  while (units % 5 == 0) {
    units /= 5;
  }
  return units == 1;
}

static struct layout find_layout_avx512(const struct gf2x_ring *ring) {
  struct layout layout = {.units = ring->words / UNIT_WORDS, .odd = ring->words % UNIT_WORDS};

  if (layout.units == 0 || layout.odd > MAX_ODD_WORDS || !can_split_avx512(layout.units)) {
    layout.odd = 0;
    do {
      layout.units += 1;
    } while (!can_split_avx512(layout.units));
  }
  return layout;
}

const vector *ckem_gf2x_product_avx512(const struct gf2x_ring *ring, const uint64_t *a,
                                       const uint64_t *b, vector *scratch) {
  if (ring->r_bits > 16384 &&
      GF2X_SCRATCH_WORDS(ring->r_bits) < ring->stride + GF2X_PRODUCT_WORDS_AVX512(ring->r_bits)) {
    return ckem_gf2x_lean_product_avx512(ring, a, b, scratch);
  }
  const struct layout layout = find_layout_avx512(ring);
  const size_t units = layout.units;
  const size_t vectors = units * (UNIT_WORDS / VECTOR_WORDS);
  const size_t count = ring->stride / VECTOR_WORDS;
  vector *r = scratch;
  vector *cut_a = r + ckem_gf2x_chunk_product_vectors_avx512(units);
  vector *cut_b = cut_a + units * UNIT_VECTORS;
  vector *out = cut_b + units * UNIT_VECTORS;
  vector *r_a = out; /* until the products of the units are computed */
  vector *r_b = r_a + GF2X_CHUNK_VECTORS(units);
  vector *product = cut_a; /* when they are computed */

  assert(units > 1);
  assert(out + 2 * units * UNIT_VECTORS + ckem_gf2x_units_scratch_avx512(units) <=
         scratch + GF2X_PRODUCT_WORDS_AVX512(ring->r_bits) / VECTOR_WORDS);
  ckem_gf2x_cut_operand_avx512(units, cut_a, UNIT_VECTORS, r_a, (const vector *)a, count);
  ckem_gf2x_cut_operand_avx512(units, cut_b, UNIT_VECTORS, r_b, (const vector *)b, count);
  ckem_gf2x_multiply_chunk_avx512(r, r_a, r_b, units, r_b + GF2X_CHUNK_VECTORS(units));
  ckem_gf2x_multiply_units_avx512(out, cut_a, cut_b, units, out + 2 * units * UNIT_VECTORS);
  ckem_gf2x_join_chunks_avx512(product, out, r, units);
  product[2 * vectors] = _mm512_setzero_si512();
  product[2 * vectors + 1] = _mm512_setzero_si512();
  if (layout.odd == 1) {
    add_odd_products(product + vectors, a, b, vectors, 1);
  } else if (layout.odd == 2) {
    add_odd_products(product + vectors, a, b, vectors, 2);
  }
  return product;
}

ISA_END
#endif
