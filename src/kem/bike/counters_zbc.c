/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The decoder's counters for 64-bit RISC-V: what counters_levels.template.h asks for, with words
 * as vectors. They need nothing of Zbc, but enough registers that words stay in them from level to
 * level. */
#include "base/ct.h"
#include "base/isa.h"
#include "base/unroll.h"
#include "bike/counters.h"

#if defined(CODEKEM_HAVE_ZBC)

#define VECTOR_WORDS 1
#define STEP_LEVELS 4

#define ALWAYS_INLINE static inline __attribute__((always_inline))

typedef uint64_t vector;

#define load(from) (*(from))
#define store(to, x) (*(to) = (x))
#define spread(word) (word)
#define vector_xor(a, b) ((a) ^ (b))
#define vector_and(a, b) ((a) & (b))

ALWAYS_INLINE vector choose(vector zero, vector one, vector mask) {
  return zero ^ ((zero ^ one) & mask);
}

ALWAYS_INLINE vector sum3(vector a, vector b, vector c) {
  return a ^ b ^ c;
}

/* If a = b, the carry is a, otherwise it is c. */
ALWAYS_INLINE vector carry3(vector a, vector b, vector c) {
  return choose(a, c, a ^ b);
}

struct shift {
  unsigned right;
  uint64_t mask; /* zero for nothing */
};

ALWAYS_INLINE struct shift make_shift(uint32_t count, uint32_t nothing) {
  const struct shift shift = {count, ~ct_mask_bit_u64(nothing)};

  return shift;
}

ALWAYS_INLINE vector shift_words(vector low, vector high, const struct shift *shift) {
  return (low >> shift->right | high << 1 << (63 - shift->right)) & shift->mask;
}

/* The masks of a step. */
struct step {
  vector level[STEP_LEVELS];
};

ALWAYS_INLINE struct step make_step(uint32_t words) {
  struct step step;

  UNROLL
  for (unsigned l = 0; l < STEP_LEVELS; l++) {
    step.level[l] = ct_mask_bit_u64(words >> l);
  }
  return step;
}

#define rotate_words(x, step) (x)

#define TEMPLATE_SUFFIX zbc
#include "bike/counters_levels.template.h"

const struct bike_counters ckem_bike_counters_zbc = {
    .name = "zbc",
    .order_support = order_support_zbc,
    .count_unsatisfied = count_unsatisfied_zbc,
};

#endif
