/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * What reed_solomon.template.h asks for, with GFNI and AVX2.
 *
 * Elements are moved to the field of AES, for which there is an instruction, and back at the end
 * (tools/generate_gf256.py).
 *
 * A template: whoever includes it stands between ISA_BEGIN_... and ISA_END.
 */
#if !defined(CODEKEM_HAVE_AVX512)
#error This is a template: include base/intrinsics.h, and this after ISA_BEGIN_AVX512
#endif

#include "hqc/gf256_lanes.template.h"

static inline __m256i gf256_mul(__m256i a, __m256i b) {
  return _mm256_gf2p8mul_epi8(a, b);
}

#define gf256_scalar gf256_vector
#define gf256_prepare(v) (v)
#define gf256_scale(scalar, v) gf256_mul(*(scalar), v)

#define gf256_enter(a) \
  _mm256_gf2p8affine_epi64_epi8(a, _mm256_set1_epi64x((long long)GF256_TO_AES), 0)
#define gf256_leave(a) \
  _mm256_gf2p8affine_epi64_epi8(a, _mm256_set1_epi64x((long long)GF256_FROM_AES), 0)
