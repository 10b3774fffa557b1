/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What the fuzzers of the OpenSSL provider share: the provider, built in, and a key of each
 * kind. */
#ifndef CODEKEM_TESTS_FUZZ_FUZZ_PROVIDER_H
#define CODEKEM_TESTS_FUZZ_FUZZ_PROVIDER_H

#include <openssl/evp.h>

#include "fuzz_input.h"

#define FUZZ_QUERY "provider=codekem"

/* Returns the library context with the provider; made at the first call, for the whole run. */
OSSL_LIB_CTX *fuzz_library(void);

/* Takes one byte, and returns the algorithm that it picks: one of the first count. */
const char *fuzz_take_algorithm(struct fuzz_input *input, size_t count);

#define FUZZ_PURE 6
#define FUZZ_ALL 16

/* Returns an honest key pair of an algorithm; the same one for the whole run. */
EVP_PKEY *fuzz_honest_key(const char *algorithm);

/* Requires that a call that failed left an error in OpenSSL's queue, one that succeeded maybe some;
 * and clears the queue. */
void fuzz_check_errors(int succeeded);

/* Returns an exact copy of bytes[length], cut or lengthened as the input says, in *changed_length:
 * one byte picks none (most values), some bytes less, or some more. Then as fuzz_change. */
uint8_t *fuzz_change_copy(struct fuzz_input *input, const uint8_t *bytes, size_t length,
                          size_t *changed_length);

#endif
