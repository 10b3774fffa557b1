/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A key of any algorithm of the provider: what it holds, how it is made and checked. */
#include "key.h"

#include <string.h>

#include "classical.h"
#include "device.h"
#include "key-encoding/key_oids.h"
#include "workspace.h"

/* Returns the number of bytes of the classical share, 0 if there is none. */
static size_t share_bytes(const struct key *key) {
  return key->algorithm->classical == NULL ? 0 : key->algorithm->classical->share_bytes;
}

static uint8_t *kem_public_key(const struct key *key) {
  return key->public_key + share_bytes(key);
}

struct key *ckem_key_new(const struct provider *provider, const struct algorithm *algorithm) {
  const codekem_kem *kem = offer_of(provider, algorithm)->kem;
  struct key *key;

  if (kem == NULL) {
    (void)RAISE(provider, REASON_NOT_SUPPORTED,
                "%s: this build of codekem is without %s; build it with CODEKEM_KEMS naming it",
                algorithm->name, algorithm->kem);
    return NULL;
  }
  key = OPENSSL_zalloc(sizeof *key);
  if (key == NULL) {
    (void)RAISE(provider, REASON_NO_MEMORY, "a key of %s", algorithm->name);
    return NULL;
  }
  key->provider = provider;
  key->algorithm = algorithm;
  key->kem = kem;
  atomic_init(&key->references, 1);
  key->public_key = OPENSSL_zalloc(ckem_algorithm_public_key_bytes(algorithm, kem));
  if (key->public_key == NULL) {
    (void)RAISE(provider, REASON_NO_MEMORY, "a key of %s", algorithm->name);
    ckem_key_free(key);
    return NULL;
  }
  return key;
}

struct key *ckem_key_keep(struct key *key) {
  (void)atomic_fetch_add_explicit(&key->references, 1, memory_order_relaxed);
  return key;
}

/* Forgets the secret half. */
static void drop_secret(struct key *key) {
  OPENSSL_clear_free(key->secret_key, key->kem->length_secret_key);
  OPENSSL_clear_free(key->seed, key->kem->length_keypair_seed);
  key->secret_key = NULL;
  key->seed = NULL;
  key->has_secret = false;
  key->has_seed = false;
}

void ckem_key_free(struct key *key) {
  if (key == NULL || atomic_fetch_sub_explicit(&key->references, 1, memory_order_acq_rel) != 1) {
    return;
  }
  drop_secret(key);
  OPENSSL_free(key->public_key);
  EVP_PKEY_free(key->classical);
  OPENSSL_free(key);
}

/* Makes room for a secret key and a seed. */
static bool allocate_secret(struct key *key) {
  drop_secret(key);
  key->secret_key = OPENSSL_zalloc(key->kem->length_secret_key);
  key->seed = OPENSSL_zalloc(key->kem->length_keypair_seed);
  return (key->secret_key != NULL && key->seed != NULL) ||
         RAISE(key->provider, REASON_NO_MEMORY, "a secret key of %s", key->algorithm->name);
}

/* Makes the KEM's key pair from key->seed. */
static bool expand_seed(struct key *key, uint8_t *public_key) {
  struct device *device = ckem_device_of(key->provider, key->kem);
  struct workspace workspace;
  codekem_status status;

  if (device != NULL) {
    return ckem_device_keypair(device, public_key, key->secret_key, key->seed);
  }
  if (!ckem_workspace_open(&workspace, key->provider, key->kem->length_keypair_workspace)) {
    return false;
  }
  workspace.options.seed = key->seed;
  status = codekem_kem_keypair_with(key->kem, public_key, key->secret_key, &workspace.options);
  ckem_workspace_close(&workspace);
  return CHECK_STATUS(key->provider, key->algorithm->name, status);
}

/* Checks a secret key of the KEM. */
static bool check_secret(const struct key *key, const uint8_t *secret_key) {
  struct workspace workspace;
  codekem_status status;

  if (!ckem_workspace_open(&workspace, key->provider, key->kem->length_check_workspace)) {
    return false;
  }
  status = codekem_kem_check_secret_key_with(key->kem, secret_key, &workspace.options);
  ckem_workspace_close(&workspace);
  return CHECK_STATUS(key->provider, key->algorithm->name, status);
}

/* Writes the public key that belongs to a good secret key. */
static bool derive_public(const struct key *key, uint8_t *public_key, const uint8_t *secret_key) {
  struct workspace workspace;
  codekem_status status;

  if (!ckem_workspace_open(&workspace, key->provider, key->kem->length_check_workspace)) {
    return false;
  }
  status = codekem_kem_derive_public_key_with(key->kem, public_key, secret_key, &workspace.options);
  ckem_workspace_close(&workspace);
  return CHECK_STATUS(key->provider, key->algorithm->name, status);
}

/* Returns memory for a public key of the KEM, or NULL, with an error. */
static uint8_t *allocate_public(const struct key *key) {
  uint8_t *public_key = OPENSSL_malloc(key->kem->length_public_key);

  if (public_key == NULL) {
    (void)RAISE(key->provider, REASON_NO_MEMORY, "a public key of %s", key->algorithm->name);
  }
  return public_key;
}

/* Compares public_key with that of key. */
static bool is_public_key_of(const struct key *key, const uint8_t *public_key) {
  return memcmp(kem_public_key(key), public_key, key->kem->length_public_key) == 0 ||
         RAISE(key->provider, REASON_PUBLIC_KEY_MISMATCH, "%s", key->algorithm->name);
}

/* Makes the KEM's key pair of a key with room for it. */
static bool generate_kem(struct key *key, const uint8_t *seed, bool for_tls) {
  const unsigned strength = ckem_algorithm_security_bits(key->kem);
  const bool pooled = for_tls && ckem_device_of(key->provider, key->kem) == NULL;
  struct pool_place *pool = pooled ? ckem_provider_pool(key->provider, key->kem) : NULL;

  if (seed != NULL) {
    memcpy(key->seed, seed, key->kem->length_keypair_seed);
    return expand_seed(key, kem_public_key(key));
  }
  return (pool != NULL && ckem_pool_take(pool, key->provider, strength, kem_public_key(key),
                                         key->secret_key, key->seed)) ||
         (ckem_provider_random(key->provider, key->seed, key->kem->length_keypair_seed, strength) &&
          expand_seed(key, kem_public_key(key)));
}

bool ckem_key_generate(struct key *key, const uint8_t *seed, bool for_tls) {
  const struct algorithm *algorithm = key->algorithm;
  bool good = allocate_secret(key) && generate_kem(key, seed, for_tls);

  if (good && algorithm->classical != NULL) {
    key->classical = ckem_classical_generate(key->provider, algorithm->classical);
    good = key->classical != NULL && ckem_classical_write_share(key->provider, algorithm->classical,
                                                                key->classical, key->public_key);
  }
  if (!good) {
    drop_secret(key);
  }
  key->has_public = good;
  key->has_secret = good;
  key->has_seed = good;
  return good;
}

bool ckem_key_set_public(struct key *key, const uint8_t *bytes, size_t length) {
  const struct algorithm *algorithm = key->algorithm;
  const struct provider *provider = key->provider;
  const size_t expected = ckem_algorithm_public_key_bytes(algorithm, key->kem);
  EVP_PKEY *classical = NULL;

  if (length != expected) {
    return RAISE(provider, REASON_BAD_LENGTH, "a public key of %s has %zu bytes, not %zu",
                 algorithm->name, expected, length);
  }
  if (!CHECK_STATUS(provider, algorithm->name,
                    codekem_kem_check_public_key(key->kem, bytes + share_bytes(key)))) {
    return false;
  }
  if (key->has_secret) { /* the key stays as it is: there is one right public half */
    return ckem_key_is_public(key, bytes, length);
  }
  if (algorithm->classical != NULL) {
    classical = ckem_classical_read_share(provider, algorithm->classical, bytes);
    if (classical == NULL) {
      return false;
    }
  }
  EVP_PKEY_free(key->classical);
  key->classical = classical;
  memcpy(key->public_key, bytes, length);
  key->has_public = true;
  return true;
}

bool ckem_key_is_public(const struct key *key, const uint8_t *bytes, size_t length) {
  return (key->has_public && length == ckem_algorithm_public_key_bytes(key->algorithm, key->kem) &&
          memcmp(bytes, key->public_key, length) == 0) ||
         RAISE(key->provider, REASON_PUBLIC_KEY_MISMATCH, "%s", key->algorithm->name);
}

/* Checks the lengths of what ckem_key_set_secret gets. */
static bool check_secret_lengths(const struct key *key, const uint8_t *secret_key,
                                 size_t secret_key_length, const uint8_t *seed,
                                 size_t seed_length) {
  const codekem_kem *kem = key->kem;

  if (secret_key == NULL && seed == NULL) {
    return RAISE(key->provider, REASON_KEY_MISSING, "%s: neither secret key nor seed",
                 key->algorithm->name);
  }
  if (secret_key != NULL && secret_key_length != kem->length_secret_key) {
    return RAISE(key->provider, REASON_BAD_LENGTH, "a secret key of %s has %zu bytes, not %zu",
                 key->algorithm->name, kem->length_secret_key, secret_key_length);
  }
  if (seed != NULL && seed_length != kem->length_keypair_seed) {
    return RAISE(key->provider, REASON_BAD_LENGTH, "a seed of %s has %zu bytes, not %zu",
                 key->algorithm->name, kem->length_keypair_seed, seed_length);
  }
  return true;
}

/* Fills key->secret_key, public_key, and key->seed with has_seed if the seed is given or in the
 * secret key, from parts whose lengths are right. */
static bool load_secret(struct key *key, const uint8_t *secret_key, const uint8_t *seed,
                        uint8_t *public_key) {
  const codekem_kem *kem = key->kem;

  if (!allocate_secret(key)) {
    return false;
  }
  if (seed != NULL) {
    memcpy(key->seed, seed, kem->length_keypair_seed);
    key->has_seed = true;
    if (!expand_seed(key, public_key)) {
      return false;
    }
    return secret_key == NULL ||
           CRYPTO_memcmp(key->secret_key, secret_key, kem->length_secret_key) == 0 ||
           RAISE(key->provider, REASON_SEED_MISMATCH, "%s", key->algorithm->name);
  }
  if (!check_secret(key, secret_key) || !derive_public(key, public_key, secret_key)) {
    return false;
  }
  memcpy(key->secret_key, secret_key, kem->length_secret_key);
  key->has_seed = ckem_key_has_seed_at_end(kem->method_name);
  if (key->has_seed) {
    const size_t length = kem->length_keypair_seed;
    memcpy(key->seed, secret_key + kem->length_secret_key - length, length);
  }
  return true;
}

bool ckem_key_set_secret(struct key *key, const uint8_t *secret_key, size_t secret_key_length,
                         const uint8_t *seed, size_t seed_length) {
  uint8_t *public_key;
  bool good;

  if (key->algorithm->classical != NULL) {
    return RAISE(key->provider, REASON_NOT_SUPPORTED,
                 "%s: keys of hybrids exist for one handshake only and cannot be imported",
                 key->algorithm->name);
  }
  if (!check_secret_lengths(key, secret_key, secret_key_length, seed, seed_length)) {
    return false;
  }
  public_key = allocate_public(key);
  good = public_key != NULL && load_secret(key, secret_key, seed, public_key) &&
         (!key->has_public || is_public_key_of(key, public_key));
  if (good) {
    memcpy(key->public_key, public_key, key->kem->length_public_key);
    key->has_public = true;
    key->has_secret = true;
  } else {
    drop_secret(key);
  }
  OPENSSL_free(public_key);
  return good;
}

/* Checks that the two halves of the KEM's key pair belong together. */
static bool check_pair(const struct key *key) {
  uint8_t *public_key = allocate_public(key);
  const bool good = public_key != NULL && derive_public(key, public_key, key->secret_key) &&
                    is_public_key_of(key, public_key);

  OPENSSL_free(public_key);
  return good;
}

bool ckem_key_check(const struct key *key, bool with_public, bool with_secret) {
  if ((with_public && !key->has_public) || (with_secret && !key->has_secret)) {
    return RAISE(key->provider, REASON_KEY_MISSING, "%s", key->algorithm->name);
  }
  return (!with_public ||
          CHECK_STATUS(key->provider, key->algorithm->name,
                       codekem_kem_check_public_key(key->kem, kem_public_key(key)))) &&
         (!with_secret || check_secret(key, key->secret_key)) &&
         (!with_public || !with_secret || check_pair(key));
}

/* Returns a key of its own for the halves of a classical key. */
static EVP_PKEY *copy_classical(const struct key *key, bool with_secret) {
  return with_secret
             ? EVP_PKEY_dup(key->classical)
             : ckem_classical_read_share(key->provider, key->algorithm->classical, key->public_key);
}

struct key *ckem_key_copy(const struct key *key, bool with_secret) {
  struct key *copy = ckem_key_new(key->provider, key->algorithm);
  bool good = copy != NULL;

  if (good && key->has_public) {
    memcpy(copy->public_key, key->public_key,
           ckem_algorithm_public_key_bytes(key->algorithm, key->kem));
    copy->has_public = true;
  }
  if (good && key->classical != NULL) {
    copy->classical = copy_classical(key, with_secret && key->has_secret);
    good = copy->classical != NULL;
  }
  if (good && with_secret && key->has_secret) {
    good = allocate_secret(copy);
    if (good) {
      memcpy(copy->secret_key, key->secret_key, key->kem->length_secret_key);
      memcpy(copy->seed, key->seed, key->kem->length_keypair_seed);
      copy->has_secret = true;
      copy->has_seed = key->has_seed;
    }
  }
  if (!good) {
    ckem_key_free(copy);
    return NULL;
  }
  return copy;
}

bool ckem_key_equal_public(const struct key *a, const struct key *b) {
  return a->algorithm == b->algorithm && a->has_public && b->has_public &&
         memcmp(a->public_key, b->public_key,
                ckem_algorithm_public_key_bytes(a->algorithm, a->kem)) == 0;
}

bool ckem_key_equal_secret(const struct key *a, const struct key *b) {
  /* The public half of a hybrid determines its classical secret half. */
  return a->algorithm == b->algorithm && a->has_secret && b->has_secret &&
         (a->classical == NULL || ckem_key_equal_public(a, b)) &&
         CRYPTO_memcmp(a->secret_key, b->secret_key, a->kem->length_secret_key) == 0;
}
