/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The public interface: the table of all KEMs, argument checks, and the entry points. */
#include "codekem.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "backends.h"
#include "base/bytes.h"
#include "base/entry.h"
#include "base/random.h"
#include "base/stack.h"
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
  }
  return "unknown status";
}

/* Packages for other languages read members where these are, at the size of their pointers. */
#define CHECK_OFFSET(member, of_4, of_8)                                                    \
  static_assert(offsetof(codekem_kem, member) == (sizeof(void *) == 4 ? (of_4) : (of_8)) || \
                    sizeof(void *) != sizeof(size_t),                                       \
                #member)
CHECK_OFFSET(length_public_key, 16, 32);
CHECK_OFFSET(length_encaps_seed, 36, 72);
CHECK_OFFSET(length_keypair_workspace, 40, 80);
CHECK_OFFSET(length_decaps_workspace, 48, 96);
CHECK_OFFSET(length_check_workspace, 64, 128);

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

/* --- Running a call --------------------------------------------------------------------------- */

codekem_status ckem_kem_run(const struct kem_call *call, uint64_t *words, size_t count) {
  const uint64_t before = ckem_entry_begin();
  const struct arena arena = {words, count};
  const codekem_status status = call->operation(call, arena);

  ckem_secure_wipe(words, count * sizeof *words);
  entry_end(before);
  return status;
}

codekem_status ckem_kem_start(struct kem_call *call, kem_on_stack *on_stack, size_t needed,
                              const struct kem_workspace *workspace) {
  call->backend = ckem_backend_in_use();
  if (call->backend == NULL) {
    return CODEKEM_ERROR_BACKEND;
  }
  if (workspace == NULL) {
    return on_stack != NULL && ckem_stack_has_room(needed + KEM_STACK_MARGIN)
               ? on_stack(call)
               : CODEKEM_ERROR_WORKSPACE;
  }
  if (workspace->memory == NULL) {
    return CODEKEM_ERROR_NULL;
  }
  if (workspace->length < needed ||
      (uintptr_t)workspace->memory % CODEKEM_WORKSPACE_ALIGNMENT != 0) {
    return CODEKEM_ERROR_WORKSPACE;
  }
  return ckem_kem_run(call, workspace->memory, needed / sizeof(uint64_t));
}

/* --- The operations, with their memory -------------------------------------------------------- */

static codekem_status keypair(const codekem_kem *kem, uint8_t *public_key, uint8_t *secret_key,
                              const uint8_t *seed, const struct kem_workspace *workspace) {
  codekem_status status = CODEKEM_ERROR_NULL;

  if (kem == NULL) {
    return CODEKEM_ERROR_NULL;
  }
  if (public_key != NULL && secret_key != NULL && seed != NULL) {
    struct kem_call call = {.kem = kem,
                            .operation = kem->internal->operations->keypair,
                            .out = {.public_key = public_key, .secret_key = secret_key},
                            .in = {.seed = seed}};
    status = ckem_kem_start(&call, kem->internal->stacks->keypair, kem->length_keypair_workspace,
                            workspace);
  }
  if (status != CODEKEM_OK) {
    clear_output(public_key, kem->length_public_key);
    clear_output(secret_key, kem->length_secret_key);
  }
  return status;
}

static codekem_status encaps(const codekem_kem *kem, uint8_t *ciphertext, uint8_t *shared_secret,
                             const uint8_t *public_key, const uint8_t *seed,
                             const struct kem_workspace *workspace) {
  codekem_status status = CODEKEM_ERROR_NULL;

  if (kem == NULL) {
    return CODEKEM_ERROR_NULL;
  }
  if (ciphertext != NULL && shared_secret != NULL && public_key != NULL && seed != NULL) {
    struct kem_call call = {.kem = kem,
                            .operation = kem->internal->operations->encaps,
                            .out = {.ciphertext = ciphertext, .shared_secret = shared_secret},
                            .in = {.public_key = public_key, .seed = seed}};
    status = ckem_kem_start(&call, kem->internal->stacks->encaps, kem->length_encaps_workspace,
                            workspace);
  }
  if (status != CODEKEM_OK) {
    clear_output(ciphertext, kem->length_ciphertext);
    clear_output(shared_secret, kem->length_shared_secret);
  }
  return status;
}

static codekem_status decaps(const codekem_kem *kem, uint8_t *shared_secret,
                             const uint8_t *ciphertext, const uint8_t *secret_key,
                             const struct kem_workspace *workspace) {
  codekem_status status = CODEKEM_ERROR_NULL;

  if (kem == NULL) {
    return CODEKEM_ERROR_NULL;
  }
  if (shared_secret != NULL && ciphertext != NULL && secret_key != NULL) {
    struct kem_call call = {.kem = kem,
                            .operation = kem->internal->operations->decaps,
                            .out = {.shared_secret = shared_secret},
                            .in = {.ciphertext = ciphertext, .secret_key = secret_key}};
    status = ckem_kem_start(&call, kem->internal->stacks->decaps, kem->length_decaps_workspace,
                            workspace);
  }
  if (status != CODEKEM_OK) {
    clear_output(shared_secret, kem->length_shared_secret);
  }
  return status;
}

static codekem_status check_secret_key(const codekem_kem *kem, const uint8_t *secret_key,
                                       const struct kem_workspace *workspace) {
  if (kem == NULL || secret_key == NULL) {
    return CODEKEM_ERROR_NULL;
  }
  struct kem_call call = {.kem = kem,
                          .operation = kem->internal->operations->check_secret_key,
                          .in = {.secret_key = secret_key}};
  return ckem_kem_start(&call, kem->internal->stacks->check, kem->length_check_workspace,
                        workspace);
}

static codekem_status derive_public_key(const codekem_kem *kem, uint8_t *public_key,
                                        const uint8_t *secret_key,
                                        const struct kem_workspace *workspace) {
  codekem_status status = CODEKEM_ERROR_NULL;

  if (kem == NULL) {
    return CODEKEM_ERROR_NULL;
  }
  if (public_key != NULL && secret_key != NULL) {
    struct kem_call call = {.kem = kem,
                            .operation = kem->internal->operations->derive_public_key,
                            .out = {.public_key = public_key},
                            .in = {.secret_key = secret_key}};
    status =
        ckem_kem_start(&call, kem->internal->stacks->check, kem->length_check_workspace, workspace);
  }
  if (status != CODEKEM_OK) {
    clear_output(public_key, kem->length_public_key);
  }
  return status;
}

static codekem_status keypair_random(const codekem_kem *kem, uint8_t *public_key,
                                     uint8_t *secret_key, codekem_random_function random,
                                     void *context, const struct kem_workspace *workspace) {
  uint8_t seed[KEM_MAX_REQUEST_BYTES];
  codekem_status status = CODEKEM_ERROR_NULL;

  if (kem == NULL) {
    return CODEKEM_ERROR_NULL;
  }
  if (random != NULL) {
    status =
        random(context, seed, kem->internal->keypair_request) ? CODEKEM_OK : CODEKEM_ERROR_RANDOM;
  }
  if (status == CODEKEM_OK) {
    status = keypair(kem, public_key, secret_key, seed, workspace);
  } else {
    clear_output(public_key, kem->length_public_key);
    clear_output(secret_key, kem->length_secret_key);
  }
  ckem_secure_wipe(seed, sizeof seed);
  return status;
}

static codekem_status encaps_random(const codekem_kem *kem, uint8_t *ciphertext,
                                    uint8_t *shared_secret, const uint8_t *public_key,
                                    codekem_random_function random, void *context,
                                    const struct kem_workspace *workspace) {
  uint8_t seed[KEM_MAX_REQUEST_BYTES];
  codekem_status status = CODEKEM_ERROR_NULL;

  if (kem == NULL) {
    return CODEKEM_ERROR_NULL;
  }
  if (random != NULL) {
    status =
        random(context, seed, kem->internal->encaps_request) ? CODEKEM_OK : CODEKEM_ERROR_RANDOM;
  }
  if (status == CODEKEM_OK) {
    status = encaps(kem, ciphertext, shared_secret, public_key, seed, workspace);
  } else {
    clear_output(ciphertext, kem->length_ciphertext);
    clear_output(shared_secret, kem->length_shared_secret);
  }
  ckem_secure_wipe(seed, sizeof seed);
  return status;
}

/* --- The entry points: on the stack ----------------------------------------------------------- */

codekem_status codekem_kem_keypair(const codekem_kem *kem, uint8_t *public_key,
                                   uint8_t *secret_key) {
  return keypair_random(kem, public_key, secret_key, ckem_random_from_system, NULL, NULL);
}

codekem_status codekem_kem_encaps(const codekem_kem *kem, uint8_t *ciphertext,
                                  uint8_t *shared_secret, const uint8_t *public_key) {
  return encaps_random(kem, ciphertext, shared_secret, public_key, ckem_random_from_system, NULL,
                       NULL);
}

codekem_status codekem_kem_decaps(const codekem_kem *kem, uint8_t *shared_secret,
                                  const uint8_t *ciphertext, const uint8_t *secret_key) {
  return decaps(kem, shared_secret, ciphertext, secret_key, NULL);
}

codekem_status codekem_kem_keypair_derand(const codekem_kem *kem, uint8_t *public_key,
                                          uint8_t *secret_key, const uint8_t *seed) {
  return keypair(kem, public_key, secret_key, seed, NULL);
}

codekem_status codekem_kem_encaps_derand(const codekem_kem *kem, uint8_t *ciphertext,
                                         uint8_t *shared_secret, const uint8_t *public_key,
                                         const uint8_t *seed) {
  return encaps(kem, ciphertext, shared_secret, public_key, seed, NULL);
}

codekem_status codekem_kem_keypair_random(const codekem_kem *kem, uint8_t *public_key,
                                          uint8_t *secret_key, codekem_random_function random,
                                          void *context) {
  return keypair_random(kem, public_key, secret_key, random, context, NULL);
}

codekem_status codekem_kem_encaps_random(const codekem_kem *kem, uint8_t *ciphertext,
                                         uint8_t *shared_secret, const uint8_t *public_key,
                                         codekem_random_function random, void *context) {
  return encaps_random(kem, ciphertext, shared_secret, public_key, random, context, NULL);
}

codekem_status codekem_kem_check_secret_key(const codekem_kem *kem, const uint8_t *secret_key) {
  return check_secret_key(kem, secret_key, NULL);
}

codekem_status codekem_kem_derive_public_key(const codekem_kem *kem, uint8_t *public_key,
                                             const uint8_t *secret_key) {
  return derive_public_key(kem, public_key, secret_key, NULL);
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

/* --- The entry points: in the caller's memory ------------------------------------------------- */

codekem_status codekem_kem_keypair_workspace(const codekem_kem *kem, uint8_t *public_key,
                                             uint8_t *secret_key, const uint8_t *seed,
                                             void *workspace, size_t workspace_length) {
  const struct kem_workspace own = {workspace, workspace_length};
  return keypair(kem, public_key, secret_key, seed, &own);
}

codekem_status codekem_kem_encaps_workspace(const codekem_kem *kem, uint8_t *ciphertext,
                                            uint8_t *shared_secret, const uint8_t *public_key,
                                            const uint8_t *seed, void *workspace,
                                            size_t workspace_length) {
  const struct kem_workspace own = {workspace, workspace_length};
  return encaps(kem, ciphertext, shared_secret, public_key, seed, &own);
}

codekem_status codekem_kem_decaps_workspace(const codekem_kem *kem, uint8_t *shared_secret,
                                            const uint8_t *ciphertext, const uint8_t *secret_key,
                                            void *workspace, size_t workspace_length) {
  const struct kem_workspace own = {workspace, workspace_length};
  return decaps(kem, shared_secret, ciphertext, secret_key, &own);
}

codekem_status codekem_kem_keypair_random_workspace(const codekem_kem *kem, uint8_t *public_key,
                                                    uint8_t *secret_key,
                                                    codekem_random_function random, void *context,
                                                    void *workspace, size_t workspace_length) {
  const struct kem_workspace own = {workspace, workspace_length};
  return keypair_random(kem, public_key, secret_key, random, context, &own);
}

codekem_status codekem_kem_encaps_random_workspace(
    const codekem_kem *kem, uint8_t *ciphertext, uint8_t *shared_secret, const uint8_t *public_key,
    codekem_random_function random, void *context, void *workspace, size_t workspace_length) {
  const struct kem_workspace own = {workspace, workspace_length};
  return encaps_random(kem, ciphertext, shared_secret, public_key, random, context, &own);
}

codekem_status codekem_kem_check_secret_key_workspace(
    const codekem_kem *kem, const uint8_t *secret_key, void *workspace, size_t workspace_length) {
  const struct kem_workspace own = {workspace, workspace_length};
  return check_secret_key(kem, secret_key, &own);
}

codekem_status codekem_kem_derive_public_key_workspace(const codekem_kem *kem, uint8_t *public_key,
                                                       const uint8_t *secret_key, void *workspace,
                                                       size_t workspace_length) {
  const struct kem_workspace own = {workspace, workspace_length};
  return derive_public_key(kem, public_key, secret_key, &own);
}
