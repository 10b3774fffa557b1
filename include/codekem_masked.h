/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * codekem-masked: HQC with every secret in shares, against whoever measures a device.
 *
 * A secret is CODEKEM_MASKED_SHARES values whose XOR it is. Whatever the processor holds at one
 * time is independent of secrets, and so is its average power, as far as compiler and processor
 * keep shares apart: docs/masking.md has the threat model, what it does not protect, and what was
 * measured. A library and a header of its own, because it stores keys in another form, takes
 * several times the time, and programs without it carry nothing of it. Public keys and ciphertexts
 * are those of libcodekem: any peer understands them.
 *
 *   const codekem_masked_kem *kem = codekem_masked_find("HQC-1");
 *   static uint8_t key[CODEKEM_MASKED_MAX_SECRET_KEY];
 *   uint8_t shares[CODEKEM_MASKED_MAX_SHARED_SECRET];
 *
 *   if (codekem_masked_import_key(kem, key, secret_key, NULL) != CODEKEM_OK || // once
 *       codekem_masked_decaps(kem, shares, ciphertext, key, NULL) != CODEKEM_OK) {
 *     return false;
 *   } // the secret is codekem_masked_join(secret, shares, 32)
 *
 * A value of n bytes in shares is CODEKEM_MASKED_SHARES times n bytes, share after share. The
 * conventions are those of codekem.h, whose choice of a back end holds here, too: every function is
 * thread-safe, nothing is taken from the heap, what is written overlaps nothing else
 * (CODEKEM_ERROR_OVERLAP), and when a call fails for another reason, its outputs are zeroed.
 */
#ifndef CODEKEM_MASKED_H
#define CODEKEM_MASKED_H

#include <stddef.h>
#include <stdint.h>

#include "codekem.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How many intermediate values may be known without harm: 1, or 2 for a build with CMake's option
 * CODEKEM_MASKED_ORDER=2. Programs are compiled with the order of their library. */
#if !defined(CODEKEM_MASKED_ORDER)
#  define CODEKEM_MASKED_ORDER 1
#endif
#define CODEKEM_MASKED_SHARES (CODEKEM_MASKED_ORDER + 1)

/* A KEM in shares. Lengths are in bytes; those of public keys, ciphertexts and seeds are kem's. All
 * instances are constants inside the library; later versions add members at the end. */
typedef struct codekem_masked_kem {
  const codekem_kem *kem; /* the same KEM in libcodekem */
  size_t shares;
  size_t length_secret_key;
  size_t length_shared_secret; /* in shares */
  size_t length_workspace;     /* of every call that takes options */
  const struct codekem_masked_internal *internal;
} codekem_masked_kem;

/* The largest lengths of any of them. */
#define CODEKEM_MASKED_MAX_SECRET_KEY (7269 + CODEKEM_MASKED_SHARES * 7237)
#define CODEKEM_MASKED_MAX_SHARED_SECRET (CODEKEM_MASKED_SHARES * 32)

/* Returns the KEM of this name: HQC-1, HQC-3 or HQC-5; NULL if there is none. Its shares are
 * CODEKEM_MASKED_SHARES, unless the program was compiled for another order. */
CODEKEM_API const codekem_masked_kem *codekem_masked_find(const char *name);

/* How a call is made; a member that is 0 or NULL is the default. CODEKEM_ERROR_OPTIONS refuses what
 * does not fit: another size, a seed for a call that draws none, a context without its source, the
 * length of a workspace that is NULL. */
typedef struct codekem_masked_options {
  size_t size; /* sizeof(codekem_masked_options) */
  /* Makes keypair and encaps deterministic: a seed as codekem_options has it, in shares. */
  const uint8_t *seed;
  /* The source of seeds instead of the operating system's; it gives the 32 bytes from which the
   * call draws its masks, and all shares of a seed that is not given. */
  codekem_random_function random;
  void *random_context;
  /* The source of masks, 256 bytes at a time: by default ChaCha8 [Ber08] from a seed of 32 bytes,
   * which is drawn anew for every call. A source that fails makes the call fail with
   * CODEKEM_ERROR_RANDOM; what is left of it is masked by ChaCha8, from the first bytes of the
   * source. */
  codekem_random_function masks;
  void *masks_context;
  /* Memory instead of the stack: length_workspace bytes, aligned to CODEKEM_WORKSPACE_ALIGNMENT. It
   * is wiped before the call returns. */
  void *workspace;
  size_t workspace_length;
} codekem_masked_options;

/* All of them: CODEKEM_ERROR_NULL; CODEKEM_ERROR_OPTIONS; CODEKEM_ERROR_OVERLAP;
 * CODEKEM_ERROR_RANDOM; CODEKEM_ERROR_WORKSPACE; CODEKEM_ERROR_BACKEND; CODEKEM_ERROR_INTERNAL if a
 * stream gave nothing of use, which only a fault of the machine can cause. options may be NULL.
 * Timing: constant in all secrets, but for which random words were rejected when a key was drawn,
 * as the specification allows. */

/* Makes a key pair: secret_key[kem->length_secret_key] is in shares. */
CODEKEM_API codekem_status codekem_masked_keypair(
    const codekem_masked_kem *kem, uint8_t *public_key, uint8_t *secret_key,
    const codekem_masked_options *options) CODEKEM_CHECK_RESULT;

/* Makes a secret key in shares from secret_key of libcodekem, which stands in memory unprotected:
 * where that matters, keep the shares of the seed and use codekem_masked_keypair. The secret key is
 * not checked: codekem_kem_check_secret_key does that. */
CODEKEM_API codekem_status codekem_masked_import_key(
    const codekem_masked_kem *kem, uint8_t *masked_key, const uint8_t *secret_key,
    const codekem_masked_options *options) CODEKEM_CHECK_RESULT;

/* Refreshes the shares of a secret key in place, as should be done to stored keys from time to
 * time; decapsulation refreshes what it works with itself. The key stays valid, also if the call
 * fails. */
CODEKEM_API codekem_status codekem_masked_refresh_key(
    const codekem_masked_kem *kem, uint8_t *masked_key,
    const codekem_masked_options *options) CODEKEM_CHECK_RESULT;

/* Encapsulates: shared_secret is in shares. Opened is the ciphertext. */
CODEKEM_API codekem_status codekem_masked_encaps(
    const codekem_masked_kem *kem, uint8_t *ciphertext, uint8_t *shared_secret,
    const uint8_t *public_key, const codekem_masked_options *options) CODEKEM_CHECK_RESULT;

/* Decapsulates to shared_secret in shares. Opened is nothing, not even whether the ciphertext was
 * rejected. */
CODEKEM_API codekem_status codekem_masked_decaps(
    const codekem_masked_kem *kem, uint8_t *shared_secret, const uint8_t *ciphertext,
    const uint8_t *masked_key, const codekem_masked_options *options) CODEKEM_CHECK_RESULT;

/* out[length] = the value of shares. */
CODEKEM_API void codekem_masked_join(uint8_t *out, const uint8_t *shares, size_t length);

#ifdef __cplusplus
}
#endif

#endif
