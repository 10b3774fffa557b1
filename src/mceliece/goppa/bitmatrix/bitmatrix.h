/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Systems of linear equations over GF(2): factors a square matrix A once, then solves A X = B for
 * as many columns as one likes.
 *
 * Matrices come and go as *panels* of 512 columns: row r is the 8 words from panel + 8 r on, column
 * c is bit c mod 64 of word c / 64. All memory starts at 64-byte boundaries. How a back end keeps A
 * and its factors is its own business: all calls for one matrix must go to the same back end.
 *
 * Everything is secret but the sizes and whether A could be factored. Timing depends on the sizes,
 * and on whether some 128 x 64 matrix that comes up has full rank (see bitmatrix_factor.h), which
 * fails once in 2^64 random matrices. The reference is not constant time.
 */
#ifndef CODEKEM_BITMATRIX_BITMATRIX_H
#define CODEKEM_BITMATRIX_BITMATRIX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/backend.h"

#define BITMATRIX_PANEL_COLUMNS 512
#define BITMATRIX_PANEL_WORDS(rows) ((size_t)(rows) * 8)

/* Rows, in whole 64 x 64 blocks. */
#define BITMATRIX_PADDED(rows) (((size_t)(rows) + 63) / 64 * 64)

/* The matrix while it is loaded and factored, in words. */
#define BITMATRIX_LEFT_WORDS(rows) (BITMATRIX_PADDED(rows) * (BITMATRIX_PADDED(rows) / 64 + 1) + 64)

/* The factors, in words. */
#define BITMATRIX_FACTORS_WORDS(rows) \
  (BITMATRIX_PADDED(rows) * (BITMATRIX_PADDED(rows) / 64 + 3) + 64)

/* Scratch memory of factor and of solve, in words. */
#define BITMATRIX_SCRATCH_WORDS(rows) \
  (BITMATRIX_PADDED(rows) * (BITMATRIX_PADDED(rows) / 64 + 12) + 1024)

/* One implementation. rows is at least 64. */
struct bitmatrix_ops {
  const char *name;

  /* Copies columns first, first + 1, ... of A from a panel into left. first is a multiple of 512;
   * the first call for a matrix is with 0, and clears the rest of left.
   * Columns from rows on, or with window from rows + 32 on, are ignored. */
  void (*load)(uint32_t rows, bool window, uint64_t *left, uint32_t first, const uint64_t *panel);

  /* Factors the matrix that was loaded; left is then used up. Returns whether that was possible.
   *
   * Without window: if and only if A is regular.
   *
   * With window, A has rows + 32 columns, and w = rows - 32: the first w columns must have rank w,
   * and the last pivots of its reduced row echelon form be in the columns w to w + 63. *pivots gets
   * the 32 bits c - w of these columns c. What is factored is the matrix of the first `rows`
   * columns after columns w + i and c_i were swapped for i = 0, 1, ..., 31 (c_i in increasing
   * order). The caller must do the same to whatever makes the other columns.
   *
   * Without window *pivots is set to 0xFFFFFFFF. It stays secret. */
  bool (*factor)(uint32_t rows, bool window, uint64_t *factors, uint64_t *pivots, uint64_t *left,
                 uint64_t *scratch);

  /* Replaces the panel B (rows x 512 bits) by A^-1 B. */
  void (*solve)(uint32_t rows, const uint64_t *factors, uint64_t *panel, uint64_t *scratch);
};

/* Swaps a[rows - 32 + i] and a[c_i] for i = 0, ..., 31 as above; a has at least rows + 32 entries.
 * Constant time. */
void ckem_bitmatrix_move_pivots(uint32_t rows, uint64_t pivots, uint16_t *a);

/* Returns the implementation for a back end; the portable one where it has none of its own. */
const struct bitmatrix_ops *ckem_bitmatrix_ops_of(const struct backend *backend);

extern const struct bitmatrix_ops ckem_bitmatrix_reference;
extern const struct bitmatrix_ops ckem_bitmatrix_portable;
extern const struct bitmatrix_ops ckem_bitmatrix_avx2;
extern const struct bitmatrix_ops ckem_bitmatrix_avx512;
extern const struct bitmatrix_ops ckem_bitmatrix_neon;

#endif
