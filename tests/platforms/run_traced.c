/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Runs the operation of trace_operation.h between the marks of platform_marks.h, several times with
 * different secrets at the same addresses, as run_operation.c does for the KEMs.
 *
 *   run_sofia BACKEND SOFIA-4-128 keypair|rounds CASES   (constant_time/trace_sofia.c)
 *
 * Returns 0, or 2 with a message.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "codekem.h"
#include "platform_marks.h"
#include "trace_operation.h"

void trace_require(bool condition, const char *what) {
  if (!condition) {
    fprintf(stderr, "run_traced: %s\n", what);
    exit(2);
  }
}

/* Where the stack begins depends on the environment, and on it how memory is aligned and how libc
 * copies it: so what the operation uses begins at a page. */
__attribute__((noinline)) static bool run_marked(void) {
  char *top = __builtin_frame_address(0);
  volatile char *unused = __builtin_alloca(4096 + (uintptr_t)top % 4096);

  unused[0] = 0;
  (void)syscall(PLATFORM_MARK, (long)PLATFORM_MARK_BEGIN, unused);
  const bool succeeded = trace_operate();
  (void)syscall(PLATFORM_MARK, (long)PLATFORM_MARK_END);
  return succeeded;
}

int main(int argc, char **argv) {
  trace_require(argc == 5, "usage: run_traced BACKEND SCHEME OPERATION CASES");
  const unsigned cases = (unsigned)strtoul(argv[4], NULL, 10);

  trace_require(codekem_backend_select(argv[1]) == CODEKEM_OK, "the back end cannot run here");
  trace_require(trace_choose(argv[2], argv[3], false), "there is no such scheme or operation");
  trace_require(cases >= 1 && cases <= TRACE_CASES, "CASES must be from 1 to 3");
  trace_prepare(0);
  trace_require(trace_operate(), "the operation failed"); /* the first call takes some more steps */
  for (unsigned i = 0; i < cases; i++) {
    trace_prepare(i);
    trace_require(run_marked(), "the operation failed");
  }
  return 0;
}
