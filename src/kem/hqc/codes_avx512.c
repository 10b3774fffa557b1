/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The codes of HQC with AVX-512 and GFNI.
 *
 * Reed-Muller: the 128 sums of one symbol fill four vectors of 16-bit numbers, and all seven levels
 * of the Hadamard transform stay in registers. Reed-Solomon: 32 field elements in a vector.
 */
#include "base/ct.h"
#include "base/intrinsics.h"
#include "hqc/codes.h"
#include "hqc/reed_muller.h"

#if defined(CODEKEM_HAVE_AVX512)
ISA_BEGIN_AVX512

typedef __m512i vector;
typedef __m256i half;

/* --- Reed-Muller ------------------------------------------------------------------------------ */

/* One level of the transform inside a vector: partner is x with neighbours exchanged, and negate
 * marks the second of each pair. */
static inline vector butterfly_avx512(vector x, vector partner, __mmask32 negate) {
  return _mm512_mask_sub_epi16(_mm512_add_epi16(x, partner), negate, partner, x);
}

/* The five levels inside a vector. */
static inline vector transform_inside_avx512(vector x) {
  x = butterfly_avx512(x, _mm512_shuffle_i64x2(x, x, 0x4E), 0xFFFF0000);
  x = butterfly_avx512(x, _mm512_shuffle_i64x2(x, x, 0xB1), 0xFF00FF00);
  x = butterfly_avx512(x, _mm512_shuffle_epi32(x, (_MM_PERM_ENUM)0x4E), 0xF0F0F0F0);
  x = butterfly_avx512(x, _mm512_shuffle_epi32(x, (_MM_PERM_ENUM)0xB1), 0xCCCCCCCC);
  return butterfly_avx512(x, _mm512_rol_epi32(x, 16), 0xAAAAAAAA);
}

/* The Hadamard transform of w[128], and the shift of entry 0 that sums of 0 and 1 need. */
static inline void transform_avx512(vector w[4], size_t copies) {
  const vector s0 = _mm512_add_epi16(w[0], w[2]), d0 = _mm512_sub_epi16(w[0], w[2]);
  const vector s1 = _mm512_add_epi16(w[1], w[3]), d1 = _mm512_sub_epi16(w[1], w[3]);

  w[0] = transform_inside_avx512(_mm512_add_epi16(s0, s1));
  w[1] = transform_inside_avx512(_mm512_sub_epi16(s0, s1));
  w[2] = transform_inside_avx512(_mm512_add_epi16(d0, d1));
  w[3] = transform_inside_avx512(_mm512_sub_epi16(d0, d1));
  w[0] = _mm512_mask_sub_epi16(w[0], 1, w[0], _mm512_set1_epi16((short)(64 * copies)));
}

/* The largest of 128 numbers, in every place. */
static inline vector largest_avx512(const vector a[4]) {
  const vector all = _mm512_max_epu16(_mm512_max_epu16(a[0], a[1]), _mm512_max_epu16(a[2], a[3]));
  const half h = _mm256_max_epu16(_mm512_castsi512_si256(all), _mm512_extracti64x4_epi64(all, 1));
  const __m128i q = _mm_max_epu16(_mm256_castsi256_si128(h), _mm256_extracti128_si256(h, 1));
  /* The instruction finds the smallest of eight, so take complements. */
  const __m128i smallest = _mm_minpos_epu16(_mm_xor_si128(q, _mm_set1_epi16(-1)));

  return _mm512_broadcastw_epi16(_mm_xor_si128(smallest, _mm_set1_epi16(-1)));
}

/* The symbol of the entry with the largest absolute value, the first of several. */
static inline uint8_t find_peak_avx512(const vector w[4]) {
  const vector zero = _mm512_setzero_si512();
  vector absolute[4];
  uint64_t at_peak[2];  /* bit t: entry t has the largest absolute value */
  uint64_t positive[2];

  for (int i = 0; i < 4; i++) {
    absolute[i] = _mm512_abs_epi16(w[i]);
  }
  const vector peak = largest_avx512(absolute);
  for (int i = 0; i < 2; i++) {
    at_peak[i] = (uint64_t)_mm512_cmpeq_epi16_mask(absolute[2 * i], peak) |
                 (uint64_t)_mm512_cmpeq_epi16_mask(absolute[2 * i + 1], peak) << 32;
    positive[i] = (uint64_t)_mm512_cmpgt_epi16_mask(w[2 * i], zero) |
                  (uint64_t)_mm512_cmpgt_epi16_mask(w[2 * i + 1], zero) << 32;
  }
  const uint64_t in_second = ct_mask_zero_u64(at_peak[0]);
  const uint64_t candidates = ct_select_u64(in_second, at_peak[1], at_peak[0]);
  const uint64_t signs = ct_select_u64(in_second, positive[1], positive[0]);
  const uint64_t first = candidates & (0 - candidates);
  const uint64_t sign = ~ct_mask_zero_u64(first & signs) & 0x80;

  /* The number of zeros below the first candidate is its place; one instruction, no branch. */
  return (uint8_t)(_tzcnt_u64(candidates) | (in_second & 64) | sign);
}

static void reed_muller_decode_avx512(uint8_t *symbols, const uint64_t *in, size_t count,
                                      size_t copies) {
  const vector minus_one = _mm512_set1_epi16(-1);

  for (size_t i = 0; i < count; i++) {
    vector w[4];
    for (int part = 0; part < 4; part++) {
      w[part] = _mm512_setzero_si512();
      for (size_t c = 0; c < copies; c++) {
        const uint64_t word = in[REED_MULLER_WORDS * (copies * i + c) + (size_t)part / 2];
        const __mmask32 bits = (__mmask32)(word >> (32 * (part % 2)));
        w[part] = _mm512_mask_sub_epi16(w[part], bits, w[part], minus_one);
      }
    }
    transform_avx512(w, copies);
    symbols[i] = find_peak_avx512(w);
  }
}

/* --- Reed-Solomon ----------------------------------------------------------------------------- */

#include "hqc/gf256_gfni.template.h"

#define TEMPLATE_SUFFIX avx512
#include "hqc/reed_solomon.template.h"

const struct hqc_codes ckem_hqc_codes_avx512 = {
    .name = "avx512",
    .reed_muller_decode = reed_muller_decode_avx512,
    .reed_solomon_encode = reed_solomon_encode_avx512,
    .reed_solomon_decode = reed_solomon_decode_avx512,
};

ISA_END
#endif
