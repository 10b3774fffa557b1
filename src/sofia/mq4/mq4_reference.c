/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Values as the textbook has them: place by place, monomial by monomial, polynomial by polynomial;
 * only the 8384 products of a polynomial are added a word at a time. */
#include "base/bytes.h"
#include "mq4/mq4.h"

/* Returns element i of a vector: bit 0 is lo, bit 1 is hi. */
static unsigned element(const uint8_t *vector, size_t i) {
  const unsigned lo = vector[i / 8] >> i % 8 & 1;
  const unsigned hi = vector[MQ4_PLANE_BYTES + i / 8] >> i % 8 & 1;

  return lo | hi << 1;
}

/* Returns the product in F_4: (a + b w)(c + d w) = ac + bd + (ad + bc + bd) w. */
static unsigned product(unsigned x, unsigned y) {
  const unsigned a = x & 1, b = x >> 1, c = y & 1, d = y >> 1;

  return (a & c) ^ (b & d) ^ ((a & d) ^ (b & c) ^ (b & d)) << 1;
}

/* Sets monomial k of a row for both parts of a value. plane_words: of this row. */
static void set_monomial(uint64_t *row, size_t plane_words, size_t k, unsigned m) {
  const uint64_t lo = m & 1, hi = m >> 1;

  row[k / 64] |= lo << k % 64;
  row[plane_words + k / 64] |= hi << k % 64;
  row[MQ4_POLYNOMIAL_WORDS + k / 64] |= hi << k % 64;
  row[MQ4_POLYNOMIAL_WORDS + plane_words + k / 64] |= (lo ^ hi) << k % 64;
}

/* Writes the monomials of F at x, or of G at x and y. */
static void monomials_reference(uint64_t *monomials, const uint8_t *x, const uint8_t *y) {
  for (size_t i = 0; i < MQ4_MONOMIAL_WORDS; i++) {
    monomials[i] = 0;
  }
  for (size_t k = 0; k < MQ4_VARIABLES && y == NULL; k++) {
    set_monomial(monomials, 2, k, element(x, k));
  }
  for (size_t r = 0; r <= 64; r++) {
    const size_t plane_words = r < 64 ? 2 : 1;
    for (size_t k = 0; k < 64 * plane_words; k++) {
      const size_t p = mq4_partner(r, k);
      const unsigned m =
          y == NULL ? product(element(x, k), element(x, p))
                    : product(element(x, k), element(y, p)) ^ product(element(y, k), element(x, p));
      set_monomial(monomials + 4 * (r + 1), plane_words, k, m);
    }
  }
}

/* Returns the sum of all bits. */
static uint32_t parity(uint64_t x) {
  uint32_t sum = 0;

  for (; x != 0; x >>= 1) {
    sum ^= (uint32_t)(x & 1);
  }
  return sum;
}

static uint32_t value_reference(const uint64_t monomials[MQ4_MONOMIAL_WORDS],
                                const uint8_t polynomial[MQ4_POLYNOMIAL_BYTES]) {
  uint64_t lo = 0, hi = 0;

  for (size_t i = 0; i < MQ4_POLYNOMIAL_WORDS; i++) {
    const uint64_t coefficients = load_le64(polynomial + 8 * i);
    lo ^= coefficients & monomials[i];
    hi ^= coefficients & monomials[MQ4_POLYNOMIAL_WORDS + i];
  }
  return parity(lo) | parity(hi) << 1;
}

/* Writes F(x), or G(x, y). */
static void evaluate_one_reference(uint8_t *value, const uint8_t *x, const uint8_t *y,
                                   const uint8_t *system, uint64_t *monomials) {
  for (size_t i = 0; i < MQ4_VECTOR_BYTES; i++) {
    value[i] = 0;
  }
  monomials_reference(monomials, x, y);
  for (size_t k = 0; k < MQ4_VARIABLES; k++) {
    const uint32_t v = value_reference(monomials, system + k * MQ4_POLYNOMIAL_BYTES);
    value[k / 8] |= (uint8_t)((v & 1) << k % 8);
    value[MQ4_PLANE_BYTES + k / 8] |= (uint8_t)((v >> 1) << k % 8);
  }
}

static void evaluate_places_reference(const struct mq4_places *places, const uint8_t *system,
                                      uint64_t *scratch) {
  for (size_t i = 0; i < MQ4_VECTOR_BYTES * places->count; i += MQ4_VECTOR_BYTES) {
    evaluate_one_reference(places->values + i, places->x + i, NULL, system, scratch);
  }
  for (size_t i = 0; i < MQ4_VECTOR_BYTES * places->polar_count; i += MQ4_VECTOR_BYTES) {
    evaluate_one_reference(places->polar_values + i, places->y + i, places->z + i, system, scratch);
  }
}

const struct mq4_ops ckem_mq4_reference = {
    .name = "reference",
    .value = value_reference,
    .evaluate = evaluate_places_reference,
};
