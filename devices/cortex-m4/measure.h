/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Counts the instructions and the stack of a call. */
#ifndef CODEKEM_EMBEDDED_MEASURE_H
#define CODEKEM_EMBEDDED_MEASURE_H

#include <stdint.h>

struct measurement {
  uint32_t instructions; /* of the call, without those of the measurement */
  uint32_t stack_bytes;  /* how far the stack went below that of the caller */
};

/* Runs call(context) and measures it. */
struct measurement measure(void (*call)(void *context), void *context);

#endif
