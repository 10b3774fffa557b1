/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The classical half of a hybrid: OpenSSL's own key exchanges, through its public interface. */
#ifndef CODEKEM_PROVIDER_CLASSICAL_H
#define CODEKEM_PROVIDER_CLASSICAL_H

#include <openssl/evp.h>
#include <stdbool.h>
#include <stdint.h>

#include "provider.h"

/* Makes a key pair; returns NULL, with an error, if OpenSSL cannot. */
EVP_PKEY *ckem_classical_generate(const struct provider *provider,
                                  const struct classical *classical);

/* Reads share[classical->share_bytes], as a peer sent it; returns NULL, with an error, unless it is
 * a point of the curve in uncompressed form, or of the right length for X25519 and X448. */
EVP_PKEY *ckem_classical_read_share(const struct provider *provider,
                                    const struct classical *classical, const uint8_t *share);

/* Writes the share of key to share[classical->share_bytes]. */
bool ckem_classical_write_share(const struct provider *provider, const struct classical *classical,
                                EVP_PKEY *key, uint8_t *share);

/* Writes the secret of own and peer to secret[classical->secret_bytes]. Fails, with an error, if it
 * is zero, as for points of small order [RFC7748, 6]. */
bool ckem_classical_derive(const struct provider *provider, const struct classical *classical,
                           EVP_PKEY *own, EVP_PKEY *peer, uint8_t *secret);

#endif
