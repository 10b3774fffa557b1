/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The public-key encryption below HQC [HQC, 10], and the concatenated code [HQC, 9]. */
#include "hqc/pke.h"

#include <string.h>

#include "base/bytes.h"
#include "base/ct.h"
#include "hqc/hashes.h"
#include "hqc/codes.h"
#include "hqc/sampling.h"
#include "sparse/sparse.h"

/* out = the element with ones at positions[count]. */
static void ones_at(const struct hqc_pke *pke, uint64_t *out, const uint32_t *positions,
                    uint32_t count) {
  pke->backend->sparse->set_positions(pke->params->ring, out, positions, count, 0);
}

void ckem_hqc_pke_add_ones_at(const struct hqc_pke *pke, uint64_t *a, const uint32_t *positions,
                              uint32_t count) {
  ones_at(pke, pke->scratch, positions, count);
  ckem_gf2x_add(pke->params->ring, a, a, pke->scratch);
}

struct hqc_factor ckem_hqc_pke_make_factor(const struct hqc_pke *pke, uint64_t *memory,
                                           const uint32_t *positions, uint32_t count) {
  struct hqc_factor factor = {.count = count};

  if (pke->backend->sparse->multiply != NULL) {
    memcpy(memory, positions, count * sizeof *positions);
    factor.positions = (const uint32_t *)(const void *)memory;
  } else {
    ones_at(pke, memory, positions, count);
    factor.element = memory;
  }
  return factor;
}

void ckem_hqc_pke_multiply(const struct hqc_pke *pke, uint64_t *out, const uint64_t *a,
                           struct hqc_factor factor) {
  const struct gf2x_ring *ring = pke->params->ring;

  if (factor.positions != NULL) {
    pke->backend->sparse->multiply(ring, out, a, factor.positions, factor.count, pke->scratch);
  } else {
    pke->backend->gf2x->mul(ring, out, a, factor.element, pke->scratch);
  }
}

/* Returns coefficients first to r - 1 of a factor, at most 32. */
static uint64_t top_of_factor(const struct hqc_pke *pke, struct hqc_factor factor, uint32_t first) {
  uint32_t ones = 0;
  uint64_t top;

  if (factor.positions == NULL) {
    top = factor.element[first / 64] >> (first % 64) | factor.element[first / 64 + 1]
                                                           << 1 << (63 - first % 64);
  } else {
    for (uint32_t i = 0; i < factor.count; i++) {
      const uint32_t is_one = ~ct_mask_less_u32(factor.positions[i], first) & 1;
      ones |= is_one << (factor.positions[i] - first) % 32;
    }
    top = ones;
  }
  return top & ((UINT64_C(1) << (pke->params->ring->r_bits - first)) - 1);
}

/* v = v + Encode(message) [HQC, 9]. */
static void add_encoded(const struct hqc_pke *pke, uint64_t *v, const uint8_t *message) {
  const struct reed_solomon *code = pke->params->outer_code;
  const size_t code_words = ckem_hqc_code_words(pke->params);

  ckem_hqc_codes_of(pke->backend)->reed_solomon_encode(code, pke->codeword, message);
  ckem_reed_muller_encode(pke->scratch, pke->codeword, code->length, pke->params->copies);
  /* For the proof of memory safety, here and below: what has values already needs no unrolling. */
  //@ loop unroll 0;
  for (size_t i = 0; i < code_words; i++) {
    v[i] ^= pke->scratch[i];
  }
}

/* message = Decode(received) [HQC, 9]. */
static void decode_to_message(const struct hqc_pke *pke, uint8_t *message,
                              const uint64_t *received) {
  const struct reed_solomon *code = pke->params->outer_code;
  const struct hqc_codes *ops = ckem_hqc_codes_of(pke->backend);

  ops->reed_muller_decode(pke->codeword, received, code->length, pke->params->copies);
  ops->reed_solomon_decode(code, message, pke->codeword);
}

/* out = s r2, for the s of a public key.
 *
 * Unused bits of s that are set count as coefficients n, n + 1, ... of a polynomial that is
 * multiplied and folded once [HQC, 13]. The ring would fold the result twice, so the contribution
 * of the second fold is subtracted. Honest keys have no such bits. */
static void multiply_by_s(const struct hqc_pke *pke, uint64_t *out, const uint8_t *encoded_s,
                          struct hqc_factor r2) {
  const struct gf2x_ring *ring = pke->params->ring;
  const uint32_t unused = 8 * ring->bytes - ring->r_bits;
  const uint32_t top = ring->r_bits - unused; /* r2 from here on reaches 2 n with them */
  const uint64_t padding = (uint64_t)encoded_s[ring->bytes - 1] >> (8 - unused);
  const uint64_t r2_top = top_of_factor(pke, r2, top);
  uint64_t beyond = 0;

  for (uint32_t i = 0; i < unused; i++) {
    beyond ^= r2_top << i & (0 - (padding >> i & 1));
  }
  ckem_gf2x_decode(ring, out, encoded_s);
  ckem_hqc_pke_multiply(pke, out, out, r2);
  out[0] ^= beyond >> unused;
}

bool ckem_hqc_pke_keypair(const struct hqc_pke *pke, uint64_t *s, uint8_t *seeds,
                          const uint8_t *seed_pke, uint32_t *positions, uint64_t *work) {
  const struct keccak_ops *keccak = pke->backend->keccak;
  const uint8_t *seed_dk = seeds;
  const uint8_t *seed_ek = seeds + HQC_SEED_BYTES;
  const uint32_t weight = pke->params->key_weight;
  uint64_t *h = s; /* s takes the place of h */

  ckem_hqc_hash_i(pke->hash, keccak, seeds, seed_pke);
  /* Public: it is part of the public key. */
  ct_declassify(seed_ek, HQC_SEED_BYTES);
  ckem_hqc_xof_open(pke->hash, keccak, seed_ek);
  struct keccak_task task = ckem_hqc_begin_uniform(pke->params, pke->hash, h);
  ckem_hqc_xof_open(pke->stream, keccak, seed_dk);
  bool good = ckem_hqc_sample_rejection_beside(pke->variant, pke->backend, pke->stream, positions,
                                               &task); /* y */
  const struct hqc_factor y = ckem_hqc_pke_make_factor(pke, work, positions, weight);
  good =
      ckem_hqc_sample_rejection_beside(pke->variant, pke->backend, pke->stream, positions, &task) &&
      good;
  ckem_hqc_end_uniform(pke->params, &task, h);
  ckem_hqc_pke_multiply(pke, s, h, y);
  ckem_hqc_pke_add_ones_at(pke, s, positions, weight); /* x */
  return good;
}

void ckem_hqc_pke_draw(const struct hqc_pke *pke, struct hqc_draws *draws, uint64_t *r2,
                       const uint8_t *theta, struct keccak_task *beside) {
  uint32_t *r2_positions = draws->r1; /* r1 comes last */

  ckem_hqc_xof_open(pke->stream, pke->backend->keccak, theta);
  ckem_hqc_sample_fixed(pke->variant, pke->backend, pke->stream, r2_positions, beside);
  draws->r2 = ckem_hqc_pke_make_factor(pke, r2, r2_positions, pke->params->error_weight);
  ckem_hqc_sample_fixed(pke->variant, pke->backend, pke->stream, draws->e, beside);
  ckem_hqc_sample_fixed(pke->variant, pke->backend, pke->stream, draws->r1, beside);
}

void ckem_hqc_pke_encrypt_u(const struct hqc_pke *pke, uint64_t *u, const uint64_t *h,
                            const struct hqc_draws *draws) {
  ckem_hqc_pke_multiply(pke, u, h, draws->r2);
  ckem_hqc_pke_add_ones_at(pke, u, draws->r1, pke->params->error_weight);
}

void ckem_hqc_pke_encrypt_v(const struct hqc_pke *pke, uint64_t *v, const uint8_t *encoded_s,
                            const struct hqc_draws *draws, const uint8_t *message) {
  multiply_by_s(pke, v, encoded_s, draws->r2);
  ckem_hqc_pke_add_ones_at(pke, v, draws->e, pke->params->error_weight);
  add_encoded(pke, v, message);
}

bool ckem_hqc_pke_decrypt(const struct hqc_pke *pke, uint8_t *message, const uint8_t *encoded_u,
                          const uint8_t *encoded_v, const uint8_t *dk_pke, uint32_t *positions,
                          uint64_t *y, uint64_t *work, struct keccak_task *beside) {
  ckem_hqc_xof_open(pke->stream, pke->backend->keccak, dk_pke);
  const bool good =
      ckem_hqc_sample_rejection_beside(pke->variant, pke->backend, pke->stream, positions, beside);
  ckem_hqc_pke_decrypt_with(pke, message, encoded_u, encoded_v,
                            ckem_hqc_pke_make_factor(pke, y, positions, pke->params->key_weight),
                            work);
  return good;
}

void ckem_hqc_pke_decrypt_with(const struct hqc_pke *pke, uint8_t *message,
                               const uint8_t *encoded_u, const uint8_t *encoded_v,
                               struct hqc_factor y, uint64_t *work) {
  uint64_t *u = work;
  uint64_t *received = work; /* v + u y takes the place of u */
  const size_t code_words = ckem_hqc_code_words(pke->params);

  ckem_gf2x_decode(pke->params->ring, u, encoded_u);
  ckem_hqc_pke_multiply(pke, received, u, y);
  //@ loop unroll 0;
  for (size_t i = 0; i < code_words; i++) {
    received[i] ^= load_le64(encoded_v + 8 * i);
  }
  decode_to_message(pke, message, received);
}
