/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What the parts of the provider share: the context that OpenSSL loaded it into. */
#ifndef CODEKEM_PROVIDER_PROVIDER_H
#define CODEKEM_PROVIDER_PROVIDER_H

#include <openssl/core.h>
#include <openssl/core_dispatch.h>
#include <openssl/crypto.h>
#include <stdbool.h>
#include <stdint.h>

#include "algorithms.h"
#include "errors.h"
#include "key-encoding/key_der.h"
#include "pool.h"

/* What this build of the library and the configuration make of one algorithm. */
struct offer {
  const codekem_kem *kem;  /* NULL: the library is without it. Nothing else is set then */
  char *group;             /* name of the TLS group; NULL: there is none */
  unsigned code_point;     /* of the TLS group; 0: there is none, or it is switched off */
  char *oid;               /* of keys in files; NULL: keys have no form in files, as of hybrids */
  const char *read_oid;    /* that others write, by which keys are read, too; NULL: none */
  char *names;             /* "BIKE-L1:2.25....": what OpenSSL finds the algorithm by */
};

#define ENCODERS_OF_ALGORITHM 7 /* 3 structures in DER and PEM, and the text */
#define DECODERS_OF_ALGORITHM 2

struct provider {
  const OSSL_CORE_HANDLE *handle;
  bool is_other_libcrypto; /* the core is in another libcrypto than the one called here */
  /* A context of the provider's own, in which OpenSSL's providers are those of the application:
   * where classical keys, ciphers and random bytes come from. */
  OSSL_LIB_CTX *library_context;
  OSSL_FUNC_core_get_params_fn *get_params;
  OSSL_FUNC_core_new_error_fn *new_error;
  OSSL_FUNC_core_set_error_debug_fn *set_error_debug;
  OSSL_FUNC_core_vset_error_fn *vset_error;

  struct offer offers[ALGORITHMS]; /* as in ckem_provider_algorithms */
  enum key_der_form key_form;      /* of private keys that are written */
  struct device *devices;          /* those of the configuration (device.h); NULL: none */

  /* Keys for TLS that are made in batches, for each KEM that gains from it; NULL if there are no
   * pools, which is the default. */
  struct pool_place *pools;
  size_t pool_count;
  size_t pool_size;     /* as configured; 0: no pools */
  unsigned pool_seconds;

  /* What query_operation returns: what is offered, ended by a NULL name. */
  OSSL_ALGORITHM key_managements[ALGORITHMS + 1];
  OSSL_ALGORITHM kems[ALGORITHMS + 1];
  OSSL_ALGORITHM encoders[ALGORITHMS * ENCODERS_OF_ALGORITHM + 1];
  OSSL_ALGORITHM decoders[ALGORITHMS * DECODERS_OF_ALGORITHM + 1];
};

/* Returns what the provider offers of algorithm. */
static inline const struct offer *offer_of(const struct provider *provider,
                                           const struct algorithm *algorithm) {
  return &provider->offers[algorithm - ckem_provider_algorithms];
}

/* Returns the pool of a KEM, or NULL. */
struct pool_place *ckem_provider_pool(const struct provider *provider, const codekem_kem *kem);

/* Fills bytes[length] with secret random bytes from the library context's generator, at a strength
 * of strength bits. Returns false, with an error, if it cannot. */
bool ckem_provider_random(const struct provider *provider, uint8_t *bytes, size_t length,
                          unsigned strength);

/* Casts a function for a dispatch table: OpenSSL casts it back by the number beside it. */
#define DISPATCH(id, function) {(id), (void (*)(void))(function)}
#define DISPATCH_END {0, NULL}

#endif
