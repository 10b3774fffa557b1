/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Ring arithmetic with 512-bit vectors, VPCLMULQDQ and GFNI: reduction, squaring, weight, and the
 * table of operations. Products are in gf2x_mul_avx512.c, high powers in gf2x_power_avx512.c.
 *
 * Squaring: the coefficient j of a goes to 2 j mod r. The even coefficients of the square are the
 * lower half of a, the odd ones its upper half, from bit (r + 1) / 2 on. So 256 bits of each make
 * one vector of the square, and no reduction is left.
 */
#include "gf2x/avx512/gf2x_avx512.h"

#include "base/isa.h"
#include "gf2x/gf2x_power.h"

#if defined(CODEKEM_HAVE_AVX512)
ISA_BEGIN_AVX512

/* Below 2^17, repeated squaring is faster than a plan (gf2x_power.h). */
#define SMALLEST_PLAN 17

/* Sets out to product mod x^r - 1, plus addend unless that is NULL. */
ALWAYS_INLINE void reduce(const struct gf2x_ring *ring, uint64_t *out, const vector *product,
                          const uint64_t *addend) {
  const uint64_t *low = (const uint64_t *)product;
  const uint64_t *high = low + ring->words - 1; /* bit r stands in this word */
  const vector shift = _mm512_set1_epi64(ring->r_bits % 64);

  for (size_t i = 0; i < ring->stride; i += VECTOR_WORDS) {
    const vector shifted =
        _mm512_shrdv_epi64(_mm512_loadu_si512(high + i), _mm512_loadu_si512(high + i + 1), shift);
    vector sum = xor2(_mm512_load_si512(low + i), shifted);
    if (addend != NULL) {
      sum = xor2(sum, _mm512_load_si512(addend + i));
    }
    _mm512_store_si512(out + i, sum);
  }
  uint64_t *last = out + ring->stride - VECTOR_WORDS;
  _mm512_store_si512(last, clear_padding(ring, _mm512_load_si512(last)));
}

static void mul_avx512(const struct gf2x_ring *ring, uint64_t *out, const uint64_t *a,
                       const uint64_t *b, uint64_t *scratch) {
  reduce(ring, out, ckem_gf2x_product_avx512(ring, a, b, (vector *)scratch), NULL);
}

static void mul_add_avx512(const struct gf2x_ring *ring, uint64_t *out, const uint64_t *a0,
                           const uint64_t *b0, const uint64_t *a1, const uint64_t *b1,
                           uint64_t *scratch) {
  uint64_t *sum = scratch;
  vector *rest = (vector *)(scratch + ring->stride);

  reduce(ring, sum, ckem_gf2x_product_avx512(ring, a0, b0, rest), NULL);
  reduce(ring, out, ckem_gf2x_product_avx512(ring, a1, b1, rest), sum);
}

/* Interleaves 256 bits of each. Every byte is spread to two by affine maps: its lower half in the
 * low words of the lanes, its upper half in the high words. */
ALWAYS_INLINE vector interleave_bits(__m256i even, __m256i odd) {
  const vector twice = _mm512_set_epi64(3, 3, 2, 2, 1, 1, 0, 0);
  const vector to_even =
      _mm512_broadcast_i64x2(_mm_set_epi64x(0x1000200040008000, 0x0100020004000800));
  const vector to_odd =
      _mm512_broadcast_i64x2(_mm_set_epi64x(0x0010002000400080, 0x0001000200040008));
  const vector order =
      _mm512_broadcast_i64x2(_mm_set_epi8(15, 7, 14, 6, 13, 5, 12, 4, 11, 3, 10, 2, 9, 1, 8, 0));
  const vector even_lanes = _mm512_permutexvar_epi64(twice, _mm512_castsi256_si512(even));
  const vector odd_lanes = _mm512_permutexvar_epi64(twice, _mm512_castsi256_si512(odd));
  const vector halves = xor2(_mm512_gf2p8affine_epi64_epi8(even_lanes, to_even, 0),
                             _mm512_gf2p8affine_epi64_epi8(odd_lanes, to_odd, 0));

  return _mm512_shuffle_epi8(halves, order);
}

/* Loads four words from a + word on; words from `stride` on count as zero. */
ALWAYS_INLINE __m256i load_within(const struct gf2x_ring *ring, const uint64_t *a, size_t word) {
  const size_t left = word < ring->stride ? ring->stride - word : 0;
  const __mmask8 mask = (__mmask8)(left >= 4 ? 0xF : (1U << left) - 1);

  return _mm256_maskz_loadu_epi64(mask, a + word);
}

/* out = a^2; out must not be a. */
static void square_avx512(const struct gf2x_ring *ring, uint64_t *out, const uint64_t *a) {
  const uint32_t half = (ring->r_bits + 1) / 2;
  const uint64_t *upper = a + half / 64;
  const __m256i shift = _mm256_set1_epi64x(half % 64);
  const size_t count = ring->stride / VECTOR_WORDS;
  size_t i = 0;

  for (; i + 1 < count && half / 64 + 4 * i + 5 <= ring->stride; i++) {
    const __m256i odd =
        _mm256_shrdv_epi64(_mm256_loadu_si256((const void *)(upper + 4 * i)),
                           _mm256_loadu_si256((const void *)(upper + 4 * i + 1)), shift);
    const __m256i even = _mm256_load_si256((const void *)(a + 4 * i));
    _mm512_store_si512(out + VECTOR_WORDS * i, interleave_bits(even, odd));
  }
  for (; i < count; i++) {
    const size_t word = half / 64 + 4 * i;
    const __m256i odd =
        _mm256_shrdv_epi64(load_within(ring, a, word), load_within(ring, a, word + 1), shift);
    const __m256i even = _mm256_load_si256((const void *)(a + 4 * i));
    const vector value = interleave_bits(even, odd);
    _mm512_store_si512(out + VECTOR_WORDS * i, i + 1 < count ? value : clear_padding(ring, value));
  }
}

static void square_times_avx512(const struct gf2x_ring *ring, uint64_t *out, const uint64_t *a,
                                uint32_t k, uint64_t *scratch) {
  static const struct gf2x_squaring steps = {square_avx512, ckem_gf2x_power_apply_avx512,
                                             SMALLEST_PLAN};

  gf2x_square_by_plans(&steps, ring, out, a, k, scratch);
}

static uint32_t weight_avx512(const struct gf2x_ring *ring, const uint64_t *a) {
  vector count = _mm512_setzero_si512();

  for (size_t i = 0; i < ring->stride; i += VECTOR_WORDS) {
    count = _mm512_add_epi64(count, _mm512_popcnt_epi64(_mm512_load_si512(a + i)));
  }
  return (uint32_t)_mm512_reduce_add_epi64(count);
}

const struct gf2x_ops ckem_gf2x_avx512 = {
    .name = "avx512",
    .mul = mul_avx512,
    .mul_add = mul_add_avx512,
    .square_times = square_times_avx512,
    .weight = weight_avx512,
};

ISA_END
#endif
