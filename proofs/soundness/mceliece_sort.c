/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The contract of sorting, in place of src/mceliece/goppa/sort/sort_portable.c: any numbers, in
 * place. Proved of the real one by mceliece_sorting.c. */
#include <__fc_builtin.h>

#include "sort/sort.h"

static void sort_u32(uint32_t *numbers, size_t count) {
  //@ assert numbers: \valid(numbers + (0 .. count - 1));
  //@ assert set: \initialized(numbers + (0 .. count - 1));
  Frama_C_make_unknown((char *)numbers, count * sizeof *numbers);
}

static void sort_u64(uint64_t *numbers, size_t count) {
  //@ assert numbers: \valid(numbers + (0 .. count - 1));
  //@ assert set: \initialized(numbers + (0 .. count - 1));
  Frama_C_make_unknown((char *)numbers, count * sizeof *numbers);
}

const struct sort_ops ckem_sort_portable = {
    .name = "contracts",
    .sort_u32 = sort_u32,
    .sort_u64 = sort_u64,
};
