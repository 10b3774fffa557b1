/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The exact share of a class: for a failure, the largest value L of the class's property over all
 * its instances, and the number M of instances that have it.
 *
 * If an instance is drawn uniformly, then a key or error with exactly l there, the weight [L = l] /
 * M repairs that whoever has several such instances is drawn that much more often:
 * P(failure and L = l) = A_l E_l[failure [L = l] / M], A_l the expected number of instances with
 * exactly l.
 */
#include <string.h>

#include "lab.h"

static uint32_t tally[2][LAB_MAX_R_BITS];

static struct instances largest_of(uint32_t halves, uint32_t from, uint32_t to) {
  struct instances found = {0, 0};

  for (uint32_t b = 0; b < halves; b++) {
    for (uint32_t k = from; k < to; k++) {
      if (tally[b][k] > found.largest) {
        found = (struct instances){tally[b][k], 0};
      }
      found.count += tally[b][k] == found.largest;
    }
  }
  return found;
}

/* Overlaps of the error with x^k h0 in the first half and x^k h1 in the second. */
static void tally_near_codewords(const struct lab_params *params, const uint32_t *const h[2],
                                 const uint32_t *e) {
  const uint32_t r_bits = params->trial.ring.r_bits;

  for (uint32_t i = 0; i < params->trial.params.error_weight; i++) {
    const uint32_t half = e[i] >= r_bits;
    const uint32_t position = e[i] - half * r_bits;
    for (uint32_t k = 0; k < params->trial.params.key_weight; k++) {
      tally[half][(position + r_bits - h[half][k]) % r_bits] += 1;
    }
  }
}

/* Pairs of positions of h with the same distance, up to the sign. */
static void tally_distances(const struct lab_params *params, uint32_t *counts, const uint32_t *h) {
  const uint32_t r_bits = params->trial.ring.r_bits;

  for (uint32_t i = 0; i < params->trial.params.key_weight; i++) {
    for (uint32_t k = 0; k < i; k++) {
      const uint32_t distance = h[i] > h[k] ? h[i] - h[k] : h[k] - h[i];
      counts[2 * distance < r_bits ? distance : r_bits - distance] += 1;
    }
  }
}

struct instances class_instances(const struct lab_params *params, enum key_class key_class,
                                 const uint32_t *h0, const uint32_t *h1, const uint32_t *e) {
  const uint32_t r_bits = params->trial.ring.r_bits;
  const uint32_t d = params->trial.params.key_weight;
  const uint32_t *const h[2] = {h0, h1};

  memset(tally[0], 0, r_bits * sizeof tally[0][0]);
  memset(tally[1], 0, r_bits * sizeof tally[1][0]);
  switch (key_class) {
    case KEY_NEAR_CODEWORD:
      tally_near_codewords(params, h, e);
      return largest_of(2, 0, r_bits);
    case KEY_MULTIPLICITY:
      tally_distances(params, tally[0], h0);
      tally_distances(params, tally[1], h1);
      return largest_of(2, 1, (r_bits + 1) / 2);
    case KEY_INTERSECTION:
      for (uint32_t i = 0; i < d; i++) {
        for (uint32_t k = 0; k < d; k++) {
          tally[0][(h0[i] + r_bits - h1[k]) % r_bits] += 1;
        }
      }
      return largest_of(1, 0, r_bits);
    default: /* one instance: everything */
      return (struct instances){0, 1};
  }
}
