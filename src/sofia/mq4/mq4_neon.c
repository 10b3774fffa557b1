/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Values by tables of sums, with the bits of 128 places in a vector. */
#include "base/bytes.h"
#include "base/intrinsics.h"
#include "mq4/mq4.h"
#include "mq4/mq4_columns.h"

#if defined(CODEKEM_HAVE_NEON)
ISA_BEGIN_NEON

#define TEMPLATE_SUFFIX neon
#define VECTOR uint64x2_t
#define VECTOR_WORDS 2
#define ADD(a, b) veorq_u64(a, b)
#define MASK(a, b) vandq_u64(a, b)
#define ZERO vdupq_n_u64(0)
#define IN_REGISTER(x) __asm__("" : "+r"(x))
#define WIDTHS(do) \
  do (4) do(6) do(8)

#include "mq4/mq4_value.template.h"
#include "mq4/mq4_tables.template.h"

const struct mq4_ops ckem_mq4_neon = {
    .name = "neon",
    .value = value_neon,
    .evaluate = evaluate_neon,
};

ISA_END
#endif
