/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Sorting numbers of 32 bits on 128-bit vectors of 64-bit Arm; it has no minimum of 64 bits. */
#include <stdbool.h>

#include "base/intrinsics.h"
#include "sort/sort.h"

#if defined(CODEKEM_HAVE_NEON64)
ISA_BEGIN_NEON64

typedef uint32x4_t vector;
typedef uint32x4_t lanes; /* all ones in the lanes of the set */

/* The lanes whose number has the bit set. */
static inline __attribute__((always_inline)) lanes lanes_of_bit(unsigned bit) {
  const uint32x4_t number =
      vcombine_u32(vcreate_u32(UINT64_C(1) << 32), vcreate_u32(UINT64_C(3) << 32 | 2));

  return vtstq_u32(number, vdupq_n_u32(bit));
}

#define TEMPLATE_SUFFIX neon
#define vector_load(p) vld1q_u32(p)
#define vector_store(p, x) vst1q_u32((p), (x))
#define lanes_all vdupq_n_u32(UINT32_MAX)
#define lanes_change(a, b) veorq_u32((a), (b))
#define lanes_choose(set, x, y) vbslq_u32((set), (y), (x))
#define number uint32_t
#define TEMPLATE_NUMBER u32
#define LOG_LANES 2
#define LANES 4U
#define vector_least(x, y) vminq_u32((x), (y))
#define vector_most(x, y) vmaxq_u32((x), (y))
#define vector_swap(x, d) ((d) == 1 ? vrev64q_u32(x) : vextq_u32((x), (x), 2))
#define lanes_with(bit) lanes_of_bit(bit)
#include "sort/sort_vectors.template.h"

static void sort_u32_neon(uint32_t *numbers, size_t count) {
  if (count < 2 * LANES) {
    ckem_sort_portable.sort_u32(numbers, count);
  } else {
    sort_long_u32_neon(numbers, count);
  }
}

static void sort_u64_neon(uint64_t *numbers, size_t count) {
  ckem_sort_portable.sort_u64(numbers, count);
}

const struct sort_ops ckem_sort_neon = {
    .name = "neon",
    .sort_u32 = sort_u32_neon,
    .sort_u64 = sort_u64_neon,
};

ISA_END
#endif
