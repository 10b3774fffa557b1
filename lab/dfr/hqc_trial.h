/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* One decryption of HQC, as far as the inner code: how many symbols it gets wrong. */
#ifndef CODEKEM_EVALUATION_HQC_TRIAL_H
#define CODEKEM_EVALUATION_HQC_TRIAL_H

#include <stdint.h>

#include "draw.h"
#include "hqc/hqc.h"

/* Draws key, error and code word number `index`, decodes the inner code by the library, and returns
 * how many of the n1 symbols are wrong. Depends on seed and index alone. */
uint32_t hqc_trial_run(const struct hqc_params *params, const struct backend *backend,
                       const uint8_t seed[DRAW_SEED_BYTES], uint64_t index);

#endif
