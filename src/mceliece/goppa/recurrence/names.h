/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The prefix of external names (base/names.h says why). */
#ifndef CODEKEM_RECURRENCE_NAMES_H
#define CODEKEM_RECURRENCE_NAMES_H

#define recurrence_avx2 codekem_recurrence_avx2
#define recurrence_avx512 codekem_recurrence_avx512
#define recurrence_find_m4 codekem_recurrence_find_m4
#define recurrence_has_weights_m4 codekem_recurrence_has_weights_m4
#define recurrence_neon codekem_recurrence_neon
#define recurrence_ops_of codekem_recurrence_ops_of
#define recurrence_portable codekem_recurrence_portable
#define recurrence_reference codekem_recurrence_reference

#endif
