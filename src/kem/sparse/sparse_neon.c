/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Sparse ring elements for AArch64: the dense form of a list of positions.
 *
 * Positions are secret, so the dense form cannot be built by stores at addresses that depend on
 * them.
 * A row is a vector of 128 coefficients, and a position is one bit in one row. Four positions are
 * placed at a time, in sixteen rows at a time: for every byte of a row there is a table of what the
 * sixteen subsets of the four positions put there, and a look-up within registers, by which of the
 * four are in a row, gives that byte of sixteen rows. So the rows are built with their bytes
 * transposed, and transposed back at the end.
 */
#include <assert.h>
#include <string.h>

#include "base/ct.h"
#include "base/intrinsics.h"
#include "base/unroll.h"
#include "sparse/sparse.h"

#if defined(CODEKEM_HAVE_NEON)
ISA_BEGIN_NEON

#define ROW_BITS 128
#define ROW_WORDS 2
#define GROUP 4 /* positions that are looked up together */
#define SIDE 16 /* subsets of a group; rows of a square, and bytes of a row */
#define BATCH 8 /* groups whose tables are kept at a time; more would exceed the wiped stack */

/* Bytes of a row that are added to at a time; as many vectors fit into the registers. */
#if defined(CODEKEM_HAVE_NEON32)
#define COLUMNS 8
#define load_pair neon32_load_pair
#else
#define COLUMNS 16

/* Two vectors, with a step to the next two. */
static inline uint8x16x2_t load_pair(const uint8_t **from) {
  const uint8x16x2_t x = vld1q_u8_x2(*from);

  *from += sizeof x;
  return x;
}
#endif

/* What places four positions. */
struct group {
  uint8x16_t table[SIDE]; /* byte s of entry c: byte c of a row with subset s */
  uint32x4_t row;         /* the number of the row of each */
};

/* Transposes the bytes: four times, vectors are interleaved with those eight further on. */
static void transpose_bytes_neon(uint8x16_t square[SIDE]) {
  uint8x16_t shuffled[SIDE];

  for (int step = 0; step < 2; step++) {
    UNROLL
    for (size_t i = 0; i < SIDE / 2; i++) {
      shuffled[2 * i] = vzip1q_u8(square[i], square[i + SIDE / 2]);
      shuffled[2 * i + 1] = vzip2q_u8(square[i], square[i + SIDE / 2]);
    }
    UNROLL
    for (size_t i = 0; i < SIDE / 2; i++) {
      square[2 * i] = vzip1q_u8(shuffled[i], shuffled[i + SIDE / 2]);
      square[2 * i + 1] = vzip2q_u8(shuffled[i], shuffled[i + SIDE / 2]);
    }
  }
}

/* Prepares a group from positions[GROUP], counted from first. */
static void prepare_group_neon(struct group *group, const uint32_t *positions, uint32_t first) {
  /* A position below first becomes a huge one, and gets a row that does not exist. */
  group->row = vshrq_n_u32(vsubq_u32(vld1q_u32(positions), vdupq_n_u32(first)), 7);
  group->table[0] = vdupq_n_u8(0);
  for (size_t i = 0; i < GROUP; i++) {
    const uint32_t in_row = (positions[i] - first) % ROW_BITS;
    const size_t subsets = (size_t)1 << i;
    /* The bit in its row. Counts below 0 or above 63 shift it out. */
    const int64x2_t counts = vcombine_s64(vcreate_s64(in_row), vcreate_s64((uint64_t)in_row - 64));
    const uint8x16_t bit = vreinterpretq_u8_u64(vshlq_u64(vdupq_n_u64(1), counts));
    for (size_t s = 0; s < subsets; s++) {
      group->table[subsets + s] = vorrq_u8(group->table[s], bit);
    }
  }
  transpose_bytes_neon(group->table);
}

/* For sixteen rows from first_row on: the subset of the group that is there. */
static inline uint8x16_t find_subsets(const struct group *group, uint32_t first_row) {
  const uint8x16_t rows = vcombine_u8(vcreate_u8(UINT64_C(0x0706050403020100)),
                                      vcreate_u8(UINT64_C(0x0F0E0D0C0B0A0908)));
  /* Rows before and after become 255. */
  const uint16x4_t offset = vqmovn_u32(vsubq_u32(group->row, vdupq_n_u32(first_row)));
  const uint8x8_t row = vqmovn_u16(vcombine_u16(offset, offset));
  uint8x16_t subset = vceqq_u8(rows, vdupq_lane_u8(row, 0));

  subset = vsliq_n_u8(subset, vceqq_u8(rows, vdupq_lane_u8(row, 1)), 1);
  subset = vsliq_n_u8(subset, vceqq_u8(rows, vdupq_lane_u8(row, 2)), 2);
  subset = vsliq_n_u8(subset, vceqq_u8(rows, vdupq_lane_u8(row, 3)), 3);
  return vandq_u8(subset, vdupq_n_u8(SIDE - 1));
}

/* Adds the groups to COLUMNS bytes of sixteen rows, from byte first on; bytes are transposed. */
static inline void add_to_columns_neon(uint8x16_t square[SIDE], uint32_t first_row,
                                       const struct group *groups, size_t count, size_t first) {
  uint8x16_t sum[COLUMNS];

  UNROLL
  for (size_t c = 0; c < COLUMNS; c++) {
    sum[c] = square[first + c];
  }
  for (size_t g = 0; g < count; g++) {
    const uint8x16_t subsets = find_subsets(&groups[g], first_row);
    const uint8_t *table = (const uint8_t *)(groups[g].table + first);
    UNROLL
    for (size_t c = 0; c < COLUMNS; c += 2) {
      const uint8x16x2_t two = load_pair(&table);
      sum[c] = vorrq_u8(sum[c], vqtbl1q_u8(two.val[0], subsets));
      sum[c + 1] = vorrq_u8(sum[c + 1], vqtbl1q_u8(two.val[1], subsets));
    }
  }
  UNROLL
  for (size_t c = 0; c < COLUMNS; c++) {
    square[first + c] = sum[c];
  }
}

/* Adds the groups to sixteen rows, whose bytes are transposed. */
static void add_to_square_neon(uint8x16_t square[SIDE], uint32_t first_row,
                               const struct group *groups, size_t count) {
  for (size_t first = 0; first < SIDE; first += COLUMNS) {
    add_to_columns_neon(square, first_row, groups, count, first);
  }
}

static void set_positions_neon(const struct gf2x_ring *ring, uint64_t *out,
                               const uint32_t *positions, size_t count, uint32_t first) {
  const uint32_t in_squares = ring->stride / ROW_WORDS / SIDE * SIDE; /* rows in whole squares */
  const size_t rest_bytes = (ring->stride - ROW_WORDS * in_squares) * sizeof *out;
  uint8x16_t *const row = (uint8x16_t *)(void *)out;
  struct group groups[BATCH];
  uint8x16_t last[SIDE]; /* the rows behind them */

  memset(out, 0, ring->stride * sizeof *out);
  memset(last, 0, sizeof last);
  for (size_t done = 0; done < count;) {
    size_t used = 0;
    for (; used < BATCH && done < count; used++) {
      const size_t left = count - done;
      uint32_t four[GROUP];
      for (size_t i = 0; i < GROUP; i++) {
        four[i] = i < left ? positions[done + i] : SPARSE_NO_POSITION;
      }
      prepare_group_neon(&groups[used], four, first);
      done += left < GROUP ? left : GROUP;
    }
    for (uint32_t r = 0; r < in_squares; r += SIDE) {
      add_to_square_neon(row + r, r, groups, used);
    }
    add_to_square_neon(last, in_squares, groups, used);
  }
  for (uint32_t r = 0; r < in_squares; r += SIDE) {
    transpose_bytes_neon(row + r);
  }
  transpose_bytes_neon(last);
  memcpy(row + in_squares, last, rest_bytes);
  /* Positions of r and above that are still within the last rows. */
  out[ring->words - 1] &= (UINT64_C(1) << (ring->r_bits % 64)) - 1;
  memset(out + ring->words, 0, (ring->stride - ring->words) * sizeof *out);
}

/* Returns a mask: position is in list[count]. */
static inline uint32_t is_listed_neon(uint32_t position, const uint32_t *list, size_t count) {
  const uint32x4_t wanted = vdupq_n_u32(position);
  uint32x4_t listed = vdupq_n_u32(0);
  uint32_t last = 0; /* what is left when whole vectors are compared */
  size_t i = 0;

  for (; i + 4 <= count; i += 4) {
    listed = vorrq_u32(listed, vceqq_u32(vld1q_u32(list + i), wanted));
  }
  for (; i < count; i++) {
    last |= ct_mask_equal_u32(list[i], position);
  }
  const uint32x2_t halves = vorr_u32(vget_low_u32(listed), vget_high_u32(listed));
  return last | vget_lane_u32(halves, 0) | vget_lane_u32(halves, 1);
}

static void pick_distinct_neon(uint32_t *positions, const uint32_t *words, size_t count,
                               uint32_t length) {
  for (size_t i = count; i-- > 0;) {
    const uint32_t index = (uint32_t)i;
    const uint64_t product = (uint64_t)words[i] * (length - index);
    const uint32_t position = index + (uint32_t)(product >> 32);
    const uint32_t duplicate = is_listed_neon(position, positions + i + 1, count - i - 1);

    positions[i] = ct_select_u32(duplicate, index, position);
  }
}

const struct sparse_ops ckem_sparse_neon = {
    .name = "neon",
    .pick_distinct = pick_distinct_neon,
    .set_positions = set_positions_neon,
};

ISA_END
#endif
