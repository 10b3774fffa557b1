/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The steps that the operations of all revisions of HQC share. */
#include "hqc/hqc_steps.h"

#include <assert.h>

#include "base/bytes.h"
#include "base/ct.h"

static_assert(sizeof(struct hqc_secrets) <= 8 * HQC_SMALL_WORDS, "memory for small secrets");

struct hqc_secret_key_layout ckem_hqc_lay_out_secret_key(const struct hqc_params *params) {
  struct hqc_secret_key_layout layout;

  layout.dk_pke = HQC_SEED_BYTES + params->ring->bytes;
  layout.sigma = layout.dk_pke + HQC_SEED_BYTES;
  layout.seed_kem = layout.sigma + params->outer_code->message_bytes;
  return layout;
}

size_t ckem_hqc_code_words(const struct hqc_params *params) {
  return (size_t)REED_MULLER_WORDS * params->copies * params->outer_code->length;
}

size_t ckem_hqc_code_bytes(const struct hqc_params *params) {
  return 8 * ckem_hqc_code_words(params);
}

struct hqc_memory ckem_hqc_take_memory(const struct hqc_variant *variant,
                                       const struct backend *backend, struct arena arena) {
  const struct gf2x_ring *ring = variant->params->ring;
  struct hqc_memory memory;
  struct hqc_pke *pke = &memory.pke;

  memory.element[0] = arena_take(&arena, ring->stride);
  memory.element[1] = arena_take(&arena, ring->stride);
  memory.secrets = (struct hqc_secrets *)(void *)arena_take(&arena, HQC_SMALL_WORDS);
  pke->variant = variant;
  pke->params = variant->params;
  pke->backend = backend;
  pke->stream = &memory.secrets->stream;
  pke->hash = &memory.secrets->hash;
  pke->codeword = memory.secrets->codeword;
  pke->scratch = arena_take(&arena, GF2X_MUL_SCRATCH_WORDS(ring->r_bits));
  return memory;
}

void ckem_hqc_encrypt(const struct hqc_memory *memory, uint8_t *ciphertext,
                      const uint8_t *encoded_s, const uint8_t *message) {
  const struct hqc_pke *pke = &memory->pke;
  const struct hqc_draws *draws = &memory->secrets->draws;
  uint8_t *encoded_v = ciphertext + pke->params->ring->bytes;
  uint64_t *h = memory->element[1];
  uint64_t *u = h; /* each takes the place of the one before */
  uint64_t *v = h;
  const size_t code_words = ckem_hqc_code_words(pke->params);

  ckem_hqc_pke_encrypt_u(pke, u, h, draws);
  ckem_gf2x_encode(pke->params->ring, ciphertext, u);
  ckem_hqc_pke_encrypt_v(pke, v, encoded_s, draws, message);
  for (size_t i = 0; i < code_words; i++) {
    store_le64(encoded_v + 8 * i, v[i]);
  }
}

uint64_t ckem_hqc_compare_bytes(const uint8_t *a, const uint8_t *b, size_t length) {
  const size_t whole = length / 8 * 8; /* in words: of bytes compilers make slower code */
  uint64_t difference = 0;

  /* For the proof of memory safety, here and below: what is only read needs no unrolling. */
  //@ loop unroll 0;
  for (size_t i = 0; i < whole; i += 8) {
    difference |= load_le64(a + i) ^ load_le64(b + i);
  }
  //@ loop unroll 0;
  for (size_t i = whole; i < length; i++) {
    difference |= (uint64_t)(a[i] ^ b[i]);
  }
  return difference;
}

uint64_t ckem_hqc_compare_element(const struct hqc_pke *pke, const uint64_t *element,
                                  const uint8_t *encoded) {
  uint8_t *computed = (uint8_t *)pke->scratch;

  ckem_gf2x_encode(pke->params->ring, computed, element);
  return ckem_hqc_compare_bytes(computed, encoded, pke->params->ring->bytes);
}

/* Returns zero if v is the one that was encoded. */
static uint64_t compare_v(const struct hqc_pke *pke, const uint64_t *v, const uint8_t *encoded) {
  const size_t code_words = ckem_hqc_code_words(pke->params);
  uint64_t difference = 0;

  //@ loop unroll 0;
  for (size_t i = 0; i < code_words; i++) {
    difference |= v[i] ^ load_le64(encoded + 8 * i);
  }
  return difference;
}

uint64_t ckem_hqc_compare_encryption(const struct hqc_memory *memory, const uint8_t *ciphertext,
                                     const uint8_t *encoded_s, const uint8_t *message) {
  const struct hqc_pke *pke = &memory->pke;
  const struct hqc_draws *draws = &memory->secrets->draws;
  uint64_t *h = memory->element[1];
  uint64_t *u = h; /* each takes the place of the one before */
  uint64_t *v = h;

  ckem_hqc_pke_encrypt_u(pke, u, h, draws);
  const uint64_t difference = ckem_hqc_compare_element(pke, u, ciphertext);
  ckem_hqc_pke_encrypt_v(pke, v, encoded_s, draws, message);
  return difference | compare_v(pke, v, ciphertext + pke->params->ring->bytes);
}

void ckem_hqc_select_secret(uint8_t *out, const uint8_t *accepted, const uint8_t *rejected,
                            size_t length, uint64_t difference) {
  const uint8_t mask = (uint8_t)ct_mask_zero_u64(difference);

  for (size_t i = 0; i < length; i++) {
    out[i] = (uint8_t)(rejected[i] ^ (mask & (accepted[i] ^ rejected[i])));
  }
}

bool ckem_hqc_may_be_sum(const struct gf2x_ring *ring, const uint8_t *element, uint32_t weight) {
  return ckem_gf2x_is_canonical(ring, element) && !ckem_gf2x_is_zero(ring, element) &&
         (weight % 2 == 1 || ckem_gf2x_parity(ring, element) == 0);
}
