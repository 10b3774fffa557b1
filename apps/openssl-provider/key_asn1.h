/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Keys of the provider in DER, in the structures of apps/key-encoding/key_der.h. */
#ifndef CODEKEM_PROVIDER_KEY_ASN1_H
#define CODEKEM_PROVIDER_KEY_ASN1_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "key.h"

/* Each returns the DER encoding of key in memory that OPENSSL_clear_free takes, and its length; or
 * NULL, with an error. An encrypted one is encrypted by cipher, with a key from passphrase that
 * comes from functions with these properties (a query, or NULL). */
uint8_t *ckem_key_write_public(const struct key *key, size_t *length);
uint8_t *ckem_key_write_private(const struct key *key, size_t *length);
uint8_t *ckem_key_write_encrypted(const struct key *key, const EVP_CIPHER *cipher,
                                  const char *properties, const char *passphrase,
                                  size_t passphrase_length, size_t *length);

/* What reading found. */
enum key_found {
  KEY_FOUND,
  KEY_NOT_OURS,   /* something else: no error, another decoder may know it */
  KEY_BROKEN      /* a key of ours, but not a valid one; there is an error */
};

/* Reads der[length] as a SubjectPublicKeyInfo, or a PrivateKeyInfo. *key is NULL unless found. */
enum key_found ckem_key_read_public(const struct provider *provider, const uint8_t *der,
                                    size_t length, struct key **key);
enum key_found ckem_key_read_private(const struct provider *provider, const uint8_t *der,
                                     size_t length, struct key **key);

/* Looks at der[length], the first bytes of something: KEY_DER_PREFIX of them, or all there are. If
 * it begins as a key of ours, returns the most bytes that such a key has in either structure; else
 * 0. */
size_t ckem_key_recognise(const struct provider *provider, const uint8_t *der, size_t length);

#endif
