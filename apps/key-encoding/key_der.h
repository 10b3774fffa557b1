/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Keys in DER, for the command and for the OpenSSL provider: SubjectPublicKeyInfo [RFC5280, 4.1]
 * and PrivateKeyInfo, which is OneAsymmetricKey now [RFC5958, 2], whose content is a seed, a secret
 * key, or both, as for ML-KEM [RFC9935, 6]. docs/tls.md has the ASN.1;
 * tests/vectors/key_encoding.json has keys that each reader takes or refuses, those in other
 * languages, too.
 *
 * Nothing here knows the KEMs: keys are bytes below an object identifier. Reading allocates
 * nothing and writes nothing to OpenSSL's queue of errors.
 */
#ifndef CODEKEM_KEY_ENCODING_KEY_DER_H
#define CODEKEM_KEY_ENCODING_KEY_DER_H

#include <openssl/x509.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An object identifier in numbers has less than this many characters. */
#define KEY_DER_OID_TEXT 128
#define KEY_DER_ERROR_TEXT 160

/* The first bytes of a key that are enough to find its object identifier. */
#define KEY_DER_PREFIX 160

/* What stands around the keys themselves: headers, and attributes that others may have written. */
#define KEY_DER_OVERHEAD 4096

/* Bytes of somebody else's buffer; start is NULL if the part is not there. */
struct key_der_part {
  const uint8_t *start;
  size_t length;
};

/* What reading found. oid is there after a failure, too, so that the caller can tell a key of its
 * own from another one. */
struct key_der {
  char oid[KEY_DER_OID_TEXT];     /* in numbers; "" if it could not be read */
  char error[KEY_DER_ERROR_TEXT]; /* what is wrong with the key, after a failure; no full stop */
  struct key_der_part public_key;
  struct key_der_part secret_key;
  struct key_der_part seed;
};

/* Reads der[length] as a SubjectPublicKeyInfo: fills oid and public_key. Returns false, with
 * key->error, unless it is one in DER, without parameters, unused bits or anything behind it. How
 * long the public key is and whether it is a good one is for the caller to check. */
bool ckem_key_der_read_public(const uint8_t *der, size_t length, struct key_der *key);

/* Reads der[length] as a PrivateKeyInfo of version 0 or 1: fills oid, secret_key, seed or both, and
 * public_key if version 1 has one. Returns false, with key->error, unless it is one in DER, without
 * parameters or anything behind it. Attributes are skipped. Lengths, and that seed, secret key and
 * public key belong together, are for the caller to check. */
bool ckem_key_der_read_private(const uint8_t *der, size_t length, struct key_der *key);

/* Writes the object identifier of a key of either structure into oid[KEY_DER_OID_TEXT], from its
 * first bytes: KEY_DER_PREFIX of them, or all there are. Returns false if there is none. */
bool ckem_key_der_read_oid(const uint8_t *der, size_t length, char *oid);

/* Writes the object identifier text, in any form that OpenSSL takes, into oid[KEY_DER_OID_TEXT] as
 * reading gives it. Returns false if it is none, or too long. */
bool ckem_key_der_normal_oid(const char *text, char *oid);

/* Returns a SubjectPublicKeyInfo in memory that OPENSSL_free takes; NULL if there is no memory. */
uint8_t *ckem_key_der_write_public(const char *oid, struct key_der_part public_key, size_t *length);

/* What a private key has in a file: its seed, seed and secret key, or the secret key. */
enum key_der_form { KEY_DER_SEED, KEY_DER_BOTH, KEY_DER_EXPANDED };

/* Finds a form by its name: seed, both or expanded. Returns false if there is none. */
bool ckem_key_der_find_form(const char *name, enum key_der_form *form);

/* Takes away the part that form does not want. A key without a seed keeps its secret key, the only
 * part that it has. */
void ckem_key_der_choose(enum key_der_form form, struct key_der_part *secret_key,
                         struct key_der_part *seed);

/* Returns a PrivateKeyInfo with secret_key, seed or both, whichever has a start: in memory that
 * OPENSSL_clear_free takes, or as OpenSSL's object, to be encrypted. NULL if there is no memory. */
uint8_t *ckem_key_der_write_private(const char *oid, struct key_der_part secret_key,
                                    struct key_der_part seed, size_t *length);
PKCS8_PRIV_KEY_INFO *ckem_key_der_private_info(const char *oid, struct key_der_part secret_key,
                                               struct key_der_part seed);

#ifdef __cplusplus
}
#endif

#endif
