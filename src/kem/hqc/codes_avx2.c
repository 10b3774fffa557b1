/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The codes of HQC with AVX2.
 *
 * Reed-Muller: two symbols at a time, each in a half of every vector. Look-ups of four bits do the
 * first two levels of the Hadamard transform; three more are done in bytes, the last two in 16-bit
 * numbers, and all stay in registers. Reed-Solomon: 32 field elements in a vector.
 */
#include "base/intrinsics.h"
#include "base/unroll.h"
#include "hqc/codes.h"
#include "hqc/reed_muller.h"

#if defined(CODEKEM_HAVE_AVX2)
ISA_BEGIN_AVX2

typedef __m256i vector;

/* --- Reed-Muller ------------------------------------------------------------------------------ */

/*
 * Entry t of the transform has bits t6 ... t0. In the beginning t6, t5, t4 and t3 tell the byte of
 * a half, as in the code word, and t2, t1 and t0 the vector. A level inside vectors takes two of
 * them, sorts their pairs of bytes into those with the level's bit 0 and those with 1, and adds and
 * subtracts: the bit then tells the two vectors apart, and the one that did so tells pairs apart.
 */
#define BYTE_VECTORS 8

/* What the bits j of a half byte of the code word make in the first two levels, for t1 t0: their
 * sum, negative where t1 j1 + t0 j0 is odd. Entry 0 loses 64 for each copy, 2 for a half byte. */
static const int8_t level_sums[4][16] = {
    {-2, -1, -1, 0, -1, 0, 0, 1, -1, 0, 0, 1, 0, 1, 1, 2},
    {0, 1, -1, 0, 1, 2, 0, 1, -1, 0, -2, -1, 0, 1, -1, 0},
    {0, 1, 1, 2, -1, 0, 0, 1, -1, 0, 0, 1, -2, -1, -1, 0},
    {0, 1, -1, 0, -1, 0, -2, -1, 1, 2, 0, 1, 0, 1, -1, 0},
};

/* The levels of t0 and t1 of two symbols, whose copies are at first and at second. */
static inline void add_copies_avx2(vector w[BYTE_VECTORS], const uint64_t *first,
                                   const uint64_t *second, size_t copies) {
  const vector half_byte = _mm256_set1_epi8(0x0F);
  vector levels[4];

  UNROLL
  for (size_t i = 0; i < 4; i++) {
    const __m128i *const sums = (const __m128i *)(const void *)level_sums[i];
    levels[i] = _mm256_broadcastsi128_si256(_mm_loadu_si128(sums));
  }
  UNROLL
  for (size_t v = 0; v < BYTE_VECTORS; v++) {
    w[v] = _mm256_setzero_si256();
  }
  for (size_t c = 0; c < copies; c++) {
    const size_t at = REED_MULLER_WORDS * c;
    const __m128i low = _mm_loadu_si128((const __m128i *)(const void *)(first + at));
    const __m128i high = _mm_loadu_si128((const __m128i *)(const void *)(second + at));
    const vector words = _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
    const vector halves[2] = {_mm256_and_si256(words, half_byte),
                              _mm256_and_si256(_mm256_srli_epi64(words, 4), half_byte)};
    UNROLL
    for (size_t v = 0; v < BYTE_VECTORS; v++) {
      w[v] = _mm256_add_epi8(w[v], _mm256_shuffle_epi8(levels[v % 4], halves[v / 4]));
    }
  }
}

/* Sorts the pairs of bytes of two vectors by the highest bit of their places. */
static inline void sort_pairs_avx2(vector *a, vector *b) {
  const vector low = _mm256_unpacklo_epi16(*a, *b);

  *b = _mm256_unpackhi_epi16(*a, *b);
  *a = low;
}

static inline void add_and_subtract_avx2(vector *a, vector *b) {
  const vector sum = _mm256_add_epi8(*a, *b);

  *b = _mm256_sub_epi8(*a, *b);
  *a = sum;
}

/* The levels of t2, t6 and t5; then t6, t5 and t4 tell the vector, and t3 the byte of a pair.
 * Numbers stay below 16 * 5 + 1 in absolute value. */
static inline void transform_bytes_avx2(vector w[BYTE_VECTORS]) {
  UNROLL
  for (size_t v = 0; v < 4; v++) {
    add_and_subtract_avx2(&w[v], &w[v + 4]);
  }
  UNROLL
  for (size_t v = 0; v < BYTE_VECTORS; v += 2) {
    sort_pairs_avx2(&w[v], &w[v + 1]);
    add_and_subtract_avx2(&w[v], &w[v + 1]);
  }
  UNROLL
  for (size_t v = 0; v < 4; v++) {
    const size_t at = v / 2 * 4 + v % 2;
    sort_pairs_avx2(&w[at], &w[at + 2]);
    add_and_subtract_avx2(&w[at], &w[at + 2]);
  }
  UNROLL
  for (size_t v = 0; v < 4; v++) {
    sort_pairs_avx2(&w[v], &w[v + 4]);
  }
}

/* The keys of entries, of which that in place 0 of a half is `first`.
 *
 * All entries are even or all are odd, so half the absolute value orders them; it fills the upper
 * byte of a key. Below are 127 - t, so that of equal ones the first wins, and whether it is
 * positive. */
static inline vector keys_avx2(vector entries, int first) {
  /* Twice t2, t1 and t0, from the lowest bit of the place to the highest. */
  const vector places = _mm256_broadcastsi128_si256(_mm_setr_epi16(0, 8, 4, 12, 2, 10, 6, 14));
  const vector order = _mm256_sub_epi16(_mm256_set1_epi16((short)(254 - 2 * first)), places);
  const vector half = _mm256_and_si256(_mm256_slli_epi16(_mm256_abs_epi16(entries), 7),
                                       _mm256_set1_epi16((short)0xFF00));
  const vector positive = _mm256_cmpgt_epi16(entries, _mm256_setzero_si256()); /* -1 */

  return _mm256_or_si256(half, _mm256_sub_epi16(order, positive));
}

/* The levels of t3 and t4, and the largest key in each place. */
static inline vector best_keys_avx2(const vector w[BYTE_VECTORS]) {
  vector best = _mm256_setzero_si256();

  UNROLL
  for (int v = 0; v < 4; v++) {
    vector entries[4]; /* by t4 t3 */
    vector sum[2], difference[2];
    for (int i = 0; i < 2; i++) {
      const vector pairs = w[v + 4 * i];
      const vector even = _mm256_srai_epi16(_mm256_slli_epi16(pairs, 8), 8);
      const vector odd = _mm256_srai_epi16(pairs, 8);
      sum[i] = _mm256_add_epi16(even, odd);
      difference[i] = _mm256_sub_epi16(even, odd);
    }
    entries[0] = _mm256_add_epi16(sum[0], sum[1]);
    entries[1] = _mm256_add_epi16(difference[0], difference[1]);
    entries[2] = _mm256_sub_epi16(sum[0], sum[1]);
    entries[3] = _mm256_sub_epi16(difference[0], difference[1]);
    UNROLL
    for (int i = 0; i < 4; i++) {
      const int first = (v & 1) * 64 + (v >> 1) * 32 + i * 8;
      best = _mm256_max_epu16(best, keys_avx2(entries[i], first));
    }
  }
  return best;
}

/* The symbol of the largest of eight keys. */
static inline uint8_t symbol_of_avx2(__m128i keys) {
  /* The instruction finds the smallest of eight, so take complements. */
  const __m128i smallest = _mm_minpos_epu16(_mm_xor_si128(keys, _mm_set1_epi16(-1)));
  const uint32_t inverted = (uint32_t)_mm_cvtsi128_si32(smallest);

  return (uint8_t)((inverted >> 1 & 0x7F) | (~inverted & 1) << 7);
}

void ckem_reed_muller_decode_avx2(uint8_t *symbols, const uint64_t *in, size_t count,
                                  size_t copies) {
  const size_t words = REED_MULLER_WORDS * copies;

  for (size_t i = 0; i < count; i += 2) {
    const size_t second = i + 1 < count ? i + 1 : i;
    vector w[BYTE_VECTORS];
    add_copies_avx2(w, in + words * i, in + words * second, copies);
    transform_bytes_avx2(w);
    const vector best = best_keys_avx2(w);
    symbols[i] = symbol_of_avx2(_mm256_castsi256_si128(best));
    symbols[second] = symbol_of_avx2(_mm256_extracti128_si256(best, 1));
  }
}

/* --- Reed-Solomon: what reed_solomon.template.h asks for -------------------------------- */

#include "hqc/gf256_lanes.template.h"

/* Horner's rule over the bits of b, from the highest: product = product * x + (bit ? a : 0). */
static inline vector gf256_mul(vector a, vector b) {
  const vector zero = _mm256_setzero_si256();
  const vector fold = _mm256_set1_epi8(0x1D); /* x^8 = x^4 + x^3 + x^2 + 1 */
  vector product = _mm256_blendv_epi8(zero, a, b); /* by the highest bit */

  for (int i = 0; i < 7; i++) {
    const vector overflow = _mm256_and_si256(_mm256_cmpgt_epi8(zero, product), fold);
    b = _mm256_add_epi8(b, b);
    product = _mm256_xor_si256(_mm256_add_epi8(product, product), overflow);
    product = _mm256_xor_si256(product, _mm256_blendv_epi8(zero, a, b));
  }
  return product;
}

#define gf256_enter(v) (v)
#define gf256_leave(v) (v)

/* One element as its products by 0 ... 15, and by 16 times these, each in both halves. */
typedef struct {
  vector low, high;
} multiples;
#define gf256_scalar multiples

static inline multiples gf256_prepare(vector spread) {
  const vector factors =
      _mm256_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0x00, 0x10, 0x20, 0x30,
                       0x40, 0x50, 0x60, 0x70, (char)0x80, (char)0x90, (char)0xA0, (char)0xB0,
                       (char)0xC0, (char)0xD0, (char)0xE0, (char)0xF0);
  const vector products = gf256_mul(factors, spread);

  return (multiples){_mm256_permute2x128_si256(products, products, 0x00),
                     _mm256_permute2x128_si256(products, products, 0x11)};
}

/* Looks half bytes up within registers. */
static inline vector gf256_scale(const multiples *a, vector b) {
  const vector half_byte = _mm256_set1_epi8(0x0F);
  const vector low = _mm256_and_si256(b, half_byte);
  const vector high = _mm256_and_si256(_mm256_srli_epi64(b, 4), half_byte);

  return _mm256_xor_si256(_mm256_shuffle_epi8(a->low, low), _mm256_shuffle_epi8(a->high, high));
}

#define TEMPLATE_SUFFIX avx2
#include "hqc/reed_solomon.template.h"

const struct hqc_codes ckem_hqc_codes_avx2 = {
    .name = "avx2",
    .reed_muller_decode = ckem_reed_muller_decode_avx2,
    .reed_solomon_encode = reed_solomon_encode_avx2,
    .reed_solomon_decode = reed_solomon_decode_avx2,
};

ISA_END
#endif
