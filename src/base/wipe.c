/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Erasing secrets. */
#include "base/wipe.h"

#include <string.h>

void secure_wipe(void *buffer, size_t length) {
  memset(buffer, 0, length);
#if defined(__GNUC__) && !defined(__FRAMAC__)
  /* The memory is an input here, so the stores above must have happened. */
  __asm__ volatile("" : : "r"(buffer) : "memory");
#endif
}

#if defined(__GNUC__)
__attribute__((noinline))
#endif
void secure_wipe_stack(void) {
  unsigned char below[SECURE_WIPE_STACK_BYTES];

  secure_wipe(below, sizeof below);
}
