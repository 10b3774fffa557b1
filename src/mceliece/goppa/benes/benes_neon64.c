/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Benes networks on 128-bit vectors of 64-bit Arm: the steps that find control bits. */
#include "base/intrinsics.h"
#include "benes/benes.h"
#include "benes/benes_find.h"
#include "benes/benes_words.h"

#if defined(CODEKEM_HAVE_NEON64)
ISA_BEGIN_NEON64

#define LANES 8 /* numbers in a vector */
#define PAIRS(x) vreinterpretq_u32_u16(x)

static void look_up_neon(size_t n, const uint16_t *index, const uint16_t *inverse, uint16_t *first,
                         const uint16_t *from_first, uint16_t *second, const uint16_t *from_second,
                         uint64_t *scratch) {
  (void)index;
  ckem_benes_look_up_by_sorting(&ckem_sort_neon, n, inverse, first, from_first, second, from_second,
                                scratch);
}

static void conjugate_neon(size_t n, uint16_t *to, const uint16_t *a) {
  for (size_t y = 0; y < n; y += LANES) {
    vst1q_u16(to + y, veorq_u16(vrev32q_u16(vld1q_u16(a + y)), vdupq_n_u16(1)));
  }
}

static void lower_neon(size_t n, uint16_t *a, const uint16_t *b) {
  for (size_t y = 0; y < n; y += LANES) {
    vst1q_u16(a + y, vminq_u16(vld1q_u16(a + y), vld1q_u16(b + y)));
  }
}

static void flip_pairs_neon(size_t n, uint16_t *to, const uint16_t *a) {
  uint16x8_t number = vcombine_u16(vcreate_u16(UINT64_C(0x0003000200010000)),
                                   vcreate_u16(UINT64_C(0x0007000600050004)));

  for (size_t y = 0; y < n; y += LANES) {
    const uint32x4_t bit = vandq_u32(PAIRS(vld1q_u16(a + y)), vdupq_n_u32(1));
    const uint32x4_t both = vorrq_u32(bit, vshlq_n_u32(bit, 16));
    vst1q_u16(to + y, veorq_u16(number, vreinterpretq_u16_u32(both)));
    number = vaddq_u16(number, vdupq_n_u16(LANES));
  }
}

static void split_neon(size_t n, uint16_t *even, uint16_t *odd, const uint16_t *a,
                       const uint16_t *by, uint16_t size) {
  const uint32x4_t mask = vdupq_n_u32(size - 1U);

  for (size_t y = 0; y < n; y += LANES) {
    const uint16x8_t x = vld1q_u16(a + y);
    const uint32x4_t swap = vtstq_u32(PAIRS(vld1q_u16(by + y)), vdupq_n_u32(1));
    const uint32x4_t z = vbslq_u32(swap, PAIRS(vrev32q_u16(x)), PAIRS(x));
    vst1_u16(even + y / 2, vmovn_u32(vandq_u32(vshrq_n_u32(z, 1), mask)));
    vst1_u16(odd + y / 2, vmovn_u32(vandq_u32(vshrq_n_u32(z, 17), mask)));
  }
}

static void collect_neon(size_t n, uint64_t *bits, const uint16_t *a) {
  const int32x4_t places =
      vcombine_s32(vcreate_s32(UINT64_C(1) << 32), vcreate_s32(UINT64_C(3) << 32 | 2));

  for (size_t y = 0; y < n; y += LANES) {
    const uint32x4_t lowest = vandq_u32(PAIRS(vld1q_u16(a + y)), vdupq_n_u32(1));
    const uint64_t found = vaddvq_u32(vshlq_u32(lowest, places));
    const size_t k = y / 2;
    bits[k / 64] = k % 64 == 0 ? found : bits[k / 64] | found << (k % 64);
  }
}

static const struct benes_steps steps_neon = {
    .look_up = look_up_neon,
    .conjugate = conjugate_neon,
    .lower = lower_neon,
    .flip_pairs = flip_pairs_neon,
    .split = split_neon,
    .collect = collect_neon,
};

static void find_control_bits_neon(unsigned m, uint8_t *control, const uint16_t *pi,
                                   uint64_t *scratch) {
  const struct benes_steps *steps = m < 6 ? &ckem_benes_steps_portable : &steps_neon;

  ckem_benes_find(steps, &ckem_sort_neon, m, control, pi, scratch);
}

const struct benes_ops ckem_benes_neon = {
    .name = "neon",
    .find_control_bits = find_control_bits_neon,
    .prepare = ckem_benes_prepare_words,
    .apply = ckem_benes_apply_words,
    .apply_reversed = ckem_benes_apply_words_reversed,
    .permutation = ckem_benes_permutation_of_words,
};

ISA_END
#endif
