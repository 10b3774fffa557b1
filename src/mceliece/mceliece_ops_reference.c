/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Drawing and encoding bit by bit. Not constant time. */
#include "mceliece/mceliece_ops.h"

static uint32_t find_repeat_reference(uint16_t *positions, size_t count) {
  for (size_t i = 0; i < count; i++) {
    for (size_t j = 0; j < i; j++) {
      if (positions[i] == positions[j]) {
        return 1;
      }
    }
  }
  return 0;
}

static void place_reference(uint64_t *error, size_t words, const uint16_t *positions,
                            size_t count) {
  for (size_t i = 0; i < words; i++) {
    error[i] = 0;
  }
  for (size_t i = 0; i < count; i++) {
    error[positions[i] / 64] |= UINT64_C(1) << (positions[i] % 64);
  }
}

static void multiply_rows_reference(uint8_t *parities, const uint8_t *rows, size_t count,
                                    size_t row_bytes, const uint8_t *partner) {
  for (size_t i = 0; i < count; i++) {
    uint8_t sum = 0;

    for (size_t j = 0; j < 8 * row_bytes; j++) {
      sum ^= (uint8_t)((rows[i * row_bytes + j / 8] & partner[j / 8]) >> (j % 8) & 1);
    }
    parities[i / 8] = (uint8_t)(i % 8 == 0 ? sum : parities[i / 8] | sum << (i % 8));
  }
}

const struct mceliece_ops ckem_mceliece_ops_reference = {
    .name = "reference",
    .find_repeat = find_repeat_reference,
    .place = place_reference,
    .multiply = multiply_rows_reference,
};
