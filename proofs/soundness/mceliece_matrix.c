/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Systems of ROWS equations over GF(2), in three parts. analyse_parts: the inner loops alone, with
 * any contents. analyse_update_word: one step of the factorisation, for each block of columns.
 * analyse_factor and analyse_solve: what is above them, which takes their specifications
 * (-eva-use-spec) in place of their code.
 */
#include <__fc_builtin.h>
#include <stdint.h>

#include "bitmatrix/bitmatrix_portable.c"

#define SIZE BITMATRIX_PADDED(ROWS)
#define BLOCKS (SIZE / 64)
#define STRIDE (BLOCKS + 1)

extern const uint64_t any_panel[BITMATRIX_PANEL_WORDS(ROWS)];
extern const uint64_t any_words[SIZE * STRIDE];
extern const uint16_t any_numbers[SIZE];

static void set_anything(void *memory, size_t length) {
  Frama_C_make_unknown((char *)memory, length);
}

/* --- Specifications --- */

/*@ requires words: 1 <= words <= SEGMENT;
    requires sum: \valid(sum + (0 .. words - 1)) && \initialized(sum + (0 .. words - 1));
    requires stride: words <= stride <= STRIDE;
    requires b: \initialized(b + (0 .. 63 * stride + words - 1));
    requires apart: \separated(sum + (0 .. words - 1), b + (0 .. 63 * stride + words - 1));
    assigns sum[0 .. words - 1] \from sum[0 .. words - 1], b[0 .. 63 * stride + words - 1], a;
    ensures set: \initialized(sum + (0 .. words - 1)); */
static inline void add_rows(uint64_t *sum, uint64_t a, const uint64_t *b, size_t stride,
                            size_t words);

/*@ requires first: \valid(first + (0 .. 7)) && \initialized(first + (0 .. 7));
    requires second: \valid(second + (0 .. 7)) && \initialized(second + (0 .. 7));
    requires stride: SEGMENT <= stride <= STRIDE;
    requires b: \initialized(b + (0 .. 63 * stride + 7));
    requires apart: \separated(first + (0 .. 7), second + (0 .. 7)) &&
        \separated(first + (0 .. 7), b + (0 .. 63 * stride + 7)) &&
        \separated(second + (0 .. 7), b + (0 .. 63 * stride + 7));
    assigns first[0 .. 7] \from first[0 .. 7], b[0 .. 63 * stride + 7], a;
    assigns second[0 .. 7] \from second[0 .. 7], b[0 .. 63 * stride + 7], a2;
    ensures set: \initialized(first + (0 .. 7)) && \initialized(second + (0 .. 7)); */
static inline void add_rows_to_two(uint64_t *restrict first, uint64_t *restrict second, uint64_t a,
                                   uint64_t a2, const uint64_t *restrict b, size_t stride);

/*@ requires words: 1 <= words <= SEGMENT;
    requires row: \valid(row + (0 .. words - 1)) && \initialized(row + (0 .. words - 1));
    requires stride: words <= stride <= STRIDE;
    requires range: 1 <= from <= to <= SIZE;
    requires rows: from == to ||
        \initialized(rows + (from * stride .. (to - 1) * stride + words - 1));
    assigns row[0 .. words - 1] \from row[0 .. words - 1], place,
        rows[from * stride .. (to - 1) * stride + words - 1];
    ensures set: \initialized(row + (0 .. words - 1)); */
static inline void add_pivot_row(uint64_t *row, const uint64_t *rows, size_t stride, size_t words,
                                 size_t from, size_t to, uint32_t place);

/*@ requires x: \valid(x + (0 .. 63)) && \initialized(x + (0 .. 63));
    assigns x[0 .. 63] \from x[0 .. 63];
    ensures set: \initialized(x + (0 .. 63)); */
static void transpose_block(uint64_t x[64]);

/*@ requires x: \valid(x + (0 .. 63)) && \initialized(x + (0 .. 63));
    assigns x[0 .. 63], \result \from x[0 .. 63];
    ensures set: \initialized(x + (0 .. 63)); */
static uint64_t parities_of(uint64_t x[64]);

/*@ requires size: size == SIZE;
    requires block: 0 <= k < BLOCKS && k <= word <= BLOCKS;
    requires a: \valid(a + (0 .. SIZE * STRIDE - 1)) &&
        \initialized(a + (0 .. SIZE * STRIDE - 1));
    requires scratch: \valid(scratch + (0 .. SIZE - 1));
    requires apart: \separated(scratch + (0 .. SIZE - 1), a + (0 .. SIZE * STRIDE - 1));
    assigns a[0 .. SIZE * STRIDE - 1] \from a[0 .. SIZE * STRIDE - 1];
    assigns scratch[0 .. SIZE - 1] \from a[0 .. SIZE * STRIDE - 1];
    ensures set: \initialized(a + (0 .. SIZE * STRIDE - 1)); */
static void update_word(size_t size, uint64_t *a, size_t k, size_t word, uint64_t *scratch);

/* --- The steps of bitmatrix_factor.h: real in analyse_parts, their contracts elsewhere --- */

#if defined(STEPS_BY_CONTRACT)
bool ckem_bitmatrix_find_block(size_t rows, unsigned columns, uint64_t *x, uint64_t *other,
                               uint16_t *place) {
  //@ assert rows: BLOCK_ROWS <= rows <= SIZE && rows % 64 == 0;
  //@ assert columns: columns == 64 || columns == 32 && rows == 64;
  //@ assert x: \valid(x + (0 .. rows - 1)) && \initialized(x + (0 .. rows - 1));
  //@ assert place: \valid(place + (0 .. columns - 1));
  //@ assert apart: \separated(x + (0 .. rows - 1), place + (0 .. columns - 1));
  set_anything(x, rows * sizeof *x);
  if (other != NULL) {
    //@ assert other: \valid(other + (0 .. rows - 1)) && \initialized(other + (0 .. rows - 1));
    /*@ assert other_apart: \separated(other + (0 .. rows - 1), x + (0 .. rows - 1)) &&
          \separated(other + (0 .. rows - 1), place + (0 .. columns - 1)); */
    set_anything(other, rows * sizeof *other);
  }
  if (Frama_C_interval(0, 1) != 0) {
    set_anything(place, columns * sizeof *place);
    return true;
  }
  return false;
}

bool ckem_bitmatrix_find_pivots(uint64_t *x, uint64_t *pivots) {
  //@ assert x: \valid(x + (0 .. 31)) && \initialized(x + (0 .. 31));
  //@ assert pivots: \valid(pivots) && \separated(pivots, x + (0 .. 31));
  set_anything(x, 32 * sizeof *x);
  set_anything(pivots, sizeof *pivots);
  return Frama_C_interval(0, 1) != 0;
}

/* Argued, not proved: the places are below 64. find_pivots takes the lowest column that is left in
 * rows i to 31 and clears it in the rows behind i, so each of the 32 columns is a new one; it fails
 * if none is left. The i-th lowest of 32 ones in 64 bits has a number below 64; that this is what
 * the function returns is proved in proofs/kernels/test_moves.py. */
void ckem_bitmatrix_pivot_places(uint8_t place[32], uint64_t pivots) {
  (void)pivots;
  //@ assert place: \valid(place + (0 .. 31));
  for (size_t i = 0; i < 32; i++) {
    place[i] = (uint8_t)Frama_C_interval(0, 63);
  }
}

uint64_t ckem_bitmatrix_move_bits(uint64_t x, const uint8_t place[32]) {
  (void)x;
  //@ assert place: \initialized(place + (0 .. 31));
  //@ assert below: \forall integer i; 0 <= i < 32 ==> place[i] < 64;
  return any_words[0];
}
#else

/* Everything is at the end of its array, so that what is beyond is outside. */
static void find_some(size_t rows) {
  uint64_t x[SIZE];
  uint16_t place[BLOCK_ROWS];

  set_anything(x + (SIZE - rows), rows * sizeof *x);
  if (ckem_bitmatrix_find_block(rows, 64, x + (SIZE - rows), NULL, place)) {
    //@ assert place: \initialized(place + (0 .. 63));
  }
}

static void find_in_window(void) {
  uint64_t x[BLOCK_ROWS], other[BLOCK_ROWS], pivots;
  uint16_t place[32];
  uint8_t places[32];

  set_anything(x, sizeof x);
  set_anything(other, sizeof other);
  if (ckem_bitmatrix_find_block(BLOCK_ROWS, 32, x, other, place)) {
    //@ assert place: \initialized(place + (0 .. 31));
  }
  set_anything(x + 32, 32 * sizeof *x);
  if (ckem_bitmatrix_find_pivots(x + 32, &pivots)) {
    ckem_bitmatrix_pivot_places(places, pivots);
    //@ assert places: \initialized(places + (0 .. 31));
  }
  for (size_t i = 0; i < 32; i++) {
    places[i] = (uint8_t)Frama_C_interval(0, 63);
  }
  x[0] = ckem_bitmatrix_move_bits(x[0], places);
}

void analyse_steps(void) {
  for (size_t rows = 64; rows <= SIZE; rows += 64) {
    find_some(rows);
  }
  find_in_window();
  Frama_C_show_each_end();
}

static void add_some(size_t stride, size_t words) {
  uint64_t sum[SEGMENT], first[SEGMENT], second[SEGMENT];
  const uint64_t *const b = any_words + (SIZE * STRIDE - (63 * stride + words));

  set_anything(sum + (SEGMENT - words), words * sizeof *sum);
  add_rows(sum + (SEGMENT - words), any_words[0], b, stride, words);
  if (words == SEGMENT) {
    set_anything(first, sizeof first);
    set_anything(second, sizeof second);
    add_rows_to_two(first, second, any_words[0], any_words[1], b, stride);
  }
  for (size_t to = 64; to <= SIZE; to += 64) {
    const uint64_t *const rows = any_words + (SIZE * STRIDE - ((to - 1) * stride + words));
    const size_t from = (size_t)Frama_C_interval(1, 64);

    add_pivot_row(sum + (SEGMENT - words), rows, stride, words, from, to, any_numbers[0]);
  }
}

static void transpose_some(void) {
  uint64_t x[64];

  set_anything(x, sizeof x);
  transpose_block(x);
  x[0] = parities_of(x);
}

/* Rows have STRIDE words while they are factored, and 8 in a panel. */
void analyse_parts(void) {
  for (size_t words = 1; words <= SEGMENT; words++) {
    add_some(STRIDE, words);
  }
  add_some(8, 8);
  transpose_some();
  Frama_C_show_each_end();
}
#endif

/* --- What is above them --- */

static void update_some(size_t k, size_t word) {
  uint64_t a[SIZE * STRIDE];
  uint64_t scratch[SIZE];

  set_anything(a, sizeof a);
  update_word(SIZE, a, k, word, scratch);
  //@ assert a: \initialized(a + (0 .. SIZE * STRIDE - 1));
}

void analyse_update_word(void) {
  for (size_t k = 0; k < BLOCKS; k++) {
    update_some(k, k);
  }
  update_some(BLOCKS - 1, BLOCKS);
  Frama_C_show_each_end();
}

/* As far as the last column is in the panel, and with or without a window. */
void analyse_load(void) {
  const bool window = Frama_C_interval(0, 1) != 0;
  uint64_t left[BITMATRIX_LEFT_WORDS(ROWS)];

  for (uint32_t first = 0; first < ROWS + (window ? 32 : 0); first += BITMATRIX_PANEL_COLUMNS) {
    ckem_bitmatrix_portable.load(ROWS, window, left, first, any_panel);
  }
  //@ assert left: \initialized(left + (0 .. SIZE * STRIDE - 1));
  Frama_C_show_each_end();
}

/* What factor sets, if it says so: matrix, places, and in how many rows each block looked. */
static void check_factors(const uint64_t *factors) {
  const struct factors parts = parts_of(SIZE, factors);

  //@ assert matrix: \initialized(parts.matrix + (0 .. SIZE * BLOCKS - 1));
  //@ assert place: \initialized(parts.place + (0 .. SIZE - 1));
  for (size_t k = 0; k < BLOCKS; k++) {
    const size_t left = SIZE - 64 * k;
    //@ assert reach: parts.reach[k] == left || parts.reach[k] == 128 && 128 <= left;
  }
}

void analyse_factor(void) {
  uint64_t left[BITMATRIX_LEFT_WORDS(ROWS)];
  uint64_t factors[BITMATRIX_FACTORS_WORDS(ROWS)];
  uint64_t scratch[BITMATRIX_SCRATCH_WORDS(ROWS)];
  uint64_t pivots;

  set_anything(left, SIZE * STRIDE * sizeof *left);
  if (ckem_bitmatrix_portable.factor(ROWS, WINDOW, factors, &pivots, left, scratch)) {
    check_factors(factors);
  }
  //@ assert pivots: \initialized(&pivots);
  Frama_C_show_each_end();
}

void analyse_solve(void) {
  uint64_t factors[BITMATRIX_FACTORS_WORDS(ROWS)];
  uint64_t panel[BITMATRIX_PANEL_WORDS(ROWS)];
  uint64_t scratch[BITMATRIX_SCRATCH_WORDS(ROWS)];
  struct factors parts = parts_of(SIZE, factors);

  set_anything(parts.matrix, SIZE * BLOCKS * sizeof *parts.matrix);
  set_anything(parts.place, SIZE * sizeof *parts.place);
  for (size_t k = 0; k < BLOCKS; k++) {
    const size_t left = SIZE - 64 * k;
    parts.reach[k] = (uint16_t)(Frama_C_interval(0, 1) != 0 && left >= 128 ? 128 : left);
  }
  set_anything(panel, sizeof panel);
  /* With rows in front the loop that sets this memory is one step for EVA, as round by round its
   * time grows with the cube of their number. That the loop sets it all is proved without them. */
  if (ROWS % 64 != 0) {
    set_anything(scratch, SIZE * 8 * sizeof *scratch);
  }
  ckem_bitmatrix_portable.solve(ROWS, factors, panel, scratch);
  //@ assert panel: \initialized(panel + (0 .. BITMATRIX_PANEL_WORDS(ROWS) - 1));
  Frama_C_show_each_end();
}
