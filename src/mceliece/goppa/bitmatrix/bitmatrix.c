/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Which implementation a back end has, and the small steps of a factorisation that all share. */
#include "bitmatrix/bitmatrix.h"

#include "base/ct.h"
#include "bitmatrix/bitmatrix_factor.h"

#define BACKEND(id, name, supported, gf2x, keccak, sparse, goppa, ...) \
  BACKEND_TAKES(BACKEND_##id, ckem_bitmatrix_##goppa)

const struct bitmatrix_ops *ckem_bitmatrix_ops_of(const struct backend *backend) {
  switch (backend->id) {
    BACKEND_OTHERWISE(ckem_bitmatrix_portable)
#include "backend.def"
  }
}

/* Adds to row c the first of the rows c, c + 1, ... that has bit c, unless that is row c. Returns
 * the row's number as a sum, and in *found whether there is one. */
static uint32_t take_pivot(size_t rows, unsigned c, uint64_t *x, uint64_t *carried,
                           uint64_t *found) {
  uint64_t missing = ct_mask_bit_u64(~(x[c] >> c)); /* no pivot yet */
  uint32_t place = c & ~(uint32_t)missing;

  //@ loop unroll 0;
  for (size_t i = c + 1; i < rows; i++) {
    const uint64_t take = missing & ct_mask_bit_u64(x[i] >> c);
    x[c] ^= x[i] & take;
    if (carried != NULL) {
      carried[c] ^= carried[i] & take;
    }
    place |= (uint32_t)i & (uint32_t)take;
    missing &= ~take;
  }
  *found = ~missing;
  return place;
}

bool ckem_bitmatrix_find_block(size_t rows, unsigned columns, uint64_t *x, uint64_t *carried,
                               uint16_t *place) {
  for (unsigned c = 0; c < columns; c++) {
    const uint64_t bit = UINT64_C(1) << c;
    uint64_t found;
    place[c] = (uint16_t)take_pivot(rows, c, x, carried, &found);
    /* Public: that a pivot is missing, which ends the attempt, shows in the time. */
    ct_declassify(&found, sizeof found);
    if (found == 0) {
      return false;
    }
    //@ loop unroll 0;
    for (size_t i = 0; i < rows; i++) {
      const uint64_t add = i == c ? 0 : ct_mask_bit_u64(x[i] >> c);
      x[i] ^= x[c] & ~bit & add;
      if (carried != NULL) {
        carried[i] ^= carried[c] & add;
      }
    }
  }
  return true;
}

bool ckem_bitmatrix_find_pivots(uint64_t *x, uint64_t *pivots) {
  *pivots = 0;
  for (unsigned i = 0; i < 32; i++) {
    uint64_t any = 0;
    for (unsigned r = i; r < 32; r++) {
      any |= x[r];
    }
    const uint64_t pivot = any & (UINT64_C(0) - any); /* the lowest column */
    uint64_t none = ct_mask_zero_u64(any);
    /* Public: that a pivot is missing, which ends the attempt, shows in the time. */
    ct_declassify(&none, sizeof none);
    if (none != 0) {
      return false;
    }
    for (unsigned r = i + 1; r < 32; r++) { /* make row i have it */
      const uint64_t take = ct_mask_zero_u64(x[i] & pivot);
      x[i] ^= x[r] & take;
    }
    for (unsigned r = i + 1; r < 32; r++) {
      x[r] ^= x[i] & ~ct_mask_zero_u64(x[r] & pivot);
    }
    *pivots |= pivot;
  }
  return true;
}

void ckem_bitmatrix_pivot_places(uint8_t place[32], uint64_t pivots) {
  for (unsigned i = 0; i < 32; i++) {
    place[i] = 0;
  }
  for (unsigned i = 0; i < 32; i++) {
    const uint64_t below = (pivots & (UINT64_C(0) - pivots)) - 1; /* ones below the lowest bit */
    unsigned count = 0;
    for (unsigned j = 0; j < 64; j++) {
      count += (unsigned)(below >> j & 1);
    }
    place[i] = (uint8_t)count;
    pivots &= pivots - 1;
  }
}

uint64_t ckem_bitmatrix_move_bits(uint64_t x, const uint8_t place[32]) {
  for (unsigned i = 0; i < 32; i++) {
    const uint64_t differ = (x >> i ^ ct_shift_right_u64(x, place[i])) & 1;
    x ^= differ << i ^ ct_shift_left_u64(differ, place[i]);
  }
  return x;
}

void ckem_bitmatrix_move_pivots(uint32_t rows, uint64_t pivots, uint16_t *a) {
  uint16_t *window = a + (rows - 32);
  uint8_t place[32];

  ckem_bitmatrix_pivot_places(place, pivots);
  for (unsigned i = 0; i < 32; i++) {
    for (unsigned j = i + 1; j < 64; j++) {
      const uint16_t swap = (uint16_t)ct_mask_equal_u32(j, place[i]);
      const uint16_t change = (uint16_t)((window[i] ^ window[j]) & swap);
      window[i] ^= change;
      window[j] ^= change;
    }
  }
}
