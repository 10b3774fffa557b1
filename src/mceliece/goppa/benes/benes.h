/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Permutations of 2^m things as in-place Benes networks.
 *
 * A network is 2 m - 1 layers of 2^(m-1) conditional swaps with distances 1, 2, ..., 2^(m-1), ...,
 * 2, 1. Control bits come in this order; within a layer of distance d in the order of the lower
 * places of the pairs (j, j + d). They are packed eight to a byte, the first in the lowest bit.
 *
 * The network of a permutation pi brings what is at place pi(r) to place r.
 *
 * All values are secret; timing depends on m only, but for the reference.
 */
#ifndef CODEKEM_BENES_BENES_H
#define CODEKEM_BENES_BENES_H

#include <stddef.h>
#include <stdint.h>

#include "base/backend.h"

#define BENES_MAX_M 13

/* Bytes of control bits; (2 m - 1) 2^(m-4) from m = 4 on. */
#define BENES_CONTROL_BYTES(m) (((((size_t)2 * (m) - 1) << (m)) + 15) / 16)

/* Control bits as apply wants them, in words, m >= 9. */
#define BENES_NETWORK_WORDS(m) (((size_t)2 * (m) - 1) << ((m) - 6))

/* Scratch memory of find_control_bits, in words. */
#define BENES_SCRATCH_WORDS(m) (((size_t)3 << (m)) + 512)

/* One implementation. */
struct benes_ops {
  const char *name;

  /* Finds the control bits of the permutation pi[2^m], 1 <= m <= 13, those of [Ber20]: of the
   * possible ones, always the smallest element of a cycle decides. control:
   * BENES_CONTROL_BYTES(m). */
  void (*find_control_bits)(unsigned m, uint8_t *control, const uint16_t *pi, uint64_t *scratch);

  /* Puts control bits into the order of apply: a word of network for each layer and each word of
   * data. 9 <= m <= 13. All calls for one network must go to the same back end. */
  void (*prepare)(unsigned m, uint64_t *network, const uint8_t *control);

  /* Permutes the 2^m bits of data. Afterwards bit r is what bit pi(r) was. */
  void (*apply)(unsigned m, uint64_t *data, const uint64_t *network);

  /* Undoes apply: afterwards bit pi(r) is what bit r was. */
  void (*apply_reversed)(unsigned m, uint64_t *data, const uint64_t *network);

  /* Sets pi[2^m] to the permutation of a network, 9 <= m <= 13. */
  void (*permutation)(unsigned m, uint16_t *pi, const uint64_t *network, uint64_t *scratch);
};

/* Returns the implementation for a back end; the portable one where it has none of its own. */
const struct benes_ops *ckem_benes_ops_of(const struct backend *backend);

extern const struct benes_ops ckem_benes_reference;
extern const struct benes_ops ckem_benes_portable;
extern const struct benes_ops ckem_benes_avx2;
extern const struct benes_ops ckem_benes_avx512;
extern const struct benes_ops ckem_benes_neon;

#endif
