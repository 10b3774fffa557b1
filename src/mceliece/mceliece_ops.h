/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The part of Classic McEliece that back ends implement: drawing errors, and their syndromes by the
 * public matrix. */
#ifndef CODEKEM_MCELIECE_MCELIECE_OPS_H
#define CODEKEM_MCELIECE_MCELIECE_OPS_H

#include <stddef.h>
#include <stdint.h>

#include "base/backend.h"

/* The bytes that hold a row's partner in an inner product: whole vectors, and zero behind it. */
#define MCELIECE_PARTNER_BYTES 832

/* One implementation. Positions and errors are secret; timing depends on lengths only, but for the
 * reference, which is not constant time. */
struct mceliece_ops {
  const char *name;

  /* Returns 0 if the numbers at positions are distinct, which are below 2^13; otherwise another
   * value, whose form says nothing. count: 22 to 128 (of fewer a vector reads more than it may).
   * Room for count more numbers, not initialised, must follow them. */
  uint32_t (*find_repeat)(uint16_t *positions, size_t count);

  /* Sets error[words] to ones at positions[count], which are distinct and below 64 words. */
  void (*place)(uint64_t *error, size_t words, const uint16_t *positions, size_t count);

  /* Sets bit i of parities to the inner product of row i and partner, i < count; count is a
   * multiple of 8. Rows have row_bytes bytes each, one behind the other, in any alignment; partner
   * has MCELIECE_PARTNER_BYTES, those from row_bytes on zero. */
  void (*multiply)(uint8_t *parities, const uint8_t *rows, size_t count, size_t row_bytes,
                   const uint8_t *partner);
};

/* Returns the implementation for a back end; the portable one where it has none of its own. */
const struct mceliece_ops *ckem_mceliece_ops_of(const struct backend *backend);

extern const struct mceliece_ops ckem_mceliece_ops_reference;
extern const struct mceliece_ops ckem_mceliece_ops_portable;
extern const struct mceliece_ops ckem_mceliece_ops_avx2;
extern const struct mceliece_ops ckem_mceliece_ops_avx512;
extern const struct mceliece_ops ckem_mceliece_ops_neon;
extern const struct mceliece_ops ckem_mceliece_ops_m4;

#endif
