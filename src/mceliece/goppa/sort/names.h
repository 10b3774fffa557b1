/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The prefix of external names (base/names.h says why). */
#ifndef CODEKEM_SORT_NAMES_H
#define CODEKEM_SORT_NAMES_H

#define sort_avx2 codekem_sort_avx2
#define sort_avx512 codekem_sort_avx512
#define sort_neon codekem_sort_neon
#define sort_ops_of codekem_sort_ops_of
#define sort_portable codekem_sort_portable
#define sort_reference codekem_sort_reference

#endif
