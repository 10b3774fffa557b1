/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The decoder's counters for 64-bit RISC-V: what counters_steps.template.h asks for, with words
 * as vectors. They need nothing of Zbc, but enough registers that words stay in them from level to
 * level. */
#include "base/ct.h"
#include "base/isa.h"
#include "base/unroll.h"
#include "bike/counters.h"

#if defined(CODEKEM_HAVE_ZBC)

#define VECTOR_WORDS 1
#define MAX_LEVELS 10
#define MAX_CHAIN_LENGTH 80
#define BLENDS_ARE_SCARCE 1

#define ALWAYS_INLINE static inline __attribute__((always_inline))

typedef uint64_t vector;

#define load(from) (*(from))
#define spread(word) (word)
#define vector_xor(a, b) ((a) ^ (b))
#define vector_and(a, b) ((a) & (b))
/* Counts are below 64 but for those to the left, which may be 64. */
#define shift_right(x, counts) ((x) >> (counts))
#define shift_left(x, counts) ((x) << 1 << ((counts) - 1))

ALWAYS_INLINE vector choose(vector zero, vector one, vector mask) {
  return zero ^ ((zero ^ one) & mask);
}

#define choose_by_logic(zero, one, mask) choose(zero, one, mask)

/* The masks of one rotation. */
struct rotation {
  vector level[MAX_LEVELS];
};

ALWAYS_INLINE struct rotation make_rotation(size_t top, uint32_t position) {
  struct rotation rotation;

  UNROLL
  for (unsigned l = 0; (size_t)1 << l <= top; l++) {
    rotation.level[l] = ct_mask_bit_u64(position / 64 >> l);
  }
  return rotation;
}

#define rotate_words(x, rotation) (x)

#define TEMPLATE_SUFFIX zbc
#include "bike/counters_steps.template.h"

const struct bike_counters ckem_bike_counters_zbc = {
    .name = "zbc",
    .count_unsatisfied = count_unsatisfied_zbc,
};

#endif
