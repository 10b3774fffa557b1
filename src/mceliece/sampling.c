/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Errors of fixed weight [MCE, 6.1]. */
#include "mceliece/sampling.h"

#include <string.h>

#include "base/ct.h"
#include "base/profile.h"

/* Takes the first t numbers below n; false if there are fewer. */
static bool take_positions(const struct mceliece_params *params, struct mceliece_draw *draw) {
  const uint32_t mask = mceliece_field_size(params) - 1;
  size_t taken = 0;

  //@ dynamic_split taken;
  //@ loop unroll 0;
  for (size_t i = 0; i < params->tau && taken < params->t; i++) {
    const uint32_t number =
        ((uint32_t)draw->bytes[2 * i] | (uint32_t)draw->bytes[2 * i + 1] << 8) & mask;
    uint32_t in_range = ct_mask_less_u32(number, params->n) & 1;

    /* Public: a number that is not taken says nothing about those that are, nor does its place. */
    ct_declassify(&in_range, sizeof in_range);
    draw->positions[taken] = (uint16_t)number;
    taken += in_range;
  }
  return taken == params->t;
}

codekem_status ckem_mceliece_draw_error(const struct mceliece_params *params,
                                        const struct mceliece_ops *ops, uint64_t *error,
                                        struct mceliece_draw *draw, codekem_random_function random,
                                        void *context) {
  uint32_t repeat = 1;

  //@ loop unroll 0;
  for (size_t attempt = 0; repeat != 0; attempt++) {
    if (attempt == MCELIECE_MOST_ATTEMPTS || !random(context, draw->bytes, 2 * params->tau)) {
      return CODEKEM_ERROR_RANDOM;
    }
    if (take_positions(params, draw)) {
      repeat = ~ct_mask_zero_u32(ops->find_repeat(draw->positions, params->t));
      /* Public: that an attempt failed says nothing about the next one. */
      ct_declassify(&repeat, sizeof repeat);
    }
  }
  /* On a small device only the words that the error has; where vectors are wide, all. */
  const size_t words = PROFILE_M4_ONLY ? (params->n + 63U) / 64 : MCELIECE_ERROR_WORDS;
  ops->place(error, words, draw->positions, params->t);
  memset(error + words, 0, 8 * (MCELIECE_ERROR_WORDS - words));
  return CODEKEM_OK;
}
