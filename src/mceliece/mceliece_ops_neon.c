/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Drawing and encoding with NEON: four rows at a time, a sum for each. */
#include "base/intrinsics.h"
#include "base/unroll.h"
#include "mceliece/mceliece_ops.h"

#if defined(CODEKEM_HAVE_NEON)
ISA_BEGIN_NEON

#define VECTOR 16

/* Returns all ones in words that are equal; both are below 2^32, which is as far as 32-bit Arm
 * compares. */
static inline __attribute__((always_inline)) uint64x2_t equal_words_neon(uint64x2_t a,
                                                                         uint64x2_t b) {
#if defined(CODEKEM_HAVE_NEON32)
  const uint64x2_t low =
      vreinterpretq_u64_u32(vceqq_u32(vreinterpretq_u32_u64(a), vreinterpretq_u32_u64(b)));

  return vsliq_n_u64(low, low, 32);
#else
  return vceqq_u64(a, b);
#endif
}

/* Every number meets every other within half a turn. */
static uint32_t find_repeat_neon(uint16_t *positions, size_t count) {
  uint16_t own[128 + 8];
  uint16x8_t repeats = vdupq_n_u16(0);

  for (size_t i = 0; i < sizeof own / sizeof own[0]; i++) {
    own[i] = i < count ? positions[i] : 0xFFFF; /* no position is that large */
  }
  for (size_t i = 0; i < count; i++) {
    positions[count + i] = positions[i];
  }
  for (size_t i = 0; i < count; i += 8) {
    const uint16x8_t first = vld1q_u16(own + i);

    for (size_t distance = 1; 2 * distance <= count; distance++) {
      repeats = vorrq_u16(repeats, vceqq_u16(first, vld1q_u16(positions + i + distance)));
    }
  }
  return vmaxvq_u16(repeats);
}

static void place_neon(uint64_t *error, size_t words, const uint16_t *positions, size_t count) {
  for (size_t i = 0; i < words; i += 16) {
    uint64x2_t place[8], sum[8];

    UNROLL
    for (size_t v = 0; v < 8; v++) {
      place[v] = vcombine_u64(vcreate_u64(i + 2 * v), vcreate_u64(i + 2 * v + 1));
      sum[v] = vdupq_n_u64(0);
    }
    for (size_t k = 0; k < count; k++) {
      const uint64x2_t word = vdupq_n_u64((uint64_t)positions[k] >> 6);
      const uint64x2_t bit = vdupq_n_u64(UINT64_C(1) << (positions[k] & 63));

      UNROLL
      for (size_t v = 0; v < 8; v++) {
        sum[v] = vorrq_u64(sum[v], vandq_u64(equal_words_neon(word, place[v]), bit));
      }
    }
    UNROLL
    for (size_t v = 0; v < 8; v++) {
      vst1q_u64(error + i + 2 * v, sum[v]);
    }
  }
}

/* Returns the parity of a vector. */
static inline __attribute__((always_inline)) uint32_t parity_neon(uint8x16_t sum) {
#if defined(CODEKEM_HAVE_NEON32)
  return (uint32_t)vaddvq_u32(vpaddlq_u16(vpaddlq_u8(vcntq_u8(sum)))) & 1;
#else
  return vaddvq_u8(vcntq_u8(sum)) & 1;
#endif
}

/* Rows are longer than a vector; their last one starts among the bytes of the one before, where its
 * partner is zero. */
static void multiply_rows_neon(uint8_t *parities, const uint8_t *rows, size_t count,
                               size_t row_bytes, const uint8_t *partner) {
  const size_t whole = row_bytes / VECTOR * VECTOR;
  uint8_t end[VECTOR] = {0};

  for (size_t i = whole; i < row_bytes; i++) {
    end[VECTOR - (row_bytes - i)] = partner[i];
  }
  for (size_t i = 0; i < count; i += 4) {
    const uint8_t *row = rows + i * row_bytes;
    uint8x16_t other = vld1q_u8(end);
    uint8x16_t sum[4];
    uint32_t bits = 0;

    UNROLL
    for (size_t j = 0; j < 4; j++) {
      sum[j] = vandq_u8(vld1q_u8(row + (j + 1) * row_bytes - VECTOR), other);
    }
    for (size_t k = 0; k < whole; k += VECTOR) {
      other = vld1q_u8(partner + k);
      UNROLL
      for (size_t j = 0; j < 4; j++) {
        sum[j] = veorq_u8(sum[j], vandq_u8(vld1q_u8(row + j * row_bytes + k), other));
      }
    }
    for (unsigned j = 0; j < 4; j++) {
      bits |= parity_neon(sum[j]) << j;
    }
    parities[i / 8] = (uint8_t)(i % 8 == 0 ? bits : parities[i / 8] | bits << 4);
  }
}

const struct mceliece_ops ckem_mceliece_ops_neon = {
    .name = "neon",
    .find_repeat = find_repeat_neon,
    .place = place_neon,
    .multiply = multiply_rows_neon,
};

ISA_END
#endif
