/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Products of ring elements in shares and public ones. */
#ifndef CODEKEM_MASKED_PRODUCTS_H
#define CODEKEM_MASKED_PRODUCTS_H

#include "base/backend.h"
#include "gf2x/gf2x.h"
#include "masked/shares.h"

/* What a product works in, in 64-bit words. */
#define MASKED_PRODUCT_WORDS(r_bits) (GF2X_STRIDE(r_bits) + GF2X_MUL_SCRATCH_WORDS(r_bits))

/* out = a b for a public a, or out + a b where add is true; out may be b where it is not. Each
 * share is rotated at random before, and its product back: nobody knows in which block of the
 * product a coefficient stands, and two shares of it stand in different ones. */
void ckem_masked_multiply(struct masks *masks, const struct backend *backend,
                          const struct gf2x_ring *ring, struct shared_element out, bool add,
                          const uint64_t *a, struct shared_element b, uint64_t *work);

#endif
