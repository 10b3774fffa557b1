/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * codekem-sofia: the signature scheme SOFIA-4-128 of 2017, in a library of its own.
 *
 * A research scheme, for studies and comparisons: nobody has standardised it, few have looked for
 * attacks, and a signature takes 123 KiB. For signatures that protect something, use ML-DSA or
 * SLH-DSA (docs/sofia.md says more).
 *
 * Signing is deterministic: the same key and message always give the same signature. It is the
 * variant of the authors' reference code, revision a24fea1 of 2018-03-05; signatures of their
 * vector code verify, too. A message has any length, and is signed as it is: no context, no hash
 * before.
 *
 * The conventions are those of codekem.h, whose choice of a back end holds here, too
 * (codekem_backend_select, CODEKEM_CPU): every function is thread-safe, nothing is taken from the
 * heap, and when a call fails, its outputs are zeroed.
 */
#ifndef CODEKEM_SOFIA_H
#define CODEKEM_SOFIA_H

#include <stddef.h>
#include <stdint.h>

#include "codekem.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The name of the scheme and the revision of the authors' code that this follows. */
#define CODEKEM_SOFIA_NAME "SOFIA-4-128"
#define CODEKEM_SOFIA_ALG_VERSION "a24fea1"

/* Lengths in bytes. Every signature has the same. */
#define CODEKEM_SOFIA_PUBLIC_KEY 64
#define CODEKEM_SOFIA_SECRET_KEY 32
#define CODEKEM_SOFIA_SIGNATURE 126176
#define CODEKEM_SOFIA_KEYPAIR_SEED 32

/* Working memory in bytes. The functions without a workspace take it, and 16 KiB, from the stack;
 * where threads have little and the system can be asked, they refuse with
 * CODEKEM_SOFIA_ERROR_WORKSPACE (see codekem.h). Elsewhere a thread that signs or verifies needs a
 * stack of 640 KiB, or uses the functions with a workspace, which take 16 KiB of stack. */
#define CODEKEM_SOFIA_KEYPAIR_WORKSPACE 16384
#define CODEKEM_SOFIA_SIGN_WORKSPACE 524288
#define CODEKEM_SOFIA_VERIFY_WORKSPACE 524288

/* The result of a call. Those that codekem_status has, too, have the same numbers. */
typedef enum codekem_sofia_status {
  CODEKEM_SOFIA_OK = CODEKEM_OK,
  CODEKEM_SOFIA_ERROR_NULL = CODEKEM_ERROR_NULL,
  CODEKEM_SOFIA_ERROR_RANDOM = CODEKEM_ERROR_RANDOM,
  CODEKEM_SOFIA_ERROR_WORKSPACE = CODEKEM_ERROR_WORKSPACE,
  CODEKEM_SOFIA_ERROR_BACKEND = CODEKEM_ERROR_BACKEND,
  CODEKEM_SOFIA_ERROR_SIGNATURE = 32, /* the signature does not verify, or has another length */
  CODEKEM_SOFIA_ERROR_MESSAGE = 33,   /* the message was not the same both times */
  CODEKEM_SOFIA_ERROR_ORDER = 34,     /* a step of signing or verifying at the wrong time */
} codekem_sofia_status;

/* Returns a sentence for a status, never NULL. */
CODEKEM_API const char *codekem_sofia_status_text(codekem_sofia_status status);

/* --- On the stack -------------------------------------------------------------------------------
 * All functions: CODEKEM_SOFIA_ERROR_NULL if a pointer is NULL, but that of an empty message;
 * _WORKSPACE; _BACKEND if CODEKEM_CPU names none that can run. */

/* Makes a key pair with randomness from the operating system. Errors: CODEKEM_SOFIA_ERROR_RANDOM.
 * Timing: constant in the secret key. */
CODEKEM_API codekem_sofia_status codekem_sofia_keypair(uint8_t *public_key,
                                                       uint8_t *secret_key) CODEKEM_CHECK_RESULT;

/* The same from seed[CODEKEM_SOFIA_KEYPAIR_SEED]. The secret key is the seed, so this also gives
 * the public key that belongs to a secret key. seed may be secret_key. */
CODEKEM_API codekem_sofia_status codekem_sofia_keypair_derand(
    uint8_t *public_key, uint8_t *secret_key, const uint8_t *seed) CODEKEM_CHECK_RESULT;

/* The same with a seed from random(context, ...), which is asked once. */
CODEKEM_API codekem_sofia_status codekem_sofia_keypair_random(uint8_t *public_key,
                                                              uint8_t *secret_key,
                                                              codekem_random_function random,
                                                              void *context) CODEKEM_CHECK_RESULT;

/* Signs message[message_length]; writes signature[CODEKEM_SOFIA_SIGNATURE], which may overlap the
 * message. The message must not change meanwhile: two signatures with the randomness of one would
 * give the key away, so the call then fails with CODEKEM_SOFIA_ERROR_MESSAGE.
 * Timing: constant in the secret key and in all that is derived from it but the signature; it
 * depends on the length of the message. */
CODEKEM_API codekem_sofia_status codekem_sofia_sign(uint8_t *signature, const uint8_t *message,
                                                    size_t message_length,
                                                    const uint8_t *secret_key) CODEKEM_CHECK_RESULT;

/* Verifies a signature. Errors: CODEKEM_SOFIA_ERROR_SIGNATURE if it is not one of this message for
 * this public key, or not CODEKEM_SOFIA_SIGNATURE bytes long. Timing: everything is public. */
CODEKEM_API codekem_sofia_status codekem_sofia_verify(
    const uint8_t *message, size_t message_length, const uint8_t *signature,
    size_t signature_length, const uint8_t *public_key) CODEKEM_CHECK_RESULT;

/* --- Your own memory ----------------------------------------------------------------------------
 * As above in workspace[workspace_length], at least CODEKEM_SOFIA_*_WORKSPACE bytes and aligned to
 * CODEKEM_WORKSPACE_ALIGNMENT, which is wiped in the end. */

CODEKEM_API codekem_sofia_status codekem_sofia_keypair_workspace(
    uint8_t *public_key, uint8_t *secret_key, const uint8_t *seed, void *workspace,
    size_t workspace_length) CODEKEM_CHECK_RESULT;
CODEKEM_API codekem_sofia_status codekem_sofia_sign_workspace(
    uint8_t *signature, const uint8_t *message, size_t message_length, const uint8_t *secret_key,
    void *workspace, size_t workspace_length) CODEKEM_CHECK_RESULT;
CODEKEM_API codekem_sofia_status codekem_sofia_verify_workspace(
    const uint8_t *message, size_t message_length, const uint8_t *signature,
    size_t signature_length, const uint8_t *public_key, void *workspace,
    size_t workspace_length) CODEKEM_CHECK_RESULT;

/* --- A message in parts -------------------------------------------------------------------------
 * For messages that are not in memory. All steps of one signature have the same workspace, as
 * above; between them it holds secrets and must stay where it is. A step that fails wipes it, and
 * so does the last one; who gives up before wipes it with codekem_wipe. After a start that failed
 * the other steps fail, too.
 *
 * Verifying takes the message once, behind the signature:
 *   verify_start, verify_update for each part, verify_finish.
 * Signing takes it twice, because the randomness depends on the message and the signature on both:
 *   sign_start, sign_update for each part, sign_again, sign_update for each part, sign_finish.
 * The parts need not be the same both times, but the message must: otherwise sign_finish fails with
 * CODEKEM_SOFIA_ERROR_MESSAGE. A step out of order fails with CODEKEM_SOFIA_ERROR_ORDER. */

CODEKEM_API codekem_sofia_status codekem_sofia_sign_start(
    void *workspace, size_t workspace_length, const uint8_t *secret_key) CODEKEM_CHECK_RESULT;
CODEKEM_API codekem_sofia_status codekem_sofia_sign_update(void *workspace, const uint8_t *part,
                                                           size_t length) CODEKEM_CHECK_RESULT;
CODEKEM_API codekem_sofia_status codekem_sofia_sign_again(void *workspace) CODEKEM_CHECK_RESULT;
CODEKEM_API codekem_sofia_status codekem_sofia_sign_finish(void *workspace,
                                                           uint8_t *signature) CODEKEM_CHECK_RESULT;

CODEKEM_API codekem_sofia_status codekem_sofia_verify_start(
    void *workspace, size_t workspace_length, const uint8_t *signature, size_t signature_length,
    const uint8_t *public_key) CODEKEM_CHECK_RESULT;
CODEKEM_API codekem_sofia_status codekem_sofia_verify_update(void *workspace, const uint8_t *part,
                                                             size_t length) CODEKEM_CHECK_RESULT;
CODEKEM_API codekem_sofia_status codekem_sofia_verify_finish(void *workspace) CODEKEM_CHECK_RESULT;

#ifdef __cplusplus
}
#endif

#endif
