/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Errors for OpenSSL's error queue: a reason in words, and what was wrong with this input. */
#ifndef CODEKEM_PROVIDER_ERRORS_H
#define CODEKEM_PROVIDER_ERRORS_H

#include <codekem.h>
#include <openssl/core.h>
#include <stdbool.h>
#include <stdint.h>

struct provider;

/* Reasons; ckem_reason_strings has the words. OpenSSL reserves 1 to 99. */
enum reason {
  REASON_BAD_CONFIGURATION = 100,
  REASON_BAD_LENGTH,
  REASON_BAD_PUBLIC_KEY,
  REASON_BAD_CLASSICAL_SHARE,
  REASON_BAD_SECRET_KEY,
  REASON_BAD_ENCODING,
  REASON_SEED_MISMATCH,
  REASON_PUBLIC_KEY_MISMATCH,
  REASON_KEY_MISSING,
  REASON_BUFFER_TOO_SMALL,
  REASON_WRONG_GROUP,
  REASON_NO_RANDOMNESS,
  REASON_CLASSICAL_FAILURE,
  REASON_KEM_FAILURE,
  REASON_NO_PASSPHRASE,
  REASON_ENCRYPTION_FAILURE,
  REASON_NOT_SUPPORTED,
  REASON_NO_MEMORY,
  REASON_DEVICE_FAILURE,
};

/* For OSSL_FUNC_PROVIDER_GET_REASON_STRINGS; ends with a reason of 0. */
extern const OSSL_ITEM ckem_reason_strings[];

/* Adds an error to OpenSSL's queue; the format gives the details, never a secret. Returns false. */
#define RAISE(provider, reason, ...) \
  ckem_provider_raise((provider), (reason), __FILE__, __LINE__, __func__, __VA_ARGS__)
bool ckem_provider_raise(const struct provider *provider, enum reason reason, const char *file,
                         int line, const char *function, const char *format, ...)
    __attribute__((format(printf, 6, 7)));

/* Returns true for CODEKEM_OK. Otherwise adds an error that says what the library reported, of the
 * algorithm called name, and returns false. */
#define CHECK_STATUS(provider, name, status) \
  ckem_provider_check_status((provider), (name), (status), __FILE__, __LINE__, __func__)
bool ckem_provider_check_status(const struct provider *provider, const char *name,
                                codekem_status status, const char *file, int line,
                                const char *function);

#endif
