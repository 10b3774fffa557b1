/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The prefix of external names (base/names.h says why). */
#ifndef CODEKEM_BITMATRIX_NAMES_H
#define CODEKEM_BITMATRIX_NAMES_H

#define bitmatrix_avx2 codekem_bitmatrix_avx2
#define bitmatrix_avx512 codekem_bitmatrix_avx512
#define bitmatrix_find_block codekem_bitmatrix_find_block
#define bitmatrix_find_pivots codekem_bitmatrix_find_pivots
#define bitmatrix_move_bits codekem_bitmatrix_move_bits
#define bitmatrix_move_pivots codekem_bitmatrix_move_pivots
#define bitmatrix_neon codekem_bitmatrix_neon
#define bitmatrix_ops_of codekem_bitmatrix_ops_of
#define bitmatrix_pivot_places codekem_bitmatrix_pivot_places
#define bitmatrix_portable codekem_bitmatrix_portable
#define bitmatrix_reference codekem_bitmatrix_reference

#endif
