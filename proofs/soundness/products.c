/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The products of the portable back end, in the least memory that the contract of each grants
 * (contracts.c). No alarm here means that they keep it, wherever their arguments lie: they compare
 * no addresses and reach no other memory.
 *
 * Products are made of nine products of values each, twice. So the analyses are three: a product
 * of words, a product of values over the specification of the first, products of elements over that
 * of the second. Inputs are constant arrays with unknown contents, outputs and scratch memory are
 * arrays of exactly the sizes promised, uninitialised.
 */
#include <__fc_builtin.h>
#include <stdint.h>

#include "bike/bike.h"
#include "gf2x/gf2x.h"
#include "gf2x/portable/gf2x_portable.h"

#define STRIDE GF2X_STRIDE(R_BITS)
#define VALUE_BITS (GF2X_PART_BITS_PORTABLE(R_BITS) + GF2X_VALUE_GROWTH_PORTABLE)
#define VALUE GF2X_VALUE_WORDS_PORTABLE(R_BITS)
#define INNER GF2X_INNER_WORDS_PORTABLE(R_BITS)
#define SCRATCH GF2X_MUL_SCRATCH_PORTABLE(INNER)
#define MEMORY (20 * INNER + SCRATCH)

/*@ requires n: n == INNER;
    requires a: \valid(a + (0 .. INNER - 1)) && \initialized(a + (0 .. INNER - 1));
    requires b: \valid(b + (0 .. INNER - 1)) && \initialized(b + (0 .. INNER - 1));
    requires out: \valid(out + (0 .. 2 * INNER - 1));
    requires scratch: \valid(scratch + (0 .. SCRATCH - 1));
    requires apart: \separated(a + (0 .. INNER - 1), b + (0 .. INNER - 1)) &&
        \separated(out + (0 .. 2 * INNER - 1), a + (0 .. INNER - 1)) &&
        \separated(out + (0 .. 2 * INNER - 1), b + (0 .. INNER - 1)) &&
        \separated(scratch + (0 .. SCRATCH - 1), out + (0 .. 2 * INNER - 1)) &&
        \separated(scratch + (0 .. SCRATCH - 1), a + (0 .. INNER - 1)) &&
        \separated(scratch + (0 .. SCRATCH - 1), b + (0 .. INNER - 1));
    assigns out[0 .. 2 * INNER - 1] \from a[0 .. INNER - 1], b[0 .. INNER - 1];
    assigns a[0 .. INNER - 1] \from a[0 .. INNER - 1];
    assigns b[0 .. INNER - 1] \from b[0 .. INNER - 1];
    assigns scratch[0 .. SCRATCH - 1] \from a[0 .. INNER - 1], b[0 .. INNER - 1];
    ensures set: \initialized(out + (0 .. 2 * INNER - 1)); */
void ckem_gf2x_mul_words_portable(uint64_t *out, uint64_t *a, uint64_t *b, size_t n,
                                  uint64_t *scratch);

#include "gf2x/portable/gf2x_toom_portable.c"

/* The product takes the place of its factors. */
/*@ requires factors: words == VALUE && a == out && b == out + VALUE;
    requires cut: cut->bits == VALUE_BITS && cut->part == GF2X_PART_BITS_PORTABLE(VALUE_BITS) &&
        cut->words == INNER;
    requires out: \valid(out + (0 .. 2 * VALUE - 1)) && \initialized(out + (0 .. 2 * VALUE - 1));
    requires memory: \valid(memory + (0 .. MEMORY - 1));
    requires apart: \separated(memory + (0 .. MEMORY - 1), out + (0 .. 2 * VALUE - 1)) &&
        \separated(cut, out + (0 .. 2 * VALUE - 1)) && \separated(cut, memory + (0 .. MEMORY - 1));
    assigns out[0 .. 2 * VALUE - 1] \from out[0 .. 2 * VALUE - 1];
    assigns memory[0 .. MEMORY - 1] \from out[0 .. 2 * VALUE - 1];
    ensures set: \initialized(out + (0 .. 2 * VALUE - 1)); */
static void multiply_value_portable(uint64_t *out, const uint64_t *a, const uint64_t *b,
                                    size_t words, const struct cut *cut, uint64_t *memory);

extern const uint64_t any_a0[STRIDE];
extern const uint64_t any_b0[STRIDE];
extern const uint64_t any_a1[STRIDE];
extern const uint64_t any_b1[STRIDE];

void analyse_words(void) {
  uint64_t a[INNER], b[INNER], out[2 * INNER], scratch[SCRATCH];

  Frama_C_make_unknown((char *)a, sizeof a);
  Frama_C_make_unknown((char *)b, sizeof b);
  ckem_gf2x_mul_words_portable(out, a, b, INNER, scratch);
  //@ assert out: \initialized(out + (0 .. 2 * INNER - 1));
  Frama_C_show_each_end();
}

void analyse_value(void) {
  const struct cut cut = cut_portable(VALUE_BITS);
  uint64_t values[2 * VALUE], memory[MEMORY];

  Frama_C_make_unknown((char *)values, sizeof values);
  multiply_value_portable(values, values, values + VALUE, VALUE, &cut, memory);
  //@ assert out: \initialized(values + (0 .. 2 * VALUE - 1));
  Frama_C_show_each_end();
}

static void mul(void) {
  uint64_t out[STRIDE];
  uint64_t scratch[GF2X_MUL_SCRATCH_WORDS(R_BITS)];

  ckem_gf2x_portable.mul(&RING, out, any_a0, any_b0, scratch);
  //@ assert out: \initialized(out + (0 .. STRIDE - 1));
}

static void mul_in_place_of_a(void) {
  uint64_t scratch[GF2X_MUL_SCRATCH_WORDS(R_BITS)];
  uint64_t element[STRIDE];

  Frama_C_make_unknown((char *)element, sizeof element);
  ckem_gf2x_portable.mul(&RING, element, element, any_b0, scratch);
  //@ assert out: \initialized(element + (0 .. STRIDE - 1));
}

static void mul_in_place_of_b(void) {
  uint64_t scratch[GF2X_MUL_SCRATCH_WORDS(R_BITS)];
  uint64_t element[STRIDE];

  Frama_C_make_unknown((char *)element, sizeof element);
  ckem_gf2x_portable.mul(&RING, element, any_a0, element, scratch);
  //@ assert out: \initialized(element + (0 .. STRIDE - 1));
}

static void mul_add(void) {
  uint64_t out[STRIDE];
  uint64_t scratch[GF2X_SCRATCH_WORDS(R_BITS)];

  ckem_gf2x_portable.mul_add(&RING, out, any_a0, any_b0, any_a1, any_b1, scratch);
  //@ assert out: \initialized(out + (0 .. STRIDE - 1));
}

/* What BIKE takes, or HQC. */
void analyse_products(void) {
#if defined(HQC)
  mul();
  mul_in_place_of_a();
#else
  mul();
  mul_in_place_of_a();
  mul_in_place_of_b();
  mul_add();
#endif
  Frama_C_show_each_end();
}

/* One of them, for mistakes. */
void analyse_mul(void) {
  mul();
  Frama_C_show_each_end();
}
