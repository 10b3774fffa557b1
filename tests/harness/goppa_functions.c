/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The mathematics of Goppa codes: nothing may depend on field elements, permutations, numbers to
 * sort or matrices. */
#include <string.h>

#include "backends.h"
#include "benes/benes.h"
#include "bitmatrix/bitmatrix.h"
#include "gf2m/gf2m.h"
#include "sort/sort.h"
#include "subject.h"

#define M 12
#define POINTS (1U << M)
#define MATRIX_ROWS 130
#define MATRICES 12
#define SUMS 128
#define SORTED 256
#define SIZES 8 /* that are sorted: 2, 4, ..., 256 */

static uint16_t numbers[POINTS], sums[SUMS];
static _Alignas(64) uint64_t a[GF2M_FIELD_WORDS(M)], b[GF2M_FIELD_WORDS(M)];
static _Alignas(64) uint64_t scratch[16384];
static _Alignas(64) uint64_t network[BENES_NETWORK_WORDS(M)], bits[POINTS / 64];
static uint8_t control[BENES_CONTROL_BYTES(M)];
static uint64_t keys[SIZES][SORTED];
static uint32_t small_keys[SIZES][SORTED];
static _Alignas(64) uint64_t left[BITMATRIX_LEFT_WORDS(MATRIX_ROWS)];
static _Alignas(64) uint64_t factors[BITMATRIX_FACTORS_WORDS(MATRIX_ROWS)];
static _Alignas(64) uint64_t panels[2 * MATRICES][BITMATRIX_PANEL_WORDS(MATRIX_ROWS)];
static unsigned regular; /* matrices that could be factored */

static bool choose(const char *name) {
  return strcmp(name, "goppa") == 0;
}

static codekem_status field(void) {
  const struct gf2m_ops *ops = ckem_gf2m_ops_of(ckem_backend_in_use());
  const struct gf2m_field *f = &ckem_gf2m_12;

  ops->pack(f, a, numbers, POINTS);
  ops->square(f, b, a, 8);
  ops->multiply(f, b, b, a, 8);
  ops->invert(f, b, b, 8, scratch);
  ops->zeros(f, bits, b, 8);
  ops->select(f, b, b, bits, 8);
  ops->power_sums(f, sums, b, SUMS, scratch);
  ops->evaluate(f, a, sums, 65, scratch);
  ops->evaluate(f, a, sums, 97, scratch);
  ops->power_rows(f, scratch, 8, a, b, 4);
  ops->unpack(f, numbers, a, POINTS);
  (void)ckem_gf2m_inverse(f, numbers[0]);
  return CODEKEM_OK;
}

static codekem_status sort(void) {
  const struct sort_ops *ops = ckem_sort_ops_of(ckem_backend_in_use());

  for (size_t i = 0; i < SIZES; i++) {
    ops->sort_u64(keys[i], (size_t)2 << i);
    ops->sort_u32(small_keys[i], (size_t)2 << i);
  }
  return CODEKEM_OK;
}

static codekem_status networks(void) {
  const struct benes_ops *ops = ckem_benes_ops_of(ckem_backend_in_use());

  ops->find_control_bits(M, control, numbers, scratch);
  ops->prepare(M, network, control);
  ops->apply(M, bits, network);
  ops->apply_reversed(M, bits, network);
  ops->permutation(M, numbers, network, scratch);
  return CODEKEM_OK;
}

/* Random ones, of which some can be factored. */
static codekem_status matrices(void) {
  const struct bitmatrix_ops *ops = ckem_bitmatrix_ops_of(ckem_backend_in_use());
  uint64_t pivots;

  regular = 0;
  for (unsigned i = 0; i < MATRICES; i++) {
    const bool window = i % 2 == 0;

    ops->load(MATRIX_ROWS, window, left, 0, panels[2 * i]);
    if (ops->factor(MATRIX_ROWS, window, factors, &pivots, left, scratch)) {
      ops->solve(MATRIX_ROWS, factors, panels[2 * i + 1], scratch);
      ckem_bitmatrix_move_pivots(MATRIX_ROWS, pivots, numbers);
      regular += 1;
    }
  }
  return regular > 0 ? CODEKEM_OK : CODEKEM_ERROR_INTERNAL;
}

static void prepare(const struct row *row, const struct turn *turn) {
  harness_fill(numbers, sizeof numbers, 1 + turn->number);
  if (row->run != field) { /* a permutation */
    for (size_t i = 0; i < POINTS; i++) {
      numbers[i] = (uint16_t)((5 * i + 3) % POINTS);
    }
  }
  harness_fill(bits, sizeof bits, 2 + turn->number);
  harness_fill(keys, sizeof keys, 3 + turn->number);
  harness_fill(small_keys, sizeof small_keys, 4 + turn->number);
  harness_fill(panels, sizeof panels, 5 + turn->number);
}

#define IN(array) {#array, array, sizeof array, SECRET_INPUT, 0}
/* MemorySanitizer loses carries, and with them the order of what is sorted. */
#define OUT_IN_PART(array) {#array, array, sizeof array, SECRET_OUTPUT, sizeof array - 1}
#define OUT(array) {#array, array, sizeof array, SECRET_OUTPUT, sizeof array / 4}

static size_t regions(const struct row *row, struct region *list) {
  const struct region of_field[] = {IN(numbers), OUT(sums)};
  const struct region of_sort[] = {IN(keys), IN(small_keys), OUT(keys), OUT(small_keys)};
  const struct region of_networks[] = {IN(numbers), IN(bits), OUT_IN_PART(control),
                                       OUT_IN_PART(numbers)};
  const struct region of_matrices[] = {IN(panels), IN(numbers)};
  const struct {
    codekem_status (*run)(void);
    const struct region *regions;
    size_t count;
  } of[] = {{field, of_field, 2},
            {sort, of_sort, 4},
            {networks, of_networks, 4},
            {matrices, of_matrices, 2}};
  size_t i = 0;

  while (of[i].run != row->run) {
    i += 1;
  }
  memcpy(list, of[i].regions, of[i].count * sizeof *list);
  return of[i].count;
}

static const struct row rows[] = {
    ROW_OF(field),
    ROW_OF(sort),
    ROW_OF(networks),
    ROW_OF(matrices),
};

const struct table goppa_functions = {
    .lists = {ROWS(rows)},
    .choose = choose,
    .prepare = prepare,
    .regions = regions,
};
