/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Decoders that flip one position at a time: BF-Max and step by step. And the table of all, with
 * models whose rate of failures is known exactly, for tests of the estimators. */
#include <string.h>

#include "decoders.h"

static uint8_t counters[2][LAB_MAX_R_BITS + 63];

/* --- BF-Max [BBCS25] -------------------------------------------------------------------------- */

static void read_counters(struct bench *bench) {
  const size_t stride = LAB_STRIDE(bench->r_bits);

  bench_count(bench);
  for (int b = 0; b < 2; b++) {
    for (uint32_t j = 0; j < bench->r_bits; j++) {
      uint32_t counter = 0;
      for (uint32_t plane = 0; plane < LAB_PLANES; plane++) {
        counter |= bit_of(bench->planes[b] + plane * stride, j) << plane;
      }
      counters[b][j] = (uint8_t)counter;
    }
  }
}

/* Takes or gives the counters what check i gives: those of i - p for all p of both supports. */
static void change_check(const struct bench *bench, uint32_t check, bool set) {
  const uint8_t change = set ? 1 : UINT8_MAX;

  for (int b = 0; b < 2; b++) {
    for (uint32_t k = 0; k < bench->d; k++) {
      const uint32_t p = bench->h[b][k];
      const uint32_t j = check >= p ? check - p : check + bench->r_bits - p;
      counters[b][j] = (uint8_t)(counters[b][j] + change);
    }
  }
}

static uint8_t largest_counter(const struct bench *bench) {
  uint8_t largest = 0;

  for (int b = 0; b < 2; b++) {
    for (uint32_t j = 0; j < bench->r_bits; j++) {
      largest = counters[b][j] > largest ? counters[b][j] : largest;
    }
  }
  return largest;
}

/* Puts one of the positions with that counter on its list, each as likely. */
static void put_one_of(struct bench *bench, uint8_t counter) {
  uint32_t ties = 0;

  for (int b = 0; b < 2; b++) {
    for (uint32_t j = 0; j < bench->r_bits; j++) {
      ties += counters[b][j] == counter;
    }
  }
  uint32_t chosen = random_below(&bench->ties, ties);
  for (int b = 0; b < 2; b++) {
    for (uint32_t j = 0; j < bench->r_bits; j++) {
      if (counters[b][j] == counter && chosen-- == 0) {
        bench_put(bench, b, j);
        return;
      }
    }
  }
}

void decode_bf_max(struct bench *bench) {
  read_counters(bench);
  for (uint32_t flip = 0; flip < bench->params->flips; flip++) {
    if (flip > 0 && bench_done(bench)) {
      return;
    }
    const uint8_t largest = largest_counter(bench);
    bench_clear(bench);
    put_one_of(bench, largest);
    const int half = bench->listed[1] > 0;
    for (uint32_t k = 0; k < bench->d; k++) {
      const uint32_t check = (bench->list[half][0] + bench->h[half][k]) % bench->r_bits;
      change_check(bench, check, bit_of(bench->syndrome, check) == 0);
    }
    bench_flip(bench, 'i', largest);
  }
  bench_done(bench);
}

/* --- Step by step [SV19] ---------------------------------------------------------------------- */

/* Returns an unsatisfied check, each as likely. */
static uint32_t unsatisfied_check(struct bench *bench) {
  uint32_t chosen = random_below(&bench->ties, bench->syndrome_weight);
  size_t i = 0;

  for (;; i++) {
    const uint32_t here = (uint32_t)__builtin_popcountll(bench->syndrome[i]);
    if (chosen < here) {
      break;
    }
    chosen -= here;
  }
  uint64_t bits = bench->syndrome[i];
  for (; chosen > 0; chosen--) {
    bits &= bits - 1;
  }
  return (uint32_t)(64 * i) + (uint32_t)__builtin_ctzll(bits);
}

/* `flips` bounds the tries; those without a flip are no steps of the trace. */
void decode_step_by_step(struct bench *bench) {
  for (uint32_t tries = 0; tries < bench->params->flips; tries++) {
    if (bench->syndrome_weight == 0 || (tries > 0 && bench_done(bench))) {
      return;
    }
    const uint32_t check = unsatisfied_check(bench);
    const uint32_t k = random_below(&bench->ties, 2 * bench->d);
    const int half = k >= bench->d;
    const uint32_t p = bench->h[half][half ? k - bench->d : k];
    const uint32_t position = check >= p ? check - p : check + bench->r_bits - p;
    const uint32_t threshold = bench->params->threshold[bench->syndrome_weight];
    if (bench_counter(bench, half, position) >= threshold) {
      bench_clear(bench);
      bench_put(bench, half, position);
      bench_flip(bench, 'i', threshold);
    }
  }
}

/* --- Models for tests ------------------------------------------------------------------------- */

/* Fails if at least `flips` positions of the error are in the first half; the score is their
 * number; for the gate, that of those below r / 2. A decoder proper cannot know: a model for tests
 * of the estimators. */
static void decode_model_half(struct bench *bench) {
  uint32_t low = 0;

  for (size_t i = 0; i < bench->listed[0]; i++) { /* the error, as bench_decode() listed it */
    low += bench->list[0][i] < bench->r_bits / 2 ? 1 : 0;
  }
  if (bench_is_stopped(bench, low)) {
    return;
  }
  bench->score = bench->engine->weight(bench->r_bits, bench->wrong_bits[0]);
  bench->wrong = bench->score >= bench->params->flips ? 1 : 0;
}

/* Fails if at least `flips` positions are low: of the error those in the first half, of h0 and h1
 * those below r / 2; the score is their number. So key and error decide together. */
static void decode_model_key(struct bench *bench) {
  bench->score = bench->engine->weight(bench->r_bits, bench->wrong_bits[0]);
  for (int b = 0; b < 2; b++) {
    for (uint32_t i = 0; i < bench->d; i++) {
      bench->score += bench->h[b][i] < bench->r_bits / 2 ? 1 : 0;
    }
  }
  bench->wrong = bench->score >= bench->params->flips ? 1 : 0;
}

/* Fails if some near-codeword has at least `flips` positions of the error; the score is the largest
 * such overlap. */
static void decode_model_near(struct bench *bench) {
  uint32_t e[TRIAL_MAX_ERROR_WEIGHT];
  uint32_t held = 0;

  for (int b = 0; b < 2; b++) {
    for (size_t i = 0; i < bench->listed[b]; i++) { /* the error, as bench_decode() listed it */
      e[held++] = bench->list[b][i] + (uint32_t)b * bench->r_bits;
    }
  }
  bench->score =
      class_instances(bench->params, KEY_NEAR_CODEWORD, bench->h[0], bench->h[1], e).largest;
  bench->wrong = bench->score >= bench->params->flips ? 1 : 0;
}

/* --- The table -------------------------------------------------------------------------------- */

const struct lab_decoder lab_decoders[] = {
    {"bgf", decode_bgf, false},
    {"bike-flip", decode_bike_flip, false},
    {"bf", decode_bf, false},
    {"pickyfix", decode_pickyfix, false},
    {"bf-max", decode_bf_max, true},
    {"step-by-step", decode_step_by_step, true},
    {"model-half", decode_model_half, false},
    {"model-key", decode_model_key, false},
    {"model-near", decode_model_near, false},
};
const size_t lab_decoder_count = sizeof lab_decoders / sizeof lab_decoders[0];
