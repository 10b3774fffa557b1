/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Makes a key and signs with secrets that a checker watches; see secrets.h.
 *
 *   ct_sofia BACKEND
 *
 * What the library publishes on the way (the seed of F, v, the hash) it declassifies itself. The
 * rest of the signature must come out secret, or the marks were lost and the check says nothing.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codekem_sofia.h"
#include "secrets.h"

static void require(int condition, const char *what) {
  if (!condition) {
    fprintf(stderr, "ct_sofia: %s\n", what);
    exit(2);
  }
}

int main(int argc, char **argv) {
  static uint8_t signature[CODEKEM_SOFIA_SIGNATURE];
  static const uint8_t message[200] = "a message";
  uint8_t seed[CODEKEM_SOFIA_KEYPAIR_SEED], public_key[CODEKEM_SOFIA_PUBLIC_KEY];
  uint8_t secret_key[CODEKEM_SOFIA_SECRET_KEY];

  require(argc == 2, "usage: ct_sofia BACKEND");
  if (codekem_backend_select(argv[1]) != CODEKEM_OK) {
    fprintf(stderr, "ct_sofia: this processor lacks the back end %s\n", argv[1]);
    return 3;
  }
  memset(seed, 0x5A, sizeof seed);
  mark_secret(seed, sizeof seed);
  require(codekem_sofia_keypair_derand(public_key, secret_key, seed) == CODEKEM_SOFIA_OK,
          "keypair failed");
  require(count_secret_bytes(public_key, sizeof public_key) == 0, "the public key is secret");
  require(count_secret_bytes(secret_key, sizeof secret_key) == sizeof secret_key,
          "the secret key is public");
  puts("keypair done");
  require(codekem_sofia_sign(signature, message, sizeof message, secret_key) == CODEKEM_SOFIA_OK,
          "sign failed");
  require(count_secret_bytes(signature, sizeof signature) >= sizeof signature - 32,
          "the signature came out public: the marks were lost");
  mark_public(signature, sizeof signature);
  puts("sign done");
  require(codekem_sofia_verify(message, sizeof message, signature, sizeof signature, public_key) ==
              CODEKEM_SOFIA_OK,
          "verify failed");
  puts("verify done");
  return 0;
}
