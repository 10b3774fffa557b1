/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Bit-sliced counters on 32-bit words for the Cortex-M4.
 *
 * As in counters_portable.c, the syndrome is rotated by each index of the support, by choices
 * between a vector and the same vector a power of two of words further on, and the rotated vectors
 * are added bit by bit. Four of them are added at a time; of every two such sums, one carry goes
 * further up.
 */
#include <assert.h>
#include <string.h>

#include "base/ct.h"
#include "base/isa.h"
#include "base/unroll.h"
#include "bike/counters.h"
#include "gf2x/m4/gf2x_m4.h"

#if defined(CODEKEM_HAVE_M4)

#define ROWS 4 /* vectors that are added together */

/* In counters_count_m4.S. */
void ckem_bike_add_first_m4(const uint32_t *rows, uint32_t *planes, uint32_t stride_bytes,
                            uint32_t words, uint32_t column_bytes);
void ckem_bike_add_second_7_m4(const uint32_t *rows, uint32_t *planes, uint32_t stride_bytes,
                               uint32_t words);
void ckem_bike_add_second_8_m4(const uint32_t *rows, uint32_t *planes, uint32_t stride_bytes,
                               uint32_t words);

/* The counters are computed in blocks, so that the planes take less memory. */
#define BLOCKS(r_bits) ((r_bits) < 16384 ? 3 : 2)

/* The working memory of a block. */
struct count {
  struct gf2x_rotation rotation; /* of the syndrome */
  uint32_t words;                /* of the block */
  uint32_t column;               /* planes and the carry */
  uint32_t *rows;                /* ROWS rows */
  uint32_t *planes;              /* words columns */
};

/* All of it in 32-bit words; words: of an element. */
#define COUNT_WORDS(words, block, reach, column) \
  (GF2X_ROTATION_WORDS_M4(words, block, reach) + ROWS * ((block) + 3) + (block) * (column))
/* Elements that moves by powers of two reach. */
#define REACH(words) ((words) <= 512 ? 512 : (words) <= 1024 ? 1024 : 2048)
#define COUNT_WORDS_OF(words, blocks, planes) \
  COUNT_WORDS(words, ((words) + (blocks) - 1) / (blocks), REACH(words), (planes) + 1)
/* The decoder's memory is also enough for sums of products. */
#define CHECK_LEVEL(level)                                                                    \
  static_assert(2 * BIKE_COUNT_SCRATCH_WORDS(BIKE_R_##level) >=                               \
                    COUNT_WORDS_OF((BIKE_R_##level + 31) / 32, BLOCKS(BIKE_R_##level),        \
                                   BIKE_PLANES_##level),                                      \
                "counters of level " #level);                                                 \
  static_assert(BIKE_SCRATCH_WORDS(BIKE_R_##level) >= GF2X_ADD_SCRATCH_WORDS(BIKE_R_##level), \
                "sums of products of level " #level);
BIKE_LEVELS(CHECK_LEVEL)

static struct count start_count_m4(const struct gf2x_ring *ring, const uint64_t *syndrome,
                                   size_t weight, uint64_t *scratch) {
  const uint32_t blocks = BLOCKS(ring->r_bits);
  struct count c;

  c.words = ((ring->r_bits + 31) / 32 + blocks - 1) / blocks;
  c.rotation = ckem_gf2x_rotation_start_m4(ring, syndrome, c.words, (uint32_t *)(void *)scratch);
  c.column = weight < 128 ? 8 : 9;
  c.rows = c.rotation.rest;
  c.planes = c.rows + ROWS * c.rotation.row_words;
  return c;
}

/* Adds up all rotations of the syndrome in the planes. */
static void add_up_m4(const struct count *c, const uint32_t *support, size_t weight) {
  const uint32_t row_bytes = 4 * c->rotation.row_words;

  memset(c->planes, 0, (size_t)c->words * c->column * sizeof *c->planes);
  for (size_t k = 0; k < weight; k += 2 * ROWS) {
    for (size_t half = 0; half < 2; half++) {
      for (size_t v = 0; v < ROWS; v++) {
        const size_t index = k + half * ROWS + v;
        if (index < weight) {
          ckem_gf2x_rotate_m4(&c->rotation, c->rows + v * c->rotation.row_words, support[index]);
        } else {
          memset(c->rows + v * c->rotation.row_words, 0, row_bytes);
        }
      }
      if (half == 0) {
        ckem_bike_add_first_m4(c->rows, c->planes, row_bytes, c->words, 4 * c->column);
      } else if (c->column == 8) {
        ckem_bike_add_second_7_m4(c->rows, c->planes, row_bytes, c->words);
      } else {
        ckem_bike_add_second_8_m4(c->rows, c->planes, row_bytes, c->words);
      }
    }
  }
}

/* Sets words of out to counter >= threshold, below[b]: a mask, bit b of the threshold is 0. From
 * the lowest bit up, the sides change places where counter and threshold differ. */
static inline __attribute__((always_inline)) void compare_columns(
    uint32_t *out, const uint32_t *column, uint32_t words, uint32_t planes, const uint32_t *below) {
  for (uint32_t i = 0; i < words; i++) {
    uint32_t reached = UINT32_MAX;
    UNROLL
    for (uint32_t b = 0; b < planes; b++) {
      const uint32_t plane = column[b < 2 ? b : b + 1]; /* number 2 is the carry */
      reached = (plane & reached) | (below[b] & (plane | reached));
    }
    out[i] = reached;
    column += planes + 1;
  }
}

/* Sets words first to first + count - 1 of out to counter j >= threshold. */
static void compare_m4(uint64_t *out, uint32_t first, uint32_t count, const struct count *c,
                       uint32_t threshold) {
  uint32_t *words = (uint32_t *)(void *)out + first;
  uint32_t below[8];

  for (uint32_t b = 0; b < 8; b++) {
    below[b] = ~ct_mask_bit_u32(threshold >> b);
  }
  if (c->column == 8) {
    compare_columns(words, c->planes, count, 7, below);
  } else {
    compare_columns(words, c->planes, count, 8, below);
  }
}

/* Clears the bits from r on. */
static void clear_padding_m4(const struct gf2x_ring *ring, uint64_t *a) {
  a[ring->words - 1] &= (UINT64_C(1) << (ring->r_bits % 64)) - 1;
  memset(a + ring->words, 0, (ring->stride - ring->words) * sizeof *a);
}

static void count_unsatisfied_m4(const struct gf2x_ring *ring, uint64_t *reached,
                                 uint32_t threshold, uint64_t *reached_low, uint32_t threshold_low,
                                 const uint64_t *syndrome, const uint32_t *support, size_t weight,
                                 uint64_t *scratch) {
  const uint32_t words = (ring->r_bits + 31) / 32;
  struct count c = start_count_m4(ring, syndrome, weight, scratch);

  reached[ring->words - 1] = 0; /* the last word of 32 bits may be its lower half */
  if (reached_low != NULL) {
    reached_low[ring->words - 1] = 0;
  }
  for (uint32_t first = 0; first < words; first += c.words) {
    const uint32_t count = words - first < c.words ? words - first : c.words;
    add_up_m4(&c, support, weight);
    compare_m4(reached, first, count, &c, threshold);
    if (reached_low != NULL) {
      compare_m4(reached_low, first, count, &c, threshold_low);
    }
    c.rotation.cyclic += c.words;
  }
  clear_padding_m4(ring, reached);
  if (reached_low != NULL) {
    clear_padding_m4(ring, reached_low);
  }
}

const struct bike_counters ckem_bike_counters_m4 = {
    .name = "m4",
    .count_unsatisfied = count_unsatisfied_m4,
};

#endif
