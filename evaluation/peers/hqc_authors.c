/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Linked into a library of HQC's authors by build.py. Their generator has no seed until a
 * program calls prng_init, and what measures peers calls the functions of NIST's API alone.
 */
#define _DEFAULT_SOURCE /* getrandom */
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>

void prng_init(uint8_t *entropy, uint8_t *personalisation, uint32_t length, uint32_t other);

__attribute__((constructor)) static void seed_generator(void) {
  uint8_t entropy[48];

  if (getrandom(entropy, sizeof entropy, 0) != (ssize_t)sizeof entropy) {
    abort();
  }
  prng_init(entropy, NULL, sizeof entropy, 0);
}
