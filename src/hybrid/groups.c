/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The nominal groups of hybrids [HYBRID-GROUPS, 3.1]. */
#include <string.h>

#include "codekem_hybrid.h"
#include "hybrid/x25519.h"

static bool x25519_element(void *context, uint8_t *element, const uint8_t *scalar) {
  static const uint8_t generator[X25519_BYTES] = {9};

  (void)context;
  ckem_x25519(element, scalar, generator);
  return true;
}

static bool x25519_secret(void *context, uint8_t *secret, const uint8_t *element,
                          const uint8_t *scalar) {
  (void)context;
  ckem_x25519(secret, scalar, element);
  return true;
}

codekem_hybrid_group codekem_hybrid_x25519(void) {
  return (codekem_hybrid_group){.name = "X25519",
                                .length_element = X25519_BYTES,
                                .length_seed = X25519_BYTES,
                                .element = x25519_element,
                                .secret = x25519_secret};
}

codekem_hybrid_group codekem_hybrid_p256(codekem_hybrid_element_function element,
                                         codekem_hybrid_secret_function secret, void *context) {
  static const uint8_t order[CODEKEM_HYBRID_SCALAR] = {
      0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xFF,
      0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17,
      0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51};

  return (codekem_hybrid_group){.name = "P256",
                                .length_element = 65,
                                .length_seed = 4 * CODEKEM_HYBRID_SCALAR,
                                .order = order,
                                .first_byte = 4,
                                .element = element,
                                .secret = secret,
                                .context = context};
}
