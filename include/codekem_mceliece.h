/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * codekem-mceliece: Classic McEliece of 2022-10-23, which is also the one of ISO/IEC 18033-2 Amd 2.
 * The objects work with every codekem_kem_* function of codekem.h.
 *
 * Its standing: the categories were claimed in 2022 and are disputed since August 2026, when papers
 * began to claim key recovery far below them; nobody has refuted these, and nobody has recovered a
 * key of full size. It is here for interoperability, hybrids, research and measurement. Do not rely
 * on it alone (docs/mceliece.md).
 *
 * The plain sets are "mceliece348864", "mceliece460896", "mceliece6688128", "mceliece6960119" and
 * "mceliece8192128". "f" behind a name is a faster way to make keys; the ciphertexts of both forms
 * are the same. "pc" is for plaintext confirmation: ciphertexts have 32 bytes more. Keys are the
 * same with pc and without.
 *
 * Memory: making, checking and deriving keys needs up to some megabytes, so these take the caller's
 * memory only, as a workspace in their options; without one they return CODEKEM_ERROR_WORKSPACE.
 * Encapsulation and decapsulation work on the stack, too, in a thread with 128 KiB. No function
 * here takes more than 13 KiB of stack beside the lengths stated.
 *
 * Randomness: every encapsulation of codekem.h draws its error from SHAKE256(3 || 32-byte seed),
 * which is this library's own; no standard says how to. codekem_mceliece_encaps_random draws as the
 * reference implementation does.
 *
 * Public keys and ciphertexts of mceliece6960119 have unused bits. Where one is set, encapsulation
 * returns CODEKEM_ERROR_PUBLIC_KEY and decapsulation CODEKEM_ERROR_CIPHERTEXT, with the outputs
 * zeroed (the reference implementation fills the secret with 255 in the second case).
 */
#ifndef CODEKEM_MCELIECE_H
#define CODEKEM_MCELIECE_H

#include <stddef.h>
#include <stdint.h>

#include "codekem.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The largest lengths of these KEMs. */
#define CODEKEM_MCELIECE_MAX_PUBLIC_KEY 1357824
#define CODEKEM_MCELIECE_MAX_SECRET_KEY 14120
#define CODEKEM_MCELIECE_MAX_CIPHERTEXT 240

/* Returns the number of KEMs. */
CODEKEM_API size_t codekem_mceliece_kem_count(void);

/* Returns KEM number index, 0 <= index < codekem_mceliece_kem_count(); NULL beyond. */
CODEKEM_API const codekem_kem *codekem_mceliece_kem_at(size_t index);

/* Returns the KEM called name (exact, case matters), or NULL if there is none. */
CODEKEM_API const codekem_kem *codekem_mceliece_kem_find(const char *name);

/* Returns a sentence about the standing of the scheme, for whoever shows these KEMs to users. */
CODEKEM_API const char *codekem_mceliece_warning(void);

/* As codekem_kem_encaps_with a source of randomness and a workspace, but asks random as the
 * reference implementation does, for 256 to 512 bytes for each attempt to draw an error, so that
 * known-answer generators give the published values. A thousand attempts that fail are
 * CODEKEM_ERROR_RANDOM: the source is stuck. Errors: as there, CODEKEM_ERROR_PUBLIC_KEY, and
 * CODEKEM_ERROR_NULL for a KEM of another scheme; the outputs are then zeroed. */
CODEKEM_API codekem_status codekem_mceliece_encaps_random(
    const codekem_kem *kem, uint8_t *ciphertext, uint8_t *shared_secret, const uint8_t *public_key,
    codekem_random_function random, void *context, void *workspace,
    size_t workspace_length) CODEKEM_CHECK_RESULT;

/* --- Short secret keys --------------------------------------------------------------------------
 * The first 40 bytes of a secret key determine the rest, without a matrix. */
#define CODEKEM_MCELIECE_SHORT_SECRET_KEY 40

/* Fills secret_key[kem->length_secret_key] from short_key. The workspace has at least
 * kem->length_check_workspace bytes. Errors: CODEKEM_ERROR_NULL, also for a KEM of another scheme;
 * CODEKEM_ERROR_WORKSPACE; CODEKEM_ERROR_SECRET_KEY if no key begins like this. secret_key is then
 * zeroed. Timing: constant in the key. */
CODEKEM_API codekem_status codekem_mceliece_expand_secret_key(
    const codekem_kem *kem, uint8_t *secret_key, const uint8_t *short_key, void *workspace,
    size_t workspace_length) CODEKEM_CHECK_RESULT;

/* --- Prepared keys ------------------------------------------------------------------------------
 * What decapsulation computes from the secret key alone, kept by the caller: as secret as the key,
 * and good for the process and the back end that made it. Wipe it with codekem_wipe.
 *
 * There are none for public keys: encapsulation uses each bit once, as it is stored, and what it
 * could compute beforehand does not pay (docs/mceliece.md). */

/* Returns the bytes of a prepared secret key, 0 for a KEM of another scheme. */
CODEKEM_API size_t codekem_mceliece_prepared_length(const codekem_kem *kem);

/* Prepares secret_key in prepared[prepared_length], which starts at a multiple of
 * CODEKEM_WORKSPACE_ALIGNMENT. The workspace has at least kem->length_decaps_workspace bytes.
 * Errors: CODEKEM_ERROR_NULL, CODEKEM_ERROR_WORKSPACE, also where prepared is too small or not
 * aligned; prepared is then zeroed, and no prepared key. */
CODEKEM_API codekem_status codekem_mceliece_prepare_secret_key(
    const codekem_kem *kem, void *prepared, size_t prepared_length, const uint8_t *secret_key,
    void *workspace, size_t workspace_length) CODEKEM_CHECK_RESULT;

/* As codekem_kem_decaps_with a workspace, with a prepared key of the same KEM. Errors: as there,
 * and CODEKEM_ERROR_BACKEND if the key was prepared for another back end or KEM. */
CODEKEM_API codekem_status codekem_mceliece_decaps_prepared(
    const codekem_kem *kem, uint8_t *shared_secret, const uint8_t *ciphertext, const void *prepared,
    void *workspace, size_t workspace_length) CODEKEM_CHECK_RESULT;

/* --- Encapsulation to a public key that comes in pieces -----------------------------------------
 * For those who cannot hold a public key: begin, absorb its bytes in order in pieces of any length,
 * end. The result is what codekem_mceliece_encaps_random gives. */

/* An encapsulation under way: as secret as the shared secret. end wipes it. */
typedef struct codekem_mceliece_encapsulation {
  uint64_t words[288];
} codekem_mceliece_encapsulation;

/* Begins with randomness from random(context, ...). Takes 3 KiB of stack beside random's. Errors:
 * CODEKEM_ERROR_NULL, also for a KEM of another scheme; CODEKEM_ERROR_RANDOM, as with
 * codekem_mceliece_encaps_random; CODEKEM_ERROR_BACKEND. Nothing is then under way, and the steps
 * that follow fail with CODEKEM_ERROR_NULL. */
CODEKEM_API codekem_status codekem_mceliece_encaps_begin(
    const codekem_kem *kem, codekem_mceliece_encapsulation *encapsulation,
    codekem_random_function random, void *context) CODEKEM_CHECK_RESULT;

/* Begins with a seed of kem->length_encaps_seed bytes, as codekem_kem_encaps_with a seed. */
CODEKEM_API codekem_status codekem_mceliece_encaps_begin_derand(
    const codekem_kem *kem, codekem_mceliece_encapsulation *encapsulation,
    const uint8_t *seed) CODEKEM_CHECK_RESULT;

/* Absorbs the next length bytes of the public key. Whole rows are the fastest pieces. Errors:
 * CODEKEM_ERROR_NULL, which ends the encapsulation. Timing: constant in the error, not in the
 * public key. */
CODEKEM_API codekem_status codekem_mceliece_encaps_absorb(
    codekem_mceliece_encapsulation *encapsulation, const uint8_t *piece,
    size_t length) CODEKEM_CHECK_RESULT;

/* Writes ciphertext and shared_secret and wipes the state. Errors: CODEKEM_ERROR_NULL, also if
 * nothing is under way; CODEKEM_ERROR_PUBLIC_KEY if bytes are missing, there were too many, or an
 * unused bit was set. The outputs are then zeroed; ciphertext only if the state knows a KEM, whose
 * length it has, as it does until its end. */
CODEKEM_API codekem_status codekem_mceliece_encaps_end(
    codekem_mceliece_encapsulation *encapsulation, uint8_t *ciphertext,
    uint8_t *shared_secret) CODEKEM_CHECK_RESULT;

/* --- Rows of a public key made on demand --------------------------------------------------------
 * For those who cannot hold the public key that they send: rows in any order, from the secret key.
 * What begin computes is as secret as the key; wipe it with codekem_wipe. It is smaller than the
 * public key, by a third (348864) to a half. A call takes as long for one row as for many. */

/* Returns the number of rows of a public key, 0 for a KEM of another scheme. Each has
 * kem->length_public_key / rows bytes. */
CODEKEM_API size_t codekem_mceliece_rows(const codekem_kem *kem);

/* Returns the bytes of the memory that the next two functions share. */
CODEKEM_API size_t codekem_mceliece_rows_length(const codekem_kem *kem);

/* Prepares memory[length], aligned to CODEKEM_WORKSPACE_ALIGNMENT, for this back end. The workspace
 * has at least kem->length_check_workspace bytes; only this function needs it. Errors:
 * CODEKEM_ERROR_NULL, CODEKEM_ERROR_WORKSPACE, CODEKEM_ERROR_SECRET_KEY if the key makes no public
 * key; memory is then zeroed. */
CODEKEM_API codekem_status codekem_mceliece_rows_begin(
    const codekem_kem *kem, void *memory, size_t length, const uint8_t *secret_key, void *workspace,
    size_t workspace_length) CODEKEM_CHECK_RESULT;

/* Writes rows first to first + count - 1. Errors: CODEKEM_ERROR_NULL; CODEKEM_ERROR_WORKSPACE if
 * there are no such rows, and rows is not written, or if the memory was not prepared for this KEM,
 * and rows is zeroed. */
CODEKEM_API codekem_status codekem_mceliece_rows_make(const codekem_kem *kem, uint8_t *rows,
                                                      size_t first, size_t count,
                                                      void *memory) CODEKEM_CHECK_RESULT;

/* --- Key pairs whose public key leaves in pages -------------------------------------------------
 * For devices that have flash for a public key but no such memory. The plain sets only. */

/* Takes bytes offset, ..., offset + length - 1 of the public key: page_bytes each time, the last
 * time what is left. Returns false to stop. */
typedef bool (*codekem_mceliece_write_function)(void *context, size_t offset, const uint8_t *page,
                                                size_t length);

/* Returns the bytes of the workspace of the next function: 127 KiB for mceliece348864 and pages of
 * 2 KiB. 0 for a KEM of another scheme, for an "f" set, and for pages longer than a public key. */
CODEKEM_API size_t codekem_mceliece_keypair_in_pages_workspace(const codekem_kem *kem,
                                                               size_t page_bytes);

/* Makes the key pair of a seed of kem->length_keypair_seed bytes, the same as
 * codekem_kem_keypair_with that seed. The public key goes to write(context, ...) in order. Slower
 * than with the memory for all of it: the matrix is made anew for every sixteen rows. Errors:
 * CODEKEM_ERROR_NULL, also for a KEM of another scheme; CODEKEM_ERROR_WORKSPACE, also for an "f"
 * set and for pages of no length; CODEKEM_ERROR_BACKEND; CODEKEM_ERROR_PUBLIC_KEY if write returned
 * false. secret_key is then zeroed. Timing: constant but for the number of attempts. */
CODEKEM_API codekem_status codekem_mceliece_keypair_in_pages(
    const codekem_kem *kem, uint8_t *secret_key, const uint8_t *seed, size_t page_bytes,
    codekem_mceliece_write_function write, void *context, void *workspace,
    size_t workspace_length) CODEKEM_CHECK_RESULT;

#ifdef __cplusplus
}
#endif

#endif
