/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Recurrences on vectors of 128 bits of 64-bit Arm: no polynomial has more coefficients. */
#include <assert.h>
#include <string.h>

#include "base/intrinsics.h"

#include "base/ct.h"
#include "recurrence/recurrence.h"

#if defined(CODEKEM_HAVE_NEON64)
ISA_BEGIN_NEON64

typedef uint64x2_t vector;

#define VECTORS 1
#define TEMPLATE_SUFFIX neon
#define TEMPLATE_BACKEND "neon"
#define lanes_xor(a, b) veorq_u64((a), (b))
#define lanes_and(a, b) vandq_u64((a), (b))
#define lanes_fill(w) vdupq_n_u64(w)
#define lanes_load(word, i) vld1q_u64((word) + 2 * (i))
#define lanes_store(word, i, x) vst1q_u64((word) + 2 * (i), (x))

#include "recurrence/recurrence_steps.template.h"

ISA_END
#endif
