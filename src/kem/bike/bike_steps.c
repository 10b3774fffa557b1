/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The steps that single operations and batches share. */
#include "bike/bike_steps.h"

#include "base/bytes.h"
#include "base/ct.h"
#include "bike/sampling.h"

struct bike_secret_key_layout ckem_bike_lay_out_secret_key(const struct bike_params *params) {
  const size_t list_bytes = 4 * (size_t)params->key_weight;
  const size_t element_bytes = params->ring->bytes;
  struct bike_secret_key_layout layout;

  layout.support[0] = 0;
  layout.support[1] = list_bytes;
  layout.h[0] = 2 * list_bytes;
  layout.h[1] = layout.h[0] + element_bytes;
  layout.public_key = layout.h[1] + element_bytes;
  layout.sigma = layout.public_key + element_bytes;
  return layout;
}

struct bike_params ckem_bike_decoder_params(const struct kem_call *call) {
  const struct bike_variant *variant = call->kem->internal->variant;
  struct bike_params params = *variant->params;

  params.first_threshold_lower = (uint32_t)call->options->lower_first_threshold;
  return params;
}

bool ckem_bike_sample_key(const struct bike_variant *variant, const struct backend *backend,
                          uint32_t *const support[2], const uint8_t seed[BIKE_SEED_BYTES],
                          struct arena arena) {
  const struct bike_params *params = variant->params;
  const struct bike_symmetric *symmetric = variant->symmetric;
  struct bike_prf *prf = (struct bike_prf *)(void *)arena_take(&arena, BIKE_PRF_WORDS);
  bool good = true;

  if (!symmetric->prf_open(prf, backend->keccak, seed)) {
    return false;
  }
  for (int b = 0; good && b < 2; b++) {
    good = variant->uniform_sampling
               ? ckem_bike_sample_rejection(symmetric, prf, support[b], params->key_weight,
                                            params->ring->r_bits)
               : ckem_bike_sample_biased(backend->sparse, symmetric, prf, support[b],
                                         params->key_weight, params->ring->r_bits);
  }
  symmetric->prf_close(prf);
  return good;
}

void ckem_bike_add_seeds(uint8_t out[BIKE_SEED_BYTES], const uint8_t a[BIKE_SEED_BYTES],
                         const uint8_t b[BIKE_SEED_BYTES]) {
  for (size_t i = 0; i < BIKE_SEED_BYTES; i++) {
    out[i] = a[i] ^ b[i];
  }
}

void ckem_bike_encode_error(const struct gf2x_ring *ring, uint8_t *encoded, uint64_t *const e[2]) {
  ckem_gf2x_encode(ring, encoded, e[0]);
  ckem_gf2x_encode(ring, encoded + ring->bytes, e[1]);
}

uint64_t ckem_bike_equal_pairs(const struct gf2x_ring *ring, uint64_t *const a[2],
                               uint64_t *const b[2]) {
  uint64_t difference = 0;

  for (int block = 0; block < 2; block++) {
    /* For the proof of memory safety: what is only read needs no unrolling. */
    //@ loop unroll 0;
    for (size_t i = 0; i < ring->words; i++) {
      difference |= a[block][i] ^ b[block][i];
    }
  }
  return ct_mask_zero_u64(difference);
}

void ckem_bike_load_secret_key(const struct bike_params *params, uint64_t *const h[2],
                               uint32_t *const support[2], const uint8_t *secret_key) {
  const struct bike_secret_key_layout layout = ckem_bike_lay_out_secret_key(params);

  for (int b = 0; b < 2; b++) {
    ckem_gf2x_decode(params->ring, h[b], secret_key + layout.h[b]);
    for (size_t i = 0; i < params->key_weight; i++) {
      support[b][i] = load_le32(secret_key + layout.support[b] + 4 * i);
    }
  }
}
