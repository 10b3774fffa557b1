/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Functions of HQC, each alone, in which implementations have leaked (test_hqc_leaks.py has the
 * list). With "leak itself" a function does what leaked; where that is in a back end, the reference
 * does it: it writes positions by index, and decodes with branches and early exits.
 */
#include "hqc/hqc_steps.c"
#include "hqc/sampling.c" /* for the static functions of both */

#include <string.h>

#include "backends.h"
#include "hqc/codes.h"
#include "legacy/hqc_2023_symmetric.h"
#include "sparse/sparse.h"
#include "subject.h"

static const struct hqc_params *const params = &ckem_hqc_level1;

static _Alignas(64) uint64_t words[2][GF2X_STRIDE(17669)], scratch[GF2X_STRIDE(17669)];
static uint8_t bytes[REED_SOLOMON_MAX_LENGTH], other_bytes[REED_SOLOMON_MAX_LENGTH];
static uint8_t seed[HQC_SEED_BYTES];
static uint32_t positions[HQC_MAX_WEIGHT], candidate[1];
static uint64_t difference[1];
static volatile unsigned sink; /* keeps the compiler from leaving a leak out */

static bool choose(const char *name) {
  return strcmp(name, "HQC") == 0;
}

static void prepare(const struct row *row, const struct turn *turn) {
  (void)row, (void)turn;
  memset(words, 0, sizeof words);
  memset(bytes, 0, sizeof bytes);
  bytes[0] = 1; /* the zero word, with errors: in the parity, in the message */
  bytes[40] = 2;
  seed[0] = 1;
  for (uint32_t i = 0; i < params->error_weight; i++) {
    positions[i] = 200 * i;
  }
  candidate[0] = 12345678;
  difference[0] = 0;
}

static struct keccak_sponge secret_stream(void) {
  struct keccak_sponge stream;

  ckem_keccak_init(&stream, ckem_backend_in_use()->keccak, SHAKE256_RATE_BYTES,
                   KECCAK_SUFFIX_SHAKE);
  ckem_keccak_absorb(&stream, seed, sizeof seed);
  ckem_keccak_finish(&stream);
  return stream;
}

static codekem_status rejection_sampling(void) {
  const struct hqc_variant variant = {params, false};
  struct keccak_sponge stream = secret_stream();

  (void)ckem_hqc_sample_rejection(&variant, ckem_backend_in_use(), &stream, positions);
  if (harness_leaky) { /* a search for duplicates that stops at the first */
    for (uint32_t j = 0; positions[j] != positions[params->key_weight - 1]; j++) {
      sink += 1;
    }
  }
  return CODEKEM_OK;
}

/* The revision of 2023 takes remainders modulo n, n - 1, ..., which others divided for. */
static codekem_status sampling_of_2023(void) {
  struct keccak_sponge stream = secret_stream();

  ckem_hqc_2023_sample(params, ckem_backend_in_use(), &stream, positions, params->error_weight);
  return CODEKEM_OK;
}

uint32_t leak_by_division(uint32_t number); /* for the look at the disassembly alone */

uint32_t leak_by_division(uint32_t number) {
  return number % params->ring->r_bits;
}

static codekem_status modulo_by_n(void) {
  if (!harness_leaky) {
    candidate[0] = reduce(params->ring->r_bits, params->barrett, candidate[0]);
    return CODEKEM_OK;
  }
  while (candidate[0] >= params->ring->r_bits) {
    candidate[0] -= params->ring->r_bits;
  }
  return CODEKEM_OK;
}

static codekem_status fixed_weight_sampling(void) {
  const struct hqc_variant variant = {params, false};
  struct keccak_sponge stream = secret_stream();

  ckem_hqc_sample_fixed(&variant, ckem_backend_in_use(), &stream, positions, NULL);
  return CODEKEM_OK;
}

static codekem_status support_to_vector(void) {
  ckem_backend_in_use()->sparse->set_positions(params->ring, words[0], positions,
                                               params->error_weight, 0);
  return CODEKEM_OK;
}

static codekem_status peak_search(void) {
  ckem_hqc_codes_of(ckem_backend_in_use())
      ->reed_muller_decode(bytes, words[0], params->outer_code->length, params->copies);
  return CODEKEM_OK;
}

static codekem_status error_values(void) {
  ckem_hqc_codes_of(ckem_backend_in_use())
      ->reed_solomon_decode(params->outer_code, other_bytes, bytes);
  return CODEKEM_OK;
}

/* Encoding multiplies in GF(256) and does little else. */
static codekem_status field_multiplication(void) {
  static volatile uint8_t table[256]; /* of logarithms, say */

  if (harness_leaky) {
    sink += table[bytes[0]];
  }
  ckem_hqc_codes_of(ckem_backend_in_use())
      ->reed_solomon_encode(params->outer_code, other_bytes, bytes);
  return CODEKEM_OK;
}

static codekem_status ciphertext_comparison(void) {
  const struct hqc_pke pke = {
      .params = params, .backend = ckem_backend_in_use(), .scratch = scratch};

  if (harness_leaky) { /* as memcmp does */
    for (size_t i = 0; i < params->ring->words && difference[0] == 0; i++) {
      difference[0] = words[0][i] ^ words[1][i];
    }
    return CODEKEM_OK;
  }
  difference[0] = ckem_hqc_compare_element(&pke, words[0], (const uint8_t *)words[1]);
  difference[0] |= compare_v(&pke, words[0], (const uint8_t *)words[1]);
  return CODEKEM_OK;
}

#define IN(array) {#array, array, sizeof array, SECRET_INPUT, 0}
#define OUT(array, length) {#array, array, length, SECRET_OUTPUT, 0}

static size_t regions(const struct row *row, struct region *list) {
  const struct reed_solomon *code = params->outer_code;
  const struct {
    codekem_status (*run)(void);
    struct region in, out;
  } of[] = {
      {rejection_sampling, IN(seed), OUT(positions, params->key_weight * sizeof *positions)},
      {modulo_by_n, IN(candidate), OUT(candidate, 2)},
      {sampling_of_2023, IN(seed), OUT(positions, params->error_weight * sizeof *positions)},
      {fixed_weight_sampling, IN(seed), OUT(positions, params->error_weight * sizeof *positions)},
      {support_to_vector, IN(positions), OUT(words, params->ring->r_bits / 64 * sizeof **words)},
      {peak_search, IN(words), OUT(bytes, code->length)},
      {error_values, IN(bytes), OUT(other_bytes, code->message_bytes)},
      {field_multiplication, IN(bytes), OUT(other_bytes, code->length)},
      {ciphertext_comparison, IN(words), OUT(difference, sizeof difference)},
  };
  size_t i = 0;

  while (of[i].run != row->run) {
    i += 1;
  }
  list[0] = of[i].in;
  list[1] = of[i].out;
  return 2;
}

static const struct row rows[] = {
    ROW_OF(rejection_sampling),    ROW_OF(modulo_by_n),          ROW_OF(sampling_of_2023),
    ROW_OF(fixed_weight_sampling), ROW_OF(support_to_vector),    ROW_OF(peak_search),
    ROW_OF(error_values),          ROW_OF(field_multiplication), ROW_OF(ciphertext_comparison),
};

const struct table hqc_functions = {
    .lists = {ROWS(rows)},
    .choose = choose,
    .prepare = prepare,
    .regions = regions,
};
