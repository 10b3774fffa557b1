/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Watcher: an emulator. A row runs between the marks of platform_marks.h, several times with other
 * secrets at the same addresses; what lies between them the emulator's plugin counts and compares
 * (tests/platforms/trace_plugin.c), or its log tells.
 *
 * Words: the number of runs, 1 without; fixed-key keeps the key and changes the rest, for KEMs
 * whose key generation shows the number of rejected draws. The last of several runs decapsulates a
 * ciphertext that is rejected. Line "nothing N": only the marks, N times, to tell what they cost.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "platform_marks.h"
#include "watcher.h"

#define MOST_RUNS 1000

/* Runs the row, or nothing, between the marks. Where the stack begins depends on the environment,
 * and on it how memory is aligned and how libc copies it: so what it uses begins at a page. */
__attribute__((noinline)) static codekem_status run_marked(const struct row *row) {
  char *top = __builtin_frame_address(0);
  volatile char *unused = __builtin_alloca(4096 + (uintptr_t)top % 4096);
  codekem_status status = CODEKEM_OK;

  unused[0] = 0;
  (void)syscall(PLATFORM_MARK, (long)PLATFORM_MARK_BEGIN, unused);
  if (row != NULL) {
    status = row->run();
  }
  (void)syscall(PLATFORM_MARK, (long)PLATFORM_MARK_END);
  return status;
}

static bool option(const char *name, char *value) {
  if (strcmp(name, "nothing") != 0) {
    return false;
  }
  for (unsigned long i = strtoul(value, NULL, 10); i > 0; i--) {
    (void)run_marked(NULL);
  }
  return true;
}

/* Its name is how the end of run_marked is found in a log. */
__attribute__((noinline)) static void watch(const struct job *job) {
  const struct row *row = job->row;
  const unsigned long runs = job->words == NULL ? 1 : strtoul(job->words, NULL, 10);
  struct turn turn = {.fixed_key = job_has(job, "fixed-key"), .first_attempts = true};

  harness_require(runs >= 1 && runs <= MOST_RUNS, "the number of runs must be from 1 to 1000");
  job->table->prepare(row, &turn);
  harness_require(row->before == NULL || row->before() == CODEKEM_OK, "the call before failed");
  harness_require(row->run() == CODEKEM_OK, "the first call, which takes some more steps, failed");
  for (turn.number = 0; turn.number < runs; turn.number++) {
    turn.spoiled = runs > 1 && turn.number + 1 == runs && row->refusal == CODEKEM_OK;
    job->table->prepare(row, &turn);
    harness_require(row->before == NULL || row->before() == CODEKEM_OK, "the call before failed");
    harness_require(run_marked(row) == CODEKEM_OK, "the operation failed");
  }
  printf("%s %s: %lu runs\n", job->subject, row->name, runs);
}

const struct watcher watcher = {.option = option, .watch = watch};
