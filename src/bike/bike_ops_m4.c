/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Bit-sliced counters on 32-bit words for the Cortex-M4.
 *
 * As in bike_ops_portable.c, the syndrome is rotated by each index of the support, by choices between
 * a vector and the same vector a power of two of words further on, and the rotated vectors are added
 * bit by bit. Four of them are added at a time; of every two such sums, one carry goes further up.
 */
#include <assert.h>
#include <string.h>

#include "base/ct.h"
#include "bike/bike_ops.h"
#include "gf2x/gf2x_m4.h"

#define ROWS 4 /* vectors that are added together */

/* In bike_count_m4.S. */
void bike_add_first_m4(const uint32_t *rows, uint32_t *planes, uint32_t stride_bytes,
                       uint32_t words, uint32_t column_bytes);
void bike_add_second_7_m4(const uint32_t *rows, uint32_t *planes, uint32_t stride_bytes,
                          uint32_t words);
void bike_add_second_8_m4(const uint32_t *rows, uint32_t *planes, uint32_t stride_bytes,
                          uint32_t words);

/* The working memory of a count. */
struct count {
  struct gf2x_rotation rotation; /* of the syndrome */
  uint32_t words;                /* of a ring element */
  uint32_t column;               /* planes and the carry */
  uint32_t *rows;                /* ROWS rows */
  uint32_t *planes;              /* words columns */
};

/* All of it in 32-bit words. */
#define COUNT_WORDS(words, reach, column) \
  (GF2X_ROTATION_WORDS_M4(words, reach) + ROWS * ((words) + 3) + (words) * (column))
static_assert(2 * BIKE_COUNT_SCRATCH_WORDS(12323) >= COUNT_WORDS(386, 512, 8), "level 1");
static_assert(2 * BIKE_COUNT_SCRATCH_WORDS(24659) >= COUNT_WORDS(771, 1024, 8), "level 3");
static_assert(2 * BIKE_COUNT_SCRATCH_WORDS(40973) >= COUNT_WORDS(1281, 2048, 9), "level 5");

static struct count start_count(const struct gf2x_ring *ring, const uint64_t *syndrome,
                                size_t weight, uint64_t *scratch) {
  struct count c;

  c.rotation = gf2x_rotation_start_m4(ring, syndrome, (uint32_t *)(void *)scratch);
  c.words = c.rotation.words;
  c.column = weight < 128 ? 8 : 9;
  c.rows = c.rotation.rest;
  c.planes = c.rows + ROWS * c.rotation.row_words;
  return c;
}

/* Adds up all rotations of the syndrome in the planes. */
static void add_up(const struct count *c, const uint32_t *support, size_t weight) {
  const uint32_t row_bytes = 4 * c->rotation.row_words;

  memset(c->planes, 0, (size_t)c->words * c->column * sizeof *c->planes);
  for (size_t k = 0; k < weight; k += 2 * ROWS) {
    for (size_t half = 0; half < 2; half++) {
      for (size_t v = 0; v < ROWS; v++) {
        const size_t index = k + half * ROWS + v;
        if (index < weight) {
          gf2x_rotate_m4(&c->rotation, c->rows + v * c->rotation.row_words, support[index]);
        } else {
          memset(c->rows + v * c->rotation.row_words, 0, row_bytes);
        }
      }
      if (half == 0) {
        bike_add_first_m4(c->rows, c->planes, row_bytes, c->words, 4 * c->column);
      } else if (c->column == 8) {
        bike_add_second_7_m4(c->rows, c->planes, row_bytes, c->words);
      } else {
        bike_add_second_8_m4(c->rows, c->planes, row_bytes, c->words);
      }
    }
  }
}

/* out[j] = counter j >= threshold, compared from the highest bit down. */
static void compare(const struct gf2x_ring *ring, uint64_t *out, const struct count *c,
                    uint32_t threshold) {
  uint32_t *words = (uint32_t *)(void *)out;
  uint32_t threshold_bits[9];

  /* The planes of a column are 0, 1, (the carry), 2, 3, ... */
  for (uint32_t b = 0; b < c->column; b++) {
    threshold_bits[b] = ct_mask_bit_u32(threshold >> (b < 2 ? b : b - 1));
  }
  memset(out, 0, ring->stride * sizeof *out);
  for (uint32_t i = 0; i < c->words; i++) {
    const uint32_t *column = c->planes + i * c->column;
    uint32_t greater = 0;
    uint32_t equal = UINT32_MAX;
    for (uint32_t b = c->column; b-- > 0;) {
      if (b != 2) {
        greater |= equal & column[b] & ~threshold_bits[b];
        equal &= ~(column[b] ^ threshold_bits[b]);
      }
    }
    words[i] = greater | equal;
  }
  words[c->words - 1] &= (UINT32_C(1) << (ring->r_bits % 32)) - 1;
}

static void count_unsatisfied(const struct gf2x_ring *ring, uint64_t *reached, uint32_t threshold,
                              uint64_t *reached_low, uint32_t threshold_low,
                              const uint64_t *syndrome, const uint32_t *support, size_t weight,
                              uint64_t *scratch) {
  const struct count c = start_count(ring, syndrome, weight, scratch);

  add_up(&c, support, weight);
  compare(ring, reached, &c, threshold);
  if (reached_low != NULL) {
    compare(ring, reached_low, &c, threshold_low);
  }
}

const struct bike_ops bike_ops_m4 = {
    .name = "m4",
    .count_unsatisfied = count_unsatisfied,
};
