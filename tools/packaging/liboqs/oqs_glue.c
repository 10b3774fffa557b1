/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What liboqs calls for one parameter set; its build defines HQC_LEVEL as 1, 3 or 5. */
#include <oqs/rand.h>

#include "hqc_codekem.h"

#define HQC_NAME(level, operation) HQC_EXPAND(level, operation)
#define HQC_EXPAND(level, operation) hqc_codekem_##level##_##operation
#define HQC_METHOD(level) HQC_TEXT(level)
#define HQC_TEXT(level) "HQC-" #level

int HQC_NAME(HQC_LEVEL, keypair)(uint8_t *public_key, uint8_t *secret_key);
int HQC_NAME(HQC_LEVEL, enc)(uint8_t *ciphertext, uint8_t *shared_secret,
                             const uint8_t *public_key);
int HQC_NAME(HQC_LEVEL, dec)(uint8_t *shared_secret, const uint8_t *ciphertext,
                             const uint8_t *secret_key);

/* Of the copy: releases what an operation has left of liboqs's memory (oqs_keccak.h). */
void hqc_codekem_internal_keccak_release(void);

static bool random_of_liboqs(void *context, uint8_t *out, size_t length) {
  (void)context;
  OQS_randombytes(out, length);
  return true;
}

static const hqc_codekem_options options_of_liboqs = {
    .size = sizeof(hqc_codekem_options),
    .random = random_of_liboqs,
};

/* Ends an operation. Returns what liboqs expects. */
static int end(hqc_codekem_status status) {
  hqc_codekem_internal_keccak_release();
  return status == HQC_CODEKEM_OK ? 0 : -1;
}

int HQC_NAME(HQC_LEVEL, keypair)(uint8_t *public_key, uint8_t *secret_key) {
  return end(hqc_codekem_kem_keypair_with(hqc_codekem_kem_find(HQC_METHOD(HQC_LEVEL)), public_key,
                                          secret_key, &options_of_liboqs));
}

int HQC_NAME(HQC_LEVEL, enc)(uint8_t *ciphertext, uint8_t *shared_secret,
                             const uint8_t *public_key) {
  return end(hqc_codekem_kem_encaps_with(hqc_codekem_kem_find(HQC_METHOD(HQC_LEVEL)), ciphertext,
                                         shared_secret, public_key, &options_of_liboqs));
}

int HQC_NAME(HQC_LEVEL, dec)(uint8_t *shared_secret, const uint8_t *ciphertext,
                             const uint8_t *secret_key) {
  return end(hqc_codekem_kem_decaps(hqc_codekem_kem_find(HQC_METHOD(HQC_LEVEL)), shared_secret,
                                    ciphertext, secret_key));
}
