/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The prefix of external names (base/names.h says why). */
#ifndef CODEKEM_SPARSE_NAMES_H
#define CODEKEM_SPARSE_NAMES_H

#define sparse_avx2 codekem_sparse_avx2
#define sparse_avx512 codekem_sparse_avx512
#define sparse_m4 codekem_sparse_m4
#define sparse_neon codekem_sparse_neon
#define sparse_place_m4 codekem_sparse_place_m4
#define sparse_portable codekem_sparse_portable
#define sparse_reference codekem_sparse_reference
#define sparse_rvv codekem_sparse_rvv
#define sparse_search_m4 codekem_sparse_search_m4
#define sparse_wasm codekem_sparse_wasm
#define windows_add_wasm codekem_windows_add_wasm
#define windows_of_wasm codekem_windows_of_wasm

#endif
