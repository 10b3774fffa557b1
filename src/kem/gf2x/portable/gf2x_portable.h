/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What the files of the portable back end of ring arithmetic share. */
#ifndef CODEKEM_GF2X_PORTABLE_GF2X_PORTABLE_H
#define CODEKEM_GF2X_PORTABLE_GF2X_PORTABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gf2x/gf2x.h"

/* In gf2x_words_portable.c: out[2 n] = a[n] * b[n]; the factors are lost. scratch: so many words.
 * Timing: depends on n. */
#define GF2X_MUL_SCRATCH_PORTABLE(n) (6 * (n) + 64)
void ckem_gf2x_mul_words_portable(uint64_t *out, uint64_t *a, uint64_t *b, size_t n,
                                  uint64_t *scratch);

/* In gf2x_toom_portable.c: sets out to a * b, or adds it. out may be a or b, unless the product is
 * added to it. scratch: GF2X_TOOM_WORDS_PORTABLE. */
void ckem_gf2x_mul_toom_portable(const struct gf2x_ring *ring, uint64_t *out, const uint64_t *a,
                                 const uint64_t *b, bool add, uint64_t *scratch);

/* A polynomial of so many bits is cut into five parts; their values at a point are a little longer.
 * These are cut in the same way. */
#define GF2X_VALUE_GROWTH_PORTABLE 8
#define GF2X_PART_BITS_PORTABLE(bits) (((bits) + 4) / 5)
#define GF2X_VALUE_WORDS_PORTABLE(bits) \
  ((GF2X_PART_BITS_PORTABLE(bits) + GF2X_VALUE_GROWTH_PORTABLE + 63) / 64)
#define GF2X_INNER_WORDS_PORTABLE(r_bits) \
  GF2X_VALUE_WORDS_PORTABLE(GF2X_PART_BITS_PORTABLE(r_bits) + GF2X_VALUE_GROWTH_PORTABLE)

/* Nine products of values, ten of inner values, and what one of these takes; the parts of an
 * element are taken out where the inner products will be. */
#define GF2X_TOOM_WORDS_PORTABLE(r_bits)                                             \
  (18 * GF2X_VALUE_WORDS_PORTABLE(r_bits) + 20 * GF2X_INNER_WORDS_PORTABLE(r_bits) + \
   GF2X_MUL_SCRATCH_PORTABLE(GF2X_INNER_WORDS_PORTABLE(r_bits)))

#endif
