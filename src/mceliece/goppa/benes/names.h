/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The prefix of external names (base/names.h says why). */
#ifndef CODEKEM_BENES_NAMES_H
#define CODEKEM_BENES_NAMES_H

#define benes_apply_m4 codekem_benes_apply_m4
#define benes_apply_words codekem_benes_apply_words
#define benes_apply_words_reversed codekem_benes_apply_words_reversed
#define benes_avx2 codekem_benes_avx2
#define benes_avx512 codekem_benes_avx512
#define benes_find codekem_benes_find
#define benes_look_up_by_sorting codekem_benes_look_up_by_sorting
#define benes_neon codekem_benes_neon
#define benes_ops_of codekem_benes_ops_of
#define benes_permutation_by codekem_benes_permutation_by
#define benes_permutation_of_words codekem_benes_permutation_of_words
#define benes_portable codekem_benes_portable
#define benes_prepare_words codekem_benes_prepare_words
#define benes_reference codekem_benes_reference
#define benes_steps_portable codekem_benes_steps_portable

#endif
