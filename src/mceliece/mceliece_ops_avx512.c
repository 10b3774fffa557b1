/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Drawing and encoding with AVX-512: eight rows at a time, a sum for each. */
#include "base/intrinsics.h"
#include "base/unroll.h"
#include "mceliece/mceliece_ops.h"

#if defined(CODEKEM_HAVE_AVX512)
ISA_BEGIN_AVX512

#define ALWAYS_INLINE static inline __attribute__((always_inline))
#define ROWS_AHEAD 12 /* which are asked for: 4 to 10 KB */

/* Positions in a vector, and words of an error in one. */
#define POSITIONS 32
#define WORDS 8

/* Every number meets every other within half a turn. */
static uint32_t find_repeat_avx512(uint16_t *positions, size_t count) {
  __mmask32 repeats = 0;

  for (size_t i = 0; i < count; i++) {
    positions[count + i] = positions[i];
  }
  for (size_t i = 0; i < count; i += POSITIONS) {
    const __mmask32 used =
        count - i < POSITIONS ? (__mmask32)((UINT32_C(1) << (count - i)) - 1) : (__mmask32)-1;
    const __m512i own = _mm512_maskz_loadu_epi16(used, positions + i);

    for (size_t distance = 1; 2 * distance <= count; distance++) {
      const __m512i other = _mm512_maskz_loadu_epi16(used, positions + i + distance);
      repeats |= _mm512_mask_cmpeq_epi16_mask(used, own, other);
    }
  }
  return repeats;
}

static void place_avx512(uint64_t *error, size_t words, const uint16_t *positions, size_t count) {
  for (size_t i = 0; i < words; i += 8 * WORDS) {
    __m512i place[8], sum[8];

    UNROLL
    for (size_t v = 0; v < 8; v++) {
      place[v] = _mm512_add_epi64(_mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7),
                                  _mm512_set1_epi64((long long)(i + WORDS * v)));
      sum[v] = _mm512_setzero_si512();
    }
    for (size_t k = 0; k < count; k++) {
      const __m512i position = _mm512_set1_epi64(positions[k]);
      const __m512i word = _mm512_srli_epi64(position, 6);
      const __m512i bit = _mm512_sllv_epi64(_mm512_set1_epi64(1),
                                            _mm512_and_si512(position, _mm512_set1_epi64(63)));

      UNROLL
      for (size_t v = 0; v < 8; v++) {
        sum[v] = _mm512_mask_or_epi64(sum[v], _mm512_cmpeq_epi64_mask(word, place[v]), sum[v], bit);
      }
    }
    UNROLL
    for (size_t v = 0; v < 8; v++) {
      _mm512_storeu_si512(error + i + WORDS * v, sum[v]);
    }
  }
}

/* Folds two vectors: each lane of 128 bits gets a word of the first and one of the second. */
ALWAYS_INLINE __m512i fold_pair_avx512(__m512i a, __m512i b) {
  return _mm512_xor_si512(_mm512_unpacklo_epi64(a, b), _mm512_unpackhi_epi64(a, b));
}

/* Folds two vectors of lanes of 128 bits: the first two lanes are of a, the others of b. */
ALWAYS_INLINE __m512i fold_lanes_avx512(__m512i a, __m512i b) {
  return _mm512_xor_si512(_mm512_shuffle_i64x2(a, b, 0x88), _mm512_shuffle_i64x2(a, b, 0xDD));
}

/* Returns the parities of eight vectors as bits. */
ALWAYS_INLINE uint8_t parities_avx512(const __m512i sum[8]) {
  const __m512i a =
      fold_lanes_avx512(fold_pair_avx512(sum[0], sum[1]), fold_pair_avx512(sum[2], sum[3]));
  const __m512i b =
      fold_lanes_avx512(fold_pair_avx512(sum[4], sum[5]), fold_pair_avx512(sum[6], sum[7]));
  const __m512i weights = _mm512_popcnt_epi64(fold_lanes_avx512(a, b));

  return (uint8_t)_mm512_test_epi64_mask(weights, _mm512_set1_epi64(1));
}

static void multiply_rows_avx512(uint8_t *parities, const uint8_t *rows, size_t count,
                                 size_t row_bytes, const uint8_t *partner) {
  const size_t whole = row_bytes / 64 * 64;
  const __mmask64 rest = (UINT64_C(1) << (row_bytes % 64)) - 1;

  for (size_t i = 0; i < count; i += 8) {
    const uint8_t *row = rows + i * row_bytes;
    const size_t ahead = i + 8 + ROWS_AHEAD <= count ? ROWS_AHEAD * row_bytes : 0;
    __m512i sum[8];
    __m512i other = _mm512_maskz_loadu_epi8(rest, partner + whole);

    UNROLL
    for (size_t j = 0; j < 8; j++) {
      sum[j] = _mm512_and_si512(_mm512_maskz_loadu_epi8(rest, row + j * row_bytes + whole), other);
    }
    for (size_t k = 0; k < whole; k += 64) {
      other = _mm512_loadu_si512(partner + k);
      UNROLL
      for (size_t j = 0; j < 8; j++) {
        const uint8_t *place = row + j * row_bytes + k;
        _mm_prefetch((const char *)place + ahead, _MM_HINT_T0);
        /* 0x78: sum + row * other */
        sum[j] = _mm512_ternarylogic_epi64(sum[j], _mm512_loadu_si512(place), other, 0x78);
      }
    }
    parities[i / 8] = parities_avx512(sum);
  }
}

const struct mceliece_ops ckem_mceliece_ops_avx512 = {
    .name = "avx512",
    .find_repeat = find_repeat_avx512,
    .place = place_avx512,
    .multiply = multiply_rows_avx512,
};

ISA_END
#endif
