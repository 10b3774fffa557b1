/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The steps that the operations of all revisions of HQC share: what is left to a revision is what
 * it hashes and how it samples.
 *
 * Nothing here can fail. Timing: constant in all contents, but for ckem_hqc_may_be_sum.
 */
#ifndef CODEKEM_HQC_HQC_STEPS_H
#define CODEKEM_HQC_HQC_STEPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hqc/hqc.h"
#include "hqc/pke.h"
#include "keccak/keccak.h"

#define HQC_MAX_SECRET_BYTES 64 /* of any revision */

/* The small secrets of an operation. */
struct hqc_secrets {
  struct keccak_sponge stream;
  struct keccak_sponge hash;
  struct hqc_draws draws; /* its positions also serve to draw y and x */
  uint8_t codeword[REED_SOLOMON_MAX_LENGTH];
  uint8_t message[HQC_MAX_MESSAGE_BYTES]; /* sigma while a key pair is made */
  uint8_t h_ek[HQC_SEED_BYTES];
  uint8_t k_theta[2 * HQC_SEED_BYTES];
  uint8_t rejected[HQC_MAX_SECRET_BYTES]; /* the result for a wrong ciphertext */
};

/* All memory of an operation. */
struct hqc_memory {
  uint64_t *element[2];
  struct hqc_secrets *secrets;
  struct hqc_pke pke;
};

/* Where the fields of a secret key start: ek || dk_pke || sigma || seed_kem [HQC, 12]. */
struct hqc_secret_key_layout {
  size_t dk_pke;
  size_t sigma;
  size_t seed_kem;
};

struct hqc_secret_key_layout ckem_hqc_lay_out_secret_key(const struct hqc_params *params);

struct hqc_memory ckem_hqc_take_memory(const struct hqc_variant *variant,
                                       const struct backend *backend, struct arena arena);

/* Encrypts message to u || v in ciphertext, with the s of a public key and what draws holds. The
 * element h is element[1], and gone afterwards. */
void ckem_hqc_encrypt(const struct hqc_memory *memory, uint8_t *ciphertext,
                      const uint8_t *encoded_s, const uint8_t *message);

/* The same, but returns zero if ciphertext begins with this u || v, unused bits included. */
uint64_t ckem_hqc_compare_encryption(const struct hqc_memory *memory, const uint8_t *ciphertext,
                                     const uint8_t *encoded_s, const uint8_t *message);

/* Returns zero if the bytes are equal. */
uint64_t ckem_hqc_compare_bytes(const uint8_t *a, const uint8_t *b, size_t length);

/* Returns zero if element is what was encoded, unused bits included. */
uint64_t ckem_hqc_compare_element(const struct hqc_pke *pke, const uint64_t *element,
                                  const uint8_t *encoded);

/* out[length] = accepted if difference is zero, or else rejected. */
void ckem_hqc_select_secret(uint8_t *out, const uint8_t *accepted, const uint8_t *rejected,
                            size_t length, uint64_t difference);

/* Returns whether a sum a + b c, of sparse a and b of one weight and any c, may have this encoding:
 * it is not zero, and where the weight is even, so is that of the sum (see ckem_gf2x_parity).
 * Timing: not constant; the sum is public. */
bool ckem_hqc_may_be_sum(const struct gf2x_ring *ring, const uint8_t *element, uint32_t weight);

#endif
