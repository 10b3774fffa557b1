/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The Reed-Solomon decoder in shares. Berlekamp's algorithm without inverses has a fixed number of
 * steps on 3 delta + 1 cells, which are lanes [SS01]. Locator, its odd part and the evaluator are
 * evaluated at every place of the message, at public points, and one inversion serves all places.
 */
#include <assert.h>

#include "base/wipe.h"
#include "hqc/gf256.h"
#include "hqc/gf256_tables.h"
#include "masked/codes.h"
#include "masked/field.h"
#include "masked/gadgets.h"

#define CELLS (3 * REED_SOLOMON_MAX_DELTA + 1)
#define CELL_BYTES 96
#define NUMBER_PLANES 8 /* of the control number, which is between -2 delta - 1 and 2 delta */

#define BYTES_WORDS ARENA_BYTES_TO_WORDS(CELL_BYTES)
#define VALUES_WORDS ARENA_BYTES_TO_WORDS(sizeof(struct values))

static_assert(CELLS <= CELL_BYTES && REED_SOLOMON_MAX_LENGTH <= CELL_BYTES &&
                  2 * REED_SOLOMON_MAX_DELTA < 1 << (NUMBER_PLANES - 1),
              "memory of the decoder");

/* S_i = r(alpha^i) for i = 1 to count of one share, by Horner's rule for eight i at once. */
static void evaluate_syndromes(uint8_t *syndromes, const uint8_t *word, size_t length,
                               size_t count) {
  for (size_t i = 0; i < count; i += GF256_LANES) {
    const uint64_t point = gf256_load(gf256_syndrome_points + i);
    uint64_t sum = 0;
    for (size_t j = length; j-- > 0;) {
      sum = gf256_mul(sum, point) ^ gf256_spread(word[j]);
    }
    gf256_store(syndromes + i, sum);
  }
}

/* a^n of public elements. */
static uint64_t power_of(uint64_t a, uint32_t n) {
  uint64_t power = gf256_spread(1);

  for (uint32_t bit = 1 << 6; bit != 0; bit >>= 1) {
    power = gf256_mul(power, power);
    if ((n & bit) != 0) {
      power = gf256_mul(power, a);
    }
  }
  return power;
}

/* What one share of the cells is at the places of the message: the locator, its odd terms, and the
 * evaluator times z^(2 delta + 1). */
struct values {
  uint8_t locator[REED_SOLOMON_MAX_MESSAGE];
  uint8_t odd[REED_SOLOMON_MAX_MESSAGE];
  uint8_t evaluator[REED_SOLOMON_MAX_MESSAGE];
};

static void evaluate_cells(struct values *values, const struct reed_solomon *code,
                           const uint8_t *cells) {
  const uint8_t *points = gf256_position_points + 2 * (size_t)code->delta;
  const uint8_t *locator = cells + code->delta;

  for (size_t i = 0; i < code->message_bytes; i += GF256_LANES) {
    const uint64_t z = gf256_load(points + i);
    const uint64_t square = gf256_mul(z, z);
    uint64_t even = 0;
    uint64_t odd = 0;
    uint64_t value = 0;
    for (size_t j = code->delta / 2 + 1; j-- > 0;) {
      const uint8_t next = 2 * j + 1 <= code->delta ? locator[2 * j + 1] : 0;
      even = gf256_mul(even, square) ^ gf256_spread(locator[2 * j]);
      odd = gf256_mul(odd, square) ^ gf256_spread(next);
    }
    for (size_t j = code->delta; j-- > 0;) {
      value = gf256_mul(value, z) ^ gf256_spread(cells[j]);
    }
    odd = gf256_mul(odd, z);
    gf256_store(values->locator + i, even ^ odd);
    gf256_store(values->odd + i, odd);
    gf256_store(values->evaluator + i, gf256_mul(value, power_of(z, 2 * code->delta + 1)));
  }
}

/* Moves every plane of x down by one lane. */
static void shift_lanes(struct shared z, struct shared x, size_t planes, size_t lanes) {
  const size_t words = MASKED_WORDS(lanes);

  for (size_t s = 0; s < MASKED_SHARES; s++) {
    for (size_t p = 0; p < planes; p++) {
      const masked_word *in = share_of(x, s) + p * words;
      const masked_word top = masked_at_lane(1, s, MASKED_WORD_BITS - 1);
      masked_word *out = share_of(z, s) + p * words;
      for (size_t i = 0; i < words; i++) {
        const masked_word next = i + 1 < words ? masked_rotate(in[i + 1], 1) & top : 0;
        out[i] = (masked_rotate(in[i], 1) & ~top) | next;
      }
    }
  }
}

/* The memory of the key equation: elements of cells lanes, and scalars of one. */
struct cells {
  struct shared now, before, shifted, wide_gap, wide_divisor;
  struct shared gap, divisor, any, number, update;
  size_t lanes;
};

static struct cells take_cells(struct arena *arena, size_t lanes) {
  const size_t element = 8 * MASKED_WORDS(lanes);
  struct cells c;

  c.lanes = lanes;
  c.now = shared_take(arena, element);
  c.before = shared_take(arena, element);
  c.shifted = shared_take(arena, element);
  c.wide_gap = shared_take(arena, element);
  c.wide_divisor = shared_take(arena, element);
  c.gap = shared_take(arena, 8);
  c.divisor = shared_take(arena, 8);
  c.any = shared_take(arena, 8);
  c.number = shared_take(arena, NUMBER_PLANES);
  c.update = shared_take(arena, MASKED_WORDS(CELLS) + 1);
  return c;
}

/* The control number becomes -k - 1 = NOT k where update is 1, and k + 1 where it is not. */
static void step_number(struct masks *masks, struct shared number, struct shared update,
                        struct shared carry) {
  for (size_t b = 0; b < NUMBER_PLANES; b++) {
    ckem_masked_xor(shared_from(number, b), shared_from(number, b), update, 1);
  }
  ckem_masked_copy(carry, update, 1);
  ckem_masked_not(carry, 1);
  ckem_masked_refresh(masks, carry, 1, 1); /* the number holds update */
  for (size_t b = 0; b < NUMBER_PLANES; b++) {
    const struct shared bit = shared_from(number, b);
    struct shared next = shared_from(carry, 1);
    if (b + 1 < NUMBER_PLANES) {
      ckem_masked_and(masks, next, bit, carry, 1);
    }
    ckem_masked_xor(bit, bit, carry, 1);
    ckem_masked_copy(carry, next, 1);
  }
}

/* now = the evaluator in lanes 0 to delta - 1 and the locator in delta to 2 delta, both times the
 * same element; now begins with the syndromes. */
static void solve_shared_equation(struct masks *masks, const struct reed_solomon *code,
                                  const struct cells *c, struct shared work) {
  const size_t words = MASKED_WORDS(c->lanes);
  const masked_word one = 1;

  ckem_masked_copy(c->before, c->now, 8 * words);
  ckem_masked_refresh(masks, c->before, 8, c->lanes); /* both begin with the syndromes */
  ckem_masked_set(c->divisor, NULL, 8);
  ckem_masked_set(c->divisor, &one, 1);
  ckem_masked_set(c->number, NULL, NUMBER_PLANES);
  for (size_t step = 0; step < 2 * (size_t)code->delta; step++) {
    for (size_t b = 0; b < 8; b++) {
      for (size_t s = 0; s < MASKED_SHARES; s++) {
        share_of(c->gap, s)[b] = share_of(c->now, s)[b * words] & masked_at_lane(1, s, 0);
      }
      ckem_masked_spread(masks, shared_from(c->wide_gap, b * words), shared_from(c->gap, b),
                         c->lanes);
      ckem_masked_spread(masks, shared_from(c->wide_divisor, b * words), shared_from(c->divisor, b),
                         c->lanes);
    }
    shift_lanes(c->shifted, c->now, 8, c->lanes);
    ckem_masked_copy(c->any, c->gap, 8);
    ckem_masked_any(masks, c->any, 8, 1);
    ckem_masked_copy(work, shared_from(c->number, NUMBER_PLANES - 1), 1);
    ckem_masked_not(work, 1);
    ckem_masked_and(masks, c->update, c->any, work, 1);
    ckem_masked_field_mul_two(masks, c->now, c->wide_divisor, c->shifted, c->wide_gap, c->before,
                              c->lanes);
    for (size_t b = 0; b < 8; b++) {
      ckem_masked_mux(masks, shared_from(c->divisor, b), c->update, shared_from(c->gap, b),
                      shared_from(c->divisor, b), 1, 1);
    }
    step_number(masks, c->number, c->update, work);
    ckem_masked_spread(masks, shared_from(c->update, 1), c->update, c->lanes);
    ckem_masked_mux(masks, c->before, shared_from(c->update, 1), c->shifted, c->before, 8,
                    c->lanes);
  }
}

/* message = message + the errors at its places. */
static void correct_message(struct masks *masks, const struct reed_solomon *code,
                            struct shared_bytes message, struct shared cells, size_t lanes,
                            struct arena arena) {
  const size_t count = code->message_bytes;
  const size_t words = MASKED_WORDS(count);
  const struct shared locator = shared_take(&arena, 8 * words);
  const struct shared odd = shared_take(&arena, 8 * words);
  const struct shared evaluator = shared_take(&arena, 8 * words);
  const struct shared work = shared_take(&arena, 4 * 8 * words);
  struct values *values = (struct values *)(void *)arena_take(&arena, VALUES_WORDS);
  uint8_t *bytes = (uint8_t *)arena_take(&arena, BYTES_WORDS);

  for (size_t s = 0; s < MASKED_SHARES; s++) {
    const struct turn_order order = masks_turn_order(masks);
    ckem_planes_to_bytes(bytes, share_of(cells, s), s, lanes, &order);
    evaluate_cells(values, code, bytes);
    ckem_planes_from_bytes(share_of(locator, s), s, values->locator, count, &order);
    ckem_planes_from_bytes(share_of(odd, s), s, values->odd, count, &order);
    ckem_planes_from_bytes(share_of(evaluator, s), s, values->evaluator, count, &order);
    ckem_secure_wipe(values, sizeof *values); /* no share over another */
    ckem_secure_wipe(bytes, CELL_BYTES);
  }
  ckem_masked_field_invert(masks, odd, count, work);
  ckem_masked_field_mul(masks, evaluator, odd, evaluator, count);
  ckem_masked_any(masks, locator, 8, count);
  ckem_masked_not(locator, count); /* where the locator is zero, there is an error */
  for (size_t b = 0; b < 8; b++) {
    const struct shared plane = shared_from(evaluator, b * words);
    ckem_masked_and(masks, plane, locator, plane, count);
  }
  for (size_t s = 0; s < MASKED_SHARES; s++) {
    const struct turn_order order = masks_turn_order(masks);
    ckem_planes_to_bytes(bytes, share_of(evaluator, s), s, count, &order);
    for (size_t i = 0; i < count; i++) {
      share_of_bytes(message, s)[i] ^= bytes[i];
    }
    ckem_secure_wipe(bytes, CELL_BYTES);
  }
}

void ckem_masked_reed_solomon_decode(struct masks *masks, const struct reed_solomon *code,
                                     struct shared_bytes message, struct shared word,
                                     struct arena arena) {
  const size_t parity = 2 * (size_t)code->delta;
  const size_t lanes = 3 * (size_t)code->delta + 1;
  const struct cells c = take_cells(&arena, lanes);
  const struct shared work = shared_take(&arena, 2);
  uint8_t *bytes = (uint8_t *)arena_take(&arena, BYTES_WORDS);
  uint8_t *syndromes = (uint8_t *)arena_take(&arena, BYTES_WORDS);

  for (size_t s = 0; s < MASKED_SHARES; s++) {
    const struct turn_order order = masks_turn_order(masks);
    ckem_planes_to_bytes(bytes, share_of(word, s), s, code->length, &order);
    memcpy(share_of_bytes(message, s), bytes + parity, code->message_bytes);
    evaluate_syndromes(syndromes, bytes, code->length, parity);
    memset(syndromes + parity, 0, CELL_BYTES - parity);
    syndromes[lanes - 1] = s == 0; /* the locator begins as 1 */
    ckem_planes_from_bytes(share_of(c.now, s), s, syndromes, lanes, &order);
    ckem_secure_wipe(bytes, CELL_BYTES);
    ckem_secure_wipe(syndromes, CELL_BYTES);
  }
  solve_shared_equation(masks, code, &c, work);
  correct_message(masks, code, message, c.now, lanes, arena);
}
