/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The field of integers modulo p = 2^255 - 19, in limbs: five of 51 bits where the processor
 * multiplies 64 bits by 64, otherwise ten of 26 and 25 bits in turn.
 *
 * Reduced: each limb has at most a few units more than its bits; products, squares and what was
 * loaded are. Sums and differences of reduced elements are not, and may only be multiplied. Timing
 * is constant. Outputs may be inputs.
 */
#ifndef CODEKEM_HYBRID_FE25519_H
#define CODEKEM_HYBRID_FE25519_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/ct.h"

#if defined(__SIZEOF_INT128__) && SIZE_MAX > UINT32_MAX

typedef uint64_t fe_limb;
__extension__ typedef unsigned __int128 fe_wide;
#define FE_LIMBS 5
#define FE_BITS(i) 51
#define FE_START(i) (51 * (i)) /* the bits of the limbs below limb i */
#define FE_WORD_BYTES 8
#define fe_load_word load_le64
#define fe_mask_bit ct_mask_bit_u64

#else

typedef uint32_t fe_limb;
typedef uint64_t fe_wide;
#define FE_LIMBS 10
#define FE_BITS(i) (26 - ((i) & 1))
#define FE_START(i) ((51 * (i) + 1) >> 1)
#define FE_WORD_BYTES 4
#define fe_load_word load_le32
#define fe_mask_bit ct_mask_bit_u32

#endif

/* The bits of limb i. */
#define FE_MASK(i) ((fe_limb)((UINT64_C(1) << FE_BITS(i)) - 1))

struct fe {
  fe_limb limb[FE_LIMBS];
};

/* Brings what the limbs have too much to the next ones: what is above 2^255 comes back 19 times. */
static inline void fe_reduce(struct fe *out, fe_wide wide[FE_LIMBS]) {
  for (size_t i = 0; i < FE_LIMBS - 1; i++) {
    wide[i + 1] += wide[i] >> FE_BITS(i);
    out->limb[i] = (fe_limb)wide[i] & FE_MASK(i);
  }
  const fe_wide above = wide[FE_LIMBS - 1] >> FE_BITS(FE_LIMBS - 1);
  out->limb[FE_LIMBS - 1] = (fe_limb)wide[FE_LIMBS - 1] & FE_MASK(FE_LIMBS - 1);
  const fe_wide first = out->limb[0] + 19 * above;
  out->limb[0] = (fe_limb)first & FE_MASK(0);
  out->limb[1] += (fe_limb)(first >> FE_BITS(0));
}

static inline void fe_add(struct fe *out, const struct fe *a, const struct fe *b) {
  for (size_t i = 0; i < FE_LIMBS; i++) {
    out->limb[i] = a->limb[i] + b->limb[i];
  }
}

/* Adds 2 p, so that no limb of a reduced b is more. */
static inline void fe_subtract(struct fe *out, const struct fe *a, const struct fe *b) {
  for (size_t i = 0; i < FE_LIMBS; i++) {
    const fe_limb of_2p = 2 * FE_MASK(i) - (i == 0 ? 36 : 0);
    out->limb[i] = a->limb[i] + of_2p - b->limb[i];
  }
}

/* Multiplies by a number below 2^17. */
static inline void fe_multiply_small(struct fe *out, const struct fe *a, uint32_t number) {
  fe_wide wide[FE_LIMBS];

  for (size_t i = 0; i < FE_LIMBS; i++) {
    wide[i] = (fe_wide)a->limb[i] * number;
  }
  fe_reduce(out, wide);
}

#if FE_LIMBS == 5

static inline void fe_multiply(struct fe *out, const struct fe *a, const struct fe *b) {
  const fe_limb *f = a->limb;
  const fe_limb *g = b->limb;
  const fe_limb g1 = 19 * g[1];
  const fe_limb g2 = 19 * g[2];
  const fe_limb g3 = 19 * g[3];
  const fe_limb g4 = 19 * g[4];
  const fe_wide f0 = f[0];
  const fe_wide f1 = f[1];
  const fe_wide f2 = f[2];
  const fe_wide f3 = f[3];
  const fe_wide f4 = f[4];
  fe_wide wide[FE_LIMBS] = {
      f0 * g[0] + f1 * g4 + f2 * g3 + f3 * g2 + f4 * g1,
      f0 * g[1] + f1 * g[0] + f2 * g4 + f3 * g3 + f4 * g2,
      f0 * g[2] + f1 * g[1] + f2 * g[0] + f3 * g4 + f4 * g3,
      f0 * g[3] + f1 * g[2] + f2 * g[1] + f3 * g[0] + f4 * g4,
      f0 * g[4] + f1 * g[3] + f2 * g[2] + f3 * g[1] + f4 * g[0],
  };

  fe_reduce(out, wide);
}

static inline void fe_square(struct fe *out, const struct fe *a) {
  const fe_limb *f = a->limb;
  const fe_limb f3_19 = 19 * f[3];
  const fe_limb f4_19 = 19 * f[4];
  const fe_wide f0_2 = 2 * f[0];
  const fe_wide f1_2 = 2 * f[1];
  const fe_wide f2_2 = 2 * f[2];
  fe_wide wide[FE_LIMBS] = {
      (fe_wide)f[0] * f[0] + f1_2 * f4_19 + f2_2 * f3_19,
      f0_2 * f[1] + f2_2 * f4_19 + (fe_wide)f[3] * f3_19,
      f0_2 * f[2] + (fe_wide)f[1] * f[1] + (fe_wide)(2 * f[3]) * f4_19,
      f0_2 * f[3] + f1_2 * f[2] + (fe_wide)f[4] * f4_19,
      f0_2 * f[4] + f1_2 * f[3] + (fe_wide)f[2] * f[2],
  };

  fe_reduce(out, wide);
}

#else

/* Two limbs of 25 bits stand half a bit too low each, so that their product counts twice. The sums
 * stay below 2^63: factors that are sums or differences have at most 1.5 times 2^27 in the limbs of
 * 26 bits, and half of it in the others. */
static inline void fe_multiply(struct fe *out, const struct fe *a, const struct fe *b) {
  fe_wide wide[FE_LIMBS] = {0};
  fe_limb over[FE_LIMBS]; /* what stands above 2^255 */

  for (size_t j = 0; j < FE_LIMBS; j++) {
    over[j] = 19 * b->limb[j];
  }
  for (size_t i = 0; i < FE_LIMBS; i++) {
    const fe_limb once = a->limb[i];
    const fe_limb of_odd = i % 2 == 0 ? once : 2 * once;
    for (size_t j = 0; j < FE_LIMBS; j++) {
      const bool fits = i + j < FE_LIMBS;
      const fe_limb factor = fits ? b->limb[j] : over[j];
      wide[fits ? i + j : i + j - FE_LIMBS] += (fe_wide)(j % 2 == 0 ? once : of_odd) * factor;
    }
  }
  fe_reduce(out, wide);
}

static inline void fe_square(struct fe *out, const struct fe *a) {
  fe_multiply(out, a, a);
}

#endif

/* Swaps a and b if the lowest bit of swap is set. */
static inline void fe_swap(struct fe *a, struct fe *b, uint32_t swap) {
  const fe_limb mask = fe_mask_bit(swap);

  for (size_t i = 0; i < FE_LIMBS; i++) {
    const fe_limb difference = mask & (a->limb[i] ^ b->limb[i]);
    a->limb[i] ^= difference;
    b->limb[i] ^= difference;
  }
}

/* Loads a little-endian number modulo 2^255. */
static inline void fe_load(struct fe *out, const uint8_t in[32]) {
  for (size_t i = 0; i < FE_LIMBS; i++) {
    const size_t last = 32 - FE_WORD_BYTES;
    const size_t byte = FE_START(i) / 8 < last ? FE_START(i) / 8 : last;
    out->limb[i] = fe_load_word(in + byte) >> (FE_START(i) - 8 * byte) & FE_MASK(i);
  }
}

/* Stores the number below p that a reduced element is. */
static inline void fe_store(uint8_t out[32], const struct fe *a) {
  fe_wide wide[FE_LIMBS];
  struct fe x;

  for (size_t i = 0; i < FE_LIMBS; i++) {
    wide[i] = a->limb[i];
  }
  fe_reduce(&x, wide); /* below 2 p */
  fe_limb carry = 19;  /* x >= p if x + 19 has bit 255 */
  for (size_t i = 0; i < FE_LIMBS; i++) {
    carry = (x.limb[i] + carry) >> FE_BITS(i);
  }
  carry *= 19;
  for (size_t i = 0; i < FE_LIMBS; i++) {
    const fe_limb sum = x.limb[i] + carry;
    x.limb[i] = sum & FE_MASK(i);
    carry = sum >> FE_BITS(i);
  }
  for (size_t i = 0; i < 32; i++) {
    out[i] = 0;
  }
  for (size_t i = 0; i < FE_LIMBS; i++) {
    for (size_t done = 0; done < (size_t)FE_BITS(i);) {
      const size_t bit = FE_START(i) + done;
      out[bit / 8] |= (uint8_t)(x.limb[i] >> done << bit % 8);
      done += 8 - bit % 8;
    }
  }
}

#endif
