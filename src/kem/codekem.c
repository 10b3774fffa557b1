/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The public interface: the table of all KEMs, and the entry points. */
#include "codekem.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "base/bytes.h"
#include "base/random.h"
#include "base/wipe.h"
#include "kem.h"

const char *codekem_version(void) {
  return CODEKEM_VERSION_STRING;
}

const char *codekem_status_text(codekem_status status) {
  switch (status) {
    case CODEKEM_OK:
      return "success";
    case CODEKEM_ERROR_NULL:
      return "a required pointer is NULL";
    case CODEKEM_ERROR_RANDOM:
      return "the source of randomness failed";
    case CODEKEM_ERROR_WORKSPACE:
      return "the workspace, or the stack of this thread, is too small, or it is not aligned";
    case CODEKEM_ERROR_PUBLIC_KEY:
      return "the public key is malformed";
    case CODEKEM_ERROR_SECRET_KEY:
      return "the secret key is malformed";
    case CODEKEM_ERROR_CIPHERTEXT:
      return "the ciphertext is malformed";
    case CODEKEM_ERROR_BACKEND:
      return "there is no such back end, or this processor cannot run it";
    case CODEKEM_ERROR_INTERNAL:
      return "a helper library failed, or hashing gave nothing of use";
    case CODEKEM_ERROR_OPTIONS:
      return "the options do not fit this call, or their size is not that of the structure";
    case CODEKEM_ERROR_OVERLAP:
      return "a buffer that is written overlaps another one";
  }
  return "unknown status";
}

/* Packages for other languages read members where these are, at the size of their pointers. */
#define CHECK_OFFSET(structure, member, of_4, of_8)                                       \
  static_assert(offsetof(structure, member) == (sizeof(void *) == 4 ? (of_4) : (of_8)) || \
                    sizeof(void *) != sizeof(size_t),                                     \
                #member)
CHECK_OFFSET(codekem_kem, length_public_key, 16, 32);
CHECK_OFFSET(codekem_kem, length_encaps_seed, 36, 72);
CHECK_OFFSET(codekem_kem, length_keypair_workspace, 40, 80);
CHECK_OFFSET(codekem_kem, length_decaps_workspace, 48, 96);
CHECK_OFFSET(codekem_kem, length_check_workspace, 64, 128);
CHECK_OFFSET(codekem_options, seed, 4, 8);
CHECK_OFFSET(codekem_options, random, 8, 16);
CHECK_OFFSET(codekem_options, random_context, 12, 24);
CHECK_OFFSET(codekem_options, workspace, 16, 32);
CHECK_OFFSET(codekem_options, workspace_length, 20, 40);
CHECK_OFFSET(codekem_options, lower_first_threshold, 24, 48);

#define KEM(object, name) extern const codekem_kem object;
#include "kems.def"
#undef KEM

/* The KEMs of a build can be chosen with CMake's option CODEKEM_KEMS. */
static const codekem_kem *const kems[] = {
#if defined(CODEKEM_KEM_LIST)
    CODEKEM_KEM_LIST
#else
#define KEM(object, name) &object,
#include "kems.def"
#undef KEM
#endif
};

size_t codekem_kem_count(void) {
  return sizeof kems / sizeof kems[0];
}

const codekem_kem *codekem_kem_at(size_t index) {
  return index < codekem_kem_count() ? kems[index] : NULL;
}

const codekem_kem *codekem_kem_find(const char *name) {
  for (size_t i = 0; name != NULL && i < codekem_kem_count(); i++) {
    if (strcmp(codekem_kem_at(i)->method_name, name) == 0) {
      return codekem_kem_at(i);
    }
  }
  return NULL;
}

void codekem_wipe(void *buffer, size_t length) {
  if (buffer != NULL) {
    ckem_secure_wipe(buffer, length);
  }
}

bool codekem_random_system(void *context, uint8_t *out, size_t length) {
  const bool good = out != NULL && ckem_random_from_system(context, out, length);

  if (!good) {
    clear_output(out, length);
  }
  return good;
}

/* --- The entry points ------------------------------------------------------------------------- */

/* Runs a call of one operation, with a seed drawn for it if it needs one and has none. */
static codekem_status run_one(struct kem_call *call) {
  const struct kem_way way = ckem_kem_way(call, false);
  uint8_t seed[KEM_MAX_REQUEST_BYTES];
  codekem_status status = CODEKEM_ERROR_RANDOM;

  if (way.request == 0 || call->in.seed != NULL) {
    return ckem_kem_start(call, &way);
  }
  if (ckem_kem_draw(call, &way, seed)) {
    call->in.seed = seed;
    status = ckem_kem_start(call, &way);
    call->in.seed = NULL;
  }
  ckem_secure_wipe(seed, sizeof seed);
  return status;
}

codekem_status codekem_kem_keypair_with(const codekem_kem *kem, uint8_t *public_key,
                                        uint8_t *secret_key, const codekem_options *options) {
  struct kem_call call = {.kem = kem,
                          .entry = KEM_KEYPAIR,
                          .out = {.public_key = public_key, .secret_key = secret_key},
                          .batch = {.count = 1}};
  return ckem_kem_call(&call, public_key != NULL && secret_key != NULL, options, run_one);
}

codekem_status codekem_kem_encaps_with(const codekem_kem *kem, uint8_t *ciphertext,
                                       uint8_t *shared_secret, const uint8_t *public_key,
                                       const codekem_options *options) {
  struct kem_call call = {.kem = kem,
                          .entry = KEM_ENCAPS,
                          .out = {.ciphertext = ciphertext, .shared_secret = shared_secret},
                          .in = {.public_key = public_key},
                          .batch = {.count = 1}};
  return ckem_kem_call(&call, ciphertext != NULL && shared_secret != NULL && public_key != NULL,
                       options, run_one);
}

codekem_status codekem_kem_decaps_with(const codekem_kem *kem, uint8_t *shared_secret,
                                       const uint8_t *ciphertext, const uint8_t *secret_key,
                                       const codekem_options *options) {
  struct kem_call call = {.kem = kem,
                          .entry = KEM_DECAPS,
                          .out = {.shared_secret = shared_secret},
                          .in = {.ciphertext = ciphertext, .secret_key = secret_key},
                          .batch = {.count = 1}};
  return ckem_kem_call(&call, shared_secret != NULL && ciphertext != NULL && secret_key != NULL,
                       options, run_one);
}

codekem_status codekem_kem_check_secret_key_with(const codekem_kem *kem, const uint8_t *secret_key,
                                                 const codekem_options *options) {
  struct kem_call call = {.kem = kem,
                          .entry = KEM_CHECK_SECRET_KEY,
                          .in = {.secret_key = secret_key},
                          .batch = {.count = 1}};
  return ckem_kem_call(&call, secret_key != NULL, options, run_one);
}

codekem_status codekem_kem_derive_public_key_with(const codekem_kem *kem, uint8_t *public_key,
                                                  const uint8_t *secret_key,
                                                  const codekem_options *options) {
  struct kem_call call = {.kem = kem,
                          .entry = KEM_DERIVE_PUBLIC_KEY,
                          .out = {.public_key = public_key},
                          .in = {.secret_key = secret_key},
                          .batch = {.count = 1}};
  return ckem_kem_call(&call, public_key != NULL && secret_key != NULL, options, run_one);
}

codekem_status codekem_kem_keypair(const codekem_kem *kem, uint8_t *public_key,
                                   uint8_t *secret_key) {
  return codekem_kem_keypair_with(kem, public_key, secret_key, NULL);
}

codekem_status codekem_kem_encaps(const codekem_kem *kem, uint8_t *ciphertext,
                                  uint8_t *shared_secret, const uint8_t *public_key) {
  return codekem_kem_encaps_with(kem, ciphertext, shared_secret, public_key, NULL);
}

codekem_status codekem_kem_decaps(const codekem_kem *kem, uint8_t *shared_secret,
                                  const uint8_t *ciphertext, const uint8_t *secret_key) {
  return codekem_kem_decaps_with(kem, shared_secret, ciphertext, secret_key, NULL);
}

codekem_status codekem_kem_check_secret_key(const codekem_kem *kem, const uint8_t *secret_key) {
  return codekem_kem_check_secret_key_with(kem, secret_key, NULL);
}

codekem_status codekem_kem_derive_public_key(const codekem_kem *kem, uint8_t *public_key,
                                             const uint8_t *secret_key) {
  return codekem_kem_derive_public_key_with(kem, public_key, secret_key, NULL);
}

codekem_status codekem_kem_check_public_key(const codekem_kem *kem, const uint8_t *public_key) {
  if (kem == NULL || public_key == NULL) {
    return CODEKEM_ERROR_NULL;
  }
  return kem->internal->operations->good_public_key(kem->internal->variant, public_key)
             ? CODEKEM_OK
             : CODEKEM_ERROR_PUBLIC_KEY;
}

codekem_status codekem_kem_check_ciphertext(const codekem_kem *kem, const uint8_t *ciphertext) {
  if (kem == NULL || ciphertext == NULL) {
    return CODEKEM_ERROR_NULL;
  }
  return kem->internal->operations->good_ciphertext(kem->internal->variant, ciphertext)
             ? CODEKEM_OK
             : CODEKEM_ERROR_CIPHERTEXT;
}
