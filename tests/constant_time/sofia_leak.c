/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A deliberate mistake in front of a function of the library: a branch on a secret. */
#include "sofia/sofia.h"

void __wrap_ckem_sofia_add_scaled(uint8_t *out, unsigned alpha, const uint8_t *x, const uint8_t *y);
void __real_ckem_sofia_add_scaled(uint8_t *out, unsigned alpha, const uint8_t *x, const uint8_t *y);

static volatile unsigned zeros;

void __wrap_ckem_sofia_add_scaled(uint8_t *out, unsigned alpha, const uint8_t *x,
                                  const uint8_t *y) {
  if (x[0] == 0) {
    zeros += 1;
  }
  __real_ckem_sofia_add_scaled(out, alpha, x, y);
}
