/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * One exchange through the glue for liboqs, whose randomness are two seeds.
 *
 * usage: exchange KEYPAIR_SEED ENCAPS_SEED    in hexadecimal
 *
 * Prints public key, secret key, ciphertext and secret in hexadecimal, a line each. Returns 0 if
 * decapsulation gives the same secret and no state of SHA-3 is left open.
 */
#include <string.h>

#include <oqs/rand.h>
#include <oqs/sha3.h>

#include "hqc_codekem.h"

#define NAME(level, operation) EXPAND(level, operation)
#define EXPAND(level, operation) hqc_codekem_##level##_##operation
#define METHOD(level) TEXT(level)
#define TEXT(level) "HQC-" #level

int NAME(HQC_LEVEL, keypair)(uint8_t *public_key, uint8_t *secret_key);
int NAME(HQC_LEVEL, enc)(uint8_t *ciphertext, uint8_t *shared_secret, const uint8_t *public_key);
int NAME(HQC_LEVEL, dec)(uint8_t *shared_secret, const uint8_t *ciphertext,
                         const uint8_t *secret_key);

static const char *drawn;

void OQS_randombytes(uint8_t *out, size_t length) {
  if (strlen(drawn) != 2 * length) {
    fprintf(stderr, "exchange: %zu bytes were asked for\n", length);
    exit(EXIT_FAILURE);
  }
  for (size_t i = 0; i < length; i++) {
    const char digits[] = {drawn[2 * i], drawn[2 * i + 1], '\0'};
    out[i] = (uint8_t)strtoul(digits, NULL, 16);
  }
}

static void print(const uint8_t *bytes, size_t length) {
  for (size_t i = 0; i < length; i++) {
    printf("%02x", bytes[i]);
  }
  printf("\n");
}

int main(int count, char **arguments) {
  static uint8_t public_key[HQC_CODEKEM_MAX_PUBLIC_KEY], secret_key[HQC_CODEKEM_MAX_SECRET_KEY];
  static uint8_t ciphertext[HQC_CODEKEM_MAX_CIPHERTEXT], sent[64], received[64];
  const hqc_codekem_kem *kem = hqc_codekem_kem_find(METHOD(HQC_LEVEL));

  if (count != 3 || kem == NULL) {
    return 2;
  }
  drawn = arguments[1];
  if (NAME(HQC_LEVEL, keypair)(public_key, secret_key) != 0) {
    return 3;
  }
  drawn = arguments[2];
  if (NAME(HQC_LEVEL, enc)(ciphertext, sent, public_key) != 0 ||
      NAME(HQC_LEVEL, dec)(received, ciphertext, secret_key) != 0) {
    return 4;
  }
  print(public_key, kem->length_public_key);
  print(secret_key, kem->length_secret_key);
  print(ciphertext, kem->length_ciphertext);
  print(sent, kem->length_shared_secret);
  return memcmp(sent, received, kem->length_shared_secret) == 0 && states_open() == 0 ? 0 : 5;
}
