/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Vector functions of 64-bit Arm that 32-bit Arm lacks, for files that are written once for both:
 * as many as these files use. The tables and numbers are as Arm documents them. */
#ifndef CODEKEM_BASE_INTRINSICS_NEON32_H
#define CODEKEM_BASE_INTRINSICS_NEON32_H

#include "base/isa.h"

#if defined(CODEKEM_HAVE_NEON32)
#include <arm_neon.h>
#endif

#if defined(CODEKEM_HAVE_NEON32)
ISA_BEGIN_NEON32

#define NEON32_FUNCTION static inline __attribute__((always_inline, unused))

/* --- Sorting lanes: one instruction gives both results, and compilers see that --------------- */

NEON32_FUNCTION uint8x16_t vtrn1q_u8(uint8x16_t a, uint8x16_t b) {
  return vtrnq_u8(a, b).val[0];
}

NEON32_FUNCTION uint8x16_t vtrn2q_u8(uint8x16_t a, uint8x16_t b) {
  return vtrnq_u8(a, b).val[1];
}

NEON32_FUNCTION uint16x8_t vtrn1q_u16(uint16x8_t a, uint16x8_t b) {
  return vtrnq_u16(a, b).val[0];
}

NEON32_FUNCTION uint16x8_t vtrn2q_u16(uint16x8_t a, uint16x8_t b) {
  return vtrnq_u16(a, b).val[1];
}

NEON32_FUNCTION int16x8_t vtrn1q_s16(int16x8_t a, int16x8_t b) {
  return vtrnq_s16(a, b).val[0];
}

NEON32_FUNCTION int16x8_t vtrn2q_s16(int16x8_t a, int16x8_t b) {
  return vtrnq_s16(a, b).val[1];
}

NEON32_FUNCTION uint32x4_t vtrn1q_u32(uint32x4_t a, uint32x4_t b) {
  return vtrnq_u32(a, b).val[0];
}

NEON32_FUNCTION uint32x4_t vtrn2q_u32(uint32x4_t a, uint32x4_t b) {
  return vtrnq_u32(a, b).val[1];
}

NEON32_FUNCTION int32x4_t vtrn1q_s32(int32x4_t a, int32x4_t b) {
  return vtrnq_s32(a, b).val[0];
}

NEON32_FUNCTION int32x4_t vtrn2q_s32(int32x4_t a, int32x4_t b) {
  return vtrnq_s32(a, b).val[1];
}

NEON32_FUNCTION int64x2_t vtrn1q_s64(int64x2_t a, int64x2_t b) {
  return vcombine_s64(vget_low_s64(a), vget_low_s64(b));
}

NEON32_FUNCTION int64x2_t vtrn2q_s64(int64x2_t a, int64x2_t b) {
  return vcombine_s64(vget_high_s64(a), vget_high_s64(b));
}

NEON32_FUNCTION uint8x16_t vuzp1q_u8(uint8x16_t a, uint8x16_t b) {
  return vuzpq_u8(a, b).val[0];
}

NEON32_FUNCTION uint8x16_t vuzp2q_u8(uint8x16_t a, uint8x16_t b) {
  return vuzpq_u8(a, b).val[1];
}

NEON32_FUNCTION uint8x16_t vzip1q_u8(uint8x16_t a, uint8x16_t b) {
  return vzipq_u8(a, b).val[0];
}

NEON32_FUNCTION uint8x16_t vzip2q_u8(uint8x16_t a, uint8x16_t b) {
  return vzipq_u8(a, b).val[1];
}

/* Indices of 16 and above give 0. In assembly because gcc moves the halves. */
NEON32_FUNCTION uint8x16_t vqtbl1q_u8(uint8x16_t table, uint8x16_t indices) {
  uint8x16_t out;

  __asm__("vtbl.8 %e0, {%e1, %f1}, %e2\n\tvtbl.8 %f0, {%e1, %f1}, %f2"
          : "=&w"(out)
          : "w"(table), "w"(indices));
  return out;
}

/* --- Two vectors at a time, with a step to the next two --------------------------------------- */

#if defined(__clang__) /* its functions for pairs want them at multiples of 32 bytes */

NEON32_FUNCTION uint8x16x2_t neon32_load_pair(const uint8_t **from) {
  const uint8x16x2_t x = {{vld1q_u8(*from), vld1q_u8(*from + 16)}};

  *from += 32;
  return x;
}

NEON32_FUNCTION void neon32_store_pair(uint8_t **to, uint8x16x2_t x) {
  vst1q_u8(*to, x.val[0]);
  vst1q_u8(*to + 16, x.val[1]);
  *to += 32;
}

#else /* gcc before version 14 has no functions for them */

struct neon32_pair {
  uint8_t bytes[32];
};

NEON32_FUNCTION uint8x16x2_t neon32_load_pair(const uint8_t **from) {
  const uint8_t *place = *from;
  uint8x16x2_t x;

  __asm__("vld1.8 %h0, [%1]!"
          : "=w"(x), "=r"(*from)
          : "1"(place), "m"(*(const struct neon32_pair *)place));
  return x;
}

NEON32_FUNCTION void neon32_store_pair(uint8_t **to, uint8x16x2_t x) {
  uint8_t *place = *to;

  __asm__("vst1.8 %h3, [%1]!" : "=m"(*(struct neon32_pair *)place), "=r"(*to) : "1"(place), "w"(x));
}

#endif

NEON32_FUNCTION uint64x2x4_t vld4q_u64(const uint64_t *from) {
  uint64x2x4_t x;

  for (int i = 0; i < 4; i++) {
    x.val[i] = vcombine_u64(vld1_u64(from + i), vld1_u64(from + i + 4));
  }
  return x;
}

NEON32_FUNCTION void vst4q_u64(uint64_t *to, uint64x2x4_t x) {
  for (int i = 0; i < 4; i++) {
    vst1_u64(to + i, vget_low_u64(x.val[i]));
    vst1_u64(to + i + 4, vget_high_u64(x.val[i]));
  }
}

/* --- Arithmetic ------------------------------------------------------------------------------- */

NEON32_FUNCTION int16x8_t vaddl_high_s8(int8x16_t a, int8x16_t b) {
  return vaddl_s8(vget_high_s8(a), vget_high_s8(b));
}

NEON32_FUNCTION int16x8_t vsubl_high_s8(int8x16_t a, int8x16_t b) {
  return vsubl_s8(vget_high_s8(a), vget_high_s8(b));
}

NEON32_FUNCTION poly16x8_t vmull_high_p8(poly8x16_t a, poly8x16_t b) {
  return vmull_p8(vget_high_p8(a), vget_high_p8(b));
}

NEON32_FUNCTION int64x2_t vnegq_s64(int64x2_t a) {
  return vsubq_s64(vdupq_n_s64(0), a);
}

NEON32_FUNCTION uint8x16_t vceqzq_u8(uint8x16_t a) {
  return vceqq_u8(a, vdupq_n_u8(0));
}

NEON32_FUNCTION uint16x8_t vcgtzq_s16(int16x8_t a) {
  return vcgtq_s16(a, vdupq_n_s16(0));
}

/* All ones in words that have a bit of the mask, of which each word has one, below bit 32. */
NEON32_FUNCTION uint64x2_t vtstq_u64(uint64x2_t a, uint64x2_t one_bit) {
  const uint64x2_t low =
      vreinterpretq_u64_u32(vtstq_u32(vreinterpretq_u32_u64(a), vreinterpretq_u32_u64(one_bit)));

  return vsliq_n_u64(low, low, 32);
}

NEON32_FUNCTION uint32_t vaddvq_u32(uint32x4_t a) {
  const uint32x2_t halves = vadd_u32(vget_low_u32(a), vget_high_u32(a));

  return vget_lane_u32(vpadd_u32(halves, halves), 0);
}

NEON32_FUNCTION uint16_t vmaxvq_u16(uint16x8_t a) {
  uint16x4_t most = vmax_u16(vget_low_u16(a), vget_high_u16(a));

  most = vpmax_u16(most, most);
  most = vpmax_u16(most, most);
  return vget_lane_u16(most, 0);
}

ISA_END
#endif

#endif
