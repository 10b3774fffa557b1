/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Rotation by secret amounts on the Cortex-M4, for the decoder's counters.
 *
 * A rotation by words is a cascade of choices between a vector and the same vector a power of two
 * further on; the bits in a word follow by a multiplication by a power of two.
 */
#include <string.h>

#include "base/ct.h"
#include "base/isa.h"
#include "gf2x/m4/gf2x_m4.h"

#if defined(CODEKEM_HAVE_M4)

/* In gf2x_rotate_m4.S. */
void ckem_gf2x_rotate_step_m4(uint32_t *out, const uint32_t *in, uint32_t words, uint32_t distance,
                              uint32_t mask);
void ckem_gf2x_rotate_end_m4(uint32_t *out, const uint32_t *in, uint32_t words, uint32_t mask,
                             uint32_t factor);

/* cyclic[j] = a[j - 1 mod r] for as many bits as a rotation can reach. One place further on than a,
 * because the last step shifts by at least one bit. */
static void extend_cyclically_m4(const struct gf2x_ring *ring, uint32_t *cyclic,
                                 const uint32_t *a) {
  const uint32_t n = (ring->r_bits + 31) / 32;
  const unsigned top = ring->r_bits % 32; /* bits in the last word;
                                             not 0, because r is an odd prime */
  uint32_t before = a[n - 1] << (32 - top);

  for (uint32_t i = 0; i < n; i++) {
    cyclic[i] = a[i] << 1 | before >> 31;
    before = a[i];
  }
  /* From bit r + 1 on, a begins again. */
  cyclic[n] = 0;
  for (uint32_t i = 0; i < n; i++) {
    const uint64_t shifted = (uint64_t)a[i] << (top + 1);
    cyclic[n - 1 + i] |= (uint32_t)shifted;
    cyclic[n + i] = (uint32_t)(shifted >> 32);
  }
  cyclic[2 * n] = 0;
}

struct gf2x_rotation ckem_gf2x_rotation_start_m4(const struct gf2x_ring *ring, const uint64_t *a,
                                                 uint32_t words, uint32_t *memory) {
  const uint32_t element_words = (ring->r_bits + 31) / 32;
  struct gf2x_rotation rotation = {.words = words, .reach = 1};

  while (rotation.reach < element_words) {
    rotation.reach *= 2;
  }
  rotation.row_words = (rotation.words + 3) / 4 * 4;
  rotation.cyclic = memory;
  rotation.work = memory + 2 * element_words + 1;
  rotation.rest = rotation.work + rotation.words + rotation.reach / 2 + 20;
  extend_cyclically_m4(ring, rotation.cyclic, (const uint32_t *)(const void *)a);
  return rotation;
}

/* The steps by words but the last one. What the first reads behind cyclic does not reach the
 * result, because amount is below r. */
static void rotate_words_m4(const struct gf2x_rotation *rotation, uint32_t by_words) {
  const uint32_t *from = rotation->cyclic;

  for (uint32_t distance = rotation->reach / 2; distance > 1; distance /= 2) {
    ckem_gf2x_rotate_step_m4(rotation->work, from, rotation->words + distance + 1, distance,
                             ~ct_mask_zero_u32(by_words & distance));
    from = rotation->work;
  }
}

void ckem_gf2x_rotate_m4(const struct gf2x_rotation *rotation, uint32_t *row, uint32_t amount) {
  rotate_words_m4(rotation, amount / 32);
  ckem_gf2x_rotate_end_m4(row, rotation->work, rotation->row_words, ct_mask_bit_u32(amount / 32),
                          UINT32_C(1) << (31 - amount % 32));
}

#endif
