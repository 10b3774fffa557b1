/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Multilevel splitting: rates far below what can be counted. */
#ifndef CODEKEM_EVALUATION_SPLIT_H
#define CODEKEM_EVALUATION_SPLIT_H

#include "lab.h"

#define SPLIT_MAX_LEVELS 400

/* One level: particles must have at least this score, moves swap so many error positions, and each
 * particle makes so many steps. least: where the gate of the level is; 0: none. */
struct split_level {
  uint64_t score;
  uint32_t swap, steps, least;
};

struct split_settings {
  uint32_t particles;
  uint64_t run;
  bool key_moves;    /* otherwise each particle keeps its key */
  bool fixed_key;    /* all have the key of number 0 */
  uint32_t most_kept; /* failures that are printed with key and error */
  bool adaptive;     /* a pilot: takes its levels from its own particles, so it is no estimate */
  size_t level_count;
  struct split_level levels[SPLIT_MAX_LEVELS];
};

/* Runs once and prints all of it as JSON. */
void split_run(struct bench *bench, const struct split_settings *settings);

#endif
