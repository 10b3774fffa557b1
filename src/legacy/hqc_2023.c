/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Key generation, encapsulation and decapsulation of HQC of 2023-04-30, and its KEMs by name. */
#include "legacy/hqc_2023.h"

#include <assert.h>
#include <string.h>

#include "base/ct.h"
#include "codekem_legacy.h"
#include "hqc/hashes.h"
#include "hqc/hqc_kems.h"
#include "hqc/hqc_steps.h"
#include "hqc/sampling.h"
#include "kem.h"
#include "legacy/hqc_2023_symmetric.h"

#define SEED_BYTES HQC_2023_SEED_BYTES
#define SECRET_BYTES HQC_2023_HASH_BYTES

static_assert(SECRET_BYTES <= HQC_MAX_SECRET_BYTES, "memory for the secret of a rejection");

/* Lengths in bytes; r_bits is n, code_bits is n1 n2, message is k.
 * Public key: seed || s. Secret key, and the seed of both: seed || sigma || public key or its seed.
 * Ciphertext: u || v || salt. */
#define PUBLIC_KEY_BYTES(r_bits) (SEED_BYTES + GF2X_BYTES(r_bits))
#define SECRET_KEY_BYTES(r_bits, message) (SEED_BYTES + (message) + PUBLIC_KEY_BYTES(r_bits))
#define KEYPAIR_SEED_BYTES(message) (SEED_BYTES + (message) + SEED_BYTES)

static const struct hqc_params *params_of(const struct kem_call *call) {
  const struct hqc_variant *variant = call->kem->internal->variant;
  return variant->params;
}

/* Returns where the public key starts in a secret key, and its seed in the seed of both. */
static size_t public_part(const struct hqc_params *params) {
  return SEED_BYTES + params->outer_code->message_bytes;
}

/* Makes s = x + y h from the seeds of both keys. s is element[1]. */
static void make_s(const struct hqc_memory *memory, const uint8_t *secret_seed,
                   const uint8_t *public_seed) {
  const struct hqc_pke *pke = &memory->pke;
  const uint32_t weight = pke->params->key_weight;
  uint32_t *x = memory->secrets->draws.r1;
  uint32_t *y_positions = memory->secrets->draws.e;
  uint64_t *h = memory->element[1];
  uint64_t *s = h; /* takes the place of h */

  ckem_hqc_2023_open(pke->stream, pke->backend->keccak, public_seed);
  ckem_hqc_sample_uniform(pke->params, pke->stream, h, NULL);
  ckem_hqc_2023_open(pke->stream, pke->backend->keccak, secret_seed);
  ckem_hqc_2023_sample(pke->params, pke->backend, pke->stream, x, weight);
  ckem_hqc_2023_sample(pke->params, pke->backend, pke->stream, y_positions, weight);
  ckem_hqc_pke_multiply(pke, s, h,
                        ckem_hqc_pke_make_factor(pke, memory->element[0], y_positions, weight));
  ckem_hqc_pke_add_ones_at(pke, s, x, weight);
}

/* Makes h into element[1] and theta = G(message || public_key || salt), and draws r1, r2 and e. */
static void draw_from_message(const struct hqc_memory *memory, const uint8_t *public_key,
                              const uint8_t *message, const uint8_t *salt) {
  const struct hqc_pke *pke = &memory->pke;
  const struct hqc_params *params = pke->params;
  const struct keccak_ops *keccak = pke->backend->keccak;
  struct hqc_draws *draws = &memory->secrets->draws;
  uint32_t *r2_positions = draws->e; /* e comes last */
  uint8_t *theta = memory->secrets->k_theta;

  ckem_hqc_2023_hash_start(pke->hash, keccak);
  ckem_keccak_absorb(pke->hash, message, params->outer_code->message_bytes);
  ckem_hqc_2023_open(pke->stream, keccak, public_key);
  struct keccak_task task = {
      .sponge = pke->hash, .in = public_key, .length = SEED_BYTES + params->ring->bytes};
  ckem_hqc_sample_uniform(params, pke->stream, memory->element[1], &task);
  ckem_keccak_end_task(&task);
  ckem_keccak_absorb(pke->hash, salt, HQC_SALT_BYTES);
  ckem_hqc_hash_end(pke->hash, HQC_2023_DOMAIN_G, theta, HQC_2023_HASH_BYTES);

  ckem_hqc_2023_open(pke->stream, keccak, theta);
  ckem_hqc_2023_sample(params, pke->backend, pke->stream, draws->r1, params->error_weight);
  ckem_hqc_2023_sample(params, pke->backend, pke->stream, r2_positions, params->error_weight);
  draws->r2 = ckem_hqc_pke_make_factor(pke, memory->element[0], r2_positions, params->error_weight);
  ckem_hqc_2023_sample(params, pke->backend, pke->stream, draws->e, params->error_weight);
}

/* --- The operations (kem.h) ------------------------------------------------------------------- */

static codekem_status run_keypair(const struct kem_call *call, struct arena arena) {
  const struct hqc_params *params = params_of(call);
  const struct hqc_memory memory =
      ckem_hqc_take_memory(call->kem->internal->variant, call->backend, arena);
  const size_t start = public_part(params);

  make_s(&memory, call->in.seed, call->in.seed + start);
  memcpy(call->out.public_key, call->in.seed + start, SEED_BYTES);
  ckem_gf2x_encode(params->ring, call->out.public_key + SEED_BYTES, memory.element[1]);
  memcpy(call->out.secret_key, call->in.seed, start);
  memcpy(call->out.secret_key + start, call->out.public_key, SEED_BYTES + params->ring->bytes);
  return CODEKEM_OK;
}

static codekem_status run_encaps(const struct kem_call *call, struct arena arena) {
  const struct hqc_params *params = params_of(call);
  const struct hqc_memory memory =
      ckem_hqc_take_memory(call->kem->internal->variant, call->backend, arena);
  struct keccak_sponge *hash = memory.pke.hash;
  const uint8_t *message = call->in.seed;
  const uint8_t *salt = message + params->outer_code->message_bytes;
  const size_t encrypted = params->ring->bytes + ckem_hqc_code_bytes(params);

  draw_from_message(&memory, call->in.public_key, message, salt);
  ckem_hqc_encrypt(&memory, call->out.ciphertext, call->in.public_key + SEED_BYTES, message);
  memcpy(call->out.ciphertext + encrypted, salt, HQC_SALT_BYTES);
  ckem_hqc_2023_hash_start(hash, call->backend->keccak);
  ckem_keccak_absorb(hash, message, params->outer_code->message_bytes);
  ckem_keccak_absorb(hash, call->out.ciphertext, encrypted);
  ckem_hqc_hash_end(hash, HQC_2023_DOMAIN_K, call->out.shared_secret, SECRET_BYTES);
  return CODEKEM_OK;
}

/* Makes the secrets of a ciphertext that is accepted, K(message || u || v), and of one that is
 * rejected, from sigma || u || v || salt: two independent chains of permutations, side by side. */
static void make_secrets(const struct hqc_memory *memory, uint8_t *accepted, uint8_t *rejected,
                         const uint8_t *message, const uint8_t *sigma, const uint8_t *ciphertext) {
  const struct hqc_params *params = memory->pke.params;
  const struct keccak_ops *keccak = memory->pke.backend->keccak;
  const size_t encrypted = params->ring->bytes + ckem_hqc_code_bytes(params);
  struct keccak_sponge *hash = memory->pke.hash;
  struct keccak_sponge *rejection = memory->pke.stream;

  ckem_hqc_2023_hash_start(hash, keccak);
  ckem_hqc_2023_hash_start(rejection, keccak);
  ckem_keccak_absorb(hash, message, params->outer_code->message_bytes);
  ckem_keccak_absorb(rejection, sigma, params->outer_code->message_bytes);
  ckem_keccak_absorb_pair(hash, ciphertext, encrypted, rejection, ciphertext, encrypted);
  ckem_keccak_absorb(rejection, ciphertext + encrypted, HQC_SALT_BYTES);
  ckem_hqc_hash_end(hash, HQC_2023_DOMAIN_K, accepted, SECRET_BYTES);
  ckem_hqc_hash_end(rejection, HQC_2023_DOMAIN_REJECTION, rejected, SECRET_BYTES);
}

static codekem_status run_decaps(const struct kem_call *call, struct arena arena) {
  const struct hqc_params *params = params_of(call);
  const struct hqc_memory memory =
      ckem_hqc_take_memory(call->kem->internal->variant, call->backend, arena);
  const struct hqc_pke *pke = &memory.pke;
  struct hqc_secrets *secrets = memory.secrets;
  const uint8_t *public_key = call->in.secret_key + public_part(params);
  const uint8_t *sigma = call->in.secret_key + SEED_BYTES;
  const uint8_t *encoded_v = call->in.ciphertext + params->ring->bytes;
  uint8_t *accepted = secrets->k_theta; /* takes the place of theta */
  uint32_t *positions = secrets->draws.r1;

  ckem_hqc_2023_open(pke->stream, call->backend->keccak, call->in.secret_key);
  ckem_hqc_2023_sample(params, call->backend, pke->stream, positions, params->key_weight); /* x */
  ckem_hqc_2023_sample(params, call->backend, pke->stream, positions, params->key_weight); /* y */
  ckem_hqc_pke_decrypt_with(pke, secrets->message, call->in.ciphertext, encoded_v,
                            ckem_hqc_pke_make_factor(pke, memory.element[0], positions,
                                                     params->key_weight),
                            memory.element[1]);
  draw_from_message(&memory, public_key, secrets->message, encoded_v + ckem_hqc_code_bytes(params));
  const uint64_t difference = ckem_hqc_compare_encryption(
      &memory, call->in.ciphertext, public_key + SEED_BYTES, secrets->message);
  make_secrets(&memory, accepted, secrets->rejected, secrets->message, sigma, call->in.ciphertext);
  ckem_hqc_select_secret(call->out.shared_secret, accepted, secrets->rejected, SECRET_BYTES,
                         difference);
  return CODEKEM_OK;
}

/* sigma is not checked: it may be anything. */
static codekem_status run_check(const struct kem_call *call, struct arena arena) {
  const struct hqc_memory memory =
      ckem_hqc_take_memory(call->kem->internal->variant, call->backend, arena);
  const uint8_t *public_key = call->in.secret_key + public_part(params_of(call));

  make_s(&memory, call->in.secret_key, public_key);
  uint64_t good = ct_mask_zero_u64(ckem_hqc_compare_element(&memory.pke, memory.element[1],
                                                            public_key + SEED_BYTES));
  /* Public: the verdict is what the caller asked for. */
  ct_declassify(&good, sizeof good);
  return good != 0 ? CODEKEM_OK : CODEKEM_ERROR_SECRET_KEY;
}

static codekem_status run_derive(const struct kem_call *call, struct arena arena) {
  const struct hqc_params *params = params_of(call);

  (void)arena;
  memcpy(call->out.public_key, call->in.secret_key + public_part(params),
         SEED_BYTES + params->ring->bytes);
  return CODEKEM_OK;
}

static bool public_key_is_good(const void *variant, const uint8_t *public_key) {
  const struct hqc_params *params = ((const struct hqc_variant *)variant)->params;
  return ckem_hqc_may_be_sum(params->ring, public_key + SEED_BYTES, params->key_weight);
}

static const struct kem_operations operations = {
    .keypair = run_keypair,
    .encaps = run_encaps,
    .decaps = run_decaps,
    .check_secret_key = run_check,
    .derive_public_key = run_derive,
    .good_public_key = public_key_is_good,
    .good_ciphertext = ckem_hqc_check_ciphertext,
};

/* --- The KEMs --------------------------------------------------------------------------------- */

/* The published sizes, and those that the public headers promise. */
static_assert(PUBLIC_KEY_BYTES(17669) == 2249, "public key of HQC-128");
static_assert(PUBLIC_KEY_BYTES(35851) == 4522, "public key of HQC-192");
static_assert(PUBLIC_KEY_BYTES(57637) == 7245, "public key of HQC-256");
static_assert(SECRET_KEY_BYTES(17669, 16) == 2305, "secret key of HQC-128");
static_assert(SECRET_KEY_BYTES(35851, 24) == 4586, "secret key of HQC-192");
static_assert(SECRET_KEY_BYTES(57637, 32) == 7317, "secret key of HQC-256");
static_assert(CODEKEM_LEGACY_MAX_SHARED_SECRET >= SECRET_BYTES, "the largest shared secret");

#define HQC_2023(object, name, level, version, old)                                               \
  static_assert(CODEKEM_LEGACY_MAX_PUBLIC_KEY >= PUBLIC_KEY_BYTES(HQC_N_##level), name);          \
  static_assert(CODEKEM_LEGACY_MAX_SECRET_KEY >= SECRET_KEY_BYTES(HQC_N_##level, HQC_K_##level),  \
                name);                                                                            \
  static_assert(CODEKEM_LEGACY_MAX_CIPHERTEXT >=                                                  \
                    HQC_CIPHERTEXT_BYTES(HQC_N_##level, HQC_CODE_BITS_##level),                   \
                name);                                                                            \
  static_assert(CODEKEM_LEGACY_MAX_KEYPAIR_SEED >= KEYPAIR_SEED_BYTES(HQC_K_##level), name);      \
  static_assert(KEM_MAX_REQUEST_BYTES >= KEYPAIR_SEED_BYTES(HQC_K_##level), name);                \
  HQC_DEFINE_KEM(object, name, level, version, old, false, operations,                            \
                 PUBLIC_KEY_BYTES(HQC_N_##level), SECRET_KEY_BYTES(HQC_N_##level, HQC_K_##level), \
                 HQC_CIPHERTEXT_BYTES(HQC_N_##level, HQC_CODE_BITS_##level), SECRET_BYTES,        \
                 KEYPAIR_SEED_BYTES(HQC_K_##level), 8 * HQC_WORKSPACE_WORDS(HQC_N_##level));
LEGACY_HQC_KEMS(HQC_2023)
