/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Randomness from the operating system. */
#include "base/random.h"

#if defined(__linux__)

#include <errno.h>
#include <sys/random.h>

bool random_from_system(void *context, uint8_t *out, size_t length) {
  size_t done = 0;

  (void)context;
  /* For the proof of memory safety: one state for each number of bytes that are done. */
  //@ dynamic_split done;
  //@ loop unroll 0;
  while (done < length) {
    const ssize_t got = getrandom(out + done, length - done, 0);
    if (got >= 0) {
      done += (size_t)got;
    } else if (errno != EINTR) {
      return false;
    }
  }
  return true;
}

#elif defined(__APPLE__) || defined(__FreeBSD__) || defined(__OpenBSD__) || defined(__NetBSD__)

#include <stdlib.h>

bool random_from_system(void *context, uint8_t *out, size_t length) {
  (void)context;
  arc4random_buf(out, length);
  return true;
}

#else

/* No source of this system is known, so the caller must pass seeds or its own source. */
bool random_from_system(void *context, uint8_t *out, size_t length) {
  (void)context;
  (void)out;
  (void)length;
  return false;
}

#endif
