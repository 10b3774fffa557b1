/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The entry point of the module, under the name that OpenSSL looks for. */
#include <codekem_provider.h>

__attribute__((visibility("default"))) OSSL_provider_init_fn OSSL_provider_init;

int OSSL_provider_init(const OSSL_CORE_HANDLE *handle, const OSSL_DISPATCH *in,
                       const OSSL_DISPATCH **out, void **context) {
  return codekem_ossl_provider_init(handle, in, out, context);
}
