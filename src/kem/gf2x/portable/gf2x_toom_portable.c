/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Products in GF(2)[x]/(x^r - 1) by Toom's method in five parts, twice, over products of words.
 *
 * Points, values and interpolation are those of gf2x_toom_m4.c, which has the formulas: all
 * polynomials in x below degree 3, and infinity. Nine products of a fifth of the length, twice,
 * instead of 3^(log2 25) by Karatsuba's method: half as many.
 *
 * All work is on streams of words, lowest first. A word of a stream, and what it needs of the word
 * before, are in registers; words have the processor's own size.
 */
#include <assert.h>
#include <string.h>

#include "base/isa.h"
#include "gf2x/portable/gf2x_portable.h"

#if ISA_WORDS_OF_32_BITS
typedef uint32_t word;
#define WORD_BITS 32
#else
typedef uint64_t word;
#define WORD_BITS 64
#endif
#define WORDS_OF_64 (64 / WORD_BITS) /* in 64 bits */

/* Where word i of a vector of 64-bit words stands. */
#if WORD_BITS == 32 && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define AT(i) ((i) ^ 1)
#else
#define AT(i) (i)
#endif

#define PARTS 5
#define POINTS 9

/* By how many bits each coefficient is shifted to the left during interpolation, so that no stream
 * needs a shift to the right. */
static const uint8_t too_far[POINTS] = {0, 5, 5, 4, 5, 4, 4, 4, 0};

/* The memory of every ring is enough. */
#define CHECK_SCRATCH(r_bits)                                                               \
  static_assert(GF2X_MUL_SCRATCH_WORDS(r_bits) >= GF2X_TOOM_WORDS_PORTABLE(r_bits), "mul"); \
  static_assert(GF2X_ADD_SCRATCH_WORDS(r_bits) >=                                           \
                    GF2X_STRIDE(r_bits) + GF2X_TOOM_WORDS_PORTABLE(r_bits),                 \
                "sums of products");
#if !PROFILE_M4_ONLY
GF2X_RINGS(CHECK_SCRATCH)
#endif

/* How a polynomial of so many bits is cut. */
struct cut {
  size_t bits;  /* of the polynomial */
  size_t part;  /* bits of a part */
  size_t words; /* of 64 bits, of a value */
};

static struct cut cut_portable(size_t bits) {
  return (struct cut){bits, GF2X_PART_BITS_PORTABLE(bits), GF2X_VALUE_WORDS_PORTABLE(bits)};
}

/* Returns now x^k, with the word before; 0 < k < WORD_BITS. */
static inline word shifted(word now, word before, unsigned k) {
  return now << k | before >> (WORD_BITS - k);
}

/* Returns now / (x^k + 1), with the word before of the quotient; 0 < k < WORD_BITS. */
static inline word divided(word now, word before, unsigned k) {
  now ^= before >> (WORD_BITS - k);
  now ^= now << k;
  now ^= 2 * k < WORD_BITS ? now << 2 * k % WORD_BITS : 0;
  now ^= 4 * k < WORD_BITS ? now << 4 * k % WORD_BITS : 0;
  now ^= 8 * k < WORD_BITS ? now << 8 * k % WORD_BITS : 0;
  now ^= 16 * k < WORD_BITS ? now << 16 * k % WORD_BITS : 0;
  now ^= 32 * k < WORD_BITS ? now << 32 * k % WORD_BITS : 0;
  return now;
}

/* out[words] = bits of a[a_words] from position on, and zeros; words of 64 bits. */
static void take_bits_portable(uint64_t *out, size_t words, const uint64_t *a, size_t a_words,
                               size_t position, size_t bits) {
  const word *in = (const word *)(const void *)a;
  word *to = (word *)(void *)out;
  const size_t start = position / WORD_BITS;
  const size_t count = (bits + WORD_BITS - 1) / WORD_BITS;
  const unsigned shift = position % WORD_BITS;
  const unsigned back = WORD_BITS - 1 - shift;
  size_t end = WORDS_OF_64 * a_words - start; /* words that there are */
  word now = in[AT(start)];

  memset(out, 0, words * sizeof *out);
  end = end - 1 < count ? end - 1 : count;
  /* For the proof of memory safety, here and below: what has values already needs no unrolling. */
  //@ loop unroll 0;
  for (size_t i = 0; i < end; i++) {
    const word next = in[AT(start + i + 1)];
    to[AT(i)] = now >> shift | next << 1 << back;
    now = next;
  }
  if (end < count) {
    to[AT(end)] = now >> shift;
  }
  if (bits % WORD_BITS != 0) {
    to[AT(count - 1)] &= ((word)1 << bits % WORD_BITS) - 1;
  }
}

/* Evaluates parts[5 words], one behind the other, at 0, 1, x, x + 1, x^2, x^2 + 1, x^2 + x,
 * x^2 + x + 1 and infinity; the values stand distance words apart. */
static void evaluate_parts_portable(uint64_t *out, size_t distance, const uint64_t *parts,
                                    size_t words) {
  const size_t n = WORDS_OF_64 * words, step = WORDS_OF_64 * distance;
  const word *in = (const word *)(const void *)parts;
  word *to = (word *)(void *)out;
  word before1 = 0, before2 = 0, before3 = 0, before4 = 0;

  for (size_t i = 0; i < n; i++) {
    const word *from = in + AT(i);
    word *value = to + AT(i);
    const word a0 = from[0], a1 = from[n], a2 = from[2 * n], a3 = from[3 * n], a4 = from[4 * n];
    const word a3_1 = shifted(a3, before3, 1), a3_2 = shifted(a3, before3, 2);
    const word a3_4 = shifted(a3, before3, 4), a3_5 = shifted(a3, before3, 5);
    const word at_1 = a1 ^ a2 ^ a3 ^ a4;
    const word at_x = a0 ^ shifted(a1, before1, 1) ^ shifted(a2, before2, 2) ^
                      shifted(a3, before3, 3) ^ shifted(a4, before4, 4);
    const word at_x2 = a0 ^ shifted(a1, before1, 2) ^ shifted(a2, before2, 4) ^
                       shifted(a3, before3, 6) ^ shifted(a4, before4, 8);
    const word sum = at_x ^ at_x2 ^ a0 ^ a3_5;
    value[0] = a0;
    value[step] = at_1 ^ a0;
    value[2 * step] = at_x;
    value[3 * step] = at_1 ^ at_x ^ a3_1 ^ a3_2;
    value[4 * step] = at_x2;
    value[5 * step] = at_1 ^ at_x2 ^ a3_2 ^ a3_4;
    value[6 * step] = sum ^ a3_4;
    value[7 * step] = sum ^ at_1 ^ a3_1;
    value[8 * step] = a4;
    before1 = a1;
    before2 = a2;
    before3 = a3;
    before4 = a4;
  }
}

/* The values of a[a_words] at all points; memory: 5 cut->words. */
static void evaluate_portable(uint64_t *out, size_t distance, const uint64_t *a, size_t a_words,
                              const struct cut *cut, uint64_t *memory) {
  for (size_t j = 0; j < PARTS; j++) {
    const size_t position = j * cut->part;
    const size_t left = cut->bits - position;
    take_bits_portable(memory + j * cut->words, cut->words, a, a_words, position,
                       left < cut->part ? left : cut->part);
  }
  evaluate_parts_portable(out, distance, memory, cut->words);
}

/* One word of each stream of the interpolation, by the names in the formulas. */
struct interpolation {
  word x, y, one; /* values at x, x^2 and 1 without c0, the last one without c8, too */
  word sum, a, b, c, g, h_1, h, j, t, s, e, f;
  word c3, c4, c5, c6, c7, c8;
};

/* The upper coefficients but c4, from word p of the products, n words each, one behind the other.
 * a is A x, b is B x^2, c is C x^4, g is g x^3, h is h x^4 and t is (c5 + c6) x^3. */
static inline void interpolate_upper(struct interpolation *now, const struct interpolation *before,
                                     const word *p, size_t n) {
  const word c0 = p[0], at_1 = p[n] ^ c0;
  const word x = p[2 * n] ^ c0, y = p[4 * n] ^ c0;
  const word at_1_x = p[3 * n] ^ p[n] ^ x, at_1_y = p[5 * n] ^ p[n] ^ y;
  const word at_x_y = p[6 * n] ^ p[4 * n] ^ x;
  const word at_all = p[7 * n] ^ p[6 * n] ^ at_1_x ^ at_1_y ^ at_1;

  now->x = x;
  now->y = y;
  now->c8 = p[8 * n];
  now->one = at_1 ^ now->c8;
  now->sum = divided(at_all, before->sum, 4);
  now->c7 = divided(now->sum ^ shifted(now->sum, before->sum, 1), before->c7, 3);
  now->a = divided(at_1_x, before->a, 1);
  now->b = divided(at_1_y, before->b, 2);
  now->c = divided(at_x_y, before->c, 1);
  const word a_4 = shifted(now->a, before->a, 3);
  now->g = divided(now->b ^ shifted(now->a, before->a, 1), before->g, 3);
  now->h_1 = divided(now->c ^ a_4, before->h_1, 1);
  now->h = divided(now->h_1, before->h, 3);
  now->j = divided(now->h ^ shifted(now->g, before->g, 1), before->j, 1);
  const word c7_02 = now->c7 ^ shifted(now->c7, before->c7, 2);
  now->c6 = now->j ^ c7_02 ^ shifted(now->c7, before->c7, 1);
  now->t = now->g ^ now->c7 ^ shifted(now->c7, before->c7, 3);
  now->c5 = now->c6 ^ shifted(now->t, before->t, 1);
  now->c3 = a_4 ^ c7_02 ^ shifted(now->c7, before->c7, 4) ^ shifted(now->t, before->t, 2) ^
            shifted(now->t, before->t, 3) ^ now->c5;
}

/* What is left: the streams s, e, f and c4, and the lower coefficients into p. */
static inline void interpolate_lower(struct interpolation *now, const struct interpolation *before,
                                     word *p, size_t n) {
  now->s = now->c3 ^ now->c5 ^ now->c6 ^ now->c7 ^ shifted(now->one, before->one, 4);
  const word s_x = shifted(now->x, before->x, 3) ^ shifted(now->c3, before->c3, 2) ^
                   shifted(now->c5, before->c5, 4) ^ shifted(now->c6, before->c6, 5) ^
                   shifted(now->c7, before->c7, 6) ^ shifted(now->c8, before->c8, 11);
  const word s_y = shifted(now->y, before->y, 2) ^ shifted(now->c3, before->c3, 4) ^
                   shifted(now->c5, before->c5, 8) ^ shifted(now->c6, before->c6, 10) ^
                   shifted(now->c7, before->c7, 12) ^ shifted(now->c8, before->c8, 18);
  now->e = divided(now->s ^ s_x, before->e, 1);
  now->f = divided(now->s ^ s_y, before->f, 2);
  now->c4 = divided(now->e ^ now->f, before->c4, 3);
  const word c2 = now->c4 ^ shifted(now->e, before->e, 1) ^ shifted(now->c4, before->c4, 1) ^
                  shifted(now->c4, before->c4, 2);
  p[n] = c2 ^ now->c4 ^ shifted(now->s, before->s, 1);
  p[2 * n] = c2;
}

/* Turns the products at nine points, words each, one behind the other, into the coefficients, each
 * times a power of x. */
static void interpolate_portable(uint64_t *products, size_t words) {
  const size_t n = WORDS_OF_64 * words;
  struct interpolation now, before;

  memset(&before, 0, sizeof before);
  //@ loop unroll 0;
  for (size_t i = 0; i < n; i++) {
    word *p = (word *)(void *)products + AT(i);
    interpolate_upper(&now, &before, p, n);
    interpolate_lower(&now, &before, p, n);
    p[3 * n] = now.c3;
    p[4 * n] = now.c4;
    p[5 * n] = now.c5;
    p[6 * n] = now.c6;
    p[7 * n] = now.c7;
    before = now;
  }
}

/* Adds a[count] to out[limit], both in words of 64 bits, from bit position on; bits beyond the end
 * are dropped. */
static void add_shifted_portable(uint64_t *out, size_t limit, size_t position, const uint64_t *a,
                                 size_t count) {
  const word *in = (const word *)(const void *)a;
  word *to = (word *)(void *)out;
  const size_t start = position / WORD_BITS;
  const unsigned shift = position % WORD_BITS;
  const unsigned back = WORD_BITS - 1 - shift;
  const size_t room = WORDS_OF_64 * limit - start;
  const size_t whole = WORDS_OF_64 * count < room ? WORDS_OF_64 * count : room;
  word before = 0;

  //@ loop unroll 0;
  for (size_t i = 0; i < whole; i++) {
    const word now = in[AT(i)];
    to[AT(start + i)] ^= now << shift | before >> 1 >> back;
    before = now;
  }
  if (whole < room) {
    to[AT(start + whole)] ^= before >> 1 >> back;
  }
}

/* out[2 words] = a[words] * b[words], of cut->bits; out may be where the factors are.
 * memory: 20 cut->words and what evaluation and products take. */
static void multiply_value_portable(uint64_t *out, const uint64_t *a, const uint64_t *b,
                                    size_t words, const struct cut *cut, uint64_t *memory) {
  const size_t distance = 2 * cut->words;
  uint64_t *rest = memory + (POINTS + 1) * distance;

  /* The values of a point stand where the product of the next point will be. */
  evaluate_portable(memory + distance, distance, a, words, cut, rest);
  evaluate_portable(memory + distance + cut->words, distance, b, words, cut, rest);
  for (size_t i = 0; i < POINTS; i++) {
    uint64_t *product = memory + i * distance;
    uint64_t *values = product + distance;
    ckem_gf2x_mul_words_portable(product, values, values + cut->words, cut->words, rest);
  }
  interpolate_portable(memory, distance);
  memset(out, 0, 2 * words * sizeof *out);
  for (size_t i = 0; i < POINTS; i++) {
    add_shifted_portable(out, 2 * words, i * cut->part - too_far[i], memory + i * distance,
                         distance);
  }
}

/* Adds a[count] x^position modulo x^r - 1, position below 2 r. Bits from r on mean nothing
 * afterwards. memory: count words. */
static void add_cyclic_portable(const struct gf2x_ring *ring, uint64_t *out, size_t position,
                                const uint64_t *a, size_t count, uint64_t *memory) {
  const size_t r = ring->r_bits;
  const size_t reduced = position < r ? position : position - r;
  const size_t fitting = r - reduced; /* bits */

  add_shifted_portable(out, ring->words, reduced, a, count);
  if (fitting < 64 * count) {
    take_bits_portable(memory, count, a, count, fitting, 64 * count - fitting);
    add_shifted_portable(out, ring->words, 0, memory, count);
  }
}

void ckem_gf2x_mul_toom_portable(const struct gf2x_ring *ring, uint64_t *out, const uint64_t *a,
                                 const uint64_t *b, bool add, uint64_t *scratch) {
  const struct cut cut = cut_portable(ring->r_bits);
  const struct cut inner = cut_portable(cut.part + GF2X_VALUE_GROWTH_PORTABLE);
  const size_t distance = 2 * cut.words;
  uint64_t *rest = scratch + POINTS * distance;

  evaluate_portable(scratch, distance, a, ring->words, &cut, rest);
  evaluate_portable(scratch + cut.words, distance, b, ring->words, &cut, rest);
  for (size_t i = 0; i < POINTS; i++) {
    uint64_t *value = scratch + i * distance;
    multiply_value_portable(value, value, value + cut.words, cut.words, &inner, rest);
  }
  interpolate_portable(scratch, distance);
  if (!add) {
    memset(out, 0, ring->stride * sizeof *out);
  }
  for (size_t i = 0; i < POINTS; i++) {
    add_cyclic_portable(ring, out, i * cut.part - too_far[i], scratch + i * distance, distance,
                        rest);
  }
  out[ring->words - 1] &= (UINT64_C(1) << ring->r_bits % 64) - 1;
}
