/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * What the programs that run operations on the board share: a block with a guard behind it, and an
 * operation by name.
 */
#ifndef CODEKEM_EMBEDDED_OPERATION_H
#define CODEKEM_EMBEDDED_OPERATION_H

#include <stddef.h>
#include <stdint.h>

#include "codekem.h"

enum { MAX_VALUES = 2, GUARD_BYTES = 256 };

/* An operation and the lengths of the values that it reads and writes; 0 after the last. */
struct operation {
  const char *name;
  void (*run)(void *context);
  size_t in[MAX_VALUES], out[MAX_VALUES];
};

/* Returns the operation of a name among operations[count]; ends the program if there is none. */
const struct operation *operation_find(const struct operation *operations, size_t count,
                                       const char *name);

/* Reads the values of an operation from the rest of a line to inputs, runs it on context and says
 * its measurement and its outputs. *status is what it left there; an error ends the program. */
void operation_run(const struct operation *operation, void *context, const codekem_status *status,
                   char *rest, uint8_t *const inputs[MAX_VALUES],
                   uint8_t *const outputs[MAX_VALUES]);

/* Measures run(context) and says it; ends the program if *status is an error then. */
void operation_measure(void (*run)(void *context), void *context, const codekem_status *status);

/* Writes a guard behind the first `length` bytes of block[size + GUARD_BYTES]; ends the program if
 * length is above size. */
void guard_begin(uint8_t *block, size_t size, size_t length);

/* Ends the program if the guard was written to. */
void guard_end(const uint8_t *block, size_t length);

#endif
