/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Erasing secrets. */
#ifndef CODEKEM_BASE_WIPE_H
#define CODEKEM_BASE_WIPE_H

#include <stddef.h>

#include "base/profile.h"

/* Overwrites buffer[length] with zeros; the compiler cannot drop it. */
void ckem_secure_wipe(void *buffer, size_t length);

/* How deep below the entry points functions may leave traces (spilled registers, small arrays). */
#define SECURE_WIPE_STACK_BYTES PROFILE_TRACE_BYTES

/* Overwrites SECURE_WIPE_STACK_BYTES of the stack below the caller. */
void ckem_secure_wipe_stack(void);

/* Overwrites the vector registers that a function may change, on x86-64, 64-bit Arm, and 32-bit Arm
 * and RISC-V with vectors. */
void ckem_secure_wipe_registers(void);

/* Its part for 32-bit Arm, which has to be compiled for NEON. */
void ckem_wipe_registers_neon32(void);

#endif
