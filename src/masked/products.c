/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Products of ring elements in shares and public ones, one share after the other. */
#include "masked/products.h"

#include "base/wipe.h"

/* out = out + x^k in for a public k from 1 to r_bits - 1. */
static void add_rotated(const struct gf2x_ring *ring, uint64_t *out, const uint64_t *in,
                        uint32_t k) {
  const size_t up = k / 64;
  const size_t down = (ring->r_bits - k) / 64;
  const uint32_t left = k % 64;
  const uint32_t right = (ring->r_bits - k) % 64;
  uint64_t last = 0;

  for (size_t i = up; i < ring->words; i++) {
    const uint64_t next = in[i - up];
    out[i] ^= next << left | last >> 1 >> (63 - left);
    last = next;
  }
  last = 0;
  for (size_t i = ring->words; i-- > down;) {
    const uint64_t next = in[i];
    out[i - down] ^= next >> right | last << 1 << (63 - right);
    last = next;
  }
  out[ring->words - 1] &= (UINT64_C(1) << ring->r_bits % 64) - 1;
}

void ckem_masked_multiply(struct masks *masks, const struct backend *backend,
                          const struct gf2x_ring *ring, struct shared_element out, bool add,
                          const uint64_t *a, struct shared_element b, uint64_t *work) {
  uint64_t *scratch = work + ring->stride;

  for (size_t s = 0; s < MASKED_SHARES; s++) {
    const uint32_t k = 1 + ckem_masks_below(masks, ring->r_bits - 1);
    memset(work, 0, ring->stride * sizeof *work);
    add_rotated(ring, work, share_of_element(b, s), k);
    backend->gf2x->mul(ring, work, a, work, scratch);
    if (!add) {
      memset(share_of_element(out, s), 0, ring->stride * sizeof(uint64_t));
    }
    add_rotated(ring, share_of_element(out, s), work, ring->r_bits - k);
    /* Or the next share would come over them. */
    ckem_secure_wipe(work, MASKED_PRODUCT_WORDS(ring->r_bits) * sizeof *work);
  }
}
