/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Whether the stack of this thread has room.
 *
 * Threads have 128 KiB with musl, 512 KiB on macOS, 1 MiB on Windows, and WebAssembly has 64 KiB
 * unless the linker is told otherwise. There a call asks before it takes more than is left, which
 * would be a segmentation fault, or in WebAssembly worse. glibc's threads have 8 MiB, and its
 * answer takes the heap and a file of the system, so there nobody asks.
 */
#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* for pthread_getattr_np */
#endif
#if defined(_WIN32) && !defined(_WIN32_WINNT)
#define _WIN32_WINNT 0x0602 /* Windows 8, the first that can be asked */
#endif
#include "base/stack.h"

#include <stdint.h>

#if defined(__FRAMAC__)
#define STACK_END_IS_UNKNOWN
#elif defined(_WIN32) && _WIN32_WINNT >= 0x0602
#include <windows.h>
#elif defined(__APPLE__)
#include <pthread.h>
#elif defined(__wasm__)
/* From wasm-ld. Older ones do not have it; where the stack is in front of everything else
 * (--stack-first), 0 is right. */
extern char __stack_low __attribute__((weak));
#elif defined(__linux__) && !defined(__GLIBC__) /* musl, bionic */
#include <pthread.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#else
#define STACK_END_IS_UNKNOWN
#endif

#if defined(STACK_END_IS_UNKNOWN)

bool ckem_stack_has_room(size_t length) {
  (void)length;
  return true;
}

#else

#if defined(__linux__)
#define FIRST_STACK_MOST ((uintptr_t)128 << 20) /* where there is no limit */

/* Says whether here is on the stack that the process began with, below the bytes that the kernel
 * has put there. It grows as far as the system lets it: 8 MiB, usually. Which thread this is does
 * not tell: in the child of a fork the thread that forked is the first one, on its own stack. */
static bool is_on_first_stack(uintptr_t here) {
  const uintptr_t top = (uintptr_t)getauxval(AT_RANDOM);
  struct rlimit limit = {0, 0};
  uintptr_t most = FIRST_STACK_MOST;

  if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur < UINTPTR_MAX) {
    most = (uintptr_t)limit.rlim_cur;
  }
  return here < top && top - here <= most;
}
#endif

/* Returns the lowest address of the stack that here is on, or 0 if that is not known. */
static uintptr_t stack_end(uintptr_t here) {
#if defined(_WIN32)
  ULONG_PTR low, high;

  (void)here;
  GetCurrentThreadStackLimits(&low, &high);
  return low;
#elif defined(__APPLE__)
  const pthread_t self = pthread_self();

  (void)here;
  return (uintptr_t)pthread_get_stackaddr_np(self) - pthread_get_stacksize_np(self);
#elif defined(__wasm__)
  (void)here;
  return (uintptr_t)&__stack_low;
#else
  pthread_attr_t attributes;
  void *low = NULL;
  size_t size = 0;

  if (!is_on_first_stack(here) && pthread_getattr_np(pthread_self(), &attributes) == 0) {
    (void)pthread_attr_getstack(&attributes, &low, &size);
    (void)pthread_attr_destroy(&attributes);
  }
  /* Elsewhere: a stack that the program has made itself. */
  return here - (uintptr_t)low < size ? (uintptr_t)low : 0;
#endif
}

bool ckem_stack_has_room(size_t length) {
  const uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  const uintptr_t end = stack_end(here);

  return here >= end && here - end >= length;
}

#endif
