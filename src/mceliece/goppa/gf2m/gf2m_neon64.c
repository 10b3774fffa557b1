/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Vectors over GF(2^m) on 128-bit registers of 64-bit Arm. */
#include <stdbool.h>

#include "base/intrinsics.h"
#include "gf2m/gf2m.h"
#include "gf2m/gf2m_pack.h"

#if defined(CODEKEM_HAVE_NEON64)
ISA_BEGIN_NEON64

typedef uint64x2_t vector;

#define VECTOR_WORDS 2
#define TEMPLATE_SUFFIX neon
#define TEMPLATE_BACKEND "neon"
#define vector_load(p) vld1q_u64(p)
#define vector_store(p, x) vst1q_u64((p), (x))
#define vector_store_any vector_store
#define vector_xor(a, b) veorq_u64((a), (b))
#define vector_and(a, b) vandq_u64((a), (b))
#define vector_add_product(sum, a, b) veorq_u64((sum), vandq_u64((a), (b)))
#define vector_fill(w) vdupq_n_u64(w)
#define vector_shift_left(x, count) vshlq_u64((x), vdupq_n_s64((int64_t)(count)))
#define vector_shift_right(x, count) vshlq_u64((x), vdupq_n_s64(-(int64_t)(count)))
#define pack_elements ckem_gf2m_pack_words
#define unpack_elements ckem_gf2m_unpack_words

static inline __attribute__((always_inline)) void vector_split(unsigned log_h, vector *lo,
                                                               vector *hi, vector x, vector y) {
  (void)log_h; /* 6: nothing wider is within a vector */
  *lo = vtrn1q_u64(x, y);
  *hi = vtrn2q_u64(x, y);
}

/* Word i is filled with bit i << log_step of x. */
static inline __attribute__((always_inline)) vector vector_spread(uint64_t x, unsigned log_step) {
  const uint64x2_t bits =
      vcombine_u64(vcreate_u64(1), vcreate_u64(UINT64_C(1) << (1U << log_step)));

  return vtstq_u64(vdupq_n_u64(x), bits);
}

#include "gf2m/gf2m_vectors.template.h"
/* The order matters: these build on those. */
#include "gf2m/gf2m_transform.template.h"

ISA_END
#endif
