/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The prefix of external names (base/names.h says why). */
#ifndef CODEKEM_MQ4_NAMES_H
#define CODEKEM_MQ4_NAMES_H

#define mq4_avx2 codekem_mq4_avx2
#define mq4_avx512 codekem_mq4_avx512
#define mq4_monomials codekem_mq4_monomials
#define mq4_neon codekem_mq4_neon
#define mq4_ops_of codekem_mq4_ops_of
#define mq4_portable codekem_mq4_portable
#define mq4_reference codekem_mq4_reference
#define mq4_turn codekem_mq4_turn
#define mq4_turn_back codekem_mq4_turn_back

#endif
