/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Positions of ones in shares: drawing them, and placing them. */
#include "masked/positions.h"

#include "base/bytes.h"
#include "base/ct.h"
#include "base/unroll.h"
#include "base/wipe.h"
#include "masked/gadgets.h"

#define RANDOM_PLANES 32   /* of what a position is drawn from */
#define CANDIDATE_PLANES 24
#define MOST_ROUNDS 100    /* as in hqc/sampling.c: no good stream needs as many */

/* The plane whose lane i is bit b of number(i), for public numbers first, first + step, ... */
static void public_plane(masked_word *plane, uint32_t first, uint32_t step, size_t b,
                         size_t lanes) {
  memset(plane, 0, MASKED_WORDS(lanes) * sizeof *plane);
  for (size_t i = 0; i < lanes; i++) {
    const uint32_t number = first + step * (uint32_t)i;
    plane[i / MASKED_WORD_BITS] |= (masked_word)(number >> b & 1) << i % MASKED_WORD_BITS;
  }
}

/* out = x AND a public plane, for each of planes. */
static void and_public(struct shared out, struct shared x, const masked_word *plane, size_t planes,
                       size_t words) {
  for (size_t s = 0; s < MASKED_SHARES; s++) {
    for (size_t b = 0; b < planes; b++) {
      for (size_t i = 0; i < words; i++) {
        share_of(out, s)[b * words + i] =
            share_of(x, s)[b * words + i] & masked_turn(plane[i], 0, s);
      }
    }
  }
}

/* x = x + number i in lane i, where the numbers are public: first + step i. carry and work: a plane
 * each. */
static void add_public_numbers(struct masks *masks, struct shared x, uint32_t first, uint32_t step,
                               size_t planes, size_t lanes, struct shared carry,
                               struct shared work) {
  const size_t words = MASKED_WORDS(lanes);
  masked_word plane[MASKED_WORDS(HQC_MAX_WEIGHT)];

  ckem_masked_set(carry, NULL, words);
  for (size_t b = 0; b < planes; b++) {
    const struct shared bit = shared_from(x, b * words);
    public_plane(plane, first, step, b, lanes);
    if (b == 0) {
      and_public(carry, bit, plane, 1, words);
    } else { /* where the number has a 1: bit OR carry; where it has a 0: bit AND carry */
      ckem_masked_and(masks, work, bit, carry, lanes);
      for (size_t s = 0; s < MASKED_SHARES; s++) {
        for (size_t i = 0; i < words; i++) {
          const masked_word old = share_of(carry, s)[i];
          const masked_word here = share_of(bit, s)[i];
          share_of(carry, s)[i] =
              share_of(work, s)[i] ^ ((here ^ old) & masked_turn(plane[i], 0, s));
          share_of(bit, s)[i] = here ^ old;
        }
      }
    }
    for (size_t i = 0; i < words; i++) {
      bit.at[i] ^= plane[i];
    }
  }
}

/* Whether a number is among the first lanes of x, at least one: in lane 0 of same, whose planes
 * planes are memory. The bits of the number are in lanes. */
static void find_among(struct masks *masks, struct shared same, struct shared x, size_t x_words,
                       const masked_word number[MASKED_SHARES], size_t planes, size_t lanes) {
  const size_t words = MASKED_WORDS(lanes);
  masked_word ones[MASKED_WORDS(HQC_MAX_WEIGHT)];

  for (size_t s = 0; s < MASKED_SHARES; s++) {
    const masked_word zero = s == 0 ? ~MASKED_ALTERNATE_ZERO : MASKED_ALTERNATE_ZERO;
    for (size_t i = 0; i < words; i++) {
      ones[i] = masked_turn(masked_ones(masked_lanes_of(lanes, i)), 0, s);
    }
    for (size_t b = 0; b < planes; b++) {
      const masked_word turns = masked_alternate(masked_hide(masked_lane(number[s], s, b)));
      for (size_t i = 0; i < words; i++) {
        const masked_word sum = masked_hide(share_of(x, s)[b * x_words + i] ^ turns);
        share_of(same, s)[b * words + i] = (sum ^ zero) & ones[i];
      }
    }
  }
  ckem_masked_all(masks, same, planes, lanes);
  ckem_masked_fold(masks, same, lanes);
}

/* A position that is also in an earlier lane becomes its own index [HQC, 5.3]. Lane i is position
 * weight - 1 - i. same: planes planes. */
static void make_distinct(struct masks *masks, struct shared x, size_t planes, size_t weight,
                          struct shared same) {
  const size_t words = MASKED_WORDS(weight);
  uint32_t columns[MASKED_SHARES][32];
  struct turn_order orders[MASKED_SHARES];

  for (size_t s = 0; s < MASKED_SHARES; s++) {
    orders[s] = masks_turn_order(masks);
  }
  for (size_t i = 1; i < weight; i++) {
    const size_t word = i / MASKED_WORD_BITS;
    const size_t bit = i % MASKED_WORD_BITS;
    const masked_word index = (masked_word)(weight - 1 - i);
    masked_word old[MASKED_SHARES];
    masked_word change[MASKED_SHARES];
    struct shared repeated = same;
    const struct shared wide = shared_from(same, 1);

    for (size_t s = 0; s < MASKED_SHARES; s++) {
      const unsigned turn = MASKED_WORD_BITS == 32 ? MASKED_TURN(s) : 0;
      if (i == 1 || i % 32 == 0) { /* the next 32, none of which has changed */
        ckem_columns_from_planes(columns[s], share_of(x, s), s, planes, i / 32 * 32, words, turn,
                                 orders + s);
      }
      old[s] = masked_rotate(columns[s][i % 32], MASKED_TURN(s) - turn);
    }
    find_among(masks, same, x, words, old, planes, i);
    ckem_masked_spread(masks, wide, repeated, planes);
    old[0] ^= index;
    masked_and_word(masks, change, 1, wide.at, wide.gap, old, 1, planes);
    for (size_t s = 0; s < MASKED_SHARES; s++) {
      for (size_t b = 0; b < planes; b++) {
        share_of(x, s)[b * words + word] ^= masked_at_lane(masked_lane(change[s], s, b), s, bit);
      }
    }
  }
  ckem_secure_wipe(columns, sizeof columns);
}

void ckem_masked_draw_fixed(struct masks *masks, uint32_t r_bits, uint32_t weight,
                            struct masked_sponge *stream, struct shared positions,
                            struct arena arena) {
  const size_t words = MASKED_WORDS(weight);
  const size_t planes = MASKED_POSITION_PLANES(r_bits);
  const struct shared random = shared_take(&arena, RANDOM_PLANES * words);
  const struct shared term = shared_take(&arena, RANDOM_PLANES * words);
  const struct shared product = shared_take(&arena, (RANDOM_PLANES + planes) * words);
  const struct shared_bytes bytes = shared_take_bytes(&arena, 4 * (size_t)weight);
  masked_word plane[MASKED_WORDS(HQC_MAX_WEIGHT)];

  ckem_masked_squeeze(stream, bytes, 4 * (size_t)weight);
  for (size_t s = 0; s < MASKED_SHARES; s++) {
    const uint8_t *share = share_of_bytes(bytes, s);
    const struct turn_order order = masks_turn_order(masks);
    uint32_t turned[32];
    memset(share_of(random, s), 0, RANDOM_PLANES * words * sizeof(masked_word));
    for (size_t first = 0; first < weight; first += 32) {
      for (size_t j = 0; j < 32; j++) { /* the last position in lane 0 */
        const size_t i = first + j;
        turned[j] = i < weight ? load_le32(share + 4 * (weight - 1 - i)) : 0;
      }
      ckem_turn_bits(turned, &order);
      for (size_t b = 0; b < RANDOM_PLANES; b++) {
        share_of(random, s)[b * words + first / MASKED_WORD_BITS] |=
            masked_at_lane(turned[b], s, first % MASKED_WORD_BITS);
      }
    }
    ckem_secure_wipe(turned, sizeof turned); /* or the diagonal of the next would come over it */
  }
  /* position i = i + floor(random (n - i) / 2^32): shift and add. */
  ckem_masked_set(product, NULL, (RANDOM_PLANES + planes) * words);
  for (size_t j = 0; j < planes; j++) {
    public_plane(plane, r_bits - weight + 1, 1, j, weight);
    if (j == 0) {
      and_public(product, random, plane, RANDOM_PLANES, words);
    } else {
      and_public(term, random, plane, RANDOM_PLANES, words);
      ckem_masked_add(masks, shared_from(product, j * words), term, RANDOM_PLANES, weight, false,
                      true);
    }
  }
  ckem_masked_copy(positions, shared_from(product, RANDOM_PLANES * words), planes * words);
  add_public_numbers(masks, positions, weight - 1, UINT32_MAX, planes, weight, term,
                     shared_from(term, words));
  make_distinct(masks, positions, planes, weight, term);
}

/* --- By rejection ----------------------------------------------------------------------------- */

/* x = x modulo n below 2^planes, by conditional subtraction of n 2^q. */
static void reduce_candidates(struct masks *masks, struct shared x, uint32_t n, size_t lanes,
                              struct shared sum, struct shared term) {
  const size_t words = MASKED_WORDS(lanes);
  const size_t planes = MASKED_POSITION_PLANES(n);
  masked_word plane[MASKED_WORDS(HQC_MAX_WEIGHT)];

  for (size_t q = CANDIDATE_PLANES - planes + 1; q-- > 0;) {
    size_t width = planes + q + 1;
    width = width < CANDIDATE_PLANES ? width : CANDIDATE_PLANES;
    ckem_masked_copy(sum, x, width * words);
    ckem_masked_set(term, NULL, width * words);
    for (size_t b = 0; b < width; b++) { /* -n 2^q = NOT (n 2^q) + 1 */
      public_plane(plane, ~(n << q), 0, b, lanes);
      ckem_masked_set(shared_from(term, b * words), plane, words);
    }
    ckem_masked_add(masks, sum, term, width, lanes, true, true);
    const struct shared larger = shared_from(sum, width * words);
    ckem_masked_refresh(masks, larger, 1, lanes); /* it comes from the same carries */
    ckem_masked_mux(masks, x, larger, sum, x, width, lanes);
  }
}

/* Returns whether a shared bit, in lane 0, is 1: only where that is public. */
static bool open_bit(struct shared x) {
  masked_word bit = 0;

  for (size_t s = 0; s < MASKED_SHARES; s++) {
    bit ^= masked_lane(share_of(x, s)[0], s, 0);
  }
  /* Public: which candidates are refused or repeated says nothing about the others. */
  ct_declassify(&bit, sizeof bit);
  return bit != 0;
}

bool ckem_masked_draw_rejection(struct masks *masks, const struct hqc_params *params,
                                struct masked_sponge *stream, struct shared positions,
                                struct arena arena) {
  const uint32_t n = params->ring->r_bits;
  const size_t weight = params->key_weight;
  const size_t held_words = MASKED_WORDS(weight);
  const size_t planes = MASKED_POSITION_PLANES(n);
  const struct shared_bytes bytes = shared_take_bytes(&arena, 3 * weight);
  const struct shared candidates = shared_take(&arena, CANDIDATE_PLANES * held_words);
  const struct shared sum = shared_take(&arena, (CANDIDATE_PLANES + 1) * held_words);
  const struct shared term = shared_take(&arena, CANDIDATE_PLANES * held_words);
  masked_word plane[MASKED_WORDS(HQC_MAX_WEIGHT)];
  size_t held = 0;

  ckem_masked_set(positions, NULL, planes * held_words);
  for (size_t round = 0; held < weight && round < MOST_ROUNDS; round++) {
    const size_t count = weight - held; /* as many as are missing */
    const size_t words = MASKED_WORDS(count);
    masked_word good[MASKED_WORDS(HQC_MAX_WEIGHT)];

    ckem_masked_squeeze(stream, bytes, 3 * count);
    ckem_masked_set(candidates, NULL, CANDIDATE_PLANES * words);
    for (size_t s = 0; s < MASKED_SHARES; s++) {
      for (size_t i = 0; i < 3 * count; i++) {
        const size_t lane = i / 3;
        for (size_t b = 0; b < 8; b++) {
          share_of(candidates, s)[(i % 3 * 8 + b) * words + lane / MASKED_WORD_BITS] |=
              masked_at_lane(share_of_bytes(bytes, s)[i] >> b & 1, s, lane % MASKED_WORD_BITS);
        }
      }
    }
    ckem_masked_set(term, NULL, CANDIDATE_PLANES * words);
    for (size_t b = 0; b < CANDIDATE_PLANES; b++) {
      public_plane(plane, params->sample_bound, 0, b, count);
      ckem_masked_set(shared_from(term, b * words), plane, words);
    }
    ckem_masked_less(masks, sum, candidates, term, CANDIDATE_PLANES, count);
    for (size_t i = 0; i < words; i++) {
      good[i] = 0;
      for (size_t s = 0; s < MASKED_SHARES; s++) {
        good[i] ^= masked_turn(share_of(sum, s)[i], s, 0);
      }
    }
    /* Public: which candidates were in range says nothing about the values of those that were. */
    ct_declassify(good, words * sizeof good[0]);
    reduce_candidates(masks, candidates, n, count, sum, term);
    for (size_t i = 0; i < count; i++) {
      const size_t word = i / MASKED_WORD_BITS;
      const size_t bit = i % MASKED_WORD_BITS;
      if ((good[word] >> bit & 1) == 0) {
        continue;
      }
      if (held > 0) {
        masked_word number[MASKED_SHARES];
        for (size_t s = 0; s < MASKED_SHARES; s++) {
          number[s] = 0;
          for (size_t b = 0; b < planes; b++) {
            const masked_word all = share_of(candidates, s)[b * words + word];
            number[s] |= masked_at_lane(masked_lane(all, s, bit), s, b);
          }
        }
        find_among(masks, sum, positions, held_words, number, planes, held);
        if (open_bit(sum)) {
          continue;
        }
      }
      for (size_t s = 0; s < MASKED_SHARES; s++) {
        for (size_t b = 0; b < planes; b++) {
          share_of(positions, s)[b * held_words + held / MASKED_WORD_BITS] |=
              masked_at_lane(masked_lane(share_of(candidates, s)[b * words + word], s, bit), s,
                             held % MASKED_WORD_BITS);
        }
      }
      held += 1;
    }
  }
  return held == weight;
}

/* --- Placement -------------------------------------------------------------------------------- */

/* Planes 0 to limit - 1 of nodes: plane v is 1 in the lanes whose bits, depth planes of x, are v.
 * The tree grows in place, a level for each bit from the highest. */
static void one_hot(struct masks *masks, struct shared nodes, struct shared x, size_t depth,
                    size_t limit, size_t lanes) {
  const size_t words = MASKED_WORDS(lanes);
  size_t count = 1;

  for (size_t level = 0; level < depth; level++) {
    const struct shared bit = shared_from(x, (depth - 1 - level) * words);
    const size_t below = depth - 1 - level;
    const size_t needed = (limit + ((size_t)1 << below) - 1) >> below;
    if (level == 0) {
      ckem_masked_copy(nodes, bit, words);
      ckem_masked_not(nodes, lanes);
      ckem_masked_copy(shared_from(nodes, words), bit, words);
    }
    for (size_t i = count; level > 0 && i-- > 0;) {
      const struct shared node = shared_from(nodes, i * words);
      const struct shared low = shared_from(nodes, 2 * i * words);
      const struct shared high = shared_from(low, words);
      if (2 * i + 1 < needed) {
        ckem_masked_and(masks, high, node, bit, lanes);
        ckem_masked_xor(low, node, high, words);
      } else if (2 * i < needed) {
        ckem_masked_and(masks, low, node, bit, lanes);
        ckem_masked_xor(low, low, node, words);
      }
    }
    count = needed;
  }
}

/* The rows of one share, for each of weight positions the 128 bits of its lower part. */
static void turn_rows(struct masks *masks, uint64_t *rows, const masked_word *low, size_t share,
                      size_t weight) {
  const size_t words = MASKED_WORDS(weight);
  const struct turn_order order = masks_turn_order(masks);

  memset(rows, 0, MASKED_ROW_WORDS * weight * sizeof *rows);
  for (size_t quarter = 0; quarter < 4; quarter++) {
    ckem_planes_add_to_columns(rows + quarter / 2, MASKED_ROW_WORDS, quarter % 2 != 0,
                               low + quarter * 32 * words, share, weight, &order);
  }
}

#if MASKED_IN_ASSEMBLY

void ckem_masked_add_rows_m4(uint32_t sum[4], const uint32_t *bits, const uint32_t *rows,
                             size_t count, unsigned turn);

#else

/* A mask from bit k of a word whose bits the compiler does not know: on a Cortex-M4 one instruction
 * for a constant k. */
static inline masked_word mask_of_bit(masked_word bits, size_t k) {
#if MASKED_WORD_BITS == 32
  return (masked_word)((int32_t)(bits << (31 - k)) >> 31);
#else
  return ct_mask_bit_u64(bits >> k);
#endif
}

#define PART_WORDS (64 * MASKED_ROW_WORDS / MASKED_WORD_BITS) /* of a row */
#define PART_LANES 8 /* that are written out */

/* sum = sum + the rows of so many lanes, where bits has a 1. */
static inline void add_rows(masked_word sum[PART_WORDS], masked_word bits, const masked_word *rows,
                            size_t lanes) {
  UNROLL
  for (size_t k = 0; k < lanes; k++) {
    const masked_word mask = mask_of_bit(bits, k);
    UNROLL
    for (size_t i = 0; i < PART_WORDS; i++) {
      sum[i] ^= rows[PART_WORDS * k + i] & mask;
    }
  }
}

#endif

/* out = out + the product of one share of the upper part's planes and one of the lower part's rows:
 * bit row of every position times its 128 bits. Rows are in a random order: each bit of the upper
 * part is made a word of zeros or ones. */
static void add_matrix_product(uint64_t *out, const masked_word *high, size_t share,
                               const uint64_t *low, const uint16_t *order, size_t rows,
                               size_t weight) {
  const size_t words = MASKED_WORDS(weight);

#if MASKED_IN_ASSEMBLY
  for (size_t k = 0; k < rows; k++) {
    const size_t row = order[k];
    ckem_masked_add_rows_m4((uint32_t *)(void *)(out + MASKED_ROW_WORDS * row), high + row * words,
                            (const uint32_t *)(const void *)low, weight, 0 - MASKED_TURN(share));
  }
#else
  for (size_t n = 0; n < rows; n++) {
    const size_t row = order[n];
    masked_word *at = (masked_word *)(void *)(out + MASKED_ROW_WORDS * row);
    const masked_word *next = (const masked_word *)(const void *)low;
    masked_word sum[PART_WORDS];
    UNROLL
    for (size_t i = 0; i < PART_WORDS; i++) {
      sum[i] = masked_hide(at[i]);
    }
    for (size_t i = 0; i < words; i++) {
      const size_t lanes = masked_lanes_of(weight, i);
      masked_word bits = masked_hide(masked_turn(high[row * words + i], share, 0));
      size_t k = 0;
      for (; k + PART_LANES <= lanes; k += PART_LANES, bits >>= PART_LANES) {
        add_rows(sum, bits, next, PART_LANES);
        next += PART_WORDS * PART_LANES;
      }
      for (; k < lanes; k++, bits >>= 1) {
        add_rows(sum, bits, next, 1);
        next += PART_WORDS;
      }
    }
    UNROLL
    for (size_t i = 0; i < PART_WORDS; i++) {
      at[i] = masked_hide(sum[i]);
    }
  }
#endif
}

/* Adds fresh bits to count words of two shares. */
static void add_fresh_words(struct masks *masks, uint64_t *a, uint64_t *b, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const uint64_t fresh = masks_lane(masks);
    a[i] = masked_hide_lane(a[i] ^ fresh);
    b[i] = masked_hide_lane(b[i] ^ fresh);
  }
}

void ckem_masked_place(struct masks *masks, const struct gf2x_ring *ring, struct shared_element out,
                       struct shared positions, uint32_t weight, struct arena arena) {
  const size_t words = MASKED_WORDS(weight);
  const size_t rows = MASKED_ROWS(ring->r_bits);
  const size_t depth = MASKED_POSITION_PLANES(ring->r_bits) - MASKED_LOW_PLANES;
  const struct shared high = shared_take(&arena, rows * words);
  const struct shared low = shared_take(&arena, ((size_t)1 << MASKED_LOW_PLANES) * words);
  struct shared_element low_rows = {NULL, MASKED_ROW_WORDS * (size_t)weight};

  low_rows.at = arena_take(&arena, MASKED_SHARES * low_rows.gap);
  uint16_t *order = (uint16_t *)(void *)arena_take(&arena, MASKED_ORDER_WORDS(rows));
  ckem_masks_order(masks, order, rows);
  one_hot(masks, high, shared_from(positions, MASKED_LOW_PLANES * words), depth, rows, weight);
  one_hot(masks, low, positions, MASKED_LOW_PLANES, (size_t)1 << MASKED_LOW_PLANES, weight);
  for (size_t s = 0; s < MASKED_SHARES; s++) {
    turn_rows(masks, share_of_element(low_rows, s), share_of(low, s), s, weight);
    memset(share_of_element(out, s), 0, ring->stride * sizeof(uint64_t));
  }
  /* All cross products of two shares go on one fresh mask, whatever the weight. */
  for (size_t i = 0; i < MASKED_SHARES; i++) {
    for (size_t j = i + 1; j < MASKED_SHARES; j++) {
      add_fresh_words(masks, share_of_element(out, i), share_of_element(out, j),
                      MASKED_ROW_WORDS * rows);
      add_matrix_product(share_of_element(out, j), share_of(high, i), i,
                         share_of_element(low_rows, j), order, rows, weight);
      add_matrix_product(share_of_element(out, j), share_of(high, j), j,
                         share_of_element(low_rows, i), order, rows, weight);
    }
  }
  for (size_t s = 0; s < MASKED_SHARES; s++) {
    uint64_t *share = share_of_element(out, s);
    add_matrix_product(share, share_of(high, s), s, share_of_element(low_rows, s), order, rows,
                       weight);
    share[ring->words - 1] &= (UINT64_C(1) << ring->r_bits % 64) - 1;
    memset(share + ring->words, 0, (ring->stride - ring->words) * sizeof *share);
  }
}

void ckem_masked_refresh_element(struct masks *masks, const struct gf2x_ring *ring,
                                 struct shared_element x) {
  for (size_t i = 0; i < MASKED_SHARES; i++) {
    for (size_t j = i + 1; j < MASKED_SHARES; j++) {
      add_fresh_words(masks, share_of_element(x, i), share_of_element(x, j), ring->words);
    }
  }
  for (size_t s = 0; s < MASKED_SHARES; s++) {
    share_of_element(x, s)[ring->words - 1] &= (UINT64_C(1) << ring->r_bits % 64) - 1;
  }
}
