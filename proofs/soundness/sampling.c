/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The sampler of HQC alone, whose rounds are not unrolled: it keeps its specification
 * (specifications.h), whatever ckem_keccak_squeeze, which it takes by its own one, draws.
 */
#include <stdint.h>

#include "contracts.h"
#include "sparse/sparse.h"

/* Candidates of three bytes that are missing; the tag 5.0.0 also discards what is behind them. */
#define SQUEEZED(length)                                               \
  ((length) <= 7 || (length) % 3 == 0 && (length) <= 3 * KEY_WEIGHT || \
   (length) == (3 * KEY_WEIGHT + 7) / 8 * 8)
#include "squeezing.h"

void analyse_sampler(void) {
  const struct hqc_variant variant = {.params = &HQC_PARAMS, .tag_5_0_0 = TAG};
  const struct sparse_ops sparse = {.name = "the loop of the sampler"};
  const struct backend backend = {.sparse = &sparse};
  struct keccak_sponge stream;
  uint32_t positions[KEY_WEIGHT];

  set_stream(&stream);
  (void)ckem_hqc_sample_rejection(&variant, &backend, &stream,
                                  positions); /* false: the rest is 0 */
  //@ assert positions: \initialized(positions + (0 .. KEY_WEIGHT - 1));
  //@ assert stream: is_stream(&stream);
  Frama_C_show_each_end();
}
