/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The hash functions and the generator of HQC [HQC, 3]. */
#include "hqc/hashes.h"

#include "hqc/sampling.h"

/* The last byte of every hash input separates the uses [HQC, 3]. */
#define DOMAIN_XOF 1 /* SHAKE256 */
#define DOMAIN_G 0   /* SHA3-512 */
#define DOMAIN_I 2
#define DOMAIN_H 1   /* SHA3-256 */
#define DOMAIN_J 3

void ckem_hqc_xof_open(struct keccak_sponge *stream, const struct keccak_ops *keccak,
                       const uint8_t *seed) {
  const uint8_t domain = DOMAIN_XOF;

  ckem_keccak_init(stream, keccak, SHAKE256_RATE_BYTES, KECCAK_SUFFIX_SHAKE);
  ckem_keccak_absorb(stream, seed, HQC_SEED_BYTES);
  ckem_keccak_absorb(stream, &domain, 1);
  ckem_keccak_finish(stream);
}

void ckem_hqc_hash_end(struct keccak_sponge *sponge, uint8_t domain, uint8_t *out, size_t length) {
  ckem_keccak_absorb(sponge, &domain, 1);
  ckem_keccak_finish(sponge);
  ckem_keccak_squeeze(sponge, out, length);
}

void ckem_hqc_hash_i(struct keccak_sponge *sponge, const struct keccak_ops *keccak, uint8_t *seeds,
                     const uint8_t *seed_pke) {
  ckem_keccak_init(sponge, keccak, SHA3_512_RATE_BYTES, KECCAK_SUFFIX_SHA3);
  ckem_keccak_absorb(sponge, seed_pke, HQC_SEED_BYTES);
  ckem_hqc_hash_end(sponge, DOMAIN_I, seeds, 2 * HQC_SEED_BYTES);
}

struct keccak_task ckem_hqc_begin_h(struct keccak_sponge *sponge, const struct keccak_ops *keccak,
                                    const struct hqc_params *params, const uint8_t *ek) {
  ckem_keccak_init(sponge, keccak, SHA3_256_RATE_BYTES, KECCAK_SUFFIX_SHA3);
  return (struct keccak_task){
      .sponge = sponge, .in = ek, .length = HQC_SEED_BYTES + params->ring->bytes};
}

void ckem_hqc_end_h(struct keccak_task *task, uint8_t *h_ek) {
  ckem_keccak_end_task(task);
  ckem_hqc_hash_end(task->sponge, DOMAIN_H, h_ek, HQC_SEED_BYTES);
}

void ckem_hqc_hash_h_and_expand(struct keccak_sponge *sponge, struct keccak_sponge *stream,
                                const struct keccak_ops *keccak, const struct hqc_params *params,
                                uint8_t *h_ek, uint64_t *h, const uint8_t *ek) {
  struct keccak_task task = ckem_hqc_begin_h(sponge, keccak, params, ek);

  ckem_hqc_xof_open(stream, keccak, ek);
  ckem_hqc_sample_uniform(params, stream, h, &task);
  ckem_hqc_end_h(&task, h_ek);
}

void ckem_hqc_hash_g(struct keccak_sponge *sponge, const struct keccak_ops *keccak,
                     const struct hqc_params *params, uint8_t *k_theta, const uint8_t *h_ek,
                     const uint8_t *message, const uint8_t *salt, struct keccak_task *beside) {
  const uint8_t domain = DOMAIN_G;

  ckem_keccak_init(sponge, keccak, SHA3_512_RATE_BYTES, KECCAK_SUFFIX_SHA3);
  ckem_keccak_absorb(sponge, h_ek, HQC_SEED_BYTES);
  ckem_keccak_absorb(sponge, message, params->outer_code->message_bytes);
  ckem_keccak_absorb(sponge, salt, HQC_SALT_BYTES);
  ckem_keccak_absorb(sponge, &domain, 1);
  ckem_keccak_finish(sponge);
  ckem_keccak_squeeze_beside(sponge, k_theta, 2 * HQC_SEED_BYTES, beside);
}

struct keccak_task ckem_hqc_begin_j(struct keccak_sponge *sponge, const struct keccak_ops *keccak,
                                    const struct hqc_params *params, const uint8_t *h_ek,
                                    const uint8_t *sigma, const uint8_t *ciphertext) {
  ckem_keccak_init(sponge, keccak, SHA3_256_RATE_BYTES, KECCAK_SUFFIX_SHA3);
  ckem_keccak_absorb(sponge, h_ek, HQC_SEED_BYTES);
  ckem_keccak_absorb(sponge, sigma, params->outer_code->message_bytes);
  return (struct keccak_task){
      .sponge = sponge,
      .in = ciphertext,
      .length = params->ring->bytes + ckem_hqc_code_bytes(params) + HQC_SALT_BYTES};
}

void ckem_hqc_end_j(struct keccak_task *task, uint8_t *rejected) {
  ckem_keccak_end_task(task);
  ckem_hqc_hash_end(task->sponge, DOMAIN_J, rejected, HQC_SECRET_BYTES);
}

/* --- Side by side ----------------------------------------------------------------------------- */

void ckem_hqc_start_many(struct keccak_many *many, const struct keccak_ops *keccak, size_t count) {
  ckem_keccak_many_init(many, keccak, count, SHAKE256_RATE_BYTES, KECCAK_SUFFIX_SHAKE);
}

static void begin_many(struct keccak_many *many, size_t rate_bytes, uint8_t suffix) {
  ckem_keccak_many_init(many, many->ops, many->count, rate_bytes, suffix);
}

/* All sponges absorb one more byte, and end. */
static void finish_many(struct keccak_many *many, const uint8_t *domain) {
  const uint8_t *domains[KECCAK_MAX_WIDTH];

  for (size_t i = 0; i < KECCAK_MAX_WIDTH; i++) {
    domains[i] = domain;
  }
  ckem_keccak_many_absorb(many, domains, 1);
  ckem_keccak_many_finish(many);
}

void ckem_hqc_xof_open_many(struct keccak_many *many, const uint8_t *const seeds[]) {
  const uint8_t domain = DOMAIN_XOF;

  begin_many(many, SHAKE256_RATE_BYTES, KECCAK_SUFFIX_SHAKE);
  ckem_keccak_many_absorb(many, seeds, HQC_SEED_BYTES);
  finish_many(many, &domain);
}

void ckem_hqc_hash_i_many(struct keccak_many *many, uint8_t *const seeds[],
                          const uint8_t *const seed_pke[]) {
  const uint8_t domain = DOMAIN_I;

  begin_many(many, SHA3_512_RATE_BYTES, KECCAK_SUFFIX_SHA3);
  ckem_keccak_many_absorb(many, seed_pke, HQC_SEED_BYTES);
  finish_many(many, &domain);
  ckem_keccak_many_squeeze(many, seeds, 2 * HQC_SEED_BYTES);
}

void ckem_hqc_hash_h_many(struct keccak_many *many, const struct hqc_params *params,
                          uint8_t *const h_ek[], const uint8_t *const ek[]) {
  const uint8_t domain = DOMAIN_H;

  begin_many(many, SHA3_256_RATE_BYTES, KECCAK_SUFFIX_SHA3);
  ckem_keccak_many_absorb(many, ek, HQC_SEED_BYTES + params->ring->bytes);
  finish_many(many, &domain);
  ckem_keccak_many_squeeze(many, h_ek, HQC_SEED_BYTES);
}

void ckem_hqc_hash_g_many(struct keccak_many *many, const struct hqc_params *params,
                          uint8_t *const k_theta[], const uint8_t *const h_ek[],
                          const uint8_t *const messages[], const uint8_t *const salts[]) {
  const uint8_t domain = DOMAIN_G;

  begin_many(many, SHA3_512_RATE_BYTES, KECCAK_SUFFIX_SHA3);
  ckem_keccak_many_absorb(many, h_ek, HQC_SEED_BYTES);
  ckem_keccak_many_absorb(many, messages, params->outer_code->message_bytes);
  ckem_keccak_many_absorb(many, salts, HQC_SALT_BYTES);
  finish_many(many, &domain);
  ckem_keccak_many_squeeze(many, k_theta, 2 * HQC_SEED_BYTES);
}

void ckem_hqc_hash_j_many(struct keccak_many *many, const struct hqc_params *params,
                          uint8_t *const rejected[], const uint8_t *const h_ek[],
                          const uint8_t *const sigmas[], const uint8_t *const ciphertexts[]) {
  const uint8_t domain = DOMAIN_J;

  begin_many(many, SHA3_256_RATE_BYTES, KECCAK_SUFFIX_SHA3);
  ckem_keccak_many_absorb(many, h_ek, HQC_SEED_BYTES);
  ckem_keccak_many_absorb(many, sigmas, params->outer_code->message_bytes);
  ckem_keccak_many_absorb(many, ciphertexts,
                          params->ring->bytes + ckem_hqc_code_bytes(params) + HQC_SALT_BYTES);
  finish_many(many, &domain);
  ckem_keccak_many_squeeze(many, rejected, HQC_SECRET_BYTES);
}
