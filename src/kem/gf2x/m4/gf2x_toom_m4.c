/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Products in GF(2)[x]/(x^r - 1) on the Cortex-M4: Toom's method in five parts, twice, over the
 * products of gf2x_mul_m4.c.
 *
 * A product of words takes 54 instructions, so it is worth saving products even if that costs other
 * work.
 * The points are all polynomials in x below degree 3, which are a vector space over GF(2), and
 * infinity: values are only 8 bits longer than parts, and the coefficients of the product come
 * apart by their exponents [BGTZ08, 4; Bodrato07; GM10]. Let P(u) be the values and
 * P(u, v) = P(u + v) + P(u) + P(v) + P(0), where the terms 1, X, X^2, X^4 and X^8 vanish because
 * they are linear. Then
 *
 *   A = P(1, x) / (x (x + 1)) = c3 + (x^2 + x + 1) c5 + (x^2 + x) c6 + (x^4 + x^2 + 1) c7
 *   B = P(1, x^2) / (x^2 (x^2 + 1)) = c3 + (x^4 + x^2 + 1) c5 + (x^4 + x^2) c6 + (x^8 + x^4 + 1) c7
 *   C = P(x, x^2) / (x^4 (x + 1)) = c3 + (x^4 + x^3 + x^2) c5 + (x^5 + x^4) c6 + (x^8 + x^6 + x^4)
 *   c7 P(0) + P(1) + P(x) + ... = x^4 (x^4 + 1) (x^2 + x + 1) c7
 *   g = (A + B) / (x (x^3 + 1)) = c5 + c6 + (x^4 + x) c7
 *   h = (A + C) / ((x + 1) (x^3 + 1)) = c5 + x c6 + (x + 1) (x^3 + 1) c7
 *   j = (g + h) / (x + 1) = c6 + (x^2 + x + 1) c7
 *
 * give c7, c6, c5 and c3, and c0 = P(0) and c8, the value at infinity, are known. Without their
 * parts, and divided by u, the values at u = 1, x and x^2 are s(u) = c1 + u c2 + u^3 c4, and
 *
 *   e = (s(1) + s(x)) / (x + 1) = c2 + (x^2 + x + 1) c4
 *   f = (s(1) + s(x^2)) / (x^2 + 1) = c2 + (x^4 + x^2 + 1) c4
 *   e + f = x (x^3 + 1) c4
 *
 * All work is on streams of words, lowest first, so that an exact division by x^k + 1 is a product
 * with 1 + x^k + x^2k + ..., and needs of the past one word, as a shift to the left does.
 */
#include <string.h>

#include "base/isa.h"
#include "base/unroll.h"
#include "gf2x/m4/gf2x_m4.h"

#if defined(CODEKEM_HAVE_M4)

#define POINTS 9

/* By how many bits each coefficient is shifted to the left during interpolation, so that no stream
 * needs a shift to the right. */
static const uint8_t too_far[POINTS] = {0, 5, 5, 4, 5, 4, 4, 4, 0};

/* How an element is cut. */
struct parts {
  uint32_t bits;  /* of a part */
  uint32_t words; /* of a value */
};

static struct parts cut_m4(uint32_t bits) {
  const struct parts parts = {GF2X_PART_BITS_M4(bits), GF2X_VALUE_WORDS_M4(bits)};
  return parts;
}

/* In gf2x_points_m4.S. */
#define CHUNK_WORDS 16 /* of a part that are evaluated together, with one word before */
void ckem_gf2x_evaluate_m4(uint32_t *out, uint32_t distance, uint32_t parts[5][CHUNK_WORDS + 1],
                           uint32_t words);
void ckem_gf2x_interpolate_m4(uint32_t *products, uint32_t words);
void ckem_gf2x_add_shifted_m4(uint32_t *out, const uint32_t *a, uint32_t words, uint32_t factor);

/* A part that is read word by word: the product of a word and a power of two has the word's lower
 * bits where they belong, and above them the upper bits for the next word. */
struct reader {
  const uint32_t *next;
  uint32_t factor;
  uint32_t before;
};

static struct reader start_reading_m4(const uint32_t *a, uint32_t position) {
  const uint32_t *word = a + position / 32;
  const unsigned bits = position % 32;

  if (bits == 0) {
    return (struct reader){word, 1, 0};
  }
  return (struct reader){word + 1, UINT32_C(1) << (32 - bits), word[0] >> bits};
}

/* Completes a word with the carry of the word before; returns its own carry. */
static inline uint32_t read_word(uint32_t *out, uint32_t in, uint32_t factor, uint32_t before) {
  const uint64_t product = (uint64_t)in * factor;

  *out = (uint32_t)product | before;
  return (uint32_t)(product >> 32);
}

static void read_words_m4(struct reader *reader, uint32_t *out, uint32_t count) {
  const uint32_t factor = reader->factor;
  const uint32_t *in = reader->next;
  uint32_t before = reader->before;

  for (; count >= 8; count -= 8) {
    UNROLL
    for (uint32_t i = 0; i < 8; i++) {
      before = read_word(out++, *in++, factor, before);
    }
  }
  for (; count > 0; count--) {
    before = read_word(out++, *in++, factor, before);
  }
  reader->next = in;
  reader->before = before;
}

/* Evaluates a at 0, 1, x, x + 1, x^2, x^2 + 1, x^2 + x, x^2 + x + 1 and infinity; the values stand
 * distance words apart. */
static void evaluate_m4(uint32_t *out, uint32_t distance, const uint32_t *a,
                        const struct parts *parts) {
  const uint32_t whole = parts->bits / 32;
  struct reader readers[5];
  uint32_t chunk[5][CHUNK_WORDS + 1];

  for (uint32_t j = 0; j < 5; j++) {
    readers[j] = start_reading_m4(a, j * parts->bits);
    chunk[j][CHUNK_WORDS] = 0;
  }
  for (uint32_t i = 0; i < parts->words; i += CHUNK_WORDS) {
    const uint32_t left = parts->words - i;
    const uint32_t count = left < CHUNK_WORDS ? left : CHUNK_WORDS;
    for (uint32_t j = 0; j < 5; j++) {
      chunk[j][0] = chunk[j][CHUNK_WORDS];
      read_words_m4(&readers[j], chunk[j] + 1, count);
      for (uint32_t k = whole < i ? i : whole; k < i + count; k++) { /* the next part begins */
        chunk[j][1 + k - i] &= k == whole ? (UINT32_C(1) << (parts->bits % 32)) - 1 : 0;
      }
    }
    ckem_gf2x_evaluate_m4(out + i, distance, chunk, count);
  }
}

/* Adds a[count] to out[limit] from bit position on; bits beyond the end are dropped. */
static void add_shifted_m4(uint32_t *out, uint32_t limit, uint32_t position, const uint32_t *a,
                           uint32_t count) {
  const uint32_t room = limit - position / 32 - 1; /* for all words but the last bits */

  ckem_gf2x_add_shifted_m4(out + position / 32, a, count < room ? count : room,
                           UINT32_C(1) << (position % 32));
  if (count > room) {
    out[limit - 1] ^= a[room] << (position % 32);
  }
}

/* out[2 words] = a[words] * b[words], of so many bits; out may be where the factors are. */
static void multiply_value_m4(uint32_t *out, const uint32_t *a, const uint32_t *b, uint32_t words,
                              const struct parts *parts, uint32_t *memory, uint32_t *scratch) {
  const uint32_t distance = 2 * parts->words;

  /* The values of a point stand where the product of the next point will be. */
  evaluate_m4(memory + distance, distance, a, parts);
  evaluate_m4(memory + distance + parts->words, distance, b, parts);
  for (uint32_t i = 0; i < POINTS; i++) {
    uint32_t *product = memory + i * distance;
    ckem_gf2x_mul_words_m4(product, product + distance, product + distance + parts->words,
                           parts->words, scratch);
  }
  ckem_gf2x_interpolate_m4(memory, distance);
  memset(out, 0, 2 * words * sizeof *out);
  for (uint32_t i = 0; i < POINTS; i++) {
    add_shifted_m4(out, 2 * words, i * parts->bits - too_far[i], memory + i * distance, distance);
  }
}

/* Adds a[count] x^position modulo x^r - 1. Bits from r on mean nothing afterwards. */
static void add_cyclic_m4(const struct gf2x_ring *ring, uint32_t *out, uint32_t position,
                          const uint32_t *a, uint32_t count) {
  const uint32_t r = ring->r_bits;

  while (position >= r) {
    position -= r;
  }
  add_shifted_m4(out, (r + 31) / 32, position, a, count);
  for (uint32_t from = r - position; from < 32 * count; from += 32) {
    const uint32_t next = from / 32 + 1 < count ? a[from / 32 + 1] : 0;
    *out++ ^= a[from / 32] >> (from % 32) | next << 1 << (31 - from % 32);
  }
}

void ckem_gf2x_mul_ring_m4(const struct gf2x_ring *ring, uint64_t *out, const uint64_t *a,
                           const uint64_t *b, bool add, uint64_t *scratch) {
  const struct parts parts = cut_m4(ring->r_bits);
  const struct parts inner = cut_m4(parts.bits + GF2X_VALUE_GROWTH_M4);
  const uint32_t distance = 2 * parts.words;
  uint32_t *words = (uint32_t *)(void *)out;
  uint32_t *values = (uint32_t *)(void *)scratch;
  uint32_t *rest = values + POINTS * distance;
  /* As soon as the factors are evaluated, out is free, even if it is one of them. */
  uint32_t *memory = add ? rest + GF2X_WORDS_SCRATCH_M4(inner.words) : words;

  evaluate_m4(values, distance, (const uint32_t *)(const void *)a, &parts);
  evaluate_m4(values + parts.words, distance, (const uint32_t *)(const void *)b, &parts);
  for (uint32_t i = 0; i < POINTS; i++) {
    uint32_t *value = values + i * distance;
    multiply_value_m4(value, value, value + parts.words, parts.words, &inner, memory, rest);
  }
  ckem_gf2x_interpolate_m4(values, distance);
  if (!add) {
    memset(out, 0, ring->stride * sizeof *out);
  }
  for (uint32_t i = 0; i < POINTS; i++) {
    add_cyclic_m4(ring, words, i * parts.bits - too_far[i], values + i * distance, distance);
  }
  words[ring->r_bits / 32] &= (UINT32_C(1) << (ring->r_bits % 32)) - 1;
}

#endif
