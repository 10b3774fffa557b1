/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Sparse ring elements with GFNI on vectors of 256 bits. What draws positions is that of AVX2.
 *
 * set_positions is a product of two bit matrices, as in sparse_avx512.c: position j has word w and
 * bit s; with one-hot rows W_j and S_j the element is the sum of the products W_j^T S_j. One
 * instruction multiplies 8 x 8 bit matrices, so it adds eight positions to eight bits of 32 words
 * at once.
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
#define MAX_GROUPS ((SPARSE_MAX_POSITIONS + GROUP - 1) / GROUP)
#define CHUNK_WORDS 32 /* words that are made at once */
#define VECTOR_WORDS 4

/* The factors of a group of eight positions. */
struct group {
  uint64_t bits[8];  /* matrix a: bits 8 a to 8 a + 7 of the positions' one-hot S_j */
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

static void prepare_group(struct group *group, const uint32_t positions[GROUP], uint32_t first) {
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

/* Writes vectors[8] with the 32 words whose bytes a are bytes[a], as place_of orders them. */
ALWAYS_INLINE void interleave(vector vectors[8], const vector bytes[8]) {
  vector pairs[8], fours[8];

  UNROLL
  for (unsigned a = 0; a < 4; a++) {
    pairs[a] = _mm256_unpacklo_epi8(bytes[2 * a], bytes[2 * a + 1]);
    pairs[a + 4] = _mm256_unpackhi_epi8(bytes[2 * a], bytes[2 * a + 1]);
  }
  UNROLL
  for (unsigned half = 0; half < 2; half++) {
    const vector *p = pairs + 4 * half;
    vector *f = fours + 4 * half;
    f[0] = _mm256_unpacklo_epi16(p[0], p[1]);
    f[1] = _mm256_unpacklo_epi16(p[2], p[3]);
    f[2] = _mm256_unpackhi_epi16(p[0], p[1]);
    f[3] = _mm256_unpackhi_epi16(p[2], p[3]);
  }
  UNROLL
  for (unsigned quarter = 0; quarter < 4; quarter++) {
    vectors[2 * quarter] = _mm256_unpacklo_epi32(fours[2 * quarter], fours[2 * quarter + 1]);
    vectors[2 * quarter + 1] = _mm256_unpackhi_epi32(fours[2 * quarter], fours[2 * quarter + 1]);
  }
}

/* Makes the CHUNK_WORDS words from `start` on. */
ALWAYS_INLINE void make_chunk(vector made[8], const struct group *groups, size_t group_count,
                              uint32_t start) {
  vector bytes[8];

  UNROLL
  for (unsigned a = 0; a < 8; a++) {
    bytes[a] = _mm256_setzero_si256();
  }
  for (size_t g = 0; g < group_count; g++) {
    const vector word =
        _mm256_sub_epi32(_mm256_loadu_si256((const vector *)(const void *)groups[g].word),
                         _mm256_set1_epi32((int)start));
    /* The shift gives zero for words outside of the chunk. */
    const vector word_columns = columns(_mm256_sllv_epi32(_mm256_set1_epi32(1), word));
    UNROLL
    for (unsigned a = 0; a < 8; a++) {
      const vector matrix = _mm256_set1_epi64x((long long)groups[g].bits[a]);
      bytes[a] = _mm256_xor_si256(bytes[a], _mm256_gf2p8affine_epi64_epi8(word_columns, matrix, 0));
    }
  }
  interleave(made, bytes);
}

static void set_positions_gfni(const struct gf2x_ring *ring, uint64_t *out,
                               const uint32_t *positions, size_t count, uint32_t first) {
  const size_t group_count = (count + GROUP - 1) / GROUP;
  struct group groups[MAX_GROUPS];

  assert(count <= SPARSE_MAX_POSITIONS);
  for (size_t g = 0; g < group_count; g++) {
    const size_t left = count - GROUP * g;
    uint32_t eight[GROUP];
    for (size_t i = 0; i < GROUP; i++) {
      eight[i] = i < left ? positions[GROUP * g + i] : SPARSE_NO_POSITION;
    }
    prepare_group(&groups[g], eight, first);
  }
  for (uint32_t start = 0; start < ring->stride; start += CHUNK_WORDS) {
    vector made[8];
    make_chunk(made, groups, group_count, start);
    for (uint32_t i = 0; i < 8 && start + VECTOR_WORDS * i < ring->stride; i++) {
      _mm256_store_si256((vector *)(void *)(out + start + VECTOR_WORDS * i), made[i]);
    }
  }
  out[ring->words - 1] &= (UINT64_C(1) << (ring->r_bits % 64)) - 1;
  for (uint32_t i = ring->words; i < ring->stride; i++) {
    out[i] = 0;
  }
}

const struct sparse_ops ckem_sparse_gfni = {
    .name = "gfni",
    .pick_distinct = ckem_sparse_pick_distinct_avx2,
    .set_positions = set_positions_gfni,
    .mark_repeats = ckem_sparse_mark_repeats_avx2,
};

ISA_END
#endif
