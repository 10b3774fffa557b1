/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The codes of HQC with the 128-bit vectors of WebAssembly.
 *
 * Reed-Muller: the 128 sums of one symbol fill 16 vectors of 16-bit numbers. Reed-Solomon: 16 field
 * elements in a vector.
 */
#include "base/ct.h"
#include "base/intrinsics.h"
#include "hqc/codes.h"
#include "hqc/gf256_plain.h"
#include "hqc/reed_muller.h"

#if defined(CODEKEM_HAVE_WASM)

/* --- Reed-Muller ------------------------------------------------------------------------------ */

#define VECTORS 16
#define LEVELS 7

/* sums[t] = number of copies in which bit t is 1. */
static inline void add_copies(v128_t sums[VECTORS], const uint64_t *in, size_t copies) {
  const v128_t bit = wasm_i16x8_const(1, 2, 4, 8, 16, 32, 64, 128);
  const uint8_t *bytes = (const uint8_t *)in;

  for (size_t v = 0; v < VECTORS; v++) {
    v128_t sum = wasm_i16x8_const_splat(0);
    for (size_t c = 0; c < copies; c++) {
      const v128_t byte = wasm_v128_load8_splat(bytes + VECTORS * c + v);
      sum = wasm_i16x8_sub(sum, wasm_i16x8_eq(wasm_v128_and(byte, bit), bit));
    }
    sums[v] = sum;
  }
}

/* One level of the Hadamard transform: entries t and t + 64 give 2 t and 2 t + 1. So after seven
 * levels every entry is where it belongs. */
static inline void transform(v128_t out[VECTORS], const v128_t in[VECTORS]) {
  for (size_t v = 0; v < VECTORS / 2; v++) {
    const v128_t sum = wasm_i16x8_add(in[v], in[v + VECTORS / 2]);
    const v128_t difference = wasm_i16x8_sub(in[v], in[v + VECTORS / 2]);
    out[2 * v] = wasm_i16x8_shuffle(sum, difference, 0, 8, 1, 9, 2, 10, 3, 11);
    out[2 * v + 1] = wasm_i16x8_shuffle(sum, difference, 4, 12, 5, 13, 6, 14, 7, 15);
  }
}

/* Returns the symbol of the entry with the largest absolute value, the first of several.
 *
 * All entries are even or all are odd, so half the absolute value orders them; it fills the upper
 * byte of a key. Below are 127 - t, so that of equal ones the first wins, and whether it is
 * positive. */
static inline uint8_t find_peak(const v128_t w[VECTORS]) {
  const v128_t upper_byte = wasm_i16x8_const_splat((int16_t)0xFF00);
  const v128_t zero = wasm_i16x8_const_splat(0);
  v128_t order = wasm_i16x8_const(254, 252, 250, 248, 246, 244, 242, 240);
  v128_t best = zero;

  for (size_t v = 0; v < VECTORS; v++) {
    const v128_t half = wasm_v128_and(wasm_i16x8_shl(wasm_i16x8_abs(w[v]), 7), upper_byte);
    const v128_t key = wasm_i16x8_sub(wasm_v128_or(half, order), wasm_i16x8_gt(w[v], zero));
    best = wasm_u16x8_max(best, key);
    order = wasm_i16x8_sub(order, wasm_i16x8_const_splat(16));
  }
  best = wasm_u16x8_max(best, wasm_i64x2_shuffle(best, best, 1, 0));
  best = wasm_u16x8_max(best, wasm_i32x4_shuffle(best, best, 1, 0, 3, 2));
  best = wasm_u16x8_max(best, wasm_i16x8_shuffle(best, best, 1, 0, 3, 2, 5, 4, 7, 6));
  const uint32_t peak = wasm_u16x8_extract_lane(best, 0);
  return (uint8_t)((127 - (peak >> 1 & 127)) | (peak & 1) << 7);
}

static void reed_muller_decode_wasm(uint8_t *symbols, const uint64_t *in, size_t count,
                                    size_t copies) {
  /* The sums count 0 and 1 instead of +1 and -1; that shifts entry 0 alone. */
  const v128_t shift = wasm_i16x8_make((int16_t)(64 * copies), 0, 0, 0, 0, 0, 0, 0);
  v128_t w[2][VECTORS];

  for (size_t i = 0; i < count; i++) {
    add_copies(w[0], in + REED_MULLER_WORDS * copies * i, copies);
    for (size_t level = 0; level < LEVELS; level++) {
      transform(w[(level + 1) % 2], w[level % 2]);
    }
    w[LEVELS % 2][0] = wasm_i16x8_sub(w[LEVELS % 2][0], shift);
    symbols[i] = find_peak(w[LEVELS % 2]);
  }
}

/* --- Reed-Solomon: what reed_solomon.template.h asks for -------------------------------- */

typedef v128_t gf256_vector;
#define GF256_LANES 16

static inline v128_t gf256_load(const uint8_t *in) {
  return wasm_v128_load(in);
}

static inline void gf256_store(uint8_t *out, v128_t a) {
  wasm_v128_store(out, a);
}

static inline v128_t gf256_spread(uint8_t a) {
  return wasm_u8x16_splat(a);
}

static inline uint8_t gf256_first(v128_t a) {
  return wasm_u8x16_extract_lane(a, 0);
}

#define gf256_spread_first(a) gf256_spread(gf256_first(a))

static inline v128_t gf256_shift(v128_t a, v128_t next) {
  return wasm_i8x16_shuffle(a, next, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
}

static inline v128_t gf256_add(v128_t a, v128_t b) {
  return wasm_v128_xor(a, b);
}

static inline v128_t gf256_and(v128_t a, v128_t b) {
  return wasm_v128_and(a, b);
}

/* From the highest bit of b down. */
static __attribute__((noinline)) v128_t gf256_mul(v128_t a, v128_t b) {
  const v128_t fold = wasm_i8x16_const_splat(0x1D); /* x^8 = x^4 + x^3 + x^2 + 1 */
  /* Of a comparison with a zero that they know, compilers make a shift, which is slow on bytes. */
  const v128_t zero = wasm_u32x4_splat(ct_barrier_u32(0));
  v128_t product = zero;

  for (unsigned bit = 0; bit < 8; bit++) {
    const v128_t overflow = wasm_v128_and(wasm_i8x16_lt(product, zero), fold);
    const v128_t selected = wasm_v128_and(wasm_i8x16_lt(b, zero), a);
    product = wasm_v128_xor(wasm_i8x16_add(product, product), wasm_v128_xor(overflow, selected));
    b = wasm_i8x16_add(b, b);
  }
  return product;
}

static inline v128_t gf256_keep_if_zero(v128_t a, v128_t b) {
  return wasm_v128_and(a, wasm_i8x16_eq(b, wasm_i8x16_const_splat(0)));
}

#define TEMPLATE_SUFFIX wasm
#include "hqc/reed_solomon.template.h"

const struct hqc_codes ckem_hqc_codes_wasm = {
    .name = "wasm",
    .reed_muller_decode = reed_muller_decode_wasm,
    .reed_solomon_encode = reed_solomon_encode_wasm,
    .reed_solomon_decode = reed_solomon_decode_wasm,
};

#endif
