/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Long carry-less products on the Cortex-M4: Toom's method once, then Karatsuba's.
 *
 * Toom's method with three parts evaluates at 0, 1, W, W + 1 and infinity, where W = x^32 is a shift
 * by a whole word, so that only divisions by W (a shift) and by W + 1 (a running sum) are needed
 * [BGTZ08, 4]: five products of a third of the length instead of Karatsuba's six.
 */
#include <string.h>

#include "gf2x/gf2x_m4.h"

#define LEAF 8

static void multiply(uint32_t *out, const uint32_t *a, const uint32_t *b, uint32_t n,
                     uint32_t *scratch);

/* The product of operands that are filled up to size words with zeros; scratch: 4 size words and
 * what the product takes. */
static void multiply_padded(uint32_t *out, const uint32_t *a, const uint32_t *b, uint32_t n,
                            uint32_t size, uint32_t *scratch) {
  uint32_t *padded_a = scratch;
  uint32_t *padded_b = padded_a + size;
  uint32_t *product = padded_b + size;

  memcpy(padded_a, a, n * sizeof *a);
  memset(padded_a + n, 0, (size - n) * sizeof *a);
  memcpy(padded_b, b, n * sizeof *b);
  memset(padded_b + n, 0, (size - n) * sizeof *b);
  multiply(product, padded_a, padded_b, size, product + 2 * size);
  memcpy(out, product, 2 * n * sizeof *out);
}

/* Leaves out the last word of both operands, and adds its products. */
static void multiply_odd(uint32_t *out, const uint32_t *a, const uint32_t *b, uint32_t n,
                         uint32_t *scratch) {
  const uint32_t last = n - 1;

  multiply(out, a, b, last, scratch);
  gf2x_mul1_m4(out + 2 * last, a[last], b[last]);
  gf2x_mul_last_m4(out + last, a, b, last);
}

/* Karatsuba's method in two parts. */
static void multiply_halves(uint32_t *out, const uint32_t *a, const uint32_t *b, uint32_t n,
                            uint32_t *scratch) {
  const uint32_t half = n / 2;
  uint32_t *sum_a = scratch;
  uint32_t *sum_b = sum_a + half;
  uint32_t *middle = sum_b + half;
  uint32_t *rest = middle + n;

  gf2x_sum_m4(sum_a, a, a + half, half);
  gf2x_sum_m4(sum_b, b, b + half, half);
  multiply(middle, sum_a, sum_b, half, rest);
  multiply(out, a, b, half, rest);
  multiply(out + n, a + half, b + half, half, rest);
  gf2x_join_m4(out, middle, half);
}

/* Adds the product of two sums of thirds, less the products of the thirds, at a place of out. */
static void add_mixed(uint32_t *out, const uint32_t *a, const uint32_t *b, uint32_t third,
                      uint32_t i, uint32_t j, const uint32_t *squares, uint32_t *scratch) {
  uint32_t *sum_a = scratch;
  uint32_t *sum_b = sum_a + third;
  uint32_t *product = sum_b + third;
  uint32_t *place = out + (i + j) * third;

  gf2x_sum_m4(sum_a, a + i * third, a + j * third, third);
  gf2x_sum_m4(sum_b, b + i * third, b + j * third, third);
  multiply(product, sum_a, sum_b, third, product + 2 * third);
  gf2x_sum_m4(product, product, squares + 2 * i * third, 2 * third);
  gf2x_sum_m4(product, product, squares + 2 * j * third, 2 * third);
  gf2x_sum_m4(place, place, product, 2 * third);
}

/* Karatsuba's method in three parts: six products. */
static void multiply_thirds(uint32_t *out, const uint32_t *a, const uint32_t *b, uint32_t n,
                            uint32_t *scratch) {
  const uint32_t third = n / 3;
  uint32_t *squares = scratch; /* the products of equal thirds */

  for (uint32_t i = 0; i < 3; i++) {
    multiply(squares + 2 * i * third, a + i * third, b + i * third, third, squares + 2 * n);
  }
  memcpy(out, squares, 2 * n * sizeof *out);
  add_mixed(out, a, b, third, 0, 1, squares, squares + 2 * n);
  add_mixed(out, a, b, third, 0, 2, squares, squares + 2 * n);
  add_mixed(out, a, b, third, 1, 2, squares, squares + 2 * n);
}

/* out[2 n] = a[n] * b[n]. Sizes near a power of two times LEAF are the cheap ones; the others take
 * the way that costs least. scratch: at most 4 n + 96 words. */
static void multiply(uint32_t *out, const uint32_t *a, const uint32_t *b, uint32_t n,
                     uint32_t *scratch) {
  if (n == 2 * LEAF) {
    gf2x_mul16_m4(out, a, b);
  } else if (n == LEAF) {
    gf2x_mul8_m4(out, a, b);
  } else if (n % (2 * LEAF) == 0) {
    multiply_halves(out, a, b, n, scratch);
  } else if (n < LEAF) {
    multiply_padded(out, a, b, n, LEAF, scratch);
  } else if (n < LEAF + 3 || n == 2 * LEAF + 1) {
    multiply_odd(out, a, b, n, scratch);
  } else if (n < 2 * LEAF) {
    multiply_padded(out, a, b, n, 2 * LEAF, scratch);
  } else if (n == 3 * LEAF) {
    multiply_thirds(out, a, b, n, scratch);
  } else if (n > 2 * LEAF + 2 && n < 3 * LEAF) {
    multiply_padded(out, a, b, n, 3 * LEAF, scratch);
  } else if (n % 2 != 0) {
    multiply_odd(out, a, b, n, scratch);
  } else {
    multiply_halves(out, a, b, n, scratch);
  }
}

/* An operand in three parts and its values, all of width words. */
struct operand {
  const uint32_t *part[3];
  uint32_t length[3];
};

static struct operand split(const uint32_t *a, uint32_t words, uint32_t third) {
  const struct operand operand = {
      {a, a + third, a + 2 * third}, {third, third, words - 2 * third}};
  return operand;
}

/* out[width] = a0 + a1 W^shift + a2 W^(2 shift), shift 0 or 1. */
static void evaluate(uint32_t *out, const struct operand *a, uint32_t shift, uint32_t width) {
  memset(out, 0, width * sizeof *out);
  memcpy(out, a->part[0], a->length[0] * sizeof *out);
  gf2x_sum_m4(out + shift, out + shift, a->part[1], a->length[1]);
  gf2x_sum_m4(out + 2 * shift, out + 2 * shift, a->part[2], a->length[2]);
}

/* Turns the value at W into that at W + 1: adds a1 + a2, because (W + 1)^2 = W^2 + 1. */
static void shift_point(uint32_t *value, const struct operand *a) {
  gf2x_sum_m4(value, value, a->part[1], a->length[1]);
  gf2x_sum_m4(value, value, a->part[2], a->length[2]);
}

/* a = a / (W + 1), which leaves no rest. */
static void divide_by_w_plus_1(uint32_t *a, uint32_t words) {
  uint32_t sum = 0;

  for (uint32_t i = 0; i < words; i++) {
    sum ^= a[i];
    a[i] = sum;
  }
}

/* The products at the five points, and how long they are. */
struct products {
  uint32_t *product; /* c0, then the value at 1, then c4, two thirds long each but for the last */
  uint32_t *at_w;
  uint32_t *at_w_plus_1;
  uint32_t third;
  uint32_t value_words; /* of the values at W and W + 1 */
  uint32_t last_words;  /* of c4 */
};

/* Computes c1, c2, c3 from the values of c0 + c1 X + c2 X^2 + c3 X^3 + c4 X^4 and adds them:
 *   c3 = (P(W) + P(W + 1) + P(1) + c0) / (W (W + 1))
 *   c1 + c2 W = (P(W) + c0) / W + c3 W^2 + c4 W^3
 *   c1 + c2 = P(1) + c0 + c3 + c4
 * and the sum of the last two is c2 (W + 1). */
static void interpolate(const struct products *p) {
  const uint32_t length = 2 * p->third; /* of c1, c2 and c3 */
  uint32_t *c0 = p->product;
  uint32_t *at_1 = p->product + length;
  uint32_t *c4 = p->product + 2 * length;
  uint32_t *c3 = p->at_w_plus_1;
  uint32_t *c2 = p->at_w;

  gf2x_sum_m4(c3, c3, p->at_w, p->value_words);
  gf2x_sum_m4(c3, c3, at_1, length);
  gf2x_sum_m4(c3, c3, c0, length);
  c3 += 1; /* / W */
  divide_by_w_plus_1(c3, p->value_words - 1);

  gf2x_sum_m4(c2, c2, c0, length);
  c2 += 1; /* / W */
  gf2x_sum_m4(c2 + 2, c2 + 2, c3, p->value_words - 3);
  gf2x_sum_m4(c2 + 3, c2 + 3, c4, p->last_words);

  gf2x_sum_m4(at_1, at_1, c0, length);
  gf2x_sum_m4(at_1, at_1, c3, length);
  gf2x_sum_m4(at_1, at_1, c4, p->last_words); /* c1 + c2 */
  gf2x_sum_m4(c2, c2, at_1, length);
  divide_by_w_plus_1(c2, p->value_words - 1);
  gf2x_sum_m4(at_1, at_1, c2, length); /* c1 */

  /* c1 stands where c2 belongs: it goes one third down, c2 takes its place. */
  gf2x_sum_m4(c0 + p->third, c0 + p->third, at_1, p->third);
  gf2x_sum_m4(at_1, at_1 + p->third, c2, p->third);
  gf2x_sum_m4(at_1 + p->third, c2 + p->third, c3, p->third);
  gf2x_sum_m4(c4, c4, c3 + p->third, p->last_words < p->third ? p->last_words : p->third);
}

void gf2x_mul_words_m4(uint32_t *product, const uint32_t *a, const uint32_t *b, uint32_t words,
                       uint32_t *scratch) {
  const uint32_t third = (words + 2) / 3;
  const struct operand split_a = split(a, words, third);
  const struct operand split_b = split(b, words, third);
  const uint32_t last = words - 2 * third;
  const uint32_t needed = last + 2 > third + 1 ? last + 2 : third + 1;
  const uint32_t width = needed + needed % 2; /* an even size is cheaper */
  /* The values stand where c0 and c4 come last. */
  uint32_t *value_a = product;
  uint32_t *value_b = product + 4 * third;
  const struct products p = {
      .product = product,
      .at_w = scratch,
      .at_w_plus_1 = scratch + 2 * width,
      .third = third,
      .value_words = 2 * width,
      .last_words = 2 * last,
  };
  uint32_t *rest = p.at_w_plus_1 + 2 * width;

  evaluate(value_a, &split_a, 0, width);
  evaluate(value_b, &split_b, 0, width);
  multiply(product + 2 * third, value_a, value_b, third, rest);
  evaluate(value_a, &split_a, 1, width);
  evaluate(value_b, &split_b, 1, width);
  multiply(p.at_w, value_a, value_b, width, rest);
  shift_point(value_a, &split_a);
  shift_point(value_b, &split_b);
  multiply(p.at_w_plus_1, value_a, value_b, width, rest);
  multiply(product, a, b, third, rest);
  multiply(product + 4 * third, a + 2 * third, b + 2 * third, last, rest);
  interpolate(&p);
}
