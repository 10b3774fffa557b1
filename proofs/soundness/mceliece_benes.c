/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The control bits of a permutation in two parts, over the contract of sorting (mceliece_sort.c):
 * the portable steps alone, for all sizes from BENES_UNIT to 2^M, and what calls them, which has
 * their contracts instead. pi may be anything, also no permutation.
 */
#include <__fc_builtin.h>
#include <stdint.h>

#include "benes/benes.h"
#include "benes/benes_find.h"

#define Q (1 << M)

extern const uint16_t any_numbers[Q];

static void set_anything(void *memory, size_t length) {
  Frama_C_make_unknown((char *)memory, length);
}

/* --- The contracts --- */

static void look_up(size_t n, const uint16_t *index, const uint16_t *inverse, uint16_t *first,
                    const uint16_t *from_first, uint16_t *second, const uint16_t *from_second,
                    uint64_t *scratch) {
  //@ assert n: BENES_UNIT <= n <= Q;
  //@ assert index: \initialized(index + (0 .. n - 1));
  //@ assert inverse: \initialized(inverse + (0 .. n - 1));
  //@ assert from_first: \initialized(from_first + (0 .. n - 1));
  //@ assert first: \valid(first + (0 .. n - 1));
  /*@ assert first_apart: \separated(first + (0 .. n - 1), inverse + (0 .. n - 1)) &&
        \separated(first + (0 .. n - 1), from_first + (0 .. n - 1)) &&
        \separated(first + (0 .. n - 1), index + (0 .. n - 1)); */
  //@ assert scratch: \valid(scratch + (0 .. n - 1));
  /*@ assert scratch_apart: \separated(scratch + (0 .. n - 1), inverse + (0 .. n - 1)) &&
        \separated(scratch + (0 .. n - 1), from_first + (0 .. n - 1)) &&
        \separated(scratch + (0 .. n - 1), first + (0 .. n - 1)); */
  set_anything(scratch, n * sizeof *scratch);
  set_anything(first, n * sizeof *first);
  if (second != NULL) {
    //@ assert from_second: \initialized(from_second + (0 .. n - 1));
    //@ assert second: \valid(second + (0 .. n - 1));
    /*@ assert second_apart: \separated(second + (0 .. n - 1), inverse + (0 .. n - 1)) &&
          \separated(second + (0 .. n - 1), from_first + (0 .. n - 1)) &&
          \separated(second + (0 .. n - 1), from_second + (0 .. n - 1)) &&
          \separated(second + (0 .. n - 1), first + (0 .. n - 1)) &&
          \separated(second + (0 .. n - 1), scratch + (0 .. n - 1)) &&
          \separated(from_second + (0 .. n - 1), scratch + (0 .. n - 1)) &&
          \separated(from_second + (0 .. n - 1), first + (0 .. n - 1)); */
    set_anything(second, n * sizeof *second);
  }
}

static void conjugate(size_t n, uint16_t *to, const uint16_t *a) {
  //@ assert n: BENES_UNIT <= n <= Q;
  //@ assert a: \initialized(a + (0 .. n - 1));
  //@ assert to: \valid(to + (0 .. n - 1));
  //@ assert apart: \separated(to + (0 .. n - 1), a + (0 .. n - 1));
  set_anything(to, n * sizeof *to);
}

static void lower(size_t n, uint16_t *a, const uint16_t *b) {
  //@ assert n: BENES_UNIT <= n <= Q;
  //@ assert a: \valid(a + (0 .. n - 1)) && \initialized(a + (0 .. n - 1));
  //@ assert b: \initialized(b + (0 .. n - 1));
  //@ assert apart: \separated(a + (0 .. n - 1), b + (0 .. n - 1));
  set_anything(a, n * sizeof *a);
}

static void flip_pairs(size_t n, uint16_t *to, const uint16_t *a) {
  conjugate(n, to, a);
}

static void split(size_t n, uint16_t *even, uint16_t *odd, const uint16_t *a, const uint16_t *by,
                  uint16_t size) {
  //@ assert n: BENES_UNIT <= n <= Q;
  //@ assert size: 2 <= size <= n / 2;
  //@ assert a: \initialized(a + (0 .. n - 1));
  //@ assert by: \initialized(by + (0 .. n - 1));
  //@ assert even: \valid(even + (0 .. n / 2 - 1));
  //@ assert odd: \valid(odd + (0 .. n / 2 - 1));
  /*@ assert apart: \separated(even + (0 .. n / 2 - 1), a + (0 .. n - 1)) &&
        \separated(even + (0 .. n / 2 - 1), by + (0 .. n - 1)) &&
        \separated(even + (0 .. n / 2 - 1), odd + (0 .. n / 2 - 1)) &&
        \separated(odd + (0 .. n / 2 - 1), a + (0 .. n - 1)) &&
        \separated(odd + (0 .. n / 2 - 1), by + (0 .. n - 1)); */
  set_anything(even, n / 2 * sizeof *even);
  set_anything(odd, n / 2 * sizeof *odd);
}

static void collect(size_t n, uint64_t *bits, const uint16_t *a) {
  //@ assert n: BENES_UNIT <= n <= Q;
  //@ assert a: \initialized(a + (0 .. n - 1));
  //@ assert bits: \valid(bits + (0 .. (n + 127) / 128 - 1));
  //@ assert apart: \separated(bits + (0 .. (n + 127) / 128 - 1), a + (0 .. n - 1));
  set_anything(bits, (n + 127) / 128 * sizeof *bits);
}

static const struct benes_steps contracts = {
    .look_up = look_up,
    .conjugate = conjugate,
    .lower = lower,
    .flip_pairs = flip_pairs,
    .split = split,
    .collect = collect,
};

/* --- What is analysed --- */

void analyse_control_bits(void) {
  uint8_t control[BENES_CONTROL_BYTES(M)];
  uint64_t scratch[BENES_SCRATCH_WORDS(M)];

  ckem_benes_find(&contracts, &ckem_sort_portable, M, control, any_numbers, scratch);
  //@ assert control: \initialized(control + (0 .. BENES_CONTROL_BYTES(M) - 1));
  Frama_C_show_each_end();
}

/* Everything is at the end of its array, so that what is beyond is outside. */
static void look_up_some(size_t n) {
  uint16_t first[Q], second[Q];
  uint64_t scratch[Q];
  const uint16_t *numbers = any_numbers + (Q - n);

  ckem_benes_steps_portable.look_up(n, numbers, numbers, first + (Q - n), numbers, NULL, NULL,
                                    scratch + (Q - n));
  ckem_benes_steps_portable.look_up(n, numbers, numbers, first + (Q - n), numbers, second + (Q - n),
                                    numbers, scratch + (Q - n));
  //@ assert first: \initialized(first + (Q - n .. Q - 1));
  //@ assert second: \initialized(second + (Q - n .. Q - 1));
}

static void take_steps(size_t n) {
  uint16_t conjugated[Q], lowered[Q], flipped[Q], even[Q / 2], odd[Q / 2];
  uint64_t bits[Q / 128];
  const uint16_t *numbers = any_numbers + (Q - n);
  const size_t half = Q / 2 - n / 2, words = Q / 128 - (n + 127) / 128;

  set_anything(lowered + (Q - n), n * sizeof *lowered);
  ckem_benes_steps_portable.conjugate(n, conjugated + (Q - n), numbers);
  ckem_benes_steps_portable.lower(n, lowered + (Q - n), numbers);
  ckem_benes_steps_portable.flip_pairs(n, flipped + (Q - n), numbers);
  ckem_benes_steps_portable.split(n, even + half, odd + half, numbers, numbers, any_numbers[0]);
  ckem_benes_steps_portable.collect(n, bits + words, numbers);
  //@ assert conjugated: \initialized(conjugated + (Q - n .. Q - 1));
  //@ assert flipped: \initialized(flipped + (Q - n .. Q - 1));
  //@ assert even: \initialized(even + (half .. Q / 2 - 1));
  //@ assert odd: \initialized(odd + (half .. Q / 2 - 1));
  //@ assert bits: \initialized(bits + (words .. Q / 128 - 1));
}

void analyse_steps(void) {
  for (size_t n = BENES_UNIT; n <= Q; n *= 2) {
    look_up_some(n);
    take_steps(n);
  }
  Frama_C_show_each_end();
}
