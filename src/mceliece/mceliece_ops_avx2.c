/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Drawing and encoding with AVX2: four rows at a time, a sum for each. */
#include "base/intrinsics.h"
#include "base/unroll.h"
#include "mceliece/mceliece_ops.h"

#if defined(CODEKEM_HAVE_AVX2)
ISA_BEGIN_AVX2

#define ALWAYS_INLINE static inline __attribute__((always_inline))
#define VECTOR 32
#define LINE 64       /* bytes that a cache takes at once */
#define ROWS_AHEAD 12 /* which are asked for: 4 to 10 KB */

ALWAYS_INLINE __m256i load_avx2(const void *in) {
  return _mm256_loadu_si256((const __m256i *)in);
}

/* Every number meets every other within half a turn. Behind the last one come zeros and, to meet
 * them, ones: they never agree. */
static uint32_t find_repeat_avx2(uint16_t *positions, size_t count) {
  uint16_t own[128 + 16];
  __m256i repeats = _mm256_setzero_si256();

  for (size_t i = 0; i < sizeof own / sizeof own[0]; i++) {
    own[i] = i < count ? positions[i] : 0xFFFF; /* no position is that large */
  }
  for (size_t i = 0; i < count; i++) {
    positions[count + i] = positions[i];
  }
  for (size_t i = 0; i < count; i += 16) {
    const __m256i first = load_avx2(own + i);

    for (size_t distance = 1; 2 * distance <= count; distance++) {
      const __m256i other = load_avx2(positions + i + distance);
      repeats = _mm256_or_si256(repeats, _mm256_cmpeq_epi16(first, other));
    }
  }
  return (uint32_t)_mm256_movemask_epi8(repeats);
}

static void place_avx2(uint64_t *error, size_t words, const uint16_t *positions, size_t count) {
  for (size_t i = 0; i < words; i += 16) {
    __m256i place[4], sum[4];

    UNROLL
    for (size_t v = 0; v < 4; v++) {
      place[v] = _mm256_add_epi64(_mm256_setr_epi64x(0, 1, 2, 3),
                                  _mm256_set1_epi64x((long long)(i + 4 * v)));
      sum[v] = _mm256_setzero_si256();
    }
    for (size_t k = 0; k < count; k++) {
      const __m256i position = _mm256_set1_epi64x(positions[k]);
      const __m256i word = _mm256_srli_epi64(position, 6);
      const __m256i bit = _mm256_sllv_epi64(_mm256_set1_epi64x(1),
                                            _mm256_and_si256(position, _mm256_set1_epi64x(63)));

      UNROLL
      for (size_t v = 0; v < 4; v++) {
        const __m256i here = _mm256_cmpeq_epi64(word, place[v]);
        sum[v] = _mm256_or_si256(sum[v], _mm256_and_si256(here, bit));
      }
    }
    UNROLL
    for (size_t v = 0; v < 4; v++) {
      _mm256_storeu_si256((__m256i *)(error + i + 4 * v), sum[v]);
    }
  }
}

/* Folds four vectors to the four words of one. */
ALWAYS_INLINE __m256i fold_four_avx2(const __m256i sum[4]) {
  const __m256i a = _mm256_xor_si256(_mm256_unpacklo_epi64(sum[0], sum[1]),
                                     _mm256_unpackhi_epi64(sum[0], sum[1]));
  const __m256i b = _mm256_xor_si256(_mm256_unpacklo_epi64(sum[2], sum[3]),
                                     _mm256_unpackhi_epi64(sum[2], sum[3]));

  return _mm256_xor_si256(_mm256_permute2x128_si256(a, b, 0x20),
                          _mm256_permute2x128_si256(a, b, 0x31));
}

/* Returns the parities of four words as bits: their bits come together in the highest. */
ALWAYS_INLINE int parities_avx2(const __m256i sum[4]) {
  __m256i x = fold_four_avx2(sum);

  x = _mm256_xor_si256(x, _mm256_slli_epi64(x, 32));
  x = _mm256_xor_si256(x, _mm256_slli_epi64(x, 16));
  x = _mm256_xor_si256(x, _mm256_slli_epi64(x, 8));
  x = _mm256_xor_si256(x, _mm256_slli_epi64(x, 4));
  x = _mm256_xor_si256(x, _mm256_slli_epi64(x, 2));
  x = _mm256_xor_si256(x, _mm256_slli_epi64(x, 1));
  return _mm256_movemask_pd(_mm256_castsi256_pd(x));
}

/* Returns the parities of four rows as bits, and asks for the lines that are `ahead` bytes behind
 * them. end is the partner of a row's last vector. */
ALWAYS_INLINE int multiply_four_avx2(const uint8_t *row, size_t row_bytes, size_t ahead,
                                     const uint8_t *partner, __m256i end) {
  __m256i sum[4];

  UNROLL
  for (size_t j = 0; j < 4; j++) {
    sum[j] = _mm256_and_si256(load_avx2(row + (j + 1) * row_bytes - VECTOR), end);
  }
  for (size_t k = 0; k < row_bytes / VECTOR * VECTOR; k += VECTOR) {
    const __m256i other = load_avx2(partner + k);

    UNROLL
    for (size_t j = 0; j < 4; j++) {
      const uint8_t *place = row + j * row_bytes + k;
      if (k % LINE == 0) {
        _mm_prefetch((const char *)place + ahead, _MM_HINT_T0);
      }
      sum[j] = _mm256_xor_si256(sum[j], _mm256_and_si256(load_avx2(place), other));
    }
  }
  return parities_avx2(sum);
}

/* Rows are longer than a vector; their last one starts among the bytes of the one before, where its
 * partner is zero. A public key comes from beyond the caches, and with more streams the processor
 * fetches less of it by itself. */
static void multiply_rows_avx2(uint8_t *parities, const uint8_t *rows, size_t count,
                               size_t row_bytes, const uint8_t *partner) {
  uint8_t end[VECTOR] = {0};

  for (size_t i = row_bytes / VECTOR * VECTOR; i < row_bytes; i++) {
    end[VECTOR - (row_bytes - i)] = partner[i];
  }
  for (size_t i = 0; i < count; i += 8) {
    const uint8_t *row = rows + i * row_bytes;
    const size_t ahead = i + 8 + ROWS_AHEAD <= count ? ROWS_AHEAD * row_bytes : 0;
    const int low = multiply_four_avx2(row, row_bytes, ahead, partner, load_avx2(end));
    const int high =
        multiply_four_avx2(row + 4 * row_bytes, row_bytes, ahead, partner, load_avx2(end));

    parities[i / 8] = (uint8_t)(low | high << 4);
  }
}

const struct mceliece_ops ckem_mceliece_ops_avx2 = {
    .name = "avx2",
    .find_repeat = find_repeat_avx2,
    .place = place_avx2,
    .multiply = multiply_rows_avx2,
};

ISA_END
#endif
