/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Raising to the power 2^k by two bit-matrix transposes, for AVX2; gf2x_power.h has the method.
 *
 * A matrix is stored by blocks of 64 x 64 bits, blocks one above the other together. Within a block
 * the four lanes of vector k are rows k, k + 16, k + 32 and k + 48. So the four lower bits of the
 * row number tell vectors apart, and they change places with the lower bits of the column number by
 * exchanges between pairs of vectors. The two upper bits change places by a permutation of the
 * sixteen 16-bit parts of each vector.
 *
 * Rows are written at bit positions without reading what is there: the parts of a row that a shift
 * leaves in a word and that it moves to the next one go to different buffers, and so do rows with
 * even and with odd numbers. Rows are at least one word long, so that a row never touches the last
 * word of the row two before it. The sum of the four buffers is the result.
 */
#include <assert.h>
#include <string.h>

#include "base/isa.h"
#include "base/unroll.h"
#include "gf2x/avx2/gf2x_avx2.h"
#include "gf2x/gf2x_power.h"

#if defined(CODEKEM_HAVE_AVX2)
ISA_BEGIN_AVX2

#define BLOCK_SIZE 64     /* rows, columns and words of a block */
#define BLOCK_VECTORS 16
#define BUFFERS 4
/* Words that are read or written behind the end of an element: the longest row in whole vectors,
 * and one word for the shift. */
#define PADDING_WORDS 12

/* The memory of every plan is enough: two matrices, the buffers and an element. */
#define CHECK_SCRATCH(r_bits, blocks)                                          \
  static_assert((blocks) >= 2, "rows of two words");                           \
  static_assert(GF2X_SCRATCH_WORDS(r_bits) >=                                  \
                    2 * BLOCK_SIZE * (blocks) * (blocks) +                     \
                        (BUFFERS + 1) * (GF2X_STRIDE(r_bits) + PADDING_WORDS), \
                "powers");
GF2X_PLANNED_RINGS(CHECK_SCRATCH)

/* What the transforms share. All of it is public but the contents. */
struct transform {
  const struct gf2x_ring *ring;
  const struct gf2x_power_plan *plan;
  uint64_t *matrix;
  uint64_t *transposed;
  uint64_t *buffers;
  size_t element_words;
};

/* Exchanges the columns of *a whose number has the bit shift, with those of *b without it. mask
 * has the columns without it. */
ALWAYS_INLINE void exchange(vector *a, vector *b, int shift, vector mask) {
  const vector moved = _mm256_and_si256(xor2(_mm256_srli_epi64(*a, shift), *b), mask);

  *b = xor2(*b, moved);
  *a = xor2(*a, _mm256_slli_epi64(moved, shift));
}

/* Exchanges the two upper bits of row and column number. */
ALWAYS_INLINE vector exchange_parts(vector rows) {
  const vector pairs = _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12,
                                                                 13, 6, 7, 14, 15));
  const vector quads = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);

  return _mm256_permutevar8x32_epi32(_mm256_shuffle_epi8(rows, pairs), quads);
}

static void transpose_block_avx2(vector out[BLOCK_VECTORS], const vector in[BLOCK_VECTORS]) {
  const vector mask1 = _mm256_set1_epi8(0x55);
  const vector mask2 = _mm256_set1_epi8(0x33);
  const vector mask4 = _mm256_set1_epi8(0x0F);
  const vector mask8 = _mm256_set1_epi16(0x00FF);

  for (size_t k = 0; k < BLOCK_VECTORS; k += 4) {
    vector a = in[k], b = in[k + 1], c = in[k + 2], d = in[k + 3];
    exchange(&a, &b, 1, mask1);
    exchange(&c, &d, 1, mask1);
    exchange(&a, &c, 2, mask2);
    exchange(&b, &d, 2, mask2);
    out[k] = a;
    out[k + 1] = b;
    out[k + 2] = c;
    out[k + 3] = d;
  }
  for (size_t k = 0; k < 4; k++) {
    vector a = out[k], b = out[k + 4], c = out[k + 8], d = out[k + 12];
    exchange(&a, &b, 4, mask4);
    exchange(&c, &d, 4, mask4);
    exchange(&a, &c, 8, mask8);
    exchange(&b, &d, 8, mask8);
    out[k] = exchange_parts(a);
    out[k + 4] = exchange_parts(b);
    out[k + 8] = exchange_parts(c);
    out[k + 12] = exchange_parts(d);
  }
}

/* The word of a row in the first of its blocks; its next word is blocks * BLOCK_SIZE words on. */
ALWAYS_INLINE size_t place_of(size_t row) {
  return row / BLOCK_SIZE * BLOCK_SIZE + row % 16 * VECTOR_WORDS + row % BLOCK_SIZE / 16;
}

ALWAYS_INLINE void transpose_matrix(const struct transform *transform, size_t blocks) {
  for (size_t row = 0; row < blocks; row++) {
    for (size_t column = 0; column < blocks; column++) {
      const uint64_t *in = transform->matrix + BLOCK_SIZE * (column * blocks + row);
      uint64_t *out = transform->transposed + BLOCK_SIZE * (row * blocks + column);
      transpose_block_avx2((vector *)(void *)out, (const vector *)(const void *)in);
    }
  }
}

/* Stores n <= 4 words, step words apart. */
ALWAYS_INLINE void scatter_words(uint64_t *to, size_t step, size_t n, vector words) {
  const __m128d lower = _mm_castsi128_pd(_mm256_castsi256_si128(words));
  const __m128d upper = _mm_castsi128_pd(_mm256_extracti128_si256(words, 1));

  _mm_storel_pd((double *)(void *)to, lower);
  if (n > 1) {
    _mm_storeh_pd((double *)(void *)(to + step), lower);
  }
  if (n > 2) {
    _mm_storel_pd((double *)(void *)(to + 2 * step), upper);
  }
  if (n > 3) {
    _mm_storeh_pd((double *)(void *)(to + 3 * step), upper);
  }
}

/* Loads n <= 4 words, step words apart, and zeros. */
ALWAYS_INLINE vector gather_words(const uint64_t *from, size_t step, size_t n) {
  __m128d lower = _mm_load_sd((const double *)(const void *)from);
  __m128d upper = _mm_setzero_pd();

  if (n > 1) {
    lower = _mm_loadh_pd(lower, (const double *)(const void *)(from + step));
  }
  if (n > 2) {
    upper = _mm_load_sd((const double *)(const void *)(from + 2 * step));
  }
  if (n > 3) {
    upper = _mm_loadh_pd(upper, (const double *)(const void *)(from + 3 * step));
  }
  return _mm256_set_m128i(_mm_castpd_si128(upper), _mm_castpd_si128(lower));
}

/* Puts the bits of a from position on into a row of the matrix. */
ALWAYS_INLINE void read_row(const struct transform *transform, size_t blocks, size_t row,
                            const uint64_t *a, uint32_t position) {
  const uint64_t *word = a + position / 64;
  const __m128i right = _mm_cvtsi32_si128((int)(position % 64));
  const __m128i left = _mm_cvtsi32_si128((int)(64 - position % 64)); /* 64 shifts all out */
  const size_t step = blocks * BLOCK_SIZE;
  uint64_t *to = transform->matrix + place_of(row);

  UNROLL
  for (size_t c = 0; c < blocks; c += VECTOR_WORDS) {
    const vector bits = _mm256_or_si256(_mm256_srl_epi64(load_vector(word + c), right),
                                        _mm256_sll_epi64(load_vector(word + c + 1), left));
    scatter_words(to + c * step, step, blocks - c, bits);
  }
}

/* Puts a row of the transposed matrix into the buffers, from a position on. */
ALWAYS_INLINE void write_row(const struct transform *transform, size_t blocks, size_t number,
                             uint32_t position, size_t row) {
  uint64_t *word = transform->buffers + number % 2 * transform->element_words + position / 64;
  uint64_t *next_word = word + 2 * transform->element_words + 1;
  const __m128i left = _mm_cvtsi32_si128((int)(position % 64));
  const __m128i right = _mm_cvtsi32_si128((int)(64 - position % 64));
  const size_t step = blocks * BLOCK_SIZE;
  const uint64_t *from = transform->transposed + place_of(row);

  UNROLL
  for (size_t c = 0; c < blocks; c += VECTOR_WORDS) {
    const vector bits = gather_words(from + c * step, step, blocks - c);
    store_vector(word + c, _mm256_sll_epi64(bits, left));
    store_vector(next_word + c, _mm256_srl_epi64(bits, right));
  }
}

static void clear_buffers_avx2(const struct transform *transform) {
  memset(transform->buffers, 0, BUFFERS * transform->element_words * sizeof(uint64_t));
}

/* Sets out to the sum of the buffers without the bits from r on. */
static void add_buffers_avx2(const struct transform *transform, uint64_t *out) {
  const struct gf2x_ring *ring = transform->ring;
  const size_t step = transform->element_words;
  const uint64_t *first = transform->buffers;

  for (size_t i = 0; i < ring->stride; i += VECTOR_WORDS) {
    const vector rows = xor2(load_vector(first + i), load_vector(first + step + i));
    const vector rests = xor2(load_vector(first + 2 * step + i), load_vector(first + 3 * step + i));
    store_vector(out + i, xor2(rows, rests));
  }
  out[ring->words - 1] &= (UINT64_C(1) << (ring->r_bits % 64)) - 1;
  memset(out + ring->words, 0, (ring->stride - ring->words) * sizeof *out);
}

/* Continues an element behind its end for the longest row. */
static void extend_cyclically_avx2(const struct gf2x_ring *ring, uint64_t *a) {
  const unsigned shift = ring->r_bits % 64; /* not 0, because r is an odd prime */
  uint64_t *end = a + ring->words - 1;

  end[0] |= a[0] << shift;
  for (size_t i = 1; i < PADDING_WORDS; i++) {
    end[i] = a[i - 1] >> (64 - shift) | a[i] << shift;
  }
}

/* y[u] = a[e u mod r] */
ALWAYS_INLINE void gather_columns(const struct transform *transform, size_t blocks,
                                  const uint64_t *a) {
  const uint32_t r = transform->ring->r_bits;
  const uint32_t e = transform->plan->e;
  const uint32_t rows = (r + e - 1) / e;
  const uint32_t longer = r - (rows - 1) * e; /* so many columns have all rows */
  uint32_t column = 0;
  uint32_t u = 0;

  memset(transform->matrix, 0, BLOCK_SIZE * blocks * blocks * sizeof(uint64_t));
  for (uint32_t t = 0; t < rows; t++) {
    read_row(transform, blocks, t, a, e * t);
  }
  transpose_matrix(transform, blocks);
  clear_buffers_avx2(transform);
  for (uint32_t pass = 0; pass < e; pass++) {
    const uint32_t length = column < longer ? rows : rows - 1;
    write_row(transform, blocks, pass, u, column);
    u += length;
    column = column + length * e - r;
  }
}

/* b[d u mod r] = y[u] or y[-u] */
ALWAYS_INLINE void scatter_columns(const struct transform *transform, size_t blocks,
                                   const uint64_t *y) {
  const struct gf2x_power_plan *plan = transform->plan;
  const uint32_t r = transform->ring->r_bits;
  const uint32_t d = plan->d;
  const uint32_t rows = (r + d - 1) / d;
  uint32_t w = 0;

  memset(transform->matrix, 0, BLOCK_SIZE * blocks * blocks * sizeof(uint64_t));
  for (uint32_t c = 0; c < d; c++) {
    const uint32_t backwards = w + (rows - 1);
    const uint32_t start = !plan->negative ? w : (backwards > r ? 2 * r : r) - backwards;
    read_row(transform, blocks, c, y, start);
    w += plan->d_inverse;
    w = w < r ? w : w - r;
  }
  transpose_matrix(transform, blocks);
  clear_buffers_avx2(transform);
  for (uint32_t t = 0; t < rows; t++) {
    write_row(transform, blocks, t, d * t, plan->negative ? rows - 1 - t : t);
  }
}

/* y: element_words. */
ALWAYS_INLINE void apply(const struct transform *transform, size_t blocks, uint64_t *out,
                         const uint64_t *a, uint64_t *y) {
  const struct gf2x_ring *ring = transform->ring;

  memcpy(y, a, ring->stride * sizeof *y);
  memset(y + ring->stride, 0, PADDING_WORDS * sizeof *y);
  gather_columns(transform, blocks, y);
  add_buffers_avx2(transform, y);
  extend_cyclically_avx2(ring, y);
  scatter_columns(transform, blocks, y);
  add_buffers_avx2(transform, out);
}

void ckem_gf2x_power_apply_avx2(const struct gf2x_ring *ring, const struct gf2x_power_plan *plan,
                                uint64_t *out, const uint64_t *a, uint64_t *scratch) {
  const size_t matrix_words = BLOCK_SIZE * (size_t)plan->blocks * plan->blocks;
  const struct transform transform = {
      .ring = ring,
      .plan = plan,
      .matrix = scratch,
      .transposed = scratch + matrix_words,
      .buffers = scratch + 2 * matrix_words,
      .element_words = ring->stride + PADDING_WORDS,
  };
  uint64_t *y = transform.buffers + BUFFERS * transform.element_words;

  assert(ring->r_bits / plan->d >= 64 && ring->r_bits / plan->e >= 64);
  switch (plan->blocks) {
    case 2:
      apply(&transform, 2, out, a, y);
      break;
    case 3:
      apply(&transform, 3, out, a, y);
      break;
    case 4:
      apply(&transform, 4, out, a, y);
      break;
    case 5:
      apply(&transform, 5, out, a, y);
      break;
    default:
      apply(&transform, 6, out, a, y);
      break;
  }
}

ISA_END
#endif
