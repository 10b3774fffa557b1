/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What a recipe tests: an exchange with each KEM through the installed library. */
#include <codekem.h>
#include <stdio.h>
#include <string.h>

static uint8_t public_key[CODEKEM_MAX_PUBLIC_KEY];
static uint8_t secret_key[CODEKEM_MAX_SECRET_KEY];
static uint8_t ciphertext[CODEKEM_MAX_CIPHERTEXT];

int main(void) {
  for (size_t i = 0; i < codekem_kem_count(); i++) {
    const codekem_kem *kem = codekem_kem_at(i);
    uint8_t sent[CODEKEM_MAX_SHARED_SECRET];
    uint8_t received[CODEKEM_MAX_SHARED_SECRET];
    if (codekem_kem_keypair(kem, public_key, secret_key) != CODEKEM_OK ||
        codekem_kem_encaps(kem, ciphertext, sent, public_key) != CODEKEM_OK ||
        codekem_kem_decaps(kem, received, ciphertext, secret_key) != CODEKEM_OK ||
        memcmp(sent, received, kem->length_shared_secret) != 0) {
      return 1;
    }
    printf("%s agrees\n", kem->method_name);
  }
  return 0;
}
