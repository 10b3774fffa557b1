/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Systems over GF(2) on 512-bit vectors: GFNI multiplies blocks of 8 x 8 bits.
 *
 * vgf2p8affineqb takes a matrix with row i in byte 7 - i, and maps bytes, which are columns of a
 * strip: one instruction multiplies a block with 64 columns.
 */
#include <stdbool.h>

#include "base/ct.h"
#include "base/intrinsics.h"
#include "base/unroll.h"
#include "bitmatrix/bitmatrix.h"
#include "bitmatrix/bitmatrix_factor.h"

#if defined(CODEKEM_HAVE_AVX512)
ISA_BEGIN_AVX512

typedef __m512i vector;

#define ALWAYS_INLINE static inline __attribute__((always_inline))
#define TEMPLATE_SUFFIX avx512
#define TEMPLATE_BACKEND "avx512"

/* Byte b of a word is the unit vector 7 - b; the product of a matrix with these is its transpose
 * with bytes in reverse. */
#define UNITS_DOWN 0x0102040810204080
#define UNITS_UP ((long long)0x8040201008040201)

/* Reverses the bytes of each word. */
ALWAYS_INLINE vector reverse_bytes(vector x) {
  return _mm512_shuffle_epi8(x, _mm512_broadcast_i32x4(_mm_setr_epi8(7, 6, 5, 4, 3, 2, 1, 0, 15, 14,
                                                                     13, 12, 11, 10, 9, 8)));
}

static void to_operands_avx512(uint64_t *out, const uint64_t *in, size_t count) {
  const vector units = _mm512_set1_epi64(UNITS_DOWN);

  for (size_t i = 0; i < count; i += 8) {
    const vector x = reverse_bytes(_mm512_loadu_si512(in + i));
    _mm512_storeu_si512(out + i, _mm512_gf2p8affine_epi64_epi8(units, x, 0));
  }
}

/* Reads an operand into all words. The barrier keeps that an instruction of its own: as a memory
 * operand of vgf2p8affineqb, LLVM (14 and 16 at least) encodes its address wrongly. */
ALWAYS_INLINE vector spread_operand(const uint64_t *a) {
  vector x = _mm512_set1_epi64((long long)*a);

#if !defined(CODEKEM_CHECK_MSAN)
  __asm__("" : "+v"(x));
#endif
  return x;
}

/* Four strips of `vectors` vectors. */
ALWAYS_INLINE void add_tile_avx512(size_t vectors, uint8_t *out, size_t out_stride,
                                   const uint64_t *a, size_t a_stride, size_t count,
                                   const uint8_t *in, size_t in_stride) {
  vector sum[4][4];

  UNROLL
  for (size_t s = 0; s < 4; s++) {
    UNROLL
    for (size_t v = 0; v < vectors; v++) {
      sum[s][v] = _mm512_loadu_si512(out + s * out_stride + 64 * v);
    }
  }
  for (size_t j = 0; j < count; j += 2) {
    vector x[4], y[4];
    UNROLL
    for (size_t v = 0; v < vectors; v++) {
      x[v] = _mm512_loadu_si512(in + j * in_stride + 64 * v);
      y[v] = _mm512_loadu_si512(in + (j + 1) * in_stride + 64 * v);
    }
    UNROLL
    for (size_t s = 0; s < 4; s++) {
      const vector first = spread_operand(a + s * a_stride + j);
      const vector second = spread_operand(a + s * a_stride + j + 1);
      UNROLL
      for (size_t v = 0; v < vectors; v++) {
        sum[s][v] =
            _mm512_ternarylogic_epi64(sum[s][v], _mm512_gf2p8affine_epi64_epi8(x[v], first, 0),
                                      _mm512_gf2p8affine_epi64_epi8(y[v], second, 0), 0x96);
      }
    }
  }
  UNROLL
  for (size_t s = 0; s < 4; s++) {
    UNROLL
    for (size_t v = 0; v < vectors; v++) {
      _mm512_storeu_si512(out + s * out_stride + 64 * v, sum[s][v]);
    }
  }
}

static void add_products_avx512(uint8_t *out, size_t out_stride, size_t strips, const uint64_t *a,
                                size_t a_stride, size_t count, const uint8_t *in, size_t in_stride,
                                size_t width) {
  size_t at = 0;

  for (; at + 256 <= width; at += 256) {
    for (size_t s = 0; s < strips; s += 4) {
      add_tile_avx512(4, out + s * out_stride + at, out_stride, a + s * a_stride, a_stride, count,
                      in + at, in_stride);
    }
  }
  for (; at < width; at += 64) {
    for (size_t s = 0; s < strips; s += 4) {
      add_tile_avx512(1, out + s * out_stride + at, out_stride, a + s * a_stride, a_stride, count,
                      in + at, in_stride);
    }
  }
}

/* Sets out[j] to the words j of in[0], ..., in[7]. */
ALWAYS_INLINE void transpose_words(vector out[8], const vector in[8]) {
  vector t[8], u[8];

  UNROLL
  for (size_t i = 0; i < 8; i += 2) {
    t[i] = _mm512_unpacklo_epi64(in[i], in[i + 1]);
    t[i + 1] = _mm512_unpackhi_epi64(in[i], in[i + 1]);
  }
  UNROLL
  for (size_t i = 0; i < 2; i++) { /* parts 0 and 2, then 1 and 3, of two pairs */
    UNROLL
    for (size_t k = 0; k < 8; k += 4) {
      u[k + i] = _mm512_shuffle_i64x2(t[k + i], t[k + i + 2], 0x88);
      u[k + i + 2] = _mm512_shuffle_i64x2(t[k + i], t[k + i + 2], 0xDD);
    }
  }
  UNROLL
  for (size_t i = 0; i < 2; i++) {
    out[i] = _mm512_shuffle_i64x2(u[i], u[i + 4], 0x88);
    out[i + 4] = _mm512_shuffle_i64x2(u[i], u[i + 4], 0xDD);
    out[i + 2] = _mm512_shuffle_i64x2(u[i + 2], u[i + 6], 0x88);
    out[i + 6] = _mm512_shuffle_i64x2(u[i + 2], u[i + 6], 0xDD);
  }
}

/* Exchanges byte i of word j and byte j of word i. */
ALWAYS_INLINE vector transpose_bytes(vector x) {
  const vector order = _mm512_setr_epi64(0x3830282018100800, 0x3931292119110901, 0x3A322A221A120A02,
                                         0x3B332B231B130B03, 0x3C342C241C140C04, 0x3D352D251D150D05,
                                         0x3E362E261E160E06, 0x3F372F271F170F07);

  return _mm512_permutexvar_epi8(order, x);
}

static void rows_to_strip_avx512(uint8_t *strip, const uint64_t *const rows[8]) {
  vector x[8];

  UNROLL
  for (size_t j = 0; j < 8; j++) {
    x[j] = _mm512_loadu_si512(rows[j]);
  }
  transpose_words(x, x);
  UNROLL
  for (size_t w = 0; w < 8; w++) {
    /* Word b is now rows 0 to 7 of columns 8 b, ...; its transpose has the columns as bytes. */
    const vector blocks = transpose_bytes(x[w]);
    _mm512_storeu_si512(strip + 64 * w, _mm512_gf2p8affine_epi64_epi8(_mm512_set1_epi64(UNITS_UP),
                                                                      reverse_bytes(blocks), 0));
  }
}

static void strip_to_rows_avx512(const uint64_t *const rows[8], const uint8_t *strip) {
  vector x[8];

  UNROLL
  for (size_t w = 0; w < 8; w++) {
    const vector blocks = _mm512_loadu_si512(strip + 64 * w);
    x[w] = transpose_bytes(_mm512_gf2p8affine_epi64_epi8(_mm512_set1_epi64(UNITS_UP),
                                                         reverse_bytes(blocks), 0));
  }
  transpose_words(x, x);
  UNROLL
  for (size_t j = 0; j < 8; j++) {
    _mm512_storeu_si512((void *)(uintptr_t)rows[j], x[j]);
  }
}

static void move_bytes_avx512(uint8_t bytes[64], const uint8_t source[64]) {
  _mm512_storeu_si512(bytes, _mm512_permutexvar_epi8(_mm512_loadu_si512(source),
                                                     _mm512_loadu_si512(bytes)));
}

#define REACH_VECTORS (REACH_ROWS / 8)

/* Returns column c of 128 rows as bits, those of 64 rows in each half of column[]. */
ALWAYS_INLINE void column_bits(uint64_t column[2], const vector x[REACH_VECTORS], vector bit) {
  UNROLL
  for (size_t half = 0; half < 2; half++) {
    __mmask16 pairs[4];
    UNROLL
    for (size_t v = 0; v < 4; v++) {
      const vector *two = x + 8 * half + 2 * v;
      pairs[v] =
          _mm512_kunpackb(_mm512_test_epi64_mask(two[1], bit), _mm512_test_epi64_mask(two[0], bit));
    }
    column[half] = _cvtmask64_u64(_mm512_kunpackd(_mm512_kunpackw(pairs[3], pairs[2]),
                                                  _mm512_kunpackw(pairs[1], pairs[0])));
  }
}

/* Returns the sum of the rows that are set in rows[], in all words. */
ALWAYS_INLINE vector sum_of_rows(const vector x[REACH_VECTORS], const uint64_t rows[2]) {
  vector sum[2] = {_mm512_setzero_si512(), _mm512_setzero_si512()};
  vector own = _mm512_sllv_epi64(_mm512_set1_epi64(1), _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7));

  UNROLL
  for (size_t v = 0; v < REACH_VECTORS / 2; v++) {
    UNROLL
    for (size_t half = 0; half < 2; half++) {
      const __mmask8 here = _mm512_test_epi64_mask(own, _mm512_set1_epi64((long long)rows[half]));
      sum[half] = _mm512_mask_xor_epi64(sum[half], here, sum[half], x[8 * half + v]);
    }
    own = _mm512_slli_epi64(own, 8);
  }
  sum[0] = _mm512_xor_si512(sum[0], sum[1]);
  sum[0] = _mm512_xor_si512(sum[0], _mm512_shuffle_i64x2(sum[0], sum[0], 0x4E));
  sum[0] = _mm512_xor_si512(sum[0], _mm512_shuffle_i64x2(sum[0], sum[0], 0xB1));
  return _mm512_xor_si512(sum[0], _mm512_shuffle_epi32(sum[0], 0x4E));
}

/* The 128 rows stay in registers. */
static bool find_in_reach(uint64_t *words, uint16_t *place) {
  vector x[REACH_VECTORS];

  UNROLL
  for (size_t v = 0; v < REACH_VECTORS; v++) {
    x[v] = _mm512_loadu_si512(words + 8 * v);
  }
  for (unsigned c = 0; c < 64; c++) {
    const vector bit = _mm512_set1_epi64((long long)(UINT64_C(1) << c));
    uint64_t column[2];
    column_bits(column, x, bit);
    column[0] &= ~UINT64_C(0) << c; /* rows before have their pivots */
    uint64_t none = ct_mask_zero_u64(column[0] | column[1]);
    /* Public: that a pivot is missing, which ends the attempt, shows in the time. */
    ct_declassify(&none, sizeof none);
    if (none != 0) {
      return false;
    }
    /* the first row, as a bit */
    const uint64_t second = ct_mask_zero_u64(column[0]); /* it is in the second half */
    uint64_t rows[2];
    rows[0] = column[0] & (UINT64_C(0) - column[0]);
    rows[1] = column[1] & (UINT64_C(0) - column[1]) & second;
    /* ones below the bit, in both halves if it is in the second */
    place[c] = (uint16_t)_mm_popcnt_u64(rows[0] - 1);
    place[c] = (uint16_t)(place[c] + ((uint64_t)_mm_popcnt_u64(rows[1] - 1) & second));
    rows[0] |= UINT64_C(1) << c;
    const vector pivot = sum_of_rows(x, rows);
    const vector rest = _mm512_andnot_si512(bit, pivot);
    UNROLL
    for (size_t v = 0; v < REACH_VECTORS; v++) {
      x[v] = _mm512_mask_xor_epi64(x[v], _mm512_test_epi64_mask(x[v], bit), x[v], rest);
    }
    /* row c itself */
    const __mmask8 lane = (__mmask8)(1U << (c % 8));
    UNROLL
    for (size_t v = 0; v < REACH_VECTORS / 2; v++) {
      x[v] = _mm512_mask_mov_epi64(x[v], v == c / 8 ? lane : 0, pivot);
    }
  }
  UNROLL
  for (size_t v = 0; v < REACH_VECTORS; v++) {
    _mm512_storeu_si512(words + 8 * v, x[v]);
  }
  return true;
}

static bool find_block_avx512(size_t rows, uint64_t *x, uint16_t *place) {
  if (rows > REACH_ROWS) {
    return ckem_bitmatrix_find_block(rows, 64, x, NULL, place);
  }
  for (size_t i = rows; i < REACH_ROWS; i++) {
    x[i] = 0;
  }
  return find_in_reach(x, place);
}

#define to_operands to_operands_avx512
#define add_products add_products_avx512
#define rows_to_strip rows_to_strip_avx512
#define strip_to_rows strip_to_rows_avx512
#define move_bytes move_bytes_avx512
#define find_block find_block_avx512
#include "bitmatrix/bitmatrix_strips.template.h"

ISA_END
#endif
