/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Control bits of a permutation, over the steps that back ends implement. */
#ifndef CODEKEM_BENES_BENES_FIND_H
#define CODEKEM_BENES_BENES_FIND_H

#include <stddef.h>
#include <stdint.h>

#include "sort/sort.h"

/* Numbers that are handled at once, at least: several small permutations together. */
#define BENES_UNIT 64

/* One implementation of the steps. n is a power of two, and all arrays have n numbers below n,
 * unless stated otherwise. Outputs are none of the inputs. Constant time. n >= BENES_UNIT for all
 * but the portable one. */
struct benes_steps {
  /* first[y] = from_first[index[y]], and the same for second, which may be NULL. index is a
   * permutation and inverse is its inverse. scratch: n words. */
  void (*look_up)(size_t n, const uint16_t *index, const uint16_t *inverse, uint16_t *first,
                  const uint16_t *from_first, uint16_t *second, const uint16_t *from_second,
                  uint64_t *scratch);
  /* to[y] = a[y ^ 1] ^ 1. */
  void (*conjugate)(size_t n, uint16_t *to, const uint16_t *a);
  /* a[y] = min(a[y], b[y]). */
  void (*lower)(size_t n, uint16_t *a, const uint16_t *b);
  /* to[y] = y ^ (a[y with the lowest bit cleared] & 1). */
  void (*flip_pairs)(size_t n, uint16_t *to, const uint16_t *a);
  /* For each pair a[2 k], a[2 k + 1]: exchanges them if the lowest bit of by[2 k] is set, then
   * even[k] and odd[k] get their halves modulo `size`, a power of two. */
  void (*split)(size_t n, uint16_t *even, uint16_t *odd, const uint16_t *a, const uint16_t *by,
                uint16_t size);
  /* bit k of bits = lowest bit of a[2 k]; n / 2 bits, in whole words from n = 128 on. */
  void (*collect)(size_t n, uint64_t *bits, const uint16_t *a);
};

extern const struct benes_steps ckem_benes_steps_portable;

/* look_up by sorting (inverse, values). */
void ckem_benes_look_up_by_sorting(const struct sort_ops *sort, size_t n, const uint16_t *inverse,
                                   uint16_t *first, const uint16_t *from_first, uint16_t *second,
                                   const uint16_t *from_second, uint64_t *scratch);

/* As find_control_bits of struct benes_ops; sort makes the first inverse. */
void ckem_benes_find(const struct benes_steps *steps, const struct sort_ops *sort, unsigned m,
                     uint8_t *control, const uint16_t *pi, uint64_t *scratch);

#endif
