/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The codes of HQC as textbooks write them: the oracle of the tests.
 * NOT constant time: it branches on secrets and uses them as indices.
 */
#include <string.h>

#include "hqc/codes.h"
#include "hqc/reed_muller.h"

static uint8_t multiply_reference(uint8_t a, uint8_t b) {
  unsigned product = 0;
  unsigned shifted = a;

  for (unsigned i = 0; i < 8; i++) {
    if ((b >> i & 1) != 0) {
      product ^= shifted;
    }
    shifted = shifted << 1 ^ ((shifted & 0x80) != 0 ? 0x11D : 0);
  }
  return (uint8_t)product;
}

/* a^e; a^255 = 1 for every a but 0. */
static uint8_t power_reference(uint8_t a, unsigned e) {
  uint8_t result = 1;

  for (unsigned i = 0; i < e; i++) {
    result = multiply_reference(result, a);
  }
  return result;
}

/* Value at x of the polynomial with coefficients c[count]. */
static uint8_t evaluate_reference(const uint8_t *c, size_t count, uint8_t x) {
  uint8_t value = 0;

  for (size_t i = count; i-- > 0;) {
    value = multiply_reference(value, x) ^ c[i];
  }
  return value;
}

/* The nearest of all 256 code words, by counting differences. */
static uint8_t nearest_symbol_reference(const uint64_t *in, size_t copies) {
  size_t best_distance = SIZE_MAX;
  uint8_t best = 0;

  for (unsigned linear = 0; linear < 128; linear++) {
    for (unsigned complement = 0; complement < 2; complement++) {
      const uint8_t symbol = (uint8_t)(linear | complement << 7);
      uint64_t word[REED_MULLER_WORDS];
      size_t distance = 0;

      ckem_reed_muller_encode(word, &symbol, 1, 1);
      for (size_t i = 0; i < copies * REED_MULLER_WORDS; i++) {
        for (uint64_t bits = in[i] ^ word[i % REED_MULLER_WORDS]; bits != 0; bits &= bits - 1) {
          distance += 1;
        }
      }
      if (distance < best_distance) {
        best_distance = distance;
        best = symbol;
      }
    }
  }
  return best;
}

static void reed_muller_decode_reference(uint8_t *symbols, const uint64_t *in, size_t count,
                                         size_t copies) {
  for (size_t i = 0; i < count; i++) {
    symbols[i] = nearest_symbol_reference(in + REED_MULLER_WORDS * copies * i, copies);
  }
}

/* x^(2 delta) m(x) mod g(x), by division with remainder. */
static void reed_solomon_encode_reference(const struct reed_solomon *code, uint8_t *codeword,
                                          const uint8_t *message) {
  const size_t parity = 2 * (size_t)code->delta;
  uint8_t remainder[REED_SOLOMON_MAX_LENGTH] = {0};

  memcpy(remainder + parity, message, code->message_bytes);
  for (size_t i = code->length; i-- > parity;) {
    const uint8_t quotient = remainder[i];
    for (size_t j = 0; j < parity; j++) {
      remainder[i - parity + j] ^= multiply_reference(quotient, code->generator[j]);
    }
  }
  memcpy(codeword, remainder, parity);
  memcpy(codeword + parity, message, code->message_bytes);
}

/* The error locator of syndromes s[2 delta], by the algorithm of Berlekamp and Massey. */
static void find_locator_reference(const struct reed_solomon *code, const uint8_t *s,
                                   uint8_t *locator) {
  uint8_t before[REED_SOLOMON_MAX_PARITY] = {1};
  uint8_t gap_before = 1;
  size_t degree = 0;
  size_t shift = 1;

  memset(locator, 0, REED_SOLOMON_MAX_PARITY);
  locator[0] = 1;
  for (size_t n = 0; n < 2 * code->delta; n++) {
    uint8_t saved[REED_SOLOMON_MAX_PARITY];
    uint8_t gap = s[n];
    for (size_t i = 1; i <= degree; i++) {
      gap ^= multiply_reference(locator[i], s[n - i]);
    }
    if (gap == 0) {
      shift += 1;
      continue;
    }
    memcpy(saved, locator, sizeof saved);
    const uint8_t factor = multiply_reference(gap, power_reference(gap_before, 254));
    for (size_t i = 0; i + shift < REED_SOLOMON_MAX_PARITY; i++) {
      locator[i + shift] ^= multiply_reference(factor, before[i]);
    }
    if (2 * degree <= n) {
      degree = n + 1 - degree;
      memcpy(before, saved, sizeof before);
      gap_before = gap;
      shift = 1;
    } else {
      shift += 1;
    }
  }
}

/* Forney's formula: the error at x^-1 is omega(x) / locator'(x), omega = s * locator mod
 * x^(2 delta). */
static uint8_t error_value_reference(const struct reed_solomon *code, const uint8_t *s,
                                     const uint8_t *locator, uint8_t x) {
  uint8_t omega[REED_SOLOMON_MAX_PARITY] = {0};
  uint8_t derivative[REED_SOLOMON_MAX_PARITY] = {0};
  const size_t parity = 2 * (size_t)code->delta;

  for (size_t i = 0; i < parity; i++) {
    for (size_t j = 0; i + j < parity; j++) {
      omega[i + j] ^= multiply_reference(locator[i], s[j]);
    }
  }
  for (size_t i = 1; i < parity; i += 2) {
    derivative[i - 1] = locator[i];
  }
  return multiply_reference(evaluate_reference(omega, parity, x),
                            power_reference(evaluate_reference(derivative, parity, x), 254));
}

static void reed_solomon_decode_reference(const struct reed_solomon *code, uint8_t *message,
                                          const uint8_t *received) {
  const size_t parity = 2 * (size_t)code->delta;
  uint8_t s[REED_SOLOMON_MAX_PARITY] = {0};
  uint8_t locator[REED_SOLOMON_MAX_PARITY];

  for (unsigned i = 0; i < parity; i++) {
    s[i] = evaluate_reference(received, code->length, power_reference(2, i + 1));
  }
  find_locator_reference(code, s, locator);
  for (unsigned j = 0; j < code->message_bytes; j++) {
    const unsigned position = (unsigned)parity + j;
    const uint8_t x = power_reference(2, (255 - position) % 255);
    message[j] = received[position];
    if (evaluate_reference(locator, parity, x) == 0) {
      message[j] ^= error_value_reference(code, s, locator, x);
    }
  }
}

const struct hqc_codes ckem_hqc_codes_reference = {
    .name = "reference",
    .reed_muller_decode = reed_muller_decode_reference,
    .reed_solomon_encode = reed_solomon_encode_reference,
    .reed_solomon_decode = reed_solomon_decode_reference,
};
