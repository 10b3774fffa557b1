/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Benes networks on 256-bit vectors. */
#include <stdbool.h>

#include "base/intrinsics.h"
#include "benes/benes.h"
#include "benes/benes_find.h"
#include "benes/benes_words.h"

#if defined(CODEKEM_HAVE_AVX2)
ISA_BEGIN_AVX2

typedef __m256i vector;

#define LANES 16 /* numbers in a vector */
#define load_any(p) _mm256_loadu_si256((const __m256i *)(const void *)(p))
#define store_any(p, x) _mm256_storeu_si256((__m256i *)(void *)(p), (x))

static void look_up_avx2(size_t n, const uint16_t *index, const uint16_t *inverse, uint16_t *first,
                         const uint16_t *from_first, uint16_t *second, const uint16_t *from_second,
                         uint64_t *scratch) {
  (void)index;
  ckem_benes_look_up_by_sorting(&ckem_sort_avx2, n, inverse, first, from_first, second, from_second,
                                scratch);
}

static inline vector swap_pairs(vector x) {
  return _mm256_or_si256(_mm256_slli_epi32(x, 16), _mm256_srli_epi32(x, 16));
}

static void conjugate_avx2(size_t n, uint16_t *to, const uint16_t *a) {
  for (size_t y = 0; y < n; y += LANES) {
    store_any(to + y, _mm256_xor_si256(swap_pairs(load_any(a + y)), _mm256_set1_epi16(1)));
  }
}

static void lower_avx2(size_t n, uint16_t *a, const uint16_t *b) {
  for (size_t y = 0; y < n; y += LANES) {
    store_any(a + y, _mm256_min_epu16(load_any(a + y), load_any(b + y)));
  }
}

static void flip_pairs_avx2(size_t n, uint16_t *to, const uint16_t *a) {
  vector number = _mm256_setr_epi16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);

  for (size_t y = 0; y < n; y += LANES) {
    const vector bit = _mm256_and_si256(load_any(a + y), _mm256_set1_epi32(1));
    const vector both = _mm256_or_si256(bit, _mm256_slli_epi32(bit, 16));
    store_any(to + y, _mm256_xor_si256(number, both));
    number = _mm256_add_epi16(number, _mm256_set1_epi16(LANES));
  }
}

/* The lower 16 bits of each 32 in order. */
static inline __m128i narrow(vector x) {
  const vector packed = _mm256_packus_epi32(x, x);

  return _mm256_castsi256_si128(_mm256_permute4x64_epi64(packed, 0x08));
}

static void split_avx2(size_t n, uint16_t *even, uint16_t *odd, const uint16_t *a,
                       const uint16_t *by, uint16_t size) {
  const vector one = _mm256_set1_epi32(1);
  const vector mask = _mm256_set1_epi32(size - 1);

  for (size_t y = 0; y < n; y += LANES) {
    const vector x = load_any(a + y);
    const vector swap = _mm256_cmpeq_epi32(_mm256_and_si256(load_any(by + y), one), one);
    const vector z = _mm256_blendv_epi8(x, swap_pairs(x), swap);
    _mm_storeu_si128((__m128i *)(even + y / 2),
                     narrow(_mm256_and_si256(_mm256_srli_epi32(z, 1), mask)));
    _mm_storeu_si128((__m128i *)(odd + y / 2),
                     narrow(_mm256_and_si256(_mm256_srli_epi32(z, 17), mask)));
  }
}

static void collect_avx2(size_t n, uint64_t *bits, const uint16_t *a) {
  for (size_t y = 0; y < n; y += LANES) {
    const vector top = _mm256_slli_epi32(load_any(a + y), 31);
    const uint64_t found = (uint64_t)(unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(top));
    const size_t k = y / 2;
    bits[k / 64] = k % 64 == 0 ? found : bits[k / 64] | found << (k % 64);
  }
}

static const struct benes_steps steps_avx2 = {
    .look_up = look_up_avx2,
    .conjugate = conjugate_avx2,
    .lower = lower_avx2,
    .flip_pairs = flip_pairs_avx2,
    .split = split_avx2,
    .collect = collect_avx2,
};

static void find_control_bits_avx2(unsigned m, uint8_t *control, const uint16_t *pi,
                                   uint64_t *scratch) {
  const struct benes_steps *steps = m < 6 ? &ckem_benes_steps_portable : &steps_avx2;

  ckem_benes_find(steps, &ckem_sort_avx2, m, control, pi, scratch);
}

/* --- Networks --------------------------------------------------------------------------------- */

static inline __attribute__((always_inline)) vector vector_swap(vector x, unsigned k) {
  return k == 0 ? _mm256_permute4x64_epi64(x, 0xB1) : _mm256_permute4x64_epi64(x, 0x4E);
}

static inline __attribute__((always_inline)) vector vector_double(vector x, unsigned k,
                                                                  bool upper) {
  if (k == 0) {
    return upper ? _mm256_permute4x64_epi64(x, 0xF5) : _mm256_permute4x64_epi64(x, 0xA0);
  }
  return upper ? _mm256_permute4x64_epi64(x, 0xEE) : _mm256_permute4x64_epi64(x, 0x44);
}

#define LOG_WORDS 2
#define TEMPLATE_SUFFIX avx2
#define load_halves(p) _mm256_cvtepu32_epi64(_mm_loadu_si128((const __m128i *)(const void *)(p)))
#define vector_xor(a, b) _mm256_xor_si256((a), (b))
#define vector_and(a, b) _mm256_and_si256((a), (b))
#define vector_fill(w) _mm256_set1_epi64x((long long)(w))
#define vector_shift_left(x, count) _mm256_sll_epi64((x), _mm_cvtsi32_si128((int)(count)))
#define vector_shift_right(x, count) _mm256_srl_epi64((x), _mm_cvtsi32_si128((int)(count)))

#include "benes/benes_vectors.template.h"

const struct benes_ops ckem_benes_avx2 = {
    .name = "avx2",
    .find_control_bits = find_control_bits_avx2,
    .prepare = prepare_avx2,
    .apply = apply_avx2,
    .apply_reversed = apply_reversed_avx2,
    .permutation = permutation_avx2,
};

ISA_END
#endif
