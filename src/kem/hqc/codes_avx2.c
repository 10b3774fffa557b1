/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The codes of HQC with AVX2.
 *
 * Reed-Muller: the 128 sums of one symbol fill eight vectors of 16-bit numbers, and all seven
 * levels of the Hadamard transform stay in registers. Reed-Solomon: 32 field elements in a vector.
 */
#include "base/ct.h"
#include "base/intrinsics.h"
#include "hqc/codes.h"
#include "hqc/reed_muller.h"

#if defined(CODEKEM_HAVE_AVX2)
ISA_BEGIN_AVX2

typedef __m256i vector;

/* --- Reed-Muller ------------------------------------------------------------------------------ */

#define PARTS 8

/* One level of the transform inside a vector: partner is x with neighbours exchanged, and signs is
 * -1 in the second of each pair, 1 in the first. */
static inline vector butterfly_avx2(vector x, vector partner, vector signs) {
  return _mm256_add_epi16(partner, _mm256_sign_epi16(x, signs));
}

/* The four levels inside a vector of 16 numbers. */
static inline vector transform_inside_avx2(vector x) {
  const vector by_8 = _mm256_set_epi64x(-1, -1, 0x0001000100010001, 0x0001000100010001);
  const vector by_4 = _mm256_set_epi64x(-1, 0x0001000100010001, -1, 0x0001000100010001);
  const vector by_2 = _mm256_set1_epi64x((long long)0xFFFFFFFF00010001);
  const vector by_1 = _mm256_set1_epi32((int)0xFFFF0001);

  x = butterfly_avx2(x, _mm256_permute4x64_epi64(x, 0x4E), by_8);
  x = butterfly_avx2(x, _mm256_shuffle_epi32(x, 0x4E), by_4);
  x = butterfly_avx2(x, _mm256_shuffle_epi32(x, 0xB1), by_2);
  return butterfly_avx2(x, _mm256_or_si256(_mm256_slli_epi32(x, 16), _mm256_srli_epi32(x, 16)),
                        by_1);
}

/* The Hadamard transform of w[128], and the shift of entry 0 that sums of 0 and 1 need. */
static inline void transform_avx2(vector w[PARTS], size_t copies) {
  for (int distance = 1; distance < PARTS; distance *= 2) {
    for (int i = 0; i < PARTS; i++) {
      if ((i & distance) == 0) {
        const vector sum = _mm256_add_epi16(w[i], w[i + distance]);
        w[i + distance] = _mm256_sub_epi16(w[i], w[i + distance]);
        w[i] = sum;
      }
    }
  }
  for (int i = 0; i < PARTS; i++) {
    w[i] = transform_inside_avx2(w[i]);
  }
  w[0] = _mm256_sub_epi16(w[0], _mm256_set_epi64x(0, 0, 0, (long long)(64 * copies)));
}

/* The largest of 128 numbers, in every place. */
static inline vector largest_avx2(const vector a[PARTS]) {
  vector all = a[0];

  for (int i = 1; i < PARTS; i++) {
    all = _mm256_max_epu16(all, a[i]);
  }
  const __m128i half = _mm_max_epu16(_mm256_castsi256_si128(all), _mm256_extracti128_si256(all, 1));
  /* The instruction finds the smallest of eight, so take complements. */
  const __m128i smallest = _mm_minpos_epu16(_mm_xor_si128(half, _mm_set1_epi16(-1)));

  return _mm256_broadcastw_epi16(_mm_xor_si128(smallest, _mm_set1_epi16(-1)));
}

/* Bit t of the result is entry t of four vectors of masks. */
static inline uint64_t collect_bits_avx2(const vector masks[4]) {
  uint64_t bits = 0;

  for (int i = 0; i < 2; i++) {
    const vector packed = _mm256_packs_epi16(masks[2 * i], masks[2 * i + 1]);
    /* Packing works in halves; put the quarters into order. */
    const vector ordered = _mm256_permute4x64_epi64(packed, 0xD8);
    bits |= (uint64_t)(uint32_t)_mm256_movemask_epi8(ordered) << (32 * i);
  }
  return bits;
}

/* The symbol of the entry with the largest absolute value, the first of several. */
static inline uint8_t find_peak_avx2(const vector w[PARTS]) {
  vector absolute[PARTS], at_peak[PARTS], positive[PARTS];

  for (int i = 0; i < PARTS; i++) {
    absolute[i] = _mm256_abs_epi16(w[i]);
    positive[i] = _mm256_cmpgt_epi16(w[i], _mm256_setzero_si256());
  }
  const vector peak = largest_avx2(absolute);
  for (int i = 0; i < PARTS; i++) {
    at_peak[i] = _mm256_cmpeq_epi16(absolute[i], peak);
  }
  const uint64_t first_half = collect_bits_avx2(at_peak);
  const uint64_t in_second = ct_mask_zero_u64(first_half);
  const uint64_t candidates = ct_select_u64(in_second, collect_bits_avx2(at_peak + 4), first_half);
  const uint64_t signs =
      ct_select_u64(in_second, collect_bits_avx2(positive + 4), collect_bits_avx2(positive));
  const uint64_t first = candidates & (0 - candidates);
  const uint64_t sign = ~ct_mask_zero_u64(first & signs) & 0x80;

  /* The number of zeros below the first candidate is its place; one instruction, no branch. */
  return (uint8_t)(_tzcnt_u64(candidates) | (in_second & 64) | sign);
}

static void reed_muller_decode_avx2(uint8_t *symbols, const uint64_t *in, size_t count,
                                    size_t copies) {
  /* Lane j holds bit j. */
  const vector bit =
      _mm256_set_epi16((short)0x8000, 0x4000, 0x2000, 0x1000, 0x0800, 0x0400, 0x0200, 0x0100,
                       0x0080, 0x0040, 0x0020, 0x0010, 0x0008, 0x0004, 0x0002, 0x0001);

  for (size_t i = 0; i < count; i++) {
    vector w[PARTS];
    for (int part = 0; part < PARTS; part++) {
      w[part] = _mm256_setzero_si256();
      for (size_t c = 0; c < copies; c++) {
        const uint64_t word = in[REED_MULLER_WORDS * (copies * i + c) + (size_t)part / 4];
        const vector all = _mm256_set1_epi16((short)(word >> (16 * (part % 4))));
        const vector set = _mm256_cmpeq_epi16(_mm256_and_si256(all, bit), bit);
        w[part] = _mm256_sub_epi16(w[part], set);
      }
    }
    transform_avx2(w, copies);
    symbols[i] = find_peak_avx2(w);
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
    .reed_muller_decode = reed_muller_decode_avx2,
    .reed_solomon_encode = reed_solomon_encode_avx2,
    .reed_solomon_decode = reed_solomon_decode_avx2,
};

ISA_END
#endif
