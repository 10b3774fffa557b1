/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* One decryption of HQC, as far as the inner code: how many symbols it gets wrong. */
#include "hqc_trial.h"

#include <stddef.h>
#include <string.h>

#include "hqc/codes.h"
#include "hqc/reed_muller.h"

#define MAX_N 57637
#define MAX_WORDS ((MAX_N + 63) / 64)

static void flip(uint64_t *element, uint32_t position) {
  element[position / 64] ^= UINT64_C(1) << (position % 64);
}

/* element += a b, both sparse. */
static void add_product(uint64_t *element, uint32_t n, const uint32_t *a, uint32_t a_count,
                        const uint32_t *b, uint32_t b_count) {
  for (uint32_t i = 0; i < a_count; i++) {
    for (uint32_t j = 0; j < b_count; j++) {
      const uint32_t sum = a[i] + b[j];
      flip(element, sum < n ? sum : sum - n);
    }
  }
}

static void draw_sparse(struct stream *stream, uint32_t *list, uint32_t count, uint32_t n) {
  static struct set set;

  memset(&set, 0, sizeof set);
  draw_distinct(stream, &set, list, 0, count, n);
}

/* received += x r2 + y r1 + e: what decryption finds on the code word [HQC, 10]. */
static void add_error(const struct hqc_params *params, struct stream *stream, uint64_t *received) {
  uint32_t secret[HQC_MAX_WEIGHT], random[HQC_MAX_WEIGHT];
  const uint32_t n = params->ring->r_bits;

  for (int product = 0; product < 2; product++) {
    draw_sparse(stream, secret, params->key_weight, n);
    draw_sparse(stream, random, params->error_weight, n);
    add_product(received, n, secret, params->key_weight, random, params->error_weight);
  }
  draw_sparse(stream, random, params->error_weight, n);
  for (uint32_t i = 0; i < params->error_weight; i++) {
    flip(received, random[i]);
  }
}

uint32_t hqc_trial_run(const struct hqc_params *params, const struct backend *backend,
                       const uint8_t seed[DRAW_SEED_BYTES], uint64_t index) {
  static uint64_t received[MAX_WORDS + REED_MULLER_WORDS];
  uint8_t sent[REED_SOLOMON_MAX_LENGTH], decoded[REED_SOLOMON_MAX_LENGTH];
  const uint32_t length = params->outer_code->length;
  struct stream stream;
  uint32_t wrong = 0;

  stream_open(&stream, seed, index);
  for (uint32_t i = 0; i < length; i++) {
    sent[i] = (uint8_t)uniform(&stream, 256);
  }
  memset(received, 0, sizeof received);
  ckem_reed_muller_encode(received, sent, length, params->copies);
  add_error(params, &stream, received);
  ckem_hqc_codes_of(backend)->reed_muller_decode(decoded, received, length, params->copies);
  for (uint32_t i = 0; i < length; i++) {
    wrong += sent[i] != decoded[i];
  }
  return wrong;
}
