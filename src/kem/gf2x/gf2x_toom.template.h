/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Toom's method in three parts for long products in GF(2)[x] [Bodrato07], over blocks of 128 bits.
 *
 * With Z for the length of a part, operands are u0 + u1 Z + u2 Z^2, and products are determined by
 * their values at Z = 0, 1, X, X + 1 and infinity, X being a block. So nothing is shifted within a
 * block, and dividing by X + 1 takes an addition for each block.
 *
 * A template (base/template.h). The file that includes this defines before it TEMPLATE_SUFFIX,
 *   block, xor_blocks(a, b): 128 bits, and the sum of two;
 *   multiply_one(out, a, b, n, scratch): out[2 n] = a[n] * b[n];
 *   multiply_two(out, a, b, n, scratch): the same for two products at once, whose operands and
 *     results are given by arrays of two pointers.
 */
#if !defined(TEMPLATE_SUFFIX)
#error This is a template: define TEMPLATE_SUFFIX, block, xor_blocks, multiply_one and \
  multiply_two before it
#endif

#include <assert.h>
#include <stddef.h>

#include "base/template.h"

#define toom_values TEMPLATE_NAME(toom_values)
#define toom_evaluate TEMPLATE_NAME(toom_evaluate)
#define toom_interpolate TEMPLATE_NAME(toom_interpolate)
#define toom_join TEMPLATE_NAME(toom_join)
#define multiply_toom TEMPLATE_NAME(multiply_toom)

/* The number of blocks of a part, and of a value at X or X + 1. */
#define TOOM_PART(n) (((n) + 2) / 3)
#define TOOM_VALUE(n) (TOOM_PART(n) + 2)

/* Scratch memory of multiply_toom in blocks, without that of the products. */
#define GF2X_TOOM_SCRATCH_BLOCKS(n) (18 * TOOM_VALUE(n)) /* 6 n + 60 */

/* An operand, or a product, at infinity, 1, X and X + 1. */
struct toom_values {
  block *top;
  block *one;
  block *x;
  block *next;
};

/* Evaluates a[n] at TOOM_VALUE(n) blocks each; those at infinity and 1 end in zeros. */
static void toom_evaluate(const struct toom_values *value, const block *a, size_t n) {
  const size_t part = TOOM_PART(n);
  const block zero = {0};
  block before[2] = {zero, zero}; /* block i - 1 of the second and block i - 2 of the third part */
  block third_before = zero;

  for (size_t i = 0; i < TOOM_VALUE(n); i++) {
    const block first = i < part ? a[i] : zero;
    const block second = i < part ? a[part + i] : zero;
    const block third = 2 * part + i < n ? a[2 * part + i] : zero;
    const block sum = xor_blocks(second, third);
    value->top[i] = third;
    value->one[i] = xor_blocks(first, sum);
    value->x[i] = xor_blocks(first, xor_blocks(before[0], before[1]));
    value->next[i] = xor_blocks(value->x[i], sum);
    before[0] = second;
    before[1] = third_before;
    third_before = third;
  }
}

/* Turns the values of a product c0 + c1 Z + c2 Z^2 + c3 Z^3 + c4 Z^4, where c0 is bottom and c4 is
 * the one at infinity, into c1 (where the one at 1 was), c2 (at X) and c3 (at X + 1), 2 part blocks
 * each. Values have two blocks more, which are zero in those at 0, 1 and infinity.
 *
 *   s = c1 + c2 + c3 = value at 1 + c0 + c4
 *   c3 = (value at X + value at X + 1 + c4 + s) / (X (X + 1))
 *   r = (value at X + c0) / X = c1 + c2 X + c3 X^2 + c4 X^3
 *   c2 = (r + s + c4 X^3) / (X + 1) + c3 (X + 1) */
static void toom_interpolate(const struct toom_values *value, const block *bottom, size_t part) {
  const block zero = {0};
  block third = zero, third_before = zero; /* blocks i and i - 1 of c3 */
  block quotient = zero;
  block s = xor_blocks(value->one[0], xor_blocks(bottom[0], value->top[0]));

  for (size_t i = 0; i < 2 * part; i++) {
    const block x = value->x[i + 1];
    const block sum = xor_blocks(value->one[i + 1], bottom[i + 1]);
    const block r = xor_blocks(x, bottom[i + 1]);
    third = xor_blocks(third, xor_blocks(xor_blocks(x, value->next[i + 1]), sum));
    quotient = xor_blocks(quotient, xor_blocks(xor_blocks(r, s), i < 3 ? zero : value->top[i - 3]));
    const block second = xor_blocks(quotient, xor_blocks(third, third_before));
    value->one[i] = xor_blocks(s, xor_blocks(second, third));
    value->x[i] = second;
    value->next[i] = third;
    third_before = third;
    s = xor_blocks(sum, value->top[i + 1]);
  }
}

/* out[2 n] = c0 + c1 Z + c2 Z^2 + c3 Z^3 + c4 Z^4 */
static void toom_join(block *out, const struct toom_values *c, const block *bottom, size_t n) {
  const size_t part = TOOM_PART(n);

  for (size_t i = 0; i < part; i++) {
    out[i] = bottom[i];
    out[part + i] = xor_blocks(bottom[part + i], c->one[i]);
    out[2 * part + i] = xor_blocks(c->one[part + i], c->x[i]);
    out[3 * part + i] = xor_blocks(c->x[part + i], c->next[i]);
    if (4 * part + i < 2 * n) {
      out[4 * part + i] = xor_blocks(c->next[part + i], c->top[i]);
    }
    if (5 * part + i < 2 * n) {
      out[5 * part + i] = c->top[part + i];
    }
  }
}

/* out[2 n] = a[n] * b[n]; out is neither a nor b. Timing: depends on n. */
static void multiply_toom(block *out, const block *a, const block *b, size_t n, block *scratch) {
  const size_t part = TOOM_PART(n);
  const size_t value = TOOM_VALUE(n);
  const struct toom_values u = {scratch, scratch + value, scratch + 2 * value, scratch + 3 * value};
  block *second = scratch + 4 * value;
  const struct toom_values v = {second, second + value, second + 2 * value, second + 3 * value};
  block *third = second + 4 * value;
  const struct toom_values w = {third, third + 2 * value, third + 4 * value, third + 6 * value};
  block *bottom = third + 8 * value;
  block *rest = bottom + 2 * value;
  const block zero = {0};

  assert(n > 2 * part && part >= GF2X_MIN_TERMS);
  toom_evaluate(&u, a, n);
  toom_evaluate(&v, b, n);
  multiply_two((block *[2]){bottom, w.top}, (const block *[2]){a, u.top},
               (const block *[2]){b, v.top}, part, rest);
  multiply_two((block *[2]){w.x, w.next}, (const block *[2]){u.x, u.next},
               (const block *[2]){v.x, v.next}, value, rest);
  multiply_one(w.one, u.one, v.one, part, rest);
  for (size_t i = 2 * part; i < 2 * value; i++) {
    bottom[i] = zero;
    w.top[i] = zero;
    w.one[i] = zero;
  }
  toom_interpolate(&w, bottom, part);
  toom_join(out, &w, bottom, n);
}
