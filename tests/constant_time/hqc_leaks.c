/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Runs one function of HQC alone on inputs that are marked as secret, under valgrind.
 *
 *   hqc_leaks LEAK BACKEND...    exit status: 0 if the function ran to its end
 *
 * LEAK names a place where implementations of HQC have leaked (test_hqc_leaks.py has the list).
 * BACKEND is portable or avx2; `leaky` takes a variant that leaks, to show that the check sees it.
 */
#include "hqc/hqc_steps.c"
#include "hqc/sampling.c" /* for the static functions of both */
#include "hqc/codes.h"
#include "legacy/hqc_2023_symmetric.h"
#include "sparse/sparse.h"

#include <stdio.h>

#include "secrets.h"

static const struct hqc_params *const params = &ckem_hqc_level1;

static const struct backend backends[] = {
    {.name = "portable",
     .gf2x = &ckem_gf2x_portable,
     .keccak = &ckem_keccak_portable,
     .sparse = &ckem_sparse_portable,
     .id = BACKEND_PORTABLE},
    {.name = "avx2",
     .gf2x = &ckem_gf2x_portable,
     .keccak = &ckem_keccak_portable,
     .sparse = &ckem_sparse_avx2,
     .id = BACKEND_AVX2},
    /* The reference writes positions by index, and decodes with branches and early exits. */
    {.name = "leaky",
     .gf2x = &ckem_gf2x_reference,
     .keccak = &ckem_keccak_portable,
     .sparse = &ckem_sparse_reference,
     .id = BACKEND_REFERENCE},
};

static const struct backend *backend;
static bool leaky;

/* Secret inputs, and results, which must stay secret. */
static _Alignas(64) uint64_t words[GF2X_STRIDE(17669)], other_words[GF2X_STRIDE(17669)];
static _Alignas(64) uint64_t scratch[GF2X_STRIDE(17669)];
static uint8_t bytes[REED_SOLOMON_MAX_LENGTH], other_bytes[REED_SOLOMON_MAX_LENGTH];
static uint32_t positions[HQC_MAX_WEIGHT];
static volatile unsigned sink; /* keeps the compiler from leaving a leak out */

/* Fails unless all of the result depends on a secret: else the check would have checked nothing. */
static int expect_secret(const void *result, size_t length) {
  const size_t found = count_secret_bytes(result, length);

  if (found != length) {
    fprintf(stderr, "only %zu of %zu bytes of the result are secret\n", found, length);
    return 1;
  }
  return 0;
}

static struct keccak_sponge secret_stream(void) {
  struct keccak_sponge stream;
  uint8_t seed[HQC_SEED_BYTES] = {1};

  mark_secret(seed, sizeof seed);
  ckem_keccak_init(&stream, backend->keccak, SHAKE256_RATE_BYTES, KECCAK_SUFFIX_SHAKE);
  ckem_keccak_absorb(&stream, seed, sizeof seed);
  ckem_keccak_finish(&stream);
  return stream;
}

static int rejection_sampling(void) {
  const struct hqc_variant variant = {params, false};
  struct keccak_sponge stream = secret_stream();

  (void)ckem_hqc_sample_rejection(&variant, &stream, positions);
  if (leaky) { /* a search for duplicates that stops at the first */
    for (uint32_t j = 0; positions[j] != positions[params->key_weight - 1]; j++) {
      sink += 1;
    }
  }
  return expect_secret(positions, params->key_weight * sizeof *positions);
}

/* The revision of 2023 takes remainders modulo n, n - 1, ..., which others divided for. */
static int sampling_of_2023(void) {
  struct keccak_sponge stream = secret_stream();

  ckem_hqc_2023_sample(params, backend, &stream, positions, params->error_weight);
  return expect_secret(positions, params->error_weight * sizeof *positions);
}

uint32_t leak_by_division(uint32_t candidate); /* for the look at the disassembly alone */

uint32_t leak_by_division(uint32_t candidate) {
  return candidate % params->ring->r_bits;
}

static int modulo_by_n(void) {
  uint32_t candidate = 12345678;

  mark_secret(&candidate, sizeof candidate);
  if (leaky) {
    while (candidate >= params->ring->r_bits) {
      candidate -= params->ring->r_bits;
    }
  } else {
    candidate = reduce(params, candidate);
  }
  return expect_secret(&candidate, 2);
}

static int fixed_weight_sampling(void) {
  const struct hqc_variant variant = {params, false};
  struct keccak_sponge stream = secret_stream();

  ckem_hqc_sample_fixed(&variant, backend, &stream, positions);
  return expect_secret(positions, params->error_weight * sizeof *positions);
}

static int support_to_vector(void) {
  for (uint32_t i = 0; i < params->error_weight; i++) {
    positions[i] = 200 * i;
  }
  mark_secret(positions, sizeof positions);
  backend->sparse->set_positions(params->ring, words, positions, params->error_weight, 0);
  return expect_secret(words, params->ring->r_bits / 64 * sizeof *words);
}

static int peak_search(void) {
  mark_secret(words, sizeof words);
  ckem_hqc_codes_of(backend)->reed_muller_decode(bytes, words, params->outer_code->length,
                                                 params->copies);
  return expect_secret(bytes, params->outer_code->length);
}

static int error_values(void) {
  bytes[0] = 1; /* the zero word, with errors: in the parity, in the message */
  bytes[40] = 2;
  mark_secret(bytes, sizeof bytes);
  ckem_hqc_codes_of(backend)->reed_solomon_decode(params->outer_code, other_bytes, bytes);
  return expect_secret(other_bytes, params->outer_code->message_bytes);
}

/* Encoding multiplies in GF(256) and does little else. */
static int field_multiplication(void) {
  static volatile uint8_t table[256]; /* of logarithms, say */

  mark_secret(bytes, sizeof bytes);
  if (leaky) {
    sink += table[bytes[0]];
  }
  ckem_hqc_codes_of(backend)->reed_solomon_encode(params->outer_code, other_bytes, bytes);
  return expect_secret(other_bytes, params->outer_code->length);
}

static int ciphertext_comparison(void) {
  const struct hqc_pke pke = {.params = params, .backend = backend, .scratch = scratch};
  uint64_t difference = 0;

  mark_secret(words, sizeof words);
  mark_secret(other_words, sizeof other_words);
  if (leaky) { /* as memcmp does */
    for (size_t i = 0; i < params->ring->words && difference == 0; i++) {
      difference = words[i] ^ other_words[i];
    }
  } else {
    difference = ckem_hqc_compare_element(&pke, words, (const uint8_t *)other_words);
    difference |= compare_v(&pke, words, (const uint8_t *)other_words);
  }
  return expect_secret(&difference, sizeof difference);
}

static const struct {
  const char *name;
  int (*run)(void);
} leaks[] = {
    {"rejection_sampling", rejection_sampling},
    {"modulo_by_n", modulo_by_n},
    {"sampling_of_2023", sampling_of_2023},
    {"fixed_weight_sampling", fixed_weight_sampling},
    {"support_to_vector", support_to_vector},
    {"peak_search", peak_search},
    {"error_values", error_values},
    {"field_multiplication", field_multiplication},
    {"ciphertext_comparison", ciphertext_comparison},
};

static int run(const char *leak, const char *backend_name) {
  backend = NULL;
  for (size_t i = 0; i < sizeof backends / sizeof *backends; i++) {
    if (strcmp(backend_name, backends[i].name) == 0) {
      backend = &backends[i];
    }
  }
  leaky = strcmp(backend_name, "leaky") == 0;
  for (size_t i = 0; backend != NULL && i < sizeof leaks / sizeof *leaks; i++) {
    if (strcmp(leak, leaks[i].name) == 0) {
      return leaks[i].run();
    }
  }
  fprintf(stderr, "there is no %s with %s\n", leak, backend_name);
  return 2;
}

int main(int argc, char **argv) {
  int status = argc > 2 && checker_is_running() ? 0 : 2;

  if (status != 0) {
    fputs("usage, under valgrind: hqc_leaks LEAK portable|avx2|leaky...\n", stderr);
  }
  for (int i = 2; i < argc && status == 0; i++) {
    status = run(argv[1], argv[i]);
  }
  return status;
}
