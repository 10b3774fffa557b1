/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Sparse ring elements for AVX2: distinct positions, and the dense form of a list of positions.
 *
 * Positions are secret, so the dense form is built by touching every word for every position. A
 * vector of 256 coefficients is a row; a position is one bit in one row. That bit as a vector comes
 * from a shift whose out-of-range counts give zero. Rows are told apart by two masks, one for the
 * group of rows and one for the row in its group: with the rows of a group in registers, a row then
 * costs one AND and one OR.
 */
#include <assert.h>
#include <immintrin.h>
#include <stdalign.h>
#include <string.h>

#include "base/unroll.h"
#include "sparse/sparse.h"

#define LANES 8       /* 32-bit numbers in a vector */
#define ROW_BITS 256
#define GROUP_ROWS 7  /* rows that are summed in registers; 7 divides the rows of most rings */
#define BATCH 32      /* positions whose masks are kept at a time; 3 KiB of stack */

/* floor(words[k] * factors[k] / 2^32) */
static __m256i multiply_high(__m256i words, __m256i factors) {
  const __m256i even = _mm256_srli_epi64(_mm256_mul_epu32(words, factors), 32);
  const __m256i odd =
      _mm256_mul_epu32(_mm256_srli_epi64(words, 32), _mm256_srli_epi64(factors, 32));

  return _mm256_blend_epi32(even, odd, 0xAA);
}

/* Returns candidates, with index[k] instead where duplicate[k] is set or where a later lane ends up
 * with the same position: the last lane is settled first. */
static __m256i settle_lanes(__m256i candidates, __m256i index, __m256i duplicate) {
  const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);

  for (int k = LANES - 1; k > 0; k--) {
    const __m256i lane_k = _mm256_set1_epi32(k);
    const __m256i settled = _mm256_blendv_epi8(candidates, index, duplicate);
    const __m256i position = _mm256_permutevar8x32_epi32(settled, lane_k);
    const __m256i equal = _mm256_cmpeq_epi32(candidates, position);
    const __m256i earlier = _mm256_cmpgt_epi32(lane_k, lane);
    duplicate = _mm256_or_si256(duplicate, _mm256_and_si256(equal, earlier));
  }
  return _mm256_blendv_epi8(candidates, index, duplicate);
}

/* All ones for the candidates that are among the positions from begin to end, blocks of LANES. */
static __m256i find_in(__m256i candidates, const uint32_t *begin, const uint32_t *end) {
  __m256i found[4]; /* several, because each waits for its last step */

  for (size_t k = 0; k < 4; k++) {
    found[k] = _mm256_setzero_si256();
  }
  for (const uint32_t *block = begin; block < end; block += LANES) {
    UNROLL
    for (size_t k = 0; k < LANES; k++) {
      const __m256i position = _mm256_set1_epi32((int)block[k]);
      found[k % 4] = _mm256_or_si256(found[k % 4], _mm256_cmpeq_epi32(candidates, position));
    }
  }
  return _mm256_or_si256(_mm256_or_si256(found[0], found[1]), _mm256_or_si256(found[2], found[3]));
}

static void pick_distinct(uint32_t *positions, const uint32_t *words, size_t count,
                          uint32_t length) {
  alignas(32) uint32_t chosen[SPARSE_MAX_POSITIONS];
  const size_t padded = (count + LANES - 1) / LANES * LANES;

  assert(count <= SPARSE_MAX_POSITIONS);
  memset(chosen, 0, sizeof chosen);
  memcpy(chosen, words, count * sizeof *words);
  for (size_t first = padded; first > 0;) {
    first -= LANES;
    __m256i *const block = (__m256i *)(void *)(chosen + first);
    __m256i index = _mm256_add_epi32(_mm256_set1_epi32((int)first),
                                     _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
    const __m256i factors = _mm256_sub_epi32(_mm256_set1_epi32((int)length), index);
    __m256i candidates = _mm256_add_epi32(index, multiply_high(_mm256_load_si256(block), factors));
    /* Lanes behind the end hold all ones, which no position equals, and stay so. */
    const __m256i behind = _mm256_cmpgt_epi32(index, _mm256_set1_epi32((int)count - 1));
    candidates = _mm256_or_si256(candidates, behind);
    index = _mm256_or_si256(index, behind);
    _mm256_store_si256(block,
                       settle_lanes(candidates, index,
                                    find_in(candidates, chosen + first + LANES, chosen + padded)));
  }
  memcpy(positions, chosen, count * sizeof *positions);
}

/* A batch of positions as bits and masks. */
struct bits {
  alignas(32) __m256i bit[BATCH];   /* the bit in its row */
  __m256i group[BATCH];             /* the number of its group of rows, in every lane: clang would
                                       compare single numbers in general registers */
  uint32_t row_masks[BATCH][LANES]; /* all ones for its row in the group; the last is not used */
};

/* floor(x / 7) for x < 2^15; something no smaller than 2^12 for x from there to 2^24. */
static uint32_t divide_by_7(uint32_t x) {
  return (uint32_t)((uint64_t)x * 37450 >> 18);
}

/* Fills bits from positions[count], counted from first. */
static void prepare_bits(struct bits *bits, const uint32_t *positions, size_t count,
                         uint32_t first) {
  const __m256i lane_start = _mm256_setr_epi64x(0, 64, 128, 192);
  const __m256i rows = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  const __m256i one = _mm256_set1_epi64x(1);

  for (size_t i = 0; i < count; i++) {
    /* A position below first becomes a huge one, which is in no group. */
    const uint32_t position = positions[i] - first;
    const uint32_t row = position / ROW_BITS;
    const uint32_t group = divide_by_7(row);
    const __m256i in_row = _mm256_set1_epi64x(position % ROW_BITS);
    const __m256i in_group = _mm256_set1_epi32((int)(row - GROUP_ROWS * group));
    /* Counts below 0 or above 63 shift the bit out. */
    bits->bit[i] = _mm256_sllv_epi64(one, _mm256_sub_epi64(in_row, lane_start));
    bits->group[i] = _mm256_set1_epi32((int)group);
    _mm256_storeu_si256((__m256i *)(void *)bits->row_masks[i], _mm256_cmpeq_epi32(in_group, rows));
  }
}

/* Adds the bits to out[rows * 4]. */
static void add_bits(uint64_t *out, size_t rows, const struct bits *bits, size_t count) {
  for (size_t first = 0; first < rows; first += GROUP_ROWS) {
    __m256i *const row = (__m256i *)(void *)(out + first * ROW_BITS / 64);
    const size_t used = rows - first < GROUP_ROWS ? rows - first : GROUP_ROWS;
    const __m256i group = _mm256_set1_epi32((int)(first / GROUP_ROWS));
    __m256i sum[GROUP_ROWS];
    for (size_t k = 0; k < GROUP_ROWS; k++) {
      sum[k] = _mm256_setzero_si256();
    }
    for (size_t i = 0; i < count; i++) {
      const __m256i here = _mm256_cmpeq_epi32(bits->group[i], group);
      const __m256i bit = _mm256_and_si256(bits->bit[i], here);
      UNROLL
      for (size_t k = 0; k < GROUP_ROWS; k++) {
        const __m256i mask = _mm256_set1_epi32((int)bits->row_masks[i][k]);
        sum[k] = _mm256_or_si256(sum[k], _mm256_and_si256(bit, mask));
      }
    }
    for (size_t k = 0; k < used; k++) {
      row[k] = _mm256_or_si256(row[k], sum[k]);
    }
  }
}

static void set_positions(const struct gf2x_ring *ring, uint64_t *out, const uint32_t *positions,
                          size_t count, uint32_t first) {
  struct bits bits;

  memset(out, 0, ring->stride * sizeof *out);
  for (size_t done = 0; done < count; done += BATCH) {
    const size_t batch = count - done < BATCH ? count - done : BATCH;
    prepare_bits(&bits, positions + done, batch, first);
    add_bits(out, (ring->r_bits + ROW_BITS - 1) / ROW_BITS, &bits, batch);
  }
  /* Positions of r and above that are still within the last words. */
  out[ring->words - 1] &= (UINT64_C(1) << (ring->r_bits % 64)) - 1;
  memset(out + ring->words, 0, (ring->stride - ring->words) * sizeof *out);
}

const struct sparse_ops sparse_avx2 = {
    .name = "avx2",
    .pick_distinct = pick_distinct,
    .set_positions = set_positions,
};
