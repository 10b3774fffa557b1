/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Systems over GF(2) by Gauss and Jordan, bit by bit; not constant time. */
#include <string.h>

#include "bitmatrix/bitmatrix.h"

#if !defined(CODEKEM_SMALL)

/* left is the matrix of rows + 32 columns in words; the factors are the inverse of its square. */
static size_t stride_of(uint32_t rows) {
  return BITMATRIX_PADDED(rows) / 64 + 1;
}

static unsigned entry(const uint64_t *row, size_t column) {
  return (unsigned)(row[column / 64] >> (column % 64) & 1);
}

static void flip_entry(uint64_t *row, size_t column) {
  row[column / 64] ^= UINT64_C(1) << (column % 64);
}

static void load_reference(uint32_t rows, bool window, uint64_t *left, uint32_t first,
                           const uint64_t *panel) {
  const size_t stride = stride_of(rows);
  const size_t columns = rows + (window ? 32U : 0U);

  if (first == 0) {
    memset(left, 0, rows * stride * sizeof *left);
  }
  for (size_t r = 0; r < rows; r++) {
    for (size_t c = first; c < first + 512U && c < columns; c++) {
      if (entry(left + r * stride, c) != entry(panel + 8 * r, c - first)) {
        flip_entry(left + r * stride, c);
      }
    }
  }
}

static void swap_rows(uint64_t *a, uint64_t *b, size_t words) {
  for (size_t w = 0; w < words; w++) {
    const uint64_t t = a[w];
    a[w] = b[w];
    b[w] = t;
  }
}

/* Brings column c of a row from `row` on into that row and clears it elsewhere, in a and in
 * follower, which has the same rows. Returns whether there was such a row. */
static bool eliminate(uint32_t rows, uint64_t *a, uint64_t *follower, size_t row, size_t c) {
  const size_t stride = stride_of(rows);
  size_t pivot = row;

  while (pivot < rows && entry(a + pivot * stride, c) == 0) {
    pivot++;
  }
  if (pivot == rows) {
    return false;
  }
  swap_rows(a + row * stride, a + pivot * stride, stride);
  swap_rows(follower + row * stride, follower + pivot * stride, stride);
  for (size_t r = 0; r < rows; r++) {
    if (r != row && entry(a + r * stride, c) != 0) {
      for (size_t w = 0; w < stride; w++) {
        a[r * stride + w] ^= a[row * stride + w];
        follower[r * stride + w] ^= follower[row * stride + w];
      }
    }
  }
  return true;
}

static bool factor_reference(uint32_t rows, bool window, uint64_t *factors, uint64_t *pivots,
                             uint64_t *left, uint64_t *scratch) {
  const size_t stride = stride_of(rows);
  const uint32_t fixed = window ? rows - 32 : rows;
  size_t row = fixed;

  (void)scratch;
  *pivots = window ? 0 : UINT32_MAX;
  memset(factors, 0, rows * stride * sizeof *factors);
  for (size_t r = 0; r < rows; r++) {
    flip_entry(factors + r * stride, r);
  }
  for (size_t c = 0; c < fixed; c++) {
    if (!eliminate(rows, left, factors, c, c)) {
      return false;
    }
  }
  for (size_t c = fixed; window && c < fixed + 64 && row < rows; c++) {
    if (eliminate(rows, left, factors, row, c)) {
      *pivots |= UINT64_C(1) << (c - fixed);
      row++;
    }
  }
  return row == rows;
}

static void solve_reference(uint32_t rows, const uint64_t *factors, uint64_t *panel,
                            uint64_t *scratch) {
  memset(scratch, 0, (size_t)rows * 8 * sizeof *scratch);
  for (size_t r = 0; r < rows; r++) {
    for (size_t c = 0; c < rows; c++) {
      if (entry(factors + r * stride_of(rows), c) != 0) {
        for (size_t w = 0; w < 8; w++) {
          scratch[8 * r + w] ^= panel[8 * c + w];
        }
      }
    }
  }
  memcpy(panel, scratch, (size_t)rows * 8 * sizeof *panel);
}

const struct bitmatrix_ops ckem_bitmatrix_reference = {
    .name = "reference",
    .load = load_reference,
    .factor = factor_reference,
    .solve = solve_reference,
};

#endif
