/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Sparse ring elements for AVX2: distinct positions, and the dense form of a list of positions.
 *
 * Positions are secret, so the dense form cannot be built by stores at addresses that depend on
 * them.
 * A row is 128 coefficients, and a position is one bit in one row. Four positions are placed at a
 * time, in 32 rows at a time: for every byte of a row there is a table of what the sixteen subsets
 * of the four positions put there, and a look-up within registers, by which of the four are in a
 * row, gives that byte of 32 rows. So the rows are built with their bytes transposed, and
 * transposed back at the end. A few rows beyond a multiple of 32, often a single one, are added up
 * under masks instead.
 */
#include <assert.h>
#include <stdalign.h>
#include <stdbool.h>
#include <string.h>

#include "base/intrinsics.h"
#include "base/unroll.h"
#include "sparse/sparse.h"

#if defined(CODEKEM_HAVE_AVX2)
ISA_BEGIN_AVX2

#define LANES 8 /* 32-bit numbers in a vector */
#define ROW_BITS 128
#define GROUP 4          /* positions that are looked up together */
#define SIDE 16          /* subsets of a group; bytes of a row; rows in each half of a square */
#define SQUARE_ROWS 32   /* even ones in the lower halves, odd ones in the upper */
#define CHUNK_ROWS 224   /* squares whose rows are numbered in bytes, with NO_PLACE for others */
#define NO_PLACE 255
#define FEW_ROWS 6       /* cheaper under masks than as a square */
#define BATCH 5          /* pairs of groups whose tables are kept at a time, for little stack */
static_assert(CHUNK_ROWS % SQUARE_ROWS == 0 && CHUNK_ROWS <= NO_PLACE, "places in bytes");

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

void ckem_sparse_pick_distinct_avx2(uint32_t *positions, const uint32_t *words, size_t count,
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

void ckem_sparse_mark_repeats_avx2(uint32_t *marks, const uint32_t *positions, size_t begin,
                                   size_t end) {
  const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);

  for (size_t first = begin / LANES * LANES; first < end; first += LANES) {
    const __m256i here = _mm256_cmpgt_epi32(_mm256_set1_epi32((int)(end - first)), lane);
    const __m256i block = _mm256_maskload_epi32((const int *)(positions + first), here);
    __m256i found = find_in_avx2(block, positions, positions + first);
    for (int k = 0; k < LANES - 1; k++) {
      const __m256i lane_k = _mm256_set1_epi32(k);
      const __m256i equal = _mm256_cmpeq_epi32(block, _mm256_permutevar8x32_epi32(block, lane_k));
      found = _mm256_or_si256(found, _mm256_and_si256(equal, _mm256_cmpgt_epi32(lane, lane_k)));
    }
    _mm256_maskstore_epi32((int *)(marks + first), here, found);
  }
}

/* What places two groups of four positions, one in each half of every vector. */
struct groups {
  __m256i table[SIDE];       /* byte s of entry c: byte c of a row with subset s of the group */
  __m256i bit[GROUP];        /* the bit in its row */
  __m256i row;               /* the numbers of the rows, in 32 bits each */
  uint32_t place[2 * GROUP]; /* those from the chunk's first row on, in all four bytes */
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

/* Writes what the four subsets of two positions, given as rows, put into byte c of a row to the
 * four bytes c % 4 of bytes[c / 4], in both halves. */
static void join_pair_avx2(__m256i bytes[4], __m256i first, __m256i second) {
  const __m256i none = _mm256_setzero_si256();
  const __m256i both = _mm256_or_si256(first, second);
  const __m256i low[2] = {_mm256_unpacklo_epi8(none, first), _mm256_unpackhi_epi8(none, first)};
  const __m256i high[2] = {_mm256_unpacklo_epi8(second, both), _mm256_unpackhi_epi8(second, both)};

  UNROLL
  for (size_t i = 0; i < 2; i++) {
    bytes[2 * i] = _mm256_unpacklo_epi16(low[i], high[i]);
    bytes[2 * i + 1] = _mm256_unpackhi_epi16(low[i], high[i]);
  }
}

/* Prepares two groups from positions[2 * GROUP], counted from first. */
static void prepare_groups_avx2(struct groups *groups, const uint32_t *positions, uint32_t first) {
  /* A position below first becomes a huge one, in a row that does not exist. */
  const __m256i position = _mm256_sub_epi32(
      _mm256_loadu_si256((const __m256i *)(const void *)positions), _mm256_set1_epi32((int)first));
  const __m256i in_row = _mm256_and_si256(position, _mm256_set1_epi32(ROW_BITS - 1));
  const __m256i in_rows[GROUP] = {
      _mm256_shuffle_epi32(in_row, 0x00), _mm256_shuffle_epi32(in_row, 0x55),
      _mm256_shuffle_epi32(in_row, 0xAA), _mm256_shuffle_epi32(in_row, 0xFF)};
  /* Of a table's entry, which has subset s: the pair's subset s % 4, and the other's s / 4. */
  const __m256i of_first = _mm256_set1_epi32(0x03020100);
  const __m256i of_second = _mm256_setr_epi32(0, 0x01010101, 0x02020202, 0x03030303, 0, 0x01010101,
                                              0x02020202, 0x03030303);
  __m256i first_pair[4], second_pair[4];

  groups->row = _mm256_srli_epi32(position, 7);
  for (size_t i = 0; i < GROUP; i++) {
    /* Counts below 0 or above 63 shift the bit out. */
    const __m256i counts = _mm256_sub_epi32(in_rows[i], _mm256_setr_epi64x(0, 64, 0, 64));
    groups->bit[i] = _mm256_sllv_epi64(_mm256_set1_epi64x(1),
                                       _mm256_and_si256(counts, _mm256_set1_epi64x(UINT32_MAX)));
  }
  join_pair_avx2(first_pair, groups->bit[0], groups->bit[1]);
  join_pair_avx2(second_pair, groups->bit[2], groups->bit[3]);
  UNROLL
  for (size_t c = 0; c < SIDE; c++) {
    const __m256i begin = _mm256_set1_epi8((char)(c % 4 * 4));
    const __m256i firsts = _mm256_shuffle_epi8(first_pair[c / 4], _mm256_add_epi8(of_first, begin));
    const __m256i seconds =
        _mm256_shuffle_epi8(second_pair[c / 4], _mm256_add_epi8(of_second, begin));
    groups->table[c] = _mm256_or_si256(firsts, seconds);
  }
}

/* Numbers the rows of both groups from the chunk's first row on. */
static void set_places_avx2(struct groups *groups, uint32_t first_row) {
  const __m256i four_times = _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 0, 0, 0, 4, 4, 4, 4, 8, 8,
                                                                       8, 8, 12, 12, 12, 12));
  const __m256i place =
      _mm256_min_epu32(_mm256_sub_epi32(groups->row, _mm256_set1_epi32((int)first_row)),
                       _mm256_set1_epi32(NO_PLACE));

  _mm256_storeu_si256((__m256i *)(void *)groups->place, _mm256_shuffle_epi8(place, four_times));
}

/* For 32 rows, whose places are given: the subset of a group that is there. */
static __m256i find_subsets_avx2(__m256i places, const uint32_t place[GROUP]) {
  __m256i subset = _mm256_setzero_si256();

  UNROLL
  for (size_t i = 0; i < GROUP; i++) {
    const __m256i here = _mm256_cmpeq_epi8(places, _mm256_set1_epi32((int)place[i]));
    subset = _mm256_or_si256(subset, _mm256_and_si256(here, _mm256_set1_epi8((char)(1 << i))));
  }
  return subset;
}

/* Adds eight bytes of what subsets of a group put into rows. */
static inline void add_subsets_avx2(__m256i sum[SIDE / 2], const __m256i *table, size_t half,
                                    __m256i subsets) {
  UNROLL
  for (size_t c = 0; c < SIDE / 2; c++) {
    const __m128i *const halves = (const __m128i *)(const void *)(table + c);
    const __m256i entries = _mm256_broadcastsi128_si256(_mm_load_si128(halves + half));
    sum[c] = _mm256_or_si256(sum[c], _mm256_shuffle_epi8(entries, subsets));
  }
}

/* Adds the first `count` groups, two of each entry, to a square, whose bytes are transposed. */
static void add_to_square_avx2(__m256i square[SIDE], uint32_t first_place,
                               const struct groups *groups, size_t count) {
  const __m256i places =
      _mm256_add_epi8(_mm256_set1_epi8((char)first_place),
                      _mm256_setr_epi8(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 1,
                                       3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31));
  __m256i subsets[2 * BATCH];

  for (size_t g = 0; 2 * g < count; g++) {
    subsets[2 * g] = find_subsets_avx2(places, groups[g].place);
    subsets[2 * g + 1] = find_subsets_avx2(places, groups[g].place + GROUP);
  }
  for (size_t part = 0; part < SIDE; part += SIDE / 2) {
    __m256i sum[SIDE / 2];
    UNROLL
    for (size_t c = 0; c < SIDE / 2; c++) {
      sum[c] = square[part + c];
    }
    for (size_t g = 0; 2 * g < count; g++) {
      add_subsets_avx2(sum, groups[g].table + part, 0, subsets[2 * g]);
      if (2 * g + 1 < count) {
        add_subsets_avx2(sum, groups[g].table + part, 1, subsets[2 * g + 1]);
      }
    }
    UNROLL
    for (size_t c = 0; c < SIDE / 2; c++) {
      square[part + c] = sum[c];
    }
  }
}

/* Adds groups to one row. */
static void add_to_row_avx2(__m128i *row, uint32_t number, const struct groups *groups,
                            size_t count) {
  const __m256i wanted = _mm256_set1_epi32((int)number);
  __m256i sum = _mm256_setzero_si256(); /* of both groups */

  for (size_t g = 0; g < count; g++) {
    const __m256i here = _mm256_cmpeq_epi32(groups[g].row, wanted);
    const __m256i masks[GROUP] = {
        _mm256_shuffle_epi32(here, 0x00), _mm256_shuffle_epi32(here, 0x55),
        _mm256_shuffle_epi32(here, 0xAA), _mm256_shuffle_epi32(here, 0xFF)};
    UNROLL
    for (size_t i = 0; i < GROUP; i++) {
      sum = _mm256_or_si256(sum, _mm256_and_si256(groups[g].bit[i], masks[i]));
    }
  }
  const __m128i halves =
      _mm_or_si128(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1));
  *row = _mm_or_si128(*row, halves);
}

static void set_positions_avx2(const struct gf2x_ring *ring, uint64_t *out,
                               const uint32_t *positions, size_t count, uint32_t first) {
  const uint32_t rows = (ring->r_bits + ROW_BITS - 1) / ROW_BITS;
  const uint32_t in_squares = rows / SQUARE_ROWS * SQUARE_ROWS;
  const bool last_is_square = rows - in_squares > FEW_ROWS;
  const uint32_t masked = last_is_square ? rows : in_squares; /* the first row under masks */
  __m256i *const square = (__m256i *)(void *)out;
  __m128i *const row = (__m128i *)(void *)out;
  __m256i last[SIDE]; /* a square, of which out has only the beginning */
  struct groups groups[BATCH];

  memset(out, 0, ring->stride * sizeof *out);
  memset(last, 0, sizeof last);
  for (size_t done = 0; done < count; done += BATCH * 2 * GROUP) {
    const size_t left = count - done;
    const size_t taken = left < BATCH * 2 * GROUP ? left : BATCH * 2 * GROUP;
    const size_t used = (taken + 2 * GROUP - 1) / (2 * GROUP);
    uint32_t padded[BATCH * 2 * GROUP];
    memset(padded, 0xFF, sizeof padded); /* SPARSE_NO_POSITION */
    memcpy(padded, positions + done, taken * sizeof *padded);
    for (size_t g = 0; g < used; g++) {
      prepare_groups_avx2(&groups[g], padded + 2 * GROUP * g, first);
    }
    for (uint32_t r = 0; r < masked; r += SQUARE_ROWS) {
      const uint32_t place = r % CHUNK_ROWS;
      for (size_t g = 0; g < used && place == 0; g++) {
        set_places_avx2(&groups[g], r);
      }
      add_to_square_avx2(r < in_squares ? square + r / 2 : last, place, groups,
                         (taken + GROUP - 1) / GROUP);
    }
    for (uint32_t r = masked; r < rows; r++) {
      add_to_row_avx2(row + r, r, groups, used);
    }
  }
  for (uint32_t r = 0; r < in_squares; r += SQUARE_ROWS) {
    transpose_bytes_avx2(square + r / 2);
  }
  if (last_is_square) {
    transpose_bytes_avx2(last);
    memcpy(row + in_squares, last, (rows - in_squares) * sizeof *row);
  }
  /* Positions of r and above that are still within the last row. */
  out[ring->words - 1] &= (UINT64_C(1) << (ring->r_bits % 64)) - 1;
  memset(out + ring->words, 0, (ring->stride - ring->words) * sizeof *out);
}

const struct sparse_ops ckem_sparse_avx2 = {
    .name = "avx2",
    .pick_distinct = ckem_sparse_pick_distinct_avx2,
    .set_positions = set_positions_avx2,
    .mark_repeats = ckem_sparse_mark_repeats_avx2,
};

ISA_END
#endif
