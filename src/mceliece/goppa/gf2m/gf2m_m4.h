/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Bitsliced vectors over GF(2^12) and GF(2^13) for the Cortex-M4: groups of 32 elements.
 *
 * A group is m words, m being the degree: bit e of word b is bit b of element e. GF(2^12) is kept
 * as a tower, in which products cost fewer instructions (gf2m_mul12_m4.S); ckem_gf2m_read_m4 turns
 * an element of gf2m.h into one of these, and only zero need be turned back. Elements of GF(2^13)
 * are those of gf2m.h.
 *
 * All values may be secret; timing depends on the field and on lengths.
 */
#ifndef CODEKEM_GF2M_GF2M_M4_H
#define CODEKEM_GF2M_GF2M_M4_H

#include <stddef.h>
#include <stdint.h>

#if defined(CODEKEM_HAVE_M4)

#define GF2M_M4_MAX_DEGREE 13

/* Words of a vector over the whole field, in natural order (gf2m.h). */
#define GF2M_M4_FIELD_WORDS(degree) ((size_t)(degree) << ((degree) - 5))

/* Scratch memory of ckem_gf2m_invert_m4, in words: groups that share an inversion, and four more.
 */
#define GF2M_M4_INVERT_GROUPS(degree) ((degree) == 12 ? (size_t)8 : (size_t)16)
#define GF2M_M4_INVERT_WORDS(degree) ((size_t)(degree) * (GF2M_M4_INVERT_GROUPS(degree) + 4))

/* A field. All of it is public and constant. */
struct gf2m_m4 {
  unsigned degree;
  /* Of a group: out = a b; sum += a b. out and sum may be a or b. */
  void (*multiply)(uint32_t *out, const uint32_t *a, const uint32_t *b);
  void (*multiply_add)(uint32_t *sum, const uint32_t *a, const uint32_t *b);
  /* u += gamma v, then v += u; u += v, then v += gamma u. */
  void (*butterfly)(uint32_t *u, uint32_t *v, const uint32_t *gamma);
  void (*butterfly_transposed)(uint32_t *u, uint32_t *v, const uint32_t *gamma);
  /* Moves the elements of (t + 31) / 32 groups to the next place, for t = 64 in GF(2^12), t = 96
   * and 128 in GF(2^13): [t > 96]. The element in gets the first place. */
  void (*move_up[2])(uint32_t *groups, uint32_t in);
  /* out = a^2 for a group; out may be a. */
  void (*square)(uint32_t *out, const uint32_t *a);
  const uint32_t *gamma; /* of all levels of the transform, one behind the other */
  /* The powers of a level's element for 2^(m-6) coefficients, and for twice as many, from level 1
   * on; the coefficient k is at lane k in reverse. */
  const uint32_t *twist[2];
  uint16_t basis[GF2M_M4_MAX_DEGREE]; /* what z^i is here */
  /* For the coefficient 2^(m-6): what it is multiplied by up to each level, and up to the last one
   * with the squares of that level's points 1, 2, 4, 8, 16, 32. */
  uint16_t tops[GF2M_M4_MAX_DEGREE];
};

extern const struct gf2m_m4 ckem_gf2m_12_m4;
extern const struct gf2m_m4 ckem_gf2m_13_m4;

/* Returns an element of gf2m.h as one of these. */
uint16_t ckem_gf2m_read_m4(const struct gf2m_m4 *field, uint16_t element);

/* Sets the vector values over the field to f(point i) for every i. f[count] are the coefficients,
 * the constant first; 64 <= count <= 65 for GF(2^12), 65 <= count <= 129 for GF(2^13). */
void ckem_gf2m_evaluate_m4(const struct gf2m_m4 *field, uint32_t *values, const uint16_t *f,
                           size_t count);

/* Sets sums[j] to the sum of weight i times (point i)^j, j < count; count <= 128 for GF(2^12),
 * count <= 256 for GF(2^13). The weights are used up. */
void ckem_gf2m_power_sums_m4(const struct gf2m_m4 *field, uint16_t *sums, uint32_t *weights,
                             size_t count);

/* a = a^-1 for every element of groups groups, a multiple of GF2M_M4_INVERT_GROUPS. Where an
 * element is 0, others become 0. */
void ckem_gf2m_invert_m4(const struct gf2m_m4 *field, uint32_t *a, size_t groups,
                         uint32_t *scratch);

/* gf2m_mul12_m4.S, gf2m_mul13_m4.S */
void ckem_gf2m_multiply_12_m4(uint32_t *out, const uint32_t *a, const uint32_t *b);
void ckem_gf2m_multiply_13_m4(uint32_t *out, const uint32_t *a, const uint32_t *b);
void ckem_gf2m_multiply_add_12_m4(uint32_t *sum, const uint32_t *a, const uint32_t *b);
void ckem_gf2m_multiply_add_13_m4(uint32_t *sum, const uint32_t *a, const uint32_t *b);
void ckem_gf2m_butterfly_12_m4(uint32_t *u, uint32_t *v, const uint32_t *gamma);
void ckem_gf2m_butterfly_13_m4(uint32_t *u, uint32_t *v, const uint32_t *gamma);
void ckem_gf2m_butterfly_transposed_12_m4(uint32_t *u, uint32_t *v, const uint32_t *gamma);
void ckem_gf2m_butterfly_transposed_13_m4(uint32_t *u, uint32_t *v, const uint32_t *gamma);
void ckem_gf2m_move_up_2_12_m4(uint32_t *groups, uint32_t in);
void ckem_gf2m_move_up_3_13_m4(uint32_t *groups, uint32_t in);
void ckem_gf2m_move_up_4_13_m4(uint32_t *groups, uint32_t in);
void ckem_gf2m_square_12_m4(uint32_t *out, const uint32_t *a);
void ckem_gf2m_square_13_m4(uint32_t *out, const uint32_t *a);

#endif

#endif
