/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Drawing and encoding on 64-bit words. */
#include "base/bytes.h"
#include "base/ct.h"
#include "mceliece/mceliece_ops.h"

/* Every number meets every other within half a turn. */
static uint32_t find_repeat_portable(uint16_t *positions, size_t count) {
  uint32_t repeats = 0;

  memcpy(positions + count, positions, count * sizeof *positions);
  for (size_t distance = 1; 2 * distance <= count; distance++) {
    for (size_t i = 0; i < count; i++) {
      repeats |= (((uint32_t)positions[i] ^ positions[i + distance]) - 1) >> 31;
    }
  }
  return repeats;
}

static void place_ones_portable(uint64_t *error, size_t words, const uint16_t *positions,
                                size_t count) {
  for (size_t i = 0; i < words; i++) {
    error[i] = 0;
  }
  for (size_t k = 0; k < count; k++) {
    const uint32_t word = positions[k] >> 6;
    const uint64_t bit = ct_shift_left_u64(1, positions[k] & 63);

    for (uint32_t i = 0; i < words; i++) {
      error[i] |= bit & ct_mask_zero_u64(word ^ i);
    }
  }
}

/* Returns the sum of all bits of x. */
static uint64_t parity_portable(uint64_t x) {
  x ^= x >> 32;
  x ^= x >> 16;
  x ^= x >> 8;
  x ^= x >> 4;
  x ^= x >> 2;
  return (x ^ x >> 1) & 1;
}

static uint64_t fold_row_portable(const uint8_t *row, size_t row_bytes, const uint8_t *partner) {
  uint64_t sum = 0;
  size_t i = 0;

  for (; i + 8 <= row_bytes; i += 8) {
    sum ^= load_le64(row + i) & load_le64(partner + i);
  }
  for (; i < row_bytes; i++) {
    sum ^= (uint64_t)(row[i] & partner[i]);
  }
  return sum;
}

static void multiply_rows_portable(uint8_t *parities, const uint8_t *rows, size_t count,
                                   size_t row_bytes, const uint8_t *partner) {
  for (size_t i = 0; i < count; i += 8) {
    uint64_t byte = 0;

    for (size_t j = 0; j < 8; j++) {
      byte |= parity_portable(fold_row_portable(rows + (i + j) * row_bytes, row_bytes, partner))
              << j;
    }
    parities[i / 8] = (uint8_t)byte;
  }
}

const struct mceliece_ops ckem_mceliece_ops_portable = {
    .name = "portable",
    .find_repeat = find_repeat_portable,
    .place = place_ones_portable,
    .multiply = multiply_rows_portable,
};
