/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The public interface: the table of all KEMs, argument checks, and the entry points. */
#include "codekem.h"

#include <string.h>

#include "backends.h"
#include "base/random.h"
#include "base/wipe.h"
#include "bike/bike_kems.h"
#include "hqc/hqc_kems.h"
#include "kem.h"

const char *codekem_version(void) {
  return CODEKEM_VERSION;
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
      return "the workspace is too small or not aligned";
    case CODEKEM_ERROR_PUBLIC_KEY:
      return "the public key is malformed";
    case CODEKEM_ERROR_SECRET_KEY:
      return "the secret key is malformed";
    case CODEKEM_ERROR_CIPHERTEXT:
      return "the ciphertext is malformed";
    case CODEKEM_ERROR_BACKEND:
      return "there is no such back end, or this processor cannot run it";
    case CODEKEM_ERROR_INTERNAL:
      return "a helper library failed";
  }
  return "unknown status";
}

/* A build may name the KEMs that it wants (CMake's CODEKEM_KEMS). */
#if !defined(CODEKEM_KEM_LIST)
#define CODEKEM_KEM_LIST BIKE_KEMS, HQC_KEMS
#endif

static const codekem_kem *const kems[] = {CODEKEM_KEM_LIST};

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
    secure_wipe(buffer, length);
  }
}

codekem_status kem_run_in(uint64_t *words, size_t count, kem_body *body,
                          const struct kem_call *call) {
  const struct arena arena = {words, count};
  const codekem_status status = body(call, arena);

  secure_wipe(words, count * sizeof *words);
  secure_wipe_stack();
  return status;
}

static codekem_status keypair_body(const struct kem_call *call, struct arena arena) {
  const struct codekem_kem_internal *internal = call->kem->internal;
  return internal->operations->keypair(internal->variant, call->backend, call->out[0],
                                       call->out[1], call->in[0], arena);
}

static codekem_status encaps_body(const struct kem_call *call, struct arena arena) {
  const struct codekem_kem_internal *internal = call->kem->internal;
  return internal->operations->encaps(internal->variant, call->backend, call->out[0], call->out[1],
                                      call->in[0], call->in[1], arena);
}

static codekem_status decaps_body(const struct kem_call *call, struct arena arena) {
  const struct codekem_kem_internal *internal = call->kem->internal;
  return internal->operations->decaps(internal->variant, call->backend, call->out[0], call->in[0],
                                      call->in[1], arena);
}

static codekem_status check_secret_key_body(const struct kem_call *call, struct arena arena) {
  const struct codekem_kem_internal *internal = call->kem->internal;
  return internal->operations->check_secret_key(internal->variant, call->backend, call->in[0],
                                                arena);
}

/* Memory of the caller, or none: then the stack is used. */
struct workspace {
  void *memory;
  size_t length;
};

/* Runs body in the workspace or on the stack. */
static codekem_status run(kem_body *body, kem_on_stack *on_stack, struct kem_call *call,
                          const struct workspace *workspace, size_t needed) {
  call->backend = backend_in_use();
  if (call->backend == NULL) {
    return CODEKEM_ERROR_BACKEND;
  }
  if (workspace == NULL) {
    return on_stack(body, call);
  }
  if (workspace->memory == NULL) {
    return CODEKEM_ERROR_NULL;
  }
  if (workspace->length < needed ||
      (uintptr_t)workspace->memory % CODEKEM_WORKSPACE_ALIGNMENT != 0) {
    return CODEKEM_ERROR_WORKSPACE;
  }
  return kem_run_in(workspace->memory, needed / sizeof(uint64_t), body, call);
}

/* Zeroes an output after a failure. */
static void clear(uint8_t *out, size_t length) {
  if (out != NULL) {
    memset(out, 0, length);
  }
}

static codekem_status keypair(const codekem_kem *kem, uint8_t *public_key, uint8_t *secret_key,
                              const uint8_t *seed, const struct workspace *workspace) {
  codekem_status status = CODEKEM_ERROR_NULL;

  if (kem == NULL) {
    return CODEKEM_ERROR_NULL;
  }
  if (public_key != NULL && secret_key != NULL && seed != NULL) {
    struct kem_call call = {kem, NULL, {public_key, secret_key}, {seed, NULL}};
    status = run(keypair_body, kem->internal->keypair_on_stack, &call, workspace,
                 kem->length_keypair_workspace);
  }
  if (status != CODEKEM_OK) {
    clear(public_key, kem->length_public_key);
    clear(secret_key, kem->length_secret_key);
  }
  return status;
}

static codekem_status encaps(const codekem_kem *kem, uint8_t *ciphertext, uint8_t *shared_secret,
                             const uint8_t *public_key, const uint8_t *seed,
                             const struct workspace *workspace) {
  codekem_status status = CODEKEM_ERROR_NULL;

  if (kem == NULL) {
    return CODEKEM_ERROR_NULL;
  }
  if (ciphertext != NULL && shared_secret != NULL && public_key != NULL && seed != NULL) {
    struct kem_call call = {kem, NULL, {ciphertext, shared_secret}, {public_key, seed}};
    status = run(encaps_body, kem->internal->encaps_on_stack, &call, workspace,
                 kem->length_encaps_workspace);
  }
  if (status != CODEKEM_OK) {
    clear(ciphertext, kem->length_ciphertext);
    clear(shared_secret, kem->length_shared_secret);
  }
  return status;
}

static codekem_status decaps(const codekem_kem *kem, uint8_t *shared_secret,
                             const uint8_t *ciphertext, const uint8_t *secret_key,
                             const struct workspace *workspace) {
  codekem_status status = CODEKEM_ERROR_NULL;

  if (kem == NULL) {
    return CODEKEM_ERROR_NULL;
  }
  if (shared_secret != NULL && ciphertext != NULL && secret_key != NULL) {
    struct kem_call call = {kem, NULL, {shared_secret, NULL}, {ciphertext, secret_key}};
    status = run(decaps_body, kem->internal->decaps_on_stack, &call, workspace,
                 kem->length_decaps_workspace);
  }
  if (status != CODEKEM_OK) {
    clear(shared_secret, kem->length_shared_secret);
  }
  return status;
}

codekem_status codekem_kem_keypair(const codekem_kem *kem, uint8_t *public_key,
                                   uint8_t *secret_key) {
  return codekem_kem_keypair_random(kem, public_key, secret_key, random_from_system, NULL);
}

codekem_status codekem_kem_encaps(const codekem_kem *kem, uint8_t *ciphertext,
                                  uint8_t *shared_secret, const uint8_t *public_key) {
  return codekem_kem_encaps_random(kem, ciphertext, shared_secret, public_key, random_from_system,
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

/* The largest request to a source of randomness. */
#define MAX_REQUEST_BYTES 64

codekem_status codekem_kem_keypair_random(const codekem_kem *kem, uint8_t *public_key,
                                          uint8_t *secret_key, codekem_random_function random,
                                          void *context) {
  uint8_t seed[MAX_REQUEST_BYTES];
  codekem_status status = CODEKEM_ERROR_NULL;

  if (kem == NULL) {
    return CODEKEM_ERROR_NULL;
  }
  if (random != NULL) {
    status = random(context, seed, kem->internal->keypair_request) ? CODEKEM_OK
                                                                   : CODEKEM_ERROR_RANDOM;
  }
  if (status == CODEKEM_OK) {
    status = keypair(kem, public_key, secret_key, seed, NULL);
  } else {
    clear(public_key, kem->length_public_key);
    clear(secret_key, kem->length_secret_key);
  }
  secure_wipe(seed, sizeof seed);
  return status;
}

codekem_status codekem_kem_encaps_random(const codekem_kem *kem, uint8_t *ciphertext,
                                         uint8_t *shared_secret, const uint8_t *public_key,
                                         codekem_random_function random, void *context) {
  uint8_t seed[MAX_REQUEST_BYTES];
  codekem_status status = CODEKEM_ERROR_NULL;

  if (kem == NULL) {
    return CODEKEM_ERROR_NULL;
  }
  if (random != NULL) {
    status = random(context, seed, kem->internal->encaps_request) ? CODEKEM_OK
                                                                  : CODEKEM_ERROR_RANDOM;
  }
  if (status == CODEKEM_OK) {
    status = encaps(kem, ciphertext, shared_secret, public_key, seed, NULL);
  } else {
    clear(ciphertext, kem->length_ciphertext);
    clear(shared_secret, kem->length_shared_secret);
  }
  secure_wipe(seed, sizeof seed);
  return status;
}

codekem_status codekem_kem_keypair_workspace(const codekem_kem *kem, uint8_t *public_key,
                                             uint8_t *secret_key, const uint8_t *seed,
                                             void *workspace, size_t workspace_length) {
  const struct workspace own = {workspace, workspace_length};
  return keypair(kem, public_key, secret_key, seed, &own);
}

codekem_status codekem_kem_encaps_workspace(const codekem_kem *kem, uint8_t *ciphertext,
                                            uint8_t *shared_secret, const uint8_t *public_key,
                                            const uint8_t *seed, void *workspace,
                                            size_t workspace_length) {
  const struct workspace own = {workspace, workspace_length};
  return encaps(kem, ciphertext, shared_secret, public_key, seed, &own);
}

codekem_status codekem_kem_decaps_workspace(const codekem_kem *kem, uint8_t *shared_secret,
                                            const uint8_t *ciphertext, const uint8_t *secret_key,
                                            void *workspace, size_t workspace_length) {
  const struct workspace own = {workspace, workspace_length};
  return decaps(kem, shared_secret, ciphertext, secret_key, &own);
}

codekem_status codekem_kem_check_public_key(const codekem_kem *kem, const uint8_t *public_key) {
  if (kem == NULL || public_key == NULL) {
    return CODEKEM_ERROR_NULL;
  }
  return kem->internal->operations->check_public_key(kem->internal->variant, public_key);
}

codekem_status codekem_kem_check_secret_key(const codekem_kem *kem, const uint8_t *secret_key) {
  if (kem == NULL || secret_key == NULL) {
    return CODEKEM_ERROR_NULL;
  }
  struct kem_call call = {kem, NULL, {NULL, NULL}, {secret_key, NULL}};
  return run(check_secret_key_body, kem->internal->decaps_on_stack, &call, NULL, 0);
}

codekem_status codekem_kem_check_ciphertext(const codekem_kem *kem, const uint8_t *ciphertext) {
  if (kem == NULL || ciphertext == NULL) {
    return CODEKEM_ERROR_NULL;
  }
  return kem->internal->operations->check_ciphertext(kem->internal->variant, ciphertext);
}
