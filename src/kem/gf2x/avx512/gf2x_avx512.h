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

/* Clears the bits from r on in the last vector of an element. */
ALWAYS_INLINE vector clear_padding(const struct gf2x_ring *ring, vector last) {
  const unsigned used_bits = ring->r_bits % 64; /* not 0, because r is an odd prime */
  const unsigned whole = (ring->words - 1) % VECTOR_WORDS;
  const vector end =
      _mm512_maskz_set1_epi64((__mmask8)(1U << whole), (long long)((UINT64_C(1) << used_bits) - 1));
  const vector ones = _mm512_set1_epi64(-1);

  return _mm512_and_si512(last, _mm512_mask_mov_epi64(end, (__mmask8)((1U << whole) - 1), ones));
}

/* Returns a * b over GF(2)[x], not reduced, somewhere in the scratch memory: at least two elements,
 * with zeros behind the product. scratch: GF2X_MUL_SCRATCH_WORDS. */
const vector *ckem_gf2x_product_avx512(const struct gf2x_ring *ring, const uint64_t *a,
                                       const uint64_t *b, vector *scratch);

/* Sets out = a^(2^plan->k) as ckem_gf2x_power_apply does; out may be a. */
void ckem_gf2x_power_apply_avx512(const struct gf2x_ring *ring, const struct gf2x_power_plan *plan,
                                  uint64_t *out, const uint64_t *a, uint64_t *scratch);

ISA_END
#endif

#endif
