/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Ring arithmetic for 64-bit RISC-V with vectors (V 1.0, base/rvv.h).
 *
 * Karatsuba's method halves the operands until sixteen words are left. These are multiplied word by
 * word of one factor, a scalar, with all words of the other, a vector.
 *
 * Zvbc has carry-less products. Without it, as in portable/gf2x_portable.c, one is put together
 * from integer products of operands with holes, and computed twice: low halves of words, and high
 * halves by reversed words.
 */
#include <assert.h>
#include <string.h>

#include "base/isa.h"
#include "base/rvv.h"
#include "gf2x/gf2x.h"
#include "gf2x/gf2x_power.h"

#if defined(CODEKEM_HAVE_RVV)

/* Below 2^32, repeated squaring is faster than a plan (gf2x_power.h). */
#define SMALLEST_PLAN 32

#define LEAF_WORDS 16 /* what eight registers of 128 bits hold */

/* out = a + b; out may be a or b. */
static void xor_words_rvv(uint64_t *out, const uint64_t *a, const uint64_t *b, size_t n) {
  size_t step;

  __asm__ volatile(RVV_BEGIN
                   "1: vsetvli %[step], %[n], e64, m8, ta, ma\n\t"
                   "vle64.v v0, (%[a])\n\t"
                   "vle64.v v8, (%[b])\n\t"
                   "vxor.vv v0, v0, v8\n\t"
                   "vse64.v v0, (%[out])\n\t"
                   "sub %[n], %[n], %[step]\n\t"
                   "slli %[step], %[step], 3\n\t"
                   "add %[a], %[a], %[step]\n\t"
                   "add %[b], %[b], %[step]\n\t"
                   "add %[out], %[out], %[step]\n\t"
                   "bnez %[n], 1b" RVV_END
                   : [step] "=&r"(step), [n] "+&r"(n), [a] "+&r"(a), [b] "+&r"(b), [out] "+&r"(out)
                   :
                   : RVV_CLOBBERS);
}

/* Adds to a sum the product of the words of v24 with one hole and a scalar with another, by v8. */
#define ADD_PRODUCT(sum, hole, x) \
  "vand.vx v8, v24, %[" hole      \
  "]\n\t"                         \
  "vmul.vx v8, v8, %[" x          \
  "]\n\t"                         \
  "vxor.vv " sum ", " sum ", v8\n\t"
#define FIRST_PRODUCT(sum, hole, x) \
  "vand.vx v8, v24, %[" hole        \
  "]\n\t"                           \
  "vmul.vx " sum ", v8, %[" x "]\n\t"

/* The bits of the product with the hole h: of the factors' holes the sum is h, modulo 4. */
#define HOLE_PRODUCT(sum, h, y0, y1, y2, y3) \
  FIRST_PRODUCT(sum, y0, "x0")               \
  ADD_PRODUCT(sum, y1, "x1")                 \
  ADD_PRODUCT(sum, y2, "x2")                 \
  ADD_PRODUCT(sum, y3, "x3")                 \
  "vand.vx " sum ", " sum ", %[" h "]\n\t"

/* out[2 n] = a[n] * b[n] over words that multiply to the low word, for n <= LEAF_WORDS. */
static void multiply_few_rvv(uint64_t *out, const uint64_t *a, const uint64_t *b, size_t n) {
  const uint64_t hole = UINT64_C(0x1111111111111111);
  uint64_t x0, x1, x2, x3;
  size_t left = n;

  __asm__ volatile(
      RVV_BEGIN
      "vsetvli zero, %[n], e64, m8, ta, ma\n\t"
      "vle64.v v24, (%[b])\n\t"
      "vmv.v.i v0, 0\n\t"
      "vse64.v v0, (%[out])\n\t"
      "slli %[x0], %[n], 3\n\t"
      "add %[x0], %[x0], %[out]\n\t"
      "vse64.v v0, (%[x0])\n"
      "1: ld %[x3], (%[a])\n\t"
      "addi %[a], %[a], 8\n\t"
      "addi %[left], %[left], -1\n\t"
      "and %[x0], %[x3], %[h0]\n\t"
      "and %[x1], %[x3], %[h1]\n\t"
      "and %[x2], %[x3], %[h2]\n\t"
      "and %[x3], %[x3], %[h3]\n\t"
      HOLE_PRODUCT("v0", "h0", "h0", "h3", "h2", "h1")
      HOLE_PRODUCT("v16", "h1", "h1", "h0", "h3", "h2")
      "vor.vv v0, v0, v16\n\t"
      HOLE_PRODUCT("v16", "h2", "h2", "h1", "h0", "h3")
      "vor.vv v0, v0, v16\n\t"
      HOLE_PRODUCT("v16", "h3", "h3", "h2", "h1", "h0")
      "vor.vv v0, v0, v16\n\t"
      "vle64.v v8, (%[out])\n\t"
      "vxor.vv v0, v0, v8\n\t"
      "vse64.v v0, (%[out])\n\t"
      "addi %[out], %[out], 8\n\t"
      "bnez %[left], 1b" RVV_END
      : [x0] "=&r"(x0), [x1] "=&r"(x1), [x2] "=&r"(x2), [x3] "=&r"(x3), [left] "+&r"(left),
        [a] "+&r"(a), [out] "+&r"(out)
      : [b] "r"(b), [n] "r"(n), [h0] "r"(hole), [h1] "r"(hole << 1), [h2] "r"(hole << 2),
        [h3] "r"(hole << 3)
      : RVV_CLOBBERS);
}

/* vclmul.vx and vclmulh.vx, by number: assemblers that do not know Zvbc are still in use. */
#define CLMUL(out, a, x) ".insn r 0x57, 6, 0x19, x" out ", %[" x "], x" a "\n\t"
#define CLMULH(out, a, x) ".insn r 0x57, 6, 0x1B, x" out ", %[" x "], x" a "\n\t"

/* out[2 n] = a[n] * b[n] for n <= LEAF_WORDS, the whole product. v0 holds the words from out on. */
static void multiply_few_zvbc(uint64_t *out, const uint64_t *a, const uint64_t *b, size_t n) {
  size_t left = n;
  uint64_t x;

  __asm__ volatile(RVV_BEGIN
                   "vsetvli zero, %[n], e64, m8, ta, ma\n\t"
                   "vle64.v v24, (%[b])\n\t"
                   "vmv.v.i v0, 0\n"
                   "1: ld %[x], (%[a])\n\t"
                   "addi %[a], %[a], 8\n\t"
                   "addi %[left], %[left], -1\n\t"
                   CLMUL("8", "24", "x")
                   "vxor.vv v0, v0, v8\n\t"
                   "vsetivli zero, 1, e64, m1, ta, ma\n\t"
                   "vse64.v v0, (%[out])\n\t"
                   "vsetvli zero, %[n], e64, m8, ta, ma\n\t"
                   "vslide1down.vx v0, v0, zero\n\t"
                   CLMULH("8", "24", "x")
                   "vxor.vv v0, v0, v8\n\t"
                   "addi %[out], %[out], 8\n\t"
                   "bnez %[left], 1b\n\t"
                   "vse64.v v0, (%[out])" RVV_END
                   : [x] "=&r"(x), [left] "+&r"(left), [a] "+&r"(a), [out] "+&r"(out)
                   : [b] "r"(b), [n] "r"(n)
                   : RVV_CLOBBERS);
}

/* Karatsuba's last step. out holds the products of the lower halves, low words each, and behind
 * them that of the upper halves, high words each; middle, which is the product of the sums, goes
 * between them. */
static void add_middle_rvv(uint64_t *out, const uint64_t *middle, size_t low, size_t high) {
  uint64_t *second = out + low;
  uint64_t *third = second + low;
  const uint64_t *fourth = third + low; /* shorter, if high is less than low */
  const uint64_t *upper = middle + low;
  const size_t rest = 2 * high - low;
  size_t n = rest;
  size_t step;

  for (size_t i = rest; i < low; i++) {
    const uint64_t meeting = second[i] ^ third[i];
    second[i] = meeting ^ middle[i] ^ out[i];
    third[i] = meeting ^ upper[i];
  }
  __asm__ volatile(
      RVV_BEGIN
      "1: vsetvli %[step], %[n], e64, m8, ta, ma\n\t"
      "vle64.v v0, (%[second])\n\t"
      "vle64.v v8, (%[third])\n\t"
      "vle64.v v16, (%[first])\n\t"
      "vxor.vv v0, v0, v8\n\t" /* where both products meet */
      "vle64.v v24, (%[middle])\n\t"
      "vxor.vv v16, v16, v0\n\t"
      "vxor.vv v16, v16, v24\n\t"
      "vse64.v v16, (%[second])\n\t"
      "vle64.v v8, (%[fourth])\n\t"
      "vle64.v v24, (%[upper])\n\t"
      "vxor.vv v0, v0, v8\n\t"
      "vxor.vv v0, v0, v24\n\t"
      "vse64.v v0, (%[third])\n\t"
      "sub %[n], %[n], %[step]\n\t"
      "slli %[step], %[step], 3\n\t"
      "add %[first], %[first], %[step]\n\t"
      "add %[second], %[second], %[step]\n\t"
      "add %[third], %[third], %[step]\n\t"
      "add %[fourth], %[fourth], %[step]\n\t"
      "add %[middle], %[middle], %[step]\n\t"
      "add %[upper], %[upper], %[step]\n\t"
      "bnez %[n], 1b" RVV_END
      : [step] "=&r"(step), [n] "+&r"(n), [first] "+&r"(out), [second] "+&r"(second),
        [third] "+&r"(third), [fourth] "+&r"(fourth), [middle] "+&r"(middle), [upper] "+&r"(upper)
      :
      : RVV_CLOBBERS);
}

/* Scratch memory of multiply_words_rvv. */
#define MULTIPLY_SCRATCH(n) (2 * (n) + 32)

/* out[2 n] = a[n] * b[n], where few multiplies up to LEAF_WORDS words. Timing: depends on n. */
typedef void multiply_few(uint64_t *out, const uint64_t *a, const uint64_t *b, size_t n);

static void multiply_words_rvv(multiply_few *few, uint64_t *out, const uint64_t *a,
                               const uint64_t *b, size_t n, uint64_t *scratch) {
  const size_t low = (n + 1) / 2;
  const size_t high = n - low;
  uint64_t *sum_a = out; /* until the product of the sums is computed */
  uint64_t *sum_b = out + low;
  uint64_t *middle = scratch;
  uint64_t *rest = middle + 2 * low;

  if (n <= LEAF_WORDS) {
    few(out, a, b, n);
    return;
  }
  sum_a[low - 1] = a[low - 1];
  sum_b[low - 1] = b[low - 1];
  xor_words_rvv(sum_a, a, a + low, high);
  xor_words_rvv(sum_b, b, b + low, high);
  multiply_words_rvv(few, middle, sum_a, sum_b, low, rest);
  multiply_words_rvv(few, out, a, b, low, rest);
  multiply_words_rvv(few, out + 2 * low, a + low, b + low, high, rest);
  add_middle_rvv(out, middle, low, high);
}

/* Exchanges the bits of v0 that the mask selects with those shift places higher; by v8. */
#define SWAP_BITS(shift, mask) \
  "vsrl.vi v8, v0, " shift     \
  "\n\t"                       \
  "vand.vx v0, v0, %[" mask    \
  "]\n\t"                      \
  "vand.vx v8, v8, %[" mask    \
  "]\n\t"                      \
  "vsll.vi v0, v0, " shift     \
  "\n\t"                       \
  "vor.vv v0, v0, v8\n\t"

/* out[n] = a[n] with the bits of each word reversed; out may be a. */
static void reverse_words_rvv(uint64_t *out, const uint64_t *a, size_t n) {
  size_t step;

  __asm__ volatile(RVV_BEGIN
                   "1: vsetvli %[step], %[n], e64, m8, ta, ma\n\t"
                   "vle64.v v0, (%[a])\n\t"
                   SWAP_BITS("1", "m1") SWAP_BITS("2", "m2") SWAP_BITS("4", "m4")
                   SWAP_BITS("8", "m8") SWAP_BITS("16", "m16")
                   "vsrl.vx v8, v0, %[half]\n\t"
                   "vsll.vx v0, v0, %[half]\n\t"
                   "vor.vv v0, v0, v8\n\t"
                   "vse64.v v0, (%[out])\n\t"
                   "sub %[n], %[n], %[step]\n\t"
                   "slli %[step], %[step], 3\n\t"
                   "add %[a], %[a], %[step]\n\t"
                   "add %[out], %[out], %[step]\n\t"
                   "bnez %[n], 1b" RVV_END
                   : [step] "=&r"(step), [n] "+&r"(n), [a] "+&r"(a), [out] "+&r"(out)
                   : [m1] "r"(UINT64_C(0x5555555555555555)), [m2] "r"(UINT64_C(0x3333333333333333)),
                     [m4] "r"(UINT64_C(0x0F0F0F0F0F0F0F0F)), [m8] "r"(UINT64_C(0x00FF00FF00FF00FF)),
                     [m16] "r"(UINT64_C(0x0000FFFF0000FFFF)), [half] "r"(UINT64_C(32))
                   : RVV_CLOBBERS);
}

/* Adds the words in[n], each shifted to the right by one: the product of two reversed words has its
 * 127 bits reversed, hence one place less. */
static void add_shifted_rvv(uint64_t *out, const uint64_t *in, size_t n) {
  size_t step;

  __asm__ volatile(RVV_BEGIN
                   "1: vsetvli %[step], %[n], e64, m8, ta, ma\n\t"
                   "vle64.v v0, (%[in])\n\t"
                   "vle64.v v8, (%[out])\n\t"
                   "vsrl.vi v0, v0, 1\n\t"
                   "vxor.vv v0, v0, v8\n\t"
                   "vse64.v v0, (%[out])\n\t"
                   "sub %[n], %[n], %[step]\n\t"
                   "slli %[step], %[step], 3\n\t"
                   "add %[in], %[in], %[step]\n\t"
                   "add %[out], %[out], %[step]\n\t"
                   "bnez %[n], 1b" RVV_END
                   : [step] "=&r"(step), [n] "+&r"(n), [in] "+&r"(in), [out] "+&r"(out)
                   :
                   : RVV_CLOBBERS);
}

/* Sets product[2 words] = a * b, not reduced. scratch: 6 words and 32 more. */
static void multiply_rvv(const struct gf2x_ring *ring, uint64_t *product, const uint64_t *a,
                         const uint64_t *b, uint64_t *scratch) {
  const size_t n = ring->words;
  uint64_t *reversed_a = scratch;
  uint64_t *reversed_b = reversed_a + n;
  uint64_t *high = reversed_b + n;
  uint64_t *rest = high + 2 * n;

  multiply_words_rvv(multiply_few_rvv, product, a, b, n, rest);
  reverse_words_rvv(reversed_a, a, n);
  reverse_words_rvv(reversed_b, b, n);
  multiply_words_rvv(multiply_few_rvv, high, reversed_a, reversed_b, n, rest);
  reverse_words_rvv(high, high, 2 * n - 1);
  add_shifted_rvv(product + 1, high, 2 * n - 1);
}

/* Clears the coefficients from r on. */
static void clear_padding_rvv(const struct gf2x_ring *ring, uint64_t *a) {
  a[ring->words - 1] &= (UINT64_C(1) << (ring->r_bits % 64)) - 1;
  memset(a + ring->words, 0, (ring->stride - ring->words) * sizeof *a);
}

/* Sets out[stride] to product[2 words] mod x^r - 1. */
static void reduce_rvv(const struct gf2x_ring *ring, uint64_t *out, const uint64_t *product) {
  const uint64_t *high = product + ring->words - 1; /* bit r stands in this word */
  const uint64_t *higher = high + 1;
  const uint64_t right = ring->r_bits % 64; /* not 0, because r is an odd prime */
  uint64_t *to = out;
  size_t n = ring->words;
  size_t step;

  __asm__ volatile(RVV_BEGIN
                   "1: vsetvli %[step], %[n], e64, m8, ta, ma\n\t"
                   "vle64.v v0, (%[low])\n\t"
                   "vle64.v v8, (%[high])\n\t"
                   "vle64.v v16, (%[higher])\n\t"
                   "vsrl.vx v8, v8, %[right]\n\t"
                   "vsll.vx v16, v16, %[left]\n\t"
                   "vxor.vv v0, v0, v8\n\t"
                   "vxor.vv v0, v0, v16\n\t"
                   "vse64.v v0, (%[to])\n\t"
                   "sub %[n], %[n], %[step]\n\t"
                   "slli %[step], %[step], 3\n\t"
                   "add %[low], %[low], %[step]\n\t"
                   "add %[high], %[high], %[step]\n\t"
                   "add %[higher], %[higher], %[step]\n\t"
                   "add %[to], %[to], %[step]\n\t"
                   "bnez %[n], 1b" RVV_END
                   : [step] "=&r"(step), [n] "+&r"(n), [low] "+&r"(product), [high] "+&r"(high),
                     [higher] "+&r"(higher), [to] "+&r"(to)
                   : [right] "r"(right), [left] "r"(64 - right)
                   : RVV_CLOBBERS);
  clear_padding_rvv(ring, out);
}

static void mul_rvv(const struct gf2x_ring *ring, uint64_t *out, const uint64_t *a,
                    const uint64_t *b, uint64_t *scratch) {
  const size_t n = ring->words;

  assert(2 * n + 4 * n + MULTIPLY_SCRATCH(n) <= GF2X_MUL_SCRATCH_WORDS(ring->r_bits));
  multiply_rvv(ring, scratch, a, b, scratch + 2 * n);
  reduce_rvv(ring, out, scratch);
}

static void mul_add_rvv(const struct gf2x_ring *ring, uint64_t *out, const uint64_t *a0,
                        const uint64_t *b0, const uint64_t *a1, const uint64_t *b1,
                        uint64_t *scratch) {
  const size_t n = ring->words;
  uint64_t *second = scratch + 2 * n;

  multiply_rvv(ring, scratch, a0, b0, scratch + 4 * n);
  multiply_rvv(ring, second, a1, b1, scratch + 4 * n);
  xor_words_rvv(scratch, scratch, second, 2 * n);
  reduce_rvv(ring, out, scratch);
}

static void mul_zvbc(const struct gf2x_ring *ring, uint64_t *out, const uint64_t *a,
                     const uint64_t *b, uint64_t *scratch) {
  const size_t n = ring->words;

  multiply_words_rvv(multiply_few_zvbc, scratch, a, b, n, scratch + 2 * n);
  reduce_rvv(ring, out, scratch);
}

static void mul_add_zvbc(const struct gf2x_ring *ring, uint64_t *out, const uint64_t *a0,
                         const uint64_t *b0, const uint64_t *a1, const uint64_t *b1,
                         uint64_t *scratch) {
  const size_t n = ring->words;
  uint64_t *second = scratch + 2 * n;

  multiply_words_rvv(multiply_few_zvbc, scratch, a0, b0, n, scratch + 4 * n);
  multiply_words_rvv(multiply_few_zvbc, second, a1, b1, n, scratch + 4 * n);
  xor_words_rvv(scratch, scratch, second, 2 * n);
  reduce_rvv(ring, out, scratch);
}

/* Puts a zero between every two bits of the words of v0, shift places apart so far; by v8. */
#define SPREAD_BITS(shift, mask) \
  "vsll.vi v8, v0, " shift       \
  "\n\t"                         \
  "vor.vv v0, v0, v8\n\t"        \
  "vand.vx v0, v0, %[" mask "]\n\t"

/* product[2 n] = a[n]^2, not reduced: bits with zeros between them. */
static void spread_words_rvv(uint64_t *product, const uint64_t *a, size_t n) {
  size_t halves = 2 * n;
  size_t step;

  __asm__ volatile(RVV_BEGIN
                   "1: vsetvli %[step], %[n], e64, m8, ta, ma\n\t"
                   "vle32.v v16, (%[a])\n\t"
                   "vzext.vf2 v0, v16\n\t"
                   SPREAD_BITS("16", "m16") SPREAD_BITS("8", "m8") SPREAD_BITS("4", "m4")
                   SPREAD_BITS("2", "m2") SPREAD_BITS("1", "m1")
                   "vse64.v v0, (%[out])\n\t"
                   "sub %[n], %[n], %[step]\n\t"
                   "slli %[step], %[step], 2\n\t"
                   "add %[a], %[a], %[step]\n\t"
                   "slli %[step], %[step], 1\n\t"
                   "add %[out], %[out], %[step]\n\t"
                   "bnez %[n], 1b" RVV_END
                   : [step] "=&r"(step), [n] "+&r"(halves), [a] "+&r"(a), [out] "+&r"(product)
                   : [m1] "r"(UINT64_C(0x5555555555555555)), [m2] "r"(UINT64_C(0x3333333333333333)),
                     [m4] "r"(UINT64_C(0x0F0F0F0F0F0F0F0F)), [m8] "r"(UINT64_C(0x00FF00FF00FF00FF)),
                     [m16] "r"(UINT64_C(0x0000FFFF0000FFFF))
                   : RVV_CLOBBERS);
}

static void square_times_rvv(const struct gf2x_ring *ring, uint64_t *out, const uint64_t *a,
                             uint32_t k, uint64_t *scratch) {
  const struct gf2x_power_plan *plan;

  while ((plan = ckem_gf2x_power_find(ring, k)) != NULL && plan->k >= SMALLEST_PLAN) {
    ckem_gf2x_power_apply(ring, plan, ckem_gf2x_transpose, out, a, scratch);
    a = out;
    k -= plan->k;
  }
  for (; k > 0; k--) {
    spread_words_rvv(scratch, a, ring->words);
    reduce_rvv(ring, out, scratch);
    a = out;
  }
}

static uint32_t weight_rvv(const struct gf2x_ring *ring, const uint64_t *a) {
  return ckem_gf2x_portable.weight(ring, a);
}

const struct gf2x_ops ckem_gf2x_rvv = {
    .name = "rvv",
    .mul = mul_rvv,
    .mul_add = mul_add_rvv,
    .square_times = square_times_rvv,
    .weight = weight_rvv,
};

const struct gf2x_ops ckem_gf2x_zvbc = {
    .name = "rvv-zvbc",
    .mul = mul_zvbc,
    .mul_add = mul_add_zvbc,
    .square_times = square_times_rvv,
    .weight = weight_rvv,
};

#endif
