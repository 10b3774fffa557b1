/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Rows of a public key, made from the secret key when they are asked for: row i of T is row i of
 * the inverse of the left square times the right part of the matrix, made panel by panel. */
#include "mceliece/rows.h"

#include <string.h>

#include "base/bytes.h"
#include "base/ct.h"
#include "mceliece/keys.h"
#include "mceliece/matrix.h"

/* What is kept. */
struct kept {
  struct mceliece_columns columns;
  uint64_t *inverse; /* panels of 512 columns */
  uint64_t *panel;
  struct arena rest;
};

static size_t inverse_panels(const struct mceliece_params *params) {
  return (mceliece_rows(params) + BITMATRIX_PANEL_COLUMNS - 1) / BITMATRIX_PANEL_COLUMNS;
}

static size_t panel_words(const struct mceliece_params *params) {
  return ARENA_WORDS(BITMATRIX_PANEL_WORDS(mceliece_rows(params)));
}

size_t ckem_mceliece_rows_words(const struct mceliece_params *params) {
  return MCELIECE_COLUMNS_WORDS(params->m) + (inverse_panels(params) + 1) * panel_words(params) +
         MCELIECE_PANEL_SCRATCH_WORDS(params->m);
}

/* Finds the parts in memory; columns are not cleared. */
static struct kept find_kept(const struct mceliece_params *params, uint64_t *memory) {
  const size_t column_words =
      ARENA_BYTES_TO_WORDS(sizeof(uint16_t) * MCELIECE_COLUMN_ENTRIES(params->m));
  struct arena arena = {memory, ckem_mceliece_rows_words(params)};
  struct kept kept;

  kept.columns.pi = (uint16_t *)arena_take(&arena, column_words);
  kept.columns.point = (uint16_t *)arena_take(&arena, column_words);
  kept.columns.inverse = (uint16_t *)arena_take(&arena, column_words);
  kept.inverse = arena_take(&arena, inverse_panels(params) * panel_words(params));
  kept.panel = arena_take(&arena, panel_words(params));
  kept.rest = arena;
  return kept;
}

codekem_status ckem_mceliece_rows_prepare(const struct mceliece_params *params,
                                          const struct backend *backend, uint64_t *memory,
                                          const uint8_t *secret_key, struct arena arena) {
  const struct bitmatrix_ops *ops = ckem_bitmatrix_ops_of(backend);
  const uint32_t rows = (uint32_t)mceliece_rows(params);
  const struct kept kept = find_kept(params, memory);
  uint64_t *factors = arena_take(&arena, BITMATRIX_FACTORS_WORDS(rows));
  uint64_t pivots;

  memset(memory, 0, 8 * ckem_mceliece_rows_words(params));
  ckem_mceliece_columns_of_key(params, backend, &kept.columns, secret_key, arena);
  if (!ckem_mceliece_factor(params, backend, false, factors, &pivots, &kept.columns, kept.panel,
                            arena)) {
    return CODEKEM_ERROR_SECRET_KEY;
  }
  uint64_t *scratch = arena_take(&arena, BITMATRIX_SCRATCH_WORDS(rows));
  for (size_t i = 0; i < inverse_panels(params); i++) {
    uint64_t *panel = kept.inverse + i * panel_words(params);

    for (size_t j = 0; j < BITMATRIX_PANEL_COLUMNS; j++) {
      const size_t row = i * BITMATRIX_PANEL_COLUMNS + j;
      if (row < rows) {
        panel[BITMATRIX_PANEL_WORDS(row) + j / 64] = UINT64_C(1) << (j % 64);
      }
    }
    ops->solve(rows, factors, panel, scratch);
  }
  return CODEKEM_OK;
}

/* Sets sum[8] to row `row` of the inverse times the panel. */
static void multiply_row(const struct mceliece_params *params, const struct kept *kept,
                         uint64_t sum[8], size_t row) {
  memset(sum, 0, 8 * sizeof *sum);
  //@ loop unroll 0;
  for (size_t r = 0; r < mceliece_rows(params); r++) {
    const uint64_t *inverse = kept->inverse + r / BITMATRIX_PANEL_COLUMNS * panel_words(params) +
                              BITMATRIX_PANEL_WORDS(row);
    const uint64_t mask = ct_mask_bit_u64(inverse[r % BITMATRIX_PANEL_COLUMNS / 64] >> (r % 64));
    const uint64_t *words = kept->panel + BITMATRIX_PANEL_WORDS(r);

    for (size_t i = 0; i < 8; i++) {
      sum[i] ^= words[i] & mask;
    }
  }
}

void ckem_mceliece_rows_write(const struct mceliece_params *params, const struct backend *backend,
                              uint8_t *rows, size_t first, size_t count, uint64_t *memory) {
  const struct kept kept = find_kept(params, memory);
  const size_t row_bytes = mceliece_row_bytes(params);
  const size_t unused = 8 * row_bytes - mceliece_columns(params);
  uint64_t sum[8];
  uint8_t bytes[64];

  for (size_t start = 0; start < row_bytes; start += sizeof bytes) {
    const size_t length = row_bytes - start < sizeof bytes ? row_bytes - start : sizeof bytes;

    ckem_mceliece_write_panel(params, backend, kept.panel, &kept.columns,
                              mceliece_rows(params) + 8 * start, kept.rest);
    for (size_t i = 0; i < count; i++) {
      multiply_row(params, &kept, sum, first + i);
      for (size_t j = 0; j < 8; j++) {
        store_le64(bytes + 8 * j, sum[j]);
      }
      memcpy(rows + i * row_bytes + start, bytes, length);
      if (start + length == row_bytes) {
        rows[(i + 1) * row_bytes - 1] &= (uint8_t)(0xFF >> unused);
      }
    }
  }
  /* Public: they are of the public key. */
  ct_declassify(rows, count * row_bytes);
}
