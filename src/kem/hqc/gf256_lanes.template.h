/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * What reed_solomon.template.h asks for, but products: 32 field elements in a vector of AVX2.
 *
 * A template: whoever includes it stands between ISA_BEGIN_... and ISA_END.
 */
#if !defined(CODEKEM_HAVE_AVX2)
#error This is a template: include base/intrinsics.h, and this after ISA_BEGIN_AVX2 or another
#endif

typedef __m256i gf256_vector;
#define GF256_LANES 32

static inline __m256i gf256_load(const uint8_t *in) {
  return _mm256_loadu_si256((const __m256i *)(const void *)in);
}

static inline void gf256_store(uint8_t *out, __m256i a) {
  _mm256_storeu_si256((__m256i *)(void *)out, a);
}

static inline __m256i gf256_spread(uint8_t a) {
  return _mm256_set1_epi8((char)a);
}

static inline uint8_t gf256_first(__m256i a) {
  return (uint8_t)_mm256_extract_epi8(a, 0);
}

#define gf256_spread_first(a) _mm256_broadcastb_epi8(_mm256_castsi256_si128(a))

static inline __m256i gf256_shift(__m256i a, __m256i next) {
  return _mm256_alignr_epi8(_mm256_permute2x128_si256(a, next, 0x21), a, 1);
}

static inline __m256i gf256_add(__m256i a, __m256i b) {
  return _mm256_xor_si256(a, b);
}

static inline __m256i gf256_and(__m256i a, __m256i b) {
  return _mm256_and_si256(a, b);
}

static inline __m256i gf256_keep_if_zero(__m256i a, __m256i b) {
  return _mm256_and_si256(a, _mm256_cmpeq_epi8(b, _mm256_setzero_si256()));
}
