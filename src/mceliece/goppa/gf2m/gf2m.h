/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Bitsliced vectors over GF(2^12) and GF(2^13), and evaluation of polynomials at the whole field.
 *
 * An element is a number whose bit i is the coefficient of z^i. A vector is a sequence of blocks of
 * 512 elements. A block is `degree` planes of 8 words: bit e mod 64 of word e / 64 of plane b is
 * bit b of element e of the block. Vectors start at 64-byte boundaries.
 *
 * The field in *natural order* has as point i the element whose bits are those of i in reverse. A
 * vector over it has q = 2^degree elements.
 *
 * All values may be secret, but for the reference, which is not constant time; timing depends on
 * the field and on lengths.
 */
#ifndef CODEKEM_GF2M_GF2M_H
#define CODEKEM_GF2M_GF2M_H

#include <stddef.h>
#include <stdint.h>

#include "base/backend.h"

#define GF2M_BLOCK_ELEMENTS 512
#define GF2M_PLANE_WORDS 8

/* Words of one block, and of a vector over the whole field. */
#define GF2M_BLOCK_WORDS(degree) (GF2M_PLANE_WORDS * (size_t)(degree))
#define GF2M_FIELD_WORDS(degree) ((size_t)(degree) << ((degree) - 6))

/* Blocks of a vector over the whole field. */
#define GF2M_FIELD_BLOCKS(degree) ((size_t)1 << ((degree) - 9))

/* Scratch memory of any function below, in words. It is aligned as vectors are. */
#define GF2M_SCRATCH_WORDS(degree) (GF2M_FIELD_WORDS(degree) + 512)

/* The most coefficients of a polynomial, and the most power sums. */
#define GF2M_MAX_COEFFICIENTS 256

struct gf2m_level; /* gf2m_tables.h */

/* A field. All of it is public and constant. */
struct gf2m_field {
  unsigned degree;                 /* 12 or 13 */
  uint32_t modulus;                /* bit i is the coefficient of z^i */
  const struct gf2m_level *levels; /* constants of the transform */
  uint16_t frobenius[9][13];       /* frobenius[k][i] is (z^i)^(2^k) */
};

extern const struct gf2m_field ckem_gf2m_12; /* z^12 + z^3 + 1 */
extern const struct gf2m_field ckem_gf2m_13; /* z^13 + z^4 + z^3 + z + 1 */

/* Returns the element that is point i in natural order. */
uint16_t ckem_gf2m_point(const struct gf2m_field *field, uint32_t i);

/* Returns a * b, a^-1 (0 for 0). For single elements; constant time. */
uint16_t ckem_gf2m_multiply(const struct gf2m_field *field, uint16_t a, uint16_t b);
uint16_t ckem_gf2m_inverse(const struct gf2m_field *field, uint16_t a);

/* One implementation. Vectors do not overlap, unless stated otherwise. */
struct gf2m_ops {
  const char *name;

  /* Makes a vector of ceil(count / 512) blocks from in[count]; elements from count on are 0. Bits
   * of in[] from `degree` on are ignored. */
  void (*pack)(const struct gf2m_field *field, uint64_t *out, const uint16_t *in, size_t count);

  /* Writes the first count elements of a vector to out[]. */
  void (*unpack)(const struct gf2m_field *field, uint16_t *out, const uint64_t *in, size_t count);

  /* out = a * b and out = a^2, element by element. out may be a or b. */
  void (*multiply)(const struct gf2m_field *field, uint64_t *out, const uint64_t *a,
                   const uint64_t *b, size_t blocks);
  void (*square)(const struct gf2m_field *field, uint64_t *out, const uint64_t *a, size_t blocks);

  /* out = a^-1, element by element, at most GF2M_FIELD_BLOCKS. out may be a. Where an element is 0,
   * those at the same place of all blocks become 0. */
  void (*invert)(const struct gf2m_field *field, uint64_t *out, const uint64_t *a, size_t blocks,
                 uint64_t *scratch);

  /* Sets the vector values over the field to f(point i) for every i. f[count] are the coefficients,
   * the constant first; 1 <= count <= 256. A power of two plus one costs hardly more than a power
   * of two. values may be scratch. */
  void (*evaluate)(const struct gf2m_field *field, uint64_t *values, const uint16_t *f,
                   size_t count, uint64_t *scratch);

  /* Sets sums[j] to the sum of weight i times (point i)^j, 0^0 being 1, for j < count <= 256. This
   * is the transpose of evaluate. weights may be scratch. */
  void (*power_sums)(const struct gf2m_field *field, uint16_t *sums, const uint64_t *weights,
                     size_t count, uint64_t *scratch);

  /* out = a where bits is 1, and 0 elsewhere. bits: 8 words for each block. out may be a. */
  void (*select)(const struct gf2m_field *field, uint64_t *out, const uint64_t *a,
                 const uint64_t *bits, size_t blocks);

  /* Sets bits to 1 where a is 0. bits: 8 words for each block. */
  void (*zeros)(const struct gf2m_field *field, uint64_t *bits, const uint64_t *a, size_t blocks);

  /* Writes a matrix of count * degree rows of 512 bits: row i * degree + b, 8 words at
   * rows + (i * degree + b) * stride, is plane b of first * ratio^i. first and ratio are one block
   * each. */
  void (*power_rows)(const struct gf2m_field *field, uint64_t *rows, size_t stride,
                     const uint64_t *first, const uint64_t *ratio, size_t count);
};

/* Returns the implementation for a back end; the portable one where it has none of its own. */
const struct gf2m_ops *ckem_gf2m_ops_of(const struct backend *backend);

extern const struct gf2m_ops ckem_gf2m_reference;
extern const struct gf2m_ops ckem_gf2m_portable;
extern const struct gf2m_ops ckem_gf2m_avx2;
extern const struct gf2m_ops ckem_gf2m_avx512;
extern const struct gf2m_ops ckem_gf2m_neon;

#endif
