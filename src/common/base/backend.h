/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * A back end: one implementation of each family of functions, for one kind of processor. All are in
 * the table backend.def.
 *
 * Schemes receive a back end and call through it. What they implement of their own accord, and the
 * mathematics of other libraries, is found by the back end's id.
 */
#ifndef CODEKEM_BASE_BACKEND_H
#define CODEKEM_BASE_BACKEND_H

#include <stdbool.h>

#include "base/isa.h"

/* The same numbers in every build. */
enum backend_id {
#define BACKEND_IDS
#define BACKEND(id, ...) BACKEND_##id,
#include "backend.def"
#undef BACKEND
#undef BACKEND_IDS
};

/* A build for one back end, which has no room for others. */
#if defined(CODEKEM_SMALL) && (defined(CODEKEM_HAVE_M4) || defined(CODEKEM_HAVE_WASM))
#define BACKEND_ALONE
#endif

/* A family finds its implementation for a back end by a switch on the id: BACKEND_OTHERWISE, then
 * the table, with BACKEND defined as BACKEND_TAKES of the family's column. A back end that this
 * library was compiled without gets the portable implementation. */
#define BACKEND_TAKES(label, implementation) \
  case label:                                \
    return &implementation;
#if defined(BACKEND_ALONE)
#define BACKEND_OTHERWISE(portable) default:
#else
#define BACKEND_OTHERWISE(portable) \
  default:                          \
    return &portable;
#endif

struct backend {
  const char *name;
  enum backend_id id;
  bool (*supported)(void); /* true if this processor and operating system can run it */
  const struct gf2x_ops *gf2x;
  const struct keccak_ops *keccak;
  const struct sparse_ops *sparse;
};

#endif
