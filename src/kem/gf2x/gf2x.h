/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Arithmetic in R = GF(2)[x] / (x^r - 1).
 *
 * An element is ring->stride 64-bit words: coefficient j is bit j mod 64 of word j / 64, and every
 * bit from r on is zero. Elements start at 64-byte boundaries. Values may be secret: timing depends
 * on the ring and on exponents only.
 */
#ifndef CODEKEM_GF2X_GF2X_H
#define CODEKEM_GF2X_GF2X_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gf2x/gf2x_memory.h"
#include "gf2x/rings.h"

/* A way to raise to the power 2^k by two bit-matrix transposes; see gf2x_power.h. */
struct gf2x_power_plan {
  uint32_t k;         /* the power is 2^k */
  uint16_t d;         /* d * 2^-k = e or -e (mod r) */
  uint16_t e;
  uint32_t d_inverse; /* d^-1 mod r */
  uint8_t blocks;     /* both matrices fit into blocks x blocks of 64 x 64 bits */
  uint8_t negative;   /* 1 if d * 2^-k = -e */
};

/* A ring. All fields are public constants. */
struct gf2x_ring {
  uint32_t r_bits;
  uint32_t words;
  uint32_t stride;
  uint32_t bytes;
  const struct gf2x_power_plan *plans; /* for the powers that inversion uses; may be NULL */
  size_t plan_count;
};

/* The rings, ckem_gf2x_ring_12323 and so on. Some have plans for the powers that an inversion
 * takes. */
#define GF2X_DECLARE(r_bits) extern const struct gf2x_ring ckem_gf2x_ring_##r_bits;
GF2X_RINGS(GF2X_DECLARE)
#undef GF2X_DECLARE

/* The ring of so many bits, which may be a macro. */
#define GF2X_RING(r_bits) GF2X_RING_NAME(r_bits)
#define GF2X_RING_NAME(r_bits) ckem_gf2x_ring_##r_bits

/* One implementation. out may be the same element as an input, but not overlap it otherwise.
 * scratch: GF2X_SCRATCH_WORDS, unless stated otherwise. */
struct gf2x_ops {
  const char *name;
  /* out = a * b. scratch: GF2X_MUL_SCRATCH_WORDS. */
  void (*mul)(const struct gf2x_ring *ring, uint64_t *out, const uint64_t *a, const uint64_t *b,
              uint64_t *scratch);
  /* out = a0 * b0 + a1 * b1. scratch: GF2X_ADD_SCRATCH_WORDS. */
  void (*mul_add)(const struct gf2x_ring *ring, uint64_t *out, const uint64_t *a0,
                  const uint64_t *b0, const uint64_t *a1, const uint64_t *b1, uint64_t *scratch);
  /* out = a^(2^k), k >= 1, k public. */
  void (*square_times)(const struct gf2x_ring *ring, uint64_t *out, const uint64_t *a, uint32_t k,
                       uint64_t *scratch);
  /* Returns the number of coefficients that are 1. */
  uint32_t (*weight)(const struct gf2x_ring *ring, const uint64_t *a);
};

extern const struct gf2x_ops ckem_gf2x_reference;
extern const struct gf2x_ops ckem_gf2x_portable;
extern const struct gf2x_ops ckem_gf2x_avx2;
extern const struct gf2x_ops ckem_gf2x_vpclmul;
extern const struct gf2x_ops ckem_gf2x_avx512;
extern const struct gf2x_ops ckem_gf2x_neon;
extern const struct gf2x_ops ckem_gf2x_rvv;
extern const struct gf2x_ops ckem_gf2x_zbc;
extern const struct gf2x_ops ckem_gf2x_zvbc;
extern const struct gf2x_ops ckem_gf2x_m4;

/* Scratch memory of ckem_gf2x_invert, in words. */
#define GF2X_INVERT_SCRATCH_WORDS(r_bits) (3 * GF2X_STRIDE(r_bits) + GF2X_SCRATCH_WORDS(r_bits))

/* Sets out = a^-1. 2 must generate the multiplicative group mod r, and a must have odd weight and
 * not be all ones; for any other a the result is meaningless.
 * Source: Itoh and Tsujii's chain as in [DGK20]. Timing: depends on the ring only. */
void ckem_gf2x_invert(const struct gf2x_ops *ops, const struct gf2x_ring *ring, uint64_t *out,
                      const uint64_t *a, uint64_t *scratch);

/* Simultaneous inversion [Mon87]: ckem_gf2x_invert_push for each element, ckem_gf2x_invert of the
 * product, ckem_gf2x_invert_pop for each element in the opposite order. An element that has no
 * inverse counts as 1 in the product, so that it does not touch the others; its own inverse comes
 * out as 0. Timing: depends on the ring only. */

/* product = product * a. The caller keeps what the product was before, for the pop. unit[stride]
 * and scratch[GF2X_SCRATCH_WORDS] are memory. */
void ckem_gf2x_invert_push(const struct gf2x_ops *ops, const struct gf2x_ring *ring,
                           uint64_t *product, const uint64_t *a, uint64_t *unit, uint64_t *scratch);

/* out = a^-1, where inverse is that of the product of all elements up to a, and before is the
 * product of those before a; afterwards inverse is that of before. out is no other element here. */
void ckem_gf2x_invert_pop(const struct gf2x_ops *ops, const struct gf2x_ring *ring, uint64_t *out,
                          uint64_t *inverse, const uint64_t *before, const uint64_t *a,
                          uint64_t *unit, uint64_t *scratch);

/* Sets out = a + b. */
void ckem_gf2x_add(const struct gf2x_ring *ring, uint64_t *out, const uint64_t *a,
                   const uint64_t *b);

/* Reads in[ring->bytes]. Bits from r on are not dropped but reduced with x^r = 1. */
void ckem_gf2x_decode(const struct gf2x_ring *ring, uint64_t *out, const uint8_t *in);

/* Writes out[ring->bytes]; the unused bits of the last byte are zero. */
void ckem_gf2x_encode(const struct gf2x_ring *ring, uint8_t *out, const uint64_t *a);

/* What can be seen of a public element as it comes from outside, in[ring->bytes]. Timing: depends
 * on the element. */

/* Returns whether the unused bits of the last byte are zero, as ckem_gf2x_encode leaves them. */
bool ckem_gf2x_is_canonical(const struct gf2x_ring *ring, const uint8_t *in);

/* Returns whether all bits are zero. */
bool ckem_gf2x_is_zero(const struct gf2x_ring *ring, const uint8_t *in);

/* Returns the weight modulo 2, unused bits included. It is a ring homomorphism: the parity of a sum
 * is the sum of the parities, that of a product their product. */
uint32_t ckem_gf2x_parity(const struct gf2x_ring *ring, const uint8_t *in);

#endif
