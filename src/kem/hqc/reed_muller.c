/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The duplicated first-order Reed-Muller code of HQC [HQC, 8]. */
#include "hqc/reed_muller.h"

#include <string.h>

#include "base/ct.h"
#include "base/wipe.h"

#define BITS 128

/* Bit j of the code word of M is M_7 + sum of M_i j_i, j_i being bit i of j. */
static void encode_symbol(uint64_t word[REED_MULLER_WORDS], uint8_t symbol) {
  /* Bit i of the index, for the 64 indices of a word. */
  static const uint64_t rows[6] = {
      UINT64_C(0xAAAAAAAAAAAAAAAA), UINT64_C(0xCCCCCCCCCCCCCCCC), UINT64_C(0xF0F0F0F0F0F0F0F0),
      UINT64_C(0xFF00FF00FF00FF00), UINT64_C(0xFFFF0000FFFF0000), UINT64_C(0xFFFFFFFF00000000),
  };
  uint64_t bits = ct_mask_bit_u64(symbol >> 7);

  for (unsigned i = 0; i < 6; i++) {
    bits ^= ct_mask_bit_u64((uint64_t)symbol >> i) & rows[i];
  }
  word[0] = bits;
  word[1] = bits ^ ct_mask_bit_u64(symbol >> 6);
}

void ckem_reed_muller_encode(uint64_t *out, const uint8_t *symbols, size_t count, size_t copies) {
  for (size_t i = 0; i < count; i++) {
    uint64_t word[REED_MULLER_WORDS];
    encode_symbol(word, symbols[i]);
    for (size_t c = 0; c < copies; c++) {
      *out++ = word[0];
      *out++ = word[1];
    }
  }
}

/* Two numbers v[j] and v[j + 64], -2^15 < v < 2^15, share a word: v[j] + 2^16 v[j + 64] mod 2^32.
 * Sums of words are then sums of both, whatever is borrowed between them, and a word plus BIAS has
 * v + 2^15 in each half. */
#define PAIRS (BITS / 2)
#define BIAS UINT32_C(0x80008000)

/* w[j] = the number of copies in which bit j is 1, and that for bit j + 64. */
static void add_copies(uint32_t w[PAIRS], const uint64_t *in, size_t copies) {
  for (size_t half = 0; half < 2; half++) { /* of a word of 64 bits */
    for (size_t quarter = 0; quarter < 2; quarter++) {
      uint32_t *sums = w + 32 * half + 16 * quarter;
      memset(sums, 0, 16 * sizeof *sums);
      for (size_t c = 0; c < copies; c++) {
        const uint64_t *copy = in + REED_MULLER_WORDS * c;
        const uint32_t low = (uint32_t)(copy[0] >> 32 * half) >> 16 * quarter;
        const uint32_t high = (uint32_t)(copy[1] >> 32 * half) >> 16 * quarter;
        const uint32_t bits = (low & UINT16_MAX) | high << 16;
        for (unsigned j = 0; j < 16; j++) {
          sums[j] += bits >> j & UINT32_C(0x00010001);
        }
      }
    }
  }
}

/* The Hadamard transform in place, w[t] = sum over j of (-1)^<j, t> w[j], but for the last step,
 * between the numbers of a word. Their absolute values stay below 2^10. */
static void transform(uint32_t w[PAIRS]) {
  for (size_t distance = 1; distance < PAIRS; distance *= 2) {
    for (size_t block = 0; block < PAIRS; block += 2 * distance) {
      for (size_t j = block; j < block + distance; j++) {
        const uint32_t sum = w[j] + w[j + distance];
        const uint32_t difference = w[j] - w[j + distance];
        w[j] = sum;
        w[j + distance] = difference;
      }
    }
  }
}

/* Returns the number at t as a key: ordered by absolute value, then by smaller t; the sign comes
 * along. */
static inline uint32_t key_of(uint32_t value, uint32_t t) {
  const uint32_t negative = ct_mask_bit_u32(value >> 31);
  const uint32_t absolute = (value ^ negative) - negative;
  const uint32_t positive = (0 - value) >> 31; /* 1 if value > 0 */

  return absolute << 8 | (BITS - 1 - t) << 1 | positive;
}

/* Makes the last step, and returns the symbol of the entry with the largest absolute value, the
 * first of several. */
static uint8_t find_peak(const uint32_t w[PAIRS]) {
  uint32_t best = 0;

  for (uint32_t t = 0; t < PAIRS; t++) {
    const uint32_t both = w[t] + BIAS;
    const uint32_t low = both & UINT16_MAX, high = both >> 16; /* each with 2^15 more */
    const uint32_t sum = low + high - (UINT32_C(1) << 16);
    const uint32_t first = key_of(sum, t);
    const uint32_t second = key_of(low - high, PAIRS + t);
    best = ct_select_u32(ct_mask_less_u32(best, first), first, best);
    best = ct_select_u32(ct_mask_less_u32(best, second), second, best);
  }
  return (uint8_t)((BITS - 1 - (best >> 1 & (BITS - 1))) | (best & 1) << 7);
}

void ckem_reed_muller_decode(uint8_t *symbols, const uint64_t *in, size_t count, size_t copies) {
  uint32_t w[PAIRS];

  for (size_t i = 0; i < count; i++) {
    add_copies(w, in + REED_MULLER_WORDS * copies * i, copies);
    transform(w);
    /* The sums count 0 and 1 instead of +1 and -1; that shifts the first entry alone, which will be
     * the sum of the halves of w[0]. */
    w[0] -= (uint32_t)(BITS / 4 * copies) * UINT32_C(0x00010001);
    symbols[i] = find_peak(w);
  }
  ckem_secure_wipe(w, sizeof w);
}
