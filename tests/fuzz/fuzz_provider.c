/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What the fuzzers of the OpenSSL provider share: the provider, built in, and a key of each
 * kind. */
#include "fuzz_provider.h"

#include <codekem_provider.h>
#include <openssl/err.h>
#include <openssl/provider.h>
#include <stdlib.h>
#include <string.h>

static const char *const algorithms[FUZZ_ALL] = {
    "BIKE-L1",     "BIKE-L3",       "BIKE-L5",     "HQC-1",       "HQC-3",       "HQC-5",
    "p256_bikel1", "x25519_bikel1", "p384_bikel3", "x448_bikel3", "p521_bikel5", "p256_hqc1",
    "x25519_hqc1", "p384_hqc3",     "x448_hqc3",   "p521_hqc5"};

OSSL_LIB_CTX *fuzz_library(void) {
  static OSSL_LIB_CTX *library;

  if (library == NULL) {
    library = OSSL_LIB_CTX_new();
    fuzz_require(library != NULL && OSSL_PROVIDER_load(library, "default") != NULL &&
                     OSSL_PROVIDER_add_builtin(library, "codekem", codekem_ossl_provider_init) &&
                     OSSL_PROVIDER_load(library, "codekem") != NULL,
                 "the provider does not load");
  }
  return library;
}

const char *fuzz_take_algorithm(struct fuzz_input *input, size_t count) {
  return algorithms[fuzz_take_byte(input) % count];
}

EVP_PKEY *fuzz_honest_key(const char *algorithm) {
  static EVP_PKEY *keys[FUZZ_ALL];

  for (size_t i = 0; i < FUZZ_ALL; i++) {
    if (strcmp(algorithm, algorithms[i]) == 0) {
      if (keys[i] == NULL) {
        EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(fuzz_library(), algorithm, FUZZ_QUERY);
        fuzz_require(context != NULL && EVP_PKEY_keygen_init(context) == 1 &&
                         EVP_PKEY_generate(context, &keys[i]) == 1,
                     "no key pair");
        EVP_PKEY_CTX_free(context);
      }
      return keys[i];
    }
  }
  return NULL;
}

void fuzz_check_errors(int succeeded) {
  fuzz_require(succeeded || ERR_peek_error() != 0, "failed without an error");
  ERR_clear_error();
}

uint8_t *fuzz_change_copy(struct fuzz_input *input, const uint8_t *bytes, size_t length,
                          size_t *changed_length) {
  const uint8_t how = fuzz_take_byte(input);
  size_t other = length;
  uint8_t *copy;

  if (how >= 240) {
    other = length + fuzz_take_byte(input) + 1U;
  } else if (how >= 200) {
    other = (size_t)fuzz_take_byte(input) * length / 256;
  }
  copy = fuzz_allocate(other);
  memcpy(copy, bytes, other < length ? other : length);
  if (other > length) {
    memset(copy + length, how, other - length);
  }
  if (other > 0 && how % 2 == 0) {
    fuzz_change(input, copy, other);
  }
  *changed_length = other;
  return copy;
}
