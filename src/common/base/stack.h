/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Whether the stack of this thread has room. */
#ifndef CODEKEM_BASE_STACK_H
#define CODEKEM_BASE_STACK_H

#include <stdbool.h>
#include <stddef.h>

/* Returns false if fewer than length bytes of this thread's stack are left. Where stacks are large
 * or the system cannot be asked cheaply, returns true. */
bool ckem_stack_has_room(size_t length);

#endif
