/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Counting with Russian roulette: fewer decodings for the same failures. */
#ifndef CODEKEM_EVALUATION_ROULETTE_H
#define CODEKEM_EVALUATION_ROULETTE_H

#include "lab.h"

#define ROULETTE_MAX_PARTS 256
#define ROULETTE_MAX_HALVINGS 15

struct roulette_settings {
  struct lab_roulette table;
  uint32_t parts;     /* of each kind: a group has parts * parts draws */
  uint32_t most_kept; /* failures that are printed with key and error */
};

/* Runs groups first .. first + count - 1 and prints what they gave as JSON. */
void roulette_run(struct bench *bench, const struct roulette_settings *settings, uint64_t first,
                  uint64_t count);

#endif
