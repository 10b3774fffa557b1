/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Reed-Solomon encoding and decoding [HQC, 7] on vectors of field elements of any width.
 *
 * A template (base/template.h): it defines reed_solomon_encode and reed_solomon_decode with the
 * suffix. The file that includes this defines before it TEMPLATE_SUFFIX, which is its own ending,
 * the type gf256_vector, the number GF256_LANES of elements in one (it divides 32), and these
 * functions, all constant in time:
 *   gf256_load(const uint8_t *), gf256_store(uint8_t *, v): unaligned memory;
 *   gf256_spread(uint8_t): one element in all places; gf256_first(v): the lowest element;
 *   gf256_shift(v, next): the elements of v but the first, then the first of next;
 *   gf256_add(a, b), gf256_and(a, b), gf256_mul(a, b): element by element;
 *   gf256_keep_if_zero(a, b): the elements of a where b is 0, and 0 elsewhere;
 *   gf256_spread_first(v): the lowest element in all places;
 *   gf256_scalar, gf256_prepare(v), gf256_scale(const gf256_scalar *, v): products by one element,
 *     which stands in all places of what is prepared;
 *   gf256_enter(v), gf256_leave(v): to the field in which it multiplies, and back.
 * gf256_plain.h has the last five where there is nothing to gain.
 *
 * Where errors are is secret, so nothing is gathered or scattered: locator and evaluator are
 * evaluated at every place of the message, and what is right is corrected by zero.
 */
#if !defined(TEMPLATE_SUFFIX) || !defined(GF256_LANES)
#error This is a template: define TEMPLATE_SUFFIX, gf256_vector, GF256_LANES and the functions \
  named above before it
#endif

#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/ct.h"
#include "base/template.h"
#include "base/wipe.h"
#include "hqc/gf256_tables.h"
#include "hqc/reed_solomon.h"

#define gf256_invert TEMPLATE_NAME(gf256_invert)
#define gf256_power TEMPLATE_NAME(gf256_power)
#define enter_bytes TEMPLATE_NAME(enter_bytes)
#define turn_bytes TEMPLATE_NAME(turn_bytes)
#define compute_syndromes TEMPLATE_NAME(compute_syndromes)
#define solve_key_equation TEMPLATE_NAME(solve_key_equation)
#define errors_at TEMPLATE_NAME(errors_at)

/* Vectors for so many elements. */
#define GF256_VECTORS(elements) (((elements) + GF256_LANES - 1) / GF256_LANES)

#define TERMS 32 /* delta + 1 <= 30 coefficients */
#define STATE_BYTES 96 /* 3 delta + 1 <= 88 elements */
#define NEGATIVE (UINT32_C(1) << 31) /* the sign of a number */

static_assert(3 * REED_SOLOMON_MAX_DELTA < STATE_BYTES && REED_SOLOMON_MAX_DELTA + 2 <= TERMS &&
                  REED_SOLOMON_MAX_LENGTH % 32 == 0,
              "memory of the decoder");

/* Everything secret that encoding keeps, and decoding, in the field of the products. */
struct encoder {
  gf256_vector parity[GF256_VECTORS(REED_SOLOMON_MAX_PARITY) + 1]; /* and one that stays zero */
  uint8_t message[REED_SOLOMON_MAX_MESSAGE];
  uint8_t bytes[REED_SOLOMON_MAX_PARITY];
  uint8_t turned[REED_SOLOMON_MAX_PARITY + GF256_LANES]; /* these from last to first, then zeros */
};

/* Polynomials have coefficient i in byte i. */
struct decoder {
  gf256_vector now[GF256_VECTORS(STATE_BYTES) + 1]; /* and one that stays zero */
  gf256_vector before[GF256_VECTORS(STATE_BYTES)];
  uint8_t received[REED_SOLOMON_MAX_LENGTH];
  uint8_t state[STATE_BYTES]; /* first S_1, S_2, ...; at the end evaluator and locator */
  uint8_t locator[TERMS]; /* sigma */
  uint8_t evaluator[TERMS];
  uint8_t errors[REED_SOLOMON_MAX_MESSAGE];
};

/* Returns a^-1 = a^254 for each element, and 0 for 0. */
static inline gf256_vector gf256_invert(gf256_vector a) {
  const gf256_vector a2 = gf256_mul(a, a);
  const gf256_vector a3 = gf256_mul(a2, a);
  const gf256_vector a6 = gf256_mul(a3, a3);
  const gf256_vector a12 = gf256_mul(a6, a6);
  const gf256_vector a15 = gf256_mul(a12, a3);
  const gf256_vector a30 = gf256_mul(a15, a15);
  const gf256_vector a60 = gf256_mul(a30, a30);
  const gf256_vector a120 = gf256_mul(a60, a60);
  const gf256_vector a126 = gf256_mul(a120, a6);
  const gf256_vector a127 = gf256_mul(a126, a);

  return gf256_mul(a127, a127);
}

/* Returns a^n for each element, n >= 1. Timing: depends on n. */
static inline gf256_vector gf256_power(gf256_vector a, uint32_t n) {
  gf256_vector power = a;
  uint32_t bit = 1;

  while (n >> 1 >= bit) {
    bit <<= 1;
  }
  for (bit >>= 1; bit != 0; bit >>= 1) {
    power = gf256_mul(power, power);
    if ((n & bit) != 0) {
      power = gf256_mul(power, a);
    }
  }
  return power;
}

/* Copies bytes to the field of the products, with zeros behind them up to whole vectors, of which
 * out has room. */
static void enter_bytes(uint8_t *out, const uint8_t *in, size_t count) {
  memcpy(out, in, count);
  memset(out + count, 0, GF256_LANES * GF256_VECTORS(count) - count);
  for (size_t i = 0; i < count; i += GF256_LANES) {
    gf256_store(out + i, gf256_enter(gf256_load(out + i)));
  }
}

/* Turns bytes round: a loop of known length, for which compilers have instructions. */
static void turn_bytes(uint8_t turned[REED_SOLOMON_MAX_PARITY],
                       const uint8_t bytes[REED_SOLOMON_MAX_PARITY]) {
  for (size_t i = 0; i < REED_SOLOMON_MAX_PARITY; i++) {
    turned[i] = bytes[REED_SOLOMON_MAX_PARITY - 1 - i];
  }
}

/* A shift register: parity = x * parity + feedback * generator. Everything has its highest
 * coefficient first. */
static void TEMPLATE_NAME(reed_solomon_encode)(const struct reed_solomon *code, uint8_t *codeword,
                                               const uint8_t *message) {
  const size_t parity_bytes = 2 * (size_t)code->delta;
  const size_t vectors = GF256_VECTORS(parity_bytes);
  gf256_vector generator[GF256_VECTORS(REED_SOLOMON_MAX_PARITY)];
  struct encoder e;
  const uint8_t *first = e.turned + REED_SOLOMON_MAX_PARITY - parity_bytes;

  enter_bytes(e.message, message, code->message_bytes);
  turn_bytes(e.turned, code->generator);
  memset(e.turned + REED_SOLOMON_MAX_PARITY, 0, GF256_LANES);
  for (size_t i = 0; i < vectors; i++) {
    generator[i] = gf256_enter(gf256_load(first + GF256_LANES * i));
    e.parity[i] = gf256_spread(0);
  }
  e.parity[vectors] = gf256_spread(0);
  for (size_t j = code->message_bytes; j-- > 0;) {
    const gf256_vector sum = gf256_add(gf256_spread(e.message[j]), gf256_spread_first(e.parity[0]));
    const gf256_scalar feedback = gf256_prepare(sum);
    for (size_t i = 0; i < vectors; i++) {
      e.parity[i] = gf256_add(gf256_shift(e.parity[i], e.parity[i + 1]),
                              gf256_scale(&feedback, generator[i]));
    }
  }
  for (size_t i = 0; i < vectors; i++) {
    gf256_store(e.bytes + GF256_LANES * i, gf256_leave(e.parity[i]));
  }
  memset(e.bytes + GF256_LANES * vectors, 0, REED_SOLOMON_MAX_PARITY - GF256_LANES * vectors);
  turn_bytes(e.turned, e.bytes);
  memcpy(codeword, first, parity_bytes);
  memcpy(codeword + parity_bytes, message, code->message_bytes);
  ckem_secure_wipe(&e, sizeof e);
}

/* S_i = r(alpha^i) for i = 1 .. 2 delta, by Horner's rule for a vector of i at once, over even and
 * odd coefficients apart. Zeros behind them. */
static void compute_syndromes(const struct reed_solomon *code, uint8_t syndromes[STATE_BYTES],
                              const uint8_t received[REED_SOLOMON_MAX_LENGTH]) {
  const size_t count = 2 * (size_t)code->delta;

  for (size_t i = 0; i < count; i += GF256_LANES) {
    const gf256_vector point = gf256_enter(gf256_load(gf256_syndrome_points + i));
    const gf256_vector square = gf256_mul(point, point);
    gf256_vector even = gf256_spread(0);
    gf256_vector odd = gf256_spread(0);
    for (size_t j = code->length; j > 0; j -= 2) {
      odd = gf256_add(gf256_mul(odd, square), gf256_spread(received[j - 1]));
      even = gf256_add(gf256_mul(even, square), gf256_spread(received[j - 2]));
    }
    gf256_store(syndromes + i, gf256_add(even, gf256_mul(odd, point)));
  }
  memset(syndromes + count, 0, STATE_BYTES - count);
}

/* Berlekamp's algorithm without inverses, with a fixed number of steps (the second one of [SS01]).
 * The state holds the syndromes. At the end it has the evaluator in elements 0 .. delta - 1 and the
 * locator in delta .. 2 delta, both times the same element. */
static void solve_key_equation(const struct reed_solomon *code, struct decoder *d) {
  const size_t vectors = GF256_VECTORS(3 * code->delta + 1);
  uint32_t lead = 0; /* its sign decides who is replaced */
  uint8_t divisor = 1;

  d->state[3 * code->delta] = 1;
  for (size_t i = 0; i < vectors; i++) {
    d->now[i] = gf256_load(d->state + GF256_LANES * i);
    d->before[i] = d->now[i];
  }
  d->now[vectors] = gf256_spread(0);
  for (uint32_t step = 0; step < 2 * code->delta; step++) {
    const uint8_t gap = gf256_first(d->now[0]);
    const uint32_t update = ~ct_mask_zero_u32(gap) & ct_mask_zero_u32(lead & NEGATIVE);
    const gf256_vector chosen = gf256_spread((uint8_t)update);
    const gf256_scalar by_gap = gf256_prepare(gf256_spread_first(d->now[0]));
    const gf256_scalar by_divisor = gf256_prepare(gf256_spread(divisor));
    for (size_t i = 0; i < vectors; i++) {
      const gf256_vector next = gf256_shift(d->now[i], d->now[i + 1]);
      const gf256_vector old = d->before[i];
      d->now[i] = gf256_add(gf256_scale(&by_divisor, next), gf256_scale(&by_gap, old));
      d->before[i] = gf256_add(old, gf256_and(chosen, gf256_add(old, next)));
    }
    divisor = (uint8_t)ct_select_u32(update, gap, divisor);
    lead = ct_select_u32(update, ~lead, lead + 1); /* ~lead is -lead - 1 */
  }
  for (size_t i = 0; i < vectors; i++) {
    gf256_store(d->state + GF256_LANES * i, d->now[i]);
  }
}

/* Returns the errors at a vector of places j, where z = alpha^-j.
 *
 * Place j is wrong if sigma(z) = 0. The error is then w(z) z^(2 delta + 1) / (z sigma'(z)) with the
 * evaluator w, and z sigma'(z) is the sum of the odd terms of sigma(z): the derivative keeps just
 * these. */
static gf256_vector errors_at(const struct reed_solomon *code, const struct decoder *d,
                              gf256_vector z) {
  const gf256_vector square = gf256_mul(z, z);
  gf256_vector odd = gf256_spread(0);
  gf256_vector even = gf256_spread(0);
  gf256_vector value_odd = gf256_spread(0);
  gf256_vector value_even = gf256_spread(0);

  for (size_t i = code->delta / 2 + 1; i-- > 0;) {
    odd = gf256_add(gf256_mul(odd, square), gf256_spread(d->locator[2 * i + 1]));
    even = gf256_add(gf256_mul(even, square), gf256_spread(d->locator[2 * i]));
    value_odd = gf256_add(gf256_mul(value_odd, square), gf256_spread(d->evaluator[2 * i + 1]));
    value_even = gf256_add(gf256_mul(value_even, square), gf256_spread(d->evaluator[2 * i]));
  }
  odd = gf256_mul(odd, z);
  const gf256_vector value = gf256_mul(gf256_add(value_even, gf256_mul(value_odd, z)),
                                       gf256_power(z, 2 * code->delta + 1));
  return gf256_keep_if_zero(gf256_mul(value, gf256_invert(odd)), gf256_add(odd, even));
}

static void TEMPLATE_NAME(reed_solomon_decode)(const struct reed_solomon *code, uint8_t *message,
                                               const uint8_t *received) {
  const size_t parity_bytes = 2 * (size_t)code->delta;
  const uint8_t *points = gf256_position_points + parity_bytes;
  struct decoder d;

  enter_bytes(d.received, received, code->length);
  compute_syndromes(code, d.state, d.received);
  solve_key_equation(code, &d);
  memset(d.evaluator, 0, sizeof d.evaluator);
  memset(d.locator, 0, sizeof d.locator);
  memcpy(d.evaluator, d.state, code->delta);
  memcpy(d.locator, d.state + code->delta, code->delta + 1);
  for (size_t i = 0; i < code->message_bytes; i += GF256_LANES) {
    const gf256_vector errors = errors_at(code, &d, gf256_enter(gf256_load(points + i)));
    gf256_store(d.errors + i, gf256_leave(errors));
  }
  for (size_t i = 0; i < code->message_bytes; i++) {
    message[i] = received[parity_bytes + i] ^ d.errors[i];
  }
  ckem_secure_wipe(&d, sizeof d);
}
