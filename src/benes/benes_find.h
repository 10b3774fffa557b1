/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Control bits of a permutation, over any way to look up entries of secret indices. */
#ifndef CODEKEM_BENES_BENES_FIND_H
#define CODEKEM_BENES_BENES_FIND_H

#include <stddef.h>
#include <stdint.h>

#include "benes/names.h"
#include "sort/sort.h"

/* What looking up takes. */
struct benes_look_up {
  const struct sort_ops *sort;
  uint64_t *scratch; /* 2^m words */
};

/* Sets first[y] = from_first[index[y]] and the same for second, which may be NULL, for all y < n.
 * index is a permutation and inverse is its inverse; n is a power of two, at least 2. Numbers are
 * below n. The outputs are none of the inputs. */
typedef void benes_look_up_function(const struct benes_look_up *with, size_t n,
                                    const uint16_t *index, const uint16_t *inverse,
                                    uint16_t *first, const uint16_t *from_first, uint16_t *second,
                                    const uint16_t *from_second);

/* Sorts (inverse, values). */
benes_look_up_function benes_look_up_by_sorting;

/* As find_control_bits of struct benes_ops. */
void benes_find(benes_look_up_function *look_up, const struct sort_ops *sort, unsigned m,
                uint8_t *control, const uint16_t *pi, uint64_t *scratch);

#endif
