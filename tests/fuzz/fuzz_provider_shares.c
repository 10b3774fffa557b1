/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Gives arbitrary and nearly honest key shares to the provider, as libssl does: the client's share
 * to encapsulate to, and the server's to decapsulate. What is refused must leave an error. */
#include <openssl/core_names.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz_provider.h"

#define LARGEST 32768
#define LARGEST_SECRET 128

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int encapsulate(EVP_PKEY *key, uint8_t *ciphertext, size_t *length, uint8_t *secret) {
  EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_pkey(fuzz_library(), key, FUZZ_QUERY);
  size_t secret_length = LARGEST_SECRET;
  const int good = context != NULL && EVP_PKEY_encapsulate_init(context, NULL) == 1 &&
                   EVP_PKEY_encapsulate(context, ciphertext, length, secret, &secret_length) == 1;

  EVP_PKEY_CTX_free(context);
  return good;
}

/* What a server does with the share of a client. */
static void serve(struct fuzz_input *input, const char *algorithm) {
  static uint8_t share[LARGEST], ciphertext[LARGEST];
  uint8_t secret[LARGEST_SECRET];
  EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(fuzz_library(), algorithm, FUZZ_QUERY);
  EVP_PKEY *peer = NULL;
  size_t length = 0;
  size_t changed_length;
  size_t ciphertext_length = sizeof ciphertext;
  uint8_t *changed;
  int good;

  fuzz_require(EVP_PKEY_get_octet_string_param(fuzz_honest_key(algorithm),
                                               OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY, share,
                                               sizeof share, &length) == 1,
               "an honest key has no share");
  changed = fuzz_change_copy(input, share, length, &changed_length);
  fuzz_require(context != NULL && EVP_PKEY_paramgen_init(context) == 1 &&
                   EVP_PKEY_paramgen(context, &peer) == 1,
               "no empty key");
  good = changed_length > 0 && EVP_PKEY_set1_encoded_public_key(peer, changed, changed_length) == 1;
  fuzz_require(!good || changed_length == length, "a share of another length is accepted");
  if (changed_length > 0) {
    fuzz_check_errors(good);
  }
  if (good) {
    fuzz_check_errors(encapsulate(peer, ciphertext, &ciphertext_length, secret));
  }
  EVP_PKEY_free(peer);
  EVP_PKEY_CTX_free(context);
  free(changed);
}

/* What a client does with the share of a server. */
static void connect_to(struct fuzz_input *input, const char *algorithm) {
  static uint8_t ciphertext[LARGEST];
  uint8_t secret[LARGEST_SECRET];
  EVP_PKEY *key = fuzz_honest_key(algorithm);
  EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_pkey(fuzz_library(), key, FUZZ_QUERY);
  size_t length = sizeof ciphertext;
  size_t secret_length = sizeof secret;
  size_t changed_length;
  uint8_t *changed;
  int good;

  fuzz_require(encapsulate(key, ciphertext, &length, secret), "no ciphertext for an honest key");
  changed = fuzz_change_copy(input, ciphertext, length, &changed_length);
  fuzz_require(context != NULL && EVP_PKEY_decapsulate_init(context, NULL) == 1,
               "an honest key cannot decapsulate");
  if (changed_length > 0) {
    good = EVP_PKEY_decapsulate(context, secret, &secret_length, changed, changed_length) == 1;
    fuzz_require(!good || changed_length == length, "a share of another length is accepted");
    fuzz_check_errors(good);
  }
  EVP_PKEY_CTX_free(context);
  free(changed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct fuzz_input input = {data, size};
  const char *algorithm = fuzz_take_algorithm(&input, FUZZ_ALL);

  if (fuzz_take_byte(&input) % 2 == 0) {
    serve(&input, algorithm);
  } else {
    connect_to(&input, algorithm);
  }
  return 0;
}
