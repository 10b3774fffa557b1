/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The public interface of codekem-sofia: checks of arguments, memory, and the order of steps. */
#include "codekem_sofia.h"

#include <assert.h>
#include <stdalign.h>
#include <string.h>

#include "backends.h"
#include "base/bytes.h"
#include "base/entry.h"
#include "base/random.h"
#include "base/stack.h"
#include "base/wipe.h"
#include "sofia/sofia.h"

static_assert(CODEKEM_SOFIA_PUBLIC_KEY == SOFIA_PUBLIC_KEY_BYTES, "as the header says");
static_assert(CODEKEM_SOFIA_SECRET_KEY == SOFIA_SECRET_KEY_BYTES, "as the header says");
static_assert(CODEKEM_SOFIA_KEYPAIR_SEED == SOFIA_SECRET_KEY_BYTES, "as the header says");
static_assert(CODEKEM_SOFIA_SIGNATURE == SOFIA_SIGNATURE_BYTES, "as the header says");

/* The stack beside the memory of a call: frames, and what is wiped below them. */
#define STACK_MARGIN 16384

/* For functions with the memory of a call on their stack, which is asked for room before. */
#define NOT_INLINED __attribute__((noinline))

/* Which step a session waits for. */
enum stage { NOTHING, SIGN_FIRST, SIGN_SECOND, VERIFY };

/* What the workspace of a signature or a verification holds between the steps. */
struct session {
  enum stage stage;
  union {
    struct sofia_signing signing;
    struct sofia_verifying verifying;
  } memory;
};

static_assert(sizeof(struct sofia_generating) <= CODEKEM_SOFIA_KEYPAIR_WORKSPACE, "see the header");
static_assert(sizeof(struct session) <= CODEKEM_SOFIA_SIGN_WORKSPACE, "see the header");
static_assert(sizeof(struct session) <= CODEKEM_SOFIA_VERIFY_WORKSPACE, "see the header");
static_assert(alignof(struct session) <= CODEKEM_WORKSPACE_ALIGNMENT, "see the header");

const char *codekem_sofia_status_text(codekem_sofia_status status) {
  switch (status) {
    case CODEKEM_SOFIA_OK:
    case CODEKEM_SOFIA_ERROR_NULL:
    case CODEKEM_SOFIA_ERROR_RANDOM:
    case CODEKEM_SOFIA_ERROR_WORKSPACE:
    case CODEKEM_SOFIA_ERROR_BACKEND:
      return codekem_status_text((codekem_status)status);
    case CODEKEM_SOFIA_ERROR_SIGNATURE:
      return "the signature is not one of this message for this public key";
    case CODEKEM_SOFIA_ERROR_MESSAGE:
      return "the message was not the same both times";
    case CODEKEM_SOFIA_ERROR_ORDER:
      return "this step was not the next one";
  }
  return "unknown status";
}

/* --- Memory ----------------------------------------------------------------------------------- */

static codekem_sofia_status check_workspace(const void *workspace, size_t length, size_t needed) {
  if (workspace == NULL) {
    return CODEKEM_SOFIA_ERROR_NULL;
  }
  if (length < needed || (uintptr_t)workspace % CODEKEM_WORKSPACE_ALIGNMENT != 0) {
    return CODEKEM_SOFIA_ERROR_WORKSPACE;
  }
  return CODEKEM_SOFIA_OK;
}

/* Leaves nothing in a workspace that cannot be used, so that the steps which follow refuse. Passes
 * status on. */
static codekem_sofia_status refuse_session(void *workspace, size_t length,
                                           codekem_sofia_status status) {
  if (workspace != NULL) {
    ckem_secure_wipe(workspace, length);
  }
  return status;
}

/* Checks the workspace of a step that is not the first. */
static codekem_sofia_status check_session(const void *workspace) {
  return check_workspace(workspace, 0, 0);
}

/* Wipes a session and the stack below, and passes status on. Where nothing was begun, the workspace
 * may be shorter than a session, and is left alone. */
static codekem_sofia_status end_session(struct session *session, codekem_sofia_status status) {
  if (session->stage != NOTHING) {
    ckem_secure_wipe(session, sizeof *session);
    entry_end(ckem_entry_begin());
  }
  return status;
}

/* --- Key pairs -------------------------------------------------------------------------------- */

/* Makes the pair in checked memory. seed may be secret_key. */
static codekem_sofia_status keypair_in(void *memory, uint8_t *public_key, uint8_t *secret_key,
                                       const uint8_t *seed) {
  const struct backend *backend = ckem_backend_in_use();

  if (backend == NULL) {
    return CODEKEM_SOFIA_ERROR_BACKEND;
  }
  const uint64_t before = ckem_entry_begin();
  ckem_sofia_make_keypair(memory, backend, public_key, seed);
  memmove(secret_key, seed, CODEKEM_SOFIA_SECRET_KEY);
  ckem_secure_wipe(memory, sizeof(struct sofia_generating));
  entry_end(before);
  return CODEKEM_SOFIA_OK;
}

codekem_sofia_status codekem_sofia_keypair_workspace(uint8_t *public_key, uint8_t *secret_key,
                                                     const uint8_t *seed, void *workspace,
                                                     size_t workspace_length) {
  codekem_sofia_status status =
      check_workspace(workspace, workspace_length, CODEKEM_SOFIA_KEYPAIR_WORKSPACE);

  if (public_key == NULL || secret_key == NULL || seed == NULL) {
    status = CODEKEM_SOFIA_ERROR_NULL;
  }
  if (status == CODEKEM_SOFIA_OK) {
    status = keypair_in(workspace, public_key, secret_key, seed);
  }
  if (status != CODEKEM_SOFIA_OK) {
    clear_output(public_key, CODEKEM_SOFIA_PUBLIC_KEY);
    clear_output(secret_key, CODEKEM_SOFIA_SECRET_KEY);
  }
  return status;
}

static NOT_INLINED codekem_sofia_status keypair_on_stack(uint8_t *public_key, uint8_t *secret_key,
                                                         const uint8_t *seed) {
  alignas(CODEKEM_WORKSPACE_ALIGNMENT) uint8_t memory[CODEKEM_SOFIA_KEYPAIR_WORKSPACE];

  return codekem_sofia_keypair_workspace(public_key, secret_key, seed, memory, sizeof memory);
}

codekem_sofia_status codekem_sofia_keypair_derand(uint8_t *public_key, uint8_t *secret_key,
                                                  const uint8_t *seed) {
  if (ckem_stack_has_room(CODEKEM_SOFIA_KEYPAIR_WORKSPACE + STACK_MARGIN)) {
    return keypair_on_stack(public_key, secret_key, seed);
  }
  clear_output(public_key, CODEKEM_SOFIA_PUBLIC_KEY);
  clear_output(secret_key, CODEKEM_SOFIA_SECRET_KEY);
  return CODEKEM_SOFIA_ERROR_WORKSPACE;
}

codekem_sofia_status codekem_sofia_keypair_random(uint8_t *public_key, uint8_t *secret_key,
                                                  codekem_random_function random, void *context) {
  uint8_t seed[CODEKEM_SOFIA_KEYPAIR_SEED];
  codekem_sofia_status status = CODEKEM_SOFIA_ERROR_NULL;

  if (random != NULL && public_key != NULL && secret_key != NULL) {
    status = random(context, seed, sizeof seed) ? CODEKEM_SOFIA_OK : CODEKEM_SOFIA_ERROR_RANDOM;
  }
  if (status == CODEKEM_SOFIA_OK) {
    status = codekem_sofia_keypair_derand(public_key, secret_key, seed);
  } else {
    clear_output(public_key, CODEKEM_SOFIA_PUBLIC_KEY);
    clear_output(secret_key, CODEKEM_SOFIA_SECRET_KEY);
  }
  ckem_secure_wipe(seed, sizeof seed);
  return status;
}

codekem_sofia_status codekem_sofia_keypair(uint8_t *public_key, uint8_t *secret_key) {
  return codekem_sofia_keypair_random(public_key, secret_key, ckem_random_from_system, NULL);
}

/* --- Signing ---------------------------------------------------------------------------------- */

codekem_sofia_status codekem_sofia_sign_start(void *workspace, size_t workspace_length,
                                              const uint8_t *secret_key) {
  codekem_sofia_status status =
      check_workspace(workspace, workspace_length, CODEKEM_SOFIA_SIGN_WORKSPACE);
  const struct backend *backend = ckem_backend_in_use();
  struct session *session = workspace;

  if (secret_key == NULL) {
    status = CODEKEM_SOFIA_ERROR_NULL;
  } else if (status == CODEKEM_SOFIA_OK && backend == NULL) {
    status = CODEKEM_SOFIA_ERROR_BACKEND;
  }
  if (status != CODEKEM_SOFIA_OK) {
    return refuse_session(workspace, workspace_length, status);
  }
  const uint64_t before = ckem_entry_begin();
  ckem_sofia_sign_begin(&session->memory.signing, backend, secret_key);
  session->stage = SIGN_FIRST;
  entry_end(before);
  return CODEKEM_SOFIA_OK;
}

codekem_sofia_status codekem_sofia_sign_update(void *workspace, const uint8_t *part,
                                               size_t length) {
  const codekem_sofia_status checked = check_session(workspace);
  struct session *session = workspace;

  if (checked != CODEKEM_SOFIA_OK) {
    return checked;
  }
  if (session->stage != SIGN_FIRST && session->stage != SIGN_SECOND) {
    return end_session(session, CODEKEM_SOFIA_ERROR_ORDER);
  }
  if (part == NULL && length > 0) {
    return end_session(session, CODEKEM_SOFIA_ERROR_NULL);
  }
  if (length > 0) {
    const uint64_t before = ckem_entry_begin();
    ckem_sofia_sign_absorb(&session->memory.signing, part, length, session->stage == SIGN_SECOND);
    entry_end(before);
  }
  return CODEKEM_SOFIA_OK;
}

codekem_sofia_status codekem_sofia_sign_again(void *workspace) {
  const codekem_sofia_status checked = check_session(workspace);
  struct session *session = workspace;

  if (checked != CODEKEM_SOFIA_OK) {
    return checked;
  }
  if (session->stage != SIGN_FIRST) {
    return end_session(session, CODEKEM_SOFIA_ERROR_ORDER);
  }
  const uint64_t before = ckem_entry_begin();
  ckem_sofia_sign_draw(&session->memory.signing);
  ckem_sofia_sign_commit(&session->memory.signing);
  session->stage = SIGN_SECOND;
  entry_end(before);
  return CODEKEM_SOFIA_OK;
}

codekem_sofia_status codekem_sofia_sign_finish(void *workspace, uint8_t *signature) {
  struct session *session = workspace;
  codekem_sofia_status status = check_session(workspace);

  if (status != CODEKEM_SOFIA_OK) {
    clear_output(signature, CODEKEM_SOFIA_SIGNATURE);
    return status;
  }
  const uint64_t before = ckem_entry_begin();
  if (signature == NULL) {
    status = CODEKEM_SOFIA_ERROR_NULL;
  } else if (session->stage != SIGN_SECOND) {
    status = CODEKEM_SOFIA_ERROR_ORDER;
  } else if (!ckem_sofia_sign_same_message(&session->memory.signing)) {
    status = CODEKEM_SOFIA_ERROR_MESSAGE;
  } else if (!ckem_sofia_sign_write(&session->memory.signing, signature)) {
    status = CODEKEM_SOFIA_ERROR_RANDOM;
  }
  if (status != CODEKEM_SOFIA_OK) {
    clear_output(signature, CODEKEM_SOFIA_SIGNATURE);
  }
  status = end_session(session, status);
  ckem_entry_restore(before);
  return status;
}

codekem_sofia_status codekem_sofia_sign_workspace(uint8_t *signature, const uint8_t *message,
                                                  size_t message_length, const uint8_t *secret_key,
                                                  void *workspace, size_t workspace_length) {
  codekem_sofia_status status = CODEKEM_SOFIA_ERROR_NULL;

  if (signature != NULL && (message != NULL || message_length == 0)) {
    status = codekem_sofia_sign_start(workspace, workspace_length, secret_key);
  }
  if (status == CODEKEM_SOFIA_OK) {
    status = codekem_sofia_sign_update(workspace, message, message_length);
  }
  if (status == CODEKEM_SOFIA_OK) {
    status = codekem_sofia_sign_again(workspace);
  }
  if (status == CODEKEM_SOFIA_OK) {
    status = codekem_sofia_sign_update(workspace, message, message_length);
  }
  if (status == CODEKEM_SOFIA_OK) {
    return codekem_sofia_sign_finish(workspace, signature);
  }
  clear_output(signature, CODEKEM_SOFIA_SIGNATURE);
  return status;
}

static NOT_INLINED codekem_sofia_status sign_on_stack(
    uint8_t *signature, const uint8_t *message, size_t message_length, const uint8_t *secret_key) {
  alignas(CODEKEM_WORKSPACE_ALIGNMENT) uint8_t memory[CODEKEM_SOFIA_SIGN_WORKSPACE];

  return codekem_sofia_sign_workspace(signature, message, message_length, secret_key, memory,
                                      sizeof memory);
}

codekem_sofia_status codekem_sofia_sign(uint8_t *signature, const uint8_t *message,
                                        size_t message_length, const uint8_t *secret_key) {
  if (ckem_stack_has_room(CODEKEM_SOFIA_SIGN_WORKSPACE + STACK_MARGIN)) {
    return sign_on_stack(signature, message, message_length, secret_key);
  }
  clear_output(signature, CODEKEM_SOFIA_SIGNATURE);
  return CODEKEM_SOFIA_ERROR_WORKSPACE;
}

/* --- Verification ----------------------------------------------------------------------------- */

codekem_sofia_status codekem_sofia_verify_start(void *workspace, size_t workspace_length,
                                                const uint8_t *signature, size_t signature_length,
                                                const uint8_t *public_key) {
  codekem_sofia_status status =
      check_workspace(workspace, workspace_length, CODEKEM_SOFIA_VERIFY_WORKSPACE);
  const struct backend *backend = ckem_backend_in_use();
  struct session *session = workspace;

  if (signature == NULL || public_key == NULL) {
    status = CODEKEM_SOFIA_ERROR_NULL;
  } else if (status == CODEKEM_SOFIA_OK && signature_length != CODEKEM_SOFIA_SIGNATURE) {
    status = CODEKEM_SOFIA_ERROR_SIGNATURE;
  } else if (status == CODEKEM_SOFIA_OK && backend == NULL) {
    status = CODEKEM_SOFIA_ERROR_BACKEND;
  }
  if (status != CODEKEM_SOFIA_OK) {
    return refuse_session(workspace, workspace_length, status);
  }
  ckem_sofia_verify_begin(&session->memory.verifying, backend, signature, public_key);
  session->stage = VERIFY;
  return CODEKEM_SOFIA_OK;
}

codekem_sofia_status codekem_sofia_verify_update(void *workspace, const uint8_t *part,
                                                 size_t length) {
  const codekem_sofia_status checked = check_session(workspace);
  struct session *session = workspace;

  if (checked != CODEKEM_SOFIA_OK) {
    return checked;
  }
  if (session->stage != VERIFY) {
    return end_session(session, CODEKEM_SOFIA_ERROR_ORDER);
  }
  if (part == NULL && length > 0) {
    return end_session(session, CODEKEM_SOFIA_ERROR_NULL);
  }
  if (length > 0) {
    ckem_keccak_absorb(&session->memory.verifying.hash, part, length);
  }
  return CODEKEM_SOFIA_OK;
}

codekem_sofia_status codekem_sofia_verify_finish(void *workspace) {
  const codekem_sofia_status checked = check_session(workspace);
  struct session *session = workspace;

  if (checked != CODEKEM_SOFIA_OK) {
    return checked;
  }
  if (session->stage != VERIFY) {
    return end_session(session, CODEKEM_SOFIA_ERROR_ORDER);
  }
  return end_session(session, ckem_sofia_verify_result(&session->memory.verifying)
                                  ? CODEKEM_SOFIA_OK
                                  : CODEKEM_SOFIA_ERROR_SIGNATURE);
}

codekem_sofia_status codekem_sofia_verify_workspace(
    const uint8_t *message, size_t message_length, const uint8_t *signature,
    size_t signature_length, const uint8_t *public_key, void *workspace, size_t workspace_length) {
  codekem_sofia_status status = CODEKEM_SOFIA_ERROR_NULL;

  if (message != NULL || message_length == 0) {
    status = codekem_sofia_verify_start(workspace, workspace_length, signature, signature_length,
                                        public_key);
  }
  if (status == CODEKEM_SOFIA_OK) {
    status = codekem_sofia_verify_update(workspace, message, message_length);
  }
  if (status == CODEKEM_SOFIA_OK) {
    status = codekem_sofia_verify_finish(workspace);
  }
  return status;
}

static NOT_INLINED codekem_sofia_status verify_on_stack(
    const uint8_t *message, size_t message_length, const uint8_t *signature,
    size_t signature_length, const uint8_t *public_key) {
  alignas(CODEKEM_WORKSPACE_ALIGNMENT) uint8_t memory[CODEKEM_SOFIA_VERIFY_WORKSPACE];

  return codekem_sofia_verify_workspace(message, message_length, signature, signature_length,
                                        public_key, memory, sizeof memory);
}

codekem_sofia_status codekem_sofia_verify(const uint8_t *message, size_t message_length,
                                          const uint8_t *signature, size_t signature_length,
                                          const uint8_t *public_key) {
  if (ckem_stack_has_room(CODEKEM_SOFIA_VERIFY_WORKSPACE + STACK_MARGIN)) {
    return verify_on_stack(message, message_length, signature, signature_length, public_key);
  }
  return CODEKEM_SOFIA_ERROR_WORKSPACE;
}
