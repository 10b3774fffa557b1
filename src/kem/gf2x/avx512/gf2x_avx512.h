/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What the AVX-512 files of the ring arithmetic share. Only files built for AVX-512 include it. */
#ifndef CODEKEM_GF2X_AVX512_GF2X_AVX512_H
#define CODEKEM_GF2X_AVX512_GF2X_AVX512_H

#include "base/intrinsics.h"
#include "gf2x/gf2x.h"

#if defined(CODEKEM_HAVE_AVX512)
ISA_BEGIN_AVX512

typedef __m512i vector;

/* 64-bit words in a vector. */
#define VECTOR_WORDS 8

#define ALWAYS_INLINE static inline __attribute__((always_inline))

ALWAYS_INLINE vector xor2(vector a, vector b) {
  return _mm512_xor_si512(a, b);
}

ALWAYS_INLINE vector xor3(vector a, vector b, vector c) {
  return _mm512_ternarylogic_epi64(a, b, c, 0x96);
}

/* Transposes the four blocks of four vectors. */
ALWAYS_INLINE void transpose_blocks(vector out[4], const vector in[4]) {
  const vector low01 = _mm512_shuffle_i64x2(in[0], in[1], 0x44);
  const vector high01 = _mm512_shuffle_i64x2(in[0], in[1], 0xEE);
  const vector low23 = _mm512_shuffle_i64x2(in[2], in[3], 0x44);
  const vector high23 = _mm512_shuffle_i64x2(in[2], in[3], 0xEE);

  out[0] = _mm512_shuffle_i64x2(low01, low23, 0x88);
  out[1] = _mm512_shuffle_i64x2(low01, low23, 0xDD);
  out[2] = _mm512_shuffle_i64x2(high01, high23, 0x88);
  out[3] = _mm512_shuffle_i64x2(high01, high23, 0xDD);
}

/* Adds the two words of each block of 128 bits: those of `first` give the low words of the result,
 * those of `second` the high ones. */
ALWAYS_INLINE vector add_halves(vector first, vector second) {
  return xor2(_mm512_alignr_epi8(second, first, 8), _mm512_mask_blend_epi64(0xAA, first, second));
}

/* Clears the bits from r on in the last vector of an element. */
ALWAYS_INLINE vector clear_padding(const struct gf2x_ring *ring, vector last) {
  const unsigned used_bits = ring->r_bits % 64; /* not 0, because r is an odd prime */
  const unsigned whole = (ring->words - 1) % VECTOR_WORDS;
  const vector end =
      _mm512_maskz_set1_epi64((__mmask8)(1U << whole), (long long)((UINT64_C(1) << used_bits) - 1));
  const vector ones = _mm512_set1_epi64(-1);

  return _mm512_and_si512(last, _mm512_mask_mov_epi64(end, (__mmask8)((1U << whole) - 1), ones));
}

/* A unit of an operand: eight blocks of 128 bits in each of eight lanes. The first half of its
 * vectors has lanes 0 to 3, the second half lanes 4 to 7. Lanes are multiplied independently. */
#define GF2X_HALF_VECTORS 8
#define GF2X_UNIT_VECTORS 16

#define GF2X_MAX_PARTS 5
#define GF2X_MAX_SUMS 8

/* A sum of 1 to 5 terms of a polynomial, in ascending order. */
struct gf2x_sum {
  uint8_t terms;
  uint8_t term[GF2X_MAX_PARTS];
};

/* How to multiply polynomials of `parts` terms: the products of the single terms and of these sums
 * determine the product. Bit k of the places is set if coefficient k of the product contains it. */
struct gf2x_split {
  unsigned parts;
  unsigned sums;
  struct gf2x_sum sum[GF2X_MAX_SUMS];
  uint16_t term_places[GF2X_MAX_PARTS];
  uint16_t sum_places[GF2X_MAX_SUMS];
};

extern const struct gf2x_split ckem_gf2x_split_whole;
extern const struct gf2x_split ckem_gf2x_split_in_two;
extern const struct gf2x_split ckem_gf2x_split_in_three;
extern const struct gf2x_split ckem_gf2x_split_in_five;

/* out[length] = the sum; a: the terms of the polynomial, each `step` vectors behind the one
 * before. */
void ckem_gf2x_add_terms_avx512(vector *out, const vector *a, size_t step, size_t length,
                                const struct gf2x_sum *sum);

/* Turns the products of a split into the product of the whole. product: those of the single terms
 * one behind the other; sums: those of the sums. Each has 2 * length vectors. */
void ckem_gf2x_join_avx512(const struct gf2x_split *split, vector *product, const vector *sums,
                           size_t length);

/* Vectors of scratch memory that the following function takes. */
size_t ckem_gf2x_units_scratch_avx512(size_t units);

/* out[2 units] = a[units] * b[units]; units has no prime factor but 2, 3 and 5. */
void ckem_gf2x_multiply_units_avx512(vector *out, const vector *a, const vector *b, size_t units,
                                     vector *scratch);

/* Returns a * b over GF(2)[x], not reduced, somewhere in the scratch memory: at least two elements,
 * with zeros behind the product. scratch: GF2X_SCRATCH_WORDS less one element. */
const vector *ckem_gf2x_product_avx512(const struct gf2x_ring *ring, const uint64_t *a,
                                       const uint64_t *b, vector *scratch);

/* The same with scratch of GF2X_LEAN_SCRATCH_WORDS. */
const vector *ckem_gf2x_lean_product_avx512(const struct gf2x_ring *ring, const uint64_t *a,
                                            const uint64_t *b, vector *scratch);

/* The steps of a product that both share, see gf2x_mul_avx512.c; a chunk is a quarter of an
 * operand. Cuts an operand of count vectors, with zeros behind it up to the length of units, into
 * out, where each unit is step vectors behind the one before, and r[chunk]. */
#define GF2X_CHUNK_VECTORS(units) (2 * (units))
void ckem_gf2x_cut_operand_avx512(size_t units, vector *out, size_t step, vector *r,
                                  const vector *a, size_t count);

/* Vectors that ckem_gf2x_multiply_chunk_avx512 takes for its result. */
size_t ckem_gf2x_chunk_product_vectors_avx512(size_t units);

/* out[2 chunks] = a[chunk] * b[chunk], in the natural order. */
void ckem_gf2x_multiply_chunk_avx512(vector *out, const vector *a, const vector *b, size_t units,
                                     vector *scratch);

/* out: the product in the natural order, from products[2 units] and r[2 chunks]. */
void ckem_gf2x_join_chunks_avx512(vector *out, const vector *products, const vector *r,
                                  size_t units);

/* Sets out = a^(2^plan->k) as ckem_gf2x_power_apply does; out may be a. */
void ckem_gf2x_power_apply_avx512(const struct gf2x_ring *ring, const struct gf2x_power_plan *plan,
                                  uint64_t *out, const uint64_t *a, uint64_t *scratch);

ISA_END
#endif

#endif
