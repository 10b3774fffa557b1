/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Toom's method in three parts for long products in GF(2)[x] [Bodrato07], over blocks of 128 bits.
 *
 * With Z for the length of a part, operands are u0 + u1 Z + u2 Z^2, and products are determined by
 * their values at Z = 0, 1, X, X + 1 and infinity, X being a block. So nothing is shifted within a
 * block, and dividing by X + 1 takes an addition for each block.
 *
 * The products go where they belong in the result, whose memory holds the values before.
 *
 * A template (base/template.h). The file that includes this defines before it TEMPLATE_SUFFIX,
 *   ALWAYS_INLINE: the beginning of a function that is always inlined;
 *   block, xor_blocks(a, b): 128 bits, and the sum of two;
 *   multiply_one(out, a, b, n, scratch): out[2 n] = a[n] * b[n];
 *   struct gf2x_pair {block *out[2]; const block *a[2], *b[2]; size_t n[2];}, and
 *   multiply_two(pair, scratch): two such products at once, where n[1] <= n[0].
 */
#if !defined(TEMPLATE_SUFFIX) || !defined(ALWAYS_INLINE)
#error This is a template: define TEMPLATE_SUFFIX, ALWAYS_INLINE, block, xor_blocks, \
  multiply_one, struct gf2x_pair and multiply_two before it
#endif

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/template.h"

#define toom_block TEMPLATE_NAME(toom_block)
#define toom_add_x TEMPLATE_NAME(toom_add_x)
#define toom_evaluate_x TEMPLATE_NAME(toom_evaluate_x)
#define toom_add_parts TEMPLATE_NAME(toom_add_parts)
#define toom_running TEMPLATE_NAME(toom_running)
#define toom_products TEMPLATE_NAME(toom_products)
#define toom_step TEMPLATE_NAME(toom_step)
#define toom_interpolate TEMPLATE_NAME(toom_interpolate)
#define toom_join TEMPLATE_NAME(toom_join)
#define multiply_toom TEMPLATE_NAME(multiply_toom)

/* The number of blocks of a part, and of a value at X or X + 1; the last part has up to two fewer
 * than the others. */
#define TOOM_PART(n) (((n) + 2) / 3)
#define TOOM_VALUE(n) (TOOM_PART(n) + 2)

/* Beside what products take, multiply_toom takes scratch memory of 4 TOOM_VALUE(n) blocks. */

/* Block i of a polynomial of length n, which may be less than 0. With inside it is known to be
 * there. */
ALWAYS_INLINE block toom_block(const block *a, ptrdiff_t i, size_t n, bool inside) {
  const block zero = {0};

  return inside || (i >= 0 && (size_t)i < n) ? a[i] : zero;
}

ALWAYS_INLINE void toom_add_x(block *value, const block *a, size_t n, size_t begin, size_t end,
                              bool inside) {
  const size_t part = TOOM_PART(n);

  for (size_t i = begin; i < end; i++) {
    const ptrdiff_t j = (ptrdiff_t)i;
    const block first = toom_block(a, j, part, inside);
    const block second = toom_block(a + part, j - 1, part, inside);
    const block third = toom_block(a + 2 * part, j - 2, n - 2 * part, inside);
    value[i] = xor_blocks(first, xor_blocks(second, third));
  }
}

/* value[TOOM_VALUE(n)] = a[n] at X. */
static void toom_evaluate_x(block *value, const block *a, size_t n) {
  const size_t part = TOOM_PART(n);

  toom_add_x(value, a, n, 0, 2, false);
  toom_add_x(value, a, n, 2, part, true);
  toom_add_x(value, a, n, part, TOOM_VALUE(n), false);
}

/* value[length] = x[length], plus the second and the third part of a[n]. With the value of a at X
 * it is that at X + 1, with the first part of a that at 1. */
static void toom_add_parts(block *value, const block *x, const block *a, size_t n, size_t length) {
  const size_t part = TOOM_PART(n);
  const size_t last = n - 2 * part;

  for (size_t i = 0; i < last; i++) {
    value[i] = xor_blocks(x[i], xor_blocks(a[part + i], a[2 * part + i]));
  }
  for (size_t i = last; i < part; i++) {
    value[i] = xor_blocks(x[i], a[part + i]);
  }
  for (size_t i = part; i < length; i++) {
    value[i] = x[i];
  }
}

/* The values of a product c0 + c1 Z + c2 Z^2 + c3 Z^3 + c4 Z^4 at 0, 1, infinity, X and X + 1:
 * 2 part blocks of the first two, 2 last of the third and 2 part + 4 of the others. */
struct toom_products {
  const block *bottom;
  block *one;
  const block *top;
  block *x;
  block *next;
  size_t part;
  size_t last;
};

/* What a step of interpolation leaves for the following one. */
struct toom_running {
  block s;            /* block i of s */
  block quotient;
  block third;        /* block i - 1 of c3 */
};

/* Turns block i of the values into blocks of c1 (where the value at 1 was), c2 (at X) and c3 (at
 * X + 1).
 *
 *   s = c1 + c2 + c3 = value at 1 + c0 + c4
 *   c3 = (value at X + value at X + 1 + c4 + s) / (X (X + 1))
 *   r = (value at X + c0) / X = c1 + c2 X + c3 X^2 + c4 X^3
 *   c2 = (r + s + c4 X^3) / (X + 1) + c3 (X + 1) */
ALWAYS_INLINE void toom_step(struct toom_running *running, const struct toom_products *w, size_t i,
                             bool inside) {
  const ptrdiff_t j = (ptrdiff_t)i;
  const block bottom = toom_block(w->bottom, j + 1, 2 * w->part, inside);
  const block x = w->x[i + 1];
  const block sum = xor_blocks(toom_block(w->one, j + 1, 2 * w->part, inside), bottom);
  const block r = xor_blocks(x, bottom);
  const block top_before = toom_block(w->top, j - 3, 2 * w->last, inside);
  const block third = xor_blocks(running->third, xor_blocks(xor_blocks(x, w->next[i + 1]), sum));
  const block quotient =
      xor_blocks(running->quotient, xor_blocks(xor_blocks(r, running->s), top_before));
  const block second = xor_blocks(quotient, xor_blocks(third, running->third));

  w->one[i] = xor_blocks(running->s, xor_blocks(second, third));
  w->x[i] = second;
  w->next[i] = third;
  running->s = xor_blocks(sum, toom_block(w->top, j + 1, 2 * w->last, inside));
  running->quotient = quotient;
  running->third = third;
}

static void toom_interpolate(const struct toom_products *w) {
  const block zero = {0};
  const size_t end = 2 * w->last - 1; /* from here on blocks are not there */
  struct toom_running running = {zero, zero, zero};

  running.s = xor_blocks(w->one[0], xor_blocks(w->bottom[0], w->top[0]));
  for (size_t i = 0; i < 3; i++) {
    toom_step(&running, w, i, false);
  }
  for (size_t i = 3; i < end; i++) {
    toom_step(&running, w, i, true);
  }
  for (size_t i = end; i < 2 * w->part; i++) {
    toom_step(&running, w, i, false);
  }
}

/* Adds c1, c2 and c3 to c0, which is at the beginning of out[2 n], and c4, which is at the end; c1
 * is in between. */
static void toom_join(block *out, const struct toom_products *c) {
  const size_t part = c->part;
  block *second = out + part;
  block *third = second + part;
  block *fourth = third + part;
  block *fifth = fourth + part;

  for (size_t i = 0; i < part; i++) {
    const block lower = third[i];
    const block upper = fourth[i];
    second[i] = xor_blocks(second[i], lower);
    third[i] = xor_blocks(upper, c->x[i]);
    fourth[i] = xor_blocks(c->x[part + i], c->next[i]);
    if (i < 2 * c->last) {
      fifth[i] = xor_blocks(fifth[i], c->next[part + i]);
    }
  }
}

/* out[2 n] = a[n] * b[n]; out is neither a nor b. Timing: depends on n. */
static void multiply_toom(block *out, const block *a, const block *b, size_t n, block *scratch) {
  const size_t part = TOOM_PART(n);
  const size_t value = TOOM_VALUE(n);
  const size_t last = n - 2 * part;
  const struct toom_products w = {
      .bottom = out,
      .one = out + 2 * part,
      .top = out + 4 * part,
      .x = scratch,
      .next = scratch + 2 * value,
      .part = part,
      .last = last,
  };
  block *rest = scratch + 4 * value;
  block *u[2] = {out, out + value}; /* values of a and b, until the products are computed */
  block *v[2] = {out + 2 * value, out + 3 * value};
  const struct gf2x_pair inner = {
      .out = {w.x, w.next}, .a = {u[0], u[1]}, .b = {v[0], v[1]}, .n = {value, value}};
  const struct gf2x_pair outer = {.out = {out, out + 4 * part},
                                  .a = {a, a + 2 * part},
                                  .b = {b, b + 2 * part},
                                  .n = {part, last}};

  assert(n > 2 * part && last >= GF2X_MIN_TERMS && 4 * value <= 2 * n);
  toom_evaluate_x(u[0], a, n);
  toom_evaluate_x(v[0], b, n);
  toom_add_parts(u[1], u[0], a, n, TOOM_VALUE(n));
  toom_add_parts(v[1], v[0], b, n, TOOM_VALUE(n));
  multiply_two(&inner, rest);
  toom_add_parts(out, a, a, n, part);
  toom_add_parts(out + part, b, b, n, part);
  multiply_one(w.one, out, out + part, part, rest);
  multiply_two(&outer, rest);
  toom_interpolate(&w);
  toom_join(out, &w);
}
