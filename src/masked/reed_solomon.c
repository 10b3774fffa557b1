/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The Reed-Solomon code in shares. Berlekamp's algorithm without inverses has a fixed number of
 * steps on 3 delta + 1 cells, which are lanes [SS01]. Locator, its odd part and the evaluator are
 * evaluated at every place of the message, at public points, and one inversion serves all places.
 *
 * Syndromes, these values and parity are sums over lanes, each times a public element. All lanes
 * are multiplied at once, and the bits of 32 words added up at once: no word is that of one symbol
 * or cell, which a single trace would show. Sums are made in a random order, or their words would
 * be equations for the symbols.
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
                  REED_SOLOMON_MAX_MESSAGE <= SUMS && VALUE_KINDS <= 8 &&
                  2 * REED_SOLOMON_MAX_DELTA < 1 << (NUMBER_PLANES - 1),
              "memory of the decoder");

/* --- Lanes of one share, and public ones, which are not turned -------------------------------- */

/* Turns 8 x 8 bits: bit b of byte i becomes bit i of byte b. */
static uint64_t turn_eight(uint64_t x) {
  uint64_t change = (x ^ x >> 7) & UINT64_C(0x00AA00AA00AA00AA);

  x ^= change ^ change << 7;
  change = (x ^ x >> 14) & UINT64_C(0x0000CCCC0000CCCC);
  x ^= change ^ change << 14;
  change = (x ^ x >> 28) & UINT64_C(0x00000000F0F0F0F0);
  return x ^ change ^ change << 28;
}

/* Lane i of planes[8 * words] = elements[i]; behind these are zeros. */
static void set_public_lanes(masked_word *planes, const uint8_t elements[MOST_LANES],
                             size_t lanes) {
  const size_t words = MASKED_WORDS(lanes);

  memset(planes, 0, 8 * words * sizeof *planes);
  for (size_t i = 0; i < lanes; i += 8) {
    const uint64_t turned = turn_eight(gf256_load(elements + i));
    masked_word *word = planes + i / MASKED_WORD_BITS;
    UNROLL
    for (size_t b = 0; b < 8; b++) {
      word[b * words] |= (masked_word)(turned >> 8 * b & 0xFF) << i % MASKED_WORD_BITS;
    }
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

/* What is summed up: in lane i the term alpha^(e exponents[i]) x, for public e. It counts for kind
 * k where bit k of kinds[i] is 1. */
struct terms {
  size_t lanes;
  uint8_t exponents[MOST_LANES];
  uint8_t kinds[MOST_LANES];
};

/* alpha^0 to alpha^255. */
static void set_powers(uint8_t powers[256]) {
  uint64_t power = 1;

  for (size_t i = 0; i < 256; i++) {
    powers[i] = (uint8_t)power;
    power = gf256_times_x(power);
  }
}

/* What works on one share: memory of sums for VALUE_KINDS times 8 planes, zeros, and an order in
 * which bits are turned. */
struct summing {
  struct masks *masks;
  uint32_t *sums;
  struct turn_order turns;
  size_t share;
};

static struct summing begin_sums(struct masks *masks, size_t share, struct arena *arena) {
  struct summing s = {masks, NULL, masks_turn_order(masks), share};

  s.sums = (uint32_t *)(void *)arena_take(arena, VALUE_KINDS * SUMS_WORDS);
  memset(s.sums, 0, VALUE_KINDS * SUMS_WORDS * sizeof(uint64_t));
  return s;
}

/* out[order[n]] = the sum for n, of count, of 8 planes, which become zeros. */
static void end_sums(const struct summing *s, uint8_t *out, uint32_t *sums, const uint16_t *order,
                     size_t count) {
  masked_word planes[8];
  uint8_t mixed[SUMS];

  for (size_t b = 0; b < 8; b++) {
    planes[b] = add_up(sums + SUMS * b, s->share);
  }
  ckem_planes_to_bytes(mixed, planes, s->share, count, &s->turns);
  for (size_t n = 0; n < count; n++) {
    out[order[n]] = mixed[n];
  }
  ckem_secure_wipe(sums, SUMS_WORDS * sizeof(uint64_t)); /* no share over another */
  ckem_secure_wipe(planes, sizeof planes);
  ckem_secure_wipe(mixed, sizeof mixed);
}

/* out[SUMS * kind + i] = the sum of the terms of x for e = first + i step, for i below count, in a
 * random order. */
static void sum_terms(const struct summing *s, uint8_t *out, const struct terms *terms,
                      const masked_word *x, uint32_t first, uint32_t step, size_t count,
                      size_t kinds) {
  const size_t words = MASKED_WORDS(terms->lanes);
  masked_word which[8 * MASKED_WORDS(MOST_LANES)];
  masked_word factors[8 * MASKED_WORDS(MOST_LANES)];
  masked_word scaled[8 * MASKED_WORDS(MOST_LANES)];
  uint8_t elements[MOST_LANES] = {0};
  uint8_t powers[256];
  uint16_t order[SUMS];

  set_powers(powers);
  set_public_lanes(which, terms->kinds, terms->lanes);
  ckem_masks_order(s->masks, order, count);
  for (size_t n = 0; n < count; n++) {
    const uint32_t e = first + step * order[n];
    for (size_t i = 0; i < terms->lanes; i++) { /* 2^8 = 1 modulo 255, the order of alpha */
      uint32_t exponent = e * terms->exponents[i];
      exponent = (exponent & 255) + (exponent >> 8);
      elements[i] = powers[(exponent & 255) + (exponent >> 8)];
    }
    set_public_lanes(factors, elements, terms->lanes);
    scale_lanes(scaled, x, s->share, factors, words);
    for (size_t k = 0; k < 8 * kinds; k++) {
      const masked_word *of_kind = which + k / 8 * words;
      s->sums[SUMS * k + n] = bits_of_sum(scaled + k % 8 * words, s->share, of_kind, words);
    }
  }
  for (size_t kind = 0; kind < kinds; kind++) {
    end_sums(s, out + SUMS * kind, s->sums + 8 * SUMS * kind, order, count);
  }
  ckem_secure_wipe(scaled, sizeof scaled);
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

/* now = the syndromes r(alpha^i), and 1 in the last lane, with which the locator begins. */
static void compute_shared_syndromes(struct masks *masks, struct shared now, size_t lanes,
                                     const struct reed_solomon *code, struct shared word,
                                     struct arena arena) {
  const size_t parity = 2 * (size_t)code->delta;
  struct terms terms = {.lanes = code->length};

  for (size_t j = 0; j < code->length; j++) {
    terms.exponents[j] = (uint8_t)j;
    terms.kinds[j] = 1;
  }
  for (size_t s = 0; s < MASKED_SHARES; s++) {
    struct arena rest = arena;
    const struct summing summing = begin_sums(masks, s, &rest);
    uint8_t syndromes[MOST_LANES] = {0};
    for (size_t first = 0; first < parity; first += SUMS) {
      const size_t count = parity - first < SUMS ? parity - first : SUMS;
      sum_terms(&summing, syndromes + first, &terms, share_of(word, s), 1 + (uint32_t)first, 1,
                count, 1);
    }
    syndromes[lanes - 1] = s == 0;
    ckem_planes_from_bytes(share_of(now, s), s, syndromes, lanes, &summing.turns);
    ckem_secure_wipe(syndromes, sizeof syndromes);
  }
}

/* values = what the cells are at the places of the message, a lane each: the locator, its odd
 * terms, and the evaluator times z^(2 delta + 1). */
static void evaluate_cells(struct masks *masks, const struct shared values[VALUE_KINDS],
                           const struct reed_solomon *code, struct shared cells, size_t lanes,
                           struct arena arena) {
  const size_t delta = code->delta;
  struct terms terms = {.lanes = lanes};

  for (size_t n = 0; n <= delta; n++) {
    terms.exponents[delta + n] = (uint8_t)n;
    terms.kinds[delta + n] = n % 2 != 0 ? 3 : 1;
  }
  for (size_t n = 0; n < delta; n++) {
    terms.exponents[n] = (uint8_t)(2 * delta + 1 + n);
    terms.kinds[n] = 4;
  }
  for (size_t s = 0; s < MASKED_SHARES; s++) {
    struct arena rest = arena;
    const struct summing summing = begin_sums(masks, s, &rest);
    uint8_t found[VALUE_KINDS * SUMS];
    /* Place i of the message is 2 delta + i of the word, and z = alpha^-(2 delta + i). */
    sum_terms(&summing, found, &terms, share_of(cells, s), 255 - 2 * code->delta, UINT32_MAX,
              code->message_bytes, VALUE_KINDS);
    for (size_t kind = 0; kind < VALUE_KINDS; kind++) {
      ckem_planes_from_bytes(share_of(values[kind], s), s, found + SUMS * kind, code->message_bytes,
                             &summing.turns);
    }
    ckem_secure_wipe(found, sizeof found);
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

  evaluate_cells(masks, (const struct shared[VALUE_KINDS]){locator, odd, evaluator}, code, cells,
                 lanes, arena);
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
    uint8_t received[MOST_LANES];
    uint8_t errors[REED_SOLOMON_MAX_MESSAGE];
    ckem_planes_to_bytes(received, share_of(word, s), s, code->length, &order);
    ckem_planes_to_bytes(errors, share_of(evaluator, s), s, count, &order);
    for (size_t k = 0; k < 32; k++) {
      const size_t i = turn_order_row(&order, k);
      if (i < count) {
        share_of_bytes(message, s)[i] = received[2 * (size_t)code->delta + i] ^ errors[i];
      }
    }
    ckem_secure_wipe(received, sizeof received); /* no share over another */
    ckem_secure_wipe(errors, sizeof errors);
  }
}

void ckem_masked_reed_solomon_decode(struct masks *masks, const struct reed_solomon *code,
                                     struct shared_bytes message, struct shared word,
                                     struct arena arena) {
  const size_t lanes = 3 * (size_t)code->delta + 1;
  const struct cells c = take_cells(&arena, lanes);
  const struct shared work = shared_take(&arena, 2);

  compute_shared_syndromes(masks, c.now, lanes, code, word, arena);
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

/* parity[count] = that of places first on of a share of a message in lanes, in a random order. */
static void sum_columns(const struct summing *s, uint8_t *parity, uint8_t (*rows)[ROW_BYTES],
                        const masked_word x[8], size_t lanes, size_t first, size_t count) {
  const masked_word all = masked_ones(lanes);
  masked_word factors[8 * MASKED_WORDS(MOST_LANES)];
  masked_word scaled[8];
  uint8_t column[MOST_LANES] = {0};
  uint16_t order[SUMS];

  ckem_masks_order(s->masks, order, count);
  for (size_t n = 0; n < count; n++) {
    for (size_t i = 0; i < lanes; i++) {
      column[i] = rows[i][first + order[n]];
    }
    set_public_lanes(factors, column, lanes);
    scale_lanes(scaled, x, s->share, factors, 1);
    for (size_t b = 0; b < 8; b++) {
      s->sums[SUMS * b + n] = bits_of_sum(scaled + b, s->share, &all, 1);
    }
  }
  end_sums(s, parity, s->sums, order, count);
  ckem_secure_wipe(scaled, sizeof scaled);
}

void ckem_masked_reed_solomon_encode(struct masks *masks, const struct reed_solomon *code,
                                     struct shared symbols, struct shared_bytes message,
                                     struct arena arena) {
  const size_t parity = 2 * (size_t)code->delta;
  const size_t lanes = code->message_bytes; /* at most as many as a word has */
  uint8_t (*rows)[ROW_BYTES] = (uint8_t (*)[ROW_BYTES])(void *)arena_take(
      &arena, ARENA_BYTES_TO_WORDS(REED_SOLOMON_MAX_MESSAGE * ROW_BYTES));

  set_parity_rows(rows, code);
  for (size_t s = 0; s < MASKED_SHARES; s++) {
    struct arena rest = arena;
    const struct summing summing = begin_sums(masks, s, &rest);
    const uint8_t *share = share_of_bytes(message, s);
    uint8_t word[MOST_LANES];
    masked_word x[8];
    ckem_planes_from_bytes(x, s, share, lanes, &summing.turns);
    for (size_t first = 0; first < parity; first += SUMS) {
      const size_t count = parity - first < SUMS ? parity - first : SUMS;
      sum_columns(&summing, word + first, rows, x, lanes, first, count);
    }
    for (size_t k = 0; k < 32; k++) {
      const size_t i = turn_order_row(&summing.turns, k);
      if (i < lanes) {
        word[parity + i] = share[i];
      }
    }
    ckem_planes_from_bytes(share_of(symbols, s), s, word, code->length, &summing.turns);
    ckem_secure_wipe(word, sizeof word); /* no share over another */
    ckem_secure_wipe(x, sizeof x);
  }
}
