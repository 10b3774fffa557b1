/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Recurrences on 64-bit words. */
#include <assert.h>
#include <stdint.h>
#include <string.h>

/* Unrolled, gcc keeps 10 KiB of intermediate values on the stack of 32-bit x86, which has few
 * registers: more than a call wipes. */
#if defined(__i386__)
#define CODEKEM_KEEP_LOOPS
#endif

typedef uint64_t vector;

#define VECTORS 2
#define TEMPLATE_SUFFIX portable
#define TEMPLATE_BACKEND "portable"
#define lanes_xor(a, b) ((a) ^ (b))
#define lanes_and(a, b) ((a) & (b))
#define lanes_fill(w) ((uint64_t)(w))
#define lanes_load(word, i) ((word)[i])
#define lanes_store(word, i, x) ((void)((word)[i] = (x)))

#include "recurrence/recurrence_steps.template.h"
