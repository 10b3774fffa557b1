/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Key generation, encapsulation and decapsulation of BIKE [BIKE, S6], and the checks on import. */
#include "bike/bike.h"

#include <string.h>

#include "base/bytes.h"
#include "base/ct.h"
#include "bike/bike_steps.h"
#include "bike/decoder.h"
#include "bike/sampling.h"
#include "bike/symmetric.h"
#include "sparse/sparse.h"

/* The seed of the error: m, or with the binding option a hash of public key and m [BIKE, S10]. */
static bool derive_error_seed(const struct bike_variant *variant, const struct backend *backend,
                              uint8_t seed[BIKE_SEED_BYTES], const uint8_t m[BIKE_SEED_BYTES],
                              const uint8_t *public_key) {
  const struct bike_symmetric *symmetric = variant->symmetric;
  struct bike_hash hash;

  if (!variant->bind_public_key) {
    memcpy(seed, m, BIKE_SEED_BYTES);
    return true;
  }
  symmetric->hash_open(&hash, backend->keccak);
  symmetric->hash_absorb(&hash, public_key, variant->params->ring->bytes);
  symmetric->hash_absorb(&hash, m, BIKE_SEED_BYTES);
  return symmetric->hash_close(&hash, seed);
}

/* The function H: the error (e0, e1) that belongs to m [BIKE, S4.3]. */
static bool hash_to_error(const struct bike_variant *variant, const struct backend *backend,
                          uint64_t *const e[2], const uint8_t *m, const uint8_t *public_key,
                          struct arena arena) {
  const struct bike_params *params = variant->params;
  const struct bike_symmetric *symmetric = variant->symmetric;
  const uint32_t r_bits = params->ring->r_bits;
  struct bike_prf *prf = (struct bike_prf *)(void *)arena_take(&arena, BIKE_PRF_WORDS);
  uint8_t *seed = (uint8_t *)arena_take(&arena, BIKE_SEED_WORDS);
  uint32_t *positions = (uint32_t *)(void *)arena_take(&arena, BIKE_POSITIONS_WORDS);

  if (!derive_error_seed(variant, backend, seed, m, public_key) ||
      !symmetric->prf_open(prf, backend->keccak, seed)) {
    return false;
  }
  const bool good =
      variant->uniform_sampling
          ? ckem_bike_sample_fixed_draws(symmetric, prf, positions, params->error_weight,
                                         2 * r_bits, params->uniform_error_draws)
          : ckem_bike_sample_biased(backend->sparse, symmetric, prf, positions,
                                    params->error_weight, 2 * r_bits);
  symmetric->prf_close(prf);
  if (good) {
    backend->sparse->set_positions(params->ring, e[0], positions, params->error_weight, 0);
    backend->sparse->set_positions(params->ring, e[1], positions, params->error_weight, r_bits);
  }
  return good;
}

/* The hashes that end an encapsulation: c1 = L(e0, e1) + m and the secret K(m, c0, c1)
 * [BIKE, S4.4 and S4.5]. Only the last 32 bytes of K's input need L, so both run side by side. */
static bool hash_ciphertext(const struct bike_variant *variant, const struct backend *backend,
                            uint8_t *ciphertext, uint8_t *shared_secret, const uint8_t *m,
                            uint8_t *input_of_l, uint8_t *start_of_k) {
  const struct bike_symmetric *symmetric = variant->symmetric;
  const size_t element_bytes = variant->params->ring->bytes;
  uint8_t *c1 = ciphertext + element_bytes;
  struct bike_hash l, k;

  memcpy(start_of_k, m, BIKE_SEED_BYTES);
  memcpy(start_of_k + BIKE_SEED_BYTES, ciphertext, element_bytes);
  symmetric->hash_open(&l, backend->keccak);
  symmetric->hash_open(&k, backend->keccak);
  symmetric->hash_absorb_pair(&l, input_of_l, 2 * element_bytes, &k, start_of_k,
                              BIKE_SEED_BYTES + element_bytes);
  const bool good_l = symmetric->hash_close(&l, c1);
  ckem_bike_add_seeds(c1, c1, m);
  symmetric->hash_absorb(&k, c1, BIKE_SEED_BYTES);
  const bool good_k = symmetric->hash_close(&k, shared_secret);
  return good_l && good_k;
}

/* Opens c1: m = c1 + L(e0, e1). */
static bool unmask_message(const struct bike_variant *variant, const struct backend *backend,
                           uint8_t m[BIKE_SEED_BYTES], const uint8_t *c1, uint8_t *input_of_l) {
  const struct bike_symmetric *symmetric = variant->symmetric;
  struct bike_hash l;

  symmetric->hash_open(&l, backend->keccak);
  symmetric->hash_absorb(&l, input_of_l, 2 * (size_t)variant->params->ring->bytes);
  const bool good = symmetric->hash_close(&l, m);
  ckem_bike_add_seeds(m, m, c1);
  return good;
}

/* The function K: the shared secret [BIKE, S4.5]. */
static bool hash_to_secret(const struct bike_variant *variant, const struct backend *backend,
                           uint8_t *shared_secret, const uint8_t m[BIKE_SEED_BYTES],
                           const uint8_t *ciphertext) {
  const struct bike_symmetric *symmetric = variant->symmetric;
  struct bike_hash k;

  symmetric->hash_open(&k, backend->keccak);
  symmetric->hash_absorb(&k, m, BIKE_SEED_BYTES);
  symmetric->hash_absorb(&k, ciphertext, variant->params->ring->bytes + (size_t)BIKE_SEED_BYTES);
  return symmetric->hash_close(&k, shared_secret);
}

codekem_status ckem_bike_keypair(const struct kem_call *call, struct arena arena) {
  const struct bike_variant *variant = call->kem->internal->variant;
  const struct backend *backend = call->backend;
  uint8_t *public_key = call->out.public_key;
  uint8_t *secret_key = call->out.secret_key;
  const uint8_t *seed = call->in.seed;
  const struct bike_params *params = variant->params;
  const struct gf2x_ring *ring = params->ring;
  const struct bike_secret_key_layout layout = ckem_bike_lay_out_secret_key(params);
  uint32_t *support[2];
  uint64_t *h[2];

  for (int b = 0; b < 2; b++) {
    support[b] = (uint32_t *)(void *)arena_take(&arena, BIKE_POSITIONS_WORDS);
    h[b] = arena_take(&arena, ring->stride);
  }
  uint64_t *quotient = arena_take(&arena, ring->stride);
  if (!ckem_bike_sample_key(variant, backend, support, seed, arena)) {
    return CODEKEM_ERROR_INTERNAL;
  }
  for (int b = 0; b < 2; b++) {
    backend->sparse->set_positions(ring, h[b], support[b], params->key_weight, 0);
    for (size_t i = 0; i < params->key_weight; i++) {
      store_le32(secret_key + layout.support[b] + 4 * i, support[b][i]);
    }
    ckem_gf2x_encode(ring, secret_key + layout.h[b], h[b]);
  }
  /* h0 has odd weight, so the inverse exists. */
  uint64_t *scratch = arena_take(&arena, GF2X_INVERT_SCRATCH_WORDS(ring->r_bits));
  ckem_gf2x_invert(backend->gf2x, ring, quotient, h[0], scratch);
  backend->gf2x->mul(ring, quotient, quotient, h[1], scratch);
  ckem_gf2x_encode(ring, public_key, quotient);
  memcpy(secret_key + layout.public_key, public_key, ring->bytes);
  memcpy(secret_key + layout.sigma, seed + BIKE_SEED_BYTES, BIKE_SEED_BYTES);
  return CODEKEM_OK;
}

codekem_status ckem_bike_encaps(const struct kem_call *call, struct arena arena) {
  const struct bike_variant *variant = call->kem->internal->variant;
  const struct backend *backend = call->backend;
  uint8_t *ciphertext = call->out.ciphertext;
  uint8_t *shared_secret = call->out.shared_secret;
  const uint8_t *public_key = call->in.public_key;
  const uint8_t *m = call->in.seed;
  const struct gf2x_ring *ring = variant->params->ring;
  uint64_t *e[2];

  e[0] = arena_take(&arena, ring->stride);
  e[1] = arena_take(&arena, ring->stride);
  uint64_t *c0 = arena_take(&arena, ring->stride);
  uint8_t *input_of_l = (uint8_t *)arena_take(&arena, BIKE_ERROR_BYTES_WORDS(ring->r_bits));
  if (!hash_to_error(variant, backend, e, m, public_key, arena)) {
    return CODEKEM_ERROR_INTERNAL;
  }
  uint64_t *scratch = arena_take(&arena, GF2X_MUL_SCRATCH_WORDS(ring->r_bits));
  ckem_gf2x_decode(ring, c0, public_key);
  backend->gf2x->mul(ring, c0, c0, e[1], scratch);
  ckem_gf2x_add(ring, c0, c0, e[0]);
  ckem_gf2x_encode(ring, ciphertext, c0);
  ckem_bike_encode_error(ring, input_of_l, e);
  return hash_ciphertext(variant, backend, ciphertext, shared_secret, m, input_of_l,
                         (uint8_t *)scratch)
             ? CODEKEM_OK
             : CODEKEM_ERROR_INTERNAL;
}

codekem_status ckem_bike_decaps(const struct kem_call *call, struct arena arena) {
  const struct bike_variant *variant = call->kem->internal->variant;
  const struct backend *backend = call->backend;
  uint8_t *shared_secret = call->out.shared_secret;
  const uint8_t *ciphertext = call->in.ciphertext;
  const uint8_t *secret_key = call->in.secret_key;
  const struct bike_params *params = variant->params;
  const struct bike_params decoder_params = ckem_bike_decoder_params(call);
  const struct gf2x_ring *ring = params->ring;
  const struct bike_secret_key_layout layout = ckem_bike_lay_out_secret_key(params);
  uint64_t *h[2];
  uint64_t *e[2];
  uint64_t *expected[2];
  uint32_t *support[2];

  for (int b = 0; b < 2; b++) {
    h[b] = arena_take(&arena, ring->stride);
    e[b] = arena_take(&arena, ring->stride);
    expected[b] = arena_take(&arena, ring->stride);
    support[b] = (uint32_t *)(void *)arena_take(&arena, BIKE_POSITIONS_WORDS);
  }
  uint64_t *c0 = arena_take(&arena, ring->stride);
  uint8_t *m = (uint8_t *)arena_take(&arena, BIKE_SEED_WORDS);
  uint8_t *input_of_l = (uint8_t *)arena_take(&arena, BIKE_ERROR_BYTES_WORDS(ring->r_bits));
  ckem_bike_load_secret_key(params, h, support, secret_key);
  ckem_gf2x_decode(ring, c0, ciphertext);
  const struct bike_decoder_key key = {{h[0], h[1]}, {support[0], support[1]}, false};
  ckem_bike_decode(&decoder_params, backend, e, c0, &key, NULL, NULL, arena);
  ckem_bike_encode_error(ring, input_of_l, e);
  if (!unmask_message(variant, backend, m, ciphertext + ring->bytes, input_of_l) ||
      !hash_to_error(variant, backend, expected, m, secret_key + layout.public_key, arena)) {
    return CODEKEM_ERROR_INTERNAL;
  }
  const uint8_t accepted = (uint8_t)ckem_bike_equal_pairs(ring, e, expected);
  for (size_t i = 0; i < BIKE_SEED_BYTES; i++) {
    const uint8_t sigma = secret_key[layout.sigma + i];
    m[i] = (uint8_t)(sigma ^ (accepted & (m[i] ^ sigma)));
  }
  return hash_to_secret(variant, backend, shared_secret, m, ciphertext) ? CODEKEM_OK
                                                                        : CODEKEM_ERROR_INTERNAL;
}

static const struct bike_params *bike_params_of(const struct bike_variant *variant) {
  return variant->params;
}

/* h = h1 / h0 has odd weight, as h0 and h1 have: see ckem_gf2x_parity. */
bool ckem_bike_check_public_key(const void *variant, const uint8_t *public_key) {
  const struct gf2x_ring *ring = bike_params_of(variant)->ring;

  return ckem_gf2x_is_canonical(ring, public_key) && ckem_gf2x_parity(ring, public_key) == 1;
}

/* c0 = e0 + e1 h has the parity of e0 and e1 together, since h is odd. */
bool ckem_bike_check_ciphertext(const void *variant, const uint8_t *ciphertext) {
  const struct bike_params *params = bike_params_of(variant);

  return ckem_gf2x_is_canonical(params->ring, ciphertext) &&
         ckem_gf2x_parity(params->ring, ciphertext) == params->error_weight % 2;
}

codekem_status ckem_bike_derive_public_key(const struct kem_call *call, struct arena arena) {
  const struct bike_variant *variant = call->kem->internal->variant;
  const struct bike_secret_key_layout layout = ckem_bike_lay_out_secret_key(variant->params);

  (void)arena;
  memcpy(call->out.public_key, call->in.secret_key + layout.public_key,
         variant->params->ring->bytes);
  return CODEKEM_OK;
}

/* Returns a non-zero number if the list of one half and its dense form disagree. */
static uint64_t half_differs(const struct bike_params *params, const struct backend *backend,
                             const uint64_t *h, const uint32_t *support, uint64_t *expected) {
  const struct gf2x_ring *ring = params->ring;
  uint64_t wrong = 0;

  /* For the proof of memory safety, here and below: what is only read needs no unrolling. */
  //@ loop unroll 0;
  for (size_t i = 0; i < params->key_weight; i++) {
    wrong |= ~ct_mask_less_u32(support[i], ring->r_bits);
  }
  /* Equal positions in the list make the weight too small. */
  backend->sparse->set_positions(ring, expected, support, params->key_weight, 0);
  wrong |= backend->gf2x->weight(ring, expected) ^ params->key_weight;
  //@ loop unroll 0;
  for (size_t i = 0; i < ring->words; i++) {
    wrong |= expected[i] ^ h[i];
  }
  return wrong;
}

codekem_status ckem_bike_check_secret_key(const struct kem_call *call, struct arena arena) {
  const struct bike_variant *variant = call->kem->internal->variant;
  const struct backend *backend = call->backend;
  const uint8_t *secret_key = call->in.secret_key;
  const struct bike_params *params = variant->params;
  const struct gf2x_ring *ring = params->ring;
  const struct bike_secret_key_layout layout = ckem_bike_lay_out_secret_key(params);
  uint64_t *h[2];
  uint32_t *support[2];
  uint64_t wrong = 0;

  for (int b = 0; b < 2; b++) {
    h[b] = arena_take(&arena, ring->stride);
    support[b] = (uint32_t *)(void *)arena_take(&arena, BIKE_POSITIONS_WORDS);
  }
  uint64_t *work = arena_take(&arena, ring->stride);
  ckem_bike_load_secret_key(params, h, support, secret_key);
  for (int b = 0; b < 2; b++) {
    /* Decoding folds the padding bits into the element, so they are checked in the bytes. */
    const uint8_t last = secret_key[layout.h[b] + ring->bytes - 1];
    wrong |= (uint64_t)(last >> (ring->r_bits % 8));
    wrong |= half_differs(params, backend, h[b], support[b], work);
  }
  /* If h * h0 = h1, the public and the secret half belong together. */
  uint64_t *scratch = arena_take(&arena, GF2X_MUL_SCRATCH_WORDS(ring->r_bits));
  ckem_gf2x_decode(ring, work, secret_key + layout.public_key);
  backend->gf2x->mul(ring, work, work, h[0], scratch);
  //@ loop unroll 0;
  for (size_t i = 0; i < ring->words; i++) {
    wrong |= work[i] ^ h[1][i];
  }
  uint64_t good = ct_mask_zero_u64(wrong);
  /* Public: the verdict is what the caller asked for. */
  ct_declassify(&good, sizeof good);
  return good != 0 && ckem_bike_check_public_key(variant, secret_key + layout.public_key)
             ? CODEKEM_OK
             : CODEKEM_ERROR_SECRET_KEY;
}
