/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Sparse ring elements with GFNI on vectors of 256 bits: what sparse_matrices.template.h asks for.
 * What draws positions is that of AVX2.
 */
#include <assert.h>
#include <string.h>

#include "base/ct.h"
#include "base/intrinsics.h"
#include "base/unroll.h"
#include "sparse/sparse.h"

#if defined(CODEKEM_HAVE_GFNI)
ISA_BEGIN_GFNI

typedef __m256i vector;

#define ALWAYS_INLINE static inline __attribute__((always_inline))

#define GROUP 8        /* positions that are multiplied at once */
#define VECTOR_WORDS 4

/* The factors of a group of eight positions. */
struct group {
  uint64_t bits[8];
  uint32_t word[GROUP]; /* where the word of each position is made; huge for those to be ignored */
};

/* Where in its chunk word k is made, so that what interleave does to halves puts it into place:
 * bits 4 3 2 1 0 of k go to 3 2 1 4 0. */
ALWAYS_INLINE vector place_of(vector word) {
  const vector four_to_two = _mm256_and_si256(_mm256_srli_epi32(word, 1), _mm256_set1_epi32(0x0E));
  const vector one = _mm256_and_si256(_mm256_slli_epi32(word, 3), _mm256_set1_epi32(0x10));
  const vector rest = _mm256_andnot_si256(_mm256_set1_epi32(0x1E), word);

  return _mm256_or_si256(rest, _mm256_or_si256(four_to_two, one));
}

static void prepare_group(struct group *group, const uint32_t *some, size_t count, uint32_t first) {
  uint32_t positions[GROUP];
  for (size_t i = 0; i < GROUP; i++) {
    positions[i] = i < count ? some[i] : SPARSE_NO_POSITION;
  }
  /* A position below first becomes a huge number. */
  const vector position = _mm256_sub_epi32(
      _mm256_loadu_si256((const vector *)(const void *)positions), _mm256_set1_epi32((int)first));
  /* Byte 8 a + k is row 7 - k of matrix a, so bit s is in byte s ^ 7. */
  const vector bytes = _mm256_setr_epi8(7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8, 23,
                                        22, 21, 20, 19, 18, 17, 16, 31, 30, 29, 28, 27, 26, 25, 24);
  vector low = _mm256_setzero_si256();
  vector high = _mm256_setzero_si256();

  for (unsigned j = 0; j < GROUP; j++) {
    const vector bit = _mm256_set1_epi8((char)((positions[j] - first) % 64));
    const vector mark = _mm256_set1_epi8((char)(1U << j));
    const vector in_low = _mm256_cmpeq_epi8(bit, bytes);
    const vector in_high = _mm256_cmpeq_epi8(_mm256_xor_si256(bit, _mm256_set1_epi8(32)), bytes);
    low = _mm256_or_si256(low, _mm256_and_si256(in_low, mark));
    high = _mm256_or_si256(high, _mm256_and_si256(in_high, mark));
  }
  _mm256_storeu_si256((vector *)(void *)group->bits, low);
  _mm256_storeu_si256((vector *)(void *)(group->bits + 4), high);
  _mm256_storeu_si256((vector *)(void *)group->word, place_of(_mm256_srli_epi32(position, 6)));
}

/* Takes eight rows of 32 bits; byte c of the result is column c, row j is in bit j. */
ALWAYS_INLINE vector columns(vector rows) {
  /* Byte 8 a + k becomes byte a of row 7 - k; the multiplication turns this order around. */
  const vector gather = _mm256_broadcastsi128_si256(_mm_setr_epi8(12, 8, 4, 0, 13, 9, 5, 1, 14, 10,
                                                                  6, 2, 15, 11, 7, 3));
  const vector halves = _mm256_setr_epi32(4, 0, 5, 1, 6, 2, 7, 3);
  /* Unit vectors, so that the product with a matrix is its transpose. */
  const vector units = _mm256_set1_epi64x((long long)0x8040201008040201);
  const vector bytes = _mm256_permutevar8x32_epi32(_mm256_shuffle_epi8(rows, gather), halves);

  return _mm256_gf2p8affine_epi64_epi8(units, bytes, 0);
}

/* The shift gives zero for words outside of the chunk. */
ALWAYS_INLINE vector words_of(const struct group *group, uint32_t start) {
  const vector word = _mm256_sub_epi32(
      _mm256_loadu_si256((const vector *)(const void *)group->word), _mm256_set1_epi32((int)start));

  return columns(_mm256_sllv_epi32(_mm256_set1_epi32(1), word));
}

ALWAYS_INLINE vector multiply(vector columns, uint64_t matrix) {
  return _mm256_gf2p8affine_epi64_epi8(columns, _mm256_set1_epi64x((long long)matrix), 0);
}

/* place_of has put words in this order. */
ALWAYS_INLINE vector ordered(vector bytes) {
  return bytes;
}

ALWAYS_INLINE vector zero(void) {
  return _mm256_setzero_si256();
}

ALWAYS_INLINE vector vector_xor(vector a, vector b) {
  return _mm256_xor_si256(a, b);
}

ALWAYS_INLINE void store(uint64_t *to, vector x) {
  _mm256_store_si256((vector *)(void *)to, x);
}

#define unpack_low_8(a, b) _mm256_unpacklo_epi8(a, b)
#define unpack_high_8(a, b) _mm256_unpackhi_epi8(a, b)
#define unpack_low_16(a, b) _mm256_unpacklo_epi16(a, b)
#define unpack_high_16(a, b) _mm256_unpackhi_epi16(a, b)
#define unpack_low_32(a, b) _mm256_unpacklo_epi32(a, b)
#define unpack_high_32(a, b) _mm256_unpackhi_epi32(a, b)

#define TEMPLATE_SUFFIX gfni
#include "sparse/sparse_matrices.template.h"

const struct sparse_ops ckem_sparse_gfni = {
    .name = "gfni",
    .pick_distinct = ckem_sparse_pick_distinct_avx2,
    .set_positions = set_positions_gfni,
    .mark_repeats = ckem_sparse_mark_repeats_avx2,
};

ISA_END
#endif
