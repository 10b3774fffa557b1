/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Systems over GF(2) on 128-bit vectors of 64-bit Arm.
 *
 * TBL looks up bytes in a table of 16 that is a register, so in constant time: the table of all
 * sums of four columns of a block multiplies these four columns with 16 columns of a strip.
 */
#include <stdbool.h>

#include "base/intrinsics.h"
#include "base/unroll.h"
#include "bitmatrix/bitmatrix.h"
#include "bitmatrix/bitmatrix_factor.h"

#if defined(CODEKEM_HAVE_NEON64)
ISA_BEGIN_NEON64

typedef uint8x16_t vector;

#define ALWAYS_INLINE static inline __attribute__((always_inline))
#define TEMPLATE_SUFFIX neon
#define TEMPLATE_BACKEND "neon"
#define CHUNK 16 /* operands of a strip whose tables are made at a time */
#define WORDS(x) vreinterpretq_u64_u8(x)
#define BYTES(x) vreinterpretq_u8_u64(x)

/* Blocks are operands as they are. */
static void to_operands_neon(uint64_t *out, const uint64_t *in, size_t count) {
  for (size_t i = 0; i < count; i++) {
    out[i] = in[i];
  }
}

/* The tables of an operand: all sums of its bytes 0 to 3, and 4 to 7. */
struct tables {
  uint8_t low[16];
  uint8_t high[16];
};

ALWAYS_INLINE void make_tables_neon(struct tables *tables, uint64_t operand) {
  /* byte e of them is set if byte 0, 1, 2 or 3 belongs to sum e */
  const vector byte_0 = vreinterpretq_u8_u16(vdupq_n_u16(0xFF00));
  const vector byte_1 = vreinterpretq_u8_u32(vdupq_n_u32(0xFFFF0000));
  const vector byte_2 = BYTES(vdupq_n_u64(UINT64_C(0xFFFFFFFF00000000)));
  const vector byte_3 = BYTES(vcombine_u64(vcreate_u64(0), vcreate_u64(~UINT64_C(0))));
  const uint8x8_t x = vcreate_u8(operand);

  vst1q_u8(tables->low, veorq_u8(veorq_u8(vandq_u8(vdupq_lane_u8(x, 0), byte_0),
                                          vandq_u8(vdupq_lane_u8(x, 1), byte_1)),
                                 veorq_u8(vandq_u8(vdupq_lane_u8(x, 2), byte_2),
                                          vandq_u8(vdupq_lane_u8(x, 3), byte_3))));
  vst1q_u8(tables->high, veorq_u8(veorq_u8(vandq_u8(vdupq_lane_u8(x, 4), byte_0),
                                           vandq_u8(vdupq_lane_u8(x, 5), byte_1)),
                                  veorq_u8(vandq_u8(vdupq_lane_u8(x, 6), byte_2),
                                           vandq_u8(vdupq_lane_u8(x, 7), byte_3))));
}

/* Four strips of 64 columns, with at most CHUNK tables for each. */
ALWAYS_INLINE void add_tile_neon(uint8_t *out, size_t out_stride,
                                 const struct tables tables[4][CHUNK], size_t count,
                                 const uint8_t *in, size_t in_stride) {
  vector sum[4][4];

  UNROLL
  for (size_t s = 0; s < 4; s++) {
    UNROLL
    for (size_t v = 0; v < 4; v++) {
      sum[s][v] = vld1q_u8(out + s * out_stride + 16 * v);
    }
  }
  for (size_t j = 0; j < count; j++) {
    vector low[4], high[4];
    UNROLL
    for (size_t v = 0; v < 4; v++) {
      const vector x = vld1q_u8(in + j * in_stride + 16 * v);
      low[v] = vandq_u8(x, vdupq_n_u8(15));
      high[v] = vshrq_n_u8(x, 4);
    }
    UNROLL
    for (size_t s = 0; s < 4; s++) {
      const vector low_sums = vld1q_u8(tables[s][j].low);
      const vector high_sums = vld1q_u8(tables[s][j].high);
      UNROLL
      for (size_t v = 0; v < 4; v++) {
        sum[s][v] = veorq_u8(sum[s][v], vqtbl1q_u8(low_sums, low[v]));
        sum[s][v] = veorq_u8(sum[s][v], vqtbl1q_u8(high_sums, high[v]));
      }
    }
  }
  UNROLL
  for (size_t s = 0; s < 4; s++) {
    UNROLL
    for (size_t v = 0; v < 4; v++) {
      vst1q_u8(out + s * out_stride + 16 * v, sum[s][v]);
    }
  }
}

static void add_products_neon(uint8_t *out, size_t out_stride, size_t strips, const uint64_t *a,
                              size_t a_stride, size_t count, const uint8_t *in, size_t in_stride,
                              size_t width) {
  struct tables tables[4][CHUNK];

  for (size_t j = 0; j < count; j += CHUNK) {
    const size_t some = count - j < CHUNK ? count - j : CHUNK;
    for (size_t s = 0; s < strips; s += 4) {
      for (size_t i = 0; i < 4; i++) {
        for (size_t k = 0; k < some; k++) {
          make_tables_neon(&tables[i][k], a[(s + i) * a_stride + j + k]);
        }
      }
      for (size_t at = 0; at < width; at += 64) {
        add_tile_neon(out + s * out_stride + at, out_stride,
                      (const struct tables(*)[CHUNK])(uintptr_t)tables, some,
                      in + j * in_stride + at, in_stride);
      }
    }
  }
}

/* Exchanges the bits of the mask with those `shift` places higher, in each word. */
#define EXCHANGE_BITS(x, shift, mask)                                                             \
  do {                                                                                            \
    const uint64x2_t t = vandq_u64(veorq_u64((x), vshrq_n_u64((x), (shift))), vdupq_n_u64(mask)); \
    (x) = veorq_u64((x), veorq_u64(t, vshlq_n_u64(t, (shift))));                                  \
  } while (0)

/* Transposes the 8 x 8 bits of each word. */
ALWAYS_INLINE vector transpose_bits_neon(vector bytes) {
  uint64x2_t x = WORDS(bytes);

  EXCHANGE_BITS(x, 7, UINT64_C(0x00AA00AA00AA00AA));
  EXCHANGE_BITS(x, 14, UINT64_C(0x0000CCCC0000CCCC));
  EXCHANGE_BITS(x, 28, UINT64_C(0x00000000F0F0F0F0));
  return BYTES(x);
}

/* Transposes eight rows of eight elements of 16 bits. */
ALWAYS_INLINE void transpose_16_neon(vector x[8]) {
  uint32x4_t t[8];
  uint64x2_t u[8];

  UNROLL
  for (size_t i = 0; i < 4; i++) {
    const uint16x8_t a = vreinterpretq_u16_u8(x[2 * i]);
    const uint16x8_t b = vreinterpretq_u16_u8(x[2 * i + 1]);
    t[2 * i] = vreinterpretq_u32_u16(vzip1q_u16(a, b));
    t[2 * i + 1] = vreinterpretq_u32_u16(vzip2q_u16(a, b));
  }
  UNROLL
  for (size_t k = 0; k < 8; k += 4) {
    u[k] = vreinterpretq_u64_u32(vzip1q_u32(t[k], t[k + 2]));
    u[k + 1] = vreinterpretq_u64_u32(vzip2q_u32(t[k], t[k + 2]));
    u[k + 2] = vreinterpretq_u64_u32(vzip1q_u32(t[k + 1], t[k + 3]));
    u[k + 3] = vreinterpretq_u64_u32(vzip2q_u32(t[k + 1], t[k + 3]));
  }
  UNROLL
  for (size_t k = 0; k < 4; k++) {
    x[2 * k] = BYTES(vzip1q_u64(u[k], u[k + 4]));
    x[2 * k + 1] = BYTES(vzip2q_u64(u[k], u[k + 4]));
  }
}

static void rows_to_strip_neon(uint8_t *strip, const uint64_t *const rows[8]) {
  for (size_t quarter = 0; quarter < 4; quarter++) {
    vector x[8];
    UNROLL
    for (size_t j = 0; j < 8; j++) {
      x[j] = BYTES(vld1q_u64(rows[j] + 2 * quarter));
    }
    transpose_16_neon(x);
    UNROLL
    for (size_t k = 0; k < 8; k++) {
      /* two bytes of each of the 8 rows: after this, two words of 8 x 8 bits */
      const vector parts =
          vcombine_u8(vget_low_u8(vuzp1q_u8(x[k], x[k])), vget_low_u8(vuzp2q_u8(x[k], x[k])));
      vst1q_u8(strip + 128 * quarter + 16 * k, transpose_bits_neon(parts));
    }
  }
}

static void strip_to_rows_neon(const uint64_t *const rows[8], const uint8_t *strip) {
  for (size_t quarter = 0; quarter < 4; quarter++) {
    vector x[8];
    UNROLL
    for (size_t k = 0; k < 8; k++) {
      const vector y = transpose_bits_neon(vld1q_u8(strip + 128 * quarter + 16 * k));
      x[k] = vzip1q_u8(y, BYTES(vdupq_n_u64(vgetq_lane_u64(WORDS(y), 1))));
    }
    transpose_16_neon(x);
    UNROLL
    for (size_t j = 0; j < 8; j++) {
      vst1q_u64((uint64_t *)(uintptr_t)(rows[j] + 2 * quarter), WORDS(x[j]));
    }
  }
}

static void move_bytes_neon(uint8_t bytes[64], const uint8_t source[64]) {
  const uint8x16x4_t table = {
      {vld1q_u8(bytes), vld1q_u8(bytes + 16), vld1q_u8(bytes + 32), vld1q_u8(bytes + 48)}};

  for (size_t i = 0; i < 64; i += 16) {
    vst1q_u8(bytes + i, vqtbl4q_u8(table, vld1q_u8(source + i)));
  }
}

#define find_block(rows, x, place) ckem_bitmatrix_find_block(rows, 64, x, NULL, place)
#define to_operands to_operands_neon
#define add_products add_products_neon
#define rows_to_strip rows_to_strip_neon
#define strip_to_rows strip_to_rows_neon
#define move_bytes move_bytes_neon
#include "bitmatrix/bitmatrix_strips.template.h"

ISA_END
#endif
