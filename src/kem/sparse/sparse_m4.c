/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Sparse ring elements on the Cortex-M4: positions meet rows of five words, by multiplication. */
#include <assert.h>
#include <string.h>

#include "base/ct.h"
#include "base/isa.h"
#include "sparse/sparse.h"

#if defined(CODEKEM_HAVE_M4)

#define ROW_WORDS 5

/* In sparse_place_m4.S. */
void ckem_sparse_place_m4(uint32_t row, uint32_t *out, const uint32_t words[ROW_WORDS],
                          uint32_t rows);

uint32_t ckem_sparse_search_m4(uint32_t position, const uint32_t *list, uint32_t count);

/* The words behind an element up to its stride must be enough for whole rows. */
#define ROWS(r_bits) (((r_bits) + 32 * ROW_WORDS - 1) / (32 * ROW_WORDS))
#define CHECK_ROWS(r_bits) \
  static_assert(ROWS(r_bits) * ROW_WORDS <= 2 * GF2X_STRIDE(r_bits), "whole rows");
GF2X_RINGS(CHECK_ROWS)

static void set_positions_m4(const struct gf2x_ring *ring, uint64_t *out, const uint32_t *positions,
                             size_t count, uint32_t first) {
  uint32_t *words = (uint32_t *)(void *)out;

  memset(out, 0, ring->stride * sizeof *out);
  for (size_t i = 0; i < count; i++) {
    const uint32_t position = positions[i] - first;
    const uint32_t valid = ct_mask_less_u32(position, ring->r_bits);
    const uint32_t bit = (UINT32_C(1) << (position % 32)) & valid;
    const uint32_t word = (position & valid) / 32;
    const uint32_t row = word * 52429 >> 18; /* word / 5 for every word below 2^14 */
    uint32_t row_words[ROW_WORDS];
    for (uint32_t b = 0; b < ROW_WORDS; b++) {
      row_words[b] = bit & ct_mask_equal_u32(b, word - ROW_WORDS * row);
    }
    /* No two positions are equal, so adding a bit sets it. */
    ckem_sparse_place_m4(row, words, row_words, ROWS(ring->r_bits));
  }
}

static void pick_distinct_m4(uint32_t *positions, const uint32_t *words, size_t count,
                             uint32_t length) {
  for (size_t i = count; i-- > 0;) {
    const uint32_t index = (uint32_t)i;
    const uint64_t product = (uint64_t)words[i] * (length - index);
    const uint32_t position = index + (uint32_t)(product >> 32);
    const uint32_t found = ckem_sparse_search_m4(position, positions + i + 1, count - i - 1);
    const uint32_t duplicate = ct_mask_bit_u32(found >> 5);

    positions[i] = ct_select_u32(duplicate, index, position);
  }
}

const struct sparse_ops ckem_sparse_m4 = {
    .name = "m4",
    .pick_distinct = pick_distinct_m4,
    .set_positions = set_positions_m4,
};

#endif
