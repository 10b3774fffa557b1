/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Randomness from the operating system. */
#define _DEFAULT_SOURCE /* for getentropy, arc4random_buf */

#include "base/random.h"

#if defined(__linux__) && !defined(__ANDROID__)

#include <errno.h>
#include <sys/random.h>

bool ckem_random_from_system(void *context, uint8_t *out, size_t length) {
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

#elif defined(_WIN32)

#include <windows.h>
/* after windows.h */
#include <bcrypt.h>

#if defined(_MSC_VER)
#pragma comment(lib, "bcrypt")
#endif

/* More than any call asks for, and less than a ULONG holds. */
#define MOST_AT_ONCE ((size_t)1 << 20)

bool ckem_random_from_system(void *context, uint8_t *out, size_t length) {
  (void)context;
  while (length > 0) {
    const size_t part = length < MOST_AT_ONCE ? length : MOST_AT_ONCE;
    /* A status of zero or above is success. */
    if (BCryptGenRandom(NULL, out, (ULONG)part, BCRYPT_USE_SYSTEM_PREFERRED_RNG) < 0) {
      return false;
    }
    out += part;
    length -= part;
  }
  return true;
}

#elif defined(__wasi__) || defined(__EMSCRIPTEN__)

#include <unistd.h>

/* What getentropy gives at most. */
#define MOST_AT_ONCE 256

bool ckem_random_from_system(void *context, uint8_t *out, size_t length) {
  (void)context;
  while (length > 0) {
    const size_t part = length < MOST_AT_ONCE ? length : MOST_AT_ONCE;
    if (getentropy(out, part) != 0) {
      return false;
    }
    out += part;
    length -= part;
  }
  return true;
}

#elif defined(__APPLE__) || defined(__FreeBSD__) || defined(__OpenBSD__) || defined(__NetBSD__) || \
    defined(__DragonFly__) || defined(__ANDROID__)

#include <stdlib.h>

/* Their manuals recommend it; it cannot fail. */

bool ckem_random_from_system(void *context, uint8_t *out, size_t length) {
  (void)context;
  arc4random_buf(out, length);
  return true;
}

#else

/* No source of this system is known, so the caller must pass seeds or its own source. */
bool ckem_random_from_system(void *context, uint8_t *out, size_t length) {
  (void)context;
  (void)out;
  (void)length;
  return false;
}

#endif
