/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Preloaded: getrandom as it is where it does not work (FAILS), or where every second call is
 * interrupted and the others give seven bytes at most, all of them 0x42. */
#include <errno.h>
#include <string.h>
#include <sys/random.h>

ssize_t getrandom(void *out, size_t length, unsigned flags) {
  (void)flags;
#if defined(FAILS)
  (void)out;
  (void)length;
  errno = ENOSYS;
  return -1;
#else
  static int calls;

  if (calls++ % 2 == 0) {
    errno = EINTR;
    return -1;
  }
  length = length < 7 ? length : 7;
  memset(out, 0x42, length);
  return (ssize_t)length;
#endif
}
