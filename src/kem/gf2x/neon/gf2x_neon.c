/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Ring arithmetic for Arm with NEON: reduction, squaring, high powers, weight, and the table of
 * operations. Products are in gf2x_mul_neon64.c and gf2x_mul_neon32.c.
 *
 * Squaring: coefficient j of a goes to 2 j mod r. The even coefficients of the square are the lower
 * half of a, the odd ones its upper half, from bit (r + 1) / 2 on. The square of a word has its
 * bits with zeros between them, so PMULL of a word with itself spreads them, or VMULL.P8 of bytes,
 * and no reduction is left.
 */
#include "gf2x/neon/gf2x_neon.h"

#include <assert.h>
#include <string.h>

#include "base/isa.h"
#include "base/unroll.h"
#include "gf2x/gf2x_power.h"

#if defined(CODEKEM_HAVE_NEON)
ISA_BEGIN_NEON

/* Below 2^32, repeated squaring is faster than a plan (gf2x_power.h). */
#define SMALLEST_PLAN 32

ALWAYS_INLINE block load(const uint64_t *from) {
  return vld1q_u64(from);
}

/* A shift by a variable count: to the left, and to the right if it is negative; by 64 and more it
 * leaves nothing. */
ALWAYS_INLINE block shift(block x, int64x2_t count) {
  return vshlq_u64(x, count);
}

/* Clears the coefficients from r on. */
static void clear_padding_neon(const struct gf2x_ring *ring, uint64_t *a) {
  a[ring->words - 1] &= (UINT64_C(1) << (ring->r_bits % 64)) - 1;
  memset(a + ring->words, 0, (ring->stride - ring->words) * sizeof *a);
}

/* Two words of the product from the lower end, and what is 2^r times higher. */
ALWAYS_INLINE block fold_product(const uint64_t *low, const uint64_t *high, int64x2_t right,
                                 int64x2_t left) {
  const block shifted = vorrq_u64(shift(load(high), right), shift(load(high + 1), left));

  return xor_blocks(load(low), shifted);
}

/* Sets out to first + second mod x^r - 1, where second may be NULL. */
static void reduce_neon(const struct gf2x_ring *ring, uint64_t *out, const uint64_t *first,
                        const uint64_t *second) {
  const size_t top = ring->words - 1; /* bit r stands in this word */
  const int64_t used_bits = ring->r_bits % 64;
  const int64x2_t right = vdupq_n_s64(-used_bits);
  const int64x2_t left = vdupq_n_s64(64 - used_bits);

  for (size_t i = 0; i < ring->words; i += BLOCK_WORDS) {
    block sum = fold_product(first + i, first + top + i, right, left);
    if (second != NULL) {
      sum = xor_blocks(sum, fold_product(second + i, second + top + i, right, left));
    }
    vst1q_u64(out + i, sum);
  }
  clear_padding_neon(ring, out);
}

static void mul_neon(const struct gf2x_ring *ring, uint64_t *out, const uint64_t *a,
                     const uint64_t *b, uint64_t *scratch) {
  ckem_gf2x_multiply_neon(ring, scratch, a, b, scratch + GF2X_PRODUCT_WORDS_NEON(ring));
  reduce_neon(ring, out, scratch, NULL);
}

static void mul_add_neon(const struct gf2x_ring *ring, uint64_t *out, const uint64_t *a0,
                         const uint64_t *b0, const uint64_t *a1, const uint64_t *b1,
                         uint64_t *scratch) {
  uint64_t *second = scratch + GF2X_PRODUCT_WORDS_NEON(ring);
  uint64_t *rest = second + GF2X_PRODUCT_WORDS_NEON(ring);

  ckem_gf2x_multiply_neon(ring, scratch, a0, b0, rest);
  ckem_gf2x_multiply_neon(ring, second, a1, b1, rest);
  reduce_neon(ring, out, scratch, second);
}

/* The bits of even words and of odd words in turns. */
ALWAYS_INLINE block interleave(block even, block odd) {
  return xor_blocks(even, vaddq_u64(odd, odd));
}

/* out = a^2; out must not be a. */
static void square_neon(const struct gf2x_ring *ring, uint64_t *out, const uint64_t *a) {
  const uint32_t half = (ring->r_bits + 1) / 2;
  const uint64_t *upper = a + half / 64;
  const int64_t offset = half % 64;
  const int64x2_t right = vdupq_n_s64(-offset);
  const int64x2_t left = vdupq_n_s64(64 - offset);
  const size_t steps = ring->stride / (2 * BLOCK_WORDS);

  assert(half / 64 + BLOCK_WORDS * steps < ring->stride);
  for (size_t i = 0; i < steps; i++) {
    const uint64_t *word = upper + BLOCK_WORDS * i;
    const block even = load(a + BLOCK_WORDS * i);
    const block odd = vorrq_u64(shift(load(word), right), shift(load(word + 1), left));
    uint64_t *to = out + 2 * BLOCK_WORDS * i;
    vst1q_u64(to, interleave(square_low(even), square_low(odd)));
    vst1q_u64(to + BLOCK_WORDS, interleave(square_high(even), square_high(odd)));
  }
  clear_padding_neon(ring, out);
}

/* Exchanges the columns of a whose number has the bit shift, a constant, with those of b without
 * it. mask has the columns without it. */
#define EXCHANGE(a, b, shift, mask)                                    \
  do {                                                                 \
    const block exchanged = vbslq_u64(mask, a, vshlq_n_u64(b, shift)); \
    (b) = vbslq_u64(mask, vshrq_n_u64(a, shift), b);                   \
    (a) = exchanged;                                                   \
  } while (0)

/* The same for shift 4: halves of bytes are shifted into their places without a mask. */
ALWAYS_INLINE void exchange_4(block *a, block *b) {
  const uint8x16_t x = vreinterpretq_u8_u64(*a);
  const uint8x16_t y = vreinterpretq_u8_u64(*b);

  *a = vreinterpretq_u64_u8(vsliq_n_u8(x, y, 4));
  *b = vreinterpretq_u64_u8(vsriq_n_u8(y, x, 4));
}

/* The same for whole bytes, pairs and quadruples of bytes. */
ALWAYS_INLINE void exchange_8(block *a, block *b) {
  const uint8x16_t x = vreinterpretq_u8_u64(*a);
  const uint8x16_t y = vreinterpretq_u8_u64(*b);

  *a = vreinterpretq_u64_u8(vtrn1q_u8(x, y));
  *b = vreinterpretq_u64_u8(vtrn2q_u8(x, y));
}

ALWAYS_INLINE void exchange_16(block *a, block *b) {
  const uint16x8_t x = vreinterpretq_u16_u64(*a);
  const uint16x8_t y = vreinterpretq_u16_u64(*b);

  *a = vreinterpretq_u64_u16(vtrn1q_u16(x, y));
  *b = vreinterpretq_u64_u16(vtrn2q_u16(x, y));
}

ALWAYS_INLINE void exchange_32(block *a, block *b) {
  const uint32x4_t x = vreinterpretq_u32_u64(*a);
  const uint32x4_t y = vreinterpretq_u32_u64(*b);

  *a = vreinterpretq_u64_u32(vtrn1q_u32(x, y));
  *b = vreinterpretq_u64_u32(vtrn2q_u32(x, y));
}

/* Transposes a 64 x 64 bit matrix: bit j of the row number changes places with bit j of the column
 * number, one after the other, by exchanges between the rows that differ in it. */
static void transpose_neon(uint64_t out[64], const uint64_t in[64]) {
  const block mask1 = vdupq_n_u64(UINT64_C(0x5555555555555555));
  const block mask2 = vdupq_n_u64(UINT64_C(0x3333333333333333));

  for (size_t row = 0; row < 64; row += 8) {
    /* Vector k has rows k and k + 4. */
    uint64x2x4_t rows = vld4q_u64(in + row);
    EXCHANGE(rows.val[0], rows.val[1], 1, mask1);
    EXCHANGE(rows.val[2], rows.val[3], 1, mask1);
    EXCHANGE(rows.val[0], rows.val[2], 2, mask2);
    EXCHANGE(rows.val[1], rows.val[3], 2, mask2);
    vst4q_u64(out + row, rows);
  }
  for (size_t start = 0; start < 4; start += BLOCK_WORDS) {
    /* Vector k has rows start + 4 k and start + 4 k + 1. */
    block rows[16];
    UNROLL
    for (size_t k = 0; k < 16; k++) {
      rows[k] = load(out + start + 4 * k);
    }
    UNROLL
    for (size_t k = 0; k < 16; k += 2) {
      exchange_4(&rows[k], &rows[k + 1]);
    }
    UNROLL
    for (size_t k = 0; k < 8; k++) {
      exchange_8(&rows[k / 2 * 4 + k % 2], &rows[k / 2 * 4 + k % 2 + 2]);
    }
    UNROLL
    for (size_t k = 0; k < 8; k++) {
      exchange_16(&rows[k / 4 * 8 + k % 4], &rows[k / 4 * 8 + k % 4 + 4]);
    }
    UNROLL
    for (size_t k = 0; k < 8; k++) {
      exchange_32(&rows[k], &rows[k + 8]);
    }
    UNROLL
    for (size_t k = 0; k < 16; k++) {
      vst1q_u64(out + start + 4 * k, rows[k]);
    }
  }
}

static void apply_plan_neon(const struct gf2x_ring *ring, const struct gf2x_power_plan *plan,
                            uint64_t *out, const uint64_t *a, uint64_t *scratch) {
  ckem_gf2x_power_apply(ring, plan, transpose_neon, out, a, scratch);
}

static void square_times_neon(const struct gf2x_ring *ring, uint64_t *out, const uint64_t *a,
                              uint32_t k, uint64_t *scratch) {
  static const struct gf2x_squaring steps = {square_neon, apply_plan_neon, SMALLEST_PLAN};

  gf2x_square_by_plans(&steps, ring, out, a, k, scratch);
}

static uint32_t weight_neon(const struct gf2x_ring *ring, const uint64_t *a) {
  uint32x4_t count = vdupq_n_u32(0);

  for (size_t i = 0; i < ring->stride; i += BLOCK_WORDS) {
    const uint8x16_t bytes = vcntq_u8(vreinterpretq_u8_u64(load(a + i)));
    count = vpadalq_u16(count, vpaddlq_u8(bytes));
  }
  return vaddvq_u32(count);
}

const struct gf2x_ops ckem_gf2x_neon = {
    .name = "neon",
    .mul = mul_neon,
    .mul_add = mul_add_neon,
    .square_times = square_times_neon,
    .weight = weight_neon,
};

ISA_END
#endif
