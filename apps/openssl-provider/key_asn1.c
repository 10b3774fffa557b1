/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Keys of the provider in DER, written and read. */
#include "key_asn1.h"

#include <openssl/pkcs12.h>
#include <string.h>

#include "key-encoding/key_der.h"

#define DEFAULT_ENCRYPTION (-1) /* PKCS8_encrypt_ex: PBES2 with the cipher given */

/* --- Writing ---------------------------------------------------------------------------------- */

static const char *oid_of(const struct key *key) {
  return offer_of(key->provider, key->algorithm)->oid;
}

/* What is written of a private key, in the form that the configuration says. */
struct secret_parts {
  struct key_der_part secret_key;
  struct key_der_part seed;
};

static struct secret_parts parts_of(const struct key *key) {
  struct secret_parts parts = {
      {key->secret_key, key->kem->length_secret_key},
      {key->has_seed ? key->seed : NULL, key->kem->length_keypair_seed},
  };
  ckem_key_der_choose(key->provider->key_form, &parts.secret_key, &parts.seed);
  return parts;
}

/* Returns der, with an error if it is NULL. */
static uint8_t *written(const struct key *key, uint8_t *der) {
  if (der == NULL) {
    (void)RAISE(key->provider, REASON_NO_MEMORY, "writing a key of %s", key->algorithm->name);
  }
  return der;
}

uint8_t *ckem_key_write_public(const struct key *key, size_t *length) {
  const struct key_der_part part = {key->public_key, key->kem->length_public_key};

  return written(key, ckem_key_der_write_public(oid_of(key), part, length));
}

uint8_t *ckem_key_write_private(const struct key *key, size_t *length) {
  const struct secret_parts parts = parts_of(key);

  return written(key,
                 ckem_key_der_write_private(oid_of(key), parts.secret_key, parts.seed, length));
}

uint8_t *ckem_key_write_encrypted(const struct key *key, const EVP_CIPHER *cipher,
                                  const char *properties, const char *passphrase,
                                  size_t passphrase_length, size_t *length) {
  const struct secret_parts parts = parts_of(key);
  PKCS8_PRIV_KEY_INFO *info = ckem_key_der_private_info(oid_of(key), parts.secret_key, parts.seed);
  X509_SIG *encrypted = NULL;
  uint8_t *der = NULL;
  int bytes = -1;

  if (info == NULL) {
    return written(key, NULL);
  }
  encrypted = PKCS8_encrypt_ex(DEFAULT_ENCRYPTION, cipher, passphrase, (int)passphrase_length, NULL,
                               0, 0, info, key->provider->library_context, properties);
  PKCS8_PRIV_KEY_INFO_free(info); /* which wipes the content */
  if (encrypted == NULL) {
    (void)RAISE(key->provider, REASON_ENCRYPTION_FAILURE,
                "%s: with %s; the errors before this one say why", key->algorithm->name,
                EVP_CIPHER_get0_name(cipher));
    return NULL;
  }
  bytes = i2d_X509_SIG(encrypted, &der);
  X509_SIG_free(encrypted);
  *length = bytes > 0 ? (size_t)bytes : 0;
  return written(key, bytes > 0 ? der : NULL);
}

/* --- Reading ---------------------------------------------------------------------------------- */

/* Returns the algorithm with this object identifier, or NULL. */
static const struct algorithm *find_algorithm(const struct provider *provider, const char *oid) {
  for (size_t i = 0; i < ALGORITHMS; i++) {
    const struct offer *offer = &provider->offers[i];
    if ((offer->oid != NULL && strcmp(oid, offer->oid) == 0) ||
        (offer->read_oid != NULL && strcmp(oid, offer->read_oid) == 0)) {
      return &ckem_provider_algorithms[i];
    }
  }
  return NULL;
}

/* How key_der.h reads one of the structures, and how a key takes over what was in it. */
typedef bool der_reader(const uint8_t *der, size_t length, struct key_der *found);
typedef bool key_taker(struct key *key, const struct key_der *found);

static bool take_public(struct key *key, const struct key_der *found) {
  return ckem_key_set_public(key, found->public_key.start, found->public_key.length);
}

static bool take_secret(struct key *key, const struct key_der *found) {
  return ckem_key_set_secret(key, found->secret_key.start, found->secret_key.length,
                             found->seed.start, found->seed.length) &&
         (found->public_key.start == NULL ||
          ckem_key_is_public(key, found->public_key.start, found->public_key.length));
}

static enum key_found read_key(const struct provider *provider, const uint8_t *der, size_t length,
                               der_reader *reader, key_taker *taker, struct key **key) {
  struct key_der found;
  const bool good = reader(der, length, &found);
  const struct algorithm *algorithm = find_algorithm(provider, found.oid);

  *key = NULL;
  if (algorithm == NULL) {
    return KEY_NOT_OURS;
  }
  if (!good) {
    (void)RAISE(provider, REASON_BAD_ENCODING, "%s: %s", algorithm->name, found.error);
    return KEY_BROKEN;
  }
  *key = ckem_key_new(provider, algorithm);
  if (*key == NULL || !taker(*key, &found)) {
    ckem_key_free(*key);
    *key = NULL;
    return KEY_BROKEN;
  }
  return KEY_FOUND;
}

enum key_found ckem_key_read_public(const struct provider *provider, const uint8_t *der,
                                    size_t length, struct key **key) {
  return read_key(provider, der, length, ckem_key_der_read_public, take_public, key);
}

enum key_found ckem_key_read_private(const struct provider *provider, const uint8_t *der,
                                     size_t length, struct key **key) {
  return read_key(provider, der, length, ckem_key_der_read_private, take_secret, key);
}

size_t ckem_key_recognise(const struct provider *provider, const uint8_t *der, size_t length) {
  char oid[KEY_DER_OID_TEXT];
  const struct algorithm *algorithm = NULL;
  const codekem_kem *kem;

  if (ckem_key_der_read_oid(der, length, oid)) {
    algorithm = find_algorithm(provider, oid);
  }
  if (algorithm == NULL) {
    return 0;
  }
  kem = offer_of(provider, algorithm)->kem;
  return kem->length_public_key + kem->length_secret_key + kem->length_keypair_seed +
         KEY_DER_OVERHEAD;
}
