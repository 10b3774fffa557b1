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

#include <oqs/common.h>
#include <oqs/rand.h>
#include <oqs/sha3.h>

#include HEADER /* of the copy, whose names begin with COPY */

#define NAME(prefix, operation) EXPAND(prefix, operation)
#define EXPAND(prefix, operation) prefix##_##operation
#define TEXT(name) EXPAND_TEXT(name)
#define EXPAND_TEXT(name) #name

int NAME(OQS_PREFIX, keypair)(uint8_t *public_key, uint8_t *secret_key);
int NAME(OQS_PREFIX, encaps)(uint8_t *ciphertext, uint8_t *shared_secret,
                             const uint8_t *public_key);
int NAME(OQS_PREFIX, decaps)(uint8_t *shared_secret, const uint8_t *ciphertext,
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
  static uint8_t public_key[16384], secret_key[32768];
  static uint8_t ciphertext[16384], sent[64], received[64];
  const NAME(COPY, kem) *kem = NAME(COPY, kem_find)(TEXT(OQS_METHOD));

  if (count != 3 || kem == NULL) {
    return 2;
  }
  drawn = arguments[1];
  if (NAME(OQS_PREFIX, keypair)(public_key, secret_key) != 0) {
    return 3;
  }
  drawn = arguments[2];
  if (NAME(OQS_PREFIX, encaps)(ciphertext, sent, public_key) != 0 ||
      NAME(OQS_PREFIX, decaps)(received, ciphertext, secret_key) != 0) {
    return 4;
  }
  print(public_key, kem->length_public_key);
  print(secret_key, kem->length_secret_key);
  print(ciphertext, kem->length_ciphertext);
  print(sent, kem->length_shared_secret);
  return memcmp(sent, received, kem->length_shared_secret) == 0 && states_open() == 0 ? 0 : 5;
}
