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
 *   gf256_add(a, b), gf256_mul(a, b): element by element;
 *   gf256_keep_if_zero(a, b): the elements of a where b is 0, and 0 elsewhere;
 *   gf256_sum(a): the sum of all elements.
 *
 * Where errors are is secret, so nothing is gathered or scattered: locator and evaluator are
 * evaluated at every position, and the correction of a position that is right is masked to zero.
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
#include "hqc/reed_solomon.h"

#define gf256_invert TEMPLATE_NAME(gf256_invert)
#define gf256_mul_one TEMPLATE_NAME(gf256_mul_one)
#define gf256_invert_one TEMPLATE_NAME(gf256_invert_one)
#define times_alpha TEMPLATE_NAME(times_alpha)
#define list_syndrome_points TEMPLATE_NAME(list_syndrome_points)
#define list_position_points TEMPLATE_NAME(list_position_points)
#define compute_syndromes TEMPLATE_NAME(compute_syndromes)
#define discrepancy TEMPLATE_NAME(discrepancy)
#define add_multiple TEMPLATE_NAME(add_multiple)
#define find_locator TEMPLATE_NAME(find_locator)
#define find_evaluator TEMPLATE_NAME(find_evaluator)
#define errors_at TEMPLATE_NAME(errors_at)

#define LOCATOR_BYTES 32 /* delta + 1 <= 30 coefficients */

/* Everything secret that decoding keeps. Polynomials have coefficient i in byte i. */
struct decoder {
  uint8_t syndromes[REED_SOLOMON_MAX_PARITY]; /* S_1 first */
  /* The same from last to first, then zeros for windows that reach over S_1. */
  uint8_t reversed[REED_SOLOMON_MAX_PARITY + LOCATOR_BYTES];
  uint8_t locator[LOCATOR_BYTES];   /* sigma */
  uint8_t auxiliary[LOCATOR_BYTES]; /* B of Berlekamp's algorithm */
  uint8_t previous[LOCATOR_BYTES];
  uint8_t evaluator[LOCATOR_BYTES]; /* z */
};

static_assert(LOCATOR_BYTES >= 30, "delta + 1 coefficients");

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

/* Product and inverse of single elements. */
static inline uint8_t gf256_mul_one(uint8_t a, uint8_t b) {
  return gf256_first(gf256_mul(gf256_spread(a), gf256_spread(b)));
}

static inline uint8_t gf256_invert_one(uint8_t a) {
  return gf256_first(gf256_invert(gf256_spread(a)));
}

static void TEMPLATE_NAME(reed_solomon_encode)(const struct reed_solomon *code, uint8_t *codeword,
                                               const uint8_t *message) {
  const size_t parity_bytes = 2 * (size_t)code->delta;
  /* One byte of room to shift into, and whole vectors at the end. */
  uint8_t parity[1 + REED_SOLOMON_MAX_PARITY + GF256_LANES] = {0};

  for (size_t j = code->message_bytes; j-- > 0;) {
    /* A shift register: parity = x * parity + feedback * generator. From the top down, so that
     * what is shifted in has not changed yet. */
    const gf256_vector feedback = gf256_spread(message[j] ^ parity[parity_bytes]);
    for (size_t i = REED_SOLOMON_MAX_PARITY; i > 0;) {
      i -= GF256_LANES;
      const gf256_vector product = gf256_mul(gf256_load(code->generator + i), feedback);
      gf256_store(parity + 1 + i, gf256_add(gf256_load(parity + i), product));
    }
    parity[0] = 0;
  }
  memcpy(codeword, parity + 1, parity_bytes);
  memcpy(codeword + parity_bytes, message, code->message_bytes);
  ckem_secure_wipe(parity, sizeof parity);
}

/* Returns x times an element: the powers below are public. */
static uint8_t times_alpha(uint8_t a) {
  return (uint8_t)(a << 1 ^ (a >> 7) * 0x1D); /* x^8 = x^4 + x^3 + x^2 + 1 */
}

/* Fills points with alpha, alpha^2, ...: where the syndromes evaluate the word. */
static void list_syndrome_points(uint8_t points[REED_SOLOMON_MAX_PARITY]) {
  uint8_t power = 1;

  for (size_t i = 0; i < REED_SOLOMON_MAX_PARITY; i++) {
    power = times_alpha(power);
    points[i] = power;
  }
}

/* Fills points with 1, alpha^-1, alpha^-2, ...: the roots of the locator for errors at 0, 1, ... */
static void list_position_points(uint8_t points[REED_SOLOMON_MAX_LENGTH]) {
  uint8_t power = 1;

  for (size_t i = 0; i < 255; i++) {
    const size_t position = (255 - i) % 255; /* alpha^i = alpha^-(255 - i) */
    if (position < REED_SOLOMON_MAX_LENGTH) {
      points[position] = power;
    }
    power = times_alpha(power);
  }
}

/* (a) S_i = r(alpha^i) for i = 1 .. 2 delta, by Horner's rule for a vector of i at once. */
static void compute_syndromes(const struct reed_solomon *code, struct decoder *d,
                              const uint8_t *received) {
  const size_t count = 2 * (size_t)code->delta;
  uint8_t points[REED_SOLOMON_MAX_PARITY];

  list_syndrome_points(points);
  for (size_t i = 0; i < count; i += GF256_LANES) {
    const gf256_vector point = gf256_load(points + i);
    gf256_vector sum = gf256_spread(0);
    for (size_t j = code->length; j-- > 0;) {
      sum = gf256_add(gf256_mul(sum, point), gf256_spread(received[j]));
    }
    gf256_store(d->syndromes + i, sum);
  }
  memset(d->syndromes + count, 0, sizeof d->syndromes - count);
  memset(d->reversed, 0, sizeof d->reversed);
  for (size_t i = 0; i < count; i++) {
    d->reversed[count - 1 - i] = d->syndromes[i];
  }
}

/* Returns S_{t+1} + sum over i >= 1 of locator_i * S_{t+1-i}. */
static uint8_t discrepancy(const struct reed_solomon *code, const struct decoder *d, size_t t) {
  /* The window starts at S_{t+1} and goes down; locator_0 is 1. */
  const uint8_t *window = d->reversed + 2 * (size_t)code->delta - 1 - t;
  gf256_vector sum = gf256_spread(0);

  for (size_t i = 0; i < LOCATOR_BYTES; i += GF256_LANES) {
    sum = gf256_add(sum, gf256_mul(gf256_load(d->locator + i), gf256_load(window + i)));
  }
  return gf256_sum(sum);
}

/* polynomial = polynomial + scalar * addend */
static void add_multiple(uint8_t *polynomial, uint8_t scalar, const uint8_t *addend) {
  for (size_t i = 0; i < LOCATOR_BYTES; i += GF256_LANES) {
    const gf256_vector product = gf256_mul(gf256_load(addend + i), gf256_spread(scalar));
    gf256_store(polynomial + i, gf256_add(gf256_load(polynomial + i), product));
  }
}

/* (b) The error locator, by Berlekamp's algorithm with a fixed number of operations. */
static void find_locator(const struct reed_solomon *code, struct decoder *d) {
  uint32_t degree = 0;          /* L */
  uint32_t previous_degree = 0; /* L_rho */
  uint32_t rho_plus_1 = 0;      /* rho starts at -1 */
  uint8_t inverse = 1;          /* d_rho^-1 */

  memset(d->locator, 0, LOCATOR_BYTES);
  memset(d->auxiliary, 0, LOCATOR_BYTES);
  d->locator[0] = 1;
  d->auxiliary[1] = 1;
  for (uint32_t t = 0; t < 2 * code->delta; t++) {
    const uint8_t gap = discrepancy(code, d, t);
    const uint32_t candidate = t + 1 - rho_plus_1 + previous_degree;
    const uint32_t update = ~ct_mask_zero_u32(gap) & ct_mask_less_u32(degree, candidate);
    const uint8_t update8 = (uint8_t)update;
    const uint8_t gap_inverse = gf256_invert_one(gap);

    memcpy(d->previous, d->locator, LOCATOR_BYTES);
    add_multiple(d->locator, gf256_mul_one(gap, inverse), d->auxiliary);
    memset(d->locator + code->delta + 1, 0, LOCATOR_BYTES - code->delta - 1);
    previous_degree = ct_select_u32(update, degree, previous_degree);
    degree = ct_select_u32(update, candidate, degree);
    rho_plus_1 = ct_select_u32(update, t + 1, rho_plus_1);
    inverse = (uint8_t)(inverse ^ (update8 & (gap_inverse ^ inverse)));
    /* auxiliary = x * (update ? previous : auxiliary) */
    for (size_t i = LOCATOR_BYTES - 1; i > 0; i--) {
      const uint8_t kept = d->auxiliary[i - 1];
      d->auxiliary[i] = (uint8_t)(kept ^ (update8 & (d->previous[i - 1] ^ kept)));
    }
    d->auxiliary[0] = 0;
  }
}

/* (d) The evaluator z = sigma * (1 + S_1 x + S_2 x^2 + ...) mod x^(delta + 1). For a correctable
 * word its coefficients above the degree of sigma vanish by themselves. */
static void find_evaluator(const struct reed_solomon *code, struct decoder *d) {
  uint8_t shifted[LOCATOR_BYTES];

  memcpy(d->evaluator, d->locator, LOCATOR_BYTES);
  for (size_t j = 0; j <= code->delta; j++) {
    /* locator_j * (S_1 x + S_2 x^2 + ...) * x^j */
    memset(shifted, 0, sizeof shifted);
    memcpy(shifted + j + 1, d->syndromes, code->delta - j);
    add_multiple(d->evaluator, d->locator[j], shifted);
  }
  ckem_secure_wipe(shifted, sizeof shifted);
}

/* (c), (e) Evaluates at a vector of positions and returns the errors there.
 *
 * With x = alpha^-j, position j is wrong if sigma(x) = 0. The error is then
 * z(x) / product of (1 + beta_t x), and that product is x sigma'(x), the sum of the odd terms of
 * sigma(x) (the derivative keeps just these). */
static gf256_vector errors_at(const struct reed_solomon *code, const struct decoder *d,
                              gf256_vector x) {
  const gf256_vector square = gf256_mul(x, x);
  gf256_vector odd = gf256_spread(0);
  gf256_vector even = gf256_spread(0);
  gf256_vector value = gf256_spread(0);

  for (size_t i = code->delta + 2; i-- > 0;) {
    gf256_vector *part = i % 2 != 0 ? &odd : &even;
    *part = gf256_add(gf256_mul(*part, square), gf256_spread(d->locator[i]));
  }
  odd = gf256_mul(odd, x);
  for (size_t i = code->delta + 1; i-- > 0;) {
    value = gf256_add(gf256_mul(value, x), gf256_spread(d->evaluator[i]));
  }
  return gf256_keep_if_zero(gf256_mul(value, gf256_invert(odd)), gf256_add(odd, even));
}

static void TEMPLATE_NAME(reed_solomon_decode)(const struct reed_solomon *code, uint8_t *message,
                                               const uint8_t *received) {
  const size_t parity_bytes = 2 * (size_t)code->delta;
  struct decoder d;
  uint8_t points[REED_SOLOMON_MAX_LENGTH];
  uint8_t errors[REED_SOLOMON_MAX_LENGTH];

  assert(code->delta + 2 <= LOCATOR_BYTES && code->length <= REED_SOLOMON_MAX_LENGTH);
  compute_syndromes(code, &d, received);
  find_locator(code, &d);
  find_evaluator(code, &d);
  list_position_points(points);
  for (size_t i = 0; i < code->length; i += GF256_LANES) {
    gf256_store(errors + i, errors_at(code, &d, gf256_load(points + i)));
  }
  for (size_t i = 0; i < code->message_bytes; i++) {
    message[i] = received[parity_bytes + i] ^ errors[parity_bytes + i];
  }
  ckem_secure_wipe(&d, sizeof d);
  ckem_secure_wipe(errors, sizeof errors);
}
