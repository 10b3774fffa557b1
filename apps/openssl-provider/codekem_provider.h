/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The provider for OpenSSL 3 in a library that a program can link, for programs that load no
 * modules:
 *
 *   OSSL_PROVIDER_add_builtin(NULL, "codekem", codekem_ossl_provider_init);
 *   OSSL_PROVIDER_load(NULL, "codekem");
 */
#ifndef CODEKEM_PROVIDER_H
#define CODEKEM_PROVIDER_H

#include <openssl/core.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Starts the provider in the library context of handle: OSSL_PROVIDER_add_builtin takes it, and
 * OpenSSL calls it. The configuration of that provider is read as for the module. */
int codekem_ossl_provider_init(const OSSL_CORE_HANDLE *handle, const OSSL_DISPATCH *in,
                               const OSSL_DISPATCH **out, void **context);

#ifdef __cplusplus
}
#endif

#endif
