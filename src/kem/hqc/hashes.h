/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The hash functions and the generator of HQC [HQC, 3]. All inputs and outputs may be secret;
 * timing depends on lengths only. */
#ifndef CODEKEM_HQC_HASHES_H
#define CODEKEM_HQC_HASHES_H

#include <stddef.h>
#include <stdint.h>

#include "hqc/hqc.h"
#include "keccak/keccak.h"

/* Opens stream = XOF(seed[HQC_SEED_BYTES]). */
void ckem_hqc_xof_open(struct keccak_sponge *stream, const struct keccak_ops *keccak,
                       const uint8_t *seed);

/* Each of these works in a sponge of the caller, which holds secrets afterwards. */

/* seeds[2 * HQC_SEED_BYTES] = I(seed_pke[HQC_SEED_BYTES]). */
void ckem_hqc_hash_i(struct keccak_sponge *sponge, const struct keccak_ops *keccak, uint8_t *seeds,
                     const uint8_t *seed_pke);

/* h_ek[HQC_SEED_BYTES] = H(ek), as a task to do beside another stream. */
struct keccak_task ckem_hqc_begin_h(struct keccak_sponge *sponge, const struct keccak_ops *keccak,
                                    const struct hqc_params *params, const uint8_t *ek);
void ckem_hqc_end_h(struct keccak_task *task, uint8_t *h_ek);

/* h_ek[HQC_SEED_BYTES] = H(ek), and h = SampleUniform(XOF(seed_ek)), from ek = seed_ek || s: two
 * independent chains of permutations, side by side. */
void ckem_hqc_hash_h_and_expand(struct keccak_sponge *sponge, struct keccak_sponge *stream,
                                const struct keccak_ops *keccak, const struct hqc_params *params,
                                uint8_t *h_ek, uint64_t *h, const uint8_t *ek);

/* k_theta[2 * HQC_SEED_BYTES] = K || theta = G(h_ek, message, salt[HQC_SALT_BYTES]), beside a task
 * or NULL. */
void ckem_hqc_hash_g(struct keccak_sponge *sponge, const struct keccak_ops *keccak,
                     const struct hqc_params *params, uint8_t *k_theta, const uint8_t *h_ek,
                     const uint8_t *message, const uint8_t *salt, struct keccak_task *beside);

/* rejected[HQC_SECRET_BYTES] = J(h_ek, sigma, ciphertext), the secret of a ciphertext that is
 * wrong, as a task to do beside other streams. */
struct keccak_task ckem_hqc_begin_j(struct keccak_sponge *sponge, const struct keccak_ops *keccak,
                                    const struct hqc_params *params, const uint8_t *h_ek,
                                    const uint8_t *sigma, const uint8_t *ciphertext);
void ckem_hqc_end_j(struct keccak_task *task, uint8_t *rejected);

/* Ends any of them, all inputs of which have been absorbed: domain is the last one, and
 * out[length] the result. */
void ckem_hqc_hash_end(struct keccak_sponge *sponge, uint8_t domain, uint8_t *out, size_t length);

/* The same for a group of operations side by side, as many as many->count says; the arrays have
 * that many pointers. ckem_hqc_start_many begins, for count operations. Each of the functions below
 * it uses the sponges anew. */
void ckem_hqc_start_many(struct keccak_many *many, const struct keccak_ops *keccak, size_t count);
void ckem_hqc_xof_open_many(struct keccak_many *many, const uint8_t *const seeds[]);
void ckem_hqc_hash_i_many(struct keccak_many *many, uint8_t *const seeds[],
                          const uint8_t *const seed_pke[]);
void ckem_hqc_hash_h_many(struct keccak_many *many, const struct hqc_params *params,
                          uint8_t *const h_ek[], const uint8_t *const ek[]);
void ckem_hqc_hash_g_many(struct keccak_many *many, const struct hqc_params *params,
                          uint8_t *const k_theta[], const uint8_t *const h_ek[],
                          const uint8_t *const messages[], const uint8_t *const salts[]);
void ckem_hqc_hash_j_many(struct keccak_many *many, const struct hqc_params *params,
                          uint8_t *const rejected[], const uint8_t *const h_ek[],
                          const uint8_t *const sigmas[], const uint8_t *const ciphertexts[]);

#endif
