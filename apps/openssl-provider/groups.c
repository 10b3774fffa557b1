/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Tells libssl which TLS groups there are [OSSL, provider-base, CAPABILITIES]. */
#include <openssl/core_names.h>
#include <openssl/params.h>
#include <openssl/prov_ssl.h>

#include "dispatch.h"

#define NOT_IN_DTLS (-1) /* OpenSSL has no DTLS 1.3, which the groups would need */
#define NO_LATEST_VERSION 0

/* Describes one group; OpenSSL copies what it is shown. */
static int announce(struct provider *provider, size_t index, OSSL_CALLBACK *callback,
                    void *argument) {
  const struct algorithm *algorithm = &ckem_provider_algorithms[index];
  struct offer *offer = &provider->offers[index];
  char *name = (char *)(uintptr_t)algorithm->name; /* OSSL_PARAM has no const */
  unsigned security_bits = ckem_algorithm_security_bits(offer->kem);
  unsigned is_kem = 1;
  int least_tls = TLS1_3_VERSION;
  int latest_tls = NO_LATEST_VERSION;
  int least_dtls = NOT_IN_DTLS;
  int latest_dtls = NOT_IN_DTLS;
  const OSSL_PARAM params[] = {
      OSSL_PARAM_construct_utf8_string(OSSL_CAPABILITY_TLS_GROUP_NAME, offer->group, 0),
      OSSL_PARAM_construct_utf8_string(OSSL_CAPABILITY_TLS_GROUP_NAME_INTERNAL, name, 0),
      OSSL_PARAM_construct_utf8_string(OSSL_CAPABILITY_TLS_GROUP_ALG, name, 0),
      OSSL_PARAM_construct_uint(OSSL_CAPABILITY_TLS_GROUP_ID, &offer->code_point),
      OSSL_PARAM_construct_uint(OSSL_CAPABILITY_TLS_GROUP_SECURITY_BITS, &security_bits),
      OSSL_PARAM_construct_uint(OSSL_CAPABILITY_TLS_GROUP_IS_KEM, &is_kem),
      OSSL_PARAM_construct_int(OSSL_CAPABILITY_TLS_GROUP_MIN_TLS, &least_tls),
      OSSL_PARAM_construct_int(OSSL_CAPABILITY_TLS_GROUP_MAX_TLS, &latest_tls),
      OSSL_PARAM_construct_int(OSSL_CAPABILITY_TLS_GROUP_MIN_DTLS, &least_dtls),
      OSSL_PARAM_construct_int(OSSL_CAPABILITY_TLS_GROUP_MAX_DTLS, &latest_dtls),
      OSSL_PARAM_construct_end(),
  };
  return callback(params, argument);
}

int ckem_provider_get_capabilities(void *data, const char *capability, OSSL_CALLBACK *callback,
                                   void *argument) {
  struct provider *provider = data;

  if (!ckem_algorithm_same_name(capability, "TLS-GROUP")) {
    return 1; /* no others, which is no error */
  }
  for (size_t i = 0; i < ALGORITHMS; i++) {
    if (provider->offers[i].code_point != 0 && !announce(provider, i, callback, argument)) {
      return 0;
    }
  }
  return 1;
}
