/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Key pairs whose public key leaves in pages, in parts: inverting the left square, a batch of rows,
 * passing bytes on, and what is above these, which takes their specifications (-eva-use-spec). With
 * the back end of mceliece_operation.c.
 */
#include <__fc_builtin.h>

#include "mceliece_operation.h"

#include "mceliece/pages.c"

#define ROWS (M * T)
#define ROW_WORDS ((ROWS + 63) / 64)
#define SQUARE (ROWS * ROW_WORDS)
#define ROW_BYTES MCELIECE_ROW_BYTES(M, N, T)
#define STRIP_WORDS (2 * ARENA_WORDS(GF2M_BLOCK_WORDS(M)))

extern const uint8_t any_seed[MCELIECE_SEED_BYTES];
extern const uint64_t any_inverse[SQUARE];
extern const uint16_t any_swaps[ROWS];
extern const uint8_t any_rows[BATCH * ROW_BYTES];

static void set_anything(void *memory, size_t length) {
  Frama_C_make_unknown((char *)memory, length);
}

/* --- Specifications --- */

/*@ requires shape: rows == ROWS && words == ROW_WORDS;
    requires matrix: \valid(matrix + (0 .. SQUARE - 1)) &&
        \initialized(matrix + (0 .. SQUARE - 1));
    requires swapped: \valid(swapped + (0 .. ROWS - 1));
    requires apart: \separated(matrix + (0 .. SQUARE - 1), swapped + (0 .. ROWS - 1));
    assigns \result \from matrix[0 .. SQUARE - 1];
    assigns matrix[0 .. SQUARE - 1] \from matrix[0 .. SQUARE - 1];
    assigns swapped[0 .. ROWS - 1] \from matrix[0 .. SQUARE - 1];
    ensures matrix: \initialized(matrix + (0 .. SQUARE - 1));
    ensures inverted: \result == 0 ||
        \result == 1 && \initialized(swapped + (0 .. ROWS - 1)); */
static bool invert_matrix(uint64_t *matrix, size_t rows, size_t words, uint16_t *swapped);

/*@ requires shape: rows == ROWS && words == ROW_WORDS;
    requires matrix: \valid(matrix + (0 .. SQUARE - 1)) &&
        \initialized(matrix + (0 .. SQUARE - 1));
    assigns matrix[0 .. SQUARE - 1] \from matrix[0 .. SQUARE - 1];
    ensures matrix: \initialized(matrix + (0 .. SQUARE - 1)); */
static void transpose_square(uint64_t *matrix, size_t rows, size_t words);

/*@ requires shape: rows == ROWS && words == ROW_WORDS;
    requires matrix: \valid(matrix + (0 .. SQUARE - 1)) &&
        \initialized(matrix + (0 .. SQUARE - 1));
    requires swapped: \initialized(swapped + (0 .. ROWS - 1));
    requires apart: \separated(matrix + (0 .. SQUARE - 1), swapped + (0 .. ROWS - 1));
    assigns matrix[0 .. SQUARE - 1] \from matrix[0 .. SQUARE - 1], swapped[0 .. ROWS - 1];
    ensures matrix: \initialized(matrix + (0 .. SQUARE - 1)); */
static void undo_swaps(uint64_t *matrix, size_t rows, size_t words, const uint16_t *swapped);

/*@ requires pages: pages->params == &PARAMS && pages->backend == &contracts;
    requires columns: \initialized(pages->columns.point + (0 .. ENTRIES - 1)) &&
        \initialized(pages->columns.inverse + (0 .. ENTRIES - 1));
    requires inverse: \initialized(inverse + (0 .. SQUARE - 1));
    requires first: 0 <= first < ROWS && first % BATCH == 0;
    requires out: \valid(out + (0 .. BATCH * ROW_BYTES - 1));
    requires arena: arena.words_left >= STRIP_WORDS &&
        \valid(arena.next + (0 .. STRIP_WORDS - 1));
    requires apart:
        \separated(out + (0 .. BATCH * ROW_BYTES - 1), arena.next + (0 .. STRIP_WORDS - 1)) &&
        \separated(out + (0 .. BATCH * ROW_BYTES - 1), inverse + (0 .. SQUARE - 1)) &&
        \separated(arena.next + (0 .. STRIP_WORDS - 1), inverse + (0 .. SQUARE - 1)) &&
        \separated(pages->columns.point + (0 .. ENTRIES - 1),
                   arena.next + (0 .. STRIP_WORDS - 1)) &&
        \separated(pages->columns.inverse + (0 .. ENTRIES - 1),
                   arena.next + (0 .. STRIP_WORDS - 1));
    assigns out[0 .. BATCH * ROW_BYTES - 1] \from inverse[0 .. SQUARE - 1];
    assigns arena.next[0 .. STRIP_WORDS - 1] \from inverse[0 .. SQUARE - 1];
    ensures set: \initialized(out + (0 .. BATCH * ROW_BYTES - 1)); */
static void make_rows(const struct pages *pages, uint8_t *out, const uint64_t *inverse,
                      size_t first, struct arena arena);

/* --- The parts --- */

/* That all swaps are set if there is an inverse is asserted in the source. */
void analyse_invert_matrix(void) {
  uint64_t matrix[SQUARE];
  uint16_t swapped[ROWS];

  set_anything(matrix, sizeof matrix);
  const bool inverted = invert_matrix(matrix, ROWS, ROW_WORDS, swapped);

  Frama_C_show_each_end(inverted);
}

void analyse_undo_swaps(void) {
  uint64_t matrix[SQUARE];

  set_anything(matrix, sizeof matrix);
  transpose_square(matrix, ROWS, ROW_WORDS);
  undo_swaps(matrix, ROWS, ROW_WORDS, any_swaps);
  Frama_C_show_each_end();
}

void analyse_make_rows(void) {
  uint64_t words[STRIP_WORDS];
  uint8_t out[BATCH * ROW_BYTES];
  uint16_t point[ENTRIES], inverse[ENTRIES];
  const struct pages pages = {
      .params = &PARAMS, .backend = &contracts, .columns = {.point = point, .inverse = inverse}};
  const struct arena arena = {words, STRIP_WORDS};
  const size_t first = BATCH * (size_t)Frama_C_interval(0, (ROWS - 1) / BATCH);

  set_anything(point, sizeof point);
  set_anything(inverse, sizeof inverse);
  make_rows(&pages, out, any_inverse, first, arena);
  //@ assert out: \initialized(out + (0 .. BATCH * ROW_BYTES - 1));
  Frama_C_show_each_end();
}

/* Takes any page, and may stop. */
static bool take_page(void *context, size_t offset, const uint8_t *page, size_t length) {
  const size_t page_bytes = *(const size_t *)context;

  //@ assert length: 1 <= length <= page_bytes;
  //@ assert page: \initialized(page + (0 .. length - 1));
  //@ assert place: offset % page_bytes == 0 && offset + length <= PUBLIC_KEY_BYTES;
  return Frama_C_interval(0, 1) != 0;
}

/* A whole public key in pages; the page is at the end of its array. */
static void put_pages(size_t page_bytes) {
  uint8_t page[PUBLIC_KEY_BYTES];
  struct sink sink = {.write = take_page,
                      .context = &page_bytes,
                      .page = page + (PUBLIC_KEY_BYTES - page_bytes),
                      .page_bytes = page_bytes};
  bool more = true;

  for (size_t first = 0; first < ROWS && more; first += BATCH) {
    const size_t some = ROWS - first < BATCH ? ROWS - first : BATCH;

    more = put(&sink, any_rows, some * ROW_BYTES, first + some == ROWS);
  }
}

void analyse_put(void) {
  put_pages(100);
  put_pages(1000);
  put_pages(4096);
  put_pages(65535);
  put_pages(PUBLIC_KEY_BYTES - 1);
  put_pages(PUBLIC_KEY_BYTES);
  Frama_C_show_each_end();
}

/* --- What is above them --- */

#define PAGE_BYTES 2048

/* The workspace is at the end of its array. */
void analyse_keypair_in_pages(void) {
  size_t page_bytes = PAGE_BYTES;
  uint64_t memory[PUBLIC_KEY_BYTES / 8];
  uint8_t secret_key[SECRET_KEY_BYTES];
  const size_t needed = codekem_mceliece_keypair_in_pages_workspace(&KEM_OBJECT, page_bytes);
  uint64_t *const workspace = memory + (PUBLIC_KEY_BYTES - needed) / 8;
  const codekem_status status = codekem_mceliece_keypair_in_pages(
      &KEM_OBJECT, secret_key, any_seed, page_bytes, take_page, &page_bytes, workspace, needed);

  /*@ assert status: status == CODEKEM_OK || status == CODEKEM_ERROR_PUBLIC_KEY ||
        status == CODEKEM_ERROR_WORKSPACE; */
  //@ assert secret_key: \initialized(secret_key + (0 .. SECRET_KEY_BYTES - 1));
  Frama_C_show_each_end();
}
