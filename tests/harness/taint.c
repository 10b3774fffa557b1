/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Watcher: no branch and no address depends on a secret (secrets.h). What the checker finds it
 * reports itself. The results must come out secret, too: if they did not, the marks would have been
 * lost on the way, and the check would say nothing.
 *
 * Words: none. An operation that also has a name on an altered input runs twice. After the line
 * "marks off" nothing is secret any more, and the results show it.
 */
#include <stdio.h>
#include <string.h>

#include "secrets.h"
#include "watcher.h"

static void start(void) {
  harness_require(checker_is_running(), "no checker watches: run it under valgrind");
}

static bool marks = true;

static bool option(const char *name, char *value) {
  if (strcmp(name, "marks") != 0) {
    return false;
  }
  marks = strcmp(value, "on") == 0;
  return true;
}

/* With MemorySanitizer all outputs of a back end are marked (marking_backend.c). */
static void made(void *bytes, size_t length) {
  mark_public(bytes, length);
}

/* Requires that an output came out as it should, and makes it public. */
static void open_output(const struct region *output) {
  const size_t secret = count_secret_bytes(output->bytes, output->length);

  if (output->kind == PUBLIC_OUTPUT ? secret > 0 : secret + output->known < output->length) {
    fprintf(stderr, "harness: %zu of %zu bytes of the %s are marked\n", secret, output->length,
            output->name);
    harness_require(false, "the marks were lost, or were not taken away");
  }
}

static void mark(const struct region *regions, size_t count, bool before) {
  for (size_t i = 0; i < count; i++) {
    const bool is_input = regions[i].kind == SECRET_INPUT || regions[i].kind == WATCHED_INPUT;

    if (before && is_input && marks) {
      mark_secret(regions[i].bytes, regions[i].length);
    } else if (!before && !is_input && regions[i].kind != HIDDEN) {
      open_output(&regions[i]);
    }
  }
  for (size_t i = 0; !before && i < count; i++) {
    mark_public(regions[i].bytes, regions[i].length);
  }
}

static void watch_turn(const struct job *job, const char *name, bool spoiled) {
  const struct row *row = job->row;
  const struct turn turn = {.spoiled = spoiled};
  struct region regions[MOST_REGIONS];

  /* The reports that follow belong to it. */
  fprintf(stderr, "harness: begin %s %s\n", job->subject, name);
  job->table->prepare(row, &turn);
  const size_t count = job->table->regions(row, regions);
  mark(regions, count, true);
  harness_require(row->before == NULL || row->before() == CODEKEM_OK, "the call before failed");
  harness_require(row->run() == (spoiled ? row->refusal : CODEKEM_OK), "another status");
  mark(regions, count, false);
  harness_require(job_agrees(job, &turn), "another result");
  printf("%s %s done\n", job->subject, name);
}

static void watch(const struct job *job) {
  watch_turn(job, job->row->name, false);
  if (job->row->spoiled != NULL) {
    (void)fflush(stdout);
    watch_turn(job, job->row->spoiled, true);
  }
}

const struct watcher watcher = {.start = start, .option = option, .made = made, .watch = watch};
