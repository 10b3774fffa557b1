/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Lets secrets pass through instructions that MemorySanitizer of clang 16 does not know.
 *
 * It asks that all operands of such an instruction be defined, and reports a secret one although
 * the instruction takes the same time for all values. Here the three-operand function is written
 * with and, or and not; the affine maps run on operands without marks, and each 64-bit lane
 * of the result that depends on a marked one is marked. Included in front of every file for AVX-512
 * of a build with CODEKEM_CHECK=msan.
 */
#ifndef CODEKEM_TESTS_CONSTANT_TIME_MSAN_INTRINSICS_H
#define CODEKEM_TESTS_CONSTANT_TIME_MSAN_INTRINSICS_H

#include <immintrin.h>
#include <sanitizer/msan_interface.h>

#include "base/isa.h"

ISA_BEGIN_AVX512

/* Bit k of table is the result for the bits k = 4 a + 2 b + c. */
#define MSAN_TERNARY(a, b, c, table)                                                           \
  do {                                                                                         \
    result = a ^ a;                                                                            \
    for (int k = 0; k < 8; k++) {                                                              \
      if (((table) >> k & 1) != 0) {                                                           \
        result |= ((k & 4) != 0 ? a : ~a) & ((k & 2) != 0 ? b : ~b) & ((k & 1) != 0 ? c : ~c); \
      }                                                                                        \
    }                                                                                          \
  } while (0)

static inline __m512i msan_ternary512(__m512i a, __m512i b, __m512i c, int table) {
  __m512i result;
  MSAN_TERNARY(a, b, c, table);
  return result;
}

static inline __m256i msan_ternary256(__m256i a, __m256i b, __m256i c, int table) {
  __m256i result;
  MSAN_TERNARY(a, b, c, table);
  return result;
}

static inline __m128i msan_ternary128(__m128i a, __m128i b, __m128i c, int table) {
  __m128i result;
  MSAN_TERNARY(a, b, c, table);
  return result;
}

static inline __m512i msan_clean512(__m512i x) {
  __msan_unpoison(&x, sizeof x);
  return x;
}

static inline __m256i msan_clean256(__m256i x) {
  __msan_unpoison(&x, sizeof x);
  return x;
}

/* Zero; a lane is marked as a whole if any of its bits in x is. */
static inline __m512i msan_marks512(__m512i x) {
  return _mm512_movm_epi64(_mm512_cmpneq_epi64_mask(x, msan_clean512(x)));
}

static inline __m256i msan_marks256(__m256i x) {
  return _mm256_movm_epi64(_mm256_cmpneq_epi64_mask(x, msan_clean256(x)));
}

#undef _mm512_ternarylogic_epi64
#undef _mm512_ternarylogic_epi32
#undef _mm256_ternarylogic_epi64
#undef _mm_ternarylogic_epi64
#define _mm512_ternarylogic_epi64(a, b, c, table) msan_ternary512(a, b, c, table)
#define _mm512_ternarylogic_epi32(a, b, c, table) msan_ternary512(a, b, c, table)
#define _mm256_ternarylogic_epi64(a, b, c, table) msan_ternary256(a, b, c, table)
#define _mm_ternarylogic_epi64(a, b, c, table) msan_ternary128(a, b, c, table)

ISA_END

/* Macros, because the constant must be known to the compiler. */
#define MSAN_AFFINE512(x, matrix, constant, builtin)                                         \
  (((__m512i)builtin((__v64qi)msan_clean512(x), (__v64qi)msan_clean512(matrix), constant)) ^ \
   msan_marks512(x) ^ msan_marks512(matrix))
#define MSAN_AFFINE256(x, matrix, constant, builtin)                                         \
  (((__m256i)builtin((__v32qi)msan_clean256(x), (__v32qi)msan_clean256(matrix), constant)) ^ \
   msan_marks256(x) ^ msan_marks256(matrix))

#undef _mm512_gf2p8affine_epi64_epi8
#undef _mm512_gf2p8affineinv_epi64_epi8
#undef _mm256_gf2p8affine_epi64_epi8
#undef _mm256_gf2p8affineinv_epi64_epi8
#define _mm512_gf2p8affine_epi64_epi8(x, matrix, constant) \
  MSAN_AFFINE512(x, matrix, constant, __builtin_ia32_vgf2p8affineqb_v64qi)
#define _mm512_gf2p8affineinv_epi64_epi8(x, matrix, constant) \
  MSAN_AFFINE512(x, matrix, constant, __builtin_ia32_vgf2p8affineinvqb_v64qi)
#define _mm256_gf2p8affine_epi64_epi8(x, matrix, constant) \
  MSAN_AFFINE256(x, matrix, constant, __builtin_ia32_vgf2p8affineqb_v32qi)
#define _mm256_gf2p8affineinv_epi64_epi8(x, matrix, constant) \
  MSAN_AFFINE256(x, matrix, constant, __builtin_ia32_vgf2p8affineinvqb_v32qi)

#endif
