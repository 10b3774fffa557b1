/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Decoders that flip many positions at once: BGF, BIKE-Flip, plain bit flipping, PickyFix. */
#include <math.h>
#include <string.h>

#include "decoders.h"

#define FEW 60 /* candidates: below, each counter is counted alone */

/* --- Black-Gray-Flip [BIKE, S7] --------------------------------------------------------------- */

/* Candidates of a masked step. */
struct candidates {
  size_t count[2];
  uint32_t list[2][LAB_MAX_R_BITS];
};

/* Flips the candidates whose counters reach the masked threshold. */
static void flip_masked(struct bench *bench, const struct candidates *mask, char kind) {
  const uint32_t threshold = bench->params->masked_threshold;
  const bool few = mask->count[0] + mask->count[1] < FEW;

  bench_clear(bench);
  if (bench->syndrome_weight == 0) {
    return;
  }
  if (few) {
    for (int b = 0; b < 2; b++) {
      for (size_t i = 0; i < mask->count[b]; i++) {
        if (bench_counter(bench, b, mask->list[b][i]) >= threshold) {
          bench_put(bench, b, mask->list[b][i]);
        }
      }
    }
  } else {
    bench_reach(bench, threshold, threshold);
    for (int b = 0; b < 2; b++) {
      for (size_t i = 0; i < mask->count[b]; i++) {
        if (bit_of(bench->reached[b], mask->list[b][i]) != 0) {
          bench_put(bench, b, mask->list[b][i]);
        }
      }
    }
  }
  bench_flip(bench, kind, threshold);
}

/* Takes what is on the lists of the bench as candidates. */
static void keep(struct bench *bench, struct candidates *mask) {
  for (int b = 0; b < 2; b++) {
    mask->count[b] = bench->listed[b];
    memcpy(mask->list[b], bench->list[b], bench->listed[b] * sizeof *mask->list[b]);
  }
}

/* The threshold of an iteration; the first one may be lower, but not below the majority. */
static uint32_t bgf_threshold(const struct bench *bench, uint32_t iteration) {
  const struct lab_params *params = bench->params;
  const uint32_t threshold = params->threshold[bench->syndrome_weight];
  const uint32_t majority = (params->trial.params.key_weight + 1) / 2;
  const uint32_t least = threshold < majority ? threshold : majority;

  if (iteration > 1) {
    return threshold;
  }
  return threshold - least < params->first_lower ? least : threshold - params->first_lower;
}

void decode_bgf(struct bench *bench) {
  static struct candidates black, gray;
  const struct lab_params *params = bench->params;

  for (uint32_t iteration = 1; iteration <= params->iterations; iteration++) {
    if (iteration > 1 && bench_done(bench)) {
      return;
    }
    const uint32_t threshold = bgf_threshold(bench, iteration);
    const uint32_t gray_from = threshold - (iteration == 1 ? params->gray_margin : 0);
    bench_reach(bench, threshold, gray_from);
    if (iteration == 1) { /* gray: not black, but nearly */
      bench_clear(bench);
      if (gray_from < threshold) {
        bench_put_all(bench, bench->gray);
      }
      keep(bench, &gray);
    }
    bench_clear(bench);
    bench_put_all(bench, bench->reached);
    if (iteration == 1) {
      keep(bench, &black);
    }
    bench_flip(bench, 'i', threshold);
    if (iteration == 1) {
      flip_masked(bench, &black, 'b');
      flip_masked(bench, &gray, 'g');
    }
  }
  bench_done(bench); /* an aware decoder looks once more */
}

/* --- BIKE-Flip, and plain bit flipping with a list of thresholds ------------------------------ */

uint32_t flip_threshold(const struct lab_params *params, uint32_t weight, uint32_t first_weight,
                        uint32_t iteration) {
  const double majority = (params->trial.params.key_weight + 1) / 2.0;
  const double f = params->slope * weight + params->constant;
  const double f0 = params->slope * first_weight + params->constant;
  const double share = iteration >= 4 ? 3 : iteration - 1; /* of three, that majority has */
  const double least = ((3 - share) * f0 + share * majority) / 3 + params->delta;
  const double exact = f > least ? f : least;

  switch (params->rounding) {
    case ROUND_NEAREST:
      return (uint32_t)floor(exact + 0.5);
    case ROUND_CEIL:
      return (uint32_t)ceil(exact);
    default:
      return (uint32_t)exact;
  }
}

static void flip_all(struct bench *bench, uint32_t threshold) {
  bench_reach(bench, threshold, threshold);
  bench_clear(bench);
  bench_put_all(bench, bench->reached);
  bench_flip(bench, 'i', threshold);
}

void decode_bike_flip(struct bench *bench) {
  for (uint32_t i = 1; i <= bench->params->iterations; i++) {
    if (i > 1 && bench_done(bench)) {
      return;
    }
    flip_all(bench, flip_threshold(bench->params, bench->syndrome_weight, bench->first_weight, i));
  }
  bench_done(bench);
}

void decode_bf(struct bench *bench) {
  const struct lab_params *params = bench->params;

  for (uint32_t i = 0; i < params->iterations; i++) {
    if (i > 0 && bench_done(bench)) {
      return;
    }
    flip_all(bench,
             i < params->list_count ? params->list[i] : params->threshold[bench->syndrome_weight]);
  }
  bench_done(bench);
}

/* --- PickyFix [PT22] -------------------------------------------------------------------------- */

static size_t put_between(struct bench *bench, uint32_t threshold) {
  bench_clear(bench);
  bench_put_reached(bench, threshold);
  return bench->listed[0] + bench->listed[1];
}

/* Removes positions from the lists, among those whose counter is just the threshold, until `wanted`
 * are left: the last ones by position, or any. */
static void drop_ties(struct bench *bench, uint32_t threshold, size_t wanted) {
  static uint32_t ties[2 * LAB_MAX_R_BITS]; /* positions below 2 r */
  size_t tied = 0;
  size_t kept[2] = {0, 0};

  for (int b = 0; b < 2; b++) {
    bench->engine->at_least(bench->r_bits, bench->reached[b], bench->planes[b], threshold + 1);
    for (size_t i = 0; i < bench->listed[b]; i++) {
      const uint32_t position = bench->list[b][i];
      if (bit_of(bench->reached[b], position) != 0) {
        bench->list[b][kept[b]++] = position;
      } else {
        ties[tied++] = position + (uint32_t)b * bench->r_bits;
      }
    }
    bench->listed[b] = kept[b];
  }
  for (size_t i = 0; i < tied && bench->listed[0] + bench->listed[1] < wanted; i++) {
    if (bench->params->random_ties) {
      const size_t j = i + random_below(&bench->ties, (uint32_t)(tied - i));
      const uint32_t chosen = ties[j];
      ties[j] = ties[i];
      ties[i] = chosen;
    }
    const int half = ties[i] >= bench->r_bits;
    bench_put(bench, half, half ? ties[i] - bench->r_bits : ties[i]);
  }
}

/* Flips exactly `wanted` positions, those with the largest counters. */
static void fix_flip(struct bench *bench, size_t wanted) {
  uint32_t low = 0, high = bench->d + 1; /* at least `wanted` reach low, fewer reach high */

  bench_count(bench);
  while (high - low > 1) {
    const uint32_t middle = (low + high) / 2;
    if (put_between(bench, middle) >= wanted) {
      low = middle;
    } else {
      high = middle;
    }
  }
  put_between(bench, low);
  drop_ties(bench, low, wanted);
  bench_flip(bench, 'i', low);
}

/* Flips 0 to 1 from the threshold on, 1 to 0 from the majority on. */
static void picky_flip(struct bench *bench) {
  const uint32_t majority = (bench->d + 1) / 2;
  const uint32_t given = bench->params->threshold[bench->syndrome_weight];
  const uint32_t threshold = given > majority ? given : majority;

  bench_count(bench);
  bench_clear(bench);
  bench_put_reached(bench, majority);
  for (int b = 0; b < 2; b++) {
    size_t kept = 0;
    bench->engine->at_least(bench->r_bits, bench->reached[b], bench->planes[b], threshold);
    for (size_t i = 0; i < bench->listed[b]; i++) {
      const uint32_t position = bench->list[b][i];
      if ((bit_of(bench->found[b], position) | bit_of(bench->reached[b], position)) != 0) {
        bench->list[b][kept++] = position;
      }
    }
    bench->listed[b] = kept;
  }
  bench_flip(bench, 'i', threshold);
}

void decode_pickyfix(struct bench *bench) {
  fix_flip(bench, bench->params->flips);
  for (uint32_t i = 0; i <= bench->params->iterations; i++) { /* two belong to iteration 1 */
    if (i < 2 ? bench->syndrome_weight == 0 : bench_done(bench)) {
      return;
    }
    picky_flip(bench);
  }
  bench_done(bench);
}
