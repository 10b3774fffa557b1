/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Decapsulates through EVP: reads lines "SECRET-KEY CIPHERTEXT" in hexadecimal and prints for each
 * what EVP_PKEY_decapsulate returns, and the secret.
 * usage: decapsulate KEM    the configuration in OPENSSL_CONF loads the provider */
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <string.h>

#define LONGEST 65536 /* digits of a secret key or a ciphertext */

/* Makes a key from its secret half. */
static EVP_PKEY *read_key(const char *name, unsigned char *secret, size_t length) {
  EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, name, NULL);
  OSSL_PARAM params[2] = {OSSL_PARAM_construct_octet_string("priv", secret, length),
                          OSSL_PARAM_construct_end()};
  EVP_PKEY *key = NULL;

  if (EVP_PKEY_fromdata_init(context) != 1 ||
      EVP_PKEY_fromdata(context, &key, EVP_PKEY_KEYPAIR, params) != 1) {
    ERR_print_errors_fp(stderr);
  }
  EVP_PKEY_CTX_free(context);
  return key;
}

static void decapsulate(EVP_PKEY *key, const unsigned char *ciphertext, size_t length) {
  EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_pkey(NULL, key, NULL);
  unsigned char secret[64];
  size_t secret_length = sizeof secret;
  int result = EVP_PKEY_decapsulate_init(context, NULL);

  if (result == 1) {
    result = EVP_PKEY_decapsulate(context, secret, &secret_length, ciphertext, length);
  }
  (void)printf("%d ", result);
  for (size_t i = 0; result == 1 && i < secret_length; i++) {
    (void)printf("%02x", secret[i]);
  }
  (void)printf("\n");
  EVP_PKEY_CTX_free(context);
}

int main(int argc, char **argv) {
  static char words[2][LONGEST + 1];

  while (argc == 2 && scanf("%65536s %65536s", words[0], words[1]) == 2) {
    unsigned char *bytes[2];
    long lengths[2];
    EVP_PKEY *key;

    for (int i = 0; i < 2; i++) {
      bytes[i] = OPENSSL_hexstr2buf(words[i], &lengths[i]);
      if (bytes[i] == NULL) {
        return 1;
      }
    }
    key = read_key(argv[1], bytes[0], (size_t)lengths[0]);
    if (key == NULL) {
      return 1;
    }
    decapsulate(key, bytes[1], (size_t)lengths[1]);
    EVP_PKEY_free(key);
    OPENSSL_free(bytes[0]);
    OPENSSL_free(bytes[1]);
  }
  return argc == 2 && feof(stdin) ? 0 : 1;
}
