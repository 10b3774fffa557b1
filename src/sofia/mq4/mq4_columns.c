/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Turns vectors around, so that bits of many places stand side by side, and back. */
#include "mq4/mq4_columns.h"

#include "base/bytes.h"
#include "mq4/mq4.h"

#define BLOCK 64

/* Transposes a matrix of bits in place: bit j of word i becomes bit i of word j. */
static void transpose_columns(uint64_t a[BLOCK]) {
  uint64_t mask = UINT64_C(0x00000000FFFFFFFF);

  for (size_t step = BLOCK / 2; step != 0; step /= 2, mask ^= mask << step) {
    for (size_t block = 0; block < BLOCK; block += 2 * step) {
      for (size_t i = block; i < block + step; i++) {
        const uint64_t moved = (a[i] >> step ^ a[i + step]) & mask;
        a[i] ^= moved << step;
        a[i + step] ^= moved;
      }
    }
  }
}

/* The vectors of block number b. */
static size_t vectors_of_block(size_t count, size_t b) {
  const size_t first = BLOCK * b;

  return count <= first ? 0 : count - first < BLOCK ? count - first : BLOCK;
}

void ckem_mq4_turn(uint64_t *columns, size_t words, const uint8_t *vectors, size_t count) {
  uint64_t a[BLOCK];

  for (size_t b = 0; b < words; b++) {
    const size_t here = vectors_of_block(count, b);
    for (size_t part = 0; part < 4; part++) { /* lo and hi of the lower elements, of the upper */
      const size_t plane = part % 2, first = BLOCK * (part / 2);
      for (size_t i = 0; i < BLOCK; i++) {
        a[i] = i < here ? load_le64(vectors + MQ4_VECTOR_BYTES * (BLOCK * b + i) +
                                    MQ4_PLANE_BYTES * plane + first / 8)
                        : 0;
      }
      transpose_columns(a);
      for (size_t k = 0; k < BLOCK; k++) {
        columns[(MQ4_PLANES * (first + k) + plane) * words + b] = a[k];
      }
    }
  }
  for (size_t k = 0; k < MQ4_VARIABLES; k++) {
    uint64_t *planes = columns + MQ4_PLANES * words * k;
    for (size_t b = 0; b < words; b++) {
      planes[2 * words + b] = planes[b] ^ planes[words + b];
    }
  }
}

void ckem_mq4_turn_back(uint8_t *vectors, const uint64_t *sums, size_t words, size_t count) {
  uint64_t a[BLOCK];

  for (size_t b = 0; BLOCK * b < count; b++) {
    const size_t here = vectors_of_block(count, b);
    for (size_t part = 0; part < 4; part++) {
      const size_t plane = part % 2, first = BLOCK * (part / 2);
      /* lo is the sum of the first two products, hi of the first and the last. */
      const uint64_t *one = sums + first * words + b;
      const uint64_t *other = one + MQ4_VARIABLES * words * (1 + plane);
      for (size_t k = 0; k < BLOCK; k++) {
        a[k] = one[k * words] ^ other[k * words];
      }
      transpose_columns(a);
      for (size_t i = 0; i < here; i++) {
        store_le64(vectors + MQ4_VECTOR_BYTES * (BLOCK * b + i) + MQ4_PLANE_BYTES * plane +
                       first / 8,
                   a[i]);
      }
    }
  }
}
