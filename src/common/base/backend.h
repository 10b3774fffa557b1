/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * A back end: one implementation of each family of mathematics, for one kind of processor.
 *
 * Schemes receive a back end and call through it. What a scheme implements for back ends of its own
 * accord is a table in its folder, by id; a back end that is not in it gets the portable one.
 */
#ifndef CODEKEM_BASE_BACKEND_H
#define CODEKEM_BASE_BACKEND_H

#include <stdbool.h>

enum backend_id {
  BACKEND_REFERENCE,
  BACKEND_PORTABLE,
  BACKEND_AVX2,
  BACKEND_AVX512,
  BACKEND_ZBC,
  BACKEND_RVV,
  BACKEND_RVV_ZVBC,
  BACKEND_NEON,
  BACKEND_NEON_SHA3,
  BACKEND_M4,
  BACKEND_WASM,
};

struct backend {
  const char *name;
  enum backend_id id;
  bool (*supported)(void); /* true if this processor and operating system can run it */
  const struct gf2x_ops *gf2x;
  const struct keccak_ops *keccak;
  const struct sparse_ops *sparse;
};

#endif
