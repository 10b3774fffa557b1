/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Systems over GF(2) on 256-bit vectors.
 *
 * vpshufb looks up bytes in a table of 16 that is a register, so in constant time: the table of all
 * sums of four columns of a block multiplies these four columns with 32 columns of a strip.
 */
#include <stdbool.h>

#include "base/intrinsics.h"
#include "base/unroll.h"
#include "bitmatrix/bitmatrix.h"
#include "bitmatrix/bitmatrix_factor.h"

#if defined(CODEKEM_HAVE_AVX2)
ISA_BEGIN_AVX2

typedef __m256i vector;

#define ALWAYS_INLINE static inline __attribute__((always_inline))
#define TEMPLATE_SUFFIX avx2
#define TEMPLATE_BACKEND "avx2"
#define CHUNK 16 /* operands of a strip whose tables are made at a time */

/* Blocks are operands as they are. */
static void to_operands_avx2(uint64_t *out, const uint64_t *in, size_t count) {
  for (size_t i = 0; i < count; i++) {
    out[i] = in[i];
  }
}

/* The tables of an operand: all sums of its bytes 0 to 3, and 4 to 7. */
struct tables {
  __m128i low;
  __m128i high;
};

ALWAYS_INLINE void make_tables(struct tables *tables, uint64_t operand) {
  /* byte e of `members` i is set if byte i belongs to sum e */
  const __m128i byte_0 = _mm_set1_epi16((short)0xFF00);
  const __m128i byte_1 = _mm_set1_epi32((int)0xFFFF0000);
  const __m128i byte_2 = _mm_set1_epi64x((long long)0xFFFFFFFF00000000);
  const __m128i byte_3 = _mm_set_epi64x(-1, 0);
  const __m128i x = _mm_cvtsi64_si128((long long)operand);
  __m128i sums[2];

  UNROLL
  for (int half = 0; half < 2; half++) {
    const __m128i y = half == 0 ? x : _mm_srli_si128(x, 4);
    const __m128i a = _mm_and_si128(_mm_shuffle_epi8(y, _mm_set1_epi8(0)), byte_0);
    const __m128i b = _mm_and_si128(_mm_shuffle_epi8(y, _mm_set1_epi8(1)), byte_1);
    const __m128i c = _mm_and_si128(_mm_shuffle_epi8(y, _mm_set1_epi8(2)), byte_2);
    const __m128i d = _mm_and_si128(_mm_shuffle_epi8(y, _mm_set1_epi8(3)), byte_3);
    sums[half] = _mm_xor_si128(_mm_xor_si128(a, b), _mm_xor_si128(c, d));
  }
  tables->low = sums[0];
  tables->high = sums[1];
}

ALWAYS_INLINE vector load_any(const void *p) {
  return _mm256_loadu_si256((const __m256i *)p);
}

ALWAYS_INLINE void store_any(void *p, vector x) {
  _mm256_storeu_si256((__m256i *)p, x);
}

/* Four strips of 64 columns, with at most CHUNK tables for each. */
ALWAYS_INLINE void add_tile_avx2(uint8_t *out, size_t out_stride,
                                 const struct tables tables[4][CHUNK], size_t count,
                                 const uint8_t *in, size_t in_stride) {
  const vector nibble = _mm256_set1_epi8(15);
  vector sum[4][2];

  UNROLL
  for (size_t s = 0; s < 4; s++) {
    sum[s][0] = load_any(out + s * out_stride);
    sum[s][1] = load_any(out + s * out_stride + 32);
  }
  for (size_t j = 0; j < count; j++) {
    const vector x = load_any(in + j * in_stride);
    const vector y = load_any(in + j * in_stride + 32);
    const vector x_low = _mm256_and_si256(x, nibble);
    const vector y_low = _mm256_and_si256(y, nibble);
    const vector x_high = _mm256_and_si256(_mm256_srli_epi16(x, 4), nibble);
    const vector y_high = _mm256_and_si256(_mm256_srli_epi16(y, 4), nibble);
    UNROLL
    for (size_t s = 0; s < 4; s++) {
      const vector low = _mm256_broadcastsi128_si256(tables[s][j].low);
      const vector high = _mm256_broadcastsi128_si256(tables[s][j].high);
      sum[s][0] = _mm256_xor_si256(sum[s][0], _mm256_shuffle_epi8(low, x_low));
      sum[s][1] = _mm256_xor_si256(sum[s][1], _mm256_shuffle_epi8(low, y_low));
      sum[s][0] = _mm256_xor_si256(sum[s][0], _mm256_shuffle_epi8(high, x_high));
      sum[s][1] = _mm256_xor_si256(sum[s][1], _mm256_shuffle_epi8(high, y_high));
    }
  }
  UNROLL
  for (size_t s = 0; s < 4; s++) {
    store_any(out + s * out_stride, sum[s][0]);
    store_any(out + s * out_stride + 32, sum[s][1]);
  }
}

static void add_products_avx2(uint8_t *out, size_t out_stride, size_t strips, const uint64_t *a,
                              size_t a_stride, size_t count, const uint8_t *in, size_t in_stride,
                              size_t width) {
  struct tables tables[4][CHUNK];

  for (size_t j = 0; j < count; j += CHUNK) {
    const size_t some = count - j < CHUNK ? count - j : CHUNK;
    for (size_t s = 0; s < strips; s += 4) {
      for (size_t i = 0; i < 4; i++) {
        for (size_t k = 0; k < some; k++) {
          make_tables(&tables[i][k], a[(s + i) * a_stride + j + k]);
        }
      }
      for (size_t at = 0; at < width; at += 64) {
        add_tile_avx2(out + s * out_stride + at, out_stride,
                      (const struct tables(*)[CHUNK])(uintptr_t)tables, some,
                      in + j * in_stride + at, in_stride);
      }
    }
  }
}

/* Transposes the 8 x 8 bits of each word. */
ALWAYS_INLINE vector transpose_bits(vector x) {
  vector t = _mm256_and_si256(_mm256_xor_si256(x, _mm256_srli_epi64(x, 7)),
                              _mm256_set1_epi64x(0x00AA00AA00AA00AA));

  x = _mm256_xor_si256(x, _mm256_xor_si256(t, _mm256_slli_epi64(t, 7)));
  t = _mm256_and_si256(_mm256_xor_si256(x, _mm256_srli_epi64(x, 14)),
                       _mm256_set1_epi64x(0x0000CCCC0000CCCC));
  x = _mm256_xor_si256(x, _mm256_xor_si256(t, _mm256_slli_epi64(t, 14)));
  t = _mm256_and_si256(_mm256_xor_si256(x, _mm256_srli_epi64(x, 28)),
                       _mm256_set1_epi64x(0x00000000F0F0F0F0));
  return _mm256_xor_si256(x, _mm256_xor_si256(t, _mm256_slli_epi64(t, 28)));
}

/* Transposes eight rows of eight elements of 16 bits in each half of the vectors. */
ALWAYS_INLINE void transpose_16(vector x[8]) {
  vector t[8], u[8];

  UNROLL
  for (size_t i = 0; i < 4; i++) {
    t[2 * i] = _mm256_unpacklo_epi16(x[2 * i], x[2 * i + 1]);
    t[2 * i + 1] = _mm256_unpackhi_epi16(x[2 * i], x[2 * i + 1]);
  }
  UNROLL
  for (size_t k = 0; k < 8; k += 4) {
    u[k] = _mm256_unpacklo_epi32(t[k], t[k + 2]);
    u[k + 1] = _mm256_unpackhi_epi32(t[k], t[k + 2]);
    u[k + 2] = _mm256_unpacklo_epi32(t[k + 1], t[k + 3]);
    u[k + 3] = _mm256_unpackhi_epi32(t[k + 1], t[k + 3]);
  }
  UNROLL
  for (size_t k = 0; k < 4; k++) {
    x[2 * k] = _mm256_unpacklo_epi64(u[k], u[k + 4]);
    x[2 * k + 1] = _mm256_unpackhi_epi64(u[k], u[k + 4]);
  }
}

/* Bytes 0, 8, 1, 9, ... of each half, and back. */
#define PAIR_BYTES _mm_setr_epi8(0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15)
#define PART_BYTES _mm_setr_epi8(0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15)

static void rows_to_strip_avx2(uint8_t *strip, const uint64_t *const rows[8]) {
  const vector part = _mm256_broadcastsi128_si256(PART_BYTES);

  for (size_t half = 0; half < 2; half++) {
    vector x[8];
    UNROLL
    for (size_t j = 0; j < 8; j++) {
      x[j] = load_any(rows[j] + 4 * half);
    }
    transpose_16(x);
    UNROLL
    for (size_t k = 0; k < 8; k++) {
      /* two bytes of each of the 8 rows: after this, two words of 8 x 8 bits in each half */
      const vector y = transpose_bits(_mm256_shuffle_epi8(x[k], part));
      uint8_t *to = strip + 256 * half + 16 * k;
      _mm_storeu_si128((__m128i *)to, _mm256_castsi256_si128(y));
      _mm_storeu_si128((__m128i *)(to + 128), _mm256_extracti128_si256(y, 1));
    }
  }
}

static void strip_to_rows_avx2(const uint64_t *const rows[8], const uint8_t *strip) {
  const vector pair = _mm256_broadcastsi128_si256(PAIR_BYTES);

  for (size_t half = 0; half < 2; half++) {
    vector x[8];
    UNROLL
    for (size_t k = 0; k < 8; k++) {
      const uint8_t *from = strip + 256 * half + 16 * k;
      const vector y = _mm256_set_m128i(_mm_loadu_si128((const __m128i *)(from + 128)),
                                        _mm_loadu_si128((const __m128i *)from));
      x[k] = _mm256_shuffle_epi8(transpose_bits(y), pair);
    }
    transpose_16(x);
    UNROLL
    for (size_t j = 0; j < 8; j++) {
      store_any((void *)(uintptr_t)(rows[j] + 4 * half), x[j]);
    }
  }
}

/* Looks in each 16 of the bytes; an index outside of them becomes one that gives zero. */
static void move_bytes_avx2(uint8_t bytes[64], const uint8_t source[64]) {
  vector moved[2];

  for (size_t half = 0; half < 2; half++) {
    const vector index = load_any(source + 32 * half);
    moved[half] = _mm256_setzero_si256();
    for (size_t part = 0; part < 4; part++) {
      const vector table =
          _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(bytes + 16 * part)));
      const vector here = _mm256_sub_epi8(index, _mm256_set1_epi8((char)(16 * part)));
      moved[half] = _mm256_or_si256(
          moved[half], _mm256_shuffle_epi8(table, _mm256_adds_epu8(here, _mm256_set1_epi8(0x70))));
    }
  }
  store_any(bytes, moved[0]);
  store_any(bytes + 32, moved[1]);
}

#define find_block(rows, x, place) ckem_bitmatrix_find_block(rows, 64, x, NULL, place)
#define to_operands to_operands_avx2
#define add_products add_products_avx2
#define rows_to_strip rows_to_strip_avx2
#define strip_to_rows strip_to_rows_avx2
#define move_bytes move_bytes_avx2
#include "bitmatrix/bitmatrix_strips.template.h"

ISA_END
#endif
