/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What trace_compare.c runs: operations of KEMs (trace_kem.c) or of SOFIA (trace_sofia.c). */
#ifndef CODEKEM_TESTS_TRACE_OPERATION_H
#define CODEKEM_TESTS_TRACE_OPERATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TRACE_CASES 3

/* Returns false if there is no such scheme or operation. fixed_key: all cases have one key. */
bool trace_choose(const char *scheme, const char *operation, bool fixed_key);

/* Makes the inputs of case number, below TRACE_CASES. */
void trace_prepare(unsigned number);

/* Does the operation; returns whether it succeeded. */
bool trace_operate(void);

/* Ends the program with a message unless the condition holds. */
void trace_require(bool condition, const char *what);

/* Fills out with bytes that differ from case to case. */
static inline void trace_fill(uint8_t *out, size_t length, uint32_t state) {
  for (size_t i = 0; i < length; i++) {
    state = state * UINT32_C(1664525) + UINT32_C(1013904223);
    out[i] = (uint8_t)(state >> 24);
  }
}

#endif
