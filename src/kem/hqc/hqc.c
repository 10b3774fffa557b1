/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Key generation, encapsulation and decapsulation of HQC [HQC, 11], and the checks on import. */
#include "hqc/hqc.h"

#include <string.h>

#include "base/ct.h"
#include "hqc/hashes.h"
#include "hqc/hqc_steps.h"
#include "hqc/pke.h"
#include "hqc/sampling.h"

/* KeyGen from seed_kem: s into the element s, seeds[2 * HQC_SEED_BYTES] = seed_dk || seed_ek, and
 * sigma into message. Returns false if a stream is stuck. */
static bool make_key_pair(const struct hqc_memory *memory, uint64_t *s, uint8_t *seeds,
                          uint8_t *sigma, const uint8_t *seed_kem) {
  const struct hqc_pke *pke = &memory->pke;
  struct hqc_secrets *secrets = memory->secrets;
  uint8_t *seed_pke = secrets->rejected; /* nothing is rejected here */

  ckem_hqc_xof_open(pke->stream, pke->backend->keccak, seed_kem);
  ckem_keccak_squeeze(pke->stream, seed_pke, HQC_SEED_BYTES);
  ckem_keccak_squeeze(pke->stream, sigma, pke->params->outer_code->message_bytes);
  return ckem_hqc_pke_keypair(pke, s, seeds, seed_pke, secrets->draws.r1, memory->element[0]);
}

codekem_status ckem_hqc_keypair(const struct kem_call *call, struct arena arena) {
  const struct hqc_variant *variant = call->kem->internal->variant;
  const struct backend *backend = call->backend;
  uint8_t *public_key = call->out.public_key;
  uint8_t *secret_key = call->out.secret_key;
  const uint8_t *seed = call->in.seed;
  const struct gf2x_ring *ring = variant->params->ring;
  const struct hqc_memory memory = ckem_hqc_take_memory(variant, backend, arena);
  const struct hqc_secret_key_layout layout = ckem_hqc_lay_out_secret_key(variant->params);
  uint8_t *seeds = memory.secrets->k_theta;
  uint64_t *s = memory.element[1];

  const bool good = make_key_pair(&memory, s, seeds, secret_key + layout.sigma, seed);
  memcpy(public_key, seeds + HQC_SEED_BYTES, HQC_SEED_BYTES);
  ckem_gf2x_encode(ring, public_key + HQC_SEED_BYTES, s);
  memcpy(secret_key, public_key, HQC_SEED_BYTES + ring->bytes);
  memcpy(secret_key + layout.dk_pke, seeds, HQC_SEED_BYTES);
  memcpy(secret_key + layout.seed_kem, seed, HQC_SEED_BYTES);
  return good ? CODEKEM_OK : CODEKEM_ERROR_INTERNAL;
}

codekem_status ckem_hqc_encaps(const struct kem_call *call, struct arena arena) {
  const struct hqc_variant *variant = call->kem->internal->variant;
  const struct backend *backend = call->backend;
  uint8_t *ciphertext = call->out.ciphertext;
  uint8_t *shared_secret = call->out.shared_secret;
  const uint8_t *public_key = call->in.public_key;
  const uint8_t *seed = call->in.seed;
  const struct hqc_params *params = variant->params;
  const struct hqc_memory memory = ckem_hqc_take_memory(variant, backend, arena);
  const struct hqc_pke *pke = &memory.pke;
  struct hqc_secrets *secrets = memory.secrets;
  const uint8_t *message = seed;
  const uint8_t *salt = seed + params->outer_code->message_bytes;
  const uint8_t *theta = secrets->k_theta + HQC_SEED_BYTES;
  uint64_t *h = memory.element[1];

  ckem_hqc_hash_h_and_expand(pke->hash, pke->stream, backend->keccak, params, secrets->h_ek, h,
                             public_key);
  ckem_hqc_hash_g(pke->hash, backend->keccak, params, secrets->k_theta, secrets->h_ek, message,
                  salt, NULL);
  ckem_hqc_pke_draw(pke, &secrets->draws, memory.element[0], theta, NULL);
  ckem_hqc_encrypt(&memory, ciphertext, public_key + HQC_SEED_BYTES, message);
  memcpy(ciphertext + params->ring->bytes + ckem_hqc_code_bytes(params), salt, HQC_SALT_BYTES);
  memcpy(shared_secret, secrets->k_theta, HQC_SECRET_BYTES);
  return CODEKEM_OK;
}

codekem_status ckem_hqc_decaps(const struct kem_call *call, struct arena arena) {
  const struct hqc_variant *variant = call->kem->internal->variant;
  const struct backend *backend = call->backend;
  uint8_t *shared_secret = call->out.shared_secret;
  const uint8_t *ciphertext = call->in.ciphertext;
  const uint8_t *secret_key = call->in.secret_key;
  const struct hqc_params *params = variant->params;
  const struct hqc_memory memory = ckem_hqc_take_memory(variant, backend, arena);
  const struct hqc_pke *pke = &memory.pke;
  struct hqc_secrets *secrets = memory.secrets;
  const struct hqc_secret_key_layout layout = ckem_hqc_lay_out_secret_key(params);
  const uint8_t *public_key = secret_key; /* its first part */
  const uint8_t *encoded_v = ciphertext + params->ring->bytes;
  const uint8_t *salt = encoded_v + ckem_hqc_code_bytes(params);
  const uint8_t *theta = secrets->k_theta + HQC_SEED_BYTES;
  uint64_t *h = memory.element[1];

  /* H(ek) and J are the longest chains of permutations, and J needs H(ek): all other streams are
   * drawn beside them. */
  struct keccak_task hash = ckem_hqc_begin_h(pke->hash, backend->keccak, params, public_key);
  const bool good =
      ckem_hqc_pke_decrypt(pke, secrets->message, ciphertext, encoded_v, secret_key + layout.dk_pke,
                           secrets->draws.r1, memory.element[0], memory.element[1], &hash);
  ckem_hqc_end_h(&hash, secrets->h_ek);

  struct keccak_sponge *sponge = (struct keccak_sponge *)(void *)pke->scratch; /* until u */
  hash = ckem_hqc_begin_j(sponge, backend->keccak, params, secrets->h_ek, secret_key + layout.sigma,
                          ciphertext);
  ckem_hqc_xof_open(pke->stream, backend->keccak, public_key);
  ckem_hqc_sample_uniform(params, pke->stream, h, &hash);
  ckem_hqc_hash_g(pke->hash, backend->keccak, params, secrets->k_theta, secrets->h_ek,
                  secrets->message, salt, &hash);
  ckem_hqc_pke_draw(pke, &secrets->draws, memory.element[0], theta, &hash);
  ckem_hqc_end_j(&hash, secrets->rejected);

  const uint64_t difference = ckem_hqc_compare_encryption(
      &memory, ciphertext, public_key + HQC_SEED_BYTES, secrets->message);
  ckem_hqc_select_secret(shared_secret, secrets->k_theta, secrets->rejected, HQC_SECRET_BYTES,
                         difference);
  return good ? CODEKEM_OK : CODEKEM_ERROR_INTERNAL;
}

codekem_status ckem_hqc_check_secret_key(const struct kem_call *call, struct arena arena) {
  const struct hqc_variant *variant = call->kem->internal->variant;
  const struct backend *backend = call->backend;
  const uint8_t *secret_key = call->in.secret_key;
  const struct hqc_memory memory = ckem_hqc_take_memory(variant, backend, arena);
  const struct hqc_secret_key_layout layout = ckem_hqc_lay_out_secret_key(variant->params);
  uint8_t *seeds = memory.secrets->k_theta;
  uint8_t *sigma = memory.secrets->message;
  uint64_t *s = memory.element[1];

  if (!make_key_pair(&memory, s, seeds, sigma, secret_key + layout.seed_kem)) {
    return CODEKEM_ERROR_SECRET_KEY;
  }
  uint64_t wrong = ckem_hqc_compare_bytes(seeds + HQC_SEED_BYTES, secret_key, HQC_SEED_BYTES);
  wrong |= ckem_hqc_compare_element(&memory.pke, s, secret_key + HQC_SEED_BYTES);
  wrong |= ckem_hqc_compare_bytes(seeds, secret_key + layout.dk_pke, HQC_SEED_BYTES);
  wrong |= ckem_hqc_compare_bytes(sigma, secret_key + layout.sigma,
                                  variant->params->outer_code->message_bytes);
  uint64_t good = ct_mask_zero_u64(wrong);
  /* Public: the verdict is what the caller asked for. */
  ct_declassify(&good, sizeof good);
  return good != 0 ? CODEKEM_OK : CODEKEM_ERROR_SECRET_KEY;
}

static const struct hqc_params *hqc_params_of(const struct hqc_variant *variant) {
  return variant->params;
}

/* s = x + y h. */
bool ckem_hqc_check_public_key(const void *variant, const uint8_t *public_key) {
  const struct hqc_params *params = hqc_params_of(variant);

  return ckem_hqc_may_be_sum(params->ring, public_key + HQC_SEED_BYTES, params->key_weight);
}

/* u = r1 + r2 h. */
bool ckem_hqc_check_ciphertext(const void *variant, const uint8_t *ciphertext) {
  const struct hqc_params *params = hqc_params_of(variant);

  return ckem_hqc_may_be_sum(params->ring, ciphertext, params->error_weight);
}

codekem_status ckem_hqc_derive_public_key(const struct kem_call *call, struct arena arena) {
  const struct hqc_variant *variant = call->kem->internal->variant;

  (void)arena;
  memcpy(call->out.public_key, call->in.secret_key, HQC_SEED_BYTES + variant->params->ring->bytes);
  return CODEKEM_OK;
}
