/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The duplicated first-order Reed-Muller code of HQC [HQC, 8]. */
#include "hqc/reed_muller.h"

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

void reed_muller_encode(uint64_t *out, const uint8_t *symbols, size_t count, size_t copies) {
  for (size_t i = 0; i < count; i++) {
    for (size_t c = 0; c < copies; c++) {
      encode_symbol(out, symbols[i]);
      out += REED_MULLER_WORDS;
    }
  }
}

/* sums[j] = number of copies in which bit j is 1. */
static void add_copies(int16_t sums[BITS], const uint64_t *in, size_t copies) {
  for (size_t j = 0; j < BITS; j++) {
    uint64_t sum = 0;
    for (size_t c = 0; c < copies; c++) {
      sum += in[REED_MULLER_WORDS * c + j / 64] >> (j % 64) & 1;
    }
    sums[j] = (int16_t)sum;
  }
}

/* The Hadamard transform in place: w[t] = sum over j of (-1)^<j, t> w[j]. |w| stays below 2^10. */
static void transform(int16_t w[BITS]) {
  for (size_t distance = 1; distance < BITS; distance *= 2) {
    for (size_t block = 0; block < BITS; block += 2 * distance) {
      for (size_t j = block; j < block + distance; j++) {
        const int16_t sum = (int16_t)(w[j] + w[j + distance]);
        const int16_t difference = (int16_t)(w[j] - w[j + distance]);
        w[j] = sum;
        w[j + distance] = difference;
      }
    }
  }
}

/* Returns the symbol of the entry with the largest absolute value, the first of several. */
static uint8_t find_peak(const int16_t w[BITS]) {
  uint32_t best = 0;

  for (uint32_t t = 0; t < BITS; t++) {
    const uint32_t value = (uint32_t)(int32_t)w[t];
    const uint32_t negative = ct_mask_bit_u32(value >> 31);
    const uint32_t absolute = (value ^ negative) - negative;
    const uint32_t positive = (0 - value) >> 31; /* 1 if w[t] > 0 */
    /* Ordered by absolute value, then by smaller t; the sign comes along. */
    const uint32_t key = absolute << 8 | (BITS - 1 - t) << 1 | positive;
    best = ct_select_u32(ct_mask_less_u32(best, key), key, best);
  }
  return (uint8_t)((BITS - 1 - (best >> 1 & (BITS - 1))) | (best & 1) << 7);
}

void reed_muller_decode(uint8_t *symbols, const uint64_t *in, size_t count, size_t copies) {
  int16_t w[BITS];

  for (size_t i = 0; i < count; i++) {
    add_copies(w, in + REED_MULLER_WORDS * copies * i, copies);
    transform(w);
    /* The sums count 0 and 1 instead of +1 and -1; that shifts this entry alone. */
    w[0] = (int16_t)(w[0] - (int16_t)(BITS / 2 * copies));
    symbols[i] = find_peak(w);
  }
  secure_wipe(w, sizeof w);
}
