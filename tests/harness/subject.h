/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * What is watched: rows, each an operation of a scheme or a single function, with its inputs, its
 * outputs and its working memory. A watcher (watcher.h) knows rows, and no scheme; a table of rows
 * knows a scheme, and no watcher.
 */
#ifndef CODEKEM_TESTS_HARNESS_SUBJECT_H
#define CODEKEM_TESTS_HARNESS_SUBJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "codekem.h"

#define MOST_REGIONS 16
#define MOST_LISTS 4
#define WORKSPACE_BYTES ((size_t)6 << 20)

/* Memory that a row reads or writes. */
struct region {
  const char *name;
  void *bytes;
  size_t length;
  enum {
    SECRET_INPUT,
    WATCHED_INPUT, /* none, but time must not depend on it */
    SECRET_OUTPUT,    /* a secret also afterwards */
    PUBLISHED_OUTPUT, /* depends on secrets, and is published afterwards */
    PUBLIC_OUTPUT,    /* declassified inside */
    HIDDEN            /* a secret that comes up on the way */
  } kind;
  size_t known; /* of an output that depends on secrets: so many bytes of it may not */
};

struct row {
  const char *name;
  enum { ON_STACK, IN_WORKSPACE, FUNCTION } place; /* the working memory of an operation */
  codekem_status (*run)(void);                     /* the call */
  size_t (*workspace)(void); /* bytes that it states; NULL: none; 0: the subject lacks the row */
  unsigned reads, makes;     /* what of the table's own: inputs, outputs */
  enum { NEW_KEYS, ONE_KEY, ALL_THE_SAME } inputs; /* what differs from turn to turn */
  codekem_status (*before)(void); /* a call that comes before, or NULL */
  const char *spoiled; /* what it is called on an altered input; NULL: that is not tried */
  codekem_status refusal; /* the status that it returns then */
  size_t items; /* of a batch; 0 for a single operation */
  bool shares_key; /* all items of the batch have one key */
};

/* The row of a single function. */
#define ROW_OF(function) {.name = #function, .place = FUNCTION, .run = (function)}

/* One run of a row. */
struct turn {
  unsigned number; /* another one has other secrets, at the same addresses */
  bool spoiled;
  bool fixed_key; /* only what is not a key differs */
  bool first_attempts; /* the number of attempts, which is public, does not differ */
};

struct row_list {
  const struct row *rows;
  size_t count;
};

#define ROWS(array) {array, sizeof(array) / sizeof((array)[0])}

struct table {
  struct row_list lists[MOST_LISTS]; /* of several rows with a name the first counts */
  size_t most_stack; /* bytes: rows on the stack that take more are left out; 0: all are there */
  /* Makes the subject of this name the one that the rows are about; false if the table has none. */
  bool (*choose)(const char *name);
  /* Makes the inputs, all of them public. */
  void (*prepare)(const struct row *row, const struct turn *turn);
  /* Lists what the row reads and writes, at most MOST_REGIONS; returns their number. */
  size_t (*regions)(const struct row *row, struct region *regions);
  /* Returns whether the outputs are right, as far as anybody knows; NULL: other tests compare. */
  bool (*agrees)(const struct row *row, const struct turn *turn);
  /* Takes the key pair of turn 0 from standard input; NULL if it has none. */
  void (*take_keys)(void);
};

/* The tables, of which main.c takes those in HARNESS_TABLES. */
extern const struct table kem_table, kem_with_memory_table, mceliece_table, sofia_table;
extern const struct table hybrid_table, masked_table;
extern const struct table hqc_functions, goppa_functions;

/* Working memory of rows whose place is in a workspace. */
extern uint8_t harness_workspace[WORKSPACE_BYTES];

/* From here on the rows of functions leak on purpose, where they can. */
extern bool harness_leaky;

/* Ends the program with a message unless the condition holds. */
void harness_require(bool condition, const char *what);

/* Finds a KEM of the libraries that are linked in, but for Classic McEliece; NULL: none. */
const codekem_kem *harness_find_kem(const char *name);

/* Tells the watcher that this was made to prepare, and is public. */
void harness_made(void *bytes, size_t length);

/* Fills out with bytes that depend on the number. */
void harness_fill(void *out, size_t length, uint32_t number);

#endif
