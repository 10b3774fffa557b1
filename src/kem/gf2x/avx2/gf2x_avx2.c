/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Ring arithmetic for AVX2: reduction, squaring, weight, and the table of operations. Products are
 * in gf2x_mul_avx2.c, high powers in gf2x_power_avx2.c.
 *
 * Squaring: coefficient j of a goes to 2 j mod r. The even coefficients of the square are the lower
 * half of a, the odd ones its upper half, from bit (r + 1) / 2 on. So 256 bits of each are
 * interleaved to two vectors of the square, by table look-ups of half bytes within registers, and
 * no reduction is left.
 */
#include "gf2x/avx2/gf2x_avx2.h"

#include <assert.h>
#include <string.h>

#include "base/isa.h"
#include "gf2x/gf2x_power.h"

#if defined(CODEKEM_HAVE_AVX2)
ISA_BEGIN_AVX2

/* Below 2^32, repeated squaring is faster than a plan (gf2x_power.h). */
#define SMALLEST_PLAN 32

/* Words of a product, and those that reduce reads after its end. */
#define PRODUCT_WORDS(ring) (2 * (size_t)(ring)->stride + 16)
#define BLOCKS(ring) (((size_t)(ring)->words + 1) / BLOCK_WORDS)

/* Clears the coefficients from r on. */
static void clear_padding_avx2(const struct gf2x_ring *ring, uint64_t *a) {
  a[ring->words - 1] &= (UINT64_C(1) << (ring->r_bits % 64)) - 1;
  memset(a + ring->words, 0, (ring->stride - ring->words) * sizeof *a);
}

/* Sets product[PRODUCT_WORDS] = a * b, not reduced. */
static void multiply_avx2(const struct gf2x_ring *ring, gf2x_multiply *multiply, uint64_t *product,
                          const uint64_t *a, const uint64_t *b, uint64_t *scratch) {
  const size_t blocks = BLOCKS(ring);
  const size_t product_words = 2 * BLOCK_WORDS * blocks;

  multiply((block *)(void *)product, (const block *)(const void *)a, (const block *)(const void *)b,
           blocks, (block *)(void *)scratch);
  memset(product + product_words, 0, (PRODUCT_WORDS(ring) - product_words) * sizeof *product);
}

/* Four words of the product from the lower end, and what is 2^r times higher. */
static vector fold_product_avx2(const uint64_t *low, const uint64_t *high, __m128i right,
                                __m128i left) {
  const vector shifted = _mm256_or_si256(_mm256_srl_epi64(load_vector(high), right),
                                         _mm256_sll_epi64(load_vector(high + 1), left));

  return xor2(load_vector(low), shifted);
}

/* Sets out to first + second mod x^r - 1, where second may be NULL. */
static void reduce_avx2(const struct gf2x_ring *ring, uint64_t *out, const uint64_t *first,
                        const uint64_t *second) {
  const size_t top = ring->words - 1; /* bit r stands in this word */
  const __m128i right = _mm_cvtsi32_si128((int)(ring->r_bits % 64));
  const __m128i left = _mm_cvtsi32_si128((int)(64 - ring->r_bits % 64));

  for (size_t i = 0; i < ring->words; i += VECTOR_WORDS) {
    vector sum = fold_product_avx2(first + i, first + top + i, right, left);
    if (second != NULL) {
      sum = xor2(sum, fold_product_avx2(second + i, second + top + i, right, left));
    }
    store_vector(out + i, sum);
  }
  clear_padding_avx2(ring, out);
}

void ckem_gf2x_mul_by_avx2(const struct gf2x_ring *ring, gf2x_multiply *multiply, uint64_t *out,
                           const uint64_t *a, const uint64_t *b, uint64_t *scratch) {
  assert(PRODUCT_WORDS(ring) + BLOCK_WORDS * GF2X_LONG_SCRATCH_BLOCKS(BLOCKS(ring)) <=
         GF2X_MUL_SCRATCH_WORDS(ring->r_bits));
  multiply_avx2(ring, multiply, scratch, a, b, scratch + PRODUCT_WORDS(ring));
  reduce_avx2(ring, out, scratch, NULL);
}

void ckem_gf2x_mul_add_by_avx2(const struct gf2x_ring *ring, gf2x_multiply *multiply, uint64_t *out,
                               const uint64_t *a0, const uint64_t *b0, const uint64_t *a1,
                               const uint64_t *b1, uint64_t *scratch) {
  uint64_t *second = scratch + PRODUCT_WORDS(ring);
  uint64_t *rest = second + PRODUCT_WORDS(ring);

  assert(2 * PRODUCT_WORDS(ring) + BLOCK_WORDS * GF2X_LONG_SCRATCH_BLOCKS(BLOCKS(ring)) <=
         GF2X_ADD_SCRATCH_WORDS(ring->r_bits));
  multiply_avx2(ring, multiply, scratch, a0, b0, rest);
  multiply_avx2(ring, multiply, second, a1, b1, rest);
  reduce_avx2(ring, out, scratch, second);
}

static void mul_avx2(const struct gf2x_ring *ring, uint64_t *out, const uint64_t *a,
                     const uint64_t *b, uint64_t *scratch) {
  ckem_gf2x_mul_by_avx2(ring, ckem_gf2x_multiply_long_avx2, out, a, b, scratch);
}

static void mul_add_avx2(const struct gf2x_ring *ring, uint64_t *out, const uint64_t *a0,
                         const uint64_t *b0, const uint64_t *a1, const uint64_t *b1,
                         uint64_t *scratch) {
  ckem_gf2x_mul_add_by_avx2(ring, ckem_gf2x_multiply_long_avx2, out, a0, b0, a1, b1, scratch);
}

/* Interleaves the bits of two vectors to eight words; those of even come first. */
static void interleave_avx2(uint64_t out[2 * VECTOR_WORDS], vector even, vector odd) {
  /* A zero behind, or before, each bit of a half byte. */
  const vector spread =
      _mm256_broadcastsi128_si256(_mm_setr_epi8(0x00, 0x01, 0x04, 0x05, 0x10, 0x11, 0x14, 0x15,
                                                0x40, 0x41, 0x44, 0x45, 0x50, 0x51, 0x54, 0x55));
  const vector spread_odd = _mm256_add_epi8(spread, spread);
  const vector half_byte = _mm256_set1_epi8(0x0F);
  const vector even_high = _mm256_and_si256(_mm256_srli_epi64(even, 4), half_byte);
  const vector odd_high = _mm256_and_si256(_mm256_srli_epi64(odd, 4), half_byte);
  const vector even_low = _mm256_and_si256(even, half_byte);
  const vector odd_low = _mm256_and_si256(odd, half_byte);
  const vector low = _mm256_or_si256(_mm256_shuffle_epi8(spread, even_low),
                                     _mm256_shuffle_epi8(spread_odd, odd_low));
  const vector high = _mm256_or_si256(_mm256_shuffle_epi8(spread, even_high),
                                      _mm256_shuffle_epi8(spread_odd, odd_high));

  store_vector(out, _mm256_unpacklo_epi8(low, high));
  store_vector(out + VECTOR_WORDS, _mm256_unpackhi_epi8(low, high));
}

/* Loads four words such that interleave, which works within halves of vectors, keeps the order. */
static vector load_words_avx2(const uint64_t *from) {
  return _mm256_permute4x64_epi64(load_vector(from), 0xD8);
}

/* out = a^2; out must not be a. */
static void square_avx2(const struct gf2x_ring *ring, uint64_t *out, const uint64_t *a) {
  const uint32_t half = (ring->r_bits + 1) / 2;
  const uint64_t *upper = a + half / 64;
  const __m128i right = _mm_cvtsi32_si128((int)(half % 64));
  const __m128i left = _mm_cvtsi32_si128((int)(64 - half % 64)); /* 64 shifts all out */
  const size_t steps = ring->stride / (2 * VECTOR_WORDS);

  assert(half / 64 + VECTOR_WORDS * steps < ring->stride);
  for (size_t i = 0; i < steps; i++) {
    const uint64_t *word = upper + VECTOR_WORDS * i;
    const vector odd = _mm256_or_si256(_mm256_srl_epi64(load_words_avx2(word), right),
                                       _mm256_sll_epi64(load_words_avx2(word + 1), left));
    interleave_avx2(out + 2 * VECTOR_WORDS * i, load_words_avx2(a + VECTOR_WORDS * i), odd);
  }
  clear_padding_avx2(ring, out);
}

void ckem_gf2x_square_times_avx2(const struct gf2x_ring *ring, uint64_t *out, const uint64_t *a,
                                 uint32_t k, uint64_t *scratch) {
  static const struct gf2x_squaring steps = {square_avx2, ckem_gf2x_power_apply_avx2,
                                             SMALLEST_PLAN};

  gf2x_square_by_plans(&steps, ring, out, a, k, scratch);
}

uint32_t ckem_gf2x_weight_avx2(const struct gf2x_ring *ring, const uint64_t *a) {
  uint64_t count = 0;

  for (size_t i = 0; i < ring->words; i++) {
    count += (uint64_t)_mm_popcnt_u64(a[i]);
  }
  return (uint32_t)count;
}

const struct gf2x_ops ckem_gf2x_avx2 = {
    .name = "avx2",
    .mul = mul_avx2,
    .mul_add = mul_add_avx2,
    .square_times = ckem_gf2x_square_times_avx2,
    .weight = ckem_gf2x_weight_avx2,
};

ISA_END
#endif
