/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Sparse ring elements on 512-bit vectors.
 *
 * pick_distinct works on blocks of sixteen entries. Whether an entry is taken depends on every
 * later one, but the comparisons do not depend on each other, and within a block an entry finds the
 * later ones that it depends on in four steps.
 *
 * set_positions is that of sparse_matrices.template.h.
 */
#include <assert.h>
#include <stdbool.h>

#include "base/ct.h"
#include "base/intrinsics.h"
#include "sparse/sparse.h"

#if defined(CODEKEM_HAVE_AVX512)
ISA_BEGIN_AVX512

typedef __m512i vector;

#define ALWAYS_INLINE static inline __attribute__((always_inline))

#define BLOCK 16 /* entries of a block: 32-bit lanes of a vector */
#define NO_ENTRY (-1) /* what stands behind the end */
#define MAX_BLOCKS ((SPARSE_MAX_POSITIONS + BLOCK - 1) / BLOCK)

/* Lanes of the block that starts at entry `start` which hold entries below count. */
ALWAYS_INLINE __mmask16 valid_lanes(size_t start, size_t count) {
  return count - start >= BLOCK ? 0xFFFF : (__mmask16)((1U << (count - start)) - 1);
}

/* index, index + 1, ... */
ALWAYS_INLINE vector indices_from(uint32_t index) {
  return _mm512_add_epi32(_mm512_set1_epi32((int)index),
                          _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
}

/* Lane l of the result is lane l + distance of v, around the end. */
ALWAYS_INLINE vector rotate_lanes(vector v, unsigned distance) {
  return _mm512_permutexvar_epi32(indices_from(distance), v);
}

/* i + floor(word (length - i) / 2^32) for the entries i = index, index + 1, ... */
ALWAYS_INLINE vector candidates(vector words, vector index, uint32_t length) {
  const vector range = _mm512_sub_epi32(_mm512_set1_epi32((int)length), index);
  const vector even = _mm512_mul_epu32(words, range);
  const vector odd = _mm512_mul_epu32(_mm512_srli_epi64(words, 32), _mm512_srli_epi64(range, 32));

  return _mm512_add_epi32(index, _mm512_mask_mov_epi32(_mm512_srli_epi64(even, 32), 0xAAAA, odd));
}

/* Returns zero in the lanes that are equal to a later lane, and in those that are NO_ENTRY. */
ALWAYS_INLINE vector difference_to_later(vector v) {
  const vector behind = _mm512_set1_epi32(NO_ENTRY);
  vector least[2] = {behind, behind};

  /* Written out, because the distance must be a constant for every compiler and option. */
#define COMPARE(chain, distance)                \
  least[chain] = _mm512_min_epu32(least[chain], \
                                  _mm512_xor_si512(v, _mm512_alignr_epi32(behind, v, distance)))
  COMPARE(0, 1);
  COMPARE(1, 2);
  COMPARE(0, 3);
  COMPARE(1, 4);
  COMPARE(0, 5);
  COMPARE(1, 6);
  COMPARE(0, 7);
  COMPARE(1, 8);
  COMPARE(0, 9);
  COMPARE(1, 10);
  COMPARE(0, 11);
  COMPARE(1, 12);
  COMPARE(0, 13);
  COMPARE(1, 14);
  COMPARE(0, 15);
#undef COMPARE
  return _mm512_min_epu32(least[0], least[1]);
}

/* Adds the entries whose candidate is the index of a replaced one, and so taken, to the lanes
 * `replaced` of the block at index. Candidates are never below their own index, so each lane leads
 * to a later one or to itself, and a way has at most BLOCK lanes: every step looks twice as far. */
ALWAYS_INLINE __mmask16 follow_replaced(vector block, uint32_t index, __mmask16 replaced) {
  const vector offset = _mm512_sub_epi32(block, _mm512_set1_epi32((int)index));
  const __mmask16 within = _mm512_cmplt_epu32_mask(offset, _mm512_set1_epi32(BLOCK));
  /* What leads to other blocks ends: indices of later blocks were compared before. */
  vector next = _mm512_mask_mov_epi32(indices_from(0), within, offset);
  vector found = _mm512_movm_epi32(replaced);

#pragma GCC unroll 4
  for (unsigned seen = 1; seen < BLOCK; seen *= 2) {
    found = _mm512_or_si512(found, _mm512_permutexvar_epi32(next, found));
    next = _mm512_permutexvar_epi32(next, next);
  }
  return _mm512_movepi32_mask(found);
}

static void pick_distinct_avx512(uint32_t *positions, const uint32_t *words, size_t count,
                                 uint32_t length) {
  const size_t blocks = (count + BLOCK - 1) / BLOCK;
  vector candidate[MAX_BLOCKS];
  vector difference[MAX_BLOCKS]; /* a lane becomes zero when a later block has its candidate */

  assert(count <= SPARSE_MAX_POSITIONS);
  for (size_t z = 0; z < blocks; z++) {
    const vector drawn = _mm512_maskz_loadu_epi32(valid_lanes(BLOCK * z, count), words + BLOCK * z);
    candidate[z] = candidates(drawn, indices_from((uint32_t)(BLOCK * z)), length);
    difference[z] = _mm512_set1_epi32(-1);
  }
  for (size_t z = blocks; z-- > 0;) {
    const uint32_t index = (uint32_t)(BLOCK * z);
    const __mmask16 valid = valid_lanes(index, count);
    const vector block = _mm512_mask_mov_epi32(_mm512_set1_epi32(NO_ENTRY), valid, candidate[z]);
    const __mmask16 taken = _mm512_cmpeq_epi32_mask(
        _mm512_min_epu32(difference_to_later(block), difference[z]), _mm512_setzero_si512());
    const __mmask16 replaced = follow_replaced(block, index, taken & valid);
    const vector chosen = _mm512_mask_mov_epi32(block, replaced, indices_from(index));
    vector rotated[BLOCK];

    _mm512_mask_storeu_epi32(positions + index, valid, chosen);
#pragma GCC unroll 16
    for (unsigned distance = 0; distance < BLOCK; distance++) {
      rotated[distance] = rotate_lanes(chosen, distance);
    }
    for (size_t earlier = 0; earlier < z; earlier++) {
      /* In two chains, because the block before waits for the end. */
      vector least[2] = {difference[earlier], _mm512_set1_epi32(-1)};
#pragma GCC unroll 16
      for (unsigned distance = 0; distance < BLOCK; distance++) {
        least[distance % 2] = _mm512_min_epu32(
            least[distance % 2], _mm512_xor_si512(candidate[earlier], rotated[distance]));
      }
      difference[earlier] = _mm512_min_epu32(least[0], least[1]);
    }
  }
}

static void mark_repeats_avx512(uint32_t *marks, const uint32_t *positions, size_t begin,
                                size_t end) {
  for (size_t first = begin / BLOCK * BLOCK; first < end; first += BLOCK) {
    const __mmask16 here = valid_lanes(first, end);
    const vector block = _mm512_maskz_loadu_epi32(here, positions + first);
    __mmask16 found[2] = {0, 0}; /* several, because each waits for its last step */

    for (size_t i = 0; i < first; i += 2) {
      found[0] |= _mm512_cmpeq_epi32_mask(block, _mm512_set1_epi32((int)positions[i]));
      found[1] |= _mm512_cmpeq_epi32_mask(block, _mm512_set1_epi32((int)positions[i + 1]));
    }
#pragma GCC unroll 15
    for (unsigned lane = 0; lane < BLOCK - 1; lane++) {
      const vector one = _mm512_permutexvar_epi32(_mm512_set1_epi32((int)lane), block);
      found[0] |= _mm512_mask_cmpeq_epi32_mask((__mmask16)(0xFFFEU << lane), block, one);
    }
    _mm512_mask_storeu_epi32(marks + first, here, _mm512_movm_epi32(found[0] | found[1]));
  }
}

#define GROUP 8        /* positions that are multiplied at once */
#define VECTOR_WORDS 8

/* Takes eight rows of 64 bits; byte c of the result is column c or, with reversed, column
 * 8 (c / 8) + 7 - c % 8; row j is in bit j. */
ALWAYS_INLINE vector columns(vector rows, bool reversed) {
  /* Byte 8 a + k is byte a of row 7 - k; the multiplication turns this order around. */
  const vector gather =
      _mm512_setr_epi64(0x0008101820283038, 0x0109111921293139, 0x020A121A222A323A,
                        0x030B131B232B333B, 0x040C141C242C343C, 0x050D151D252D353D,
                        0x060E161E262E363E, 0x070F171F272F373F);
  /* Unit vectors, so that the product with a matrix is its transpose. */
  const vector units =
      _mm512_set1_epi64(reversed ? 0x0102040810204080 : (long long)0x8040201008040201);

  return _mm512_gf2p8affine_epi64_epi8(units, _mm512_permutexvar_epi8(gather, rows), 0);
}

/* The three unpackings take 16-byte lanes apart as this puts them together: 2 words of each of the
 * 8 results in each lane. */
ALWAYS_INLINE vector ordered(vector bytes) {
  const vector order = _mm512_setr_epi64(0x1918111009080100, 0x3938313029282120, 0x1B1A13120B0A0302,
                                         0x3B3A33322B2A2322, 0x1D1C15140D0C0504, 0x3D3C35342D2C2524,
                                         0x1F1E17160F0E0706, 0x3F3E37362F2E2726);

  return _mm512_permutexvar_epi8(order, bytes);
}

ALWAYS_INLINE vector zero(void) {
  return _mm512_setzero_si512();
}

ALWAYS_INLINE vector vector_xor(vector a, vector b) {
  return _mm512_xor_si512(a, b);
}

ALWAYS_INLINE void store(uint64_t *to, vector x) {
  _mm512_store_si512((vector *)(void *)to, x);
}

#define unpack_low_8(a, b) _mm512_unpacklo_epi8(a, b)
#define unpack_high_8(a, b) _mm512_unpackhi_epi8(a, b)
#define unpack_low_16(a, b) _mm512_unpacklo_epi16(a, b)
#define unpack_high_16(a, b) _mm512_unpackhi_epi16(a, b)
#define unpack_low_32(a, b) _mm512_unpacklo_epi32(a, b)
#define unpack_high_32(a, b) _mm512_unpackhi_epi32(a, b)

/* The factors of a group of eight positions. */
struct group {
  uint64_t bits[8];
  vector word; /* of each position; huge for those to be ignored */
};

ALWAYS_INLINE void prepare_group(struct group *group, const uint32_t *positions, size_t count,
                                 uint32_t first) {
  const __mmask8 valid = (__mmask8)(count >= GROUP ? 0xFF : (1U << count) - 1);
  /* A position below first becomes a huge number, and so does a missing one. */
  const __m256i loaded = _mm256_mask_loadu_epi32(_mm256_set1_epi32(-1), valid, positions);
  const vector position = _mm512_sub_epi64(_mm512_cvtepu32_epi64(loaded), _mm512_set1_epi64(first));
  const vector bit =
      _mm512_sllv_epi64(_mm512_set1_epi64(1), _mm512_and_si512(position, _mm512_set1_epi64(63)));

  group->word = _mm512_srli_epi64(position, 6);
  _mm512_storeu_si512(group->bits, columns(bit, true));
}

/* The shift gives zero for words outside of the chunk. */
ALWAYS_INLINE vector words_of(const struct group *group, uint32_t start) {
  const vector word = _mm512_sub_epi64(group->word, _mm512_set1_epi64(start));

  return columns(_mm512_sllv_epi64(_mm512_set1_epi64(1), word), false);
}

/* The barrier keeps the broadcast an instruction of its own: as a memory operand of
 * vgf2p8affineqb, LLVM (14 and 16 at least) encodes its address wrongly. */
ALWAYS_INLINE vector multiply(vector columns, uint64_t matrix) {
  const vector factor = _mm512_set1_epi64((long long)ct_barrier_u64(matrix));

  return _mm512_gf2p8affine_epi64_epi8(columns, factor, 0);
}

#define TEMPLATE_SUFFIX avx512
#include "sparse/sparse_matrices.template.h"

const struct sparse_ops ckem_sparse_avx512 = {
    .name = "avx512",
    .pick_distinct = pick_distinct_avx512,
    .set_positions = set_positions_avx512,
    .mark_repeats = mark_repeats_avx512,
};

ISA_END
#endif
