/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The decoder's counters for AArch64: what counters_steps.template.h asks for. */
#include "base/intrinsics.h"
#include "base/unroll.h"
#include "bike/counters.h"

#if defined(CODEKEM_HAVE_NEON)
ISA_BEGIN_NEON

#define VECTOR_WORDS 2
#define MAX_LEVELS 9
#define MAX_CHAIN_LENGTH 40
#define BLENDS_ARE_SCARCE 0

#define ALWAYS_INLINE static inline __attribute__((always_inline))

typedef uint64x2_t vector;

ALWAYS_INLINE vector load(const uint64_t *from) {
  return vld1q_u64(from);
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

ALWAYS_INLINE vector shift_right(vector x, vector counts) {
  return vshlq_u64(x, vnegq_s64(vreinterpretq_s64_u64(counts)));
}

ALWAYS_INLINE vector shift_left(vector x, vector counts) {
  return vshlq_u64(x, vreinterpretq_s64_u64(counts));
}

ALWAYS_INLINE vector choose(vector zero, vector one, vector mask) {
  return vbslq_u64(mask, one, zero);
}

ALWAYS_INLINE vector choose_by_logic(vector zero, vector one, vector mask) {
  return choose(zero, one, mask);
}

/* The masks of one rotation. */
struct rotation {
  vector level[MAX_LEVELS];
  uint8x16_t bytes; /* where the bytes of words go in step 2 */
};

ALWAYS_INLINE struct rotation make_rotation(size_t top, uint32_t position) {
  const uint64_t odd = position / 64 % VECTOR_WORDS;
  const uint64_t places = position / (64 * VECTOR_WORDS);
  /* If w is 1, the lower word wraps around, and comes from one vector further on. */
  const vector word_places = vcombine_u64(vcreate_u64(places + odd), vcreate_u64(places));
  const uint8x16_t order = vcombine_u8(vcreate_u8(UINT64_C(0x0706050403020100)),
                                       vcreate_u8(UINT64_C(0x0F0E0D0C0B0A0908)));
  struct rotation rotation;

  UNROLL
  for (unsigned l = 0; (size_t)1 << l <= top; l++) {
    rotation.level[l] = vtstq_u64(word_places, vdupq_n_u64(UINT64_C(1) << l));
  }
  rotation.bytes = veorq_u8(order, vdupq_n_u8((uint8_t)(8 * odd)));
  return rotation;
}

ALWAYS_INLINE vector rotate_words(vector x, const struct rotation *rotation) {
  return vreinterpretq_u64_u8(vqtbl1q_u8(vreinterpretq_u8_u64(x), rotation->bytes));
}

#define TEMPLATE_SUFFIX neon
#include "bike/counters_steps.template.h"

const struct bike_counters ckem_bike_counters_neon = {
    .name = "neon",
    .count_unsatisfied = count_unsatisfied_neon,
};

ISA_END
#endif
