/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The Reed-Solomon code in shares. Berlekamp's algorithm without inverses has a fixed number of
 * steps on 3 delta + 1 cells, which are lanes [SS01]. Locator, its odd part and the evaluator are
 * evaluated at every place of the message, at public points, and one inversion serves all places.
 *
 * Syndromes, these values and parity are sums over lanes, each times a public element. All lanes
 * are multiplied at once, and the bits of 32 words added up at once: no word is that of one symbol
 * or cell, which a single trace would show.
 */
#include <assert.h>

#include "base/unroll.h"
#include "base/wipe.h"
#include "hqc/gf256.h"
#include "hqc/gf256_tables.h"
#include "masked/codes.h"
#include "masked/field.h"
#include "masked/gadgets.h"

#define CELLS (3 * REED_SOLOMON_MAX_DELTA + 1)
#define MOST_LANES 96 /* cells or symbols */
#define NUMBER_PLANES 8 /* of the control number, which is between -2 delta - 1 and 2 delta */
#define SUMS 32 /* over lanes, that are added up at once */

#define SUMS_WORDS ARENA_BYTES_TO_WORDS(8 * SUMS * sizeof(uint32_t)) /* of 8 planes */
#define VALUE_KINDS 3 /* locator, odd part, evaluator */

static_assert(CELLS <= MOST_LANES && REED_SOLOMON_MAX_LENGTH <= MOST_LANES &&
                  REED_SOLOMON_MAX_MESSAGE <= SUMS &&
                  2 * REED_SOLOMON_MAX_DELTA < 1 << (NUMBER_PLANES - 1),
              "memory of the decoder");

/* --- Lanes of one share, and public ones, which are not turned -------------------------------- */

/* Lane i of planes[8 * words] = elements[i]. */
static void set_public_lanes(masked_word *planes, const uint8_t *elements, size_t lanes) {
  const size_t words = MASKED_WORDS(lanes);

  memset(planes, 0, 8 * words * sizeof *planes);
  for (size_t i = 0; i < lanes; i++) {
    masked_word *word = planes + i / MASKED_WORD_BITS;
    UNROLL
    for (size_t b = 0; b < 8; b++) {
      word[b * words] |= (masked_word)(elements[i] >> b & 1) << i % MASKED_WORD_BITS;
    }
  }
}

/* Lanes first to first + count - 1 of a plane become lanes 0 to count - 1, at most 32. */
static masked_word get_lanes(const masked_word *plane, size_t share, size_t first, size_t count) {
  const size_t word = first / MASKED_WORD_BITS;
  const unsigned by = first % MASKED_WORD_BITS;
  const size_t here = count < MASKED_WORD_BITS - by ? count : MASKED_WORD_BITS - by;
  masked_word out = masked_rotate(plane[word], by) & masked_turn(masked_ones(here), 0, share);

  if (here < count) {
    const masked_word others = masked_ones(count) ^ masked_ones(here);
    out |= masked_rotate(plane[word + 1], by) & masked_turn(others, 0, share);
  }
  return out;
}

/* And back, into lanes that are zero. */
static void put_lanes(masked_word *plane, size_t share, size_t first, size_t count, masked_word x) {
  const size_t word = first / MASKED_WORD_BITS;
  const unsigned by = first % MASKED_WORD_BITS;
  const size_t here = count < MASKED_WORD_BITS - by ? count : MASKED_WORD_BITS - by;
  const masked_word moved = masked_rotate(x, 0 - by);

  plane[word] |= moved & masked_turn(masked_ones(here) << by, 0, share);
  if (here < count) {
    plane[word + 1] |= moved & masked_turn(masked_ones(count - here), 0, share);
  }
}

/* out = x times public factors, lane by lane, in 8 planes; out may be x. */
static void scale_lanes(masked_word *out, const masked_word *x, size_t share,
                        const masked_word *factors, size_t words) {
  for (size_t i = 0; i < words; i++) {
    masked_word factor[8];
    masked_word sum[8];
    UNROLL
    for (size_t b = 0; b < 8; b++) {
      factor[b] = masked_turn(factors[b * words + i], 0, share);
      sum[b] = 0;
    }
    UNROLL
    for (size_t c = 0; c < 8; c++) {
      const masked_word bit = x[c * words + i];
      const masked_word top = factor[7];
      UNROLL
      for (size_t b = 0; b < 8; b++) {
        sum[b] ^= bit & factor[b];
      }
      UNROLL
      for (size_t b = 7; b > 0; b--) { /* times x */
        factor[b] = factor[b - 1] ^ ((GF256_FOLD >> b & 1) != 0 ? top : 0);
      }
      factor[0] = top;
    }
    UNROLL
    for (size_t b = 0; b < 8; b++) {
      out[b * words + i] = masked_hide(sum[b]);
    }
  }
}

/* 32 bits that add up to the sum of a plane in the lanes of a public one. */
static uint32_t bits_of_sum(const masked_word *plane, size_t share, const masked_word *which,
                            size_t words) {
  masked_word sum = 0;

  for (size_t i = 0; i < words; i++) {
    sum ^= plane[i] & masked_turn(which[i], 0, share);
  }
#if MASKED_WORD_BITS == 64
  sum ^= sum >> 32;
#endif
  return (uint32_t)sum;
}

/* Lane i = the sum of the bits of a[i]; a is lost. */
static masked_word add_up(uint32_t a[SUMS], size_t share) {
  uint32_t mask = 0x0000FFFF;

  for (size_t step = SUMS / 2; step > 0; step >>= 1, mask ^= mask << step) {
    for (size_t k = 0; k < step; k++) {
      const uint32_t low = a[k] ^ a[k] >> step;
      const uint32_t high = a[k + step] ^ a[k + step] << step;
      a[k] = (low & mask) | (high & ~mask);
    }
  }
  return masked_turn(a[0], 0, share);
}

/* Adds up sums of 8 planes, which are lost, for lanes first to first + count - 1 of x, which has so
 * many words in a plane. */
static void put_sums(masked_word *x, size_t share, size_t words, size_t first, size_t count,
                     uint32_t *sums) {
  for (size_t b = 0; b < 8; b++) {
    put_lanes(x + b * words, share, first, count, add_up(sums + SUMS * b, share));
  }
  ckem_secure_wipe(sums, SUMS_WORDS * sizeof(uint64_t)); /* no share over another */
}

/* --- The key equation ------------------------------------------------------------------------- */

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

/* --- Decoding --------------------------------------------------------------------------------- */

/* Lanes first to first + 31 of syndromes = r(alpha^(i + 1)) of one share, as far as there are so
 * many: x, which is r times the powers of alpha^first, is multiplied by the next ones. */
static void add_syndromes(struct shared syndromes, size_t lanes, size_t share,
                          const struct reed_solomon *code, size_t first, masked_word *x,
                          const masked_word *powers, uint32_t *sums) {
  const size_t words = MASKED_WORDS(code->length);
  const size_t left = 2 * (size_t)code->delta - first;
  const size_t count = left < SUMS ? left : SUMS;
  masked_word all[MASKED_WORDS(MOST_LANES)];

  for (size_t i = 0; i < words; i++) {
    all[i] = masked_ones(masked_lanes_of(code->length, i));
  }
  for (size_t i = 0; i < count; i++) {
    scale_lanes(x, x, share, powers, words);
    for (size_t b = 0; b < 8; b++) {
      sums[SUMS * b + i] = bits_of_sum(x + b * words, share, all, words);
    }
  }
  put_sums(share_of(syndromes, share), share, MASKED_WORDS(lanes), first, count, sums);
}

/* now = the syndromes, and 1 in the last lane, with which the locator begins. */
static void compute_shared_syndromes(struct shared now, size_t lanes,
                                     const struct reed_solomon *code, struct shared word,
                                     struct arena arena) {
  const size_t words = MASKED_WORDS(code->length);
  masked_word *x =
      (masked_word *)(void *)arena_take(&arena, ARENA_BYTES_TO_WORDS(8 * words * sizeof *x));
  uint32_t *sums = (uint32_t *)(void *)arena_take(&arena, SUMS_WORDS);
  masked_word powers[8 * MASKED_WORDS(MOST_LANES)];
  uint8_t elements[MOST_LANES];
  uint8_t power = 1;

  for (size_t j = 0; j < code->length; j++) {
    elements[j] = power; /* alpha^j */
    power = (uint8_t)gf256_times_x(power);
  }
  set_public_lanes(powers, elements, code->length);
  ckem_masked_set(now, NULL, 8 * MASKED_WORDS(lanes));
  for (size_t s = 0; s < MASKED_SHARES; s++) {
    memcpy(x, share_of(word, s), 8 * words * sizeof *x);
    memset(sums, 0, SUMS_WORDS * sizeof(uint64_t));
    for (size_t first = 0; first < 2 * (size_t)code->delta; first += SUMS) {
      add_syndromes(now, lanes, s, code, first, x, powers, sums);
    }
    ckem_secure_wipe(x, 8 * words * sizeof *x);
  }
  put_lanes(now.at, 0, lanes - 1, 1, 1);
}

/* The public factors of cells for z at places of the message: of each cell the power of z with
 * which it counts, z^n for term n of the locator and z^(2 delta + 1 + n) for that of the evaluator.
 * First those for the point before the first place, then the quotient of two points. And which
 * cells belong to a value: to the locator, to its odd terms, to the evaluator. */
struct factors {
  masked_word before[8 * MASKED_WORDS(CELLS)];
  masked_word next[8 * MASKED_WORDS(CELLS)];
  masked_word which[VALUE_KINDS][MASKED_WORDS(CELLS)];
};

static void set_factors(struct factors *factors, const struct reed_solomon *code, size_t lanes) {
  const size_t delta = code->delta;
  const uint64_t point = gf256_spread(gf256_position_points[2 * delta - 1]);
  uint64_t power = gf256_spread(1);
  uint8_t before[CELLS] = {0};
  uint8_t next[CELLS] = {0};

  memset(factors->which, 0, sizeof factors->which);
  for (size_t n = 0; n <= 3 * delta; n++, power = gf256_mul(power, point)) {
    if (n > delta && n <= 2 * delta) {
      continue;
    }
    const size_t cell = n <= delta ? delta + n : n - 2 * delta - 1;
    const masked_word bit = (masked_word)1 << cell % MASKED_WORD_BITS;
    before[cell] = gf256_first(power);
    next[cell] = gf256_position_points[n];
    factors->which[n <= delta ? 0 : 2][cell / MASKED_WORD_BITS] |= bit;
    if (n <= delta && n % 2 != 0) {
      factors->which[1][cell / MASKED_WORD_BITS] |= bit;
    }
  }
  set_public_lanes(factors->before, before, lanes);
  set_public_lanes(factors->next, next, lanes);
}

/* values[kind] = what the cells are at the places of the message, a lane each. Cells are lost. */
static void evaluate_cells(const struct shared values[VALUE_KINDS], const struct reed_solomon *code,
                           struct shared cells, size_t lanes, struct arena arena) {
  const size_t words = MASKED_WORDS(lanes);
  uint32_t *sums = (uint32_t *)(void *)arena_take(&arena, VALUE_KINDS * SUMS_WORDS);
  struct factors factors;

  set_factors(&factors, code, lanes);
  for (size_t s = 0; s < MASKED_SHARES; s++) {
    masked_word *x = share_of(cells, s);
    memset(sums, 0, VALUE_KINDS * SUMS_WORDS * sizeof(uint64_t));
    scale_lanes(x, x, s, factors.before, words);
    for (size_t i = 0; i < code->message_bytes; i++) {
      scale_lanes(x, x, s, factors.next, words);
      for (size_t k = 0; k < 8 * VALUE_KINDS; k++) {
        sums[SUMS * k + i] = bits_of_sum(x + k % 8 * words, s, factors.which[k / 8], words);
      }
    }
    for (size_t k = 0; k < 8 * VALUE_KINDS; k++) {
      share_of(values[k / 8], s)[k % 8] = add_up(sums + SUMS * k, s);
    }
    ckem_secure_wipe(sums, VALUE_KINDS * SUMS_WORDS * sizeof(uint64_t));
  }
}

/* message = that of the word + the errors at its places. */
static void correct_message(struct masks *masks, const struct reed_solomon *code,
                            struct shared_bytes message, struct shared word, struct shared cells,
                            size_t lanes, struct arena arena) {
  const size_t count = code->message_bytes; /* at most as many as a word has lanes */
  const struct shared locator = shared_take(&arena, 8);
  const struct shared odd = shared_take(&arena, 8);
  const struct shared evaluator = shared_take(&arena, 8);
  const struct shared work = shared_take(&arena, 4 * 8);

  evaluate_cells((const struct shared[VALUE_KINDS]){locator, odd, evaluator}, code, cells, lanes,
                 arena);
  ckem_masked_field_invert(masks, odd, count, work);
  ckem_masked_field_mul(masks, evaluator, odd, evaluator, count);
  ckem_masked_any(masks, locator, 8, count);
  ckem_masked_not(locator, count); /* where the locator is zero, there is an error */
  for (size_t b = 0; b < 8; b++) {
    const struct shared plane = shared_from(evaluator, b);
    ckem_masked_and(masks, plane, locator, plane, count);
  }
  for (size_t s = 0; s < MASKED_SHARES; s++) {
    const struct turn_order order = masks_turn_order(masks);
    for (size_t b = 0; b < 8; b++) {
      const masked_word *plane = share_of(word, s) + b * MASKED_WORDS(code->length);
      share_of(evaluator, s)[b] ^= get_lanes(plane, s, 2 * (size_t)code->delta, count);
    }
    ckem_planes_to_bytes(share_of_bytes(message, s), share_of(evaluator, s), s, count, &order);
  }
}

void ckem_masked_reed_solomon_decode(struct masks *masks, const struct reed_solomon *code,
                                     struct shared_bytes message, struct shared word,
                                     struct arena arena) {
  const size_t lanes = 3 * (size_t)code->delta + 1;
  const struct cells c = take_cells(&arena, lanes);
  const struct shared work = shared_take(&arena, 2);

  compute_shared_syndromes(c.now, lanes, code, word, arena);
  solve_shared_equation(masks, code, &c, work);
  correct_message(masks, code, message, word, c.now, lanes, arena);
}

/* --- Encoding --------------------------------------------------------------------------------- */

#define ROW_BYTES REED_SOLOMON_MAX_PARITY

/* Row i = x^(2 delta + i) modulo the generator polynomial: the parity of place i of a message. */
static void set_parity_rows(uint8_t (*rows)[ROW_BYTES], const struct reed_solomon *code) {
  const size_t top = 2 * (size_t)code->delta - 1;

  memcpy(rows[0], code->generator, ROW_BYTES);
  for (size_t i = 1; i < code->message_bytes; i++) {
    const uint64_t last = gf256_spread(rows[i - 1][top]);
    memset(rows[i], 0, ROW_BYTES);
    memcpy(rows[i] + 1, rows[i - 1], top);
    for (size_t j = 0; j <= top; j += GF256_LANES) {
      const uint64_t more = gf256_mul(gf256_load(code->generator + j), last);
      gf256_store(rows[i] + j, gf256_load(rows[i] + j) ^ more);
    }
  }
}

void ckem_masked_reed_solomon_encode(struct masks *masks, const struct reed_solomon *code,
                                     struct shared symbols, struct shared_bytes message,
                                     struct arena arena) {
  const size_t words = MASKED_WORDS(code->length);
  const size_t parity = 2 * (size_t)code->delta;
  const size_t count = code->message_bytes; /* at most as many as a word has lanes */
  uint32_t *sums = (uint32_t *)(void *)arena_take(&arena, SUMS_WORDS);
  uint8_t (*rows)[ROW_BYTES] = (uint8_t (*)[ROW_BYTES])(void *)arena_take(
      &arena, ARENA_BYTES_TO_WORDS(REED_SOLOMON_MAX_MESSAGE * ROW_BYTES));
  const masked_word all = masked_ones(count);

  set_parity_rows(rows, code);
  ckem_masked_set(symbols, NULL, 8 * words);
  for (size_t s = 0; s < MASKED_SHARES; s++) {
    const struct turn_order order = masks_turn_order(masks);
    masked_word x[8];
    masked_word scaled[8];
    ckem_planes_from_bytes(x, s, share_of_bytes(message, s), count, &order);
    for (size_t b = 0; b < 8; b++) {
      put_lanes(share_of(symbols, s) + b * words, s, parity, count, x[b]);
    }
    memset(sums, 0, SUMS_WORDS * sizeof(uint64_t));
    for (size_t j = 0; j < parity; j++) {
      masked_word factors[8] = {0};
      uint8_t column[REED_SOLOMON_MAX_MESSAGE];
      for (size_t i = 0; i < count; i++) {
        column[i] = rows[i][j];
      }
      set_public_lanes(factors, column, count);
      scale_lanes(scaled, x, s, factors, 1);
      for (size_t b = 0; b < 8; b++) {
        sums[SUMS * b + j % SUMS] = bits_of_sum(scaled + b, s, &all, 1);
      }
      if (j % SUMS == SUMS - 1 || j + 1 == parity) {
        put_sums(share_of(symbols, s), s, words, j / SUMS * SUMS, j % SUMS + 1, sums);
      }
    }
    ckem_secure_wipe(x, sizeof x);
    ckem_secure_wipe(scaled, sizeof scaled);
  }
}
