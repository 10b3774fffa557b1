/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A library that a program loads and that holds codekem-legacy, whose KEMs with AES need libcrypto.
 * It makes an exchange. */
#include <codekem_legacy.h>
#include <string.h>

__attribute__((visibility("default"))) int run(void);

int run(void) {
  static uint8_t public_key[CODEKEM_MAX_PUBLIC_KEY], secret_key[CODEKEM_MAX_SECRET_KEY];
  static uint8_t ciphertext[CODEKEM_MAX_CIPHERTEXT];
  uint8_t sent[CODEKEM_MAX_SHARED_SECRET], received[CODEKEM_MAX_SHARED_SECRET];
  const codekem_kem *kem = codekem_legacy_kem_find("BIKE-L1-v4.2-aes");

  return kem != NULL && codekem_kem_keypair(kem, public_key, secret_key) == CODEKEM_OK &&
         codekem_kem_encaps(kem, ciphertext, sent, public_key) == CODEKEM_OK &&
         codekem_kem_decaps(kem, received, ciphertext, secret_key) == CODEKEM_OK &&
         memcmp(sent, received, kem->length_shared_secret) == 0;
}
