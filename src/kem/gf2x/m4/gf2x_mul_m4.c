/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Carry-less products on the Cortex-M4 of some tens of words: Karatsuba's method. */
#include <string.h>

#include "base/isa.h"
#include "gf2x/m4/gf2x_m4.h"

#if defined(CODEKEM_HAVE_M4)

#define LEAF 8

/* The product of operands that are filled up to size words with zeros; scratch: 4 size words and
 * what the product takes. */
static void multiply_padded_m4(uint32_t *out, const uint32_t *a, const uint32_t *b, uint32_t n,
                               uint32_t size, uint32_t *scratch) {
  uint32_t *padded_a = scratch;
  uint32_t *padded_b = padded_a + size;
  uint32_t *product = padded_b + size;

  memcpy(padded_a, a, n * sizeof *a);
  memset(padded_a + n, 0, (size - n) * sizeof *a);
  memcpy(padded_b, b, n * sizeof *b);
  memset(padded_b + n, 0, (size - n) * sizeof *b);
  ckem_gf2x_mul_words_m4(product, padded_a, padded_b, size, product + 2 * size);
  memcpy(out, product, 2 * n * sizeof *out);
}

/* Leaves out the last word of both operands, and adds its products. */
static void multiply_odd_m4(uint32_t *out, const uint32_t *a, const uint32_t *b, uint32_t n,
                            uint32_t *scratch) {
  const uint32_t last = n - 1;

  ckem_gf2x_mul_words_m4(out, a, b, last, scratch);
  ckem_gf2x_mul1_m4(out + 2 * last, a[last], b[last]);
  ckem_gf2x_mul_last_m4(out + last, a, b, last);
}

/* Karatsuba's method in two parts. */
static void multiply_halves_m4(uint32_t *out, const uint32_t *a, const uint32_t *b, uint32_t n,
                               uint32_t *scratch) {
  const uint32_t half = n / 2;
  uint32_t *sum_a = scratch;
  uint32_t *sum_b = sum_a + half;
  uint32_t *middle = sum_b + half;
  uint32_t *rest = middle + n;

  ckem_gf2x_sum_m4(sum_a, a, a + half, half);
  ckem_gf2x_sum_m4(sum_b, b, b + half, half);
  ckem_gf2x_mul_words_m4(middle, sum_a, sum_b, half, rest);
  ckem_gf2x_mul_words_m4(out, a, b, half, rest);
  ckem_gf2x_mul_words_m4(out + n, a + half, b + half, half, rest);
  ckem_gf2x_join_m4(out, middle, half);
}

/* Adds the product of two sums of thirds, less the products of the thirds, at a place of out. */
static void add_mixed_m4(uint32_t *out, const uint32_t *a, const uint32_t *b, uint32_t third,
                         uint32_t i, uint32_t j, const uint32_t *squares, uint32_t *scratch) {
  uint32_t *sum_a = scratch;
  uint32_t *sum_b = sum_a + third;
  uint32_t *product = sum_b + third;
  uint32_t *place = out + (i + j) * third;

  ckem_gf2x_sum_m4(sum_a, a + i * third, a + j * third, third);
  ckem_gf2x_sum_m4(sum_b, b + i * third, b + j * third, third);
  ckem_gf2x_mul_words_m4(product, sum_a, sum_b, third, product + 2 * third);
  ckem_gf2x_sum_m4(product, product, squares + 2 * i * third, 2 * third);
  ckem_gf2x_sum_m4(product, product, squares + 2 * j * third, 2 * third);
  ckem_gf2x_sum_m4(place, place, product, 2 * third);
}

/* Karatsuba's method in three parts: six products. */
static void multiply_thirds_m4(uint32_t *out, const uint32_t *a, const uint32_t *b, uint32_t n,
                               uint32_t *scratch) {
  const uint32_t third = n / 3;
  uint32_t *squares = scratch; /* the products of equal thirds */

  for (uint32_t i = 0; i < 3; i++) {
    ckem_gf2x_mul_words_m4(squares + 2 * i * third, a + i * third, b + i * third, third,
                           squares + 2 * n);
  }
  memcpy(out, squares, 2 * n * sizeof *out);
  add_mixed_m4(out, a, b, third, 0, 1, squares, squares + 2 * n);
  add_mixed_m4(out, a, b, third, 0, 2, squares, squares + 2 * n);
  add_mixed_m4(out, a, b, third, 1, 2, squares, squares + 2 * n);
}

/* Sizes near a power of two times LEAF are cheap; for the others the cheapest way is chosen. */
void ckem_gf2x_mul_words_m4(uint32_t *out, const uint32_t *a, const uint32_t *b, uint32_t n,
                            uint32_t *scratch) {
  if (n == 2 * LEAF) {
    ckem_gf2x_mul16_m4(out, a, b);
  } else if (n == LEAF) {
    ckem_gf2x_mul8_m4(out, a, b);
  } else if (n % (2 * LEAF) == 0) {
    multiply_halves_m4(out, a, b, n, scratch);
  } else if (n < LEAF) {
    multiply_padded_m4(out, a, b, n, LEAF, scratch);
  } else if (n < LEAF + 3 || n == 2 * LEAF + 1) {
    multiply_odd_m4(out, a, b, n, scratch);
  } else if (n < 2 * LEAF) {
    multiply_padded_m4(out, a, b, n, 2 * LEAF, scratch);
  } else if (n == 3 * LEAF) {
    multiply_thirds_m4(out, a, b, n, scratch);
  } else if (n > 2 * LEAF + 2 && n < 3 * LEAF) {
    multiply_padded_m4(out, a, b, n, 3 * LEAF, scratch);
  } else if (n % 2 != 0) {
    multiply_odd_m4(out, a, b, n, scratch);
  } else {
    multiply_halves_m4(out, a, b, n, scratch);
  }
}

#endif
