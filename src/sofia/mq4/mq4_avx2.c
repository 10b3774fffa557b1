/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Values by tables of sums, with the bits of 256 places in a vector. */
#include "base/bytes.h"
#include "base/intrinsics.h"
#include "mq4/mq4.h"
#include "mq4/mq4_columns.h"

#if defined(CODEKEM_HAVE_AVX2)
ISA_BEGIN_AVX2

#define TEMPLATE_SUFFIX avx2
#define VECTOR __m256i
#define VECTOR_WORDS 4
#define ADD(a, b) _mm256_xor_si256(a, b)
#define MASK(a, b) _mm256_and_si256(a, b)
#define ZERO _mm256_setzero_si256()
#define IN_REGISTER(x) __asm__("" : "+r"(x))
#define WIDTHS(do) \
  do (2) do(3) do(4)

#include "mq4/mq4_value.template.h"
#include "mq4/mq4_tables.template.h"

const struct mq4_ops ckem_mq4_avx2 = {
    .name = "avx2",
    .value = value_avx2,
    .evaluate = evaluate_avx2,
};

ISA_END
#endif
