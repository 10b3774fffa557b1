/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Erasing secrets. */
#include "base/wipe.h"

#include <string.h>

#if !defined(__GNUC__) && !defined(__clang__)
#error "codekem knows no way to keep this compiler from dropping wipes: build it with gcc or clang"
#endif

void secure_wipe(void *buffer, size_t length) {
  memset(buffer, 0, length);
#if !defined(__FRAMAC__)
  /* The assembly takes the memory as an input, so the compiler cannot leave out the stores
   * above. */
  __asm__ volatile("" : : "r"(buffer) : "memory");
#endif
}

__attribute__((noinline)) void secure_wipe_stack(void) {
  unsigned char below[SECURE_WIPE_STACK_BYTES];

  secure_wipe(below, sizeof below);
}
