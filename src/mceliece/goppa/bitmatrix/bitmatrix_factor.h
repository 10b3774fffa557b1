/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The steps of a factorisation that are the same for every back end.
 *
 * Matrices are padded in front: the first p = BITMATRIX_PADDED(rows) - rows rows and columns are
 * those of the identity. So the last columns, among which pivots may move, are at the same place of
 * the last block for all sizes.
 *
 * A is factored in blocks of 64 rows, E A = L U: L is lower triangular with blocks P on its
 * diagonal, U upper triangular with ones. What is kept of P is its inverse. E stands for the choice
 * of pivots: it adds to row c one row r_c > c of the *original* matrix, or none. (A permutation
 * would be the textbook's way, but has to be applied to other matrices without a look at it.)
 *
 * Block k looks for its pivots in 128 rows, its own 64 and the next 64. Only if they are not there
 * it looks at all rows, which is public: for a random matrix the probability is 2^-64.
 */
#ifndef CODEKEM_BITMATRIX_BITMATRIX_FACTOR_H
#define CODEKEM_BITMATRIX_BITMATRIX_FACTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BLOCK_ROWS 64
#define REACH_ROWS 128 /* in which a block looks for pivots first */

/* Looks for the pivots of the block of 64 columns x[rows], row i being bits of x[i], in the first
 * `rows` rows. Only the first `columns` columns get a pivot. Returns whether all were found; the
 * rest is not meaningful otherwise.
 *
 * place[c] is r_c, counted from the first row; c itself if no row is to be added. x[] becomes the
 * matrix in which a column with a pivot is replaced by that of the transformation which removed it
 * [in-place inversion by Gauss and Jordan]: with columns = 64 the first 64 rows are those of P^-1.
 * carried[] (may be NULL) is changed as x is, for further columns. */
bool ckem_bitmatrix_find_block(size_t rows, unsigned columns, uint64_t *x, uint64_t *carried,
                               uint16_t *place);

/* Finds the 32 columns of the reduced row echelon form of the 32 x 64 matrix x, which is
 * overwritten, as bits. Returns whether there are so many. */
bool ckem_bitmatrix_find_pivots(uint64_t *x, uint64_t *pivots);

/* Sets place[i] to the number of bit i of pivots, i < 32, in increasing order. */
void ckem_bitmatrix_pivot_places(uint8_t place[32], uint64_t pivots);

/* Swaps bits i and place[i] of x, for i = 0, 1, ..., 31. */
uint64_t ckem_bitmatrix_move_bits(uint64_t x, const uint8_t place[32]);

#endif
