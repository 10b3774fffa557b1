/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Linked into a library of HQC's authors by build.py. Their generator has no seed until a
 * program calls prng_init, and what measures peers calls the functions of NIST's API alone. Their
 * prng_get_bytes is called authors_prng_get_bytes there, so that vectors can give message and salt.
 */
#define _DEFAULT_SOURCE /* getrandom */
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>

#include "random.h"

void prng_init(uint8_t *entropy, uint8_t *personalisation, uint32_t length, uint32_t other);
void authors_prng_get_bytes(uint8_t *out, uint32_t length);
void prng_get_bytes(uint8_t *out, uint32_t length);

static peer_fill *fill_by;

void peer_random(peer_fill *fill) {
  fill_by = fill;
}

void prng_get_bytes(uint8_t *out, uint32_t length) {
  if (fill_by != NULL) {
    fill_by(out, length);
  } else {
    authors_prng_get_bytes(out, length);
  }
}

__attribute__((constructor)) static void seed_generator(void) {
  uint8_t entropy[48];

  if (getrandom(entropy, sizeof entropy, 0) != (ssize_t)sizeof entropy) {
    abort();
  }
  prng_init(entropy, NULL, sizeof entropy, 0);
}
