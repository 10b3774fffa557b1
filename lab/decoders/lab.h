/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The decoder laboratory: decoders as plug-ins, for any r, d and t, on one bench.
 *
 * The bench knows the true error. A decoder sees only the syndrome, the key and what it flipped
 * itself; the bench counts the positions that are still wrong, which no decoder may look at.
 */
#ifndef CODEKEM_EVALUATION_LAB_H
#define CODEKEM_EVALUATION_LAB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../dfr/trial.h"
#include "engine.h"
#include "random.h"

#define LAB_MAX_STEPS 32 /* that a trace keeps */
#define LAB_MAX_ROUNDS 64

struct bench;

/* A decoder. decode() works on the bench until its iterations are over or bench_done() says so. */
struct lab_decoder {
  const char *name;
  void (*decode)(struct bench *bench);
  bool random; /* draws ties or checks from bench->ties */
};

extern const struct lab_decoder lab_decoders[];
extern const size_t lab_decoder_count;

enum rounding { ROUND_FLOOR, ROUND_NEAREST, ROUND_CEIL, ROUNDING_COUNT };
enum score { SCORE_WRONG, SCORE_SYNDROME, SCORE_COUNT };

/* Russian roulette: of draws that are likely to decode, one in 2^k goes on and stands for all. */
struct lab_roulette {
  uint8_t by_weight[LAB_MAX_R_BITS + 1]; /* k by the weight of the syndrome */
  uint8_t by_threes[LAB_MAX_R_BITS + 1]; /* k by the checks with 3 errors, modulo 4 */
  uint8_t by_wrong[LAB_MAX_R_BITS + 1];  /* k by the positions wrong after the first iteration */
};

/* What all decodings of a run share. */
struct lab_params {
  struct trial_settings trial; /* r, d, t, class and seed */
  const struct lab_decoder *decoder;
  uint32_t iterations;
  uint32_t masked_threshold; /* BGF, of the black and gray steps */
  uint32_t gray_margin;      /* BGF */
  uint32_t first_lower;      /* BGF: by how much the first threshold is lower */
  double slope, constant;    /* BIKE-Flip: f(S) = slope S + constant */
  double delta;              /* BIKE-Flip */
  enum rounding rounding;    /* BIKE-Flip */
  uint32_t flips;            /* PickyFix: of the first step; BF-Max, step by step: at most */
  bool random_ties;          /* PickyFix: among equal counters; otherwise by position */
  bool aware;                /* of near-codewords, after each iteration */
  enum score score;
  uint32_t list[LAB_MAX_ROUNDS];         /* bf: the thresholds of its iterations; count above 0 */
  uint32_t list_count;
  uint8_t threshold[LAB_MAX_R_BITS + 1]; /* by the weight of the syndrome */
};

/* One step, as a trace shows it. */
struct lab_step {
  char kind; /* i: an iteration; b, g: the black and gray steps; n: a near-codeword */
  uint32_t syndrome_weight; /* before */
  uint32_t threshold;
  uint32_t flips;
  uint32_t wrong; /* positions, afterwards */
};

/* A key, and the last error that was decoded with it: the syndrome of a similar one is near. */
struct bench_key {
  uint32_t h[2][TRIAL_MAX_KEY_WEIGHT];
  uint64_t *copies_h[2]; /* spread */
  uint32_t e[TRIAL_MAX_ERROR_WEIGHT];
  uint64_t *syndrome; /* of e */
  bool filled, decoded;
};

/* Where decodings may end after the first iteration: those whose wrong positions then are on the
 * other side of `least`, unless it is open. */
struct lab_gate {
  uint32_t least;
  bool low; /* the side that is wanted: below `least` */
  bool open;
};

struct bench {
  const struct lab_params *params;
  const struct engine *engine;
  uint32_t r_bits, d;
  struct bench_key keys[2]; /* the last two: a proposal that is rejected leads back */
  struct bench_key *key;    /* the one that is used */
  const uint32_t *h[2];
  uint64_t *copies;       /* of the syndrome */
  uint64_t *syndrome;
  uint64_t *planes[2];
  uint64_t *reached[2];
  uint64_t *gray[2];
  uint64_t *found[2];     /* what the decoder flipped */
  uint64_t *wrong_bits[2]; /* the true error, and what was flipped, added up */
  uint32_t syndrome_weight; /* now; the decoder's at every step */
  uint32_t first_weight;
  uint32_t wrong;
  uint32_t *list[2];      /* positions to be flipped in the next step */
  size_t listed[2];
  uint64_t score;
  struct lab_step steps[LAB_MAX_STEPS];
  size_t step_count;      /* of all; the trace keeps the first ones */
  struct lab_random ties;
  const struct lab_roulette *roulette; /* NULL: all draws go on */
  struct lab_random lots;
  uint32_t halvings; /* the draw stands for 2^halvings */
  bool played;       /* after the first iteration */
  const struct lab_gate *gate; /* NULL: none */
  uint32_t middle;   /* what was wrong when the decoder first asked whether it was done; or 0 */
  bool asked;
  bool dropped;      /* not decoded to the end */
};

/* Returns a bench; ends the program if there is no memory. */
struct bench *bench_new(const struct lab_params *params, const struct engine *engine);

/* Takes a key: d positions each. */
void bench_set_key(struct bench *bench, const uint32_t *h0, const uint32_t *h1);

/* Takes t positions of an error, makes its syndrome, and decodes; returns whether all was found.
 * ties: the seed of what the decoder draws. */
bool bench_decode(struct bench *bench, const uint32_t *e, uint64_t ties);

/* The same with the syndromes of two parts of e. halvings: what the draw stands for already. */
bool bench_decode_parts(struct bench *bench, const uint32_t *e, const uint64_t *const parts[2],
                        uint64_t ties, uint32_t halvings);

/* Draws whether what stands for 2^halvings goes on, then for 2^wanted if that is more. */
bool bench_goes_on(struct bench *bench, uint32_t wanted);

/* --- For decoders ----------------------------------------------------------------------------- */

/* Counts all counters. */
void bench_count(struct bench *bench);

/* Returns the counter of one position. */
uint32_t bench_counter(const struct bench *bench, int half, uint32_t position);

/* Empties the lists of positions to be flipped. */
void bench_clear(struct bench *bench);

/* Puts a position on its list. */
static inline void bench_put(struct bench *bench, int half, uint32_t position) {
  bench->list[half][bench->listed[half]++] = position;
}

/* Puts all positions on the lists whose counters (as counted last) reach the threshold. */
void bench_put_reached(struct bench *bench, uint32_t threshold);

/* Counts, and sets reached to the positions that reach the threshold; the counters are not kept.
 * gray: those from this value on that are below the threshold, if it is not the same. */
void bench_reach(struct bench *bench, uint32_t threshold, uint32_t gray);

/* Puts all positions of the two vectors on the lists. */
void bench_put_all(struct bench *bench, uint64_t *const vectors[2]);

/* Flips what is on the lists, and notes a step. */
void bench_flip(struct bench *bench, char kind, uint32_t threshold);

/* Notes how many positions are wrong after the first iteration, and returns whether the gate stops
 * the decoding. bench_done() does both. */
bool bench_is_stopped(struct bench *bench, uint32_t wrong);

/* Returns whether an iteration was the last: the syndrome is zero, a roulette or a gate dropped it,
 * or, for a decoder that is aware of them, it was a near-codeword's, which is then flipped. */
bool bench_done(struct bench *bench);

/* A bit of a vector. */
static inline uint32_t bit_of(const uint64_t *a, uint32_t position) {
  return (uint32_t)(a[position / 64] >> (position % 64)) & 1;
}

/* If the syndrome is that of a near-codeword (x^shift h_half), sets both and returns true. */
bool near_codeword_found(const struct bench *bench, int *half, uint32_t *shift);

/* --- Classes ---------------------------------------------------------------------------------- */

/* What the classes of key_class_names need, and codewords. L: the largest value of the class's
 * property over all its instances (near-codewords, shifts, distances); M: how many have it. */
struct instances {
  uint32_t largest, count;
};
struct instances class_instances(const struct lab_params *params, enum key_class key_class,
                                 const uint32_t *h0, const uint32_t *h1, const uint32_t *e);

#endif
