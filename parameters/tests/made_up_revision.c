/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A revision of HQC that nobody has specified, for test_made_up.py: other domains, another sampler
 * for keys, a public key s || seed and a secret key seed || public key, and a last byte of the
 * ciphertext that confirms the message. */
#include <string.h>

#include "base/bytes.h"
#include "base/ct.h"
#include "hqc/hashes.h"
#include "hqc/hqc_kems.h"
#include "hqc/hqc_steps.h"
#include "hqc/sampling.h"
#include "sparse/sparse.h"

enum domain { SEEDS = 0x40, KEYS, MESSAGE, REJECTED };

static void begin(struct keccak_sponge *sponge, const struct hqc_pke *pke, const uint8_t *in,
                  size_t length) {
  ckem_keccak_init(sponge, pke->backend->keccak, SHAKE256_RATE_BYTES, KECCAK_SUFFIX_SHAKE);
  ckem_keccak_absorb(sponge, in, length);
}

static void draw_h(const struct hqc_memory *memory, const uint8_t *public_seed) {
  ckem_hqc_xof_open(memory->pke.stream, memory->pke.backend->keccak, public_seed);
  ckem_hqc_sample_uniform(memory->pke.params, memory->pke.stream, memory->element[1], NULL);
}

/* Draws y, then x, of the seed of all, of which k_theta gets seed_dk || seed_ek. */
static void draw_keys(const struct hqc_memory *memory, const uint8_t *seed) {
  const struct hqc_pke *pke = &memory->pke;
  uint32_t *positions[] = {memory->secrets->draws.e, memory->secrets->draws.r1};
  uint8_t *seeds = memory->secrets->k_theta;

  begin(pke->stream, pke, seed, HQC_SEED_BYTES);
  ckem_hqc_hash_end(pke->stream, SEEDS, seeds, 2 * HQC_SEED_BYTES);
  begin(pke->stream, pke, seeds, HQC_SEED_BYTES);
  for (size_t i = 0; i < 2; i++) {
    const size_t weight = pke->params->key_weight;
    ckem_hqc_hash_end(pke->stream, KEYS, (uint8_t *)positions[i], 4 * weight);
    for (size_t j = 0; j < weight; j++) {
      positions[i][j] = load_le32((const uint8_t *)&positions[i][j]);
    }
    pke->backend->sparse->pick_distinct(positions[i], positions[i], weight,
                                        pke->params->ring->r_bits);
    begin(pke->stream, pke, seeds, HQC_SEED_BYTES - 1); /* another stream for x */
  }
}

static struct hqc_factor take_y(const struct hqc_memory *memory) {
  return ckem_hqc_pke_make_factor(&memory->pke, memory->element[0], memory->secrets->draws.e,
                                  memory->pke.params->key_weight);
}

static void make_keys(const struct hqc_memory *memory, uint8_t *secret_key, const uint8_t *seed) {
  const struct hqc_pke *pke = &memory->pke;
  uint8_t *public_key = secret_key + HQC_SEED_BYTES;

  draw_keys(memory, seed);
  draw_h(memory, memory->secrets->k_theta + HQC_SEED_BYTES);
  ckem_hqc_pke_multiply(pke, memory->element[1], memory->element[1], take_y(memory));
  ckem_hqc_pke_add_ones_at(pke, memory->element[1], memory->secrets->draws.r1,
                           pke->params->key_weight);
  memcpy(secret_key, seed, HQC_SEED_BYTES);
  ckem_gf2x_encode(pke->params->ring, public_key, memory->element[1]);
  memcpy(public_key + pke->params->ring->bytes, memory->secrets->k_theta + HQC_SEED_BYTES,
         HQC_SEED_BYTES);
}

/* Draws errors; k_theta gets secret and theta. Returns the byte that confirms. */
static uint8_t draw_errors(const struct hqc_memory *memory, const uint8_t *public_key,
                           const uint8_t *message, const uint8_t *salt) {
  const struct hqc_pke *pke = &memory->pke;
  uint8_t *k_theta = memory->secrets->k_theta, confirmation;

  begin(pke->hash, pke, public_key, pke->params->ring->bytes + HQC_SEED_BYTES);
  ckem_keccak_absorb(pke->hash, message, pke->params->outer_code->message_bytes);
  ckem_keccak_absorb(pke->hash, salt, HQC_SALT_BYTES);
  ckem_hqc_hash_end(pke->hash, MESSAGE, k_theta, 2 * HQC_SEED_BYTES);
  ckem_keccak_squeeze(pke->hash, &confirmation, 1);
  ckem_hqc_pke_draw(pke, &memory->secrets->draws, memory->element[0], k_theta + HQC_SEED_BYTES,
                    NULL);
  draw_h(memory, public_key + pke->params->ring->bytes);
  return confirmation;
}

#define MEMORY ckem_hqc_take_memory(call->kem->internal->variant, call->backend, arena)

static codekem_status made_up_keypair(const struct kem_call *call, struct arena arena) {
  const struct hqc_memory memory = MEMORY;
  make_keys(&memory, call->out.secret_key, call->in.seed);
  memcpy(call->out.public_key, call->out.secret_key + HQC_SEED_BYTES, call->kem->length_public_key);
  return CODEKEM_OK;
}

static codekem_status made_up_encaps(const struct kem_call *call, struct arena arena) {
  const struct hqc_memory memory = MEMORY;
  const uint8_t *salt = call->in.seed + memory.pke.params->outer_code->message_bytes;
  uint8_t *last = call->out.ciphertext + call->kem->length_ciphertext - 1;

  *last = draw_errors(&memory, call->in.public_key, call->in.seed, salt);
  ckem_hqc_encrypt(&memory, call->out.ciphertext, call->in.public_key, call->in.seed);
  memcpy(last - HQC_SALT_BYTES, salt, HQC_SALT_BYTES);
  memcpy(call->out.shared_secret, memory.secrets->k_theta, HQC_SECRET_BYTES);
  return CODEKEM_OK;
}

static codekem_status made_up_decaps(const struct kem_call *call, struct arena arena) {
  const struct hqc_memory memory = MEMORY;
  const struct hqc_pke *pke = &memory.pke;
  struct hqc_secrets *secrets = memory.secrets;
  const uint8_t *key = call->in.secret_key, *c = call->in.ciphertext;
  const uint8_t *last = c + call->kem->length_ciphertext - 1;

  begin(pke->hash, pke, key, HQC_SEED_BYTES);
  ckem_keccak_absorb(pke->hash, c, call->kem->length_ciphertext);
  ckem_hqc_hash_end(pke->hash, REJECTED, secrets->rejected, HQC_SECRET_BYTES);
  draw_keys(&memory, key);
  ckem_hqc_pke_decrypt_with(pke, secrets->message, c, c + pke->params->ring->bytes, take_y(&memory),
                            memory.element[1]);
  key += HQC_SEED_BYTES;
  uint64_t wrong = *last ^ draw_errors(&memory, key, secrets->message, last - HQC_SALT_BYTES);
  wrong |= ckem_hqc_compare_encryption(&memory, c, key, secrets->message);
  ckem_hqc_select_secret(call->out.shared_secret, secrets->k_theta, secrets->rejected,
                         HQC_SECRET_BYTES, wrong);
  return CODEKEM_OK;
}

static codekem_status made_up_check(const struct kem_call *call, struct arena arena) {
  const struct hqc_memory memory = MEMORY;
  uint8_t *made = (uint8_t *)memory.pke.scratch;
  make_keys(&memory, made, call->in.secret_key);
  uint64_t good = ct_mask_zero_u64(ckem_hqc_compare_bytes(made, call->in.secret_key,
                                                          call->kem->length_secret_key));
  /* Public: the verdict is what the caller asked for. */
  ct_declassify(&good, sizeof good);
  return good != 0 ? CODEKEM_OK : CODEKEM_ERROR_SECRET_KEY;
}

static codekem_status made_up_derive(const struct kem_call *call, struct arena arena) {
  (void)arena;
  memcpy(call->out.public_key, call->in.secret_key + HQC_SEED_BYTES, call->kem->length_public_key);
  return CODEKEM_OK;
}

static bool made_up_public_key(const void *variant, const uint8_t *public_key) {
  const struct hqc_params *params = ((const struct hqc_variant *)variant)->params;
  return ckem_hqc_may_be_sum(params->ring, public_key, params->key_weight);
}

static const struct kem_operations made_up_operations = {
    .keypair = made_up_keypair,
    .encaps = made_up_encaps,
    .decaps = made_up_decaps,
    .check_secret_key = made_up_check,
    .derive_public_key = made_up_derive,
    .good_public_key = made_up_public_key,
    .good_ciphertext = ckem_hqc_check_ciphertext,
};

#define MADE_UP(object, name, level, version, old, tag)                                            \
  HQC_DEFINE_KEM(object, name, level, version, old, tag, made_up_operations,                       \
                 HQC_PUBLIC_KEY_BYTES(HQC_N_##level),                                              \
                 HQC_SEED_BYTES + HQC_PUBLIC_KEY_BYTES(HQC_N_##level),                             \
                 HQC_CIPHERTEXT_BYTES(HQC_N_##level, HQC_CODE_BITS_##level) + 1, HQC_SECRET_BYTES, \
                 HQC_SEED_BYTES, 8 * HQC_WORKSPACE_WORDS(HQC_N_##level));
HQC_MADE_UP_KEMS(MADE_UP)
