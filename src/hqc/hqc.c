/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Key generation, encapsulation and decapsulation of HQC [HQC, 11], and the checks on import. */
#include "hqc/hqc.h"

#include <assert.h>
#include <string.h>

#include "base/bytes.h"
#include "base/ct.h"
#include "hqc/hashes.h"
#include "hqc/pke.h"

size_t hqc_code_words(const struct hqc_params *params) {
  return (size_t)REED_MULLER_WORDS * params->copies * params->outer_code->length;
}

size_t hqc_code_bytes(const struct hqc_params *params) {
  return 8 * hqc_code_words(params);
}

/* Where the fields of a secret key start: ek || dk_pke || sigma || seed_kem [HQC, 12]. */
struct hqc_secret_key_layout {
  size_t dk_pke;
  size_t sigma;
  size_t seed_kem;
};

static struct hqc_secret_key_layout hqc_lay_out_secret_key(const struct hqc_params *params) {
  struct hqc_secret_key_layout layout;

  layout.dk_pke = HQC_SEED_BYTES + params->ring->bytes;
  layout.sigma = layout.dk_pke + HQC_SEED_BYTES;
  layout.seed_kem = layout.sigma + params->outer_code->message_bytes;
  return layout;
}

/* The small secrets of an operation. */
struct secrets {
  struct keccak_sponge stream;
  struct keccak_sponge hash;
  struct hqc_draws draws; /* its positions also serve to draw y and x */
  uint8_t codeword[REED_SOLOMON_MAX_LENGTH];
  uint8_t message[HQC_MAX_MESSAGE_BYTES]; /* sigma while a key pair is made */
  uint8_t h_ek[HQC_SEED_BYTES];
  uint8_t k_theta[2 * HQC_SEED_BYTES];
  uint8_t rejected[HQC_SECRET_BYTES]; /* the result for a wrong ciphertext */
};

static_assert(sizeof(struct secrets) <= 8 * HQC_SMALL_WORDS, "memory for small secrets");

/* All memory of an operation. */
struct memory {
  uint64_t *element[2];
  struct secrets *secrets;
  struct hqc_pke pke;
};

static struct memory take_memory(const struct hqc_variant *variant, const struct backend *backend,
                                 struct arena arena) {
  const struct gf2x_ring *ring = variant->params->ring;
  struct memory memory;
  struct hqc_pke *pke = &memory.pke;

  memory.element[0] = arena_take(&arena, ring->stride);
  memory.element[1] = arena_take(&arena, ring->stride);
  memory.secrets = (struct secrets *)(void *)arena_take(&arena, HQC_SMALL_WORDS);
  pke->variant = variant;
  pke->params = variant->params;
  pke->backend = backend;
  pke->stream = &memory.secrets->stream;
  pke->hash = &memory.secrets->hash;
  pke->codeword = memory.secrets->codeword;
  pke->scratch = arena_take(&arena, GF2X_LEAN_SCRATCH_WORDS(ring->r_bits));
  return memory;
}

/* KeyGen from seed_kem: s into the element s, seeds[2 * HQC_SEED_BYTES] = seed_dk || seed_ek, and
 * sigma into message. */
static void make_key_pair(const struct memory *memory, uint64_t *s, uint8_t *seeds, uint8_t *sigma,
                          const uint8_t *seed_kem) {
  const struct hqc_pke *pke = &memory->pke;
  struct secrets *secrets = memory->secrets;
  uint8_t *seed_pke = secrets->rejected; /* nothing is rejected here */

  hqc_xof_open(pke->stream, pke->backend->keccak, seed_kem);
  keccak_squeeze(pke->stream, seed_pke, HQC_SEED_BYTES);
  keccak_squeeze(pke->stream, sigma, pke->params->outer_code->message_bytes);
  hqc_pke_keypair(pke, s, seeds, seed_pke, secrets->draws.r1, memory->element[0]);
}

void hqc_keypair(const struct hqc_variant *variant, const struct backend *backend,
                 uint8_t *public_key, uint8_t *secret_key, const uint8_t *seed,
                 struct arena arena) {
  const struct gf2x_ring *ring = variant->params->ring;
  const struct memory memory = take_memory(variant, backend, arena);
  const struct hqc_secret_key_layout layout = hqc_lay_out_secret_key(variant->params);
  uint8_t *seeds = memory.secrets->k_theta;
  uint64_t *s = memory.element[1];

  make_key_pair(&memory, s, seeds, secret_key + layout.sigma, seed);
  memcpy(public_key, seeds + HQC_SEED_BYTES, HQC_SEED_BYTES);
  gf2x_encode(ring, public_key + HQC_SEED_BYTES, s);
  memcpy(secret_key, public_key, HQC_SEED_BYTES + ring->bytes);
  memcpy(secret_key + layout.dk_pke, seeds, HQC_SEED_BYTES);
  memcpy(secret_key + layout.seed_kem, seed, HQC_SEED_BYTES);
}

void hqc_encaps(const struct hqc_variant *variant, const struct backend *backend,
                uint8_t *ciphertext, uint8_t *shared_secret, const uint8_t *public_key,
                const uint8_t *seed, struct arena arena) {
  const struct hqc_params *params = variant->params;
  const struct memory memory = take_memory(variant, backend, arena);
  const struct hqc_pke *pke = &memory.pke;
  struct secrets *secrets = memory.secrets;
  const uint8_t *message = seed;
  const uint8_t *salt = seed + params->outer_code->message_bytes;
  const uint8_t *theta = secrets->k_theta + HQC_SEED_BYTES;
  uint8_t *encoded_v = ciphertext + params->ring->bytes;
  uint64_t *h = memory.element[1];
  uint64_t *u = h; /* each takes the place of the one before */
  uint64_t *v = h;

  secrets->draws.r2 = memory.element[0];
  hqc_hash_h_and_expand(pke->hash, pke->stream, backend->keccak, params, secrets->h_ek, h,
                        public_key);
  hqc_hash_g(pke->hash, backend->keccak, params, secrets->k_theta, secrets->h_ek, message, salt);
  hqc_pke_draw(pke, &secrets->draws, theta);
  hqc_pke_encrypt_u(pke, u, h, &secrets->draws);
  gf2x_encode(params->ring, ciphertext, u);
  hqc_pke_encrypt_v(pke, v, public_key + HQC_SEED_BYTES, &secrets->draws, message);
  for (size_t i = 0; i < hqc_code_words(params); i++) {
    store_le64(encoded_v + 8 * i, v[i]);
  }
  memcpy(encoded_v + hqc_code_bytes(params), salt, HQC_SALT_BYTES);
  memcpy(shared_secret, secrets->k_theta, HQC_SECRET_BYTES);
}

/* Returns zero if the bytes are equal. */
static uint64_t compare_bytes(const uint8_t *a, const uint8_t *b, size_t length) {
  uint64_t difference = 0;

  for (size_t i = 0; i < length; i++) {
    difference |= (uint64_t)(a[i] ^ b[i]);
  }
  return difference;
}

/* Returns zero if element is what was encoded, unused bits included. */
static uint64_t compare_element(const struct hqc_pke *pke, const uint64_t *element,
                                const uint8_t *encoded) {
  uint8_t *computed = (uint8_t *)pke->scratch;

  gf2x_encode(pke->params->ring, computed, element);
  return compare_bytes(computed, encoded, pke->params->ring->bytes);
}

/* Returns zero if v is the one that was encoded. */
static uint64_t compare_v(const struct hqc_pke *pke, const uint64_t *v, const uint8_t *encoded) {
  uint64_t difference = 0;

  for (size_t i = 0; i < hqc_code_words(pke->params); i++) {
    difference |= v[i] ^ load_le64(encoded + 8 * i);
  }
  return difference;
}

void hqc_decaps(const struct hqc_variant *variant, const struct backend *backend,
                uint8_t *shared_secret, const uint8_t *ciphertext, const uint8_t *secret_key,
                struct arena arena) {
  const struct hqc_params *params = variant->params;
  const struct memory memory = take_memory(variant, backend, arena);
  const struct hqc_pke *pke = &memory.pke;
  struct secrets *secrets = memory.secrets;
  const struct hqc_secret_key_layout layout = hqc_lay_out_secret_key(params);
  const uint8_t *public_key = secret_key; /* its first part */
  const uint8_t *encoded_v = ciphertext + params->ring->bytes;
  const uint8_t *salt = encoded_v + hqc_code_bytes(params);
  const uint8_t *theta = secrets->k_theta + HQC_SEED_BYTES;
  uint64_t *h = memory.element[1];
  uint64_t *u = h; /* each takes the place of the one before */
  uint64_t *v = h;

  hqc_pke_decrypt(pke, secrets->message, ciphertext, encoded_v, secret_key + layout.dk_pke,
                  secrets->draws.r1, memory.element[0], memory.element[1]);
  hqc_hash_h_and_expand(pke->hash, pke->stream, backend->keccak, params, secrets->h_ek, h,
                        public_key);
  hqc_hash_g(pke->hash, backend->keccak, params, secrets->k_theta, secrets->h_ek, secrets->message,
             salt);
  secrets->draws.r2 = memory.element[0];
  hqc_pke_draw(pke, &secrets->draws, theta);
  hqc_pke_encrypt_u(pke, u, h, &secrets->draws);
  uint64_t difference = compare_element(pke, u, ciphertext);
  hqc_pke_encrypt_v(pke, v, public_key + HQC_SEED_BYTES, &secrets->draws, secrets->message);
  difference |= compare_v(pke, v, encoded_v);
  hqc_hash_j(pke->hash, backend->keccak, params, secrets->rejected, secrets->h_ek,
             secret_key + layout.sigma, ciphertext);
  const uint8_t accepted = (uint8_t)ct_mask_zero_u64(difference);
  for (size_t i = 0; i < HQC_SECRET_BYTES; i++) {
    const uint8_t other = secrets->rejected[i];
    shared_secret[i] = (uint8_t)(other ^ (accepted & (secrets->k_theta[i] ^ other)));
  }
}

codekem_status hqc_check_secret_key(const struct hqc_variant *variant,
                                    const struct backend *backend, const uint8_t *secret_key,
                                    struct arena arena) {
  const struct memory memory = take_memory(variant, backend, arena);
  const struct hqc_secret_key_layout layout = hqc_lay_out_secret_key(variant->params);
  uint8_t *seeds = memory.secrets->k_theta;
  uint8_t *sigma = memory.secrets->message;
  uint64_t *s = memory.element[1];

  make_key_pair(&memory, s, seeds, sigma, secret_key + layout.seed_kem);
  uint64_t wrong = compare_bytes(seeds + HQC_SEED_BYTES, secret_key, HQC_SEED_BYTES);
  wrong |= compare_element(&memory.pke, s, secret_key + HQC_SEED_BYTES);
  wrong |= compare_bytes(seeds, secret_key + layout.dk_pke, HQC_SEED_BYTES);
  wrong |=
      compare_bytes(sigma, secret_key + layout.sigma, variant->params->outer_code->message_bytes);
  uint64_t good = ct_mask_zero_u64(wrong);
  /* Public: the verdict is what the caller asked for. */
  ct_declassify(&good, sizeof good);
  return good != 0 ? CODEKEM_OK : CODEKEM_ERROR_SECRET_KEY;
}

/* Returns whether a sum a + b c, of sparse a and b of one weight and any c, may have this encoding:
 * it is not zero, and where the weight is even, so is that of the sum (see gf2x_parity). */
static bool may_be_sum(const struct gf2x_ring *ring, const uint8_t *element, uint32_t weight) {
  return gf2x_is_canonical(ring, element) && !gf2x_is_zero(ring, element) &&
         (weight % 2 == 1 || gf2x_parity(ring, element) == 0);
}

/* s = x + y h. */
bool hqc_check_public_key(const struct hqc_variant *variant, const uint8_t *public_key) {
  return may_be_sum(variant->params->ring, public_key + HQC_SEED_BYTES,
                    variant->params->key_weight);
}

/* u = r1 + r2 h. */
bool hqc_check_ciphertext(const struct hqc_variant *variant, const uint8_t *ciphertext) {
  return may_be_sum(variant->params->ring, ciphertext, variant->params->error_weight);
}

void hqc_derive_public_key(const struct hqc_variant *variant, uint8_t *public_key,
                           const uint8_t *secret_key) {
  memcpy(public_key, secret_key, HQC_SEED_BYTES + variant->params->ring->bytes);
}
