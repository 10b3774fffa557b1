/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Recurrences on vectors of 128 bits: no polynomial has more coefficients. */
#include "base/intrinsics.h"

#include "base/ct.h"
#include "recurrence/recurrence.h"

#if defined(CODEKEM_HAVE_AVX2)
ISA_BEGIN_AVX2

typedef __m128i vector;

#define VECTORS 1
#define TEMPLATE_SUFFIX avx2
#define TEMPLATE_BACKEND "avx2"
#define lanes_xor(a, b) _mm_xor_si128((a), (b))
#define lanes_and(a, b) _mm_and_si128((a), (b))
#define lanes_fill(w) _mm_set1_epi64x((long long)(w))
#define lanes_load(word, i) _mm_loadu_si128((const __m128i *)(const void *)(word) + (i))
#define lanes_store(word, i, x) _mm_storeu_si128((__m128i *)(void *)(word) + (i), (x))

#include "recurrence/recurrence_steps.template.h"

ISA_END
#endif
