/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Systems over GF(2): every back end against the reference, and the reference's solution against
 * the matrix. */
#include "bitmatrix/bitmatrix.h"
#include "unit_test.h"

#define MOST 1664
#define COLUMNS 2048 /* of the matrices here: whole panels */

static uint64_t matrix[MOST][COLUMNS / 64];
static _Alignas(64) uint64_t panel[BITMATRIX_PANEL_WORDS(MOST)];
static uint64_t right[BITMATRIX_PANEL_WORDS(MOST)], expected[BITMATRIX_PANEL_WORDS(MOST)];
static _Alignas(64) uint64_t left[BITMATRIX_LEFT_WORDS(MOST)];
static _Alignas(64) uint64_t factors[BITMATRIX_FACTORS_WORDS(MOST)];
static _Alignas(64) uint64_t scratch[BITMATRIX_SCRATCH_WORDS(MOST)];

static bool get(size_t row, size_t column) {
  return (matrix[row][column / 64] >> (column % 64) & 1) != 0;
}

static void flip(size_t row, size_t column) {
  matrix[row][column / 64] ^= UINT64_C(1) << (column % 64);
}

static void random_matrix(uint32_t rows, uint64_t *state) {
  memset(matrix, 0, sizeof matrix);
  for (size_t r = 0; r < rows; r++) {
    for (size_t w = 0; w < COLUMNS / 64; w++) {
      matrix[r][w] = next_random(state);
    }
  }
  for (size_t i = 0; i < (size_t)rows * 8; i++) {
    right[i] = next_random(state);
  }
}

/* Returns whether the matrix could be factored; panel is then A^-1 right. */
static bool solve_with(const struct bitmatrix_ops *ops, uint32_t rows, bool window,
                       uint64_t *pivots) {
  memset(left, 0xFF, sizeof left);
  memset(factors, 0xFF, sizeof factors);
  memset(scratch, 0xFF, sizeof scratch);
  for (uint32_t first = 0; first < rows + (window ? 32U : 0U); first += 512) {
    for (size_t r = 0; r < rows; r++) {
      memcpy(panel + 8 * r, &matrix[r][first / 64], 64);
    }
    ops->load(rows, window, left, first, panel);
  }
  if (!ops->factor(rows, window, factors, pivots, left, scratch)) {
    return false;
  }
  memcpy(panel, right, BITMATRIX_PANEL_WORDS(rows) * sizeof panel[0]);
  memset(scratch, 0xFF, sizeof scratch);
  ops->solve(rows, factors, panel, scratch);
  return true;
}

/* Checks matrix * expected = right, after the columns were moved. */
static void check_solution(uint32_t rows, bool window, uint64_t pivots) {
  uint16_t column[MOST + 32];

  for (size_t c = 0; c < rows + 32U; c++) {
    column[c] = (uint16_t)c;
  }
  if (window) {
    ckem_bitmatrix_move_pivots(rows, pivots, column);
  }
  for (size_t r = 0; r < rows; r++) {
    uint64_t sum[8] = {0};
    for (size_t c = 0; c < rows; c++) {
      for (size_t w = 0; get(r, column[c]) && w < 8; w++) {
        sum[w] ^= expected[8 * c + w];
      }
    }
    assert_memory_equal(sum, right + 8 * r, sizeof sum);
  }
}

/* Compares all back ends on `matrix`; returns whether it could be factored. */
static bool compare(uint32_t rows, bool window) {
  const struct backend *backend;
  uint64_t pivots = 0;
  const bool possible = solve_with(&ckem_bitmatrix_reference, rows, window, &pivots);
  size_t index = 0;

  memcpy(expected, panel, sizeof expected);
  if (possible) {
    check_solution(rows, window, pivots);
  }
  while ((backend = next_compared_backend(&index)) != NULL) {
    uint64_t found = 0;
    const bool done = solve_with(ckem_bitmatrix_ops_of(backend), rows, window, &found);
    assert_true(done == possible);
    if (done) {
      assert_true(found == pivots);
      assert_memory_equal(panel, expected, BITMATRIX_PANEL_WORDS(rows) * sizeof panel[0]);
    }
  }
  return possible;
}

static const uint32_t sizes[] = {64, 65, 96, 100, 127, 128, 130, 192, 200, 256, 299, 416};
#define SIZE_COUNT (sizeof sizes / sizeof sizes[0])

static void random_matrices(void **unused) {
  uint64_t state = 1;
  unsigned regular = 0;

  (void)unused;
  for (size_t i = 0; i < SIZE_COUNT; i++) {
    for (unsigned repeat = 0; repeat < 8; repeat++) {
      random_matrix(sizes[i], &state);
      regular += compare(sizes[i], false) ? 1 : 0;
    }
  }
  /* 29 of 100 random matrices are regular */
  assert_true(regular > SIZE_COUNT && regular < 5 * SIZE_COUNT);
}

static void random_windows(void **unused) {
  uint64_t state = 2;

  (void)unused;
  for (size_t i = 0; i < SIZE_COUNT; i++) {
    for (unsigned repeat = 0; repeat < 2; repeat++) {
      random_matrix(sizes[i], &state);
      assert_true(compare(sizes[i], true));
    }
  }
}

/* Columns without a pivot in the window: few, as many as possible, one too many. */
static void sparse_windows(void **unused) {
  static const unsigned missing[] = {1, 5, 31, 32, 33};
  uint64_t state = 3;

  (void)unused;
  for (size_t i = 0; i < SIZE_COUNT; i++) {
    const uint32_t rows = sizes[i];
    for (size_t k = 0; k < sizeof missing / sizeof missing[0]; k++) {
      unsigned left_out = 0;
      random_matrix(rows, &state);
      /* Column c becomes one of the first: it depends on what is before it. */
      for (size_t c = rows - 32; left_out < missing[k]; c++, left_out++) {
        for (size_t r = 0; r < rows; r++) {
          if (get(r, c) != get(r, c % 20)) {
            flip(r, c);
          }
        }
      }
      /* With 32 columns left out all others must be pivots: make sure that they can. */
      for (size_t c = rows; missing[k] == 32 && c < rows + 32U; c++) {
        for (size_t r = rows - 32; r < rows; r++) {
          if (get(r, c) != (r - (rows - 32) == c - rows)) {
            flip(r, c);
          }
          for (size_t w = 0; w < (rows - 32) / 64; w++) {
            matrix[r][w] = 0;
          }
          for (size_t b = (rows - 32) / 64 * 64; b < rows - 32; b++) {
            matrix[r][b / 64] &= ~(UINT64_C(1) << (b % 64));
          }
          for (size_t b = rows - 32; b < rows; b++) {
            matrix[r][b / 64] &= ~(UINT64_C(1) << (b % 64));
          }
        }
      }
      if (missing[k] == 33) {
        assert_false(compare(rows, true));
      } else {
        (void)compare(rows, true);
      }
    }
  }
}

/* Pivots that are far away: the identity with rows in reverse, and triangles. */
static void structured_matrices(void **unused) {
  uint64_t state = 4;

  (void)unused;
  for (size_t i = 0; i < SIZE_COUNT; i++) {
    const uint32_t rows = sizes[i];
    random_matrix(rows, &state);
    memset(matrix, 0, sizeof matrix);
    for (size_t r = 0; r < rows; r++) {
      flip(r, rows - 1 - r);
    }
    assert_true(compare(rows, false));
    for (size_t r = 0; r < rows; r++) { /* and random bits below */
      for (size_t c = rows - r; c < rows; c++) {
        if ((next_random(&state) & 1) != 0) {
          flip(r, c);
        }
      }
    }
    assert_true(compare(rows, false));
    flip(rows / 2, rows - 1 - rows / 2); /* singular: that row depends on others */
    assert_false(compare(rows, false));
    memset(matrix, 0, sizeof matrix);
    assert_false(compare(rows, false));
    assert_false(compare(rows, true));
  }
}

/* The sizes that are used, once each, checked without the slow reference. */
static void large_matrices(const struct backend *backend) {
  static const uint32_t large[] = {768, 1248, 1547, 1664};
  const struct bitmatrix_ops *ops = ckem_bitmatrix_ops_of(backend);
  uint64_t state = 5;

  for (size_t i = 0; i < sizeof large / sizeof large[0]; i++) {
    uint64_t pivots = 0;
    random_matrix(large[i], &state);
    assert_true(solve_with(ops, large[i], true, &pivots));
    memcpy(expected, panel, sizeof expected);
    check_solution(large[i], true, pivots);
  }
}

EACH_BACKEND_BUT_REFERENCE(large_matrices)

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_matrices),     cmocka_unit_test(random_windows),
      cmocka_unit_test(sparse_windows),      cmocka_unit_test(structured_matrices),
      cmocka_unit_test(large_matrices_each),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
