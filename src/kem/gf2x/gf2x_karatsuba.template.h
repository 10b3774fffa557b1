/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Karatsuba's method for long products in GF(2)[x], over blocks of any width.
 *
 * The operands are halved, exactly to the block, until four to seven blocks are left. The last
 * steps above these have a function for each length, whose loops have known counts.
 *
 * A template (base/template.h). The file that includes this includes gf2x_terms.template.h before
 * it and defines
 *   multiply_terms(n, out, a, b): out[2 n] = a[n] * b[n], inlined for each n from 4 to 7;
 *   pair, load_pair(from), store_pair(to, x), xor_pairs(a, b): two blocks, which are loaded, stored
 *     and added together.
 */
#if !defined(TEMPLATE_SUFFIX) || !defined(GF2X_MIN_TERMS)
#error This is a template: include gf2x_terms.template.h and define multiply_terms, pair, \
  load_pair, store_pair and xor_pairs before it
#endif

#include <assert.h>
#include <stddef.h>

#include "base/template.h"

#define multiply_4 TEMPLATE_NAME(multiply_4)
#define multiply_5 TEMPLATE_NAME(multiply_5)
#define multiply_6 TEMPLATE_NAME(multiply_6)
#define multiply_7 TEMPLATE_NAME(multiply_7)
#define multiply_8 TEMPLATE_NAME(multiply_8)
#define multiply_9 TEMPLATE_NAME(multiply_9)
#define multiply_10 TEMPLATE_NAME(multiply_10)
#define multiply_11 TEMPLATE_NAME(multiply_11)
#define multiply_12 TEMPLATE_NAME(multiply_12)
#define multiply_13 TEMPLATE_NAME(multiply_13)
#define multiply_14 TEMPLATE_NAME(multiply_14)
#define multiply_15 TEMPLATE_NAME(multiply_15)
#define multiply_16 TEMPLATE_NAME(multiply_16)
#define multiply_17 TEMPLATE_NAME(multiply_17)
#define multiply_18 TEMPLATE_NAME(multiply_18)
#define multiply_19 TEMPLATE_NAME(multiply_19)
#define multiply_20 TEMPLATE_NAME(multiply_20)
#define multiply_24 TEMPLATE_NAME(multiply_24)
#define add_halves TEMPLATE_NAME(add_halves)
#define add_middle TEMPLATE_NAME(add_middle)
#define multiply_blocks TEMPLATE_NAME(multiply_blocks)

#define NOT_INLINE static __attribute__((noinline))

NOT_INLINE void multiply_4(block *out, const block *a, const block *b) {
  multiply_terms(4, out, a, b);
}

NOT_INLINE void multiply_5(block *out, const block *a, const block *b) {
  multiply_terms(5, out, a, b);
}

NOT_INLINE void multiply_6(block *out, const block *a, const block *b) {
  multiply_terms(6, out, a, b);
}

NOT_INLINE void multiply_7(block *out, const block *a, const block *b) {
  multiply_terms(7, out, a, b);
}

/* sum[low] = a[low] + a[low ... low + high - 1], where high is low or low - 1. */
ALWAYS_INLINE void add_halves(block *sum, const block *a, size_t low, size_t high) {
  size_t i = 0;

  for (; i + 2 <= high; i += 2) {
    store_pair(sum + i, xor_pairs(load_pair(a + i), load_pair(a + low + i)));
  }
  for (; i < low; i++) {
    sum[i] = i < high ? xor_blocks(a[i], a[low + i]) : a[i];
  }
}

/* Karatsuba's last step. out holds the products of the lower halves, low blocks each, and behind
 * them that of the upper halves, high blocks each; middle, which is the product of the sums, goes
 * between them. The blocks where the two products meet are added once for both places. */
ALWAYS_INLINE void add_middle(block *out, const block *middle, size_t low, size_t high) {
  block *second = out + low;
  block *third = second + low;
  const block *fourth = third + low; /* shorter, if high is less than low */
  const size_t rest = 2 * high - low;
  size_t i = 0;

  for (; i + 2 <= rest; i += 2) {
    const pair meeting = xor_pairs(load_pair(second + i), load_pair(third + i));
    const pair lower = xor_pairs(load_pair(middle + i), load_pair(out + i));
    const pair upper = xor_pairs(load_pair(middle + low + i), load_pair(fourth + i));
    store_pair(second + i, xor_pairs(meeting, lower));
    store_pair(third + i, xor_pairs(meeting, upper));
  }
  for (; i < low; i++) {
    const block meeting = xor_blocks(second[i], third[i]);
    const block upper = i < rest ? xor_blocks(middle[low + i], fourth[i]) : middle[low + i];
    second[i] = xor_blocks(meeting, xor_blocks(middle[i], out[i]));
    third[i] = xor_blocks(meeting, upper);
  }
}

/* A step of known size: loops of known lengths, on the stack. */
#define KARATSUBA_STEP(n, low, high)                                         \
  NOT_INLINE void multiply_##n(block *out, const block *a, const block *b) { \
    block sum_a[low], sum_b[low], middle[2 * (low)];                         \
    add_halves(sum_a, a, low, high);                                         \
    add_halves(sum_b, b, low, high);                                         \
    multiply_##low(middle, sum_a, sum_b);                                    \
    multiply_##low(out, a, b);                                               \
    multiply_##high(out + 2 * (low), a + (low), b + (low));                  \
    add_middle(out, middle, low, high);                                      \
  }
KARATSUBA_STEP(8, 4, 4)
KARATSUBA_STEP(9, 5, 4)
KARATSUBA_STEP(10, 5, 5)
KARATSUBA_STEP(11, 6, 5)
KARATSUBA_STEP(12, 6, 6)
KARATSUBA_STEP(13, 7, 6)
KARATSUBA_STEP(14, 7, 7)
KARATSUBA_STEP(15, 8, 7)
KARATSUBA_STEP(16, 8, 8)
KARATSUBA_STEP(17, 9, 8)
KARATSUBA_STEP(18, 9, 9)
KARATSUBA_STEP(19, 10, 9)
KARATSUBA_STEP(20, 10, 10)
KARATSUBA_STEP(24, 12, 12)

/* Scratch memory of multiply_blocks in blocks; it takes none up to n = 20. */
#define GF2X_MULTIPLY_SCRATCH_BLOCKS(n) (2 * (n))

#define MULTIPLY_CASE(n)     \
  case n:                    \
    multiply_##n(out, a, b); \
    return;

/* out[2 n] = a[n] * b[n] for n >= 4; out is neither a nor b. Timing: depends on n. */
static void multiply_blocks(block *out, const block *a, const block *b, size_t n, block *scratch) {
  const size_t low = (n + 1) / 2;
  const size_t high = n - low;
  block *sum_a = out; /* until the product of the sums is computed */
  block *sum_b = out + low;
  block *middle = scratch;
  block *rest = middle + 2 * low;

  assert(n >= GF2X_MIN_TERMS);
  switch (n) {
    MULTIPLY_CASE(4)
    MULTIPLY_CASE(5)
    MULTIPLY_CASE(6)
    MULTIPLY_CASE(7)
    MULTIPLY_CASE(8)
    MULTIPLY_CASE(9)
    MULTIPLY_CASE(10)
    MULTIPLY_CASE(11)
    MULTIPLY_CASE(12)
    MULTIPLY_CASE(13)
    MULTIPLY_CASE(14)
    MULTIPLY_CASE(15)
    MULTIPLY_CASE(16)
    MULTIPLY_CASE(17)
    MULTIPLY_CASE(18)
    MULTIPLY_CASE(19)
    MULTIPLY_CASE(20)
    MULTIPLY_CASE(24)
    default:
      break;
  }
  add_halves(sum_a, a, low, high);
  add_halves(sum_b, b, low, high);
  multiply_blocks(middle, sum_a, sum_b, low, rest);
  multiply_blocks(out, a, b, low, rest);
  multiply_blocks(out + 2 * low, a + low, b + low, high, rest);
  add_middle(out, middle, low, high);
}
