/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The tables of functions that OpenSSL calls; provider.c offers them under their names. */
#ifndef CODEKEM_PROVIDER_DISPATCH_H
#define CODEKEM_PROVIDER_DISPATCH_H

#include <openssl/core.h>

#include "provider.h"

/* One key management for each algorithm; one KEM for all. */
extern const OSSL_DISPATCH *const ckem_key_management_functions[ALGORITHMS];
extern const OSSL_DISPATCH ckem_kem_functions[];

/* The encoders of any algorithm whose keys have an object identifier, by structure and output. */
struct encoder_kind {
  const char *properties; /* "provider=codekem,output=der,structure=..." */
  const OSSL_DISPATCH *functions;
};
extern const struct encoder_kind ckem_encoder_kinds[ENCODERS_OF_ALGORITHM];

/* The decoders of any of these, by structure. */
struct decoder_kind {
  const char *properties;
  const OSSL_DISPATCH *functions;
};
extern const struct decoder_kind ckem_decoder_kinds[DECODERS_OF_ALGORITHM];

/* Tells libssl the TLS groups, if capability is "TLS-GROUP". */
int ckem_provider_get_capabilities(void *provider, const char *capability, OSSL_CALLBACK *callback,
                                   void *argument);

#endif
