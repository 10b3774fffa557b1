/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Sorting on 256-bit vectors. */
#include <stdbool.h>

#include "base/intrinsics.h"
#include "sort/sort.h"

#if defined(CODEKEM_HAVE_AVX2)
ISA_BEGIN_AVX2

typedef __m256i vector;
typedef __m256i lanes; /* all ones in the lanes of the set */

#define TEMPLATE_SUFFIX avx2
#define vector_load(p) _mm256_loadu_si256((const __m256i *)(p))
#define vector_store(p, x) _mm256_storeu_si256((__m256i *)(p), (x))
#define lanes_all _mm256_set1_epi32(-1)
#define lanes_change(a, b) _mm256_xor_si256((a), (b))
#define lanes_choose(set, x, y) _mm256_blendv_epi8((x), (y), (set))

/* Exchanges lanes of 32 bits that are d apart. */
static inline __attribute__((always_inline)) vector swap_lanes(vector x, unsigned d) {
  return d == 1   ? _mm256_shuffle_epi32(x, 0xB1)
         : d == 2 ? _mm256_shuffle_epi32(x, 0x4E)
                  : _mm256_permute4x64_epi64(x, 0x4E);
}

/* The lanes of 32 bits whose number has the bit set. */
static inline __attribute__((always_inline)) lanes lanes_of_32(unsigned bit) {
  const vector number = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  const vector wanted = _mm256_set1_epi32((int)bit);

  return _mm256_cmpeq_epi32(_mm256_and_si256(number, wanted), wanted);
}

#define number uint32_t
#define TEMPLATE_NUMBER u32
#define LOG_LANES 3
#define LANES 8U
#define vector_least(x, y) _mm256_min_epu32((x), (y))
#define vector_most(x, y) _mm256_max_epu32((x), (y))
#define vector_swap(x, d) swap_lanes((x), (d))
#define lanes_with(bit) lanes_of_32(bit)
#include "sort/sort_vectors.template.h"
#undef number
#undef TEMPLATE_NUMBER
#undef LANES
#undef LOG_LANES
#undef vector_least
#undef vector_most
#undef vector_swap
#undef lanes_with

/* Signed; whoever calls moves the numbers by 2^63. */
static inline __attribute__((always_inline)) vector least_i64(vector x, vector y) {
  return _mm256_blendv_epi8(x, y, _mm256_cmpgt_epi64(x, y));
}

static inline __attribute__((always_inline)) vector most_i64(vector x, vector y) {
  return _mm256_blendv_epi8(y, x, _mm256_cmpgt_epi64(x, y));
}

#define number uint64_t
#define TEMPLATE_NUMBER u64
#define LOG_LANES 2
#define LANES 4U
#define vector_least(x, y) least_i64((x), (y))
#define vector_most(x, y) most_i64((x), (y))
#define vector_swap(x, d) swap_lanes((x), 2 * (d))
#define lanes_with(bit) lanes_of_32(2 * (bit))
#include "sort/sort_vectors.template.h"

static void sort_u32_avx2(uint32_t *numbers, size_t count) {
  if (count < 16) {
    ckem_sort_portable.sort_u32(numbers, count);
  } else {
    sort_long_u32_avx2(numbers, count);
  }
}

static void flip_top_bits(uint64_t *numbers, size_t count) {
  for (size_t i = 0; i < count; i++) {
    numbers[i] ^= UINT64_C(1) << 63;
  }
}

static void sort_u64_avx2(uint64_t *numbers, size_t count) {
  if (count < 8) {
    ckem_sort_portable.sort_u64(numbers, count);
    return;
  }
  flip_top_bits(numbers, count);
  sort_long_u64_avx2(numbers, count);
  flip_top_bits(numbers, count);
}

const struct sort_ops ckem_sort_avx2 = {
    .name = "avx2",
    .sort_u32 = sort_u32_avx2,
    .sort_u64 = sort_u64_avx2,
};

ISA_END
#endif
