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

#define ROWS 4 /* vectors that are added together */

/* In bike_count_m4.S. */
void bike_rotate_step_m4(uint32_t *out, const uint32_t *in, uint32_t words, uint32_t distance,
                         uint32_t mask);
void bike_rotate_end_m4(uint32_t *out, const uint32_t *in, uint32_t words, uint32_t mask,
                        uint32_t factor);
void bike_add_first_m4(const uint32_t *rows, uint32_t *planes, uint32_t stride_bytes,
                       uint32_t words, uint32_t column_bytes);
void bike_add_second_7_m4(const uint32_t *rows, uint32_t *planes, uint32_t stride_bytes,
                          uint32_t words);
void bike_add_second_8_m4(const uint32_t *rows, uint32_t *planes, uint32_t stride_bytes,
                          uint32_t words);

/* The working memory of a count, and its sizes in 32-bit words. */
struct count {
  uint32_t words;    /* of a ring element */
  uint32_t reach;    /* the smallest power of two that is at least words */
  uint32_t row;      /* of a rotated vector: whole groups of four */
  uint32_t column;   /* planes and the carry */
  uint32_t *cyclic;  /* 2 words + 1: the syndrome, twice */
  uint32_t *work;    /* words + reach / 2 + 10 */
  uint32_t *rows;    /* ROWS rows */
  uint32_t *planes;  /* words columns */
};

/* All of it, in 32-bit words. */
#define COUNT_WORDS(words, reach, column) \
  (2 * (words) + 1 + (words) + (reach) / 2 + 10 + ROWS * ((words) + 3) + (words) * (column))
static_assert(2 * BIKE_COUNT_SCRATCH_WORDS(12323) >= COUNT_WORDS(386, 512, 8), "level 1");
static_assert(2 * BIKE_COUNT_SCRATCH_WORDS(24659) >= COUNT_WORDS(771, 1024, 8), "level 3");
static_assert(2 * BIKE_COUNT_SCRATCH_WORDS(40973) >= COUNT_WORDS(1281, 2048, 9), "level 5");

static struct count lay_out(const struct gf2x_ring *ring, size_t weight, uint64_t *scratch) {
  struct count c = {.words = (ring->r_bits + 31) / 32, .reach = 1};

  while (c.reach < c.words) {
    c.reach *= 2;
  }
  c.row = (c.words + 3) / 4 * 4;
  c.column = weight < 128 ? 8 : 9;
  c.cyclic = (uint32_t *)(void *)scratch;
  c.work = c.cyclic + 2 * c.words + 1;
  c.rows = c.work + c.words + c.reach / 2 + 10;
  c.planes = c.rows + ROWS * c.row;
  return c;
}

/* cyclic[j] = a[j - 1 mod r] for as many bits as a rotation can reach. One place further on than the
 * syndrome, because bike_rotate_end_m4 shifts by at least one bit. */
static void extend_cyclically(const struct gf2x_ring *ring, const struct count *c,
                              const uint64_t *syndrome) {
  const uint32_t *a = (const uint32_t *)(const void *)syndrome;
  const uint32_t n = c->words;
  const unsigned top = ring->r_bits % 32; /* bits in the last word; r is an odd prime, so not 0 */
  uint32_t before = a[n - 1] << (32 - top);

  for (uint32_t i = 0; i < n; i++) {
    c->cyclic[i] = a[i] << 1 | before >> 31;
    before = a[i];
  }
  /* From bit r + 1 on, a begins again. */
  c->cyclic[n] = 0;
  for (uint32_t i = 0; i < n; i++) {
    const uint64_t shifted = (uint64_t)a[i] << (top + 1);
    c->cyclic[n - 1 + i] |= (uint32_t)shifted;
    c->cyclic[n + i] = (uint32_t)(shifted >> 32);
  }
  c->cyclic[2 * n] = 0;
}

/* row[j] = a[j + amount mod r], with cyclic made of a. What the first step reads behind cyclic does
 * not reach the row, because amount is below r. */
static void rotate(const struct count *c, uint32_t *row, uint32_t amount) {
  const uint32_t by_words = amount / 32;
  const uint32_t *from = c->cyclic;

  for (uint32_t distance = c->reach / 2; distance > 1; distance /= 2) {
    bike_rotate_step_m4(c->work, from, c->words + distance + 1, distance,
                        ~ct_mask_zero_u32(by_words & distance));
    from = c->work;
  }
  bike_rotate_end_m4(row, c->work, c->row, ct_mask_bit_u32(by_words),
                     UINT32_C(1) << (31 - amount % 32));
}

/* Adds up all rotations of the syndrome in the planes. */
static void add_up(const struct count *c, const uint32_t *support, size_t weight) {
  const uint32_t row_bytes = 4 * c->row;

  memset(c->planes, 0, (size_t)c->words * c->column * sizeof *c->planes);
  for (size_t k = 0; k < weight; k += 2 * ROWS) {
    for (size_t half = 0; half < 2; half++) {
      for (size_t v = 0; v < ROWS; v++) {
        const size_t index = k + half * ROWS + v;
        if (index < weight) {
          rotate(c, c->rows + v * c->row, support[index]);
        } else {
          memset(c->rows + v * c->row, 0, row_bytes);
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
  const struct count c = lay_out(ring, weight, scratch);

  extend_cyclically(ring, &c, syndrome);
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
