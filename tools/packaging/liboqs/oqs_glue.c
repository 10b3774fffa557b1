/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * What liboqs calls for one parameter set. Its build defines
 *   OQS_METHOD  the set by our name, HQC-1
 *   OQS_PREFIX  what the functions begin with: hqc_codekem_1 for hqc_codekem_1_keypair
 *   OQS_ENCAPS  the function that encapsulates, if it is not codekem_kem_encaps_with
 *   OQS_DIRECT  if they are those of liboqs's own header, and not called by others there
 */
#if defined(OQS_DIRECT)
#include <oqs/oqs.h>
#else
#include <oqs/common.h>
#include <oqs/rand.h>
#endif

#include "codekem.h"

#define OQS_NAME(prefix, operation) OQS_EXPAND(prefix, operation)
#define OQS_EXPAND(prefix, operation) prefix##_##operation
#define OQS_TEXT(name) OQS_EXPAND_TEXT(name)
#define OQS_EXPAND_TEXT(name) #name

#if defined(OQS_DIRECT)
typedef OQS_STATUS result_of_liboqs;
#else
typedef int result_of_liboqs;
result_of_liboqs OQS_NAME(OQS_PREFIX, keypair)(uint8_t *public_key, uint8_t *secret_key);
result_of_liboqs OQS_NAME(OQS_PREFIX, encaps)(uint8_t *ciphertext, uint8_t *shared_secret,
                                              const uint8_t *public_key);
result_of_liboqs OQS_NAME(OQS_PREFIX, decaps)(uint8_t *shared_secret, const uint8_t *ciphertext,
                                              const uint8_t *secret_key);
#endif

/* Of the copy: releases what an operation has left of liboqs's memory (oqs_keccak.h). */
void ckem_keccak_release(void);

#if defined(OQS_ENCAPS)
codekem_status OQS_ENCAPS(const codekem_kem *kem, uint8_t *ciphertext, uint8_t *shared_secret,
                          const uint8_t *public_key, const codekem_options *options);
#else
#define OQS_ENCAPS codekem_kem_encaps_with
#endif

static bool random_of_liboqs(void *context, uint8_t *out, size_t length) {
  (void)context;
  OQS_randombytes(out, length);
  return true;
}

static const codekem_kem *kem_of_build(void) {
  return codekem_kem_find(OQS_TEXT(OQS_METHOD));
}

/* Ends an operation. Returns what liboqs expects. */
static result_of_liboqs end(codekem_status status) {
  ckem_keccak_release();
  return status == CODEKEM_OK ? OQS_SUCCESS : OQS_ERROR;
}

/* Keys of Classic McEliece need more memory than a stack has. */
result_of_liboqs OQS_NAME(OQS_PREFIX, keypair)(uint8_t *public_key, uint8_t *secret_key) {
  const codekem_kem *kem = kem_of_build();
  codekem_options options = {.size = sizeof options, .random = random_of_liboqs};
  result_of_liboqs result;

  if (kem != NULL && kem->length_keypair_workspace > CODEKEM_MAX_STACK) {
    options.workspace_length = kem->length_keypair_workspace;
    options.workspace =
        OQS_MEM_aligned_alloc(CODEKEM_WORKSPACE_ALIGNMENT, options.workspace_length);
    if (options.workspace == NULL) {
      return OQS_ERROR;
    }
  }
  result = end(codekem_kem_keypair_with(kem, public_key, secret_key, &options));
  OQS_MEM_aligned_free(options.workspace);
  return result;
}

result_of_liboqs OQS_NAME(OQS_PREFIX, encaps)(uint8_t *ciphertext, uint8_t *shared_secret,
                                              const uint8_t *public_key) {
  const codekem_options options = {.size = sizeof options, .random = random_of_liboqs};

  return end(OQS_ENCAPS(kem_of_build(), ciphertext, shared_secret, public_key, &options));
}

result_of_liboqs OQS_NAME(OQS_PREFIX, decaps)(uint8_t *shared_secret, const uint8_t *ciphertext,
                                              const uint8_t *secret_key) {
  return end(codekem_kem_decaps(kem_of_build(), shared_secret, ciphertext, secret_key));
}

#if defined(OQS_DIRECT)
/* liboqs has no seeds for this scheme. */
OQS_STATUS OQS_NAME(OQS_PREFIX, keypair_derand)(uint8_t *public_key, uint8_t *secret_key,
                                                const uint8_t *seed) {
  (void)public_key;
  (void)secret_key;
  (void)seed;
  return OQS_ERROR;
}

OQS_STATUS OQS_NAME(OQS_PREFIX, encaps_derand)(uint8_t *ciphertext, uint8_t *shared_secret,
                                               const uint8_t *public_key, const uint8_t *seed) {
  (void)ciphertext;
  (void)shared_secret;
  (void)public_key;
  (void)seed;
  return OQS_ERROR;
}
#endif
