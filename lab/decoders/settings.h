/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Settings of the laboratory, read from words NAME=VALUE. */
#ifndef CODEKEM_EVALUATION_LAB_SETTINGS_H
#define CODEKEM_EVALUATION_LAB_SETTINGS_H

#include "lab.h"
#include "roulette.h"
#include "split.h"

struct lab_settings {
  struct lab_params params;
  struct split_settings split;
  struct roulette_settings roulette;
  const char *engine; /* NULL: the fastest */
  uint64_t first, count;
};

/* Reads the words; ends the program with a sentence on what is wrong with one.
 *
 *   r, d, t               the code and the weight of the errors
 *   decoder, iterations   by name; see decoders.c
 *   threshold             level1, level3, level5: the library's; or steps VALUE@WEIGHT,...: VALUE
 *                         for syndromes of that weight and more; the first is VALUE@0
 *   masked, margin        BGF: the masked threshold, and how far below gray begins
 *   lower                 BGF: by how much the first threshold is lower
 *   affine                BIKE-Flip: SLOPE,CONSTANT,DELTA
 *   rounding              floor, nearest, ceil
 *   thresholds            bf: those of its iterations, T,T,...
 *   flips, ties, aware    see struct lab_params; ties is position or random
 *   score                 wrong, syndrome
 *   class, parameter, seed     as for codekem_dfr
 *   engine, first, count  first and count are of groups for roulette
 *   group                 roulette: parts of errors of a group, of each kind
 *   by-weight, by-threes, by-wrong    roulette: K@FROM,...: what is at least FROM stands for 2^K
 *   levels                split: SCORE:SWAP:STEPS[:GATE],... or adaptive
 *   particles, run, key, kept    split; key is moves, kept or fixed
 */
void lab_read_settings(struct lab_settings *settings, int count, char **words);

#endif
