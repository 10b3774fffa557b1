/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Reads a PEM file as servers do, by PEM_read_bio_PrivateKey or PEM_read_bio_PUBKEY, and prints
 * OpenSSL's errors. (`openssl pkey` of OpenSSL 3.0 shows none that come from decoders.)
 * usage: read_key private|public FILE    the configuration in OPENSSL_CONF loads the provider */
#include <openssl/err.h>
#include <openssl/pem.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  EVP_PKEY *key = NULL;
  BIO *file;

  if (argc != 3) {
    (void)fputs("usage: read_key private|public FILE\n", stderr);
    return 2;
  }
  file = BIO_new_file(argv[2], "r");
  if (file != NULL && strcmp(argv[1], "private") == 0) {
    key = PEM_read_bio_PrivateKey(file, NULL, NULL, NULL);
  } else if (file != NULL) {
    key = PEM_read_bio_PUBKEY(file, NULL, NULL, NULL);
  }
  BIO_free(file);
  if (key == NULL) {
    ERR_print_errors_fp(stderr);
    return 1;
  }
  (void)printf("%s\n", EVP_PKEY_get0_type_name(key));
  EVP_PKEY_free(key);
  return 0;
}
