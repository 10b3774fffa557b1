/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Watcher: a call that needs more than the stack of its thread must end at its guard page.
 *
 * Below the guard page of a thread with 128 KiB is memory of somebody else. A child process runs a
 * row there that works on the stack. A line says "ran", "refused" (CODEKEM_ERROR_WORKSPACE) or
 * "stopped" (by a segmentation fault), and how many bytes behind the guard page were overwritten.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "watcher.h"

#define STACK_BYTES ((size_t)128 << 10)
#define VICTIM_BYTES ((size_t)512 << 10)
#define PAINT 0x42

static uint8_t *victim, *stack; /* the guard page is between them */
static const struct row *row;
static codekem_status status;

static void start(void) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);

  victim = mmap(NULL, VICTIM_BYTES + page + STACK_BYTES, PROT_READ | PROT_WRITE,
                MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  harness_require(victim != MAP_FAILED && mprotect(victim + VICTIM_BYTES, page, PROT_NONE) == 0,
                  "no memory");
  stack = victim + VICTIM_BYTES + page;
}

static void *thread_main(void *unused) {
  status = row->run();
  return unused;
}

/* What the child does: returns 0 if the call succeeded, 1 if it refused, 2 otherwise. */
static int run_in_thread(void) {
  pthread_attr_t attributes;
  pthread_t thread;

  if (pthread_attr_init(&attributes) != 0 ||
      pthread_attr_setstack(&attributes, stack, STACK_BYTES) != 0 ||
      pthread_create(&thread, &attributes, thread_main, NULL) != 0 ||
      pthread_join(thread, NULL) != 0) {
    return 2;
  }
  return status == CODEKEM_OK ? 0 : status == CODEKEM_ERROR_WORKSPACE ? 1 : 2;
}

static void watch(const struct job *job) {
  static const char *const ends[] = {"ran", "refused", "failed"};
  const struct turn turn = {0};
  size_t overwritten = 0;
  int end = 0;

  row = job->row;
  if (row->place != ON_STACK) {
    return;
  }
  job->table->prepare(row, &turn);
  memset(victim, PAINT, VICTIM_BYTES);
  const pid_t child = fork();
  if (child == 0) {
    (void)signal(SIGSEGV, SIG_DFL);
    _exit(run_in_thread());
  }
  harness_require(child > 0 && waitpid(child, &end, 0) == child, "no child");
  for (size_t i = 0; i < VICTIM_BYTES; i++) {
    overwritten += victim[i] != PAINT;
  }
  const int code = WIFEXITED(end) ? WEXITSTATUS(end) : 2;
  const bool stopped = WIFSIGNALED(end) && WTERMSIG(end) == SIGSEGV;
  printf("%s %s %s %zu\n", job->subject, row->name, stopped ? "stopped" : ends[code < 2 ? code : 2],
         overwritten);
}

const struct watcher watcher = {.start = start, .watch = watch};
