/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The prefix of external names (base/names.h says why). */
#ifndef CODEKEM_GF2M_NAMES_H
#define CODEKEM_GF2M_NAMES_H

#define gf2m_12 codekem_gf2m_12
#define gf2m_13 codekem_gf2m_13
#define gf2m_avx2 codekem_gf2m_avx2
#define gf2m_avx512 codekem_gf2m_avx512
#define gf2m_inverse codekem_gf2m_inverse
#define gf2m_multiply codekem_gf2m_multiply
#define gf2m_neon codekem_gf2m_neon
#define gf2m_ops_of codekem_gf2m_ops_of
#define gf2m_pack_words codekem_gf2m_pack_words
#define gf2m_point codekem_gf2m_point
#define gf2m_portable codekem_gf2m_portable
#define gf2m_reference codekem_gf2m_reference
#define gf2m_unpack_words codekem_gf2m_unpack_words

#endif
