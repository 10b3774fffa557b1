/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The sequence of an element's powers in two parts: one product in the ring, with any factors, and
 * the 2 t products one after the other, which take its specification (-eva-use-spec). M, T and
 * PARAMS are those of a parameter set.
 */
#include <__fc_builtin.h>
#include <stdint.h>

#include "mceliece/params.h"
#include "recurrence/recurrence_portable.c"

#define FIELD (M == 12 ? &ckem_gf2m_12 : &ckem_gf2m_13)

extern const struct mceliece_params PARAMS;
extern const uint16_t any_elements[T];

/*@ requires field: m == M && field == (M == 12 ? &ckem_gf2m_12 : &ckem_gf2m_13);
    requires ring: ring->length == T && ring->terms == PARAMS.terms && 2 <= ring->terms <= 4;
    requires low: ring->low[0] == PARAMS.low[0] && ring->low[1] == PARAMS.low[1] &&
        ring->low[2] == PARAMS.low[2] && ring->low[3] == PARAMS.low[3];
    requires value: ring->low_value[0] == PARAMS.low_value[0] &&
        ring->low_value[1] == PARAMS.low_value[1] &&
        ring->low_value[2] == PARAMS.low_value[2] && ring->low_value[3] == PARAMS.low_value[3];
    requires power: \valid(power + (0 .. T - 1)) && \initialized(power + (0 .. T - 1));
    requires beta: \initialized(&beta->word[0 .. 12][0 .. 1]);
    requires apart: \separated(power + (0 .. T - 1), beta) &&
        \separated(power + (0 .. T - 1), ring);
    assigns power[0 .. T - 1] \from power[0 .. T - 1], beta->word[0 .. 12][0 .. 1];
    ensures set: \initialized(power + (0 .. T - 1)); */
static inline void multiply_in_ring_portable(unsigned m, const struct recurrence_ring *ring,
                                             const struct gf2m_field *field, uint16_t *power,
                                             const struct planes_portable *beta);

static struct recurrence_ring ring_of_set(void) {
  struct recurrence_ring ring = {.length = T, .terms = PARAMS.terms};

  for (unsigned i = 0; i < sizeof ring.low; i++) {
    ring.low[i] = PARAMS.low[i];
    ring.low_value[i] = PARAMS.low_value[i];
  }
  return ring;
}

void analyse_multiply_in_ring(void) {
  const struct recurrence_ring ring = ring_of_set();
  struct planes_portable beta;
  uint16_t power[T];

  Frama_C_make_unknown((char *)&beta, sizeof beta);
  Frama_C_make_unknown((char *)power, sizeof power);
  multiply_in_ring_portable(M, &ring, FIELD, power, &beta);
  //@ assert power: \initialized(power + (0 .. T - 1));
  Frama_C_show_each_end();
}

/* Bits of the elements from m on are 0, as the header demands. */
void analyse_power_sequence(void) {
  const struct recurrence_ring ring = ring_of_set();
  uint16_t beta[T];
  uint16_t sequence[2 * T];
  _Alignas(64) uint64_t scratch[RECURRENCE_POWERS_WORDS];

  for (unsigned i = 0; i < T; i++) {
    beta[i] = any_elements[i] & ((1 << M) - 1);
  }
  ckem_recurrence_portable.power_sequence(FIELD, &ring, sequence, beta, scratch);
  //@ assert sequence: \initialized(sequence + (0 .. 2 * T - 1));
  Frama_C_show_each_end();
}
