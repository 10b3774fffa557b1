/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Rotation by secret amounts on the Cortex-M4, and what it makes cheaper: products with sparse
 * elements, and so division of one by another.
 *
 * A rotation by words is a cascade of choices between a vector and the same vector a power of two
 * further on; the bits in a word follow by a multiplication by a power of two.
 */
#include <assert.h>
#include <string.h>

#include "base/ct.h"
#include "gf2x/gf2x_m4.h"

/* In gf2x_rotate_m4.S. */
void gf2x_rotate_step_m4(uint32_t *out, const uint32_t *in, uint32_t words, uint32_t distance,
                         uint32_t mask);
void gf2x_rotate_end_m4(uint32_t *out, const uint32_t *in, uint32_t words, uint32_t mask,
                        uint32_t factor);
void gf2x_rotate_add_m4(uint32_t *out, const uint32_t *in, uint32_t words, uint32_t mask,
                        uint32_t factor);

/* cyclic[j] = a[j - 1 mod r] for as many bits as a rotation can reach. One place further on than a,
 * because the last step shifts by at least one bit. */
static void extend_cyclically(const struct gf2x_ring *ring, uint32_t *cyclic, const uint32_t *a) {
  const uint32_t n = (ring->r_bits + 31) / 32;
  const unsigned top = ring->r_bits % 32; /* bits in the last word; r is an odd prime, so not 0 */
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

struct gf2x_rotation gf2x_rotation_start_m4(const struct gf2x_ring *ring, const uint64_t *a,
                                            uint32_t words, uint32_t *memory) {
  const uint32_t element_words = (ring->r_bits + 31) / 32;
  struct gf2x_rotation rotation = {.words = words, .reach = 1};

  while (rotation.reach < element_words) {
    rotation.reach *= 2;
  }
  rotation.row_words = (rotation.words + 3) / 4 * 4;
  rotation.cyclic = memory;
  rotation.work = memory + 2 * element_words + 1;
  rotation.rest = rotation.work + rotation.words + rotation.reach / 2 + 10;
  extend_cyclically(ring, rotation.cyclic, (const uint32_t *)(const void *)a);
  return rotation;
}

/* The steps by words but the last one. What the first reads behind cyclic does not reach the result,
 * because amount is below r. */
static void rotate_words(const struct gf2x_rotation *rotation, uint32_t by_words) {
  const uint32_t *from = rotation->cyclic;

  for (uint32_t distance = rotation->reach / 2; distance > 1; distance /= 2) {
    gf2x_rotate_step_m4(rotation->work, from, rotation->words + distance + 1, distance,
                        ~ct_mask_zero_u32(by_words & distance));
    from = rotation->work;
  }
}

void gf2x_rotate_m4(const struct gf2x_rotation *rotation, uint32_t *row, uint32_t amount) {
  rotate_words(rotation, amount / 32);
  gf2x_rotate_end_m4(row, rotation->work, rotation->row_words, ct_mask_bit_u32(amount / 32),
                     UINT32_C(1) << (31 - amount % 32));
}

/* out = a * b. scratch: a rotation's. Division has an element more than products. */
#define CHECK_ROTATION(r_bits, words, reach)                                   \
  static_assert(2 * (GF2X_STRIDE(r_bits) + GF2X_SCRATCH_WORDS(r_bits)) >=      \
                    GF2X_ROTATION_WORDS_M4(words, words, reach), "rotations")
CHECK_ROTATION(12323, 386, 512);
CHECK_ROTATION(24659, 771, 1024);
CHECK_ROTATION(40973, 1281, 2048);

static void mul_sparse(const struct gf2x_ring *ring, uint64_t *out, const uint64_t *a,
                       const struct gf2x_sparse *b, uint64_t *scratch) {
  uint32_t *words = (uint32_t *)(void *)out;
  const struct gf2x_rotation rotation =
      gf2x_rotation_start_m4(ring, a, (ring->r_bits + 31) / 32, (uint32_t *)(void *)scratch);

  memset(out, 0, ring->stride * sizeof *out);
  for (size_t i = 0; i < b->count; i++) {
    /* Coefficient j of x^p a is number j - p of a. */
    const uint32_t p = b->positions[i];
    const uint32_t amount = (ring->r_bits - p) & ~ct_mask_zero_u32(p);
    rotate_words(&rotation, amount / 32);
    gf2x_rotate_add_m4(words, rotation.work, rotation.row_words, ct_mask_bit_u32(amount / 32),
                       UINT32_C(1) << (31 - amount % 32));
  }
  words[rotation.words - 1] &= (UINT32_C(1) << (ring->r_bits % 32)) - 1;
  memset(words + rotation.words, 0, (2 * ring->stride - rotation.words) * sizeof *words);
}

/* The same, for a product that may be of two elements that are not sparse: then b is dense. */
static void mul_any(const struct gf2x_ring *ring, uint64_t *out, const uint64_t *a,
                    const uint64_t *dense, const struct gf2x_sparse *sparse, uint64_t *scratch) {
  if (sparse != NULL) {
    mul_sparse(ring, out, a, sparse, scratch);
  } else {
    gf2x_m4.mul(ring, out, a, dense, scratch);
  }
}

/* As gf2x_invert, where f_0 and t at first are the divisor itself, and sparse. */
void gf2x_divide_m4(const struct gf2x_ring *ring, uint64_t *out, const struct gf2x_sparse *a,
                    const struct gf2x_sparse *divisor, uint64_t *scratch) {
  uint64_t *f = scratch;
  uint64_t *t = out;
  uint64_t *g = f + ring->stride;
  uint64_t *rest = g + ring->stride;
  const uint32_t n = ring->r_bits - 2; /* odd, so t starts as f_0 */
  const struct gf2x_sparse *sparse_f = divisor;
  const struct gf2x_sparse *sparse_t = divisor;

  memcpy(f, divisor->dense, ring->stride * sizeof *f);
  for (uint32_t i = 1; n >> i != 0; i++) {
    gf2x_m4.square_times(ring, g, f, UINT32_C(1) << (i - 1), rest);
    mul_any(ring, f, g, f, sparse_f, rest);
    sparse_f = NULL;
    if ((n >> i & 1) != 0) {
      gf2x_m4.square_times(ring, g, f, n & ((UINT32_C(1) << i) - 1), rest);
      mul_any(ring, t, g, t, sparse_t, rest);
      sparse_t = NULL;
    }
  }
  gf2x_m4.square_times(ring, t, t, 1, rest);
  mul_sparse(ring, out, t, a, rest);
}
