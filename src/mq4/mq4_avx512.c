/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Values by tables of sums, with the bits of 512 places in a vector. */
#include "base/bytes.h"
#include "base/intrinsics.h"
#include "mq4/mq4.h"
#include "mq4/mq4_columns.h"

#if defined(CODEKEM_HAVE_AVX512)
ISA_BEGIN_AVX512

#define TEMPLATE_SUFFIX avx512
#define VECTOR __m512i
#define VECTOR_WORDS 8
#define ADD(a, b) _mm512_xor_si512(a, b)
#define MASK(a, b) _mm512_and_si512(a, b)
#define ZERO _mm512_setzero_si512()
#define WIDTHS(do) \
  do (1) do(2)

#include "mq4/mq4_value.template.h"
#include "mq4/mq4_tables.template.h"

const struct mq4_ops mq4_avx512 = {
    .name = "avx512",
    .value = value_avx512,
    .evaluate = evaluate_avx512,
};

ISA_END
#endif
