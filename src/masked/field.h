/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* GF(256) = GF(2)[x] / (x^8 + x^4 + x^3 + x^2 + 1) in shares: an element is 8 planes. */
#ifndef CODEKEM_MASKED_FIELD_H
#define CODEKEM_MASKED_FIELD_H

#include "masked/shares.h"

/* A product; z may be x or y. */
void ckem_masked_field_mul(struct masks *masks, struct shared z, struct shared x, struct shared y,
                           size_t lanes);

/* z = x0 y0 + x1 y1, all cross products of a pair of shares on one fresh mask. */
void ckem_masked_field_mul_two(struct masks *masks, struct shared z, struct shared x0,
                               struct shared y0, struct shared x1, struct shared y1, size_t lanes);

/* x = x^(2^times), one share at a time. */
void ckem_masked_field_square(struct shared x, size_t times, size_t lanes);

/* x = x^-1, 0 for 0. work: 4 elements. */
void ckem_masked_field_invert(struct masks *masks, struct shared x, size_t lanes,
                              struct shared work);

#endif
