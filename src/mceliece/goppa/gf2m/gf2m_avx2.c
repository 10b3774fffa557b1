/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Vectors over GF(2^m) on 256-bit registers. */
#include <stdbool.h>
#include <string.h>

#include "base/intrinsics.h"
#include "base/unroll.h"
#include "gf2m/gf2m.h"
#include "gf2m/gf2m_pack.h"

#if defined(CODEKEM_HAVE_AVX2)
ISA_BEGIN_AVX2

typedef __m256i vector;

#define VECTOR_WORDS 4
#define TEMPLATE_SUFFIX avx2
#define TEMPLATE_BACKEND "avx2"
#define vector_load(p) _mm256_load_si256((const __m256i *)(p))
#define vector_store(p, x) _mm256_store_si256((__m256i *)(p), (x))
#define vector_store_any(p, x) _mm256_storeu_si256((__m256i *)(p), (x))
#define vector_xor(a, b) _mm256_xor_si256((a), (b))
#define vector_and(a, b) _mm256_and_si256((a), (b))
#define vector_add_product(sum, a, b) _mm256_xor_si256((sum), _mm256_and_si256((a), (b)))
#define vector_fill(w) _mm256_set1_epi64x((long long)(w))
#define vector_shift_left(x, count) _mm256_slli_epi64((x), (int)(count))
#define vector_shift_right(x, count) _mm256_srli_epi64((x), (int)(count))
#define pack_elements ckem_gf2m_pack_words
#define unpack_elements ckem_gf2m_unpack_words

static inline __attribute__((always_inline)) void vector_split(unsigned log_h, vector *lo,
                                                               vector *hi, vector x, vector y) {
  if (log_h == 6) {
    *lo = _mm256_unpacklo_epi64(x, y);
    *hi = _mm256_unpackhi_epi64(x, y);
  } else {
    *lo = _mm256_permute2x128_si256(x, y, 0x20);
    *hi = _mm256_permute2x128_si256(x, y, 0x31);
  }
}

/* Word i is filled with bit i << log_step of x. */
static inline __attribute__((always_inline)) vector vector_spread(uint64_t x, unsigned log_step) {
  const vector places =
      _mm256_sub_epi64(_mm256_set1_epi64x(63), _mm256_sllv_epi64(_mm256_setr_epi64x(0, 1, 2, 3),
                                                                 _mm256_set1_epi64x(log_step)));

  return _mm256_cmpgt_epi64(_mm256_setzero_si256(),
                            _mm256_sllv_epi64(_mm256_set1_epi64x((long long)x), places));
}

/* Returns the parities of 32 half words, those of four vectors, as bits. */
static inline __attribute__((always_inline)) uint32_t parities_avx2(const vector x[4]) {
  const vector in_order = _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6,
                                                                    10, 14, 3, 7, 11, 15));
  const vector firsts = _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 8, -1, -1, -1, -1, -1, -1, -1,
                                                                  -1, -1, -1, -1, -1, -1, -1));
  const vector low_byte = _mm256_set1_epi16(0xFF);
  vector two[2];

  UNROLL
  for (unsigned i = 0; i < 2; i++) { /* half words fold to 16 bits, two in the place of one */
    const vector a = _mm256_xor_si256(x[i], _mm256_srli_epi32(x[i], 16));
    const vector b = _mm256_xor_si256(x[i + 2], _mm256_slli_epi32(x[i + 2], 16));
    two[i] = _mm256_blend_epi16(a, b, 0xAA);
    two[i] = _mm256_xor_si256(two[i],
                              i == 0 ? _mm256_srli_epi16(two[i], 8) : _mm256_slli_epi16(two[i], 8));
  }
  /* bytes of the vectors 0, 1, 2 and 3 in turn; then those of each vector together */
  vector all =
      _mm256_or_si256(_mm256_and_si256(two[0], low_byte), _mm256_andnot_si256(low_byte, two[1]));
  all = _mm256_permutevar8x32_epi32(_mm256_shuffle_epi8(all, in_order),
                                    _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
  all = _mm256_xor_si256(all, _mm256_srli_epi64(all, 4));
  all = _mm256_xor_si256(all, _mm256_srli_epi64(all, 2));
  all = _mm256_xor_si256(all, _mm256_srli_epi64(all, 1));
  /* the lowest bits of eight bytes come together */
  all = _mm256_and_si256(all, _mm256_set1_epi8(1));
  all = _mm256_xor_si256(all, _mm256_srli_epi64(all, 7));
  all = _mm256_and_si256(all, _mm256_set1_epi16(3));
  all = _mm256_xor_si256(all, _mm256_srli_epi64(all, 14));
  all = _mm256_and_si256(all, _mm256_set1_epi32(15));
  all = _mm256_xor_si256(all, _mm256_srli_epi64(all, 28));
  all = _mm256_shuffle_epi8(all, firsts);
  return (uint32_t)_mm256_extract_epi32(all, 0) | (uint32_t)_mm256_extract_epi32(all, 4) << 16;
}

/* Folds the words of two vectors to half words. */
static inline __attribute__((always_inline)) vector fold_words_avx2(vector a, vector b) {
  const vector low =
      _mm256_castps_si256(_mm256_shuffle_ps(_mm256_castsi256_ps(a), _mm256_castsi256_ps(b), 0x88));
  const vector high =
      _mm256_castps_si256(_mm256_shuffle_ps(_mm256_castsi256_ps(a), _mm256_castsi256_ps(b), 0xDD));

  return _mm256_permute4x64_epi64(_mm256_xor_si256(low, high), 0xD8);
}

/* Moves bit i of 32 to bit 2 i. */
static inline uint64_t spread_bits_avx2(uint64_t x) {
  x = (x | x << 16) & UINT64_C(0x0000FFFF0000FFFF);
  x = (x | x << 8) & UINT64_C(0x00FF00FF00FF00FF);
  x = (x | x << 4) & UINT64_C(0x0F0F0F0F0F0F0F0F);
  x = (x | x << 2) & UINT64_C(0x3333333333333333);
  return (x | x << 1) & UINT64_C(0x5555555555555555);
}

/* Groups are half words or words: 32 of them are in two or four blocks. */
static void sum_groups_avx2(unsigned m, unsigned levels, uint64_t *lanes, const uint64_t *values) {
  const unsigned log_step = 8 - levels;
  const bool words = m - levels == 6;
  const size_t blocks = words ? 4 : 2;
  const size_t step = GF2M_BLOCK_WORDS(m);

  for (size_t block = 0; block < GF2M_FIELD_BLOCKS(m); block += blocks) {
    const size_t lane = (block / blocks * 32) << log_step;
    for (unsigned b = 0; b < m; b++) {
      const uint64_t *from = values + block * step + (size_t)b * GF2M_PLANE_WORDS;
      uint64_t *to = lanes + (size_t)b * GF2M_PLANE_WORDS + lane / 64;
      vector x[4];
      for (size_t i = 0; i < blocks; i++) {
        const vector first = vector_load(from + i * step),
                     second = vector_load(from + i * step + 4);
        if (words) {
          x[i] = fold_words_avx2(first, second);
        } else {
          x[2 * i] = first;
          x[2 * i + 1] = second;
        }
      }
      const uint64_t sums = parities_avx2(x);
      if (log_step == 0) {
        to[0] ^= sums << (lane % 64);
      } else if (log_step == 1) {
        to[0] ^= spread_bits_avx2(sums);
      } else {
        to[0] ^= spread_bits_avx2(spread_bits_avx2(sums & 0xFFFF));
        to[1] ^= spread_bits_avx2(spread_bits_avx2(sums >> 16));
      }
    }
  }
}
#define vector_gather sum_groups_avx2

#include "gf2m/gf2m_lanes_256.template.h"
#include "gf2m/gf2m_taylor_256.template.h"
#include "gf2m/gf2m_vectors.template.h"
/* The order matters: these build on those. */
#include "gf2m/gf2m_transform.template.h"

ISA_END
#endif
