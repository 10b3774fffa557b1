/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Systems over GF(2) on 64-bit words.
 *
 * Rows are kept one behind the other, with a word for each block of 64 columns; while A is factored
 * there is one more word, for the columns among which pivots may move. Everything is a product of a
 * block of 64 x 64 bits with rows of some words: masks from the bits of a row select rows to add.
 */
#include <string.h>

#include "base/ct.h"
#include "bitmatrix/bitmatrix.h"
#include "bitmatrix/bitmatrix_factor.h"

#define SEGMENT 8  /* words of a row that are made at a time */
#define COLUMNS 16 /* columns that meet a row at a time */

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
  //@ loop unroll 0;
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

/* The same for two rows, which share what is read of b. */
static inline void add_rows_to_two(uint64_t *restrict first, uint64_t *restrict second, uint64_t a,
                                   uint64_t a2, const uint64_t *restrict b, size_t stride) {
  for (size_t s = 0; s < 64; s++) {
    const uint64_t mask = ct_mask_bit_u64(a >> s);
    const uint64_t mask2 = ct_mask_bit_u64(a2 >> s);
    for (size_t w = 0; w < SEGMENT; w++) {
      const uint64_t x = b[s * stride + w];
      first[w] ^= x & mask;
      second[w] ^= x & mask2;
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
  //@ loop unroll 0;
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

/* add_blocks for the 64 rows of a block: rows of `out` and of `coefficients` have their strides. */
static void add_blocks_to_block(uint64_t *out, size_t out_stride, size_t words,
                                const uint64_t *coefficients, size_t coefficient_stride,
                                const uint64_t *b, size_t stride, size_t from, size_t to) {
  //@ loop unroll 0;
  for (size_t i = 0; i < BLOCK_ROWS; i += 2) {
    uint64_t *row = out + i * out_stride;
    const uint64_t *own = coefficients + i * coefficient_stride;
    uint64_t sum[SEGMENT], sum2[SEGMENT];

    if (words < SEGMENT) {
      add_blocks(row, words, own, b, stride, from, to);
      add_blocks(row + out_stride, words, own + coefficient_stride, b, stride, from, to);
      continue;
    }
    for (size_t w = 0; w < SEGMENT; w++) {
      sum[w] = row[w];
      sum2[w] = row[out_stride + w];
    }
    //@ loop unroll 0;
    for (size_t j = from; j < to; j++) {
      add_rows_to_two(sum, sum2, own[j], own[coefficient_stride + j], b + 64 * j * stride, stride);
    }
    for (size_t w = 0; w < SEGMENT; w++) {
      row[w] = sum[w];
      row[out_stride + w] = sum2[w];
    }
  }
}

/* row[words] += the sum of those rows r in [from, to) for which r is place. */
static inline void add_pivot_row(uint64_t *row, const uint64_t *rows, size_t stride, size_t words,
                                 size_t from, size_t to, uint32_t place) {
  uint64_t sum[SEGMENT];

  for (size_t w = 0; w < words; w++) {
    sum[w] = row[w];
  }
  //@ loop unroll 0;
  for (size_t r = from; r < to; r++) {
    const uint64_t mask = (uint64_t)(int64_t)(int32_t)ct_mask_equal_u32((uint32_t)r, place);
    for (size_t w = 0; w < words; w++) {
      sum[w] ^= rows[r * stride + w] & mask;
    }
  }
  for (size_t w = 0; w < words; w++) {
    row[w] = sum[w];
  }
}

/* rows[64] x words: adds to row c row place[c] if that is not c; reach rows are there. */
static void add_pivot_rows(uint64_t *rows, size_t stride, size_t words, const uint16_t *place,
                           size_t reach) {
  for (size_t first = 0; first < words; first += SEGMENT) {
    uint64_t *part = rows + first;
    //@ loop unroll 0;
    for (size_t c = 0; c < BLOCK_ROWS; c++) {
      if (words - first >= SEGMENT) {
        add_pivot_row(part + c * stride, part, stride, SEGMENT, c + 1, reach, place[c]);
      } else {
        add_pivot_row(part + c * stride, part, stride, words - first, c + 1, reach, place[c]);
      }
    }
  }
}

/* Replaces 64 rows of at most SEGMENT words by the matrix inverse[64 i stride'] times them.
 * scratch: SEGMENT * 64 words. */
static void multiply_words_block(uint64_t *rows, size_t stride, size_t words,
                                 const uint64_t *inverse, size_t inverse_stride,
                                 uint64_t *scratch) {
  uint64_t (*result)[SEGMENT] = (uint64_t (*)[SEGMENT])scratch;

  memset(result, 0, BLOCK_ROWS * sizeof *result);
  //@ loop unroll 0;
  for (size_t i = 0; i < BLOCK_ROWS; i++) {
    add_rows(result[i], inverse[i * inverse_stride], rows, stride, words);
  }
  //@ loop unroll 0;
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
  uint64_t *carried = scratch + BLOCK_ROWS;
  uint64_t *work = scratch + 2 * BLOCK_ROWS;
  uint16_t place[BLOCK_ROWS];
  uint8_t moves[32];

  for (size_t i = 0; i < BLOCK_ROWS; i++) {
    x[i] = a[(size - BLOCK_ROWS + i) * stride + word];
    carried[i] = a[(size - BLOCK_ROWS + i) * stride + word + 1];
  }
  if (!ckem_bitmatrix_find_block(BLOCK_ROWS, 32, x, carried, place)) {
    return false;
  }
  for (size_t i = 0; i < 32; i++) {
    work[i] = x[32 + i] >> 32 | carried[32 + i] << 32;
  }
  if (!ckem_bitmatrix_find_pivots(work, pivots)) {
    return false;
  }
  ckem_bitmatrix_pivot_places(moves, *pivots);
  //@ loop unroll 0;
  for (size_t i = 0; i < size; i++) {
    uint64_t *row = a + i * stride + word;
    const uint64_t moved = ckem_bitmatrix_move_bits(row[0] >> 32 | row[1] << 32, moves);
    row[0] = (row[0] & UINT32_MAX) | moved << 32;
    row[1] = moved >> 32;
  }
  return true;
}

/* The masks of the steps below: the lower halves of 64, 32, ..., 2 bits. */
static const uint64_t lower_halves[6] = {0x00000000FFFFFFFF, 0x0000FFFF0000FFFF,
                                         0x00FF00FF00FF00FF, 0x0F0F0F0F0F0F0F0F,
                                         0x3333333333333333, 0x5555555555555555};

/* Swaps bit j of x[i] and bit i of x[j]. */
static void transpose_block(uint64_t x[64]) {
  for (unsigned step = 0; step < 6; step++) {
    const size_t h = (size_t)32 >> step;
    for (size_t base = 0; base < 64; base += 2 * h) {
      for (size_t i = base; i < base + h; i++) {
        const uint64_t t = (x[i] >> h ^ x[i + h]) & lower_halves[step];
        x[i + h] ^= t;
        x[i] ^= t << h;
      }
    }
  }
}

/* Returns a word whose bit i is the parity of x[i]; x is overwritten. */
static uint64_t parities_of(uint64_t x[64]) {
  for (unsigned step = 0; step < 6; step++) {
    const size_t h = (size_t)32 >> step;
    const uint64_t low = lower_halves[step];
    for (size_t i = 0; i < h; i++) {
      x[i] = ((x[i] ^ x[i] >> h) & low) | ((x[i + h] ^ x[i + h] << h) & ~low);
    }
  }
  return x[0];
}

/* Brings rows of the block k and below up to date in one word of the row, by inner products of rows
 * with the columns of this word. scratch: `size` words. */
static void update_word(size_t size, uint64_t *a, size_t k, size_t word, uint64_t *scratch) {
  const size_t stride = size / 64 + 1;

  for (size_t i = 0; i < 64 * k; i++) {
    scratch[i] = a[i * stride + word];
  }
  for (size_t j = 0; j < k; j++) {
    transpose_block(scratch + 64 * j);
  }
  //@ loop unroll 0;
  for (size_t i = 64 * k; i < size; i++) {
    uint64_t *row = a + i * stride;
    uint64_t products[64];
    for (size_t c = 0; c < 64; c += COLUMNS) {
      uint64_t sum[COLUMNS] = {0};
      //@ loop unroll 0;
      for (size_t j = 0; j < k; j++) {
        for (size_t w = 0; w < COLUMNS; w++) {
          sum[w] ^= scratch[64 * j + c + w] & row[j];
        }
      }
      for (size_t w = 0; w < COLUMNS; w++) {
        products[c + w] = sum[w];
      }
    }
    row[word] ^= parities_of(products);
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
    if (ckem_bitmatrix_find_block(reach, 64, x, NULL, parts->place + 64 * k)) {
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
static void make_upper_rows(size_t size, uint64_t *a, size_t k, uint64_t *scratch) {
  const size_t stride = size / 64 + 1;
  uint64_t *rows = a + 64 * k * stride;

  for (size_t w = k + 1; w < stride; w += SEGMENT) {
    const size_t words = stride - w < SEGMENT ? stride - w : SEGMENT;
    add_blocks_to_block(rows + w, stride, words, rows, stride, a + w, stride, 0, k);
    multiply_words_block(rows + w, stride, words, rows + k, stride, scratch);
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
    make_upper_rows(size, left, k, scratch);
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

  /* For the proof: to the end if no row is padded, otherwise not at all. */
  //@ loop unroll 100000 / (100000 * front + 1);
  for (size_t i = 0; i < size * 8; i++) {
    y[i] = i < front * 8 ? 0 : panel[i - front * 8];
  }
  for (size_t k = 0; k < blocks; k++) {
    const uint64_t *matrix = parts.matrix + 64 * k * blocks;
    uint64_t *own = y + 64 * k * 8;
    add_pivot_rows(own, 8, 8, parts.place + 64 * k, parts.reach[k]);
    add_blocks_to_block(own, 8, 8, matrix, blocks, y, 8, 0, k);
    multiply_words_block(own, 8, 8, matrix + k, blocks, y + 8 * size);
  }
  for (size_t k = blocks; k-- > 0;) {
    add_blocks_to_block(y + 512 * k, 8, 8, parts.matrix + 64 * k * blocks, blocks, y, 8, k + 1,
                        blocks);
  }
  //@ loop unroll 0;
  for (size_t i = 0; i < (size_t)rows * 8; i++) {
    panel[i] = y[front * 8 + i];
  }
}

const struct bitmatrix_ops ckem_bitmatrix_portable = {
    .name = "portable",
    .load = load_portable,
    .factor = factor_portable,
    .solve = solve_portable,
};
