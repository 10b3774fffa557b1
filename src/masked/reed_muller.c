/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The duplicated Reed-Muller code in shares. Lanes are symbols, so that no word is all zeros or all
 * ones because of one bit.
 *
 * Copies are counted, bits of the counts become additive shares, and the Hadamard transform is
 * linear on each of these. Back in XOR shares, a tournament finds the largest absolute value.
 */
#include "masked/codes.h"

#include <assert.h>

#include "masked/gadgets.h"

#define POSITIONS 128
#define INDEX_PLANES 7

/* (sum, carry) of three bits, one plane each. work: two planes. */
static void add_three(struct masks *masks, struct shared sum, struct shared carry, struct shared a,
                      struct shared b, struct shared c, size_t lanes, struct shared work) {
  const size_t words = MASKED_WORDS(lanes);
  const struct shared ab = shared_from(work, 0);
  const struct shared ac = shared_from(work, words);

  ckem_masked_xor(ab, a, b, words);
  ckem_masked_xor(ac, a, c, words);
  ckem_masked_and(masks, ac, ab, ac, lanes);
  ckem_masked_xor(carry, ac, a, words);
  ckem_masked_xor(sum, ab, c, words);
}

/* The number of ones among the copies of one position, which are copies planes step apart: 2 or 3
 * planes. work: 6 planes. Returns how many planes. */
static size_t count_copies(struct masks *masks, struct shared count, struct shared columns,
                           size_t step, size_t copies, size_t lanes, struct shared work) {
  const size_t words = MASKED_WORDS(lanes);
  const struct shared high = shared_from(count, words);
  const struct shared second = shared_from(work, 2 * words);
  struct shared column[5];

  for (size_t i = 0; i < copies; i++) {
    column[i] = shared_from(columns, i * step);
  }
  add_three(masks, count, high, column[0], column[1], column[2], lanes, work);
  if (copies == 3) {
    return 2;
  }
  add_three(masks, count, second, count, column[3], column[4], lanes, work);
  ckem_masked_and(masks, shared_from(count, 2 * words), high, second, lanes);
  ckem_masked_xor(high, high, second, words);
  return 3;
}

/* A candidate of the tournament: absolute value and sign, then the index. */
struct tournament {
  struct shared entries; /* one for each bit of an index, and one more */
  size_t entry_words;
  size_t planes; /* of absolute value and sign */
  size_t lanes;
};

/* Lets the entries first and first + 1 meet, where level bits of the index are known. The lower one
 * wins a tie. win: one plane. */
static void play(struct masks *masks, const struct tournament *game, size_t first, size_t level,
                 struct shared win) {
  const size_t words = MASKED_WORDS(game->lanes);
  const struct shared a = shared_from(game->entries, first * game->entry_words);
  const struct shared b = shared_from(a, game->entry_words);

  ckem_masked_less(masks, win, a, b, game->planes - 1, game->lanes);
  ckem_masked_refresh(masks, win, 1, game->lanes); /* it comes from what it chooses */
  ckem_masked_mux(masks, a, win, b, a, game->planes + level, game->lanes);
  ckem_masked_copy(shared_from(a, (game->planes + level) * words), win, words);
}

static void transform_share(masked_word *values, size_t planes, size_t words) {
  const size_t value = planes * words;

  for (size_t step = 1; step < POSITIONS; step *= 2) {
    for (size_t i = 0; i < POSITIONS; i = ((i | step) + 1) & ~step) {
      ckem_planes_butterfly(values + i * value, values + (i + step) * value, planes, words);
    }
  }
}

/* values = the additive shares of the transform of the received word, centred. */
static void transform_received(struct masks *masks, struct shared values,
                               struct shared_element received, size_t planes, size_t length,
                               size_t copies, struct arena arena) {
  const size_t words = MASKED_WORDS(length);
  const struct shared columns = shared_take(&arena, copies * 32 * words);
  const struct shared count = shared_take(&arena, 3 * words);
  const struct shared work = shared_take(&arena, 6 * words);
  const struct shared bit = shared_take(&arena, planes * words);
  const struct shared fresh = shared_take(&arena, planes * words);
  struct turn_order orders[MASKED_SHARES];

  for (size_t s = 0; s < MASKED_SHARES; s++) {
    orders[s] = masks_turn_order(masks);
  }
  for (size_t i = 0; i < POSITIONS; i++) {
    const struct shared value = shared_from(values, i * planes * words);
    for (size_t c = 0; i % 32 == 0 && c < copies; c++) {
      for (size_t s = 0; s < MASKED_SHARES; s++) {
        ckem_planes_from_columns(share_of(columns, s) + c * 32 * words, s,
                                 share_of_element(received, s) + REED_MULLER_WORDS * c + i / 64,
                                 REED_MULLER_WORDS * copies, i % 64 != 0, length, orders + s);
      }
    }
    const size_t bits = count_copies(masks, count, shared_from(columns, i % 32 * words), 32 * words,
                                     copies, length, work);
    ckem_masked_bit_to_sum(masks, value, count, planes, length, fresh.at);
    for (size_t b = 1; b < bits; b++) {
      ckem_masked_bit_to_sum(masks, bit, shared_from(count, b * words), planes - b, length,
                             fresh.at);
      for (size_t s = 0; s < MASKED_SHARES; s++) {
        ckem_planes_add(share_of(value, s) + b * words, share_of(bit, s), planes - b, words);
      }
    }
  }
  for (size_t s = 0; s < MASKED_SHARES; s++) {
    transform_share(share_of(values, s), planes, words);
  }
  /* Counts of 0 and 1 instead of +1 and -1 shift the first value alone. */
  for (size_t i = 0; i < words; i++) {
    for (size_t b = 0; b < planes; b++) {
      const bool is_one = (64 * copies >> b & 1) != 0;
      fresh.at[b * words + i] = is_one ? masked_ones(masked_lanes_of(length, i)) : 0;
    }
  }
  ckem_planes_subtract(values.at, fresh.at, planes, words);
}

void ckem_masked_reed_muller_decode(struct masks *masks, struct shared symbols,
                                    struct shared_element received, size_t length, size_t copies,
                                    struct arena arena) {
  const size_t words = MASKED_WORDS(length);
  const size_t planes = MASKED_SUM_PLANES(copies);
  const struct shared values = shared_take(&arena, POSITIONS * planes * words);

  transform_received(masks, values, received, planes, length, copies, arena);

  struct tournament game = {.planes = planes, .lanes = length};
  game.entry_words = (planes + INDEX_PLANES) * words;
  game.entries = shared_take(&arena, (INDEX_PLANES + 1) * game.entry_words);
  const struct shared work = shared_take(&arena, planes * words);
  for (size_t i = 0, held = 0; i < POSITIONS; i++) {
    const struct shared entry = shared_from(game.entries, held * game.entry_words);
    ckem_masked_sum_to_bits(masks, entry, shared_from(values, i * planes * words), planes, length,
                            work);
    ckem_masked_absolute(masks, entry, planes, length);
    held += 1;
    for (size_t level = 0; (i >> level & 1) != 0; level++) {
      held -= 1;
      play(masks, &game, held - 1, level, work);
    }
  }
  const struct shared sign = shared_from(game.entries, (planes - 1) * words);
  ckem_masked_copy(symbols, shared_from(sign, words), INDEX_PLANES * words);
  /* The highest bit: the value is positive, neither negative nor zero. */
  ckem_masked_any(masks, game.entries, planes - 1, length);
  ckem_masked_not(sign, length);
  ckem_masked_and(masks, shared_from(symbols, INDEX_PLANES * words), sign, game.entries, length);
}

void ckem_masked_reed_muller_add(struct masks *masks, struct shared_element out,
                                 struct shared symbols, size_t length, size_t copies) {
  const size_t words = MASKED_WORDS(length);
  masked_word planes[32 * MASKED_WORDS(REED_SOLOMON_MAX_LENGTH)];

  /* Bit j of the code word of m is m_7 + the sum of m_i j_i. */
  for (size_t s = 0; s < MASKED_SHARES; s++) {
    const masked_word *m = share_of(symbols, s);
    const struct turn_order order = masks_turn_order(masks);
    for (size_t quarter = 0; quarter < 4; quarter++) {
      for (size_t k = 0; k < words; k++) {
        const masked_word fifth = (quarter & 1) != 0 ? m[5 * words + k] : 0;
        const masked_word sixth = (quarter & 2) != 0 ? m[6 * words + k] : 0;
        planes[k] = m[7 * words + k] ^ fifth ^ sixth;
        for (size_t i = 0; i < 5; i++) {
          for (size_t j = 0; j < (size_t)1 << i; j++) {
            planes[(((size_t)1 << i) + j) * words + k] = planes[j * words + k] ^ m[i * words + k];
          }
        }
      }
      for (size_t c = 0; c < copies; c++) {
        ckem_planes_add_to_columns(share_of_element(out, s) + REED_MULLER_WORDS * c + quarter / 2,
                                   REED_MULLER_WORDS * copies, quarter % 2 != 0, planes, s, length,
                                   &order);
      }
    }
  }
}
