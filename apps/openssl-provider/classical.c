/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The classical half of a hybrid: OpenSSL's own key exchanges, through its public interface. */
#include "classical.h"

#include <openssl/core_names.h>
#include <openssl/params.h>

#define UNCOMPRESSED_POINT 4 /* first byte of an uncompressed point [RFC8446, 4.2.8.2] */

/* Returns the name for messages. */
static const char *name_of(const struct classical *classical) {
  return classical->curve != NULL ? classical->curve : classical->key_type;
}

EVP_PKEY *ckem_classical_generate(const struct provider *provider,
                                  const struct classical *classical) {
  EVP_PKEY *key = NULL;
  EVP_PKEY_CTX *context =
      EVP_PKEY_CTX_new_from_name(provider->library_context, classical->key_type, NULL);

  if (context == NULL || EVP_PKEY_keygen_init(context) <= 0 ||
      (classical->curve != NULL && EVP_PKEY_CTX_set_group_name(context, classical->curve) <= 0) ||
      EVP_PKEY_generate(context, &key) <= 0) {
    (void)RAISE(provider, REASON_CLASSICAL_FAILURE, "generating a key pair for %s",
                name_of(classical));
  }
  EVP_PKEY_CTX_free(context);
  return key;
}

/* A point of a curve; OpenSSL checks that it is one. */
static EVP_PKEY *read_point(const struct provider *provider, const struct classical *classical,
                            const uint8_t *share) {
  EVP_PKEY *key = NULL;
  EVP_PKEY_CTX *context;
  OSSL_PARAM params[3]; /* OSSL_PARAM has no const, but this one is only read */

  if (share[0] != UNCOMPRESSED_POINT) {
    return NULL;
  }
  params[0] = OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME,
                                               (char *)(uintptr_t)classical->curve, 0);
  params[1] = OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, (void *)(uintptr_t)share,
                                                classical->share_bytes);
  params[2] = OSSL_PARAM_construct_end();
  context = EVP_PKEY_CTX_new_from_name(provider->library_context, classical->key_type, NULL);
  if (context != NULL && EVP_PKEY_fromdata_init(context) > 0) {
    (void)EVP_PKEY_fromdata(context, &key, EVP_PKEY_PUBLIC_KEY, params);
  }
  EVP_PKEY_CTX_free(context);
  return key;
}

EVP_PKEY *ckem_classical_read_share(const struct provider *provider,
                                    const struct classical *classical, const uint8_t *share) {
  EVP_PKEY *key =
      classical->curve != NULL
          ? read_point(provider, classical, share)
          : EVP_PKEY_new_raw_public_key_ex(provider->library_context, classical->key_type, NULL,
                                           share, classical->share_bytes);

  if (key == NULL) {
    (void)RAISE(provider, REASON_BAD_CLASSICAL_SHARE, "the first %zu bytes are not a share of %s",
                classical->share_bytes, name_of(classical));
  }
  return key;
}

bool ckem_classical_write_share(const struct provider *provider, const struct classical *classical,
                                EVP_PKEY *key, uint8_t *share) {
  size_t written = 0;

  if (EVP_PKEY_get_octet_string_param(key, OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY, share,
                                      classical->share_bytes, &written) <= 0 ||
      written != classical->share_bytes) {
    return RAISE(provider, REASON_CLASSICAL_FAILURE, "writing the share of %s", name_of(classical));
  }
  return true;
}

bool ckem_classical_derive(const struct provider *provider, const struct classical *classical,
                           EVP_PKEY *own, EVP_PKEY *peer, uint8_t *secret) {
  /* The peer's key came through ckem_classical_read_share: a point of the curve that is not
   * infinity. The curves have prime order, so it needs no more validation [SP800-56A, 5.6.2.3.4],
   * which would be one more multiplication. */
  const int validate_peer = 0;
  size_t written = classical->secret_bytes;
  EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_pkey(provider->library_context, own, NULL);
  const bool good = context != NULL && EVP_PKEY_derive_init(context) > 0 &&
                    EVP_PKEY_derive_set_peer_ex(context, peer, validate_peer) > 0 &&
                    EVP_PKEY_derive(context, secret, &written) > 0 &&
                    written == classical->secret_bytes;

  EVP_PKEY_CTX_free(context);
  return good || RAISE(provider, REASON_BAD_CLASSICAL_SHARE, "the share gives no secret with %s",
                       name_of(classical));
}
