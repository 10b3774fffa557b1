/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * What every entry point that meets secrets does first and last, and no function below it.
 *
 * On 64-bit Arm the processor's mode in which the time of instructions does not depend on data
 * (PSTATE.DIT) is on in between, where there is one. At the end the stack below is wiped, and then
 * the vector registers, in which kernels and copies of memory leave what they worked on.
 */
#ifndef CODEKEM_BASE_ENTRY_H
#define CODEKEM_BASE_ENTRY_H

#include <stdint.h>

#include "base/wipe.h"

/* Sets PSTATE.DIT where the processor has it. Returns what entry_end needs. */
uint64_t ckem_entry_begin(void);

/* Sets PSTATE.DIT to what it was before ckem_entry_begin. */
void ckem_entry_restore(uint64_t before);

/* Inline, because the stack is wiped below the function that calls this. */
static inline void entry_end(uint64_t before) {
  ckem_secure_wipe_stack();
  ckem_secure_wipe_registers();
  ckem_entry_restore(before);
}

#endif
