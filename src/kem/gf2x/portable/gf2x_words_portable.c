/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Carry-less products of some tens of words in plain C: constant time wherever the processor's
 * integer multiplication is.
 *
 * A carry-less product is put together from integer products of operands with holes: with only
 * every fourth bit set, at most 16 one-bits meet in one position, and sums below 16 do not reach
 * the next one. In the low half of a 64 x 64 product only the topmost position can sum to 16, and
 * its carry leaves the word. The high half is the low half of the product of the reversed operands
 * [Pornin, BearSSL, "Constant-time multiplication" and ghash_ctmul64].
 *
 * Both halves commute with addition. So a long product is computed twice over words that multiply
 * to one word, low halves of the operands as they are and high halves of the reversed ones, each
 * time by Karatsuba's method, and the words of the second are reversed at the end.
 *
 * Where an integer product has 64 bits at most, the high half of a product of 32-bit halves of
 * words comes with it. There, at most 8 one-bits meet, and two products may be added as integers
 * where their highest sums do not meet (8 + 7 < 16).
 */
#include "base/isa.h"
#include "gf2x/portable/gf2x_portable.h"

/* Low 64 bits of the carry-less product of x and y. */
static inline uint64_t mul_low(uint64_t x, uint64_t y) {
  const uint64_t hole0 = UINT64_C(0x1111111111111111);
  const uint64_t hole1 = hole0 << 1;
  const uint64_t hole2 = hole0 << 2;
  const uint64_t hole3 = hole0 << 3;
  const uint64_t x0 = x & hole0, x1 = x & hole1, x2 = x & hole2, x3 = x & hole3;
  const uint64_t y0 = y & hole0, y1 = y & hole1, y2 = y & hole2, y3 = y & hole3;

  return (((x0 * y0) ^ (x1 * y3) ^ (x2 * y2) ^ (x3 * y1)) & hole0) |
         (((x0 * y1) ^ (x1 * y0) ^ (x2 * y3) ^ (x3 * y2)) & hole1) |
         (((x0 * y2) ^ (x1 * y1) ^ (x2 * y0) ^ (x3 * y3)) & hole2) |
         (((x0 * y3) ^ (x1 * y2) ^ (x2 * y1) ^ (x3 * y0)) & hole3);
}

/* Exchanges the bits that mask selects with those shift places higher. */
static inline uint64_t swap_bits(uint64_t x, unsigned shift, uint64_t mask) {
  return (x & mask) << shift | (x >> shift & mask);
}

/* Reverses the order of the 64 bits. */
static uint64_t reverse_bits_portable(uint64_t x) {
  x = swap_bits(x, 1, UINT64_C(0x5555555555555555));
  x = swap_bits(x, 2, UINT64_C(0x3333333333333333));
  x = swap_bits(x, 4, UINT64_C(0x0F0F0F0F0F0F0F0F));
  x = swap_bits(x, 8, UINT64_C(0x00FF00FF00FF00FF));
  x = swap_bits(x, 16, UINT64_C(0x0000FFFF0000FFFF));
  return x << 32 | x >> 32;
}

/* out[3] = a[2] * b[2] over words, with three products. */
static inline void mul_words_2(uint64_t out[3], const uint64_t a[2], const uint64_t b[2]) {
  const uint64_t low = mul_low(a[0], b[0]);
  const uint64_t high = mul_low(a[1], b[1]);

  out[1] = mul_low(a[0] ^ a[1], b[0] ^ b[1]) ^ low ^ high;
  out[0] = low;
  out[2] = high;
}

/* out[5] = a[3] * b[3] over words, with six products. */
static inline void mul_words_3(uint64_t out[5], const uint64_t a[3], const uint64_t b[3]) {
  const uint64_t p0 = mul_low(a[0], b[0]);
  const uint64_t p1 = mul_low(a[1], b[1]);
  const uint64_t p2 = mul_low(a[2], b[2]);

  out[1] = mul_low(a[0] ^ a[1], b[0] ^ b[1]) ^ p0 ^ p1;
  out[2] = mul_low(a[0] ^ a[2], b[0] ^ b[2]) ^ p0 ^ p1 ^ p2;
  out[3] = mul_low(a[1] ^ a[2], b[1] ^ b[2]) ^ p1 ^ p2;
  out[0] = p0;
  out[4] = p2;
}

/* out[2 n - 1] = a[n] * b[n] over words: polynomials whose coefficients are words that multiply by
 * mul_low. Karatsuba's method, the lower part taking the odd word.
 * scratch: at least 4 n + 64 words. Timing: depends on n. */
static void mul_words_portable(uint64_t *out, const uint64_t *a, const uint64_t *b, size_t n,
                               uint64_t *scratch) {
  const size_t low = (n + 1) / 2;
  const size_t high = n - low;
  uint64_t *sum_a = scratch;
  uint64_t *sum_b = sum_a + low;
  uint64_t *middle = sum_b + low; /* 2 low - 1 words */
  uint64_t *rest = middle + 2 * low;

  if (n == 1) {
    out[0] = mul_low(a[0], b[0]);
    return;
  }
  if (n == 2) {
    mul_words_2(out, a, b);
    return;
  }
  if (n == 3) {
    mul_words_3(out, a, b);
    return;
  }
  for (size_t i = 0; i < high; i++) {
    sum_a[i] = a[i] ^ a[low + i];
    sum_b[i] = b[i] ^ b[low + i];
  }
  if (high < low) {
    sum_a[high] = a[high];
    sum_b[high] = b[high];
  }
  mul_words_portable(middle, sum_a, sum_b, low, rest);
  mul_words_portable(out, a, b, low, rest);
  out[2 * low - 1] = 0;
  mul_words_portable(out + 2 * low, a + low, b + low, high, rest);
  for (size_t i = 0; i < 2 * low - 1; i++) {
    middle[i] ^= out[i];
  }
  for (size_t i = 0; i < 2 * high - 1; i++) {
    middle[i] ^= out[2 * low + i];
  }
  for (size_t i = 0; i < 2 * low - 1; i++) {
    out[low + i] ^= middle[i];
  }
}

/* Adds two products whose sums do not meet, as integers or as polynomials. Integers are added as
 * part of a multiplication (UMLAL), but RISC-V, which has no carry, takes four instructions. */
static inline uint64_t add_products(uint64_t a, uint64_t b) {
#if defined(__riscv)
  return a ^ b;
#else
  return a + b;
#endif
}

/* The carry-less product of 32-bit words. Its operands fill the registers of 32-bit processors, so
 * that more than one at a time would not fit, nor the order in which gcc likes to multiply. */
static ISA_IN_ORDER uint64_t mul_half_words(uint32_t x, uint32_t y) {
  const uint64_t hole = UINT64_C(0x1111111111111111);
  const uint64_t x0 = x & 0x11111111U, x1 = x & 0x22222222U;
  const uint64_t x2 = x & 0x44444444U, x3 = x & 0x88888888U;
  const uint64_t y0 = y & 0x11111111U, y1 = y & 0x22222222U;
  const uint64_t y2 = y & 0x44444444U, y3 = y & 0x88888888U;

  return ((add_products(x0 * y0, x1 * y3) ^ (x2 * y2) ^ (x3 * y1)) & hole) |
         ((add_products(x0 * y1, x2 * y3) ^ add_products(x1 * y0, x3 * y2)) & hole << 1) |
         ((add_products(x0 * y2, x3 * y3) ^ (x1 * y1) ^ (x2 * y0)) & hole << 2) |
         (((x0 * y3) ^ (x1 * y2) ^ (x2 * y1) ^ (x3 * y0)) & hole << 3);
}

/* out[2] = x * y, with three products. */
static void mul_whole_words_1(uint64_t out[2], uint64_t x, uint64_t y) {
  const uint32_t x0 = (uint32_t)x, x1 = (uint32_t)(x >> 32);
  const uint32_t y0 = (uint32_t)y, y1 = (uint32_t)(y >> 32);
  const uint64_t low = mul_half_words(x0, y0);
  const uint64_t high = mul_half_words(x1, y1);
  const uint64_t middle = mul_half_words(x0 ^ x1, y0 ^ y1) ^ low ^ high;

  out[0] = low ^ middle << 32;
  out[1] = high ^ middle >> 32;
}

/* out[4] = a[2] * b[2], with three products of words. */
static void mul_whole_words_2(uint64_t out[4], const uint64_t a[2], const uint64_t b[2]) {
  uint64_t p0[2], p1[2], middle[2];

  mul_whole_words_1(p0, a[0], b[0]);
  mul_whole_words_1(p1, a[1], b[1]);
  mul_whole_words_1(middle, a[0] ^ a[1], b[0] ^ b[1]);
  const uint64_t meeting = p0[1] ^ p1[0];
  out[0] = p0[0];
  out[1] = meeting ^ middle[0] ^ p0[0];
  out[2] = meeting ^ middle[1] ^ p1[1];
  out[3] = p1[1];
}

/* out[6] = a[3] * b[3], with six products of words. */
static void mul_whole_words_3(uint64_t out[6], const uint64_t a[3], const uint64_t b[3]) {
  uint64_t p0[2], p1[2], p2[2], p01[2], p02[2], p12[2];

  mul_whole_words_1(p0, a[0], b[0]);
  mul_whole_words_1(p1, a[1], b[1]);
  mul_whole_words_1(p2, a[2], b[2]);
  mul_whole_words_1(p01, a[0] ^ a[1], b[0] ^ b[1]);
  mul_whole_words_1(p02, a[0] ^ a[2], b[0] ^ b[2]);
  mul_whole_words_1(p12, a[1] ^ a[2], b[1] ^ b[2]);
  for (size_t i = 0; i < 2; i++) {
    const uint64_t upper = p1[i] ^ p2[i];
    p01[i] ^= p0[i] ^ p1[i];
    p02[i] ^= p0[i] ^ upper;
    p12[i] ^= upper;
  }
  out[0] = p0[0];
  out[1] = p01[0] ^ p0[1];
  out[2] = p02[0] ^ p01[1];
  out[3] = p12[0] ^ p02[1];
  out[4] = p2[0] ^ p12[1];
  out[5] = p2[1];
}

/* out[2 n] = a[n] * b[n]. Karatsuba's method, the lower part taking the odd word.
 * scratch: at least 2 n + 64 words. Timing: depends on n. */
static void mul_whole_words(uint64_t *out, const uint64_t *a, const uint64_t *b, size_t n,
                            uint64_t *scratch) {
  const size_t low = (n + 1) / 2;
  const size_t high = n - low;
  uint64_t *sum_a = out; /* until the product of the sums is computed */
  uint64_t *sum_b = out + low;
  uint64_t *middle = scratch;
  uint64_t *rest = middle + 2 * low;

  if (n == 1) {
    mul_whole_words_1(out, a[0], b[0]);
    return;
  }
  if (n == 2) {
    mul_whole_words_2(out, a, b);
    return;
  }
  if (n == 3) {
    mul_whole_words_3(out, a, b);
    return;
  }
  for (size_t i = 0; i < high; i++) {
    sum_a[i] = a[i] ^ a[low + i];
    sum_b[i] = b[i] ^ b[low + i];
  }
  if (high < low) {
    sum_a[high] = a[high];
    sum_b[high] = b[high];
  }
  mul_whole_words(middle, sum_a, sum_b, low, rest);
  mul_whole_words(out, a, b, low, rest);
  mul_whole_words(out + 2 * low, a + low, b + low, high, rest);
  /* The words where the products of the lower and of the upper parts meet are added once. */
  for (size_t i = 0; i < low; i++) {
    const uint64_t meeting = out[low + i] ^ out[2 * low + i];
    const uint64_t upper = i < 2 * high - low ? out[3 * low + i] : 0;
    out[low + i] = meeting ^ middle[i] ^ out[i];
    out[2 * low + i] = meeting ^ middle[low + i] ^ upper;
  }
}

void ckem_gf2x_mul_words_portable(uint64_t *out, uint64_t *a, uint64_t *b, size_t n,
                                  uint64_t *scratch) {
  uint64_t *rest = scratch + 2 * n;

  if (ISA_WORDS_OF_32_BITS) {
    mul_whole_words(out, a, b, n, scratch);
    return;
  }
  mul_words_portable(out, a, b, n, scratch);
  for (size_t i = 0; i < n; i++) {
    a[i] = reverse_bits_portable(a[i]);
    b[i] = reverse_bits_portable(b[i]);
  }
  mul_words_portable(scratch, a, b, n, rest);
  out[2 * n - 1] = 0;
  for (size_t i = 0; i < 2 * n - 1; i++) {
    /* The product of two reversed words has its 127 bits reversed, hence one place less. */
    out[i + 1] ^= reverse_bits_portable(scratch[i]) >> 1;
  }
}
