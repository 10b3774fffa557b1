/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Systems over GF(2) on 64-bit words.
 *
 * Rows are kept one behind the other, with a word for each block of 64 columns; while A is factored
 * there is one more word, for the columns among which pivots may move. Everything is a product of a
 * block of 64 x 64 bits with rows of some words: masks from the bits of a row select rows to add.
 */
#include "base/ct.h"
#include "bitmatrix/bitmatrix.h"
#include "bitmatrix/bitmatrix_factor.h"

#define SEGMENT 8 /* words of a row that are made at a time */

/* The parts of the factors. */
struct factors {
  uint64_t *matrix; /* L below and P^-1 on the diagonal blocks, U above */
  uint16_t *place;  /* r_c for each row, counted from the first row of its block */
  uint16_t *reach;  /* for each block, the rows in which it looked for pivots; public */
};

static struct factors parts_of(size_t size, const uint64_t *factors) {
  struct factors parts = {.matrix = (uint64_t *)(uintptr_t)factors};

  parts.place = (uint16_t *)(parts.matrix + size * (size / 64));
  parts.reach = parts.place + size;
  return parts;
}

static void load_portable(uint32_t rows, bool window, uint64_t *left, uint32_t first,
                          const uint64_t *panel) {
  const size_t size = BITMATRIX_PADDED(rows);
  const size_t stride = size / 64 + 1;
  const size_t front = size - rows;
  const size_t limit = size + (window ? 32 : 0);

  for (size_t i = 0; i < size && first == 0; i++) {
    for (size_t w = 0; w < stride; w++) {
      left[i * stride + w] = i < front && w == i / 64 ? UINT64_C(1) << (i % 64) : 0;
    }
  }
  for (size_t r = 0; r < rows; r++) {
    uint64_t *row = left + (front + r) * stride;
    for (size_t w = 0; w < 8; w++) {
      const size_t column = front + first + 64 * w; /* where this word's bit 0 goes */
      uint64_t word = panel[8 * r + w];
      if (column >= limit) {
        break;
      }
      if (limit - column < 64) {
        word &= (UINT64_C(1) << (limit - column)) - 1;
      }
      row[column / 64] |= word << (column % 64);
      if (column % 64 != 0 && column / 64 + 1 < stride) {
        row[column / 64 + 1] |= word >> (64 - column % 64);
      }
    }
  }
}

/* sum[words] += a times the 64 rows from b on; words is at most SEGMENT. */
static inline void add_rows(uint64_t *sum, uint64_t a, const uint64_t *b, size_t stride,
                            size_t words) {
  for (size_t s = 0; s < 64; s++) {
    const uint64_t mask = ct_mask_bit_u64(a >> s);
    for (size_t w = 0; w < words; w++) {
      sum[w] ^= b[s * stride + w] & mask;
    }
  }
}

/* Adds to words[] of the row `out` the sum over blocks j in [from, to) of word j of `coefficients`
 * times the words of the rows 64 j, 64 j + 1, ... of b. */
static void add_blocks(uint64_t *out, size_t words, const uint64_t *coefficients, const uint64_t *b,
                       size_t stride, size_t from, size_t to) {
  uint64_t sum[SEGMENT];

  for (size_t w = 0; w < words; w++) {
    sum[w] = out[w];
  }
  for (size_t j = from; j < to; j++) {
    if (words == SEGMENT) {
      add_rows(sum, coefficients[j], b + 64 * j * stride, stride, SEGMENT);
    } else {
      add_rows(sum, coefficients[j], b + 64 * j * stride, stride, words);
    }
  }
  for (size_t w = 0; w < words; w++) {
    out[w] = sum[w];
  }
}

/* rows[64] x words: adds to row c row place[c] if that is not c; reach rows are there. */
static void add_pivot_rows(uint64_t *rows, size_t stride, size_t words, const uint16_t *place,
                           size_t reach) {
  for (size_t c = 0; c < BLOCK_ROWS; c++) {
    for (size_t r = c + 1; r < reach; r++) {
      const uint64_t mask = (uint64_t)(int64_t)(int32_t)ct_mask_equal_u32((uint32_t)r, place[c]);
      for (size_t w = 0; w < words; w++) {
        rows[c * stride + w] ^= rows[r * stride + w] & mask;
      }
    }
  }
}

/* Replaces 64 rows of at most SEGMENT words by the matrix inverse[64 i stride'] times them. */
static void multiply_words_block(uint64_t *rows, size_t stride, size_t words,
                                 const uint64_t *inverse, size_t inverse_stride) {
  uint64_t result[BLOCK_ROWS][SEGMENT] = {{0}};

  for (size_t i = 0; i < BLOCK_ROWS; i++) {
    add_rows(result[i], inverse[i * inverse_stride], rows, stride, words);
  }
  for (size_t i = 0; i < BLOCK_ROWS; i++) {
    for (size_t w = 0; w < words; w++) {
      rows[i * stride + w] = result[i][w];
    }
  }
}

/* Finds the pivots that may move, and moves their columns; block is the last one. The 64 rows of it
 * are up to date in both words. */
static bool move_pivots(size_t size, uint64_t *a, uint64_t *pivots, uint64_t *scratch) {
  const size_t stride = size / 64 + 1;
  const size_t word = size / 64 - 1;
  uint64_t *x = scratch;
  uint64_t *other = scratch + BLOCK_ROWS;
  uint64_t *work = scratch + 2 * BLOCK_ROWS;
  uint16_t place[BLOCK_ROWS];
  uint8_t moves[32];

  for (size_t i = 0; i < BLOCK_ROWS; i++) {
    x[i] = a[(size - BLOCK_ROWS + i) * stride + word];
    other[i] = a[(size - BLOCK_ROWS + i) * stride + word + 1];
  }
  if (!bitmatrix_find_block(BLOCK_ROWS, 32, x, other, place)) {
    return false;
  }
  for (size_t i = 0; i < 32; i++) {
    work[i] = x[32 + i] >> 32 | other[32 + i] << 32;
  }
  if (!bitmatrix_find_pivots(work, pivots)) {
    return false;
  }
  bitmatrix_pivot_places(moves, *pivots);
  for (size_t i = 0; i < size; i++) {
    uint64_t *row = a + i * stride + word;
    const uint64_t moved = bitmatrix_move_bits(row[0] >> 32 | row[1] << 32, moves);
    row[0] = (row[0] & UINT32_MAX) | moved << 32;
    row[1] = moved >> 32;
  }
  return true;
}

/* Brings rows of the block k and below up to date in one word of the row. column: `size` words. */
static void update_word(size_t size, uint64_t *a, size_t k, size_t word, uint64_t *column) {
  const size_t stride = size / 64 + 1;

  for (size_t i = 0; i < 64 * k; i++) {
    column[i] = a[i * stride + word]; /* near each other, or most reads would miss the cache */
  }
  for (size_t i = 64 * k; i < size; i++) {
    add_blocks(a + i * stride + word, 1, a + i * stride, column, 1, 0, k);
  }
}

/* Finds the pivots of block k, adds the rows for them and puts P^-1 into its place. */
static bool factor_block(size_t size, uint64_t *a, size_t k, struct factors *parts,
                         uint64_t *scratch) {
  const size_t stride = size / 64 + 1;
  const size_t left = size - 64 * k;
  size_t reach = left < REACH_ROWS ? left : REACH_ROWS;
  uint64_t *x = scratch;
  uint64_t *rows = a + 64 * k * stride;

  while (1) {
    for (size_t i = 0; i < reach; i++) {
      x[i] = rows[i * stride + k];
    }
    if (bitmatrix_find_block(reach, 64, x, NULL, parts->place + 64 * k)) {
      break;
    }
    if (reach == left) {
      return false;
    }
    reach = left;
  }
  parts->reach[k] = (uint16_t)reach;
  add_pivot_rows(rows, stride, stride, parts->place + 64 * k, reach);
  for (size_t i = 0; i < BLOCK_ROWS; i++) {
    rows[i * stride + k] = x[i];
  }
  return true;
}

/* U = P^-1 (rows of the block - L U above) in all words behind the block. */
static void make_upper_rows(size_t size, uint64_t *a, size_t k) {
  const size_t stride = size / 64 + 1;
  uint64_t *rows = a + 64 * k * stride;

  for (size_t w = k + 1; w < stride; w += SEGMENT) {
    const size_t words = stride - w < SEGMENT ? stride - w : SEGMENT;
    for (size_t i = 0; i < BLOCK_ROWS; i++) {
      add_blocks(rows + i * stride + w, words, rows + i * stride, a + w, stride, 0, k);
    }
    multiply_words_block(rows + w, stride, words, rows + k, stride);
  }
}

static bool factor_portable(uint32_t rows, bool window, uint64_t *factors, uint64_t *pivots,
                            uint64_t *left, uint64_t *scratch) {
  const size_t size = BITMATRIX_PADDED(rows);
  const size_t blocks = size / 64;
  struct factors parts = parts_of(size, factors);

  *pivots = UINT32_MAX;
  for (size_t k = 0; k < blocks; k++) {
    update_word(size, left, k, k, scratch);
    if (window && k == blocks - 1) {
      update_word(size, left, k, k + 1, scratch);
      if (!move_pivots(size, left, pivots, scratch)) {
        return false;
      }
    }
    if (!factor_block(size, left, k, &parts, scratch)) {
      return false;
    }
    make_upper_rows(size, left, k);
  }
  for (size_t i = 0; i < size; i++) {
    for (size_t w = 0; w < blocks; w++) {
      parts.matrix[i * blocks + w] = left[i * (blocks + 1) + w];
    }
  }
  return true;
}

static void solve_portable(uint32_t rows, const uint64_t *factors, uint64_t *panel,
                           uint64_t *scratch) {
  const size_t size = BITMATRIX_PADDED(rows);
  const size_t blocks = size / 64;
  const size_t front = size - rows;
  const struct factors parts = parts_of(size, factors);
  uint64_t *y = scratch;

  for (size_t i = 0; i < size * 8; i++) {
    y[i] = i < front * 8 ? 0 : panel[i - front * 8];
  }
  for (size_t k = 0; k < blocks; k++) {
    const uint64_t *matrix = parts.matrix + 64 * k * blocks;
    uint64_t *own = y + 64 * k * 8;
    add_pivot_rows(own, 8, 8, parts.place + 64 * k, parts.reach[k]);
    for (size_t i = 0; i < BLOCK_ROWS; i++) {
      add_blocks(own + 8 * i, 8, matrix + i * blocks, y, 8, 0, k);
    }
    multiply_words_block(own, 8, 8, matrix + k, blocks);
  }
  for (size_t k = blocks; k-- > 0;) {
    for (size_t i = 0; i < BLOCK_ROWS; i++) {
      const size_t row = 64 * k + i;
      add_blocks(y + 8 * row, 8, parts.matrix + row * blocks, y, 8, k + 1, blocks);
    }
  }
  for (size_t i = 0; i < (size_t)rows * 8; i++) {
    panel[i] = y[front * 8 + i];
  }
}

const struct bitmatrix_ops bitmatrix_portable = {
    .name = "portable",
    .load = load_portable,
    .factor = factor_portable,
    .solve = solve_portable,
};
