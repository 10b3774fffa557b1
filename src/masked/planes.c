/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Planes and bytes of one share: matrices of bits, turned in random orders. */
#include "base/wipe.h"
#include "masked/gadgets.h"

void ckem_masks_order(struct masks *masks, uint16_t *order, size_t count) {
  for (size_t i = 0; i < count; i++) { /* each is put at a random place of those before it */
    const size_t at = i > 0 ? ckem_masks_below(masks, (uint32_t)i + 1) : 0;
    order[i] = (uint16_t)i;
    const uint16_t other = order[at];
    order[at] = (uint16_t)i;
    order[i] = other;
  }
}

void ckem_turn_bits(uint32_t a[32], const struct turn_order *order) {
  uint32_t mask = 0x0000FFFF;

  for (size_t step = 16; step > 0; step >>= 1, mask ^= mask << step) {
    for (size_t k = 0; k < MASKED_PAIRS; k++) {
      const size_t pair = order->pair[k];
      uint32_t *low = a + pair + (pair & ~(step - 1));
      const uint32_t change = (low[0] >> step ^ low[step]) & mask;
      low[0] ^= change << step;
      low[step] ^= change;
    }
  }
}

/* What is on the diagonal stays in its place when bits are turned: the same bit of the next share
 * would be written over it. */
static void forget_square(uint32_t a[32]) {
  ckem_secure_wipe(a, 32 * sizeof *a);
}

void ckem_planes_from_columns(masked_word *planes, size_t share, const uint64_t *in, size_t step,
                              bool high, size_t lanes, const struct turn_order *order) {
  const size_t words = MASKED_WORDS(lanes);
  uint32_t a[32];

  memset(planes, 0, 32 * words * sizeof *planes);
  for (size_t first = 0; first < lanes; first += 32) {
    for (size_t k = 0; k < 32; k++) {
      const size_t j = turn_order_row(order, k);
      const uint64_t word = first + j < lanes ? in[(first + j) * step] : 0;
      a[j] = (uint32_t)(high ? word >> 32 : word);
    }
    ckem_turn_bits(a, order);
    for (size_t b = 0; b < 32; b++) {
      planes[b * words + first / MASKED_WORD_BITS] |=
          masked_at_lane(a[b], share, first % MASKED_WORD_BITS);
    }
  }
  forget_square(a);
}

void ckem_columns_from_planes(uint32_t columns[32], const masked_word *planes, size_t share,
                              size_t count, size_t first, size_t words, unsigned turn,
                              const struct turn_order *order) {
  for (size_t b = 0; b < 32; b++) {
    columns[(b - turn) % 32] =
        b < count
            ? (uint32_t)masked_rotate(planes[b * words + first / MASKED_WORD_BITS],
                                      (unsigned)(first % MASKED_WORD_BITS) - MASKED_TURN(share))
            : 0;
  }
  ckem_turn_bits(columns, order);
}

void ckem_planes_add_to_columns(uint64_t *out, size_t step, bool high, const masked_word *planes,
                                size_t share, size_t lanes, const struct turn_order *order) {
  uint32_t a[32];

  for (size_t first = 0; first < lanes; first += 32) {
    ckem_columns_from_planes(a, planes, share, 32, first, MASKED_WORDS(lanes), 0, order);
    for (size_t k = 0; k < 32; k++) {
      const size_t j = turn_order_row(order, k);
      if (first + j < lanes) {
        out[(first + j) * step] ^= high ? (uint64_t)a[j] << 32 : a[j];
      }
    }
  }
  forget_square(a);
}

void ckem_planes_from_bytes(masked_word *planes, size_t share, const uint8_t *in, size_t count,
                            const struct turn_order *order) {
  const size_t words = MASKED_WORDS(count);
  uint32_t a[32];

  memset(planes, 0, 8 * words * sizeof *planes);
  for (size_t first = 0; first < count; first += 32) {
    for (size_t k = 0; k < 32; k++) {
      const size_t j = turn_order_row(order, k);
      a[j] = first + j < count ? in[first + j] : 0;
    }
    ckem_turn_bits(a, order);
    for (size_t b = 0; b < 8; b++) {
      planes[b * words + first / MASKED_WORD_BITS] |=
          masked_at_lane(a[b], share, first % MASKED_WORD_BITS);
    }
  }
  forget_square(a);
}

void ckem_planes_to_bytes(uint8_t *out, const masked_word *planes, size_t share, size_t count,
                          const struct turn_order *order) {
  uint32_t a[32];

  for (size_t first = 0; first < count; first += 32) {
    ckem_columns_from_planes(a, planes, share, 8, first, MASKED_WORDS(count), 0, order);
    for (size_t k = 0; k < 32; k++) {
      const size_t j = turn_order_row(order, k);
      if (first + j < count) {
        out[first + j] = (uint8_t)a[j];
      }
    }
  }
  forget_square(a);
}
