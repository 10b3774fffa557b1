/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Raising to the power 2^k by two bit-matrix transposes.
 *
 * b = a^(2^k) has b[j] = a[l j mod r] with l = 2^-k mod r. Let d and e be small with d l = e (mod
 * r) and set y[u] = a[e u mod r]; then b[d u mod r] = y[u].
 *
 * First transpose: write a in rows of e bits. The walk e u mod r runs down the columns of this
 * matrix, from top to bottom, one after the other in an order that depends on e only. So y is the
 * columns one behind the other.
 *
 * Second transpose: b in rows of d bits has in column c the coefficients b[d t + c] = y[t + w],
 * w = c / d mod r: r / d neighbouring bits of y (cyclically). So the columns are read from y, and
 * transposed they are the rows of b.
 *
 * If d l = -e, then b[d u mod r] = y[-u]: each column is read backwards, which means that the rows
 * of the second matrix come out in the opposite order.
 *
 * All positions depend on r and k only.
 */
#ifndef CODEKEM_GF2X_GF2X_POWER_H
#define CODEKEM_GF2X_GF2X_POWER_H

#include <string.h>

#include "gf2x/gf2x.h"

/* The largest matrix has this many blocks of 64 rows and columns. */
#define GF2X_POWER_MAX_BLOCKS 6

/* Returns the plan with the largest power at most 2^k, or NULL. */
const struct gf2x_power_plan *ckem_gf2x_power_find(const struct gf2x_ring *ring, uint32_t k);

/* Transposes a 64 x 64 bit matrix: bit j of in[i] becomes bit i of out[j]. */
typedef void gf2x_transpose_function(uint64_t out[64], const uint64_t in[64]);

/* The same in plain C. */
gf2x_transpose_function ckem_gf2x_transpose;

/* Sets out = a^(2^plan->k); out may be a. scratch: GF2X_SCRATCH_WORDS. */
void ckem_gf2x_power_apply(const struct gf2x_ring *ring, const struct gf2x_power_plan *plan,
                           gf2x_transpose_function *transpose, uint64_t *out, const uint64_t *a,
                           uint64_t *scratch);

/* A back end's steps of gf2x_square_by_plans. */
struct gf2x_squaring {
  /* out = a^2; out is not a. */
  void (*square)(const struct gf2x_ring *ring, uint64_t *out, const uint64_t *a);
  /* out = a^(2^plan->k); out may be a. */
  void (*apply_plan)(const struct gf2x_ring *ring, const struct gf2x_power_plan *plan,
                     uint64_t *out, const uint64_t *a, uint64_t *scratch);
  uint32_t smallest_plan; /* below this k, repeated squaring is faster than a plan */
};

/* Sets out = a^(2^k); out may be a. Inlined, so that the steps of a constant are called directly.
 * scratch: GF2X_SCRATCH_WORDS. Timing: depends on k. */
static inline __attribute__((always_inline)) void gf2x_square_by_plans(
    const struct gf2x_squaring *steps, const struct gf2x_ring *ring, uint64_t *out,
    const uint64_t *a, uint32_t k, uint64_t *scratch) {
  const struct gf2x_power_plan *plan;

  while ((plan = ckem_gf2x_power_find(ring, k)) != NULL && plan->k >= steps->smallest_plan) {
    steps->apply_plan(ring, plan, out, a, scratch);
    a = out;
    k -= plan->k;
  }
  /* Squares alternate between out and scratch, and end in out. */
  if (k % 2 != 0 && a == out) {
    memcpy(scratch, a, ring->stride * sizeof *a);
    a = scratch;
  }
  for (; k > 0; k--) {
    uint64_t *target = k % 2 != 0 ? out : scratch;
    steps->square(ring, target, a);
    a = target;
  }
}

#endif
