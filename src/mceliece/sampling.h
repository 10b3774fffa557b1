/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Errors of fixed weight [MCE, 6.1]. */
#ifndef CODEKEM_MCELIECE_SAMPLING_H
#define CODEKEM_MCELIECE_SAMPLING_H

#include <stdbool.h>
#include <stdint.h>

#include "codekem.h"
#include "mceliece/mceliece_ops.h"
#include "mceliece/params.h"

/* Words of an error: MCELIECE_MAX_N bits. */
#define MCELIECE_ERROR_WORDS (MCELIECE_MAX_N / 64)

/* The most attempts to draw an error or to make a key. With good randomness three of ten succeed at
 * least, so that all fail once in 2^500 times: who comes here has a source that is stuck. */
#define MCELIECE_MOST_ATTEMPTS 1000

/* The memory of one draw. */
struct mceliece_draw {
  uint8_t bytes[2 * MCELIECE_MAX_TAU];
  uint16_t positions[MCELIECE_MAX_TAU + 1];
};

/* Draws an error[MCELIECE_ERROR_WORDS] of weight t with randomness from random(context, ...), 2 tau
 * bytes for each attempt. Errors: CODEKEM_ERROR_RANDOM, also after too many attempts; error is then
 * not set. Timing: depends on
 * the number of attempts and on which numbers of each were below n, which says nothing about the
 * error [MCE, 11.2, 13.2]. */
codekem_status ckem_mceliece_draw_error(const struct mceliece_params *params,
                                        const struct mceliece_ops *ops, uint64_t *error,
                                        struct mceliece_draw *draw, codekem_random_function random,
                                        void *context);

#endif
