/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Sorting on 512-bit vectors. */
#include <stdbool.h>

#include "base/intrinsics.h"
#include "sort/sort.h"

#if defined(CODEKEM_HAVE_AVX512)
ISA_BEGIN_AVX512

typedef __m512i vector;
typedef unsigned lanes;

#define TEMPLATE_SUFFIX avx512
#define vector_load(p) _mm512_loadu_si512(p)
#define vector_store(p, x) _mm512_storeu_si512((p), (x))
#define lanes_with(bit) \
  ((bit) == 1 ? 0xAAAAU : (bit) == 2 ? 0xCCCCU : (bit) == 4 ? 0xF0F0U : 0xFF00U)
#define lanes_all 0xFFFFU
#define lanes_change(a, b) ((a) ^ (b))

/* Exchanges lanes of 32 bits that are d apart. */
static inline __attribute__((always_inline)) vector swap_lanes(vector x, unsigned d) {
  return d == 1   ? _mm512_shuffle_epi32(x, 0xB1)
         : d == 2 ? _mm512_shuffle_epi32(x, 0x4E)
         : d == 4 ? _mm512_permutex_epi64(x, 0x4E)
                  : _mm512_shuffle_i64x2(x, x, 0x4E);
}

#define number uint32_t
#define TEMPLATE_NUMBER u32
#define LOG_LANES 4
#define LANES 16U
#define vector_least(x, y) _mm512_min_epu32((x), (y))
#define vector_most(x, y) _mm512_max_epu32((x), (y))
#define vector_swap(x, d) swap_lanes((x), (d))
#define lanes_choose(set, x, y) _mm512_mask_mov_epi32((x), (__mmask16)(set), (y))
#include "sort/sort_vectors.template.h"
#undef number
#undef TEMPLATE_NUMBER
#undef LANES
#undef LOG_LANES
#undef vector_least
#undef vector_most
#undef vector_swap
#undef lanes_choose

#define number uint64_t
#define TEMPLATE_NUMBER u64
#define LOG_LANES 3
#define LANES 8U
#define vector_least(x, y) _mm512_min_epu64((x), (y))
#define vector_most(x, y) _mm512_max_epu64((x), (y))
#define vector_swap(x, d) swap_lanes((x), 2 * (d))
#define lanes_choose(set, x, y) _mm512_mask_mov_epi64((x), (__mmask8)(set), (y))
#include "sort/sort_vectors.template.h"

static void sort_u32_avx512(uint32_t *numbers, size_t count) {
  if (count < 32) {
    ckem_sort_portable.sort_u32(numbers, count);
  } else {
    sort_long_u32_avx512(numbers, count);
  }
}

static void sort_u64_avx512(uint64_t *numbers, size_t count) {
  if (count < 16) {
    ckem_sort_portable.sort_u64(numbers, count);
  } else {
    sort_long_u64_avx512(numbers, count);
  }
}

const struct sort_ops ckem_sort_avx512 = {
    .name = "avx512",
    .sort_u32 = sort_u32_avx512,
    .sort_u64 = sort_u64_avx512,
};

ISA_END
#endif
