/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Randomness from the operating system. */
#include "base/random.h"

#if defined(__linux__) && !defined(__FRAMAC__)

#include <errno.h>
#include <sys/random.h>

bool random_from_system(void *context, uint8_t *out, size_t length) {
  (void)context;
  while (length > 0) {
    ssize_t got = getrandom(out, length, 0);
    if (got < 0) {
      if (errno == EINTR) {
        continue;
      }
      return false;
    }
    out += got;
    length -= (size_t)got;
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

/* No system source is known: the caller must pass seeds or its own source. */
bool random_from_system(void *context, uint8_t *out, size_t length) {
  (void)context;
  (void)out;
  (void)length;
  return false;
}

#endif
