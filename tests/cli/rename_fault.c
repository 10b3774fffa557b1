/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Preloaded into the command: makes chosen calls that give files their names fail.
 *
 * FAULT_CALL: the number of the failing call of renameat2, from 1; 0: all of them.
 * FAULT_ERRNO: the error that it reports.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>

typedef int renameat2_function(int, const char *, int, const char *, unsigned int);

int renameat2(int old_directory, const char *old_path, int new_directory, const char *new_path,
              unsigned int flags) {
  static int calls;
  renameat2_function *real = (renameat2_function *)dlsym(RTLD_NEXT, "renameat2");
  int failing = atoi(getenv("FAULT_CALL"));

  calls++;
  if (failing == 0 || failing == calls) {
    errno = atoi(getenv("FAULT_ERRNO"));
    return -1;
  }
  return real(old_directory, old_path, new_directory, new_path, flags);
}
