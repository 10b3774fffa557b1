/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The public-key encryption below HQC [HQC, 10], in the steps that a small memory allows: of u and
 * v there is one at a time, so that the caller encodes or compares one before the next is made.
 *
 * Ring elements are as in gf2x.h. What returns a bool returns false if its stream is stuck
 * (ckem_hqc_sample_rejection); nothing else can fail. Timing: constant in all contents, but for
 * what ckem_hqc_sample_rejection shows.
 */
#ifndef CODEKEM_HQC_PKE_H
#define CODEKEM_HQC_PKE_H

#include <stdbool.h>
#include <stdint.h>

#include "hqc/hqc.h"
#include "keccak/keccak.h"

/* What the operations work with: the parameters, the back end, and memory for passing values. */
struct hqc_pke {
  const struct hqc_variant *variant;
  const struct hqc_params *params; /* of the variant */
  const struct backend *backend;
  struct keccak_sponge *stream;    /* the XOF that is being read */
  struct keccak_sponge *hash;
  uint8_t *codeword;               /* of the Reed-Solomon code: REED_SOLOMON_MAX_LENGTH */
  uint64_t *scratch;               /* GF2X_MUL_SCRATCH_WORDS: a product, or a ring element */
};

/* A sparse element as the back end multiplies by it: written out, or as the list of its positions;
 * the other one is NULL. ckem_hqc_pke_make_factor makes it in the memory of a ring element, which
 * it keeps. */
struct hqc_factor {
  const uint64_t *element;
  const uint32_t *positions;
  uint32_t count;
};

/* What Encrypt draws from theta. */
struct hqc_draws {
  struct hqc_factor r2;
  uint32_t e[HQC_MAX_WEIGHT];  /* error_weight positions each */
  uint32_t r1[HQC_MAX_WEIGHT];
};

/* KeyGen: s = x + y h from seed_pke[HQC_SEED_BYTES], and seeds[2 * HQC_SEED_BYTES] =
 * seed_dk || seed_ek, which are dk_pke and the first part of ek_pke. positions[HQC_MAX_WEIGHT] and
 * the element work hold secrets afterwards. */
bool ckem_hqc_pke_keypair(const struct hqc_pke *pke, uint64_t *s, uint8_t *seeds,
                          const uint8_t *seed_pke, uint32_t *positions, uint64_t *work);

/* Encrypt, step 2: draws r2, e and r1 from theta[HQC_SEED_BYTES], beside a task or NULL. The
 * element r2 is the memory of the factor. */
void ckem_hqc_pke_draw(const struct hqc_pke *pke, struct hqc_draws *draws, uint64_t *r2,
                       const uint8_t *theta, struct keccak_task *beside);

/* Encrypt, step 3: u = r1 + r2 h. u may be h. */
void ckem_hqc_pke_encrypt_u(const struct hqc_pke *pke, uint64_t *u, const uint64_t *h,
                            const struct hqc_draws *draws);

/* Encrypt, step 4: v = Encode(message) + s r2 + e in the first ckem_hqc_code_words of the element
 * v, of which the rest means nothing. encoded_s is the s of a public key, unused bits included. */
void ckem_hqc_pke_encrypt_v(const struct hqc_pke *pke, uint64_t *v, const uint8_t *encoded_s,
                            const struct hqc_draws *draws, const uint8_t *message);

/* Decrypt: message = Decode(v + u y) with the y of dk_pke[HQC_SEED_BYTES]; u and v encoded as in a
 * ciphertext; y is drawn beside a task. positions[HQC_MAX_WEIGHT] and the elements y and work hold
 * secrets afterwards. */
bool ckem_hqc_pke_decrypt(const struct hqc_pke *pke, uint8_t *message, const uint8_t *encoded_u,
                          const uint8_t *encoded_v, const uint8_t *dk_pke, uint32_t *positions,
                          uint64_t *y, uint64_t *work, struct keccak_task *beside);

/* The same with the factor y itself. */
void ckem_hqc_pke_decrypt_with(const struct hqc_pke *pke, uint8_t *message,
                               const uint8_t *encoded_u, const uint8_t *encoded_v,
                               struct hqc_factor y, uint64_t *work);

/* Makes the element with ones at positions[count] a factor, in the memory of an element. */
struct hqc_factor ckem_hqc_pke_make_factor(const struct hqc_pke *pke, uint64_t *memory,
                                           const uint32_t *positions, uint32_t count);

/* out = a times the factor; out may be a. */
void ckem_hqc_pke_multiply(const struct hqc_pke *pke, uint64_t *out, const uint64_t *a,
                           struct hqc_factor factor);

/* a = a + the element with ones at positions[count]. */
void ckem_hqc_pke_add_ones_at(const struct hqc_pke *pke, uint64_t *a, const uint32_t *positions,
                              uint32_t count);

#endif
