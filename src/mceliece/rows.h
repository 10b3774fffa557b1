/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Rows of a public key, made from the secret key when they are asked for. */
#ifndef CODEKEM_MCELIECE_ROWS_H
#define CODEKEM_MCELIECE_ROWS_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/backend.h"
#include "codekem.h"
#include "mceliece/params.h"

/* Returns the words of the memory that both functions below share. */
size_t ckem_mceliece_rows_words(const struct mceliece_params *params);

/* Keeps the inverse of the left square and the columns in memory; the arena has what the check of a
 * secret key takes. Errors: CODEKEM_ERROR_SECRET_KEY if the key makes no public key. */
codekem_status ckem_mceliece_rows_prepare(const struct mceliece_params *params,
                                          const struct backend *backend, uint64_t *memory,
                                          const uint8_t *secret_key, struct arena arena);

/* Writes count rows from row first on. */
void ckem_mceliece_rows_write(const struct mceliece_params *params, const struct backend *backend,
                              uint8_t *rows, size_t first, size_t count, uint64_t *memory);

#endif
