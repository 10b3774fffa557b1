/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The Black-Gray-Flip decoder [BIKE, S7], in the order of the specification. */
#include "bike/decoder.h"

#include <assert.h>
#include <string.h>

#include "base/ct.h"
#include "bike/counters.h"
#include "sparse/sparse.h"

/* The state of one decoding. */
struct decoder {
  const struct bike_params *params;
  const struct backend *backend;
  const struct bike_counters *ops;
  const struct bike_decoder_key *key;
  const uint32_t *support[2]; /* the key's, as the back end counts with it */
  uint64_t *const *e;
  uint64_t *first_syndrome; /* c0 * h0 */
  uint64_t *syndrome;
  uint64_t *black[2];       /* positions that iteration 1 flipped */
  uint64_t *gray[2];        /* positions that it nearly flipped */
  uint64_t *reached;        /* positions that a masked step would flip if there were no mask */
  uint64_t *scratch;
  bike_decoder_observer *observer;
  void *context;
};

uint32_t ckem_bike_threshold(const struct bike_params *params, uint32_t syndrome_weight) {
  const uint64_t value =
      params->threshold_constant + (uint64_t)params->threshold_slope * syndrome_weight;
  const uint32_t threshold =
      (uint32_t)(value * params->threshold_multiplier >> params->threshold_shift);
  const uint32_t below = ct_mask_less_u32(threshold, params->threshold_minimum);

  return ct_select_u32(below, params->threshold_minimum, threshold);
}

/* The threshold of the first iteration: lower where the options of the call say so, but not below
 * the minimum. */
static uint32_t first_threshold(const struct bike_params *params, uint32_t syndrome_weight) {
  const uint32_t threshold = ckem_bike_threshold(params, syndrome_weight);
  const uint32_t lower = params->first_threshold_lower;
  const uint32_t below = ct_mask_less_u32(threshold, params->threshold_minimum + lower);

  return ct_select_u32(below, params->threshold_minimum, threshold - lower);
}

/* out = a times the key's half b. Its support says the same as the element, where that is
 * faster. */
static void multiply_by_half(const struct decoder *d, uint64_t *out, const uint64_t *a, int b) {
  const struct gf2x_ring *ring = d->params->ring;
  const struct sparse_ops *sparse = d->backend->sparse;

  if (sparse->multiply != NULL) {
    sparse->multiply(ring, out, a, d->support[b], d->params->key_weight, d->scratch);
  } else {
    d->backend->gf2x->mul(ring, out, a, d->key->h[b], d->scratch);
  }
}

/* S7.1: with h1 = h * h0, the syndrome of c0 + e0 + h e1 is first_syndrome + e0 h0 + e1 h1. */
static void recompute_syndrome(const struct decoder *d) {
  const struct gf2x_ring *ring = d->params->ring;

  if (d->backend->sparse->multiply != NULL) {
    multiply_by_half(d, d->syndrome, d->e[0], 0);
    multiply_by_half(d, d->reached, d->e[1], 1); /* free between iterations */
    ckem_gf2x_add(ring, d->syndrome, d->syndrome, d->reached);
  } else {
    d->backend->gf2x->mul_add(ring, d->syndrome, d->e[0], d->key->h[0], d->e[1], d->key->h[1],
                              d->scratch);
  }
  ckem_gf2x_add(ring, d->syndrome, d->syndrome, d->first_syndrome);
}

static void observe(const struct decoder *d, uint32_t threshold, uint64_t *const flips[2],
                    bool with_gray) {
  if (d->observer != NULL) {
    const struct bike_decoder_step step = {
        .syndrome_weight = d->backend->gf2x->weight(d->params->ring, d->syndrome),
        .threshold = threshold,
        .flips = {flips[0], flips[1]},
        .gray = {with_gray ? d->gray[0] : NULL, with_gray ? d->gray[1] : NULL},
    };
    d->observer(d->context, &step);
  }
}

/* BFIter: flips every position whose counter reaches the threshold. In the first iteration it also
 * records the gray positions, whose counters are at most tau below it. */
static void flip_iteration(struct decoder *d, bool first) {
  const struct gf2x_ring *ring = d->params->ring;
  const uint32_t weight = d->backend->gf2x->weight(ring, d->syndrome);
  const uint32_t threshold =
      first ? first_threshold(d->params, weight) : ckem_bike_threshold(d->params, weight);

  for (int b = 0; b < 2; b++) {
    d->ops->count_unsatisfied(ring, d->black[b], threshold, first ? d->gray[b] : NULL,
                              threshold - BIKE_GRAY_MARGIN, d->syndrome, d->support[b],
                              d->params->key_weight, d->scratch);
    ckem_gf2x_add(ring, d->e[b], d->e[b], d->black[b]);
    if (first) {
      ckem_gf2x_add(ring, d->gray[b], d->gray[b],
                    d->black[b]); /* every black position is in both */
    }
  }
  observe(d, threshold, d->black, first);
}

/* BFMaskedIter: flips the positions in mask whose counter reaches (d + 1) / 2 + 1. mask is left
 * with what was flipped. */
static void flip_masked(struct decoder *d, uint64_t *const mask[2]) {
  const struct gf2x_ring *ring = d->params->ring;

  for (int b = 0; b < 2; b++) {
    d->ops->count_unsatisfied(ring, d->reached, d->params->masked_threshold, NULL, 0, d->syndrome,
                              d->support[b], d->params->key_weight, d->scratch);
    for (size_t i = 0; i < ring->stride; i++) {
      mask[b][i] &= d->reached[i];
    }
    ckem_gf2x_add(ring, d->e[b], d->e[b], mask[b]);
  }
  observe(d, d->params->masked_threshold, mask, false);
}

void ckem_bike_order_support(const struct bike_params *params, const struct backend *backend,
                             uint32_t *const support[2]) {
  const struct bike_counters *ops = ckem_bike_counters_of(backend);

  for (int b = 0; ops->order_support != NULL && b < 2; b++) {
    ops->order_support(params->ring, support[b], params->key_weight);
  }
}

/* Takes the key's position lists, in a copy as the back end counts with them unless they are so. */
static void take_supports(struct decoder *d, struct arena *arena) {
  uint32_t *copy[2];

  /* Where a support becomes a list, products do not take it. */
  assert(d->ops->order_support == NULL || d->backend->sparse->multiply == NULL);
  for (int b = 0; b < 2; b++) {
    copy[b] = (uint32_t *)(void *)arena_take(arena, BIKE_POSITIONS_WORDS);
    d->support[b] = d->key->ordered ? d->key->support[b] : copy[b];
  }
  if (!d->key->ordered) {
    for (int b = 0; b < 2; b++) {
      memcpy(copy[b], d->key->support[b], d->params->key_weight * sizeof *copy[b]);
    }
    ckem_bike_order_support(d->params, d->backend, copy);
  }
}

void ckem_bike_decode(const struct bike_params *params, const struct backend *backend,
                      uint64_t *const e[2], const uint64_t *c0, const struct bike_decoder_key *key,
                      bike_decoder_observer *observer, void *context, struct arena arena) {
  const struct gf2x_ring *ring = params->ring;
  struct decoder d = {
      .params = params,
      .backend = backend,
      .ops = ckem_bike_counters_of(backend),
      .key = key,
      .e = e,
      .observer = observer,
      .context = context,
  };

  take_supports(&d, &arena);
  d.first_syndrome = arena_take(&arena, ring->stride);
  d.syndrome = arena_take(&arena, ring->stride);
  for (int b = 0; b < 2; b++) {
    d.black[b] = arena_take(&arena, ring->stride);
    d.gray[b] = arena_take(&arena, ring->stride);
    memset(e[b], 0, ring->stride * sizeof *e[b]);
  }
  d.reached = arena_take(&arena, ring->stride);
  d.scratch = arena_take(&arena, BIKE_SCRATCH_WORDS(ring->r_bits));

  multiply_by_half(&d, d.first_syndrome, c0, 0);
  memcpy(d.syndrome, d.first_syndrome, ring->stride * sizeof *d.syndrome);
  flip_iteration(&d, true);
  recompute_syndrome(&d);
  flip_masked(&d, d.black);
  recompute_syndrome(&d);
  flip_masked(&d, d.gray);
  for (int iteration = 2; iteration <= BIKE_ITERATIONS; iteration++) {
    recompute_syndrome(&d);
    flip_iteration(&d, false);
  }
}
