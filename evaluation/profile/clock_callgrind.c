/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * A clock of instructions, for tests: the same on a busy machine, and exact.
 *
 * The program runs under callgrind, and CALLGRIND_CLOCK is the name after --callgrind-out-file=.
 * Each reading has callgrind write what it has counted since the last one to a file with the next
 * number; the sum is the time. What runs here is not counted.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <valgrind/callgrind.h>

#include "parts.h"

const char *const clock_name = "instructions";
const bool clock_is_free = true;

static _Noreturn void fail(const char *what) {
  fprintf(stderr, "codekem_profile_callgrind: %s\n", what);
  exit(1);
}

/* Returns the number in the line "totals: ..." of a profile. */
static uint64_t read_totals(const char *name) {
  char line[4096];
  uint64_t total = 0;
  FILE *file = fopen(name, "r");

  if (file == NULL) {
    fail("there is no profile: run it under callgrind, with CALLGRIND_CLOCK set");
  }
  while (fgets(line, sizeof line, file) != NULL) {
    (void)sscanf(line, "totals: %" SCNu64, &total);
  }
  fclose(file);
  return total;
}

uint64_t clock_now(void) {
  static uint64_t now;
  static unsigned number;
  char name[4096];

  CALLGRIND_TOGGLE_COLLECT;
  CALLGRIND_DUMP_STATS;
  number += 1;
  const char *base = getenv("CALLGRIND_CLOCK");
  if (base == NULL) {
    fail("CALLGRIND_CLOCK is not set");
  }
  (void)snprintf(name, sizeof name, "%s.%u", base, number);
  now += read_totals(name);
  remove(name);
  CALLGRIND_TOGGLE_COLLECT;
  return now;
}
