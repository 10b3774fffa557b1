/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Sparse ring elements in plain C: every position meets every entry or word, by masks. */
#include <assert.h>
#include <string.h>

#include "base/ct.h"
#include "sparse/sparse.h"

/* Returns a mask: position, below 2^31, is in list[count]. */
static inline uint32_t is_listed(uint32_t position, const uint32_t *list, size_t count) {
  uint32_t listed = 0;

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

/* Returns the sum of the bit_of[count] that belong to word w. */
static inline uint64_t collect_word(uint32_t w, const uint32_t *word_of, const uint64_t *bit_of,
                                    size_t count) {
  /* Hides from the compiler that a mask is all ones or zero; a barrier on each mask would keep it
   * from using vectors. */
  const uint64_t opaque_zero = ct_barrier_u64(0);
  uint64_t word = 0;

  for (size_t i = 0; i < count; i++) {
    /* Borrows through all 64 bits only if the word is the right one. */
    const uint64_t mask = (uint64_t)((int64_t)((uint64_t)(word_of[i] ^ w) - 1) >> 63);
    word |= bit_of[i] & (mask ^ opaque_zero);
  }
  return word;
}

static void set_positions_portable(const struct gf2x_ring *ring, uint64_t *out,
                                   const uint32_t *positions, size_t count, uint32_t first) {
  uint32_t word_of[SPARSE_MAX_POSITIONS];
  uint64_t bit_of[SPARSE_MAX_POSITIONS];

  assert(count <= SPARSE_MAX_POSITIONS);
  for (size_t i = 0; i < count; i++) {
    /* A position below first becomes a huge one that no word matches. */
    const uint32_t position = positions[i] - first;
    word_of[i] = position / 64;
    bit_of[i] = ct_shift_left_u64(1, position % 64);
  }
  memset(out, 0, ring->stride * sizeof *out);
  for (uint32_t w = 0; w < ring->words; w++) {
    out[w] = collect_word(w, word_of, bit_of, count);
  }
  out[ring->words - 1] &= (UINT64_C(1) << (ring->r_bits % 64)) - 1;
}

const struct sparse_ops sparse_portable = {
    .name = "portable",
    .pick_distinct = pick_distinct_portable,
    .set_positions = set_positions_portable,
};
