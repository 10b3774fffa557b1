/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The samplers of BIKE's version 4.2 alone: they keep their specifications (specifications.h),
 * whatever ckem_keccak_squeeze, which they take by its own one, draws.
 */
#include <stdint.h>

#include "contracts.h"

#define SQUEEZED(length) ((length) == 4)
#include "squeezing.h"

/* With any number of rounds: one state for each number of positions that are held. */
void analyse_rejection(void) {
  struct bike_prf prf;
  uint32_t positions[KEY_WEIGHT];

  set_stream(&prf.sponge);
  /* false: the rest is 0 */
  (void)ckem_bike_sample_rejection(&ckem_bike_sha3, &prf, positions, KEY_WEIGHT, R_BITS);
  //@ assert positions: \initialized(positions + (0 .. KEY_WEIGHT - 1));
  //@ assert stream: is_stream(&prf.sponge);
  Frama_C_show_each_end();
}

void analyse_fixed_draws(void) {
  struct bike_prf prf;
  uint32_t positions[ERROR_WEIGHT];

  set_stream(&prf.sponge);
  const bool good = ckem_bike_sample_fixed_draws(&ckem_bike_sha3, &prf, positions, ERROR_WEIGHT,
                                                 2 * R_BITS, BIKE_PARAMS.uniform_error_draws);
  //@ assert good: good == 1;
  //@ assert positions: \initialized(positions + (0 .. ERROR_WEIGHT - 1));
  //@ assert stream: is_stream(&prf.sponge);
  Frama_C_show_each_end();
}
