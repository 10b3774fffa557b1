/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* One decoding with a random key of some class and a random error, from a seed and a number. */
#ifndef CODEKEM_EVALUATION_TRIAL_H
#define CODEKEM_EVALUATION_TRIAL_H

#include <stdbool.h>
#include <stdint.h>

#include "bike/bike.h"
#include "draw.h"

#define TRIAL_MAX_KEY_WEIGHT 137
#define TRIAL_MAX_ERROR_WEIGHT 400
#define TRIAL_MAX_R_BITS 57637
#define TRIAL_SEED_BYTES DRAW_SEED_BYTES

/* Classes of keys, or of errors for a key. I to III are those of [Vas21]; near-codewords:
 * [ABH+22]. */
enum key_class {
  KEY_RANDOM,       /* uniform */
  KEY_PROGRESSION,  /* I: h0 contains parameter terms of an arithmetic progression */
  KEY_MULTIPLICITY, /* II: exactly parameter pairs of h0 have the same distance */
  KEY_INTERSECTION, /* III: h0 and some shift of h1 have exactly parameter positions in common */
  KEY_NEAR_CODEWORD, /* any key; exactly parameter positions of the error are in a near-codeword: in
                      * x^k h0 of the first half, or x^k h1 of the second */
  KEY_CLASS_COUNT
};

extern const char *const key_class_names[KEY_CLASS_COUNT];

/* What all decodings of a run share. */
struct trial_settings {
  struct bike_params params;
  struct gf2x_ring ring; /* params.ring points to it */
  enum key_class key_class;
  uint32_t class_parameter;
  uint8_t seed[TRIAL_SEED_BYTES];
};

/* One key and error. distance: the one that the class speaks of. */
struct trial {
  uint32_t h[2][TRIAL_MAX_KEY_WEIGHT];
  uint32_t distance; /* or, for a near-codeword, k, and r more if it is in the second half */
  uint32_t e[TRIAL_MAX_ERROR_WEIGHT]; /* positions in (e0, e1), below 2 r */
};

/* Returns NULL, or says why no key of the class can have this parameter. */
const char *trial_problem(const struct trial_settings *settings);

/* Draws key and error number `index`. They depend on the settings and on the index alone, so runs
 * can be cut into pieces at will. */
void trial_draw(const struct trial_settings *settings, uint64_t index, struct trial *trial);

/* Runs the library's decoder on a syndrome (r bits): e[0], e[1] become what it finds. */
void trial_decode(const struct trial_settings *settings, const struct backend *backend,
                  const uint32_t *const h[2], const uint64_t *syndrome, uint64_t *const e[2]);

/* Draws and decodes; returns whether the decoder found the error. */
bool trial_run(const struct trial_settings *settings, const struct backend *backend,
               uint64_t index);

#endif
