/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What every back end shares: inversion, addition, and the byte encoding of ring elements. */
#include "gf2x/gf2x.h"

#include <assert.h>
#include <string.h>

#include "base/bytes.h"
#include "base/ct.h"

#define CHECK_MEMORY(r_bits) \
  static_assert(GF2X_HAS_MEMORY(r_bits), "gf2x_memory.h has not memory enough for a ring");
GF2X_RINGS(CHECK_MEMORY)

void ckem_gf2x_add(const struct gf2x_ring *ring, uint64_t *out, const uint64_t *a,
                   const uint64_t *b) {
  /* Four are read before any is written: so compilers make vectors, even where out is a. */
  for (size_t i = 0; i < ring->stride; i += 4) {
    uint64_t sums[4];
    for (size_t k = 0; k < 4; k++) {
      sums[k] = a[i + k] ^ b[i + k];
    }
    for (size_t k = 0; k < 4; k++) {
      out[i + k] = sums[k];
    }
  }
}

/* a^-1 = (a^(2^(r-2) - 1))^2. With f_i = a^(2^(2^i) - 1), f_{i+1} = f_i^(2^(2^i)) * f_i, and the
 * exponent 2^(r-2) - 1 is put together from the f_i at the bits of r - 2. */
void ckem_gf2x_invert(const struct gf2x_ops *ops, const struct gf2x_ring *ring, uint64_t *out,
                      const uint64_t *a, uint64_t *scratch) {
  uint64_t *f = scratch;
  uint64_t *t = f + ring->stride;
  uint64_t *g = t + ring->stride;
  uint64_t *rest = g + ring->stride;
  const uint32_t n = ring->r_bits - 2; /* odd, so t starts as f_0 */

  memcpy(f, a, ring->stride * sizeof *f);
  memcpy(t, a, ring->stride * sizeof *t);
  for (uint32_t i = 1; n >> i != 0; i++) {
    ops->square_times(ring, g, f, UINT32_C(1) << (i - 1), rest);
    ops->mul(ring, f, g, f, rest);
    if ((n >> i & 1) != 0) {
      ops->square_times(ring, g, f, n & ((UINT32_C(1) << i) - 1), rest);
      ops->mul(ring, t, g, t, rest);
    }
  }
  ops->square_times(ring, out, t, 1, rest);
}

/* Sets unit = a, or 1 if a has no inverse, and returns a mask: it has one. With 2 a generator mod r
 * the ring is that of one bit (the parity) beside a field, where only 0 and the element of all ones
 * are 0; that one has odd parity, because r is odd. */
static uint64_t unit_or_one(const struct gf2x_ops *ops, const struct gf2x_ring *ring,
                            uint64_t *unit, const uint64_t *a) {
  const uint32_t weight = ops->weight(ring, a);
  const uint64_t good =
      ct_mask_bit_u64(weight) & ~ct_mask_zero_u64((uint64_t)(weight ^ ring->r_bits));

  for (size_t i = 0; i < ring->stride; i++) {
    unit[i] = a[i] & good;
  }
  unit[0] |= ~good & 1;
  return good;
}

void ckem_gf2x_invert_push(const struct gf2x_ops *ops, const struct gf2x_ring *ring,
                           uint64_t *product, const uint64_t *a, uint64_t *unit,
                           uint64_t *scratch) {
  (void)unit_or_one(ops, ring, unit, a);
  ops->mul(ring, product, product, unit, scratch);
}

void ckem_gf2x_invert_pop(const struct gf2x_ops *ops, const struct gf2x_ring *ring, uint64_t *out,
                          uint64_t *inverse, const uint64_t *before, const uint64_t *a,
                          uint64_t *unit, uint64_t *scratch) {
  const uint64_t good = unit_or_one(ops, ring, unit, a);

  ops->mul(ring, out, inverse, before, scratch);
  ops->mul(ring, inverse, inverse, unit, scratch);
  for (size_t i = 0; i < ring->stride; i++) {
    out[i] &= good;
  }
}

void ckem_gf2x_decode(const struct gf2x_ring *ring, uint64_t *out, const uint8_t *in) {
  const size_t last = ring->bytes - 1;
  const unsigned used_bits = ring->r_bits % 8; /* of the last byte; not 0, because r is odd */
  const uint8_t padding = (uint8_t)(in[last] >> used_bits);

  memset(out, 0, ring->stride * sizeof *out);
  /* For the proof of memory safety, here and below: what is only read, or has values already, needs
   * no unrolling. */
  //@ loop unroll 0;
  for (size_t i = 0; i < last / 8; i++) {
    out[i] = load_le64(in + 8 * i);
  }
  for (size_t i = last / 8 * 8; i < last; i++) {
    out[i / 8] |= (uint64_t)in[i] << (8 * (i % 8));
  }
  out[last / 8] |= (uint64_t)(in[last] & ((1U << used_bits) - 1)) << (8 * (last % 8));
  out[0] ^= padding;
}

void ckem_gf2x_encode(const struct gf2x_ring *ring, uint8_t *out, const uint64_t *a) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  memcpy(out, a, ring->bytes);
#else
  for (size_t i = 0; i < ring->bytes; i++) {
    out[i] = (uint8_t)(a[i / 8] >> (8 * (i % 8)));
  }
#endif
}

bool ckem_gf2x_is_canonical(const struct gf2x_ring *ring, const uint8_t *in) {
  return in[ring->bytes - 1] >> (ring->r_bits % 8) == 0;
}

bool ckem_gf2x_is_zero(const struct gf2x_ring *ring, const uint8_t *in) {
  uint8_t any = 0;

  //@ loop unroll 0;
  for (size_t i = 0; i < ring->bytes; i++) {
    any |= in[i];
  }
  return any == 0;
}

uint32_t ckem_gf2x_parity(const struct gf2x_ring *ring, const uint8_t *in) {
  uint32_t sum = 0;

  //@ loop unroll 0;
  for (size_t i = 0; i < ring->bytes; i++) {
    sum ^= in[i];
  }
  sum ^= sum >> 4;
  sum ^= sum >> 2;
  sum ^= sum >> 1;
  return sum & 1;
}
