/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The decoders of the table in decoders.c. */
#ifndef CODEKEM_EVALUATION_DECODERS_H
#define CODEKEM_EVALUATION_DECODERS_H

#include "lab.h"

void decode_bgf(struct bench *bench);
void decode_bike_flip(struct bench *bench);
void decode_bf(struct bench *bench);
void decode_pickyfix(struct bench *bench);
void decode_bf_max(struct bench *bench);
void decode_step_by_step(struct bench *bench);

/* BIKE-Flip's threshold for a syndrome of that weight, which had first_weight at first. */
uint32_t flip_threshold(const struct lab_params *params, uint32_t weight, uint32_t first_weight,
                        uint32_t iteration);

#endif
