/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Decodes arbitrary and nearly honest keys in DER through OpenSSL. A public key that is accepted
 * must be written back as it was; a private key must be read again from what is written. */
#include <openssl/decoder.h>
#include <openssl/encoder.h>
#include <openssl/err.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz_provider.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Returns the key in der[length], or NULL. */
static EVP_PKEY *decode(const char *structure, int selection, const uint8_t *der, size_t length) {
  EVP_PKEY *key = NULL;
  OSSL_DECODER_CTX *context = OSSL_DECODER_CTX_new_for_pkey(&key, "DER", structure, NULL, selection,
                                                            fuzz_library(), FUZZ_QUERY);

  fuzz_require(context != NULL, "no decoders");
  (void)OSSL_DECODER_from_data(context, &der, &length);
  OSSL_DECODER_CTX_free(context);
  return key;
}

/* Returns the DER of a key, which the caller frees. */
static uint8_t *encode(EVP_PKEY *key, const char *structure, int selection, size_t *length) {
  OSSL_ENCODER_CTX *context =
      OSSL_ENCODER_CTX_new_for_pkey(key, selection, "DER", structure, FUZZ_QUERY);
  uint8_t *der = NULL;

  *length = 0;
  fuzz_require(context != NULL && OSSL_ENCODER_to_data(context, &der, length) == 1,
               "a key that was accepted cannot be written");
  OSSL_ENCODER_CTX_free(context);
  return der;
}

static void try_key(const char *structure, int selection, const uint8_t *der, size_t length) {
  EVP_PKEY *key = decode(structure, selection, der, length);

  if (key != NULL) {
    size_t written_length;
    uint8_t *written = encode(key, structure, selection, &written_length);
    EVP_PKEY *again = decode(structure, selection, written, written_length);

    fuzz_require(again != NULL && EVP_PKEY_eq(key, again) == 1, "another key is read back");
    if (selection == EVP_PKEY_PUBLIC_KEY) {
      fuzz_require(written_length <= length && memcmp(written, der, written_length) == 0,
                   "a public key has two encodings");
    }
    EVP_PKEY_free(again);
    OPENSSL_free(written);
    EVP_PKEY_free(key);
  }
  ERR_clear_error();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct fuzz_input input = {data, size};
  const uint8_t what = fuzz_take_byte(&input);
  const int selection = what % 2 == 0 ? EVP_PKEY_PUBLIC_KEY : EVP_PKEY_KEYPAIR;
  const char *structure = what % 2 == 0 ? "SubjectPublicKeyInfo" : "PrivateKeyInfo";

  if (what % 8 < 2) { /* the input as it is */
    try_key(structure, selection, input.bytes, input.length);
  } else {
    const char *algorithm = fuzz_take_algorithm(&input, FUZZ_PURE);
    size_t length;
    size_t changed_length;
    uint8_t *der = encode(fuzz_honest_key(algorithm), structure, selection, &length);
    uint8_t *changed;
    /* Changes in the first bytes reach the structure, others the key. */
    changed = fuzz_change_copy(&input, der, length, &changed_length);
    if (what % 8 < 4 && changed_length > 64) {
      memcpy(changed + 64, der + 64, (changed_length < length ? changed_length : length) - 64);
    }
    try_key(structure, selection, changed, changed_length);
    free(changed);
    OPENSSL_free(der);
  }
  return 0;
}
