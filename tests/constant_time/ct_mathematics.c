/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Runs the mathematics of Goppa codes on secrets under valgrind or MemorySanitizer: no branch and
 * no address may depend on field elements, permutations, numbers to sort or matrices.
 *
 * usage: ct_mathematics BACKEND    exit status 3 if the processor lacks it
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends.h"
#include "benes/benes.h"
#include "bitmatrix/bitmatrix.h"
#include "codekem.h"
#include "gf2m/gf2m.h"
#include "secrets.h"
#include "sort/sort.h"

#define M 12
#define POINTS (1U << M)
#define ROWS 130

static uint16_t numbers[POINTS], sums[256];
static _Alignas(64) uint64_t a[GF2M_FIELD_WORDS(M)], b[GF2M_FIELD_WORDS(M)];
static _Alignas(64) uint64_t scratch[16384];
static _Alignas(64) uint64_t network[BENES_NETWORK_WORDS(M)], bits[POINTS / 64];
static uint8_t control[BENES_CONTROL_BYTES(M)];
static uint64_t keys[256];
static uint32_t small_keys[256];
static _Alignas(64) uint64_t left[BITMATRIX_LEFT_WORDS(ROWS)];
static _Alignas(64) uint64_t factors[BITMATRIX_FACTORS_WORDS(ROWS)];
static _Alignas(64) uint64_t panel[BITMATRIX_PANEL_WORDS(ROWS)];

/* A generator is enough: the checkers look at marks, not at values. */
static void fill(void *out, size_t length) {
  static uint64_t state = 1;
  uint8_t *bytes = out;

  for (size_t i = 0; i < length; i++) {
    state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
    bytes[i] = (uint8_t)(state >> 56);
  }
  mark_secret(out, length);
}

static void run_field(const struct gf2m_ops *ops) {
  const struct gf2m_field *field = &ckem_gf2m_12;

  fill(numbers, sizeof numbers);
  ops->pack(field, a, numbers, POINTS);
  ops->square(field, b, a, 8);
  ops->multiply(field, b, b, a, 8);
  ops->invert(field, b, b, 8, scratch);
  ops->zeros(field, bits, b, 8);
  ops->select(field, b, b, bits, 8);
  ops->power_sums(field, sums, b, 128, scratch);
  ops->evaluate(field, a, sums, 65, scratch);
  ops->evaluate(field, a, sums, 97, scratch);
  ops->power_rows(field, scratch, 8, a, b, 4);
  ops->unpack(field, numbers, a, POINTS);
  mark_public(sums, sizeof sums);
  (void)ckem_gf2m_inverse(field, numbers[0]);
}

static void run_sort(const struct sort_ops *ops) {
  for (size_t count = 2; count <= 256; count *= 2) {
    fill(keys, sizeof keys);
    fill(small_keys, sizeof small_keys);
    ops->sort_u64(keys, count);
    ops->sort_u32(small_keys, count);
  }
}

static void run_networks(const struct benes_ops *ops) {
  for (size_t i = 0; i < POINTS; i++) {
    numbers[i] = (uint16_t)((5 * i + 3) % POINTS);
  }
  mark_secret(numbers, sizeof numbers);
  ops->find_control_bits(M, control, numbers, scratch);
  ops->prepare(M, network, control);
  fill(bits, sizeof bits);
  ops->apply(M, bits, network);
  ops->apply_reversed(M, bits, network);
  ops->permutation(M, numbers, network, scratch);
}

/* Returns whether the matrix, a random one, could be factored. */
static bool run_matrix(const struct bitmatrix_ops *ops, bool window) {
  uint64_t pivots;

  fill(panel, sizeof panel);
  ops->load(ROWS, window, left, 0, panel);
  if (!ops->factor(ROWS, window, factors, &pivots, left, scratch)) {
    return false;
  }
  fill(panel, sizeof panel);
  ops->solve(ROWS, factors, panel, scratch);
  memset(numbers, 0, sizeof numbers);
  mark_secret(numbers, sizeof numbers);
  ckem_bitmatrix_move_pivots(ROWS, pivots, numbers);
  return true;
}

int main(int argc, char **argv) {
  const struct backend *backend;
  unsigned regular = 0;

  if (argc != 2) {
    (void)fprintf(stderr, "usage: ct_mathematics BACKEND\n");
    return EXIT_FAILURE;
  }
  if (codekem_backend_select(argv[1]) != CODEKEM_OK) {
    (void)fprintf(stderr, "no back end %s here\n", argv[1]);
    return 3;
  }
  if (!checker_is_running()) {
    (void)fprintf(stderr, "no checker watches: run it as tests/constant_time does\n");
    return EXIT_FAILURE;
  }
  backend = ckem_backend_in_use();
  run_field(ckem_gf2m_ops_of(backend));
  run_sort(ckem_sort_ops_of(backend));
  run_networks(ckem_benes_ops_of(backend));
  for (unsigned repeat = 0; repeat < 12; repeat++) {
    regular += run_matrix(ckem_bitmatrix_ops_of(backend), repeat % 2 == 0) ? 1 : 0;
  }
  printf("%s: %u of 12 matrices factored\n", argv[1], regular);
  return regular > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
