/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Preloaded into the command: makes chosen calls that write and name files fail, or sends a signal
 * before them.
 *
 * FAULT_IN: the function (linkat, renameat2, rename, open, mkostemp, write, fsync, unlink, close),
 *   or any: all of these are counted together.
 * FAULT_CALL: the number of the failing call, from 1; 0: all of them.
 * FAULT_ERRNO: the error that it reports; or FAULT_SIGNAL: the signal that comes before it.
 * FAULT_NO_UNNAMED: set if the file system has no files without a name.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Returns 1 if this call fails. */
static int fault(const char *name) {
  static int calls;
  const char *in = getenv("FAULT_IN");
  const char *number = getenv("FAULT_SIGNAL");
  int failing;

  if (in == NULL || (strcmp(in, "any") != 0 && strcmp(in, name) != 0)) {
    return 0;
  }
  failing = atoi(getenv("FAULT_CALL"));
  calls++;
  if (failing != 0 && failing != calls) {
    return 0;
  }
  if (number != NULL) {
    (void)raise(atoi(number));
    return 0;
  }
  errno = atoi(getenv("FAULT_ERRNO"));
  return 1;
}

#define REPLACE(name, parameters, arguments)   \
  int name parameters {                        \
    int(*real) parameters;                     \
    *(void **)&real = dlsym(RTLD_NEXT, #name); \
    return fault(#name) ? -1 : real arguments; \
  }

REPLACE(linkat, (int a, const char *from, int b, const char *to, int flags),
        (a, from, b, to, flags))
REPLACE(renameat2, (int a, const char *from, int b, const char *to, unsigned flags),
        (a, from, b, to, flags))
REPLACE(rename, (const char *from, const char *to), (from, to))
REPLACE(mkostemp, (char *name, int flags), (name, flags))
REPLACE(fsync, (int descriptor), (descriptor))
REPLACE(unlink, (const char *name), (name))
REPLACE(close, (int descriptor), (descriptor))

ssize_t write(int descriptor, const void *data, size_t length) {
  ssize_t (*real)(int, const void *, size_t);
  *(void **)&real = dlsym(RTLD_NEXT, "write");
  return fault("write") ? -1 : real(descriptor, data, length);
}

int open(const char *name, int flags, ...) {
  int (*real)(const char *, int, ...);
  va_list rest;
  int mode = 0;

  if ((flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE) {
    va_start(rest, flags);
    mode = va_arg(rest, int);
    va_end(rest);
  }
  if ((flags & O_TMPFILE) == O_TMPFILE && getenv("FAULT_NO_UNNAMED") != NULL) {
    errno = EOPNOTSUPP;
    return -1;
  }
  *(void **)&real = dlsym(RTLD_NEXT, "open");
  return fault("open") ? -1 : real(name, flags, mode);
}
