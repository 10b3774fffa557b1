/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Drawing positions from the pseudorandom generator [BIKE, S5]. */
#include "bike/sampling.h"

#include "base/ct.h"
#include "base/wipe.h"

bool ckem_bike_sample_biased(const struct sparse_ops *ops, const struct bike_symmetric *symmetric,
                             struct bike_prf *prf, uint32_t *positions, size_t count,
                             uint32_t length) {
  if (!symmetric->prf_words(prf, positions, count)) {
    return false;
  }
  ckem_bike_pick_biased(ops, positions, count, length);
  return true;
}

void ckem_bike_pick_biased(const struct sparse_ops *ops, uint32_t *positions, size_t count,
                           uint32_t length) {
  /* The first word drawn decides the last position. */
  for (size_t i = 0; i < count / 2; i++) {
    const uint32_t word = positions[i];
    positions[i] = positions[count - 1 - i];
    positions[count - 1 - i] = word;
  }
  ops->pick_distinct(positions, positions, count, length);
}

/* Returns the smallest 2^b - 1 that is at least length. */
static uint32_t index_mask(uint32_t length) {
  uint32_t mask = 1;

  while (mask < length) {
    mask = 2 * mask + 1;
  }
  return mask;
}

/* Returns a mask: candidate is below length and not in positions[count]. */
static uint32_t is_new(uint32_t candidate, const uint32_t *positions, size_t count,
                       uint32_t length) {
  uint32_t duplicate = 0;

  /* For the proof of memory safety, here and below: what is only read, or has values already, needs
   * no unrolling. */
  //@ loop unroll 0;
  for (size_t i = 0; i < count; i++) {
    duplicate |= ct_mask_equal_u32(candidate, positions[i]);
  }
  return ct_mask_less_u32(candidate, length) & ~duplicate;
}

/* Words that are drawn for a position at most: one of two is accepted at least, nearly, so that
 * only a generator that is stuck comes here. */
#define MOST_WORDS 64

bool ckem_bike_sample_rejection(const struct bike_symmetric *symmetric, struct bike_prf *prf,
                                uint32_t *positions, size_t count, uint32_t length) {
  const uint32_t mask = index_mask(length);
  size_t held = 0;

  /* The same: one state for each number of positions held, no unrolling. */
  //@ dynamic_split held;
  //@ loop unroll 0;
  for (size_t n = 0; held < count; n++) {
    uint32_t word;
    if (n == MOST_WORDS * count || !symmetric->prf_words(prf, &word, 1)) {
      break;
    }
    uint32_t accepted = is_new(word & mask, positions, held, length);
    /* Public: which draws were accepted says nothing about the values of those that were. */
    ct_declassify(&accepted, sizeof accepted);
    if (accepted != 0) {
      positions[held] = word & mask;
      held += 1;
    }
    ckem_secure_wipe(&word, sizeof word);
  }
  const bool good = held == count;
  for (; held < count; held++) {
    positions[held] = 0;
  }
  return good;
}

/* Sets positions[held] to candidate if accepted is all ones; held may be count. */
static void append_if(uint32_t *positions, size_t count, uint32_t held, uint32_t candidate,
                      uint32_t accepted) {
  //@ loop unroll 0;
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t here = accepted & ct_mask_equal_u32(i, held);
    positions[i] = ct_select_u32(here, candidate, positions[i]);
  }
}

bool ckem_bike_sample_fixed_draws(const struct bike_symmetric *symmetric, struct bike_prf *prf,
                                  uint32_t *positions, size_t count, uint32_t length,
                                  uint32_t draws) {
  const uint32_t mask = index_mask(length);
  uint32_t held = 0;

  for (size_t i = 0; i < count; i++) {
    positions[i] = SPARSE_NO_POSITION;
  }
  //@ loop unroll 0;
  for (uint32_t n = 0; n < draws; n++) {
    uint32_t word;
    if (!symmetric->prf_words(prf, &word, 1)) {
      return false;
    }
    const uint32_t candidate = word & mask;
    const uint32_t accepted = is_new(candidate, positions, count, length);
    /* When the list is full, held stays at count, so nothing more is appended. */
    append_if(positions, count, held, candidate, accepted);
    held += accepted & ct_mask_less_u32(held, (uint32_t)count) & 1;
    ckem_secure_wipe(&word, sizeof word);
  }
  return true;
}
