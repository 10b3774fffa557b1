/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* From the numbers of a seed to the public matrix of a Goppa code [MCE, 5.2 to 5.5]. */
#ifndef CODEKEM_MCELIECE_MATRIX_H
#define CODEKEM_MCELIECE_MATRIX_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/backend.h"
#include "bitmatrix/bitmatrix.h"
#include "gf2m/gf2m.h"
#include "mceliece/params.h"

/* The columns of the field matrix by their place: a column is inverse, inverse point, inverse
 * point^2, ... Behind the q entries of each there is room for a panel, so that one can be packed
 * anywhere. */
struct mceliece_columns {
  uint16_t *pi;      /* the places of the points in natural order */
  uint16_t *point;   /* alpha */
  uint16_t *inverse; /* 1 / g(alpha) */
};

#define MCELIECE_COLUMN_ENTRIES(m) (((size_t)1 << (m)) + BITMATRIX_PANEL_COLUMNS)
#define MCELIECE_COLUMNS_WORDS(m) \
  (3 * ARENA_BYTES_TO_WORDS(sizeof(uint16_t) * MCELIECE_COLUMN_ENTRIES(m)))

/* Takes columns from an arena, zeroed. */
struct mceliece_columns ckem_mceliece_take_columns(const struct mceliece_params *params,
                                                   struct arena *arena);

/* Scratch memory of the next functions, in words. */
#define MCELIECE_ORDER_WORDS(m)                                       \
  (ARENA_WORDS((size_t)1 << (m)) + ARENA_WORDS(GF2M_FIELD_WORDS(m)) + \
   ARENA_WORDS(GF2M_SCRATCH_WORDS(m)))

/* Fills the columns for the ordering of q numbers of 32 bits and g, t coefficients [MCE, 5.3].
 * Returns false if two numbers are equal; that is public. */
bool ckem_mceliece_order_columns(const struct mceliece_params *params,
                                 const struct backend *backend,
                                 const struct mceliece_columns *columns, const uint8_t *ordering,
                                 const uint16_t *goppa, struct arena arena);

/* Fills point and inverse for g and a pi that is there. */
void ckem_mceliece_fill_columns(const struct mceliece_params *params, const struct backend *backend,
                                const struct mceliece_columns *columns, const uint16_t *goppa,
                                struct arena arena);

/* Writes a panel of the binary matrix: 512 columns from first on. */
void ckem_mceliece_write_panel(const struct mceliece_params *params, const struct backend *backend,
                               uint64_t *panel, const struct mceliece_columns *columns,
                               size_t first, struct arena arena);
#define MCELIECE_PANEL_SCRATCH_WORDS(m) (2 * ARENA_WORDS(GF2M_BLOCK_WORDS(m)))

/* Factors the left square [MCE, 5.4]; where semi_systematic, moves the columns of the last pivots
 * [MCE, 5.5]. Returns false if that is not possible, which is public. */
bool ckem_mceliece_factor(const struct mceliece_params *params, const struct backend *backend,
                          bool semi_systematic, uint64_t *factors, uint64_t *pivots,
                          const struct mceliece_columns *columns, uint64_t *panel,
                          struct arena arena);
#define MCELIECE_FACTOR_WORDS(m, t)                         \
  (ARENA_WORDS(BITMATRIX_LEFT_WORDS(MCELIECE_ROWS(m, t))) + \
   ARENA_WORDS(BITMATRIX_SCRATCH_WORDS(MCELIECE_ROWS(m, t))) + MCELIECE_PANEL_SCRATCH_WORDS(m))

/* Makes the public key of columns as ckem_mceliece_factor does, panel by panel. */
bool ckem_mceliece_make_public_key(const struct mceliece_params *params,
                                   const struct backend *backend, bool semi_systematic,
                                   uint8_t *public_key, uint64_t *pivots,
                                   const struct mceliece_columns *columns, struct arena arena);
#define MCELIECE_MATRIX_WORDS(m, t)                            \
  (ARENA_WORDS(BITMATRIX_FACTORS_WORDS(MCELIECE_ROWS(m, t))) + \
   ARENA_WORDS(BITMATRIX_PANEL_WORDS(MCELIECE_ROWS(m, t))) + MCELIECE_FACTOR_WORDS(m, t))

/* Finds g, t coefficients, of beta, t numbers of 16 bits [MCE, 5.2]. Returns false if the minimal
 * polynomial has a lower degree; that is public. arena: at least MCELIECE_ORDER_WORDS. */
bool ckem_mceliece_goppa_polynomial(const struct mceliece_params *params,
                                    const struct backend *backend, uint16_t *goppa,
                                    const uint8_t *beta, struct arena arena);

#endif
