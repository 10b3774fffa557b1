/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Errors for OpenSSL's error queue. */
#include "errors.h"

#include <stdarg.h>
#include <stddef.h>

#include "provider.h"

/* OSSL_ITEM has no const, but nobody writes to the texts. */
#define TEXT(text) ((void *)(uintptr_t)(text))

const OSSL_ITEM ckem_reason_strings[] = {
    {REASON_BAD_CONFIGURATION, TEXT("the configuration of the provider is wrong")},
    {REASON_BAD_LENGTH, TEXT("wrong length")},
    {REASON_BAD_PUBLIC_KEY, TEXT("not a valid public key of the KEM")},
    {REASON_BAD_CLASSICAL_SHARE, TEXT("not a valid share of the classical key exchange")},
    {REASON_BAD_SECRET_KEY, TEXT("not a valid secret key of the KEM")},
    {REASON_BAD_ENCODING, TEXT("not a valid encoding of a key")},
    {REASON_SEED_MISMATCH, TEXT("seed and secret key do not belong together")},
    {REASON_PUBLIC_KEY_MISMATCH, TEXT("public and secret key do not belong together")},
    {REASON_KEY_MISSING, TEXT("the key lacks the half that this operation needs")},
    {REASON_BUFFER_TOO_SMALL, TEXT("the buffer for the result is too small")},
    {REASON_WRONG_GROUP, TEXT("the group does not belong to this kind of key")},
    {REASON_NO_RANDOMNESS, TEXT("no random bytes from the library context")},
    {REASON_CLASSICAL_FAILURE, TEXT("the classical key exchange failed")},
    {REASON_KEM_FAILURE, TEXT("the KEM failed")},
    {REASON_ENCRYPTION_FAILURE, TEXT("the key cannot be encrypted")},
    {REASON_NO_PASSPHRASE, TEXT("no passphrase to encrypt the key with")},
    {REASON_NOT_SUPPORTED, TEXT("not supported")},
    {REASON_NO_MEMORY, TEXT("out of memory")},
    {REASON_DEVICE_FAILURE, TEXT("the device of the KEM failed")},
    {0, NULL},
};

bool ckem_provider_raise(const struct provider *provider, enum reason reason, const char *file,
                         int line, const char *function, const char *format, ...) {
  va_list arguments;

  if (provider->new_error != NULL && provider->set_error_debug != NULL &&
      provider->vset_error != NULL) {
    provider->new_error(provider->handle);
    provider->set_error_debug(provider->handle, file, line, function);
    va_start(arguments, format);
    provider->vset_error(provider->handle, (uint32_t)reason, format, arguments);
    va_end(arguments);
  }
  return false;
}

/* What is wrong with a key that the library refuses, in more words than its own. */
static const struct {
  codekem_status status;
  enum reason reason;
  const char *details;
} refusals[] = {
    {CODEKEM_ERROR_PUBLIC_KEY, REASON_BAD_PUBLIC_KEY,
     "unused bits of its encoding are not zero, or its weight is one that no key has; get it again "
     "from its maker"},
    {CODEKEM_ERROR_SECRET_KEY, REASON_BAD_SECRET_KEY,
     "a wrong weight, a position out of range, unused bits that are not zero, or fields that "
     "contradict each other; take a copy that is not damaged"},
    {CODEKEM_ERROR_BACKEND, REASON_KEM_FAILURE,
     "the environment variable CODEKEM_CPU names a back end that does not exist or that this "
     "processor cannot run; unset it"},
};

bool ckem_provider_check_status(const struct provider *provider, const char *name,
                                codekem_status status, const char *file, int line,
                                const char *function) {
  enum reason reason = REASON_KEM_FAILURE;
  const char *details = codekem_status_text(status);

  if (status == CODEKEM_OK) {
    return true;
  }
  for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
    if (refusals[i].status == status) {
      reason = refusals[i].reason;
      details = refusals[i].details;
    }
  }
  return ckem_provider_raise(provider, reason, file, line, function, "%s: %s", name, details);
}
