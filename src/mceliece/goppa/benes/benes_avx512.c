/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Benes networks on 512-bit vectors.
 *
 * vpermi2b looks up 64 bytes in a table of 128 that is in two registers. A table of n numbers is
 * gone through in parts of 128, and a lane takes what it finds in its own part; up to thousands of
 * numbers that is less work than sorting them.
 */
#include <stdbool.h>

#include "base/intrinsics.h"
#include "base/unroll.h"
#include "benes/benes.h"
#include "benes/benes_find.h"
#include "benes/benes_words.h"

#if defined(CODEKEM_HAVE_AVX512)
ISA_BEGIN_AVX512

typedef __m512i vector;

#define ALWAYS_INLINE static inline __attribute__((always_inline))
#define LANES 32 /* numbers in a vector */

/* Writes the low and the high bytes of n numbers. */
static void separate_bytes(size_t n, uint8_t *low, uint8_t *high, const uint16_t *a) {
  for (size_t y = 0; y < n; y += LANES) {
    const vector x = _mm512_loadu_si512(a + y);
    _mm256_storeu_si256((__m256i *)(low + y), _mm512_cvtepi16_epi8(x));
    _mm256_storeu_si256((__m256i *)(high + y), _mm512_cvtepi16_epi8(_mm512_srli_epi16(x, 8)));
  }
}

/* Returns as bytes the lowest seven bits of 64 numbers or, with `part`, the bits above these. */
ALWAYS_INLINE vector index_bytes(const uint16_t *index, bool part) {
  const vector mask = _mm512_set1_epi16(127);
  vector a = _mm512_loadu_si512(index);
  vector b = _mm512_loadu_si512(index + LANES);

  a = _mm512_and_si512(part ? _mm512_srli_epi16(a, 7) : a, mask);
  b = _mm512_and_si512(part ? _mm512_srli_epi16(b, 7) : b, mask);
  return _mm512_inserti64x4(_mm512_castsi256_si512(_mm512_cvtepi16_epi8(a)),
                            _mm512_cvtepi16_epi8(b), 1);
}

ALWAYS_INLINE void store_numbers(uint16_t *to, vector low, vector high) {
  for (unsigned half = 0; half < 2; half++) {
    const __m256i l = half == 0 ? _mm512_castsi512_si256(low) : _mm512_extracti64x4_epi64(low, 1);
    const __m256i h = half == 0 ? _mm512_castsi512_si256(high) : _mm512_extracti64x4_epi64(high, 1);
    _mm512_storeu_si512(to + LANES * half,
                        _mm512_or_si512(_mm512_cvtepu8_epi16(l),
                                        _mm512_slli_epi16(_mm512_cvtepu8_epi16(h), 8)));
  }
}

/* Looks up `count` times 64 numbers, in planes[tables][n] of bytes. */
ALWAYS_INLINE void look_up_some(size_t n, size_t count, size_t tables, const uint16_t *index,
                                uint16_t *const to[2], size_t at, const uint8_t *planes) {
  vector part[2], found[2][4];

  UNROLL
  for (size_t i = 0; i < count; i++) {
    const vector low = index_bytes(index + at + 64 * i, false);
    part[i] = index_bytes(index + at + 64 * i, true);
    UNROLL
    for (size_t t = 0; t < tables; t++) {
      found[i][t] = low;
    }
  }
  for (size_t p = 0; p < n / 128; p++) {
    const vector own = _mm512_set1_epi8((char)p);
    __mmask64 here[2];
    UNROLL
    for (size_t i = 0; i < count; i++) {
      here[i] = _mm512_cmpeq_epi8_mask(part[i], own);
    }
    UNROLL
    for (size_t t = 0; t < tables; t++) {
      const vector a = _mm512_loadu_si512(planes + t * n + 128 * p);
      const vector b = _mm512_loadu_si512(planes + t * n + 128 * p + 64);
      UNROLL
      for (size_t i = 0; i < count; i++) {
        found[i][t] = _mm512_mask2_permutex2var_epi8(a, found[i][t], here[i], b);
      }
    }
  }
  UNROLL
  for (size_t i = 0; i < count; i++) {
    UNROLL
    for (size_t t = 0; t < tables; t += 2) {
      store_numbers(to[t / 2] + at + 64 * i, found[i][t], found[i][t + 1]);
    }
  }
}

static void look_up_avx512(size_t n, const uint16_t *index, const uint16_t *inverse,
                           uint16_t *first, const uint16_t *from_first, uint16_t *second,
                           const uint16_t *from_second, uint64_t *scratch) {
  uint8_t *planes = (uint8_t *)scratch;
  uint16_t *const to[2] = {first, second};

  (void)inverse;
  separate_bytes(n, planes, planes + n, from_first);
  if (second != NULL) {
    separate_bytes(n, planes + 2 * n, planes + 3 * n, from_second);
  }
  if (n == 64) { /* one register is a table */
    const vector low = index_bytes(index, false);
    store_numbers(first, _mm512_permutexvar_epi8(low, _mm512_loadu_si512(planes)),
                  _mm512_permutexvar_epi8(low, _mm512_loadu_si512(planes + 64)));
    if (second != NULL) {
      store_numbers(second, _mm512_permutexvar_epi8(low, _mm512_loadu_si512(planes + 128)),
                    _mm512_permutexvar_epi8(low, _mm512_loadu_si512(planes + 192)));
    }
    return;
  }
  for (size_t at = 0; at < n; at += 128) {
    if (second != NULL) {
      look_up_some(n, 2, 4, index, to, at, planes);
    } else {
      look_up_some(n, 2, 2, index, to, at, planes);
    }
  }
}

static void conjugate_avx512(size_t n, uint16_t *to, const uint16_t *a) {
  for (size_t y = 0; y < n; y += LANES) {
    const vector x = _mm512_rol_epi32(_mm512_loadu_si512(a + y), 16);
    _mm512_storeu_si512(to + y, _mm512_xor_si512(x, _mm512_set1_epi16(1)));
  }
}

static void lower_avx512(size_t n, uint16_t *a, const uint16_t *b) {
  for (size_t y = 0; y < n; y += LANES) {
    _mm512_storeu_si512(a + y,
                        _mm512_min_epu16(_mm512_loadu_si512(a + y), _mm512_loadu_si512(b + y)));
  }
}

static void flip_pairs_avx512(size_t n, uint16_t *to, const uint16_t *a) {
  /* a pair is 32 bits */
  vector number = _mm512_add_epi32(
      _mm512_mullo_epi32(_mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15),
                         _mm512_set1_epi32(0x00020002)),
      _mm512_set1_epi32(0x00010000));

  for (size_t y = 0; y < n; y += LANES) {
    const vector bit = _mm512_and_si512(_mm512_loadu_si512(a + y), _mm512_set1_epi32(1));
    const vector both = _mm512_or_si512(bit, _mm512_slli_epi32(bit, 16));
    _mm512_storeu_si512(to + y, _mm512_xor_si512(number, both));
    number = _mm512_add_epi16(number, _mm512_set1_epi16(LANES));
  }
}

static void split_avx512(size_t n, uint16_t *even, uint16_t *odd, const uint16_t *a,
                         const uint16_t *by, uint16_t size) {
  const vector mask = _mm512_set1_epi32(size - 1);

  for (size_t y = 0; y < n; y += LANES) {
    const vector x = _mm512_loadu_si512(a + y);
    const __mmask16 swap = _mm512_test_epi32_mask(_mm512_loadu_si512(by + y), _mm512_set1_epi32(1));
    const vector z = _mm512_mask_rol_epi32(x, swap, x, 16);
    _mm256_storeu_si256((__m256i *)(even + y / 2),
                        _mm512_cvtepi32_epi16(_mm512_and_si512(_mm512_srli_epi32(z, 1), mask)));
    _mm256_storeu_si256((__m256i *)(odd + y / 2),
                        _mm512_cvtepi32_epi16(_mm512_and_si512(_mm512_srli_epi32(z, 17), mask)));
  }
}

static void collect_avx512(size_t n, uint64_t *bits, const uint16_t *a) {
  for (size_t y = 0; y < n; y += LANES) {
    const uint64_t found = _mm512_test_epi32_mask(_mm512_loadu_si512(a + y), _mm512_set1_epi32(1));
    const size_t k = y / 2;
    bits[k / 64] = k % 64 == 0 ? found : bits[k / 64] | found << (k % 64);
  }
}

static const struct benes_steps steps_avx512 = {
    .look_up = look_up_avx512,
    .conjugate = conjugate_avx512,
    .lower = lower_avx512,
    .flip_pairs = flip_pairs_avx512,
    .split = split_avx512,
    .collect = collect_avx512,
};

static void find_control_bits_avx512(unsigned m, uint8_t *control, const uint16_t *pi,
                                     uint64_t *scratch) {
  const struct benes_steps *steps = m < 6 ? &ckem_benes_steps_portable : &steps_avx512;

  ckem_benes_find(steps, &ckem_sort_avx512, m, control, pi, scratch);
}

/* --- Networks --------------------------------------------------------------------------------- */

static inline __attribute__((always_inline)) vector vector_swap(vector x, unsigned k) {
  return k == 0   ? _mm512_permutex_epi64(x, 0xB1)
         : k == 1 ? _mm512_permutex_epi64(x, 0x4E)
                  : _mm512_shuffle_i64x2(x, x, 0x4E);
}

static inline __attribute__((always_inline)) vector vector_double(vector x, unsigned k,
                                                                  bool upper) {
  if (k == 0) {
    return upper ? _mm512_permutex_epi64(x, 0xF5) : _mm512_permutex_epi64(x, 0xA0);
  }
  if (k == 1) {
    return upper ? _mm512_permutex_epi64(x, 0xEE) : _mm512_permutex_epi64(x, 0x44);
  }
  return upper ? _mm512_shuffle_i64x2(x, x, 0xEE) : _mm512_shuffle_i64x2(x, x, 0x44);
}

#define LOG_WORDS 3
#define TEMPLATE_SUFFIX avx512
#define load_any(p) _mm512_loadu_si512(p)
#define store_any(p, x) _mm512_storeu_si512((p), (x))
#define load_halves(p) _mm512_cvtepu32_epi64(_mm256_loadu_si256((const __m256i *)(const void *)(p)))
#define vector_xor(a, b) _mm512_xor_si512((a), (b))
#define vector_and(a, b) _mm512_and_si512((a), (b))
#define vector_fill(w) _mm512_set1_epi64((long long)(w))
#define vector_shift_left(x, count) _mm512_sll_epi64((x), _mm_cvtsi32_si128((int)(count)))
#define vector_shift_right(x, count) _mm512_srl_epi64((x), _mm_cvtsi32_si128((int)(count)))

#include "benes/benes_vectors.template.h"

const struct benes_ops ckem_benes_avx512 = {
    .name = "avx512",
    .find_control_bits = find_control_bits_avx512,
    .prepare = prepare_avx512,
    .apply = apply_avx512,
    .apply_reversed = apply_reversed_avx512,
    .permutation = permutation_avx512,
};

ISA_END
#endif
