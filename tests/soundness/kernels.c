/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Each heavy operation of the portable back end alone, in the least that its contract grants.
 *
 * Inputs are constant arrays with unknown contents, outputs and scratch memory arrays of exactly
 * the sizes promised, uninitialised. No alarm here means that the operation keeps the contract of
 * contracts.c, wherever its arguments lie: it compares no addresses and reaches no other memory.
 */
#include <__fc_builtin.h>
#include <stdint.h>

#include "bike/bike.h"
#include "bike/bike_ops.h"
#include "gf2x/gf2x.h"
#include "gf2x/portable/gf2x_portable.h"
#include "sparse/sparse.h"

#define STRIDE GF2X_STRIDE(R_BITS)

extern const uint64_t any_a0[STRIDE];
extern const uint64_t any_b0[STRIDE];
extern const uint64_t any_a1[STRIDE];
extern const uint64_t any_b1[STRIDE];
extern const uint32_t any_support[KEY_WEIGHT];
extern const uint32_t any_positions[ERROR_WEIGHT];
extern const uint32_t any_threshold;
extern const uint32_t any_threshold_low;

void analyse_mul(void) {
  uint64_t out[STRIDE];
  uint64_t scratch[GF2X_MUL_SCRATCH_WORDS(R_BITS)];

  gf2x_portable.mul(&RING, out, any_a0, any_b0, scratch);
  //@ assert out: \initialized(out + (0 .. STRIDE - 1));
  Frama_C_show_each_end();
}

void analyse_mul_in_place(void) {
  uint64_t scratch[GF2X_MUL_SCRATCH_WORDS(R_BITS)];
  uint64_t element[STRIDE];

  Frama_C_make_unknown((char *)element, sizeof element);
  if (Frama_C_interval(0, 1) != 0) {
    gf2x_portable.mul(&RING, element, element, any_b0, scratch);
  } else {
    gf2x_portable.mul(&RING, element, any_a0, element, scratch);
  }
  //@ assert out: \initialized(element + (0 .. STRIDE - 1));
  Frama_C_show_each_end();
}

/* Scratch memory is what Toom's method takes, which is less than GF2X_LEAN_SCRATCH_WORDS. */
#define LEAN_SCRATCH GF2X_TOOM_WORDS_PORTABLE(R_BITS)

void analyse_mul_lean(void) {
  uint64_t out[STRIDE];
  uint64_t scratch[LEAN_SCRATCH];

  gf2x_portable.mul_lean(&RING, out, any_a0, any_b0, scratch);
  //@ assert out: \initialized(out + (0 .. STRIDE - 1));
  Frama_C_show_each_end();
}

void analyse_mul_lean_in_place(void) {
  uint64_t scratch[LEAN_SCRATCH];
  uint64_t element[STRIDE];

  Frama_C_make_unknown((char *)element, sizeof element);
  gf2x_portable.mul_lean(&RING, element, element, any_b0, scratch);
  //@ assert out: \initialized(element + (0 .. STRIDE - 1));
  Frama_C_show_each_end();
}

void analyse_mul_add(void) {
  uint64_t out[STRIDE];
  uint64_t scratch[GF2X_SCRATCH_WORDS(R_BITS)];

  gf2x_portable.mul_add(&RING, out, any_a0, any_b0, any_a1, any_b1, scratch);
  //@ assert out: \initialized(out + (0 .. STRIDE - 1));
  Frama_C_show_each_end();
}

void analyse_set_positions(void) {
  uint64_t of_key[STRIDE];
  uint64_t of_error0[STRIDE];
  uint64_t of_error1[STRIDE];

  sparse_portable.set_positions(&RING, of_key, any_support, KEY_WEIGHT, 0);
  sparse_portable.set_positions(&RING, of_error0, any_positions, ERROR_WEIGHT, 0);
  sparse_portable.set_positions(&RING, of_error1, any_positions, ERROR_WEIGHT, R_BITS);
  //@ assert of_key: \initialized(of_key + (0 .. STRIDE - 1));
  //@ assert of_error0: \initialized(of_error0 + (0 .. STRIDE - 1));
  //@ assert of_error1: \initialized(of_error1 + (0 .. STRIDE - 1));
  Frama_C_show_each_end();
}

/* With the second output or without. That it is set, where there is one, is asserted in the source:
 * here both cases have come together again. */
void analyse_count_unsatisfied(void) {
  uint64_t reached[STRIDE];
  uint64_t reached_low[STRIDE];
  uint64_t scratch[BIKE_COUNT_SCRATCH_WORDS(R_BITS)];

  bike_ops_portable.count_unsatisfied(&RING, reached, any_threshold,
                                      Frama_C_interval(0, 1) != 0 ? reached_low : NULL,
                                      any_threshold_low, any_a0, any_support, KEY_WEIGHT, scratch);
  //@ assert reached: \initialized(reached + (0 .. STRIDE - 1));
  Frama_C_show_each_end();
}
