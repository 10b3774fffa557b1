/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The shortened Reed-Solomon codes of HQC [HQC, 7].
 *
 * Eight field elements are worked on at once. Where errors are is secret, so nothing is gathered or
 * scattered: locator and evaluator are evaluated at every position, and the correction of a position
 * that is right is masked to zero.
 */
#include "hqc/reed_solomon.h"

#include <assert.h>
#include <string.h>

#include "base/bytes.h"
#include "base/wipe.h"
#include "hqc/gf256.h"

#define LANES 8
#define PARITY_WORDS (REED_SOLOMON_MAX_PARITY / LANES)
#define LENGTH_WORDS (REED_SOLOMON_MAX_LENGTH / LANES)
#define LOCATOR_BYTES 32 /* delta + 1 <= 30 coefficients */
#define LOCATOR_WORDS (LOCATOR_BYTES / LANES)

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

/* Number of words that hold count bytes. */
static size_t words_for(size_t count) {
  return (count + LANES - 1) / LANES;
}

void reed_solomon_encode(const struct reed_solomon *code, uint8_t *codeword,
                         const uint8_t *message) {
  const size_t parity_bytes = 2 * (size_t)code->delta;
  uint8_t parity[REED_SOLOMON_MAX_PARITY + 1]; /* one byte of room to shift into */

  memset(parity, 0, sizeof parity);
  for (size_t j = code->message_bytes; j-- > 0;) {
    /* A shift register: parity = x * parity + feedback * generator. */
    const uint64_t feedback = gf256_spread(message[j] ^ parity[parity_bytes]);
    uint64_t carry = 0;
    for (size_t i = 0; i < words_for(parity_bytes); i++) {
      uint8_t *word = parity + 1 + LANES * i;
      const uint64_t before = load_le64(word);
      const uint64_t product = gf256_mul(load_le64(code->generator + LANES * i), feedback);
      store_le64(word, (before << 8 | carry) ^ product);
      carry = before >> 56;
    }
  }
  memcpy(codeword, parity + 1, parity_bytes);
  memcpy(codeword + parity_bytes, message, code->message_bytes);
  secure_wipe(parity, sizeof parity);
}

/* Fills points with alpha, alpha^2, ...: where the syndromes evaluate the word. */
static void list_syndrome_points(uint8_t points[REED_SOLOMON_MAX_PARITY]) {
  uint64_t power = 1;

  for (size_t i = 0; i < REED_SOLOMON_MAX_PARITY; i++) {
    power = gf256_times_x(power);
    points[i] = (uint8_t)power;
  }
}

/* Fills points with 1, alpha^-1, alpha^-2, ...: the roots of the locator for errors at 0, 1, ... */
static void list_position_points(uint8_t points[REED_SOLOMON_MAX_LENGTH]) {
  uint64_t power = 1;

  for (size_t i = 0; i < 255; i++) {
    const size_t position = (255 - i) % 255; /* alpha^i = alpha^-(255 - i) */
    if (position < REED_SOLOMON_MAX_LENGTH) {
      points[position] = (uint8_t)power;
    }
    power = gf256_times_x(power);
  }
}

/* (a) S_i = r(alpha^i) for i = 1 .. 2 delta, by Horner's rule for eight i at once. */
static void compute_syndromes(const struct reed_solomon *code, struct decoder *d,
                              const uint8_t *received) {
  const size_t count = 2 * (size_t)code->delta;
  uint8_t points[REED_SOLOMON_MAX_PARITY];

  list_syndrome_points(points);
  for (size_t i = 0; i < words_for(count); i++) {
    const uint64_t point = load_le64(points + LANES * i);
    uint64_t sum = 0;
    for (size_t j = code->length; j-- > 0;) {
      sum = gf256_mul(sum, point) ^ gf256_spread(received[j]);
    }
    store_le64(d->syndromes + LANES * i, sum);
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
  uint64_t sum = 0;

  for (size_t i = 0; i < LOCATOR_WORDS; i++) {
    sum ^= gf256_mul(load_le64(d->locator + LANES * i), load_le64(window + LANES * i));
  }
  return gf256_sum(sum);
}

/* polynomial = polynomial + scalar * other */
static void add_multiple(uint8_t *polynomial, uint8_t scalar, const uint8_t *other) {
  for (size_t i = 0; i < LOCATOR_BYTES; i += LANES) {
    const uint64_t product = gf256_mul(load_le64(other + i), gf256_spread(scalar));
    store_le64(polynomial + i, load_le64(polynomial + i) ^ product);
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
    const uint32_t update =
        ~ct_mask_zero_u32(gap) & ct_mask_less_u32(degree, candidate);
    const uint8_t update8 = (uint8_t)update;
    const uint8_t gap_inverse = (uint8_t)gf256_invert(gap);

    memcpy(d->previous, d->locator, LOCATOR_BYTES);
    add_multiple(d->locator, (uint8_t)gf256_mul(gap, inverse), d->auxiliary);
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
  secure_wipe(shifted, sizeof shifted);
}

/* (c), (e) Evaluates at eight positions and returns the errors there.
 *
 * With x = alpha^-j, position j is wrong if sigma(x) = 0. The error is then
 * z(x) / product of (1 + beta_t x), and that product is x sigma'(x), the sum of the odd terms of
 * sigma(x) (the derivative keeps just these). */
static uint64_t errors_at(const struct reed_solomon *code, const struct decoder *d, uint64_t x) {
  const uint64_t square = gf256_mul(x, x);
  uint64_t odd = 0;
  uint64_t even = 0;
  uint64_t value = 0;

  for (size_t i = code->delta + 2; i-- > 0;) {
    uint64_t *part = i % 2 != 0 ? &odd : &even;
    *part = gf256_mul(*part, square) ^ gf256_spread(d->locator[i]);
  }
  odd = gf256_mul(odd, x);
  for (size_t i = code->delta + 1; i-- > 0;) {
    value = gf256_mul(value, x) ^ gf256_spread(d->evaluator[i]);
  }
  return gf256_mul(value, gf256_invert(odd)) & gf256_is_zero(odd ^ even);
}

void reed_solomon_decode(const struct reed_solomon *code, uint8_t *message,
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
  for (size_t i = 0; i < words_for(code->length); i++) {
    store_le64(errors + LANES * i, errors_at(code, &d, load_le64(points + LANES * i)));
  }
  for (size_t i = 0; i < code->message_bytes; i++) {
    message[i] = received[parity_bytes + i] ^ errors[parity_bytes + i];
  }
  secure_wipe(&d, sizeof d);
  secure_wipe(errors, sizeof errors);
}
