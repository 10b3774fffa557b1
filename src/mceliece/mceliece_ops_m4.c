/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Drawing and encoding on the Cortex-M4. */
#include "mceliece/mceliece_ops_m4.h"

#include <string.h>

#include "base/bytes.h"
#include "base/unroll.h"
#include "mceliece/mceliece_ops.h"

#if defined(CODEKEM_HAVE_M4)

/* Every number meets every other within half a turn. Numbers are below 2^13, so that of a pair of
 * differences minus 1 each the bits 15 and 31 are set where one is zero. */
static uint32_t find_repeat_m4(uint16_t *positions, size_t count) {
  uint32_t repeats = 0;

  memcpy(positions + count, positions, count * sizeof *positions);
  for (size_t i = 0; i < count; i += 2) {
    const uint8_t *place = (const uint8_t *)(positions + i);
    const uint32_t pair = load_le32(place);
    size_t distance = 1;
    for (; 2 * (distance + 7) <= count; distance += 8) {
      UNROLL
      for (size_t j = 0; j < 8; j++) {
        repeats |= (pair ^ load_le32(place + 2 * (distance + j))) - 0x00010001;
      }
    }
    for (; 2 * distance <= count; distance++) {
      repeats |= (pair ^ load_le32(place + 2 * distance)) - 0x00010001;
    }
  }
  return repeats & 0x80008000;
}

/* A position that is there twice does no harm. */
static void place_m4(uint64_t *error, size_t words, const uint16_t *positions, size_t count) {
  memset(error, 0, 8 * words);
  for (size_t i = 0; i < count; i += 5) {
    ckem_mceliece_place_five_m4((uint32_t *)error, 2 * words,
                                positions + (i + 5 <= count ? i : count - 5));
  }
}

/* Sums of halves of two words, in one; of quarters, and so on. */
#define FOLD(x, y, shift, field) \
  ((((x) ^ (x) >> (shift)) & (field)) | (((y) ^ (y) << (shift)) & ~(field)))

static uint32_t parities_of_m4(uint32_t x[32]) {
  for (size_t i = 0; i < 16; i++) {
    const uint32_t low = x[i], high = x[i + 16];
    x[i] = ((low & 0xFFFF) | high << 16) ^ (low >> 16 | (high & 0xFFFF0000));
  }
  for (size_t i = 0; i < 8; i++) {
    x[i] = FOLD(x[i], x[i + 8], 8, 0x00FF00FFU);
  }
  UNROLL
  for (size_t i = 0; i < 4; i++) {
    x[i] = FOLD(x[i], x[i + 4], 4, 0x0F0F0F0FU);
  }
  x[0] = FOLD(x[0], x[2], 2, 0x33333333U);
  x[1] = FOLD(x[1], x[3], 2, 0x33333333U);
  return FOLD(x[0], x[1], 1, 0x55555555U);
}

/* As ckem_mceliece_fold_rows_m4 for bytes, at any address. */
static void fold_bytes(uint32_t *sums, const uint8_t *rows, size_t count, const uint8_t *partner,
                       size_t row_bytes) {
  for (size_t row = 0; row < count; row++) {
    uint32_t sum = 0;
    size_t i = 0;

    for (; i + 4 <= row_bytes; i += 4) {
      sum ^= load_le32(rows + i) & load_le32(partner + i);
    }
    for (; i < row_bytes; i++) {
      sum ^= (uint32_t)(rows[i] & partner[i]);
    }
    sums[row] = sum;
    rows += row_bytes;
  }
}

uint32_t ckem_mceliece_multiply_32_rows_m4(const uint8_t *rows, const uint32_t *partner,
                                           size_t words) {
  uint32_t sums[32];

  if ((uintptr_t)rows % 4 == 0) {
    ckem_mceliece_fold_rows_m4(sums, (const uint32_t *)(const void *)rows, 32, partner, words);
  } else {
    fold_bytes(sums, rows, 32, (const uint8_t *)partner, 4 * words);
  }
  return parities_of_m4(sums);
}

static void multiply_m4(uint8_t *parities, const uint8_t *rows, size_t count, size_t row_bytes,
                        const uint8_t *partner) {
  for (size_t i = 0; i < count; i += 32) {
    const size_t some = count - i < 32 ? count - i : 32;
    const uint8_t *from = rows + i * row_bytes;
    uint32_t sums[32] = {0};

    if (row_bytes % 4 == 0 && (uintptr_t)from % 4 == 0 && (uintptr_t)partner % 4 == 0) {
      ckem_mceliece_fold_rows_m4(sums, (const uint32_t *)(const void *)from, some,
                                 (const uint32_t *)(const void *)partner, row_bytes / 4);
    } else {
      fold_bytes(sums, from, some, partner, row_bytes);
    }
    const uint32_t made = parities_of_m4(sums);
    for (size_t j = 0; j < some; j += 8) {
      parities[(i + j) / 8] = (uint8_t)(made >> j);
    }
  }
}

const struct mceliece_ops ckem_mceliece_ops_m4 = {
    .name = "m4",
    .find_repeat = find_repeat_m4,
    .place = place_m4,
    .multiply = multiply_m4,
};

#endif
