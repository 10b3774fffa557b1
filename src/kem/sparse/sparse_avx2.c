/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Sparse ring elements for AVX2: distinct positions, and the dense form of a list of positions.
 *
 * Positions are secret, so the dense form cannot be built by stores at addresses that depend on
 * them.
 * A row is a vector of 256 coefficients, and a position is one bit in one row. Four positions are
 * placed at a time, in sixteen rows at a time: for every byte of a row there is a table of what the
 * sixteen subsets of the four positions put there, and a look-up within registers, by which of the
 * four are in a row, gives that byte of sixteen rows. So the rows are built with their bytes
 * transposed, and transposed back at the end. Rows beyond a multiple of sixteen, often a single
 * one, are
 * added up under masks instead.
 */
#include <assert.h>
#include <stdalign.h>
#include <string.h>

#include "base/intrinsics.h"
#include "base/unroll.h"
#include "sparse/sparse.h"

#if defined(CODEKEM_HAVE_AVX2)
ISA_BEGIN_AVX2

#define LANES 8 /* 32-bit numbers in a vector */
#define ROW_BITS 256
#define GROUP 4 /* positions that are looked up together */
#define SIDE 16 /* subsets of a group; rows, and bytes in each half of a row, of a square */
#define BATCH 4 /* groups whose tables are kept at a time; more would exceed the wiped stack */
#define NO_ROW 255 /* all rings have fewer rows */
static_assert(GF2X_MAX_R_BITS / ROW_BITS < NO_ROW, "rows of the longest ring");

/* floor(words[k] * factors[k] / 2^32) */
static __m256i multiply_high_avx2(__m256i words, __m256i factors) {
  const __m256i even = _mm256_srli_epi64(_mm256_mul_epu32(words, factors), 32);
  const __m256i odd =
      _mm256_mul_epu32(_mm256_srli_epi64(words, 32), _mm256_srli_epi64(factors, 32));

  return _mm256_blend_epi32(even, odd, 0xAA);
}

/* Returns candidates, with index[k] instead where duplicate[k] is set or where a later lane ends up
 * with the same position: the last lane is settled first. */
static __m256i settle_lanes_avx2(__m256i candidates, __m256i index, __m256i duplicate) {
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
static __m256i find_in_avx2(__m256i candidates, const uint32_t *begin, const uint32_t *end) {
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

static void pick_distinct_avx2(uint32_t *positions, const uint32_t *words, size_t count,
                               uint32_t length) {
  alignas(32) uint32_t chosen[SPARSE_MAX_POSITIONS];
  const size_t padded = (count + LANES - 1) / LANES * LANES;

  assert(count <= SPARSE_MAX_POSITIONS);
  memset(chosen, 0, sizeof chosen);
  memcpy(chosen, words, count * sizeof *words);
  for (size_t first = padded; first > 0;) {
    first -= LANES;
    __m256i *const block = (__m256i *)(void *)(chosen + first);
    __m256i index =
        _mm256_add_epi32(_mm256_set1_epi32((int)first), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
    const __m256i factors = _mm256_sub_epi32(_mm256_set1_epi32((int)length), index);
    const __m256i offsets = multiply_high_avx2(_mm256_load_si256(block), factors);
    __m256i candidates = _mm256_add_epi32(index, offsets);
    /* Lanes behind the end hold all ones, which no position equals, and stay so. */
    const __m256i behind = _mm256_cmpgt_epi32(index, _mm256_set1_epi32((int)count - 1));
    candidates = _mm256_or_si256(candidates, behind);
    index = _mm256_or_si256(index, behind);
    const __m256i found = find_in_avx2(candidates, chosen + first + LANES, chosen + padded);
    _mm256_store_si256(block, settle_lanes_avx2(candidates, index, found));
  }
  memcpy(positions, chosen, count * sizeof *positions);
}

/* What places four positions. */
struct group {
  __m256i table[SIDE];   /* byte s of entry c: bytes c and c + 16 of a row with subset s */
  __m256i bit[GROUP];    /* the bit in its row */
  uint32_t row[GROUP];   /* the number of the row in all four bytes */
};

/* Transposes the bytes in the lower and in the upper halves: four times, vectors are interleaved
 * with those eight further on. */
static void transpose_bytes_avx2(__m256i square[SIDE]) {
  __m256i shuffled[SIDE];

  for (int step = 0; step < 2; step++) {
    UNROLL
    for (size_t i = 0; i < SIDE / 2; i++) {
      shuffled[2 * i] = _mm256_unpacklo_epi8(square[i], square[i + SIDE / 2]);
      shuffled[2 * i + 1] = _mm256_unpackhi_epi8(square[i], square[i + SIDE / 2]);
    }
    UNROLL
    for (size_t i = 0; i < SIDE / 2; i++) {
      square[2 * i] = _mm256_unpacklo_epi8(shuffled[i], shuffled[i + SIDE / 2]);
      square[2 * i + 1] = _mm256_unpackhi_epi8(shuffled[i], shuffled[i + SIDE / 2]);
    }
  }
}

/* Prepares a group from positions[GROUP], counted from first. */
static void prepare_group_avx2(struct group *group, const uint32_t *positions, uint32_t first) {
  const __m256i lane_start = _mm256_setr_epi64x(0, 64, 128, 192);
  const __m256i one = _mm256_set1_epi64x(1);
  /* A position below first becomes a huge one, and gets the row that does not exist. */
  const __m128i position = _mm_sub_epi32(_mm_loadu_si128((const __m128i *)(const void *)positions),
                                         _mm_set1_epi32((int)first));
  const __m128i row = _mm_min_epu32(_mm_srli_epi32(position, 8), _mm_set1_epi32(NO_ROW));
  const __m128i four_times = _mm_setr_epi8(0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12);

  _mm_storeu_si128((__m128i *)(void *)group->row, _mm_shuffle_epi8(row, four_times));
  for (size_t i = 0; i < GROUP; i++) {
    const __m256i in_row = _mm256_set1_epi64x((positions[i] - first) % ROW_BITS);
    /* Counts below 0 or above 63 shift the bit out. */
    group->bit[i] = _mm256_sllv_epi64(one, _mm256_sub_epi64(in_row, lane_start));
  }
  group->table[0] = _mm256_setzero_si256();
  for (size_t i = 0; i < GROUP; i++) {
    const size_t subsets = (size_t)1 << i;
    for (size_t s = 0; s < subsets; s++) {
      group->table[subsets + s] = _mm256_or_si256(group->table[s], group->bit[i]);
    }
  }
  transpose_bytes_avx2(group->table);
}

/* For sixteen rows from first_row on, in both halves: the subset of the group that is there. */
static __m256i find_subsets_avx2(const struct group *group, uint32_t first_row) {
  const __m256i rows = _mm256_add_epi8(_mm256_set1_epi8((char)first_row),
                                       _mm256_broadcastsi128_si256(_mm_setr_epi8(
                                           0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)));
  __m256i subset = _mm256_setzero_si256();

  UNROLL
  for (size_t i = 0; i < GROUP; i++) {
    const __m256i here = _mm256_cmpeq_epi8(rows, _mm256_set1_epi32((int)group->row[i]));
    subset = _mm256_or_si256(subset, _mm256_and_si256(here, _mm256_set1_epi8((char)(1 << i))));
  }
  return subset;
}

/* Adds the groups to sixteen rows, whose bytes are transposed. */
static void add_to_square_avx2(__m256i square[SIDE], uint32_t first_row, const struct group *groups,
                               size_t count) {
  __m256i subsets[BATCH];

  for (size_t g = 0; g < count; g++) {
    subsets[g] = find_subsets_avx2(&groups[g], first_row);
  }
  for (size_t half = 0; half < SIDE; half += SIDE / 2) {
    __m256i sum[SIDE / 2];
    UNROLL
    for (size_t c = 0; c < SIDE / 2; c++) {
      sum[c] = square[half + c];
    }
    for (size_t g = 0; g < count; g++) {
      UNROLL
      for (size_t c = 0; c < SIDE / 2; c++) {
        const __m256i bytes = _mm256_shuffle_epi8(groups[g].table[half + c], subsets[g]);
        sum[c] = _mm256_or_si256(sum[c], bytes);
      }
    }
    UNROLL
    for (size_t c = 0; c < SIDE / 2; c++) {
      square[half + c] = sum[c];
    }
  }
}

/* Adds the groups to one row. */
static void add_to_row_avx2(__m256i *row, uint32_t number, const struct group *groups,
                            size_t count) {
  const __m256i wanted = _mm256_set1_epi8((char)number);
  __m256i sum = *row;

  for (size_t g = 0; g < count; g++) {
    UNROLL
    for (size_t i = 0; i < GROUP; i++) {
      const __m256i here = _mm256_cmpeq_epi8(_mm256_set1_epi32((int)groups[g].row[i]), wanted);
      sum = _mm256_or_si256(sum, _mm256_and_si256(groups[g].bit[i], here));
    }
  }
  *row = sum;
}

static void set_positions_avx2(const struct gf2x_ring *ring, uint64_t *out,
                               const uint32_t *positions, size_t count, uint32_t first) {
  const uint32_t rows = (ring->r_bits + ROW_BITS - 1) / ROW_BITS;
  const uint32_t in_squares = rows / SIDE * SIDE;
  __m256i *const row = (__m256i *)(void *)out;
  struct group groups[BATCH];

  memset(out, 0, ring->stride * sizeof *out);
  for (size_t done = 0; done < count;) {
    size_t used = 0;
    for (; used < BATCH && done < count; used++) {
      const size_t left = count - done;
      uint32_t four[GROUP];
      for (size_t i = 0; i < GROUP; i++) {
        four[i] = i < left ? positions[done + i] : SPARSE_NO_POSITION;
      }
      prepare_group_avx2(&groups[used], four, first);
      done += left < GROUP ? left : GROUP;
    }
    for (uint32_t r = 0; r < in_squares; r += SIDE) {
      add_to_square_avx2(row + r, r, groups, used);
    }
    for (uint32_t r = in_squares; r < rows; r++) {
      add_to_row_avx2(row + r, r, groups, used);
    }
  }
  for (uint32_t r = 0; r < in_squares; r += SIDE) {
    transpose_bytes_avx2(row + r);
  }
  /* Positions of r and above that are still within the last row. */
  out[ring->words - 1] &= (UINT64_C(1) << (ring->r_bits % 64)) - 1;
  memset(out + ring->words, 0, (ring->stride - ring->words) * sizeof *out);
}

const struct sparse_ops ckem_sparse_avx2 = {
    .name = "avx2",
    .pick_distinct = pick_distinct_avx2,
    .set_positions = set_positions_avx2,
};

ISA_END
#endif
