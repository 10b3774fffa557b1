/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Erasing secrets. */
#include "base/wipe.h"

#include <stdint.h>
#include <string.h>

#if !defined(__GNUC__) && !defined(__clang__)
#error "codekem knows no way to keep this compiler from dropping wipes: build it with gcc or clang"
#endif

void ckem_secure_wipe(void *buffer, size_t length) {
  memset(buffer, 0, length);
#if !defined(__FRAMAC__)
  /* The assembly takes the memory as an input, so the compiler cannot leave out the stores
   * above. */
  __asm__ volatile("" : : "r"(buffer) : "memory");
#endif
}

/* Where it probes large frames (-fstack-clash-protection), gcc for 32-bit Arm stores the register
 * of the first argument, the last time below the frame, where nothing is wiped. So there is an
 * argument, and it is 0. */
static __attribute__((noinline)) void wipe_below(uintptr_t zero) {
  unsigned char below[SECURE_WIPE_STACK_BYTES];

#if !defined(__FRAMAC__)
  __asm__ volatile("" : : "r"(zero));
#endif
  (void)zero;
  ckem_secure_wipe(below, sizeof below);
}

__attribute__((noinline)) void ckem_secure_wipe_stack(void) {
  uintptr_t zero = 0;

#if !defined(__FRAMAC__)
  __asm__ volatile("" : "+r"(zero));
#endif
  wipe_below(zero);
}
