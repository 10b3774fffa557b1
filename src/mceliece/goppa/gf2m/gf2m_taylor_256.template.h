/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * One step of the Taylor expansion on 256 lanes, a register of four words; for x86-64.
 *
 * Of the lanes 01, 10 and 11 in the bits a - 1 and a of their numbers: x[01] += x[11], then
 * x[10] += x[01]; or the transpose: x[01] += x[10], then x[11] += x[01].
 */
#ifndef TEMPLATE_SUFFIX
#error This is a template: define TEMPLATE_SUFFIX, and what is named above, before it
#endif

#define TAYLOR_LANES(j)             \
  ((j) == 0   ? 0xAAAAAAAAAAAAAAAAU \
   : (j) == 1 ? 0xCCCCCCCCCCCCCCCCU \
   : (j) == 2 ? 0xF0F0F0F0F0F0F0F0U \
   : (j) == 3 ? 0xFF00FF00FF00FF00U \
   : (j) == 4 ? 0xFFFF0000FFFF0000U \
              : 0xFFFFFFFF00000000U)

/* Both halves of a step with a < 6. */
static inline __attribute__((always_inline)) __m256i taylor_in_words(__m256i x, unsigned a,
                                                                     bool transposed) {
  const unsigned b = a - 1;
  const uint64_t only_a = TAYLOR_LANES(a) & ~TAYLOR_LANES(b);
  const uint64_t only_b = TAYLOR_LANES(b) & ~TAYLOR_LANES(a);
  const uint64_t both = TAYLOR_LANES(a) & TAYLOR_LANES(b);
  const int down = transposed ? 1 << b : 1 << a;
  const int up = transposed ? 1 << a : 1 << b;
  const __m256i first = _mm256_set1_epi64x((long long)only_b);
  const __m256i second = _mm256_set1_epi64x((long long)(transposed ? both : only_a));

  x = _mm256_xor_si256(x, _mm256_and_si256(_mm256_srli_epi64(x, down), first));
  return _mm256_xor_si256(x, _mm256_and_si256(_mm256_slli_epi64(x, up), second));
}

/* a = 6: within pairs of words. */
static inline __attribute__((always_inline)) __m256i taylor_in_pairs(__m256i x, bool transposed) {
  const long long high = (long long)TAYLOR_LANES(5);
  const __m256i low_word = _mm256_setr_epi64x(-1, 0, -1, 0);
  const __m256i high_word = _mm256_setr_epi64x(0, -1, 0, -1);
  __m256i t = _mm256_shuffle_epi32(x, 0x4E);

  if (!transposed) {
    x = _mm256_xor_si256(x, _mm256_and_si256(t, _mm256_setr_epi64x(high, 0, high, 0)));
    t = _mm256_srli_epi64(_mm256_shuffle_epi32(x, 0x4E), 32);
    return _mm256_xor_si256(x, _mm256_and_si256(t, high_word));
  }
  x = _mm256_xor_si256(x, _mm256_and_si256(_mm256_slli_epi64(t, 32), low_word));
  t = _mm256_shuffle_epi32(x, 0x4E);
  return _mm256_xor_si256(x, _mm256_and_si256(t, _mm256_setr_epi64x(0, high, 0, high)));
}

/* a = 7: whole words. */
static inline __attribute__((always_inline)) __m256i taylor_of_words(__m256i x, bool transposed) {
  const __m256i zero = _mm256_setzero_si256();

  if (!transposed) { /* x1 += x3, x2 += x1 */
    x = _mm256_xor_si256(x, _mm256_blend_epi32(zero, _mm256_permute4x64_epi64(x, 0x0C), 0x0C));
    return _mm256_xor_si256(x, _mm256_blend_epi32(zero, _mm256_permute4x64_epi64(x, 0x10), 0x30));
  }
  /* x1 += x2, x3 += x1 */
  x = _mm256_xor_si256(x, _mm256_blend_epi32(zero, _mm256_permute4x64_epi64(x, 0x08), 0x0C));
  return _mm256_xor_si256(x, _mm256_blend_epi32(zero, _mm256_permute4x64_epi64(x, 0x40), 0xC0));
}

#define TAYLOR_FOR_PLANES(step)                                           \
  do {                                                                    \
    for (unsigned p = 0; p < m; p++) {                                    \
      __m256i *plane = (__m256i *)(lanes + (size_t)p * GF2M_PLANE_WORDS); \
      const __m256i x = _mm256_load_si256(plane);                         \
      _mm256_store_si256(plane, transposed ? step(true) : step(false));   \
    }                                                                     \
  } while (0)
#define TAYLOR_IN_1(back) taylor_in_words(x, 1, back)
#define TAYLOR_IN_2(back) taylor_in_words(x, 2, back)
#define TAYLOR_IN_3(back) taylor_in_words(x, 3, back)
#define TAYLOR_IN_4(back) taylor_in_words(x, 4, back)
#define TAYLOR_IN_5(back) taylor_in_words(x, 5, back)
#define TAYLOR_IN_6(back) taylor_in_pairs(x, back)
#define TAYLOR_IN_7(back) taylor_of_words(x, back)

static void taylor_step(unsigned m, uint64_t *lanes, unsigned a, bool transposed) {
  switch (a) {
    case 1:
      TAYLOR_FOR_PLANES(TAYLOR_IN_1);
      break;
    case 2:
      TAYLOR_FOR_PLANES(TAYLOR_IN_2);
      break;
    case 3:
      TAYLOR_FOR_PLANES(TAYLOR_IN_3);
      break;
    case 4:
      TAYLOR_FOR_PLANES(TAYLOR_IN_4);
      break;
    case 5:
      TAYLOR_FOR_PLANES(TAYLOR_IN_5);
      break;
    case 6:
      TAYLOR_FOR_PLANES(TAYLOR_IN_6);
      break;
    default:
      TAYLOR_FOR_PLANES(TAYLOR_IN_7);
  }
}
#define taylor_step taylor_step
