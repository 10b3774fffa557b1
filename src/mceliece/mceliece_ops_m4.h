/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Encoding for the Cortex-M4 (mceliece_encode_m4.S). */
#ifndef CODEKEM_MCELIECE_MCELIECE_OPS_M4_H
#define CODEKEM_MCELIECE_MCELIECE_OPS_M4_H

#include <stddef.h>
#include <stdint.h>

#if defined(CODEKEM_HAVE_M4)

const uint32_t *ckem_mceliece_fold_rows_m4(uint32_t *sums, const uint32_t *rows, size_t count,
                                           const uint32_t *partner, size_t words);
void ckem_mceliece_place_five_m4(uint32_t *error, size_t words, const uint16_t *positions);

/* Returns a number whose bit i is the inner product of row i and partner, i < 32. Rows may begin
 * anywhere. */
uint32_t ckem_mceliece_multiply_32_rows_m4(const uint8_t *rows, const uint32_t *partner,
                                           size_t words);

#endif

#endif
