/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Sparse ring elements as the specifications write them: the oracle of the tests.
 * NOT constant time: it branches on secrets and uses them as indices.
 */
#include <string.h>

#include "sparse/sparse.h"

static void pick_distinct_reference(uint32_t *positions, const uint32_t *words, size_t count,
                                    uint32_t length) {
  for (size_t i = count; i-- > 0;) {
    const uint32_t index = (uint32_t)i;
    const uint64_t product = (uint64_t)words[i] * (length - index);

    positions[i] = index + (uint32_t)(product >> 32);
    for (size_t j = i + 1; j < count; j++) {
      if (positions[j] == positions[i]) {
        positions[i] = index;
      }
    }
  }
}

static void set_positions_reference(const struct gf2x_ring *ring, uint64_t *out,
                                    const uint32_t *positions, size_t count, uint32_t first) {
  memset(out, 0, ring->stride * sizeof *out);
  for (size_t i = 0; i < count; i++) {
    if (positions[i] >= first && positions[i] - first < ring->r_bits) {
      const uint32_t j = positions[i] - first;
      out[j / 64] |= UINT64_C(1) << (j % 64);
    }
  }
}

const struct sparse_ops ckem_sparse_reference = {
    .name = "reference",
    .pick_distinct = pick_distinct_reference,
    .set_positions = set_positions_reference,
};
