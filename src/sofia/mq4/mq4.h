/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Systems of 128 quadratic polynomials in 128 variables over F_4: values of a system F at many
 * places at once, and of its polar form G(x, y) = F(x + y) - F(x) - F(y).
 *
 * An element of F_4 = F_2[w]/(w^2 + w + 1) is lo + hi w. A vector of 128 elements is two planes of
 * 16 bytes, all lo and all hi; element i is bit i mod 8 of byte i / 8 of each.
 *
 * A polynomial is 65 rows of a vector and one of half a vector, the coefficients of 8384 monomials:
 * row 0 has those of x_k, row r + 1 those of x_k x_p, where p = mq4_partner(r, k). The partners of
 * a row are a rotation of the vector, so that monomials are cheap to make.
 */
#ifndef CODEKEM_MQ4_MQ4_H
#define CODEKEM_MQ4_MQ4_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/backend.h"

#define MQ4_VARIABLES 128
#define MQ4_PLANE_BYTES (MQ4_VARIABLES / 8)
#define MQ4_VECTOR_BYTES (2 * MQ4_PLANE_BYTES)
#define MQ4_WHOLE_ROWS 65 /* the linear one and 64 quadratic ones */
#define MQ4_POLYNOMIAL_BYTES (MQ4_WHOLE_ROWS * MQ4_VECTOR_BYTES + MQ4_VECTOR_BYTES / 2)
#define MQ4_POLYNOMIAL_WORDS (MQ4_POLYNOMIAL_BYTES / 8)
#define MQ4_SYSTEM_BYTES (MQ4_VARIABLES * MQ4_POLYNOMIAL_BYTES)

/* The most places of one call, for F and for G each. */
#define MQ4_MOST_PLACES 448

/* The monomials at one place, for the values of single polynomials: in the order of the
 * coefficients, first as the lo part of a value wants them, then as the hi part does. */
#define MQ4_MONOMIAL_WORDS (2 * MQ4_POLYNOMIAL_WORDS)

/* Memory of evaluate, enough for every back end. */
#define MQ4_SCRATCH_WORDS ARENA_WORDS(20480)

/* What evaluate shall do. Vectors follow each other without gaps. */
struct mq4_places {
  const uint8_t *x; /* values[i] = F(x[i]), i < count */
  uint8_t *values;
  size_t count;
  const uint8_t *y; /* polar_values[i] = G(y[i], z[i]), i < polar_count */
  const uint8_t *z;
  uint8_t *polar_values;
  size_t polar_count;
};

/* One implementation. The places are secret and the system is public: memory is read at addresses
 * that depend on the system, and on nothing else. */
struct mq4_ops {
  const char *name;

  /* Returns the value of one polynomial, bit 0 lo and bit 1 hi, from the monomials of the place. */
  uint32_t (*value)(const uint64_t monomials[MQ4_MONOMIAL_WORDS],
                    const uint8_t polynomial[MQ4_POLYNOMIAL_BYTES]);

  /* Evaluates the system[MQ4_SYSTEM_BYTES] and its polar form, each at up to MQ4_MOST_PLACES
   * places. Outputs do not overlap inputs. scratch: MQ4_SCRATCH_WORDS, aligned to 64 bytes. */
  void (*evaluate)(const struct mq4_places *places, const uint8_t *system, uint64_t *scratch);
};

/* Writes the monomials at x[MQ4_VECTOR_BYTES]. */
void ckem_mq4_monomials(uint64_t monomials[MQ4_MONOMIAL_WORDS], const uint8_t *x);

/* Returns the implementation for a back end; the portable one where it has none of its own. */
const struct mq4_ops *ckem_mq4_ops_of(const struct backend *backend);

extern const struct mq4_ops ckem_mq4_reference;
extern const struct mq4_ops ckem_mq4_portable;
extern const struct mq4_ops ckem_mq4_avx2;
extern const struct mq4_ops ckem_mq4_avx512;
extern const struct mq4_ops ckem_mq4_neon;

/* Returns p such that entry k of quadratic row r belongs to x_k x_p. r < 64, k < 128; or r = 64,
 * k < 64. */
static inline size_t mq4_partner(size_t r, size_t k) {
  if (r < 8) { /* the vector rotated by bytes */
    return (k - 8 * r) % MQ4_VARIABLES;
  }
  if (r < 56) { /* the bits of each byte rotated, then the bytes */
    const size_t bits = 1 + (r - 8) / 16;
    return 8 * ((k / 8 - r % 16 + 8) % 16) + (k - bits) % 8;
  }
  if (r < 64) { /* rotated by half a byte and bytes */
    return (k - 4 - 8 * (r - 56)) % MQ4_VARIABLES;
  }
  return k + MQ4_VARIABLES / 2;
}

#endif
