/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Systems over GF(2) on strips, for vector instructions that map bytes.
 *
 * A strip is eight rows: one byte for each column, row j in bit j. Eight columns of a strip are a
 * block of 8 x 8 bits in a 64-bit word. The work is in products of such blocks with strips.
 *
 * Before it is included:
 *   to_operands(out, in, count)  makes of blocks what add_products wants; in place is possible
 *   add_products(out, out_stride, strips, a, a_stride, count, in, in_stride, width)
 *       adds to each of `strips` strips (a multiple of 4) of `width` bytes (a multiple of 64) the
 *       sum over j < count of operand a[j] times strip j of `in`. Strides are bytes for strips, and
 *       words for operands: those of the next strip are at a + a_stride. count is even.
 *   rows_to_strip(strip, rows), strip_to_rows(rows, strip)
 *       for 512 columns; rows are eight pointers to 8 words
 *   find_block(rows, x, place)   as ckem_bitmatrix_find_block with 64 columns; there are at least
 * 128 words from x on move_bytes(bytes, source)    bytes[i] = bytes[source[i]] for 64 bytes and
 * TEMPLATE_SUFFIX, TEMPLATE_BACKEND.
 */
#ifndef TEMPLATE_SUFFIX
#error This is a template: define TEMPLATE_SUFFIX, and what is named above, before it
#endif

#include <string.h>

#include "base/bytes.h"
#include "base/ct.h"
#include "base/template.h"
#include "bitmatrix/bitmatrix.h"
#include "bitmatrix/bitmatrix_factor.h"

#define BLOCK_STRIPS 8
#define PANEL_BYTES 512 /* a strip of a panel */
#define SELECTION_WORDS (BLOCK_STRIPS * REACH_ROWS / 8)

/* The parts of the factors. */
struct factors {
  uint64_t *operands;  /* of L and P^-1 and U, strip by strip */
  uint64_t *selection; /* for each block, operands that add the rows for its pivots */
  uint16_t *place;     /* r_c for each row, counted from the first row of its block */
  uint16_t *reach;     /* for each block, the rows in which it looked for pivots; public */
};

static struct factors TEMPLATE_NAME(parts_of)(size_t size, const uint64_t *factors) {
  struct factors parts = {.operands = (uint64_t *)(uintptr_t)factors};

  parts.selection = parts.operands + size * (size / 64);
  parts.place = (uint16_t *)(parts.selection + size / 64 * SELECTION_WORDS);
  parts.reach = parts.place + size;
  return parts;
}

/* Transposes 8 x 8 bits. */
static inline uint64_t TEMPLATE_NAME(transpose_block)(uint64_t x) {
  uint64_t t = (x ^ x >> 7) & 0x00AA00AA00AA00AA;

  x ^= t ^ t << 7;
  t = (x ^ x >> 14) & 0x0000CCCC0000CCCC;
  x ^= t ^ t << 14;
  t = (x ^ x >> 28) & 0x00000000F0F0F0F0;
  return x ^ t ^ t << 28;
}

/* Between 64 rows of 64 bits and eight strips of 64 columns. */
static void TEMPLATE_NAME(words_to_strips)(uint8_t *strips, size_t stride, const uint64_t *words) {
  for (size_t s = 0; s < BLOCK_STRIPS; s++) {
    for (size_t b = 0; b < 8; b++) {
      uint64_t block = 0;
      for (size_t j = 0; j < 8; j++) {
        block |= (words[8 * s + j] >> (8 * b) & 0xFF) << (8 * j);
      }
      store_le64(strips + s * stride + 8 * b, TEMPLATE_NAME(transpose_block)(block));
    }
  }
}

static void TEMPLATE_NAME(strips_to_words)(uint64_t *words, const uint8_t *strips, size_t stride,
                                           size_t count) {
  for (size_t s = 0; s < count; s++) {
    for (size_t j = 0; j < 8; j++) {
      words[8 * s + j] = 0;
    }
    for (size_t b = 0; b < 8; b++) {
      const uint64_t block = TEMPLATE_NAME(transpose_block)(load_le64(strips + s * stride + 8 * b));
      for (size_t j = 0; j < 8; j++) {
        words[8 * s + j] |= (block >> (8 * j) & 0xFF) << (8 * b);
      }
    }
  }
}

/* Sets selection[8][reach / 8] to the operands of the matrix that takes row place[c] for row c, and
 * nothing if that is c. work: `reach` words. */
static void TEMPLATE_NAME(make_selection)(uint64_t *selection, const uint16_t *place, size_t reach,
                                          uint64_t *work) {
  for (size_t w = 0; w < reach / 64; w++) {
    for (size_t c = 0; c < BLOCK_ROWS; c++) {
      const uint32_t here = ct_mask_equal_u32(place[c] / 64U, (uint32_t)w) &
                            ~ct_mask_equal_u32(place[c], (uint32_t)c);
      work[c] = ct_shift_left_u64(here & 1, place[c] % 64);
    }
    TEMPLATE_NAME(words_to_strips)((uint8_t *)(selection + 8 * w), reach, work);
  }
  to_operands(selection, selection, BLOCK_STRIPS * reach / 8);
}

/* The rows of block b of a panel as eight pointers for strip s; rows in front are `none`. */
static void TEMPLATE_NAME(strip_pointers)(const uint64_t *pointers[8], const uint64_t *panel,
                                          size_t front, size_t s, const uint64_t *none) {
  for (size_t j = 0; j < 8; j++) {
    pointers[j] = 8 * s + j < front ? none : panel + 8 * (8 * s + j - front);
  }
}

static void TEMPLATE_NAME(bitmatrix_load)(uint32_t rows, bool window, uint64_t *left,
                                          uint32_t first, const uint64_t *panel) {
  _Alignas(64) static const uint64_t none[8] = {0};
  _Alignas(64) uint8_t strip[PANEL_BYTES];
  const size_t size = BITMATRIX_PADDED(rows);
  const size_t stride = size + 64;
  const size_t front = size - rows;
  const size_t end = size + (window ? 32 : 0);
  const size_t width = end - (front + first) < PANEL_BYTES ? end - (front + first) : PANEL_BYTES;
  uint8_t *a = (uint8_t *)left;

  if (first == 0) {
    memset(a, 0, size / 8 * stride);
    for (size_t i = 0; i < front; i++) {
      a[i / 8 * stride + i] = (uint8_t)(1U << (i % 8));
    }
  }
  for (size_t s = front / 8; s < size / 8; s++) {
    const uint64_t *pointers[8];
    TEMPLATE_NAME(strip_pointers)(pointers, panel, front, s, none);
    rows_to_strip(strip, pointers);
    memcpy(a + s * stride + front + first, strip, width);
  }
}

/* Finds the pivots that may move, and moves their columns. work: 4 * 64 words. */
static bool TEMPLATE_NAME(move_pivots)(size_t size, uint8_t *a, uint64_t *pivots, uint64_t *work) {
  const size_t stride = size + 64;
  const uint8_t *block = a + (size / 8 - BLOCK_STRIPS) * stride + size - 64;
  uint64_t *x = work, *carried = work + 64, *sums = work + 128;
  uint16_t place[BLOCK_ROWS], source[64];
  uint8_t bytes[64];

  TEMPLATE_NAME(strips_to_words)(x, block, stride, BLOCK_STRIPS);
  TEMPLATE_NAME(strips_to_words)(carried, block + 64, stride, BLOCK_STRIPS);
  if (!ckem_bitmatrix_find_block(BLOCK_ROWS, 32, x, carried, place)) {
    return false;
  }
  for (size_t i = 0; i < 32; i++) {
    sums[i] = x[32 + i] >> 32 | carried[32 + i] << 32;
  }
  if (!ckem_bitmatrix_find_pivots(sums, pivots)) {
    return false;
  }
  for (size_t i = 0; i < 64; i++) {
    source[i] = (uint16_t)i;
  }
  ckem_bitmatrix_move_pivots(32, *pivots, source);
  for (size_t i = 0; i < 64; i++) {
    bytes[i] = (uint8_t)source[i];
  }
  for (size_t s = 0; s < size / 8; s++) {
    move_bytes(a + s * stride + size - 32, bytes);
  }
  return true;
}

/* Finds the pivots of block k, adds the rows for them, puts P^-1 into its place and the rows of U
 * behind it. */
static bool TEMPLATE_NAME(factor_block)(size_t size, uint8_t *a, size_t k, struct factors *parts,
                                        uint64_t *scratch) {
  const size_t stride = size + 64;
  const size_t left = size - 64 * k;
  const size_t behind = 64 * (k + 1);
  size_t reach = left < REACH_ROWS ? left : REACH_ROWS;
  uint8_t *rows = a + 8 * k * stride;
  uint16_t *place = parts->place + 64 * k;
  uint64_t *x = scratch, *work = scratch + size;
  uint64_t *selection = scratch + size + 64; /* at most size words */
  uint8_t *copy = (uint8_t *)(scratch + 2 * size + 64);

  while (1) {
    TEMPLATE_NAME(strips_to_words)(x, rows + 64 * k, stride, reach / 8);
    if (find_block(reach, x, place)) {
      break;
    }
    if (reach == left) {
      return false;
    }
    reach = left;
  }
  parts->reach[k] = (uint16_t)reach;
  TEMPLATE_NAME(make_selection)(selection, place, reach, work);
  if (reach <= REACH_ROWS) {
    memcpy(parts->selection + k * SELECTION_WORDS, selection, reach * sizeof *selection);
  }
  memcpy(copy, rows, reach / 8 * stride);
  add_products(rows, stride, BLOCK_STRIPS, selection, reach / 8, reach / 8, copy, stride, stride);
  TEMPLATE_NAME(words_to_strips)(rows + 64 * k, stride, x);
  /* U = P^-1 times what is behind the block */
  memcpy(copy, rows, BLOCK_STRIPS * stride);
  for (size_t s = 0; s < BLOCK_STRIPS; s++) {
    memset(rows + s * stride + behind, 0, stride - behind);
    to_operands(selection + 8 * s, (const uint64_t *)(copy + s * stride + 64 * k), 8);
  }
  add_products(rows + behind, stride, BLOCK_STRIPS, selection, 8, 8, copy + behind, stride,
               stride - behind);
  return true;
}

static bool TEMPLATE_NAME(bitmatrix_factor)(uint32_t rows, bool window, uint64_t *factors,
                                            uint64_t *pivots, uint64_t *left, uint64_t *scratch) {
  const size_t size = BITMATRIX_PADDED(rows);
  const size_t blocks = size / 64;
  const size_t stride = size + 64;
  uint8_t *a = (uint8_t *)left;
  struct factors parts = TEMPLATE_NAME(parts_of)(size, factors);

  *pivots = UINT32_MAX;
  for (size_t k = 0; k < blocks; k++) {
    const size_t behind = 64 * (k + 1);
    if (window && k == blocks - 1 && !TEMPLATE_NAME(move_pivots)(size, a, pivots, scratch)) {
      return false;
    }
    if (!TEMPLATE_NAME(factor_block)(size, a, k, &parts, scratch)) {
      return false;
    }
    /* the rows below, behind the block: minus L U */
    for (size_t s = 8 * (k + 1); s < size / 8; s++) {
      to_operands(scratch + 8 * (s - 8 * (k + 1)), (const uint64_t *)(a + s * stride + 64 * k), 8);
    }
    add_products(a + behind / 8 * stride + behind, stride, size / 8 - behind / 8, scratch, 8, 8,
                 a + 8 * k * stride + behind, stride, stride - behind);
  }
  for (size_t s = 0; s < size / 8; s++) {
    to_operands(parts.operands + s * (size / 8), (const uint64_t *)(a + s * stride), size / 8);
  }
  return true;
}

/* Replaces the 64 rows of block k of y by E's rows times y. */
static void TEMPLATE_NAME(select_rows)(size_t k, const struct factors *parts, uint8_t *y,
                                       uint64_t *scratch) {
  const size_t reach = parts->reach[k];
  const uint64_t *selection = parts->selection + k * SELECTION_WORDS;
  uint8_t *own = y + 8 * k * PANEL_BYTES;

  if (reach > REACH_ROWS) {
    uint64_t *made = scratch;
    scratch += reach;
    TEMPLATE_NAME(make_selection)(made, parts->place + 64 * k, reach, scratch);
    selection = made;
  }
  memcpy(scratch, own, reach / 8 * PANEL_BYTES);
  add_products(own, PANEL_BYTES, BLOCK_STRIPS, selection, reach / 8, reach / 8,
               (const uint8_t *)scratch, PANEL_BYTES, PANEL_BYTES);
}

static void TEMPLATE_NAME(bitmatrix_solve)(uint32_t rows, const uint64_t *factors, uint64_t *panel,
                                           uint64_t *scratch) {
  _Alignas(64) uint64_t none[8] = {0};
  const size_t size = BITMATRIX_PADDED(rows);
  const size_t strips = size / 8;
  const size_t front = size - rows;
  const struct factors parts = TEMPLATE_NAME(parts_of)(size, factors);
  const uint64_t *pointers[8];
  uint8_t *y = (uint8_t *)scratch;
  uint8_t *copy = y + strips * PANEL_BYTES;

  for (size_t s = 0; s < strips; s++) {
    TEMPLATE_NAME(strip_pointers)(pointers, panel, front, s, none);
    rows_to_strip(y + s * PANEL_BYTES, pointers);
  }
  for (size_t k = 0; k < size / 64; k++) {
    const uint64_t *a = parts.operands + 8 * k * strips;
    uint8_t *own = y + 8 * k * PANEL_BYTES;
    TEMPLATE_NAME(select_rows)(k, &parts, y, (uint64_t *)copy);
    add_products(own, PANEL_BYTES, BLOCK_STRIPS, a, strips, 8 * k, y, PANEL_BYTES, PANEL_BYTES);
    memcpy(copy, own, BLOCK_STRIPS * PANEL_BYTES);
    memset(own, 0, BLOCK_STRIPS * PANEL_BYTES);
    add_products(own, PANEL_BYTES, BLOCK_STRIPS, a + 8 * k, strips, 8, copy, PANEL_BYTES,
                 PANEL_BYTES);
  }
  for (size_t k = size / 64; k-- > 0;) {
    const size_t next = 8 * (k + 1);
    add_products(y + 8 * k * PANEL_BYTES, PANEL_BYTES, BLOCK_STRIPS,
                 parts.operands + 8 * k * strips + next, strips, strips - next,
                 y + next * PANEL_BYTES, PANEL_BYTES, PANEL_BYTES);
  }
  for (size_t s = front / 8; s < strips; s++) {
    TEMPLATE_NAME(strip_pointers)(pointers, panel, front, s, none);
    strip_to_rows(pointers, y + s * PANEL_BYTES);
  }
}

const struct bitmatrix_ops TEMPLATE_NAME(ckem_bitmatrix) = {
    .name = TEMPLATE_BACKEND,
    .load = TEMPLATE_NAME(bitmatrix_load),
    .factor = TEMPLATE_NAME(bitmatrix_factor),
    .solve = TEMPLATE_NAME(bitmatrix_solve),
};
