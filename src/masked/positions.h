/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Elements of fixed weight in shares [HQC, 5]: positions are numbers whose lanes are the positions,
 * and the dense element is the product of two matrices of one-hot rows.
 */
#ifndef CODEKEM_MASKED_POSITIONS_H
#define CODEKEM_MASKED_POSITIONS_H

#include <stdbool.h>

#include "hqc/hqc.h"
#include "masked/shares.h"
#include "masked/sponge.h"

/* Planes of a position, and of its lower part: a row has 128 bits. */
#define MASKED_POSITION_PLANES(r_bits) ((r_bits) < 32768 ? 15 : 16)
#define MASKED_LOW_PLANES 7
#define MASKED_ROW_WORDS 2 /* of 64 bits */
#define MASKED_ROWS(r_bits) (((r_bits) + 127) / 128)

/* An order of so many rows, in 64-bit words. */
#define MASKED_ORDER_WORDS(rows) ARENA_BYTES_TO_WORDS((rows) * sizeof(uint16_t))

/* Memory of drawing and placing weight positions, in words of all shares; rounding included. */
#define MASKED_DRAW_WORDS(r_bits, weight) \
  (MASKED_WORDS(weight) * 112 + (weight) * 32 / MASKED_WORD_BITS + 64)
#define MASKED_PLACE_WORDS(r_bits, weight)                                   \
  (MASKED_WORDS(weight) * (MASKED_ROWS(r_bits) + (1 << MASKED_LOW_PLANES)) + \
   (weight) * 128 / MASKED_WORD_BITS + MASKED_ROWS(r_bits) / 4 + 64)

/* Draws weight distinct positions as SampleFixedWeight does, in another order [HQC, 5.3]. */
void ckem_masked_draw_fixed(struct masks *masks, uint32_t r_bits, uint32_t weight,
                            struct masked_sponge *stream, struct shared positions,
                            struct arena arena);

/* Draws weight distinct positions by rejection [HQC, 5.2]. Returns false if the stream gave too few
 * for too long, as only one that is stuck does. It opens which candidates were too large, and which
 * were repeats, which says nothing about the others [HQC, 15.2]. */
bool ckem_masked_draw_rejection(struct masks *masks, const struct hqc_params *params,
                                struct masked_sponge *stream, struct shared positions,
                                struct arena arena);

/* out = the element with ones at weight distinct positions. */
void ckem_masked_place(struct masks *masks, const struct gf2x_ring *ring, struct shared_element out,
                       struct shared positions, uint32_t weight, struct arena arena);

/* Refreshes an element in place. */
void ckem_masked_refresh_element(struct masks *masks, const struct gf2x_ring *ring,
                                 struct shared_element x);

#endif
