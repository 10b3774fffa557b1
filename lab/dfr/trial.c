/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* One decoding with a random key of some class and a random error, from a seed and a number. */
#include "trial.h"

#include <stdalign.h>
#include <stddef.h>
#include <string.h>

#include "base/arena.h"
#include "bike/decoder.h"
#include "draw.h"

const char *const key_class_names[KEY_CLASS_COUNT] = {"random", "progression", "multiplicity",
                                                      "intersection", "near-codeword"};

/* --- Classes of keys -------------------------------------------------------------------------- */

static uint32_t gcd(uint32_t a, uint32_t b) {
  while (b != 0) {
    const uint32_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/* A distance that generates all others, so that multiplying by it permutes the positions. */
static uint32_t draw_distance(struct stream *stream, uint32_t r_bits) {
  uint32_t distance;

  do {
    distance = 1 + uniform(stream, (r_bits - 1) / 2);
  } while (gcd(distance, r_bits) != 1);
  return distance;
}

/* Class I: parameter terms of a progression; the other positions are uniform. */
static void draw_progression(const struct trial_settings *settings, struct stream *stream,
                             struct set *set, struct trial *trial) {
  const uint32_t r_bits = settings->ring.r_bits;
  const uint32_t length = settings->class_parameter;
  uint32_t position = uniform(stream, r_bits);

  trial->distance = draw_distance(stream, r_bits);
  for (uint32_t i = 0; i < length; i++) {
    insert(set, position);
    trial->h[0][i] = position;
    position = (position + trial->distance) % r_bits;
  }
  draw_distinct(stream, set, trial->h[0], length, settings->params.key_weight, r_bits);
}

/* Cuts total into count parts, each at least 1, uniformly: marks where parts end among
 * 1 .. total - 1. */
static void draw_cuts(struct stream *stream, struct set *cuts, uint32_t total, uint32_t count) {
  uint32_t list[TRIAL_MAX_KEY_WEIGHT];

  memset(cuts, 0, sizeof *cuts);
  insert(cuts, 0); /* not to be drawn: nothing ends before it begins */
  draw_distinct(stream, cuts, list, 0, count - 1, total);
}

/* Class II: the positions, divided by the distance, form d - parameter runs with gaps between them,
 * so that just parameter positions have a neighbour. */
static void draw_multiplicity(const struct trial_settings *settings, struct stream *stream,
                              struct trial *trial) {
  static struct set run_ends, gap_ends;
  const uint32_t r_bits = settings->ring.r_bits;
  const uint32_t d = settings->params.key_weight;
  const uint32_t runs = d - settings->class_parameter;
  uint64_t position = uniform(stream, r_bits);
  uint32_t gap = 0;

  trial->distance = draw_distance(stream, r_bits);
  draw_cuts(stream, &run_ends, d, runs);
  draw_cuts(stream, &gap_ends, r_bits - d, runs);
  for (uint32_t i = 0; i < d; i++) {
    trial->h[0][i] = (uint32_t)(position % r_bits * trial->distance % r_bits);
    position += 1;
    if (i + 1 < d && contains(&run_ends, i + 1)) { /* a run ends here: a gap follows */
      do {
        gap += 1;
        position += 1;
      } while (!contains(&gap_ends, gap));
    }
  }
}

/* Class III: h1 takes parameter positions from h0, moved by the distance, and no others of them. */
static void draw_intersection(const struct trial_settings *settings, struct stream *stream,
                              struct trial *trial) {
  static struct set set;
  const uint32_t r_bits = settings->ring.r_bits;
  const uint32_t d = settings->params.key_weight;
  uint32_t moved[TRIAL_MAX_KEY_WEIGHT];

  memset(&set, 0, sizeof set);
  draw_distinct(stream, &set, trial->h[0], 0, d, r_bits);
  trial->distance = uniform(stream, r_bits);
  memset(&set, 0, sizeof set);
  for (uint32_t i = 0; i < d; i++) {
    moved[i] = (trial->h[0][i] + r_bits - trial->distance) % r_bits;
    insert(&set, moved[i]);
  }
  for (uint32_t i = 0; i < settings->class_parameter; i++) {
    const uint32_t j = i + uniform(stream, d - i);
    trial->h[1][i] = moved[j];
    moved[j] = moved[i];
  }
  draw_distinct(stream, &set, trial->h[1], settings->class_parameter, d, r_bits);
}

/* Puts parameter positions of a near-codeword into the error, and the others of it into set. */
static void draw_near_codeword(const struct trial_settings *settings, struct stream *stream,
                               struct set *set, struct trial *trial) {
  const uint32_t r_bits = settings->ring.r_bits;
  const uint32_t d = settings->params.key_weight;
  const uint32_t half = uniform(stream, 2);
  const uint32_t shift = uniform(stream, r_bits);
  uint32_t moved[TRIAL_MAX_KEY_WEIGHT];

  trial->distance = half * r_bits + shift;
  for (uint32_t i = 0; i < d; i++) {
    moved[i] = half * r_bits + (trial->h[half][i] + shift) % r_bits;
    insert(set, moved[i]);
  }
  for (uint32_t i = 0; i < settings->class_parameter; i++) {
    const uint32_t j = i + uniform(stream, d - i);
    trial->e[i] = moved[j];
    moved[j] = moved[i];
  }
}

const char *trial_problem(const struct trial_settings *settings) {
  const uint32_t d = settings->params.key_weight;
  const uint32_t parameter = settings->class_parameter;

  if (settings->key_class == KEY_MULTIPLICITY && parameter >= d) {
    return "the multiplicity must be below the weight of h0";
  }
  if (settings->key_class == KEY_NEAR_CODEWORD && parameter > settings->params.error_weight) {
    return "an error cannot have more positions in a near-codeword than it has";
  }
  if (parameter > d) {
    return "the parameter of the class must not be above the weight of h0";
  }
  return NULL;
}

void trial_draw(const struct trial_settings *settings, uint64_t index, struct trial *trial) {
  static struct set set;
  const uint32_t r_bits = settings->ring.r_bits;
  const uint32_t d = settings->params.key_weight;
  struct stream stream;

  stream_open(&stream, settings->seed, index);
  trial->distance = 0;
  memset(&set, 0, sizeof set);
  if (settings->key_class == KEY_PROGRESSION) {
    draw_progression(settings, &stream, &set, trial);
  } else if (settings->key_class == KEY_MULTIPLICITY) {
    draw_multiplicity(settings, &stream, trial);
  } else if (settings->key_class == KEY_INTERSECTION) {
    draw_intersection(settings, &stream, trial);
  } else {
    draw_distinct(&stream, &set, trial->h[0], 0, d, r_bits);
  }
  if (settings->key_class != KEY_INTERSECTION) {
    memset(&set, 0, sizeof set);
    draw_distinct(&stream, &set, trial->h[1], 0, d, r_bits);
  }
  memset(&set, 0, sizeof set);
  uint32_t held = 0;
  if (settings->key_class == KEY_NEAR_CODEWORD) {
    draw_near_codeword(settings, &stream, &set, trial);
    held = settings->class_parameter;
  }
  draw_distinct(&stream, &set, trial->e, held, settings->params.error_weight, 2 * r_bits);
}

/* --- Decoding --------------------------------------------------------------------------------- */

static void set_bit(uint64_t *element, uint32_t position) {
  element[position / 64] |= UINT64_C(1) << (position % 64);
}

void trial_decode(const struct trial_settings *settings, const struct backend *backend,
                  const uint32_t *const h[2], const uint64_t *syndrome, uint64_t *const e[2]) {
  static alignas(64) uint64_t dense[2][GF2X_STRIDE(TRIAL_MAX_R_BITS)];
  static alignas(64) uint64_t memory[BIKE_DECODER_WORDS(TRIAL_MAX_R_BITS)];
  const struct arena arena = {memory, sizeof memory / sizeof memory[0]};
  const struct bike_decoder_key key = {{dense[0], dense[1]}, {h[0], h[1]}, false};

  for (int b = 0; b < 2; b++) {
    memset(dense[b], 0, settings->ring.stride * sizeof dense[b][0]);
    for (uint32_t i = 0; i < settings->params.key_weight; i++) {
      set_bit(dense[b], h[b][i]);
    }
  }
  ckem_bike_decode(&settings->params, backend, e, syndrome, &key, NULL, NULL, arena);
}

/* syndrome = e0 h0 + e1 h1 [BIKE, S7.1]. */
static void make_syndrome(const struct trial_settings *settings, const struct trial *trial,
                          uint64_t *syndrome) {
  const uint32_t r_bits = settings->ring.r_bits;

  memset(syndrome, 0, settings->ring.stride * sizeof *syndrome);
  for (uint32_t i = 0; i < settings->params.error_weight; i++) {
    const uint32_t half = trial->e[i] >= r_bits;
    const uint32_t shift = trial->e[i] - half * r_bits;
    for (uint32_t k = 0; k < settings->params.key_weight; k++) {
      const uint32_t sum = trial->h[half][k] + shift;
      const uint32_t place = sum < r_bits ? sum : sum - r_bits;
      syndrome[place / 64] ^= UINT64_C(1) << (place % 64);
    }
  }
}

bool trial_run(const struct trial_settings *settings, const struct backend *backend,
               uint64_t index) {
  static alignas(64) uint64_t syndrome[GF2X_STRIDE(TRIAL_MAX_R_BITS)];
  static alignas(64) uint64_t found[2][GF2X_STRIDE(TRIAL_MAX_R_BITS)];
  static struct trial trial;
  const uint32_t *const h[2] = {trial.h[0], trial.h[1]};
  uint64_t *const e[2] = {found[0], found[1]};
  const uint32_t r_bits = settings->ring.r_bits;
  uint32_t total = 0;

  trial_draw(settings, index, &trial);
  make_syndrome(settings, &trial, syndrome);
  trial_decode(settings, backend, h, syndrome, e);
  for (size_t i = 0; i < settings->ring.words; i++) {
    total += (uint32_t)__builtin_popcountll(found[0][i]);
    total += (uint32_t)__builtin_popcountll(found[1][i]);
  }
  bool same = total == settings->params.error_weight;
  for (uint32_t i = 0; i < settings->params.error_weight; i++) {
    const uint32_t half = trial.e[i] >= r_bits;
    const uint32_t position = trial.e[i] - half * r_bits;
    same &= (found[half][position / 64] >> (position % 64) & 1) != 0;
  }
  return same;
}
