/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Encapsulation and decapsulation as OpenSSL asks for them [OSSL, provider-kem]; hybrids put the
 * classical share and secret first, and the KEM's right behind [RFC9954, 3]. */
#include <string.h>

#include "classical.h"
#include "device.h"
#include "dispatch.h"
#include "key.h"
#include "workspace.h"

/* One operation: the key that it uses. */
struct operation {
  const struct provider *provider;
  struct key *key;
};

static void *operation_new(void *provider) {
  struct operation *operation = OPENSSL_zalloc(sizeof *operation);

  if (operation == NULL) {
    (void)RAISE(provider, REASON_NO_MEMORY, "a KEM operation");
    return NULL;
  }
  operation->provider = provider;
  return operation;
}

static void operation_free(void *data) {
  struct operation *operation = data;

  if (operation != NULL) {
    ckem_key_free(operation->key);
    OPENSSL_free(operation);
  }
}

static void *operation_dup(void *data) {
  const struct operation *operation = data;
  struct operation *copy = operation_new((void *)(uintptr_t)operation->provider);

  if (copy != NULL && operation->key != NULL) {
    copy->key = ckem_key_keep(operation->key);
  }
  return copy;
}

static int operation_init(struct operation *operation, struct key *key, bool has_half) {
  if (!has_half) {
    return RAISE(operation->provider, REASON_KEY_MISSING, "%s", key->algorithm->name);
  }
  ckem_key_free(operation->key);
  operation->key = ckem_key_keep(key);
  return 1;
}

static int encapsulate_init(void *data, void *key, const OSSL_PARAM params[]) {
  (void)params; /* there is nothing to choose */
  return operation_init(data, key, ((struct key *)key)->has_public);
}

static int decapsulate_init(void *data, void *key, const OSSL_PARAM params[]) {
  (void)params;
  return operation_init(data, key, ((struct key *)key)->has_secret);
}

/* --- Encapsulation ---------------------------------------------------------------------------- */

/* Encapsulates with the randomness in seed. */
static bool encapsulate_from(const struct key *key, uint8_t *ciphertext, uint8_t *secret,
                             const uint8_t *public_key, const uint8_t *seed) {
  struct device *device = ckem_device_of(key->provider, key->kem);
  struct workspace workspace;
  codekem_status status;

  if (device != NULL) {
    return ckem_device_encaps(device, ciphertext, secret, public_key, seed);
  }
  if (!ckem_workspace_open(&workspace, key->provider, key->kem->length_encaps_workspace)) {
    return false;
  }
  workspace.options.seed = seed;
  status = codekem_kem_encaps_with(key->kem, ciphertext, secret, public_key, &workspace.options);
  ckem_workspace_close(&workspace);
  return CHECK_STATUS(key->provider, key->algorithm->name, status);
}

static bool encapsulate_kem(const struct key *key, uint8_t *ciphertext, uint8_t *secret,
                            const uint8_t *public_key) {
  uint8_t seed[CODEKEM_MAX_ENCAPS_SEED];
  const bool good = ckem_provider_random(key->provider, seed, key->kem->length_encaps_seed,
                                         ckem_algorithm_security_bits(key->kem)) &&
                    encapsulate_from(key, ciphertext, secret, public_key, seed);

  OPENSSL_cleanse(seed, sizeof seed);
  return good;
}

/* The classical half: a new key pair, whose share is the ciphertext. */
static bool encapsulate_classical(const struct key *key, uint8_t *share, uint8_t *secret) {
  const struct classical *classical = key->algorithm->classical;
  EVP_PKEY *own = ckem_classical_generate(key->provider, classical);
  const bool good = own != NULL &&
                    ckem_classical_write_share(key->provider, classical, own, share) &&
                    ckem_classical_derive(key->provider, classical, own, key->classical, secret);

  EVP_PKEY_free(own);
  return good;
}

static int encapsulate(void *data, unsigned char *ciphertext, size_t *ciphertext_length,
                       unsigned char *secret, size_t *secret_length) {
  const struct operation *operation = data;
  const struct key *key = operation->key;
  const struct classical *classical;
  size_t ciphertext_bytes;
  size_t secret_bytes;
  size_t share = 0;
  size_t classical_secret = 0;

  if (key == NULL || !key->has_public) {
    return RAISE(operation->provider, REASON_KEY_MISSING, "encapsulation without a public key");
  }
  ciphertext_bytes = ckem_algorithm_ciphertext_bytes(key->algorithm, key->kem);
  secret_bytes = ckem_algorithm_secret_bytes(key->algorithm, key->kem);
  if (ciphertext != NULL && secret != NULL &&
      ((ciphertext_length != NULL && *ciphertext_length < ciphertext_bytes) ||
       (secret_length != NULL && *secret_length < secret_bytes))) {
    return RAISE(key->provider, REASON_BUFFER_TOO_SMALL,
                 "%s: a ciphertext has %zu bytes, a secret %zu", key->algorithm->name,
                 ciphertext_bytes, secret_bytes);
  }
  if (ciphertext_length != NULL) {
    *ciphertext_length = ciphertext_bytes;
  }
  if (secret_length != NULL) {
    *secret_length = secret_bytes;
  }
  if (ciphertext == NULL || secret == NULL) {
    return 1; /* only the lengths were asked for */
  }
  classical = key->algorithm->classical;
  if (classical != NULL) {
    share = classical->share_bytes;
    classical_secret = classical->secret_bytes;
  }
  if ((classical == NULL || encapsulate_classical(key, ciphertext, secret)) &&
      encapsulate_kem(key, ciphertext + share, secret + classical_secret,
                      key->public_key + share)) {
    return 1;
  }
  OPENSSL_cleanse(ciphertext, ciphertext_bytes);
  OPENSSL_cleanse(secret, secret_bytes);
  return 0;
}

/* --- Decapsulation ---------------------------------------------------------------------------- */

/* Takes every ciphertext of the right length: a wrong one gives another secret (implicit
 * rejection). */
static bool decapsulate_kem(const struct key *key, uint8_t *secret, const uint8_t *ciphertext) {
  const codekem_kem *kem = key->kem;
  struct pool_place *pool = ckem_provider_pool(key->provider, kem);
  struct device *device = ckem_device_of(key->provider, kem);
  struct workspace workspace;
  codekem_status status;

  if (device != NULL) {
    return ckem_device_decaps(device, secret, ciphertext, key->secret_key);
  }
  if (!ckem_workspace_open(&workspace, key->provider, kem->length_decaps_workspace)) {
    return false;
  }
  status = codekem_kem_decaps_with(kem, secret, ciphertext, key->secret_key, &workspace.options);
  ckem_workspace_close(&workspace);
  if (pool != NULL) {
    ckem_pool_expire(pool); /* most handshakes that make keys come by here */
  }
  return CHECK_STATUS(key->provider, key->algorithm->name, status);
}

static bool decapsulate_classical(const struct key *key, uint8_t *secret, const uint8_t *share) {
  const struct classical *classical = key->algorithm->classical;
  EVP_PKEY *peer = ckem_classical_read_share(key->provider, classical, share);
  const bool good =
      peer != NULL && ckem_classical_derive(key->provider, classical, key->classical, peer, secret);

  EVP_PKEY_free(peer);
  return good;
}

static int decapsulate(void *data, unsigned char *secret, size_t *secret_length,
                       const unsigned char *ciphertext, size_t ciphertext_length) {
  const struct operation *operation = data;
  const struct key *key = operation->key;
  const struct classical *classical;
  size_t secret_bytes;
  size_t share = 0;
  size_t classical_secret = 0;

  if (key == NULL || !key->has_secret) {
    return RAISE(operation->provider, REASON_KEY_MISSING, "decapsulation without a secret key");
  }
  secret_bytes = ckem_algorithm_secret_bytes(key->algorithm, key->kem);
  if (secret != NULL && secret_length != NULL && *secret_length < secret_bytes) {
    return RAISE(key->provider, REASON_BUFFER_TOO_SMALL, "%s: a secret has %zu bytes",
                 key->algorithm->name, secret_bytes);
  }
  if (secret_length != NULL) {
    *secret_length = secret_bytes;
  }
  if (secret == NULL) {
    return 1; /* only the length was asked for */
  }
  if (ciphertext == NULL ||
      ciphertext_length != ckem_algorithm_ciphertext_bytes(key->algorithm, key->kem)) {
    return RAISE(key->provider, REASON_BAD_LENGTH, "a ciphertext of %s has %zu bytes, not %zu",
                 key->algorithm->name, ckem_algorithm_ciphertext_bytes(key->algorithm, key->kem),
                 ciphertext_length);
  }
  classical = key->algorithm->classical;
  if (classical != NULL) {
    share = classical->share_bytes;
    classical_secret = classical->secret_bytes;
  }
  if ((classical == NULL || decapsulate_classical(key, secret, ciphertext)) &&
      decapsulate_kem(key, secret + classical_secret, ciphertext + share)) {
    return 1;
  }
  OPENSSL_cleanse(secret, secret_bytes);
  return 0;
}

const OSSL_DISPATCH ckem_kem_functions[] = {
    DISPATCH(OSSL_FUNC_KEM_NEWCTX, operation_new),
    DISPATCH(OSSL_FUNC_KEM_FREECTX, operation_free),
    DISPATCH(OSSL_FUNC_KEM_DUPCTX, operation_dup),
    DISPATCH(OSSL_FUNC_KEM_ENCAPSULATE_INIT, encapsulate_init),
    DISPATCH(OSSL_FUNC_KEM_ENCAPSULATE, encapsulate),
    DISPATCH(OSSL_FUNC_KEM_DECAPSULATE_INIT, decapsulate_init),
    DISPATCH(OSSL_FUNC_KEM_DECAPSULATE, decapsulate),
    DISPATCH_END,
};
