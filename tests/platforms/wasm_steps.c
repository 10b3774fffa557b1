/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The steps of the back end for WebAssembly's vectors beside the portable ones, on random values
 * and on positions at the ends of vectors and of the ring.
 *
 *   wasm_steps      prints "agree" and returns 0, or says what differs and returns 1
 */
#include <stdio.h>
#include <string.h>

#include "bike/counters.h"
#include "gf2x/gf2x.h"
#include "hqc/hqc.h"
#include "hqc/codes.h"
#include "sparse/sparse.h"

#define MAX_R_BITS 57637
#define ROUNDS 6

static _Alignas(64) uint64_t a[GF2X_STRIDE(MAX_R_BITS)], b[GF2X_STRIDE(MAX_R_BITS)];
static _Alignas(64) uint64_t expected[GF2X_STRIDE(MAX_R_BITS)], found[GF2X_STRIDE(MAX_R_BITS)];
static _Alignas(64) uint64_t expected_low[GF2X_STRIDE(MAX_R_BITS)];
static _Alignas(64) uint64_t found_low[GF2X_STRIDE(MAX_R_BITS)];
static _Alignas(64) uint64_t scratch[BIKE_SCRATCH_WORDS(MAX_R_BITS)];
static uint64_t state = 1;

/* Xorshift [Marsaglia, 2003]: nothing here needs better numbers. */
static uint64_t next(void) {
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

static int differ(const char *what, const void *x, const void *y, size_t length) {
  if (memcmp(x, y, length) == 0) {
    return 0;
  }
  printf("%s differs\n", what);
  return 1;
}

static void draw_element(const struct gf2x_ring *ring, uint64_t *out) {
  memset(out, 0, ring->stride * sizeof *out);
  for (size_t i = 0; i < ring->words; i++) {
    out[i] = next();
  }
  out[ring->words - 1] &= (UINT64_C(1) << ring->r_bits % 64) - 1;
}

/* Fills positions[count] with distinct ones: the given kinds of ends first, then random ones. */
static void draw_positions(const struct gf2x_ring *ring, uint32_t *positions, uint32_t count) {
  const uint32_t ends[] = {0,
                           1,
                           127,
                           128,
                           129,
                           1023,
                           1024,
                           8191,
                           8192,
                           ring->r_bits - 1,
                           ring->r_bits - 2,
                           ring->r_bits - 128,
                           ring->r_bits - 129};
  uint32_t words[SPARSE_MAX_POSITIONS];

  for (uint32_t i = 0; i < count; i++) {
    words[i] = (uint32_t)(next() >> 20);
  }
  ckem_sparse_wasm.pick_distinct(positions, words, count, ring->r_bits);
  for (uint32_t i = 0; i < sizeof ends / sizeof ends[0] && i < count; i++) {
    uint32_t listed = 0;
    for (uint32_t j = 0; j < count; j++) {
      listed |= positions[j] == ends[i];
    }
    positions[i] = listed != 0 ? positions[i] : ends[i];
  }
}

static int check_ring(const struct gf2x_ring *ring) {
  static const uint32_t counts[ROUNDS] = {1, 13, 66, 75, 149, 264};
  uint32_t positions[SPARSE_MAX_POSITIONS];
  int wrong = 0;

  for (size_t round = 0; round < ROUNDS; round++) {
    const uint32_t count = counts[round];
    const uint32_t first = round % 2 == 0 ? 0 : (uint32_t)(next() % ring->r_bits);
    draw_element(ring, a);
    draw_positions(ring, positions, count);
    ckem_sparse_portable.set_positions(ring, expected, positions, count, first);
    ckem_sparse_wasm.set_positions(ring, found, positions, count, first);
    wrong |= differ("set_positions", expected, found, ring->stride * sizeof *found);

    ckem_sparse_portable.set_positions(ring, b, positions, count, 0);
    ckem_gf2x_portable.mul(ring, expected, a, b, scratch);
    memset(scratch, 0x5A, sizeof scratch);
    ckem_sparse_wasm.multiply(ring, found, a, positions, count, scratch);
    wrong |= differ("multiply", expected, found, ring->stride * sizeof *found);
    ckem_sparse_wasm.multiply(ring, a, a, positions, count, scratch);
    wrong |= differ("multiply in place", expected, a, ring->stride * sizeof *found);
  }
  return wrong;
}

static int check_counters(const struct gf2x_ring *ring) {
  static const uint32_t weights[] = {1, 13, 71, 137, 255};
  uint32_t support[SPARSE_MAX_POSITIONS];
  const size_t bytes = ring->stride * sizeof *found;
  int wrong = 0;

  for (size_t i = 0; i < sizeof weights / sizeof weights[0]; i++) {
    const uint32_t weight = weights[i];
    const uint32_t threshold = (weight + 1) / 2;
    const uint32_t low = threshold - weight / 8;
    draw_element(ring, a);
    draw_positions(ring, support, weight);
    ckem_bike_counters_portable.count_unsatisfied(ring, expected, threshold, expected_low, low, a,
                                                  support, weight, scratch);
    memset(scratch, 0x5A, sizeof scratch);
    ckem_bike_counters_wasm.count_unsatisfied(ring, found, threshold, found_low, low, a, support,
                                              weight, scratch);
    wrong |= differ("count_unsatisfied", expected, found, bytes);
    wrong |= differ("count_unsatisfied, low", expected_low, found_low, bytes);
    ckem_bike_counters_wasm.count_unsatisfied(ring, found, threshold, NULL, 0, a, support, weight,
                                              scratch);
    wrong |= differ("count_unsatisfied, no low", expected, found, bytes);
  }
  return wrong;
}

static int check_codes(const struct hqc_params *params) {
  const struct reed_solomon *code = params->outer_code;
  const size_t words = ckem_hqc_code_words(params);
  uint8_t message[HQC_MAX_MESSAGE_BYTES], decoded[2][HQC_MAX_MESSAGE_BYTES];
  uint8_t codeword[REED_SOLOMON_MAX_LENGTH], other[REED_SOLOMON_MAX_LENGTH];
  int wrong = 0;

  for (size_t round = 0; round < 40; round++) {
    for (size_t i = 0; i < code->message_bytes; i++) {
      message[i] = (uint8_t)next();
    }
    ckem_hqc_codes_portable.reed_solomon_encode(code, codeword, message);
    ckem_hqc_codes_wasm.reed_solomon_encode(code, other, message);
    wrong |= differ("reed_solomon_encode", codeword, other, code->length);

    /* Words with many errors, so that ties and wrong symbols come up. */
    ckem_reed_muller_encode(a, codeword, code->length, params->copies);
    for (size_t i = 0; i < words; i++) {
      a[i] ^= round % 4 == 3 ? next() : next() & next();
    }
    memset(a, (int)(255 * (round % 2)), 8 * REED_MULLER_WORDS * params->copies);
    ckem_hqc_codes_portable.reed_muller_decode(codeword, a, code->length, params->copies);
    ckem_hqc_codes_wasm.reed_muller_decode(other, a, code->length, params->copies);
    wrong |= differ("reed_muller_decode", codeword, other, code->length);

    ckem_hqc_codes_portable.reed_solomon_encode(code, codeword, message);
    for (size_t i = 0; i < code->delta + round % 2; i++) {
      codeword[next() % code->length] ^= (uint8_t)next();
    }
    ckem_hqc_codes_portable.reed_solomon_decode(code, decoded[0], codeword);
    ckem_hqc_codes_wasm.reed_solomon_decode(code, decoded[1], codeword);
    wrong |= differ("reed_solomon_decode", decoded[0], decoded[1], code->message_bytes);
    if (round % 2 == 0) {
      wrong |= differ("reed_solomon_decode", decoded[1], message, code->message_bytes);
    }
  }
  return wrong;
}

int main(void) {
  const struct gf2x_ring *rings[] = {&ckem_gf2x_ring_12323, &ckem_gf2x_ring_24659,
                                     &ckem_gf2x_ring_40973, &ckem_gf2x_ring_17669,
                                     &ckem_gf2x_ring_35851, &ckem_gf2x_ring_57637};
  int wrong = 0;

  for (size_t i = 0; i < sizeof rings / sizeof rings[0]; i++) {
    wrong |= check_ring(rings[i]);
    wrong |= check_counters(rings[i]);
  }
  wrong |= check_codes(&ckem_hqc_level1);
  wrong |= check_codes(&ckem_hqc_level3);
  wrong |= check_codes(&ckem_hqc_level5);
  if (wrong == 0) {
    printf("agree\n");
  }
  return wrong;
}
