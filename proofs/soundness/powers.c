/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The powers that inversion takes, as in products.c: a transpose of 64 by 64 bits alone, and each
 * power over its specification.
 */
#include <__fc_builtin.h>
#include <stdint.h>

#include "bike/bike.h"
#include "gf2x/gf2x.h"
#include "gf2x/gf2x_power.h"
#include "gf2x/portable/gf2x_portable.h"

#define STRIDE GF2X_STRIDE(R_BITS)

extern const uint64_t any_a[STRIDE];

/*@ requires in: \initialized(in + (0 .. 63));
    requires out: \valid(out + (0 .. 63));
    requires apart: \separated(out + (0 .. 63), in + (0 .. 63));
    assigns out[0 .. 63] \from in[0 .. 63];
    ensures set: \initialized(out + (0 .. 63)); */
void ckem_gf2x_transpose(uint64_t out[64], const uint64_t in[64]);

void analyse_transpose(void) {
  uint64_t in[64], out[64];

  Frama_C_make_unknown((char *)in, sizeof in);
  ckem_gf2x_transpose(out, in);
  //@ assert out: \initialized(out + (0 .. 63));
  Frama_C_show_each_end();
}

static void square_times(uint32_t k) {
  uint64_t out[STRIDE];
  uint64_t scratch[GF2X_SCRATCH_WORDS(R_BITS)];

  ckem_gf2x_portable.square_times(&RING, out, any_a, k, scratch);
  //@ assert out: \initialized(out + (0 .. STRIDE - 1));
}

/* The powers that inversion takes, as in ckem_gf2x_invert. Where loops are not unrolled, numbers
 * that are reduced stay below the length of the ring. */
void analyse_square_times(void) {
  //@ widen_hints global:"all", (R_BITS - 1);
  for (uint32_t i = 0; (R_BITS - 2) >> i != 0; i++) {
    const uint32_t power = (uint32_t)1 << i;
    square_times(power);
    if (i > 0 && ((R_BITS - 2) & power) != 0) {
      square_times((R_BITS - 2) & (power - 1));
    }
  }
  Frama_C_show_each_end();
}
