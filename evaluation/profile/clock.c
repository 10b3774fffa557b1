/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The clock of the profile: the finest that the processor has. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include <time.h>

#include "parts.h"

const bool clock_is_free = false;

#if defined(__x86_64__)
#include <x86intrin.h>
const char *const clock_name = "time-stamp counter";
uint64_t clock_now(void) {
  _mm_lfence(); /* what came before has ended */
  return __rdtsc();
}
#else
const char *const clock_name = "nanoseconds";
uint64_t clock_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}
#endif
