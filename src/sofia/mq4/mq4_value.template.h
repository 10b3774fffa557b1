/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The value of one polynomial at one place, for the vectors that the compiler finds.
 *
 * A template (base/template.h): it defines value with the suffix. The file that includes this
 * defines TEMPLATE_SUFFIX before it.
 */
#if !defined(TEMPLATE_SUFFIX)
#error This is a template: define TEMPLATE_SUFFIX before it
#endif

#include "base/bytes.h"
#include "base/template.h"
#include "mq4/mq4.h"

/* Returns the sum of all bits. */
static inline uint32_t TEMPLATE_NAME(parity)(uint64_t x) {
  x ^= x >> 32;
  x ^= x >> 16;
  x ^= x >> 8;
  x ^= x >> 4;
  x ^= x >> 2;
  x ^= x >> 1;
  return (uint32_t)(x & 1);
}

static uint32_t TEMPLATE_NAME(value)(const uint64_t monomials[MQ4_MONOMIAL_WORDS],
                                     const uint8_t polynomial[MQ4_POLYNOMIAL_BYTES]) {
  uint64_t lo = 0, hi = 0;

  for (size_t i = 0; i < MQ4_POLYNOMIAL_WORDS; i++) {
    const uint64_t coefficients = load_le64(polynomial + 8 * i);
    lo ^= coefficients & monomials[i];
    hi ^= coefficients & monomials[MQ4_POLYNOMIAL_WORDS + i];
  }
  return TEMPLATE_NAME(parity)(lo) | TEMPLATE_NAME(parity)(hi) << 1;
}
