/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A watcher: one of them is linked with main.c and with tables of rows. */
#ifndef CODEKEM_TESTS_HARNESS_WATCHER_H
#define CODEKEM_TESTS_HARNESS_WATCHER_H

#include "subject.h"

/* What a line asks for. */
struct job {
  const char *subject; /* "BIKE-L1" */
  const struct table *table;
  const struct row *row;
  char *words; /* the rest of the line, or NULL */
};

/* The one that is linked in. What it need not do is NULL. */
struct watcher {
  /* Ends the program with a message unless it can watch here. */
  void (*start)(void);
  /* Does what a line asks for whose first word is of the watcher; false if it is not. */
  bool (*option)(const char *name, char *value);
  /* Learns that this was made to prepare, and is public. */
  void (*made)(void *bytes, size_t length);
  /* Runs a row, and prints "SUBJECT OPERATION ..." in a line if all is well. */
  void (*watch)(const struct job *job);
};

extern const struct watcher watcher;

/* Says whether the words of a line have this one. */
bool job_has(const struct job *job, const char *word);

/* Says whether the outputs of a turn are right, as far as anybody knows. */
bool job_agrees(const struct job *job, const struct turn *turn);

/* From here on the library leaks as the name says (planted.c); false if there is no such leak. */
bool harness_plant(const char *name);

#endif
