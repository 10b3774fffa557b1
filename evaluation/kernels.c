/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Times the kernels of every back end, the minimum of many runs, and prints a Markdown table.
 *
 *   cmake --preset default && cmake --build --preset default
 *   cc -O2 -Isrc/common -Isrc/kem -Iinclude evaluation/kernels.c build/default/libcodekem.a \
 *     -o build/kernels
 *   taskset -c 1 build/kernels
 *
 * Cycles of the time-stamp counter on x86-64, nanoseconds elsewhere.
 */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "backends.h"
#include "bike/bike.h"
#include "bike/counters.h"
#include "codekem.h"
#include "hqc/hqc.h"
#include "hqc/codes.h"
#include "keccak/keccak.h"
#include "sparse/sparse.h"

#if defined(__x86_64__)
#include <x86intrin.h>
static uint64_t now(void) {
  unsigned aux;
  _mm_lfence();
  return __rdtscp(&aux);
}
#else
static uint64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}
#endif

#define LARGEST 57637
static _Alignas(64) uint64_t a[GF2X_STRIDE(LARGEST)], b[GF2X_STRIDE(LARGEST)];
static _Alignas(64) uint64_t out[GF2X_STRIDE(LARGEST)];
static _Alignas(
    64) uint64_t scratch[GF2X_INVERT_SCRATCH_WORDS(LARGEST) + BIKE_COUNT_SCRATCH_WORDS(LARGEST)];
static uint32_t words[SPARSE_MAX_POSITIONS], positions[SPARSE_MAX_POSITIONS];
static uint64_t state[2][KECCAK_LANES];
static uint8_t symbols[REED_SOLOMON_MAX_LENGTH], message[HQC_MAX_MESSAGE_BYTES];

/* Runs a statement many times and prints a row. */
#define ROW(kernel, size, runs, statement)                                         \
  do {                                                                             \
    uint64_t best = UINT64_MAX;                                                    \
    for (int run = 0; run < (runs); run++) {                                       \
      const uint64_t start = now();                                                \
      statement;                                                                   \
      const uint64_t taken = now() - start;                                        \
      best = taken < best ? taken : best;                                          \
    }                                                                              \
    printf("| %s | %s | %u | %llu |\n", backend->name, (kernel), (unsigned)(size), \
           (unsigned long long)best);                                              \
  } while (0)

static void fill(const struct gf2x_ring *ring) {
  uint64_t random = 1;

  for (size_t i = 0; i < ring->stride; i++) {
    random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
    a[i] = i + 1 < ring->words ? random : 0;
    b[i] = i + 1 < ring->words ? random * UINT64_C(0x9E3779B97F4A7C15) : 0;
  }
  for (size_t i = 0; i < SPARSE_MAX_POSITIONS; i++) {
    random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
    words[i] = (uint32_t)(random >> 32);
  }
}

static void time_ring(const struct backend *backend, const struct gf2x_ring *ring, int runs) {
  fill(ring);
  ROW("product", ring->r_bits, runs, backend->gf2x->mul(ring, out, a, b, scratch));
  ROW("two products", ring->r_bits, runs, backend->gf2x->mul_add(ring, out, a, b, b, a, scratch));
  ROW("square", ring->r_bits, runs, backend->gf2x->square_times(ring, out, a, 1, scratch));
}

static void time_bike(const struct backend *backend, const struct bike_params *params, int runs) {
  const struct gf2x_ring *ring = params->ring;
  const uint32_t t = params->error_weight;
  const uint32_t d = params->key_weight;

  time_ring(backend, ring, runs);
  a[0] |= 1;
  ROW("inversion", ring->r_bits, runs / 4, ckem_gf2x_invert(backend->gf2x, ring, out, a, scratch));
  ROW("positions of an error", ring->r_bits, runs,
      backend->sparse->pick_distinct(positions, words, t, 2 * ring->r_bits));
  ROW("positions to coefficients", ring->r_bits, runs,
      backend->sparse->set_positions(ring, out, positions, t, 0));
  backend->sparse->pick_distinct(positions, words, d, ring->r_bits);
  if (ckem_bike_counters_of(backend)->order_support != NULL) {
    ckem_bike_counters_of(backend)->order_support(ring, positions, d);
  }
  ROW("counters of one block", ring->r_bits, runs,
      ckem_bike_counters_of(backend)->count_unsatisfied(ring, out, d / 2, NULL, 0, a, positions, d,
                                                        scratch));
}

static void time_hqc(const struct backend *backend, const struct hqc_params *params, int runs) {
  const struct reed_solomon *code = params->outer_code;

  time_ring(backend, params->ring, runs);
  ROW("Reed-Muller decoding", code->length, runs,
      ckem_hqc_codes_of(backend)->reed_muller_decode(symbols, a, code->length, params->copies));
  ROW("Reed-Solomon decoding", code->length, runs,
      ckem_hqc_codes_of(backend)->reed_solomon_decode(code, message, symbols));
}

int main(void) {
  printf("| back end | kernel | size | time |\n|---|---|---|---|\n");
  for (size_t i = 0; i < codekem_backend_count(); i++) {
    const char *name = codekem_backend_name(i);
    if (strcmp(name, "reference") == 0 || codekem_backend_select(name) != CODEKEM_OK) {
      continue;
    }
    const struct backend *backend = ckem_backend_in_use();
    const int runs = strcmp(name, "portable") == 0 ? 40 : 400;
    ROW("Keccak-f, one state", 1600, 1000, backend->keccak->permute(state[0]));
    ROW("Keccak-f, two states", 1600, 1000, backend->keccak->permute_pair(state[0], state[1]));
    time_bike(backend, &ckem_bike_level1, runs);
    time_bike(backend, &ckem_bike_level3, runs);
    time_bike(backend, &ckem_bike_level5, runs);
    time_hqc(backend, &ckem_hqc_level1, runs);
    time_hqc(backend, &ckem_hqc_level3, runs);
    time_hqc(backend, &ckem_hqc_level5, runs);
  }
  return 0;
}
