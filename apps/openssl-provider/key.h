/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A key of any algorithm of the provider: what it holds, how it is made and checked. */
#ifndef CODEKEM_PROVIDER_KEY_H
#define CODEKEM_PROVIDER_KEY_H

#include <codekem.h>
#include <openssl/evp.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "provider.h"

/* Only the functions below set the halves, and they check them, so a key is always consistent. */
struct key {
  const struct provider *provider;
  const struct algorithm *algorithm;
  const codekem_kem *kem; /* never NULL */
  atomic_int references;
  bool has_public;
  bool has_secret;
  bool has_seed;
  uint8_t *public_key;  /* as TLS sends it: the classical share, then the KEM's public key */
  uint8_t *secret_key;  /* of the KEM; NULL until there is one */
  uint8_t *seed;        /* what the KEM's key pair was made from; NULL until there is one */
  EVP_PKEY *classical;  /* the classical half, with its secret if has_secret; NULL if none */
};

/* Returns an empty key with one reference, or NULL, with an error, also if this build of the
 * library is without the KEM. */
struct key *ckem_key_new(const struct provider *provider, const struct algorithm *algorithm);

/* Takes one more reference. */
struct key *ckem_key_keep(struct key *key);

/* Gives one reference back; the last one wipes the secrets. NULL is no key. */
void ckem_key_free(struct key *key);

/* Fills an empty key with a new key pair, from seed[kem->length_keypair_seed] or, if that is NULL,
 * from random bytes. Hybrids take no seed. With for_tls the pair may come from a pool. */
bool ckem_key_generate(struct key *key, const uint8_t *seed, bool for_tls);

/* Takes over the public half from bytes[length], as TLS sends it, unless it is malformed or the
 * secret half there belongs to another one. */
bool ckem_key_set_public(struct key *key, const uint8_t *bytes, size_t length);

/* Says whether bytes[length] are the public half; if not, with an error. */
bool ckem_key_is_public(const struct key *key, const uint8_t *bytes, size_t length);

/* Takes over the secret half of a pure KEM, and the public half with it: from the secret key, the
 * seed, or both, where NULL is for one that is missing. Fails, with an error, if they do not belong
 * together or to a public half that is there. */
bool ckem_key_set_secret(struct key *key, const uint8_t *secret_key, size_t secret_key_length,
                         const uint8_t *seed, size_t seed_length);

/* Checks the halves that are there and that with_public and with_secret name; if both, also that
 * they belong together. Returns false, with an error, if something is wrong. */
bool ckem_key_check(const struct key *key, bool with_public, bool with_secret);

/* Returns a copy of the halves asked for, or NULL, with an error. */
struct key *ckem_key_copy(const struct key *key, bool with_secret);

/* Returns whether the public halves, or the secret ones, are equal. */
bool ckem_key_equal_public(const struct key *a, const struct key *b);
bool ckem_key_equal_secret(const struct key *a, const struct key *b);

#endif
