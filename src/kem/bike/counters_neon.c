/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The decoder's counters for AArch64: what counters_levels.template.h asks for. */
#include "base/intrinsics.h"
#include "base/unroll.h"
#include "bike/counters.h"

#if defined(CODEKEM_HAVE_NEON)
ISA_BEGIN_NEON

#define VECTOR_WORDS 2
#define STEP_LEVELS 3

#define ALWAYS_INLINE static inline __attribute__((always_inline))

typedef uint64x2_t vector;

ALWAYS_INLINE vector load(const uint64_t *from) {
  return vld1q_u64(from);
}

ALWAYS_INLINE void store(uint64_t *to, vector x) {
  vst1q_u64(to, x);
}

ALWAYS_INLINE vector spread(uint64_t word) {
  return vdupq_n_u64(word);
}

ALWAYS_INLINE vector vector_xor(vector a, vector b) {
  return veorq_u64(a, b);
}

ALWAYS_INLINE vector vector_and(vector a, vector b) {
  return vandq_u64(a, b);
}

ALWAYS_INLINE vector choose(vector zero, vector one, vector mask) {
  return vbslq_u64(mask, one, zero);
}

ALWAYS_INLINE vector sum3(vector a, vector b, vector c) {
  return veorq_u64(veorq_u64(a, b), c);
}

/* If a = b, the carry is a, otherwise it is c. */
ALWAYS_INLINE vector carry3(vector a, vector b, vector c) {
  return choose(a, c, veorq_u64(a, b));
}

/* Counts are to the left. Those of 64 places, to either side, give zero. */
struct shift {
  int64x2_t right;
  int64x2_t left;
};

ALWAYS_INLINE struct shift make_shift(uint32_t count, uint32_t nothing) {
  const int64x2_t right =
      vnegq_s64(vreinterpretq_s64_u64(vdupq_n_u64((uint64_t)count + 64 * (uint64_t)nothing)));
  const struct shift shift = {right, vreinterpretq_s64_u64(vdupq_n_u64((uint64_t)64 - count))};

  return shift;
}

ALWAYS_INLINE vector shift_words(vector low, vector high, const struct shift *shift) {
  return vorrq_u64(vshlq_u64(low, shift->right), vshlq_u64(high, shift->left));
}

/* The masks of a step, and where the bytes of words go within vectors. */
struct step {
  vector level[STEP_LEVELS];
  uint8x16_t bytes;
};

ALWAYS_INLINE struct step make_step(uint32_t words) {
  const uint64_t odd = words % VECTOR_WORDS;
  const uint64_t places = words / VECTOR_WORDS;
  /* If the number is odd, the lower word wraps around, and comes from one vector further on. */
  const vector word_places = vcombine_u64(vcreate_u64(places + odd), vcreate_u64(places));
  const uint8x16_t order = vcombine_u8(vcreate_u8(UINT64_C(0x0706050403020100)),
                                       vcreate_u8(UINT64_C(0x0F0E0D0C0B0A0908)));
  struct step step;

  UNROLL
  for (unsigned l = 0; l < STEP_LEVELS; l++) {
    step.level[l] = vtstq_u64(word_places, vdupq_n_u64(UINT64_C(1) << l));
  }
  step.bytes = veorq_u8(order, vdupq_n_u8((uint8_t)(8 * odd)));
  return step;
}

ALWAYS_INLINE vector rotate_words(vector x, const struct step *step) {
  return vreinterpretq_u64_u8(vqtbl1q_u8(vreinterpretq_u8_u64(x), step->bytes));
}

#define TEMPLATE_SUFFIX neon
#include "bike/counters_levels.template.h"

const struct bike_counters ckem_bike_counters_neon = {
    .name = "neon",
    .order_support = order_support_neon,
    .count_unsatisfied = count_unsatisfied_neon,
};

ISA_END
#endif
