/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What the compiler calls for atomic operations where the processor has none: one processor, and no
 * interrupt that is taken, so nothing comes between. */
#include <stdbool.h>
#include <stdint.h>

/* The compiler does not let a program define a function of this name. */
bool codekem_compare_exchange(volatile void *object, void *expected, unsigned desired, bool weak,
                              int success, int failure) __asm__("__atomic_compare_exchange_4");

bool codekem_compare_exchange(volatile void *object, void *expected, unsigned desired, bool weak,
                              int success, int failure) {
  volatile uint32_t *at = object;
  uint32_t *wanted = expected;
  const uint32_t found = *at;

  (void)weak, (void)success, (void)failure;
  if (found != *wanted) {
    *wanted = found;
    return false;
  }
  *at = desired;
  return true;
}
