/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Sparse ring elements in plain C: every position meets every entry or row of words, by masks. */
#include <string.h>

#include "base/ct.h"
#include "base/isa.h"
#include "base/unroll.h"
#include "sparse/sparse.h"

/* Returns a mask: position, below 2^31, is in list[count]. */
static inline uint32_t is_listed(uint32_t position, const uint32_t *list, size_t count) {
  uint32_t listed = 0;

  /* For the proof of memory safety, here and below: what is only read, or has values already, needs
   * no unrolling. */
  //@ loop unroll 0;
  for (size_t i = 0; i < count; i++) {
    const uint32_t difference = position ^ list[i];
    /* The top bit is set where the difference is 0; positions are below 2^31. */
    listed |= (difference - 1) & ~difference;
  }
  return ct_mask_bit_u32(listed >> 31);
}

static void pick_distinct_portable(uint32_t *positions, const uint32_t *words, size_t count,
                                   uint32_t length) {
  for (size_t i = count; i-- > 0;) {
    const uint32_t index = (uint32_t)i;
    const uint64_t product = (uint64_t)words[i] * (length - index);
    const uint32_t position = index + (uint32_t)(product >> 32);
    const uint32_t duplicate = is_listed(position, positions + i + 1, count - i - 1);

    positions[i] = ct_select_u32(duplicate, index, position);
  }
}

/* A row of words shares the comparison with a position; what is in registers is a row. Positions
 * are placed a few at a time, so that their words take little memory. */
#define ROW_WORDS (ISA_WORDS_OF_32_BITS ? 4 : 8)
#define FEW 16

/* Some positions: which row each is in, and the words of this row with its bit. */
struct few_positions {
  uint32_t row[FEW];
  uint64_t words[FEW][ROW_WORDS];
};

static void prepare_portable(struct few_positions *few, const uint32_t *positions, size_t count,
                             uint32_t first) {
  for (size_t i = 0; i < count; i++) {
    /* A position below first becomes a huge one that no row matches. */
    const uint32_t position = positions[i] - first;
    const uint32_t word = position / 64;
    const uint64_t bit = ct_shift_left_u64(1, position % 64);
    few->row[i] = word / ROW_WORDS;
    for (uint32_t j = 0; j < ROW_WORDS; j++) {
      few->words[i][j] = bit & ct_mask_zero_u64(word % ROW_WORDS ^ j);
    }
  }
}

/* Adds positions to out[rows ROW_WORDS]. */
static void place_portable(uint64_t *out, uint32_t rows, const struct few_positions *few,
                           size_t count) {
  /* Hides from the compiler that a mask is all ones or zero; a barrier on each mask would keep it
   * from using vectors. */
  const uint32_t opaque_zero = ct_barrier_u32(0);

  for (uint32_t row = 0; row < rows; row++, out += ROW_WORDS) {
    uint64_t sum[ROW_WORDS] = {0};
    //@ loop unroll 0;
    for (size_t i = 0; i < count; i++) {
      /* Borrows through all bits only if the row is the right one. */
      const uint32_t half = (uint32_t)((int32_t)((few->row[i] ^ row) - 1) >> 31) ^ opaque_zero;
      const uint64_t mask = (uint64_t)half << 32 | half;
      UNROLL
      for (size_t j = 0; j < ROW_WORDS; j++) {
        sum[j] |= few->words[i][j] & mask;
      }
    }
    UNROLL
    for (size_t j = 0; j < ROW_WORDS; j++) {
      out[j] |= sum[j];
    }
  }
}

static void set_positions_portable(const struct gf2x_ring *ring, uint64_t *out,
                                   const uint32_t *positions, size_t count, uint32_t first) {
  const uint32_t rows = (ring->words + ROW_WORDS - 1) / ROW_WORDS; /* at most the stride */
  struct few_positions few;

  memset(out, 0, ring->stride * sizeof *out);
  for (size_t i = 0; i < count; i += FEW) {
    const size_t now = count - i < FEW ? count - i : FEW;
    prepare_portable(&few, positions + i, now, first);
    place_portable(out, rows, &few, now);
  }
  out[ring->words - 1] &= (UINT64_C(1) << (ring->r_bits % 64)) - 1;
  memset(out + ring->words, 0, (ring->stride - ring->words) * sizeof *out);
}

const struct sparse_ops ckem_sparse_portable = {
    .name = "portable",
    .pick_distinct = pick_distinct_portable,
    .set_positions = set_positions_portable,
};
