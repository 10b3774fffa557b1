/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Products in GF(2)[x] by VPCLMULQDQ, for elements of 64 blocks of 128 bits and more.
 *
 * An operand is cut into four chunks c0, c1, c2 and c3, and a vector holds block i of four
 * polynomials. Products of two polynomials of four terms are determined by nine products:
 *
 *   the four of chunks, in the lanes of one product by Karatsuba's method;
 *   those of c0+c1, c2+c3, c0+c2 and c1+c3, in the lanes of another;
 *   that of all chunks together, which is cut in the same way.
 *
 * What is too long for this is cut into thirds before. If an element is only one or two words
 * longer than a number of vectors (193, 386, 561 and 641 words are), these odd words are multiplied
 * apart; otherwise operands are padded with zeros.
 */
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/isa.h"
#include "gf2x/avx512/gf2x_avx512.h"

#if defined(CODEKEM_HAVE_AVX512)
ISA_BEGIN_AVX512

/* A block, in the natural order. */
typedef __m128i single;

#define VECTOR_BLOCKS 4
#define MAX_ODD_WORDS 2

/* --- Four products in the lanes --------------------------------------------------------------- */

#define TEMPLATE_SUFFIX avx512
#define block vector
#define xor_blocks xor2
#define load_block(from) _mm512_loadu_si512(from)
#define store_block(to, x) _mm512_storeu_si512(to, x)
#define multiply_lanes(a, b, words) _mm512_clmulepi64_epi128(a, b, words)
#define take_words(high, low) _mm512_alignr_epi8(high, low, 8)
#define drop_word(x) _mm512_bsrli_epi128(x, 8)
#include "gf2x/gf2x_lanes.template.h"

typedef struct {
  vector first, second;
} pair;

ALWAYS_INLINE pair load_pair(const vector *from) {
  return (pair){load_block(from), load_block(from + 1)};
}

ALWAYS_INLINE void store_pair(vector *to, pair x) {
  store_block(to, x.first);
  store_block(to + 1, x.second);
}

ALWAYS_INLINE pair xor_pairs(pair a, pair b) {
  return (pair){xor2(a.first, b.first), xor2(a.second, b.second)};
}

#include "gf2x/gf2x_karatsuba.template.h"

/* --- One product in four chunks --------------------------------------------------------------- */

/* Blocks that vectors of four cover. */
#define ROUNDED(n) (((n) + VECTOR_BLOCKS - 1) / VECTOR_BLOCKS * VECTOR_BLOCKS)

/* A polynomial of so many blocks, or the sum of two. */
struct operand {
  const single *a, *b; /* b may be NULL */
  size_t length_a, length_b;
};

/* Four of the blocks of a[length] from number i on, with zeros behind the last. */
ALWAYS_INLINE vector load_blocks(const single *a, size_t length, size_t i) {
  if (i + VECTOR_BLOCKS <= length) {
    return _mm512_loadu_si512(a + i);
  }
  const size_t count = i < length ? length - i : 0;
  return _mm512_maskz_loadu_epi64((__mmask8)((1U << 2 * count) - 1), a + i);
}

/* Four blocks from place i of each of the four chunks on. What is behind the end of a chunk is of
 * no use, but is memory of the operand except in the last. */
ALWAYS_INLINE void load_chunks(vector c[4], const struct operand *x, size_t chunk, size_t i) {
  UNROLL
  for (size_t j = 0; j < 3; j++) {
    c[j] = _mm512_loadu_si512(x->a + j * chunk + i);
  }
  c[3] = load_blocks(x->a, x->length_a, 3 * chunk + i);
  if (x->b != NULL) {
    UNROLL
    for (size_t j = 0; j < 3; j++) {
      c[j] = xor2(c[j], _mm512_loadu_si512(x->b + j * chunk + i));
    }
    c[3] = xor2(c[3], load_blocks(x->b, x->length_b, 3 * chunk + i));
  }
}

/* lanes[ROUNDED(chunk)]: the chunks. */
static void cut_chunks(vector *lanes, const struct operand *x, size_t chunk) {
  for (size_t i = 0; i < chunk; i += VECTOR_BLOCKS) {
    vector c[4];
    load_chunks(c, x, chunk, i);
    transpose_blocks(lanes + i, c);
  }
}

/* lanes[ROUNDED(chunk)]: sums of two chunks. */
static void cut_sums(vector *lanes, const struct operand *x, size_t chunk) {
  for (size_t i = 0; i < chunk; i += VECTOR_BLOCKS) {
    vector c[4];
    load_chunks(c, x, chunk, i);
    const vector sums[4] = {xor2(c[0], c[1]), xor2(c[2], c[3]), xor2(c[0], c[2]), xor2(c[1], c[3])};
    transpose_blocks(lanes + i, sums);
  }
}

/* all[ROUNDED(chunk)]: the sum of all chunks. */
static void add_chunks(single *all, const struct operand *x, size_t chunk) {
  for (size_t i = 0; i < chunk; i += VECTOR_BLOCKS) {
    vector c[4];
    load_chunks(c, x, chunk, i);
    _mm512_storeu_si512(all + i, xor2(xor3(c[0], c[1], c[2]), c[3]));
  }
}

/* Stores as many of the four blocks as there are before the end of a chunk. */
ALWAYS_INLINE void store_blocks(single *to, vector x, size_t left) {
  const __mmask8 words = left >= VECTOR_BLOCKS ? 0xFF : (__mmask8)((1U << 2 * left) - 1);

  _mm512_mask_storeu_epi64(to, words, x);
}

/* The coefficients of seven chunks at one position, from those of the products of chunks. */
ALWAYS_INLINE void terms_of_chunks(vector c[7], const vector *lanes) {
  vector p[4];

  transpose_blocks(p, lanes);
  c[0] = p[0];
  c[1] = xor2(p[0], p[1]);
  c[2] = xor2(c[1], p[2]);
  c[3] = xor2(c[2], p[3]);
  c[4] = xor2(c[3], p[0]);
  c[5] = xor2(p[2], p[3]);
  c[6] = p[3];
}

/* out[8 chunk]: what the products of chunks, lanes[2 chunk], are in the result. */
static void put_chunks(single *out, const vector *lanes, size_t chunk) {
  for (size_t i = 0; i < chunk; i += VECTOR_BLOCKS) {
    vector low[7], high[7];
    terms_of_chunks(low, lanes + i);
    terms_of_chunks(high, lanes + chunk + i);
    store_blocks(out + i, low[0], chunk - i);
    UNROLL
    for (size_t j = 1; j < 7; j++) {
      store_blocks(out + j * chunk + i, xor2(low[j], high[j - 1]), chunk - i);
    }
    store_blocks(out + 7 * chunk + i, high[6], chunk - i);
  }
}

/* The coefficients of the chunks 1 to 5, from those of the products of sums. */
ALWAYS_INLINE void terms_of_sums(vector c[5], const vector *lanes, const single *all) {
  vector p[4];

  transpose_blocks(p, lanes);
  c[0] = p[0];
  c[1] = p[2];
  c[2] = xor3(xor3(p[0], p[1], p[2]), p[3], _mm512_loadu_si512(all));
  c[3] = p[3];
  c[4] = p[1];
}

/* Adds what the products of sums, lanes[2 chunk], and that of all, all[2 chunk], are in the
 * result. */
static void add_sums(single *out, const vector *lanes, const single *all, size_t chunk) {
  for (size_t i = 0; i < chunk; i += VECTOR_BLOCKS) {
    vector low[5], high[5];
    single *to = out + chunk + i;
    terms_of_sums(low, lanes + i, all + i);
    terms_of_sums(high, lanes + chunk + i, all + chunk + i);
    store_blocks(to, xor2(low[0], _mm512_loadu_si512(to)), chunk - i);
    UNROLL
    for (size_t j = 1; j < 5; j++) {
      single *next = to + j * chunk;
      store_blocks(next, xor3(low[j], high[j - 1], _mm512_loadu_si512(next)), chunk - i);
    }
    single *last = to + 5 * chunk;
    store_blocks(last, xor2(high[4], _mm512_loadu_si512(last)), chunk - i);
  }
}

/* Up to so many blocks are multiplied in one lane. */
#define LONGEST_IN_ONE_LANE 12

/* out[2 n] = a[n] * b[n] for n >= 4 in scratch memory of 4 n vectors. */
static void multiply_in_one_lane(single *out, const single *a, const single *b, size_t n,
                                 vector *scratch) {
  vector *lanes_a = scratch;
  vector *lanes_b = lanes_a + n;
  vector *product = lanes_b + n;

  for (size_t i = 0; i < n; i++) {
    lanes_a[i] = _mm512_zextsi128_si512(a[i]);
    lanes_b[i] = _mm512_zextsi128_si512(b[i]);
  }
  multiply_blocks(product, lanes_a, lanes_b, n, NULL);
  for (size_t i = 0; i < 2 * n; i++) {
    out[i] = _mm512_castsi512_si128(product[i]);
  }
}

/* Sets out[8 chunk] = x * y, for operands of up to 4 chunk blocks, in scratch memory of
 * 7 chunk + 13 vectors, or 13 chunk / 2 + 16 for up to 80 blocks, or 6 chunk + 14 for up to 40. */
static void multiply_chunks(single *out, const struct operand *x, const struct operand *y,
                            size_t chunk, vector *scratch) {
  const size_t rounded = ROUNDED(chunk);
  single *all_a = (single *)scratch;
  single *all_b = all_a + rounded;
  single *all = all_b + rounded; /* and what vectors at the end of its upper half cover */
  vector *lanes_a = (vector *)(all + 2 * rounded + VECTOR_BLOCKS);
  vector *lanes_b = lanes_a + rounded;
  vector *product = lanes_b + rounded; /* likewise */
  vector *rest = product + chunk + rounded;

  add_chunks(all_a, x, chunk);
  add_chunks(all_b, y, chunk);
  if (chunk <= LONGEST_IN_ONE_LANE) {
    multiply_in_one_lane(all, all_a, all_b, chunk, lanes_a);
  } else {
    const struct operand sum_x = {all_a, NULL, chunk, 0};
    const struct operand sum_y = {all_b, NULL, chunk, 0};
    multiply_chunks(all, &sum_x, &sum_y, (chunk + 3) / 4, lanes_a);
  }
  cut_chunks(lanes_a, x, chunk);
  cut_chunks(lanes_b, y, chunk);
  multiply_blocks(product, lanes_a, lanes_b, chunk, rest);
  put_chunks(out, product, chunk);
  cut_sums(lanes_a, x, chunk);
  cut_sums(lanes_b, y, chunk);
  multiply_blocks(product, lanes_a, lanes_b, chunk, rest);
  add_sums(out, product, all, chunk);
}

/* --- Thirds ----------------------------------------------------------------------------------- */

/* out[length] += x[length] */
static void add_to(single *out, const single *x, size_t length) {
  for (size_t i = 0; i < length; i += VECTOR_BLOCKS) {
    store_blocks(out + i, xor2(_mm512_loadu_si512(out + i), _mm512_loadu_si512(x + i)), length - i);
  }
}

/* Adds the product of sums of thirds of a[n] and b[n], of the numbers i and j (of one third if they
 * are equal), to out at the thirds whose bits are set in places. */
static void add_product_of_thirds(single *out, const single *a, const single *b, size_t n,
                                  unsigned i, unsigned j, unsigned places, vector *scratch) {
  const size_t third = (n + 2) / 3;
  const size_t chunk = (third + 3) / 4;
  const size_t length_i = i == 2 ? n - 2 * third : third;
  const size_t length_j = i == j ? 0 : j == 2 ? n - 2 * third : third;
  const struct operand x = {a + i * third, i == j ? NULL : a + j * third, length_i, length_j};
  const struct operand y = {b + i * third, i == j ? NULL : b + j * third, length_i, length_j};
  single *product = (single *)scratch;

  multiply_chunks(product, &x, &y, chunk, scratch + 2 * chunk);
  for (unsigned k = 0; k < 5; k++) {
    if ((places >> k & 1) != 0) {
      add_to(out + k * third, product, k < 4 ? 2 * third : 2 * (n - 2 * third));
    }
  }
}

/* Sets out[2 n] = a[n] * b[n], and up to two blocks behind it to zeros. */
static void multiply_thirds(single *out, const single *a, const single *b, size_t n,
                            vector *scratch) {
  memset(out, 0, (2 * n + 2) * sizeof *out);
  add_product_of_thirds(out, a, b, n, 0, 0, 0x07, scratch);
  add_product_of_thirds(out, a, b, n, 1, 1, 0x0E, scratch);
  add_product_of_thirds(out, a, b, n, 2, 2, 0x1C, scratch);
  add_product_of_thirds(out, a, b, n, 0, 1, 0x02, scratch);
  add_product_of_thirds(out, a, b, n, 0, 2, 0x04, scratch);
  add_product_of_thirds(out, a, b, n, 1, 2, 0x08, scratch);
}

/* --- Odd words -------------------------------------------------------------------------------- */

/* Adds the two words of each block of 128 bits: those of `first` give the low words of the result,
 * those of `second` the high ones. */
ALWAYS_INLINE vector add_words(vector first, vector second) {
  return xor2(_mm512_alignr_epi8(second, first, 8), _mm512_mask_blend_epi64(0xAA, first, second));
}

/* The odd words of a and b as blocks, and the blocks that their words' sums are multiplied with. */
struct odd_words {
  vector a;
  vector b;
  vector sums; /* low words: of b, high words: of a */
};

/* Adds (x * odd->b + y * odd->a) to out and carries what belongs to the next vector. */
ALWAYS_INLINE void add_odd_product(vector *out, vector x, vector y, const struct odd_words *odd,
                                   size_t count, vector *middle_before, vector *high_before) {
  const vector low =
      xor2(_mm512_clmulepi64_epi128(x, odd->b, 0x00), _mm512_clmulepi64_epi128(y, odd->a, 0x00));
  vector middle;

  if (count == 1) {
    middle =
        xor2(_mm512_clmulepi64_epi128(x, odd->b, 0x01), _mm512_clmulepi64_epi128(y, odd->a, 0x01));
    *out = xor3(*out, low, _mm512_alignr_epi64(middle, *middle_before, 7));
  } else {
    const vector high =
        xor2(_mm512_clmulepi64_epi128(x, odd->b, 0x11), _mm512_clmulepi64_epi128(y, odd->a, 0x11));
    const vector sums = add_words(x, y);
    middle = xor3(xor2(low, high), _mm512_clmulepi64_epi128(sums, odd->sums, 0x00),
                  _mm512_clmulepi64_epi128(sums, odd->sums, 0x11));
    *out = xor3(xor2(*out, low), _mm512_alignr_epi64(middle, *middle_before, 7),
                _mm512_alignr_epi64(high, *high_before, 6));
    *high_before = high;
  }
  *middle_before = middle;
}

ALWAYS_INLINE void add_odd_products(vector *out, const uint64_t *a, const uint64_t *b,
                                    size_t vectors, size_t count) {
  const size_t start = vectors * VECTOR_WORDS;
  const __m128i odd_a = _mm_load_si128((const void *)(a + start));
  const __m128i odd_b = _mm_load_si128((const void *)(b + start));
  const __m128i sums =
      _mm_xor_si128(_mm_unpacklo_epi64(odd_b, odd_a), _mm_unpackhi_epi64(odd_b, odd_a));
  const struct odd_words odd = {.a = _mm512_broadcast_i64x2(odd_a),
                                .b = _mm512_broadcast_i64x2(odd_b),
                                .sums = _mm512_broadcast_i64x2(sums)};
  const vector zero = _mm512_setzero_si512();
  vector middle = zero;
  vector high = zero;

  for (size_t i = 0; i < vectors; i++) {
    add_odd_product(out + i, _mm512_load_si512(a + VECTOR_WORDS * i),
                    _mm512_load_si512(b + VECTOR_WORDS * i), &odd, count, &middle, &high);
  }
  add_odd_product(out + vectors, _mm512_zextsi128_si512(odd_a), zero, &odd, count, &middle, &high);
}

/* --- The product ------------------------------------------------------------------------------ */

const vector *ckem_gf2x_product_avx512(const struct gf2x_ring *ring, const uint64_t *a,
                                       const uint64_t *b, vector *scratch) {
  const single *const blocks_a = (const single *)(const void *)a;
  const single *const blocks_b = (const single *)(const void *)b;
  const bool in_thirds = GF2X_IN_THIRDS_AVX512(ring->r_bits);
  const size_t behind = ring->words % VECTOR_WORDS;
  const size_t odd = behind <= MAX_ODD_WORDS && !in_thirds ? behind : 0;
  const size_t vectors = (ring->words - odd + VECTOR_WORDS - 1) / VECTOR_WORDS;
  const size_t n = VECTOR_BLOCKS * vectors;
  single *out = (single *)scratch;
  vector *rest = scratch + 2 * vectors + 2;

  if (in_thirds) {
    multiply_thirds(out, blocks_a, blocks_b, n, rest);
  } else {
    const struct operand x = {blocks_a, NULL, n, 0};
    const struct operand y = {blocks_b, NULL, n, 0};
    multiply_chunks(out, &x, &y, n / 4, rest);
  }
  scratch[2 * vectors] = _mm512_setzero_si512();
  scratch[2 * vectors + 1] = _mm512_setzero_si512();
  if (odd == 1) {
    add_odd_products(scratch + vectors, a, b, vectors, 1);
  } else if (odd == 2) {
    add_odd_products(scratch + vectors, a, b, vectors, 2);
  }
  return scratch;
}

ISA_END
#endif
