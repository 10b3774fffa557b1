/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Two positions whose whole vectors AVX-512 moves together, as count() in counters_avx512.c has it:
 * plane 0 of the counters is the sum of both rotated syndromes.
 *
 * UNIT_TOP and UNIT_OPTIONS: of the ring, from the end of that file.
 */
#include "bike/counters_avx512.c"

ISA_BEGIN_AVX512

#define VECTORS (GF2X_STRIDE(UNIT_RING) / VECTOR_WORDS)
#define SHAPE ((struct shape){VECTORS, UNIT_TOP, UNIT_OPTIONS, 2})

void unit_pair(const struct gf2x_ring *ring, uint64_t *sum, const uint64_t *syndrome,
               const uint32_t pair[2], uint64_t *scratch) {
  const struct work work = lay_out(VECTORS, scratch);
  const vector *const moved[SLOTS] = {work.moved[0], work.moved[0], work.moved[2], work.moved[2]};
  const uint32_t positions[SLOTS] = {pair[0], pair[1], 0, 0};

  extend_cyclically(ring, VECTORS, work.extended, syndrome);
  clear(work.planes, 2 * VECTORS);
  clear(work.moved[2], VECTORS + MOVE_MARGIN);
  move_down(SHAPE, work.moved[0], work.extended, pair[0] / VECTOR_BITS);
  add_four(SHAPE, work.planes, work.carries, moved, positions);
  for (unsigned i = 0; i < VECTORS; i++) {
    _mm512_store_si512(sum + VECTOR_WORDS * i, work.planes[i]);
  }
}

ISA_END
