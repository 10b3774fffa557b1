/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Sorting in two parts: exchanges alone, for every length that occurs, and the network above them,
 * which takes their specification (-eva-use-spec).
 */
#include <__fc_builtin.h>
#include <stdint.h>

#include "sort/sort.h"

/*@ requires last: last == 31;
    requires a: \valid(a + (0 .. count - 1)) && \initialized(a + (0 .. count - 1));
    requires b: \valid(b + (0 .. count - 1)) && \initialized(b + (0 .. count - 1));
    requires apart: \separated(a + (0 .. count - 1), b + (0 .. count - 1));
    assigns a[0 .. count - 1] \from a[0 .. count - 1], b[0 .. count - 1];
    assigns b[0 .. count - 1] \from a[0 .. count - 1], b[0 .. count - 1];
    ensures set: \initialized(a + (0 .. count - 1)) && \initialized(b + (0 .. count - 1)); */
static inline void exchange_u32(uint32_t *restrict a, uint32_t *restrict b, size_t count,
                                uint32_t last);

/*@ requires last: last == 63;
    requires a: \valid(a + (0 .. count - 1)) && \initialized(a + (0 .. count - 1));
    requires b: \valid(b + (0 .. count - 1)) && \initialized(b + (0 .. count - 1));
    requires apart: \separated(a + (0 .. count - 1), b + (0 .. count - 1));
    assigns a[0 .. count - 1] \from a[0 .. count - 1], b[0 .. count - 1];
    assigns b[0 .. count - 1] \from a[0 .. count - 1], b[0 .. count - 1];
    ensures set: \initialized(a + (0 .. count - 1)) && \initialized(b + (0 .. count - 1)); */
static inline void exchange_u64(uint64_t *restrict a, uint64_t *restrict b, size_t count,
                                uint32_t last);

#include "sort/sort_portable.c"

#define LONGEST 4096

static void exchange_some(size_t count) {
  uint32_t a[LONGEST], b[LONGEST];
  uint64_t c[LONGEST], d[LONGEST];

  Frama_C_make_unknown((char *)(a + (LONGEST - count)), count * sizeof *a);
  Frama_C_make_unknown((char *)(b + (LONGEST - count)), count * sizeof *b);
  Frama_C_make_unknown((char *)(c + (LONGEST - count)), count * sizeof *c);
  Frama_C_make_unknown((char *)(d + (LONGEST - count)), count * sizeof *d);
  exchange_u32(a + (LONGEST - count), b + (LONGEST - count), count, 31);
  exchange_u64(c + (LONGEST - count), d + (LONGEST - count), count, 63);
}

/* Runs of any power of two, and what is left of rows of eight. */
void analyse_exchange(void) {
  //@ loop unroll 8;
  for (size_t count = 1; count < 8; count++) {
    exchange_some(count);
  }
  //@ loop unroll 20;
  for (size_t count = 8; count <= LONGEST; count *= 2) {
    exchange_some(count);
  }
  Frama_C_show_each_end();
}

static void sort_some(size_t count) {
  uint32_t numbers[2 * LONGEST];
  uint64_t long_numbers[2 * LONGEST];

  Frama_C_make_unknown((char *)(numbers + (2 * LONGEST - count)), count * sizeof *numbers);
  Frama_C_make_unknown((char *)(long_numbers + (2 * LONGEST - count)),
                       count * sizeof *long_numbers);
  ckem_sort_portable.sort_u32(numbers + (2 * LONGEST - count), count);
  ckem_sort_portable.sort_u64(long_numbers + (2 * LONGEST - count), count);
  //@ assert numbers: \initialized(numbers + (2 * LONGEST - count .. 2 * LONGEST - 1));
  //@ assert long_numbers: \initialized(long_numbers + (2 * LONGEST - count .. 2 * LONGEST - 1));
}

/* FIRST to LAST numbers, powers of two. */
void analyse_sort(void) {
  for (size_t count = FIRST; count <= LAST; count *= 2) {
    sort_some(count);
  }
  Frama_C_show_each_end();
}
