/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Products in GF(2)[x] by VPCLMULQDQ on vectors of 256 bits, without AVX-512.
 *
 * A vector holds block i of two different operands, and everything is done in both lanes alike: the
 * sums of Karatsuba's method, the products of blocks and what puts them together. So blocks are
 * put side by side once, before a product, and taken apart once, behind it. Of one product the
 * two outer ones of Karatsuba's method fill the lanes, and the middle one is cut in the same way.
 */
#include "base/isa.h"
#include "gf2x/avx2/gf2x_avx2.h"

#if defined(CODEKEM_HAVE_VPCLMUL)
ISA_BEGIN_VPCLMUL

/* Below so many blocks, one product is not cut for the lanes. */
#define SMALLEST_LANES 10

/* --- Two products in the lanes ---------------------------------------------------------------- */

#define TEMPLATE_SUFFIX vpclmul
#define block vector
#define xor_blocks xor2
#define load_block(from) load_vector(from)
#define store_block(to, x) store_vector(to, x)
#define multiply_lanes(a, b, words) _mm256_clmulepi64_epi128(a, b, words)
#define take_words(high, low) _mm256_alignr_epi8(high, low, 8)
#define drop_word(x) _mm256_srli_si256(x, 8)
#include "gf2x/gf2x_lanes.template.h"

typedef struct {
  vector first, second;
} pair;

ALWAYS_INLINE pair load_pair(const vector *from) {
  return (pair){load_vector(from), load_vector(from + 1)};
}

ALWAYS_INLINE void store_pair(vector *to, pair x) {
  store_vector(to, x.first);
  store_vector(to + 1, x.second);
}

ALWAYS_INLINE pair xor_pairs(pair a, pair b) {
  return (pair){xor2(a.first, b.first), xor2(a.second, b.second)};
}

#include "gf2x/gf2x_karatsuba.template.h"
#undef block
#undef xor_blocks

/* --- One product, and Toom's method ----------------------------------------------------------- */

ALWAYS_INLINE vector side_by_side(block low, block high) {
  return _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
}

ALWAYS_INLINE block low_lane(vector x) {
  return _mm256_castsi256_si128(x);
}

ALWAYS_INLINE block high_lane(vector x) {
  return _mm256_extracti128_si256(x, 1);
}

/* Sets out[2 n] = a[n] * b[n] for n >= 4 in scratch memory of 7 n + 7 blocks: of 14 low, where low
 * is half of n. */
static void multiply_one_vpclmul(block *out, const block *a, const block *b, size_t n,
                                 block *scratch) {
  const size_t low = (n + 1) / 2;
  const size_t high = n - low;
  const block zero = _mm_setzero_si128();
  block *middle = scratch;
  block *rest = middle + 2 * (low + low % 2); /* at whole vectors */
  vector *lanes_a = (vector *)(void *)rest;
  vector *lanes_b = lanes_a + low;
  vector *outer = lanes_b + low;

  if (n < SMALLEST_LANES) {
    ckem_gf2x_multiply_blocks_avx2(out, a, b, n, scratch);
    return;
  }
  for (size_t i = 0; i < low; i++) {
    out[i] = i < high ? xor_blocks(a[i], a[low + i]) : a[i];
    out[low + i] = i < high ? xor_blocks(b[i], b[low + i]) : b[i];
  }
  multiply_one_vpclmul(middle, out, out + low, low, rest);
  for (size_t i = 0; i < low; i++) {
    store_vector(lanes_a + i, side_by_side(a[i], i < high ? a[low + i] : zero));
    store_vector(lanes_b + i, side_by_side(b[i], i < high ? b[low + i] : zero));
  }
  multiply_blocks(outer, lanes_a, lanes_b, low, outer + 2 * low);
  for (size_t i = 0; i < low; i++) {
    const vector first = load_vector(outer + i);
    const vector second = load_vector(outer + low + i);
    const block meeting = xor_blocks(low_lane(second), high_lane(first));
    out[i] = low_lane(first);
    out[low + i] = xor_blocks(meeting, xor_blocks(middle[i], low_lane(first)));
    out[2 * low + i] = xor_blocks(meeting, xor_blocks(middle[low + i], high_lane(second)));
    if (3 * low + i < 2 * n) {
      out[3 * low + i] = high_lane(second);
    }
  }
}

/* Both products in scratch memory of 12 blocks for each of the first. */
static void multiply_in_lanes(const struct gf2x_pair *both, block *scratch) {
  const size_t n = both->n[0];
  const block zero = _mm_setzero_si128();
  vector *lanes_a = (vector *)(void *)scratch;
  vector *lanes_b = lanes_a + n;
  vector *product = lanes_b + n;

  for (size_t i = 0; i < n; i++) {
    const bool inside = i < both->n[1];
    store_vector(lanes_a + i, side_by_side(both->a[0][i], inside ? both->a[1][i] : zero));
    store_vector(lanes_b + i, side_by_side(both->b[0][i], inside ? both->b[1][i] : zero));
  }
  multiply_blocks(product, lanes_a, lanes_b, n, product + 2 * n);
  for (size_t i = 0; i < 2 * n; i++) {
    const vector lanes = load_vector(product + i);
    both->out[0][i] = low_lane(lanes);
    if (i < 2 * both->n[1]) {
      both->out[1][i] = high_lane(lanes);
    }
  }
}

/* What is longer is cut into halves in blocks first, until they are no longer than the second: in
 * lanes it would take too much memory. */
#define LONGEST_LANES 110
#define LONGEST_HALF 40

/* Sets out[2 n] = a[n] * b[n] for n > 2 LONGEST_HALF in scratch memory of 2 n + 340 blocks: the
 * middle products of all levels are less than 2 n - 2 low + 12, where low is the length of what is
 * multiplied in lanes, which takes less than 12 low - 80. */
static void multiply_halves(block *out, const block *a, const block *b, size_t n, block *scratch) {
  const size_t low = (n + 1) / 2;
  const size_t high = n - low;
  block *sum_a = out; /* until the product of the sums is computed */
  block *sum_b = out + low;
  block *middle = scratch;
  block *rest = middle + 2 * (low + low % 2);
  block *upper = out + 2 * low;

  for (size_t i = 0; i < low; i++) {
    sum_a[i] = i < high ? xor_blocks(a[i], a[low + i]) : a[i];
    sum_b[i] = i < high ? xor_blocks(b[i], b[low + i]) : b[i];
  }
  if (low <= LONGEST_HALF) {
    multiply_in_lanes(&(const struct gf2x_pair){{middle, out}, {sum_a, a}, {sum_b, b}, {low, low}},
                      rest);
    multiply_one_vpclmul(upper, a + low, b + low, high, rest);
  } else {
    multiply_halves(middle, sum_a, sum_b, low, rest);
    multiply_halves(out, a, b, low, rest);
    multiply_halves(upper, a + low, b + low, high, rest);
  }
  for (size_t i = 0; i < low; i++) {
    const block meeting = xor_blocks(out[low + i], upper[i]);
    const bool inside = low + i < 2 * high;
    const block last = inside ? xor_blocks(middle[low + i], upper[low + i]) : middle[low + i];
    out[low + i] = xor_blocks(meeting, xor_blocks(middle[i], out[i]));
    upper[i] = xor_blocks(meeting, last);
  }
}

static void multiply_any(block *out, const block *a, const block *b, size_t n, block *scratch) {
  if (n <= LONGEST_LANES) {
    multiply_one_vpclmul(out, a, b, n, scratch);
  } else {
    multiply_halves(out, a, b, n, scratch);
  }
}

static void multiply_two_vpclmul(const struct gf2x_pair *both, block *scratch) {
  if (both->n[0] <= LONGEST_LANES) {
    multiply_in_lanes(both, scratch);
  } else {
    multiply_halves(both->out[0], both->a[0], both->b[0], both->n[0], scratch);
    multiply_halves(both->out[1], both->a[1], both->b[1], both->n[1], scratch);
  }
}

#define multiply_one multiply_any
#define multiply_two multiply_two_vpclmul

#include "gf2x/gf2x_toom.template.h"

static void multiply_long_vpclmul(block *out, const block *a, const block *b, size_t n,
                                  block *scratch) {
  if (n < GF2X_SMALLEST_TOOM) {
    multiply_any(out, a, b, n, scratch);
  } else {
    multiply_toom(out, a, b, n, scratch);
  }
}

/* --- The table -------------------------------------------------------------------------------- */

static void mul_vpclmul(const struct gf2x_ring *ring, uint64_t *out, const uint64_t *a,
                        const uint64_t *b, uint64_t *scratch) {
  ckem_gf2x_mul_by_avx2(ring, multiply_long_vpclmul, out, a, b, scratch);
}

static void mul_add_vpclmul(const struct gf2x_ring *ring, uint64_t *out, const uint64_t *a0,
                            const uint64_t *b0, const uint64_t *a1, const uint64_t *b1,
                            uint64_t *scratch) {
  ckem_gf2x_mul_add_by_avx2(ring, multiply_long_vpclmul, out, a0, b0, a1, b1, scratch);
}

const struct gf2x_ops ckem_gf2x_vpclmul = {
    .name = "vpclmul",
    .mul = mul_vpclmul,
    .mul_add = mul_add_vpclmul,
    .square_times = ckem_gf2x_square_times_avx2,
    .weight = ckem_gf2x_weight_avx2,
};

ISA_END
#endif
