/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Key pairs whose public key leaves in pages, for devices whose memory does not hold it.
 *
 * The left square of the matrix is inverted in place, so that every row of the public key is a row
 * of the inverse times the rest of the matrix, which is made anew for each batch of rows.
 */
#include <string.h>

#include "backends.h"
#include "base/bytes.h"
#include "base/ct.h"
#include "base/entry.h"
#include "base/wipe.h"
#include "codekem_mceliece.h"
#include "kem.h"
#include "mceliece/mceliece.h"

/* Rows of the public key that are made together: a part of a word of the inverse. */
#define BATCH 16

#define COLUMN_WORDS(m) ARENA_BYTES_TO_WORDS(sizeof(uint16_t) * MCELIECE_COLUMN_ENTRIES(m))

/* What stays during an attempt, and the memory that its steps take in turns. */
struct pages {
  const struct mceliece_params *params;
  const struct backend *backend;
  struct mceliece_columns columns;
  uint16_t *goppa;
  struct arena rest;
};

/* Where pages go. */
struct sink {
  codekem_mceliece_write_function write;
  void *context;
  uint8_t *page;
  size_t page_bytes;
  size_t held, offset;
};

static size_t row_words(const struct mceliece_params *params) {
  return (mceliece_rows(params) + 63) / 64;
}

/* --- The inverse of the left square ----------------------------------------------------------- */

static uint64_t bit_mask(const uint64_t *row, size_t column) {
  return ct_mask_bit_u64(row[column / 64] >> (column % 64));
}

static void swap_rows_if(uint64_t *a, uint64_t *b, size_t words, uint64_t mask) {
  //@ loop unroll 0;
  for (size_t i = 0; i < words; i++) {
    const uint64_t change = (a[i] ^ b[i]) & mask;

    a[i] ^= change;
    b[i] ^= change;
  }
}

/* Brings the first row with a one in column i to place i; swapped gets where it was. Returns a
 * mask: there is one. */
static uint64_t find_pivot(uint64_t *matrix, size_t rows, size_t words, size_t i,
                           uint16_t *swapped) {
  uint64_t *pivot = matrix + words * i;
  uint32_t place = (uint32_t)i;

  //@ loop unroll 0;
  for (size_t r = i + 1; r < rows; r++) {
    uint64_t *row = matrix + words * r;
    const uint64_t mask = ~bit_mask(pivot, i) & bit_mask(row, i);

    swap_rows_if(pivot, row, words, mask);
    place = ct_select_u32((uint32_t)mask, (uint32_t)r, place);
  }
  *swapped = (uint16_t)place;
  return bit_mask(pivot, i);
}

/* Replaces a matrix by its inverse, but for the order of the columns: swapped[i] was swapped with
 * i, i counting up. Returns false if there is none, which is public. */
static bool invert_matrix(uint64_t *matrix, size_t rows, size_t words, uint16_t *swapped) {
  for (size_t i = 0; i < rows; i++) {
    uint64_t *pivot = matrix + words * i;
    const uint64_t bit = UINT64_C(1) << (i % 64);
    uint64_t found = find_pivot(matrix, rows, words, i, &swapped[i]);

    /* Public: that an attempt failed says nothing about the next one. */
    ct_declassify(&found, sizeof found);
    if (found == 0) {
      return false;
    }
    pivot[i / 64] ^= bit; /* the column itself stays: it is that of the inverse */
    //@ loop unroll 0;
    for (size_t r = 0; r < rows; r++) {
      if (r != i) {
        uint64_t *row = matrix + words * r;
        const uint64_t mask = bit_mask(row, i);

        //@ loop unroll 0;
        for (size_t k = 0; k < words; k++) {
          row[k] ^= pivot[k] & mask;
        }
      }
    }
    pivot[i / 64] ^= bit;
  }
  //@ assert swapped: \initialized(swapped + (0 .. rows - 1));
  return true;
}

/* Swaps rows and columns. */
static void transpose_square(uint64_t *matrix, size_t rows, size_t words) {
  //@ loop unroll 0;
  for (size_t r = 0; r < rows; r++) {
    //@ loop unroll 0;
    for (size_t c = 0; c < r; c++) {
      uint64_t *a = &matrix[words * r + c / 64], *b = &matrix[words * c + r / 64];
      const uint64_t change = (*a >> (c % 64) ^ *b >> (r % 64)) & 1;

      *a ^= change << (c % 64);
      *b ^= change << (r % 64);
    }
  }
}

/* Undoes the swaps of columns on the transposed inverse. */
static void undo_swaps(uint64_t *matrix, size_t rows, size_t words, const uint16_t *swapped) {
  for (size_t i = rows; i-- > 0;) {
    //@ loop unroll 0;
    for (size_t r = i + 1; r < rows; r++) {
      swap_rows_if(matrix + words * i, matrix + words * r, words,
                   ct_mask_zero_u64((uint64_t)swapped[i] ^ r));
    }
  }
}

/* --- The matrix, 512 columns of m rows at a time ---------------------------------------------- */

/* The columns from `first` on: powers is 1 / g(point) times point^i. */
struct strip {
  uint64_t *powers, *points;
};

static struct strip begin_strip(const struct pages *pages, size_t first, struct arena *arena) {
  const struct gf2m_field *field = ckem_mceliece_field(pages->params);
  const struct gf2m_ops *ops = ckem_gf2m_ops_of(pages->backend);
  struct strip strip;

  strip.powers = arena_take(arena, GF2M_BLOCK_WORDS(pages->params->m));
  strip.points = arena_take(arena, GF2M_BLOCK_WORDS(pages->params->m));
  ops->pack(field, strip.powers, pages->columns.inverse + first, GF2M_BLOCK_ELEMENTS);
  ops->pack(field, strip.points, pages->columns.point + first, GF2M_BLOCK_ELEMENTS);
  return strip;
}

static void next_powers(const struct pages *pages, const struct strip *strip) {
  ckem_gf2m_ops_of(pages->backend)
      ->multiply(ckem_mceliece_field(pages->params), strip->powers, strip->powers, strip->points,
                 1);
}

/* Writes the left square. */
static void write_square(const struct pages *pages, uint64_t *matrix, struct arena arena) {
  const size_t m = pages->params->m, rows = mceliece_rows(pages->params);
  const size_t words = row_words(pages->params);
  const uint64_t last = rows % 64 == 0 ? ~UINT64_C(0) : (UINT64_C(1) << (rows % 64)) - 1;

  for (size_t first = 0; first < words; first += GF2M_PLANE_WORDS) {
    struct arena own = arena;
    const struct strip strip = begin_strip(pages, 64 * first, &own);
    const size_t some = words - first < GF2M_PLANE_WORDS ? words - first : GF2M_PLANE_WORDS;

    for (size_t row = 0; row < rows; row++) {
      memcpy(matrix + words * row + first, strip.powers + GF2M_PLANE_WORDS * (row % m), 8 * some);
      if (row % m == m - 1) {
        next_powers(pages, &strip);
      }
    }
  }
  for (size_t row = 0; row < rows; row++) {
    matrix[words * row + words - 1] &= last;
  }
}

/* Writes BATCH rows of the public key from `first` on, for the transposed inverse. */
static void make_rows(const struct pages *pages, uint8_t *out, const uint64_t *inverse,
                      size_t first, struct arena arena) {
  const size_t m = pages->params->m, rows = mceliece_rows(pages->params);
  const size_t words = row_words(pages->params), row_bytes = mceliece_row_bytes(pages->params);

  for (size_t start = 0; start < row_bytes; start += 8 * GF2M_PLANE_WORDS) {
    struct arena own = arena;
    const struct strip strip = begin_strip(pages, rows + 8 * start, &own);
    const size_t length = row_bytes - start < 64 ? row_bytes - start : 64;
    uint64_t sums[BATCH][GF2M_PLANE_WORDS] = {{0}};

    //@ loop unroll 0;
    for (size_t row = 0; row < rows; row++) {
      const uint64_t *powers = strip.powers + GF2M_PLANE_WORDS * (row % m);
      const uint64_t bits = inverse[words * row + first / 64] >> (first % 64);

      for (size_t i = 0; i < BATCH; i++) {
        const uint64_t mask = ct_mask_bit_u64(bits >> i);
        for (size_t k = 0; k < GF2M_PLANE_WORDS; k++) {
          sums[i][k] ^= powers[k] & mask;
        }
      }
      if (row % m == m - 1) {
        next_powers(pages, &strip);
      }
    }
    for (size_t i = 0; i < BATCH; i++) {
      for (size_t k = 0; k < length; k++) {
        out[row_bytes * i + start + k] = (uint8_t)(sums[i][k / 8] >> (8 * (k % 8)));
      }
    }
  }
  for (size_t i = 0; i < BATCH; i++) {
    out[row_bytes * (i + 1) - 1] &=
        (uint8_t)(0xFF >> (8 * row_bytes - mceliece_columns(pages->params)));
  }
  /* Public: the public key. */
  ct_declassify(out, BATCH * row_bytes);
}

/* --- Key pairs -------------------------------------------------------------------------------- */

/* Passes bytes on, page by page. Returns false if the caller does not want more. */
static bool put(struct sink *sink, const uint8_t *bytes, size_t length, bool last) {
  while (length > 0 || (last && sink->held > 0)) {
    const size_t room = sink->page_bytes - sink->held;
    const size_t some = length < room ? length : room;

    memcpy(sink->page + sink->held, bytes, some);
    sink->held += some;
    bytes += some;
    length -= some;
    if (sink->held == sink->page_bytes || (last && length == 0)) {
      if (!sink->write(sink->context, sink->offset, sink->page, sink->held)) {
        return false;
      }
      sink->offset += sink->held;
      sink->held = 0;
    }
  }
  return true;
}

/* From a seed to g and the columns; the rest of its expansion goes where it belongs. Returns false
 * if it makes no key so far. */
static bool begin_key(const struct pages *pages, uint8_t *secret_key, uint8_t *next_seed,
                      struct arena arena) {
  const struct mceliece_params *params = pages->params;
  const struct mceliece_secret_key_layout layout = mceliece_lay_out_secret_key(params);
  uint8_t *bytes =
      (uint8_t *)arena_take(&arena, ARENA_BYTES_TO_WORDS(mceliece_expansion_bytes(params)));
  const struct mceliece_expansion parts =
      ckem_mceliece_expand(params, pages->backend, bytes, secret_key);

  memcpy(secret_key + layout.rejection, parts.rejection, mceliece_error_bytes(params));
  memcpy(next_seed, parts.next, MCELIECE_SEED_BYTES);
  return ckem_mceliece_goppa_polynomial(params, pages->backend, pages->goppa, parts.beta, arena) &&
         ckem_mceliece_order_columns(params, pages->backend, &pages->columns, parts.ordering,
                                     pages->goppa, arena);
}

/* Inverts the left square for the columns; returns its transpose_square, or NULL. */
static uint64_t *invert_square(const struct pages *pages, struct arena *arena) {
  const size_t rows = mceliece_rows(pages->params), words = row_words(pages->params);
  uint64_t *matrix = arena_take(arena, rows * words);
  struct arena own = *arena;
  uint16_t *swapped = (uint16_t *)arena_take(&own, ARENA_BYTES_TO_WORDS(2 * rows));

  write_square(pages, matrix, own);
  if (!invert_matrix(matrix, rows, words, swapped)) {
    return NULL;
  }
  transpose_square(matrix, rows, words);
  undo_swaps(matrix, rows, words, swapped);
  return matrix;
}

static bool write_public_key(const struct pages *pages, const uint64_t *inverse, struct sink *sink,
                             struct arena arena) {
  const size_t rows = mceliece_rows(pages->params), row_bytes = mceliece_row_bytes(pages->params);
  uint8_t *batch = (uint8_t *)arena_take(&arena, ARENA_BYTES_TO_WORDS(BATCH * row_bytes));

  sink->page = (uint8_t *)arena_take(&arena, ARENA_BYTES_TO_WORDS(sink->page_bytes));
  for (size_t first = 0; first < rows; first += BATCH) {
    const size_t some = rows - first < BATCH ? rows - first : BATCH;

    make_rows(pages, batch, inverse, first, arena);
    if (!put(sink, batch, some * row_bytes, first + some == rows)) {
      return false;
    }
  }
  return true;
}

/* Writes g and the control bits into a secret key. */
static void finish_key(const struct pages *pages, uint8_t *secret_key, struct arena arena) {
  const struct mceliece_secret_key_layout layout = mceliece_lay_out_secret_key(pages->params);

  store_le64(secret_key + MCELIECE_SEED_BYTES, UINT64_C(0xFFFFFFFF)); /* no column has moved */
  for (size_t i = 0; i < pages->params->t; i++) {
    secret_key[layout.goppa + 2 * i] = (uint8_t)pages->goppa[i];
    secret_key[layout.goppa + 2 * i + 1] = (uint8_t)(pages->goppa[i] >> 8);
  }
  ckem_benes_ops_of(pages->backend)
      ->find_control_bits(pages->params->m, secret_key + layout.control, pages->columns.pi,
                          arena_take(&arena, BENES_SCRATCH_WORDS(pages->params->m)));
}

/* Not inlined: what the entry point itself keeps on the stack is not wiped. */
static __attribute__((noinline)) codekem_status make_in_pages(
    struct pages *pages, uint8_t *secret_key, const uint8_t *seed, struct sink *sink) {
  uint8_t next_seed[MCELIECE_SEED_BYTES];
  uint64_t *inverse = NULL;
  struct arena arena;

  memcpy(secret_key, seed, MCELIECE_SEED_BYTES);
  for (size_t attempt = 0; attempt < MCELIECE_MOST_ATTEMPTS; attempt++) {
    arena = pages->rest;
    //@ dynamic_split arena.words_left;
    if (begin_key(pages, secret_key, next_seed, arena)) {
      inverse = invert_square(pages, &arena);
    }
    if (inverse != NULL) {
      break;
    }
    memcpy(secret_key, next_seed, MCELIECE_SEED_BYTES);
  }
  ckem_secure_wipe(next_seed, sizeof next_seed);
  if (inverse == NULL) {
    return CODEKEM_ERROR_INTERNAL;
  }
  if (!write_public_key(pages, inverse, sink, arena)) {
    return CODEKEM_ERROR_PUBLIC_KEY;
  }
  finish_key(pages, secret_key, pages->rest);
  return CODEKEM_OK;
}

/* The larger of the steps. */
static size_t rest_words(const struct mceliece_params *params, size_t page_bytes) {
  const size_t rows = mceliece_rows(params), m = params->m;
  const size_t strip = 2 * ARENA_WORDS(GF2M_BLOCK_WORDS(m));
  const size_t begin =
      ARENA_BYTES_TO_WORDS(mceliece_expansion_bytes(params)) + MCELIECE_ORDER_WORDS(m);
  const size_t square = ARENA_WORDS(rows * row_words(params)) + strip;
  const size_t swaps = square + ARENA_BYTES_TO_WORDS(2 * rows);
  const size_t write = square + ARENA_BYTES_TO_WORDS(BATCH * mceliece_row_bytes(params)) +
                       ARENA_BYTES_TO_WORDS(page_bytes);
  const size_t finish = ARENA_WORDS(BENES_SCRATCH_WORDS(m));
  size_t most = begin > swaps ? begin : swaps;

  most = most > write ? most : write;
  return most > finish ? most : finish;
}

size_t codekem_mceliece_keypair_in_pages_workspace(const codekem_kem *kem, size_t page_bytes) {
  const struct mceliece_variant *variant = ckem_mceliece_variant_of_kem(kem);

  if (variant == NULL || variant->semi_systematic || page_bytes > kem->length_public_key) {
    return 0;
  }
  return 8 * (3 * COLUMN_WORDS(variant->params->m) +
              ARENA_BYTES_TO_WORDS(2 * (size_t)variant->params->t) +
              rest_words(variant->params, page_bytes));
}

codekem_status codekem_mceliece_keypair_in_pages(const codekem_kem *kem, uint8_t *secret_key,
                                                 const uint8_t *seed, size_t page_bytes,
                                                 codekem_mceliece_write_function write,
                                                 void *context, void *workspace,
                                                 size_t workspace_length) {
  const size_t needed = codekem_mceliece_keypair_in_pages_workspace(kem, page_bytes);
  const struct backend *backend = ckem_backend_in_use();
  codekem_status status;

  if (kem == NULL) {
    return CODEKEM_ERROR_NULL;
  }
  if (ckem_mceliece_variant_of_kem(kem) == NULL || secret_key == NULL || seed == NULL ||
      write == NULL || workspace == NULL) {
    status = CODEKEM_ERROR_NULL;
  } else if (needed == 0 || page_bytes == 0 || workspace_length < needed ||
             (uintptr_t)workspace % CODEKEM_WORKSPACE_ALIGNMENT != 0) {
    status = CODEKEM_ERROR_WORKSPACE;
  } else if (backend == NULL) {
    status = CODEKEM_ERROR_BACKEND;
  } else {
    struct pages pages = {ckem_mceliece_variant_of_kem(kem)->params, backend,
                          .rest = {workspace, needed / 8}};
    struct sink sink = {.write = write, .context = context, .page_bytes = page_bytes};

    pages.columns = ckem_mceliece_take_columns(pages.params, &pages.rest);
    pages.goppa =
        (uint16_t *)arena_take(&pages.rest, ARENA_BYTES_TO_WORDS(2 * (size_t)pages.params->t));
    const uint64_t before = ckem_entry_begin();
    status = make_in_pages(&pages, secret_key, seed, &sink);
    ckem_secure_wipe(workspace, needed);
    entry_end(before);
    ckem_mceliece_wipe_key_stack();
  }
  if (status != CODEKEM_OK) {
    clear_output(secret_key, kem->length_secret_key);
  }
  return status;
}
