/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The codes of HQC with NEON.
 *
 * Reed-Muller: the 128 sums of one symbol fill eight vectors of bytes for the first four levels of
 * the Hadamard transform, and sixteen of 16-bit numbers after that; they stay in registers.
 * Reed-Solomon: 16 field elements in a vector.
 */
#include "base/intrinsics.h"
#include "base/unroll.h"
#include "hqc/codes.h"
#include "hqc/gf256_plain.h"
#include "hqc/reed_muller.h"

#if defined(CODEKEM_HAVE_NEON)
ISA_BEGIN_NEON

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* --- Reed-Muller ------------------------------------------------------------------------------ */

/*
 * Entry t of the transform has bits t6 ... t0. In the beginning t6, t5 and t4 tell the vector, the
 * others the byte. A level inside vectors takes two of them, sorts their lanes into those with the
 * level's bit 0 and those with 1, and adds and subtracts: the bit then tells the two vectors apart,
 * and the one that did so tells the lanes apart. So entries end up in other places, all fixed.
 */
#define BYTE_VECTORS 8
#define WORD_VECTORS 16

ALWAYS_INLINE int8x16_t sort_even(int8x16_t a, int8x16_t b) {
  return vreinterpretq_s8_s32(vtrn1q_s32(vreinterpretq_s32_s8(a), vreinterpretq_s32_s8(b)));
}

ALWAYS_INLINE int8x16_t sort_odd(int8x16_t a, int8x16_t b) {
  return vreinterpretq_s8_s32(vtrn2q_s32(vreinterpretq_s32_s8(a), vreinterpretq_s32_s8(b)));
}

/* w[t] = number of copies in which bit t is 1. */
ALWAYS_INLINE void add_copies(int8x16_t w[BYTE_VECTORS], const uint64_t *in, size_t copies) {
  const uint8x16_t bit = vreinterpretq_u8_u64(vdupq_n_u64(UINT64_C(0x8040201008040201)));
  const uint8x16_t spread =
      vcombine_u8(vdup_n_u8(0), vdup_n_u8(1)); /* a byte of the code word for each eight lanes */

  UNROLL
  for (size_t v = 0; v < BYTE_VECTORS; v++) {
    w[v] = vdupq_n_s8(0);
  }
  for (size_t c = 0; c < copies; c++) {
    const uint8x16_t word = vreinterpretq_u8_u64(vld1q_u64(in + REED_MULLER_WORDS * c));
    UNROLL
    for (size_t v = 0; v < BYTE_VECTORS; v++) {
      const uint8x16_t place = vaddq_u8(spread, vdupq_n_u8((uint8_t)(2 * v)));
      const uint8x16_t set = vtstq_u8(vqtbl1q_u8(word, place), bit);
      w[v] = vsubq_s8(w[v], vreinterpretq_s8_u8(set));
    }
  }
}

/* The levels of t4, t5, t6 and t3. Numbers stay below 16 * 5 in absolute value. */
ALWAYS_INLINE void transform_bytes(int8x16_t w[BYTE_VECTORS]) {
  UNROLL
  for (size_t distance = 1; distance < BYTE_VECTORS; distance *= 2) {
    UNROLL
    for (size_t v = 0; v < BYTE_VECTORS; v++) {
      if ((v & distance) == 0) {
        const int8x16_t sum = vaddq_s8(w[v], w[v + distance]);
        w[v + distance] = vsubq_s8(w[v], w[v + distance]);
        w[v] = sum;
      }
    }
  }
  UNROLL
  for (size_t v = 0; v < BYTE_VECTORS; v += 2) {
    const int64x2_t a = vreinterpretq_s64_s8(w[v]);
    const int64x2_t b = vreinterpretq_s64_s8(w[v + 1]);
    const int8x16_t even = vreinterpretq_s8_s64(vtrn1q_s64(a, b));
    const int8x16_t odd = vreinterpretq_s8_s64(vtrn2q_s64(a, b));
    w[v] = vaddq_s8(even, odd);
    w[v + 1] = vsubq_s8(even, odd);
  }
}

/* The level of t2, from bytes to 16-bit numbers: out[v] and out[v + 8] are the halves of vector
 * v. */
ALWAYS_INLINE void transform_and_widen(int16x8_t out[WORD_VECTORS],
                                       const int8x16_t w[BYTE_VECTORS]) {
  UNROLL
  for (size_t v = 0; v < BYTE_VECTORS; v++) {
    if ((v & 2) == 0) {
      const int8x16_t even = sort_even(w[v], w[v + 2]);
      const int8x16_t odd = sort_odd(w[v], w[v + 2]);
      out[v] = vaddl_s8(vget_low_s8(even), vget_low_s8(odd));
      out[v + 8] = vaddl_high_s8(even, odd);
      out[v + 2] = vsubl_s8(vget_low_s8(even), vget_low_s8(odd));
      out[v + 10] = vsubl_high_s8(even, odd);
    }
  }
}

/* The levels of t1 and t0. */
ALWAYS_INLINE void transform_words(int16x8_t w[WORD_VECTORS]) {
  UNROLL
  for (size_t v = 0; v < WORD_VECTORS; v++) {
    if ((v & 4) == 0) {
      const int32x4_t a = vreinterpretq_s32_s16(w[v]);
      const int32x4_t b = vreinterpretq_s32_s16(w[v + 4]);
      const int16x8_t even = vreinterpretq_s16_s32(vtrn1q_s32(a, b));
      const int16x8_t odd = vreinterpretq_s16_s32(vtrn2q_s32(a, b));
      w[v] = vaddq_s16(even, odd);
      w[v + 4] = vsubq_s16(even, odd);
    }
  }
  UNROLL
  for (size_t v = 0; v < WORD_VECTORS; v += 2) {
    const int16x8_t even = vtrn1q_s16(w[v], w[v + 1]);
    const int16x8_t odd = vtrn2q_s16(w[v], w[v + 1]);
    w[v] = vaddq_s16(even, odd);
    w[v + 1] = vsubq_s16(even, odd);
  }
}

/* The entry in lane 0 of vector v; the bits of v tell t4, t1, t2 and t0. */
#define FIRST_ENTRY(v) ((v) / 8 % 2 * 16 + (v) / 4 % 2 * 2 + (v) / 2 % 2 * 4 + (v) % 2)

/* Returns the symbol of the entry with the largest absolute value, the first of several.
 *
 * All entries are even or all are odd, so half the absolute value orders them; it fills the upper
 * byte of a key. Below are 127 - t, so that of equal ones the first wins, and whether it is
 * positive. */
ALWAYS_INLINE uint8_t find_peak(const int16x8_t w[WORD_VECTORS]) {
  static const uint16_t entry_of_lane[8] = {0, 8, 64, 72, 32, 40, 96, 104}; /* t5, t6, t3 */
  const uint16x8_t upper_byte = vdupq_n_u16(0xFF00);
  const uint16x8_t last = vsubq_u16(vdupq_n_u16(254), vshlq_n_u16(vld1q_u16(entry_of_lane), 1));
  uint16x8_t best = vdupq_n_u16(0);

  UNROLL
  for (size_t v = 0; v < WORD_VECTORS; v++) {
    const uint16x8_t absolute = vreinterpretq_u16_s16(vabsq_s16(w[v]));
    const uint16x8_t order = vsubq_u16(last, vdupq_n_u16((uint16_t)(2 * FIRST_ENTRY(v))));
    const uint16x8_t key = vbslq_u16(upper_byte, vshlq_n_u16(absolute, 7), order);
    best = vmaxq_u16(best, vsubq_u16(key, vcgtzq_s16(w[v])));
  }
  const uint32_t peak = vmaxvq_u16(best);
  return (uint8_t)((127 - (peak >> 1 & 127)) | (peak & 1) << 7);
}

static void reed_muller_decode_neon(uint8_t *symbols, const uint64_t *in, size_t count,
                                    size_t copies) {
  /* The sums count 0 and 1 instead of +1 and -1; that shifts entry 0 alone. */
  const int16x8_t shift = vsetq_lane_s16((int16_t)(64 * copies), vdupq_n_s16(0), 0);

  for (size_t i = 0; i < count; i++) {
    int8x16_t bytes[BYTE_VECTORS];
    int16x8_t words[WORD_VECTORS];

    add_copies(bytes, in + REED_MULLER_WORDS * copies * i, copies);
    transform_bytes(bytes);
    transform_and_widen(words, bytes);
    transform_words(words);
    words[0] = vsubq_s16(words[0], shift);
    symbols[i] = find_peak(words);
  }
}

/* --- Reed-Solomon: what reed_solomon.template.h asks for -------------------------------- */

typedef uint8x16_t gf256_vector;
#define GF256_LANES 16

static inline uint8x16_t gf256_load(const uint8_t *in) {
  return vld1q_u8(in);
}

static inline void gf256_store(uint8_t *out, uint8x16_t a) {
  vst1q_u8(out, a);
}

static inline uint8x16_t gf256_spread(uint8_t a) {
  return vdupq_n_u8(a);
}

static inline uint8_t gf256_first(uint8x16_t a) {
  return vgetq_lane_u8(a, 0);
}

#define gf256_spread_first(a) vdupq_lane_u8(vget_low_u8(a), 0)

static inline uint8x16_t gf256_shift(uint8x16_t a, uint8x16_t next) {
  return vextq_u8(a, next, 1);
}

static inline uint8x16_t gf256_add(uint8x16_t a, uint8x16_t b) {
  return veorq_u8(a, b);
}

static inline uint8x16_t gf256_and(uint8x16_t a, uint8x16_t b) {
  return vandq_u8(a, b);
}

/* Products of bytes as polynomials; their upper bytes are reduced by x^8 = x^4 + x^3 + x^2 + 1,
 * first to eleven bits, then to eight. No tables. */
static inline uint8x16_t gf256_mul(uint8x16_t a, uint8x16_t b) {
  const poly8x16_t fold = vdupq_n_p8(0x1D);
  const poly8x16_t x = vreinterpretq_p8_u8(a);
  const poly8x16_t y = vreinterpretq_p8_u8(b);
  const uint8x16_t lower = vreinterpretq_u8_p16(vmull_p8(vget_low_p8(x), vget_low_p8(y)));
  const uint8x16_t upper = vreinterpretq_u8_p16(vmull_high_p8(x, y));
  const poly8x16_t high = vreinterpretq_p8_u8(vuzp2q_u8(lower, upper));
  const uint8x16_t lower2 = vreinterpretq_u8_p16(vmull_p8(vget_low_p8(high), vget_low_p8(fold)));
  const uint8x16_t upper2 = vreinterpretq_u8_p16(vmull_high_p8(high, fold));
  const poly8x16_t high2 = vreinterpretq_p8_u8(vuzp2q_u8(lower2, upper2));
  const uint8x16_t sum = veorq_u8(vuzp1q_u8(lower, upper), vuzp1q_u8(lower2, upper2));

  return veorq_u8(sum, vreinterpretq_u8_p8(vmulq_p8(high2, fold)));
}

static inline uint8x16_t gf256_keep_if_zero(uint8x16_t a, uint8x16_t b) {
  return vandq_u8(a, vceqzq_u8(b));
}

#define TEMPLATE_SUFFIX neon
#include "hqc/reed_solomon.template.h"

const struct hqc_codes ckem_hqc_codes_neon = {
    .name = "neon",
    .reed_muller_decode = reed_muller_decode_neon,
    .reed_solomon_encode = reed_solomon_encode_neon,
    .reed_solomon_decode = reed_solomon_decode_neon,
};

ISA_END
#endif
