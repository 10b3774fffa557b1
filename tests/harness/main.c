/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Does what lines of text ask for, on a back end, under the watcher that is linked in.
 *
 *   PROGRAM BACKEND [LINE...]     without a LINE they come from standard input
 *
 *   SUBJECT OPERATION [WORD...]   runs a row: "BIKE-L1 decaps"; the watcher says what words mean
 *   SUBJECT all                   runs all operations; but for batches
 *   SUBJECT batches               runs all batches
 *   SUBJECT rows                  prints the names of all rows that it has
 *   SUBJECT keys                  takes a key pair, of which the bytes follow on standard input
 *   backend NAME                  goes on with another back end; "-" lets the library choose
 *   show backend                  prints its name
 *   leak NAME                     leaks on purpose from here on (planted.c, or the rows themselves)
 *
 * An answer is a line that begins with the SUBJECT and the OPERATION. The exit status is 0 if all
 * went well, 2 if not, 3 if the processor lacks the back end; a watcher may have others.
 */
#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codekem_legacy.h"
#include "watcher.h"

#define MOST_LINE 200
#define NO_BACKEND 3
#define STACK_BESIDE 16384 /* of a call, beside its working memory */

static const struct table *const tables[] = {HARNESS_TABLES};

alignas(64) uint8_t harness_workspace[WORKSPACE_BYTES];
bool harness_leaky;

void harness_require(bool condition, const char *what) {
  if (!condition) {
    fprintf(stderr, "harness: %s\n", what);
    exit(2);
  }
}

void harness_made(void *bytes, size_t length) {
  if (watcher.made != NULL) {
    watcher.made(bytes, length);
  }
}

bool job_agrees(const struct job *job, const struct turn *turn) {
  return job->table->agrees == NULL || job->table->agrees(job->row, turn);
}

void harness_fill(void *out, size_t length, uint32_t number) {
  uint8_t *bytes = out;

  for (size_t i = 0; i < length; i++) {
    number = number * UINT32_C(1664525) + UINT32_C(1013904223);
    bytes[i] = (uint8_t)(number >> 24);
  }
}

const codekem_kem *harness_find_kem(const char *name) {
  const codekem_kem *kem;

  for (size_t i = 0; (kem = codekem_kem_at(i)) != NULL; i++) {
    if (strcmp(kem->method_name, name) == 0) {
      return kem;
    }
  }
#if defined(CODEKEM_HAVE_LEGACY)
  kem = codekem_legacy_kem_find(name);
#endif
  return kem;
}

/* Returns the next word of *text, cut off there, and what follows in *text; NULL at the end. */
static char *next_word(char **text) {
  char *word = *text;

  if (word != NULL) {
    *text = strchr(word, ' ');
    if (*text != NULL) {
      *(*text)++ = '\0';
    }
  }
  return word;
}

bool job_has(const struct job *job, const char *word) {
  const size_t length = strlen(word);

  for (const char *at = job->words; at != NULL; at = strchr(at, ' ')) {
    at += *at == ' ';
    if (strncmp(at, word, length) == 0 && (at[length] == ' ' || at[length] == '\0')) {
      return true;
    }
  }
  return false;
}

static void select_backend(const char *name) {
  const bool chosen = strcmp(name, "-") == 0; /* by the library */

  if (chosen ? codekem_backend_current() == NULL : codekem_backend_select(name) != CODEKEM_OK) {
    fprintf(stderr, "harness: back end %s cannot run here\n", chosen ? "of CODEKEM_CPU" : name);
    exit(NO_BACKEND);
  }
}

static void plant(const char *name) {
#if defined(HARNESS_PLANTED)
  harness_require(harness_plant(name), "there is no such leak");
#else
  harness_leaky = strcmp(name, "itself") == 0;
  harness_require(harness_leaky, "leaks are planted in another program");
#endif
}

/* Says whether the subject has the row at all, and it is meant. No stack holds what some keys of
 * Classic McEliece take to make and to check. */
static bool is_asked_for(const struct table *table, const struct row *row, const char *operation) {
  const size_t workspace = row->workspace == NULL ? 1 : row->workspace();
  const bool fits = table->most_stack == 0 || workspace + STACK_BESIDE <= table->most_stack;

  if (workspace == 0 || (row->place != IN_WORKSPACE && !fits)) {
    return false;
  }
  if (strcmp(operation, "rows") == 0) {
    return true;
  }
  if (strcmp(operation, "all") == 0 || strcmp(operation, "batches") == 0) {
    return row->place != FUNCTION && (row->items > 0) == (operation[0] == 'b');
  }
  return strcmp(operation, row->name) == 0;
}

/* Runs the rows of a table that are asked for, or prints their names; returns how many. */
static size_t run_table(const struct table *table, const char *subject, const char *operation,
                        char *words) {
  const bool lists = strcmp(operation, "rows") == 0;
  const bool one = !lists && strcmp(operation, "all") != 0 && strcmp(operation, "batches") != 0;
  size_t found = 0;

  for (size_t l = 0; l < MOST_LISTS; l++) {
    for (size_t i = 0; i < table->lists[l].count && !(one && found > 0); i++) {
      const struct job job = {subject, table, &table->lists[l].rows[i], words};

      if (!is_asked_for(table, job.row, operation)) {
        continue;
      }
      found += 1;
      if (lists) {
        printf("%s %s\n", subject, job.row->name);
      } else {
        watcher.watch(&job);
      }
      (void)fflush(stdout);
    }
  }
  return found;
}

/* Does what a line asks of a subject, of which one table has the rows. */
static void run(const char *subject, const char *operation, char *words) {
  size_t t = 0;

  while (t < sizeof tables / sizeof tables[0] && !tables[t]->choose(subject)) {
    t += 1;
  }
  harness_require(t < sizeof tables / sizeof tables[0], "there is no such subject");
  if (strcmp(operation, "keys") == 0 && tables[t]->take_keys != NULL) {
    tables[t]->take_keys();
    return;
  }
  harness_require(run_table(tables[t], subject, operation, words) > 0,
                  "the subject has no such operation");
}

static void do_line(char *line) {
  char *rest = line;
  const char *first = next_word(&rest);
  char *second = next_word(&rest);

  harness_require(second != NULL, "a line has a subject and an operation, or a word and a value");
  if (strcmp(first, "backend") == 0) {
    select_backend(second);
  } else if (strcmp(first, "show") == 0) {
    puts(codekem_backend_current());
  } else if (strcmp(first, "leak") == 0) {
    plant(second);
  } else if (watcher.option == NULL || !watcher.option(first, second)) {
    run(first, second, rest);
  }
}

int main(int argc, char **argv) {
  static char line[MOST_LINE];

  harness_require(argc >= 2, "usage: PROGRAM BACKEND [LINE...]; see tests/harness/main.c");
  if (watcher.start != NULL) {
    watcher.start();
  }
  select_backend(argv[1]);
  for (int i = 2; i < argc; i++) {
    do_line(argv[i]);
  }
  while (argc == 2 && fgets(line, sizeof line, stdin) != NULL) {
    char *end = strchr(line, '\n');
    harness_require(end != NULL, "a line is too long or has no end");
    *end = '\0';
    do_line(line);
  }
  return 0;
}
