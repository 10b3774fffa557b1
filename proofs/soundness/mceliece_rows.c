/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Rows of a public key on demand, as mceliece_operation.c, whose back end it uses. */
#include <__fc_builtin.h>
#include <stdint.h>

#include "codekem_mceliece.h"
#include "mceliece/rows.h"
#include "mceliece_operation.h"

#define ROWS (M * T)
#define ROW_BYTES MCELIECE_ROW_BYTES(M, N, T)
#define PANEL_WORDS ARENA_WORDS(BITMATRIX_PANEL_WORDS(ROWS))
#define KEPT_WORDS                                                      \
  (MCELIECE_COLUMNS_WORDS(M) + ((ROWS + 511) / 512 + 1) * PANEL_WORDS + \
   MCELIECE_PANEL_SCRATCH_WORDS(M))

extern const uint8_t any_secret_key[SECRET_KEY_BYTES];

#define SOME 3 /* rows */

/* One row, any; and the last ones in one call. */
void analyse_rows(void) {
  uint8_t memory[64 + 8 * KEPT_WORDS];
  uint64_t workspace[MCELIECE_CHECK_WORDS(M, N, T)];
  uint8_t row[ROW_BYTES], rows[SOME * ROW_BYTES];
  const codekem_status preparation = codekem_mceliece_rows_begin(
      &KEM_OBJECT, memory, sizeof memory, any_secret_key, workspace, sizeof workspace);

  /*@ assert preparation: preparation == CODEKEM_OK || preparation == CODEKEM_ERROR_SECRET_KEY ||
        preparation == CODEKEM_ERROR_WORKSPACE; */
  if (preparation == CODEKEM_OK) {
    const size_t first = (size_t)Frama_C_unsigned_long_interval(0, UINT64_MAX);
    const codekem_status one = codekem_mceliece_rows_make(&KEM_OBJECT, row, first, 1, memory);
    const codekem_status some =
        codekem_mceliece_rows_make(&KEM_OBJECT, rows, ROWS - SOME, SOME, memory);

    //@ assert one: one == CODEKEM_OK || one == CODEKEM_ERROR_WORKSPACE;
    //@ assert some: some == CODEKEM_OK || some == CODEKEM_ERROR_WORKSPACE;
    if (one == CODEKEM_OK) {
      //@ assert row: \initialized(row + (0 .. ROW_BYTES - 1));
    }
    if (some == CODEKEM_OK) {
      //@ assert rows: \initialized(rows + (0 .. SOME * ROW_BYTES - 1));
    }
  }
  Frama_C_show_each_end();
}
