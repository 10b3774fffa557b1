/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Sorting unsigned numbers in constant time.
 *
 * Timing and addresses depend on the count only, but for the reference.
 */
#ifndef CODEKEM_SORT_SORT_H
#define CODEKEM_SORT_SORT_H

#include <stddef.h>
#include <stdint.h>

#include "base/backend.h"

/* One implementation. count is a power of two, at most 2^16. Numbers are put into ascending order,
 * in place. */
struct sort_ops {
  const char *name;
  void (*sort_u32)(uint32_t *numbers, size_t count);
  void (*sort_u64)(uint64_t *numbers, size_t count);
};

/* Returns the implementation for a back end; the portable one where it has none of its own. */
const struct sort_ops *ckem_sort_ops_of(const struct backend *backend);

extern const struct sort_ops ckem_sort_reference;
extern const struct sort_ops ckem_sort_portable;
extern const struct sort_ops ckem_sort_avx2;
extern const struct sort_ops ckem_sort_avx512;
extern const struct sort_ops ckem_sort_neon;

#endif
