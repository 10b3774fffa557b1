/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Sparse ring elements: drawing the positions of their coefficients, and writing them out.
 *
 * The schemes of this library share both steps, so back ends implement them once.
 */
#ifndef CODEKEM_SPARSE_SPARSE_H
#define CODEKEM_SPARSE_SPARSE_H

#include <stddef.h>
#include <stdint.h>

#include "gf2x/gf2x.h"

/* The most positions that a list may have: the longest lists of the schemes have 264. */
#define SPARSE_MAX_POSITIONS 272

/* A position that is never set; fills up lists with too few positions. */
#define SPARSE_NO_POSITION UINT32_MAX

/* One implementation. All values are secret; timing depends on the ring and on lengths only, but
 * for the reference, which is not constant time. count is at most SPARSE_MAX_POSITIONS. */
struct sparse_ops {
  const char *name;

  /* Turns random words into count distinct positions below length < 2^31: word w at index i gives
   * p = i + floor(w (length - i) / 2^32), or i if p is among the later entries. From the last index
   * down [Sen21]. positions may be words. */
  void (*pick_distinct)(uint32_t *positions, const uint32_t *words, size_t count, uint32_t length);

  /* Sets out to the element whose coefficients first, first + 1, ... are those that positions
   * lists: coefficient p - first is 1 if first <= p < first + r. Other positions are ignored;
   * no two may be equal. */
  void (*set_positions)(const struct gf2x_ring *ring, uint64_t *out, const uint32_t *positions,
                        size_t count, uint32_t first);

  /* Sets the top bit of marks[i] for begin <= i < end where positions[i] is one of the entries
   * before it, and clears it elsewhere; marks before begin mean nothing. NULL where vectors do not
   * help. */
  void (*mark_repeats)(uint32_t *marks, const uint32_t *positions, size_t begin, size_t end);

  /* Sets out = a b for the element b that set_positions would make of positions, which are distinct
   * and below r, with first = 0. NULL where a product of elements is no slower. out may be a.
   * scratch: GF2X_MUL_SCRATCH_WORDS. */
  void (*multiply)(const struct gf2x_ring *ring, uint64_t *out, const uint64_t *a,
                   const uint32_t *positions, size_t count, uint64_t *scratch);
};

extern const struct sparse_ops ckem_sparse_reference;
extern const struct sparse_ops ckem_sparse_portable;
extern const struct sparse_ops ckem_sparse_avx512;
extern const struct sparse_ops ckem_sparse_gfni;
extern const struct sparse_ops ckem_sparse_avx2;
extern const struct sparse_ops ckem_sparse_neon;
extern const struct sparse_ops ckem_sparse_rvv;
extern const struct sparse_ops ckem_sparse_m4;
extern const struct sparse_ops ckem_sparse_wasm;

/* In a file of their own. */
void ckem_sparse_pick_distinct_avx2(uint32_t *positions, const uint32_t *words, size_t count,
                                    uint32_t length);
void ckem_sparse_mark_repeats_avx2(uint32_t *marks, const uint32_t *positions, size_t begin,
                                   size_t end);

#endif
