/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Keccak-f[1600] and the sponge in shares. */
#include "masked/sponge.h"

#include "base/bytes.h"
#include "base/unroll.h"
#include "keccak/keccak_constants.h"
#include "masked/gadgets.h"

/* The words of a lane. */
#define LANE_WORDS (64 / MASKED_WORD_BITS)

/* Lane k of shares as words. */
static inline masked_word *words_of(uint64_t *lanes, size_t k) {
  return (masked_word *)(void *)(lanes + k);
}

#if MASKED_WORD_BITS == 32

/* Bits of a 16-bit number, two apart; and back. */
static inline uint32_t spread_bits(uint32_t x) {
  x = (x | x << 8) & 0x00FF00FF;
  x = (x | x << 4) & 0x0F0F0F0F;
  x = (x | x << 2) & 0x33333333;
  return (x | x << 1) & 0x55555555;
}

static inline uint32_t gather_bits(uint32_t x) {
  x &= 0x55555555;
  x = (x | x >> 1) & 0x33333333;
  x = (x | x >> 2) & 0x0F0F0F0F;
  x = (x | x >> 4) & 0x00FF00FF;
  return (x | x >> 8) & 0x0000FFFF;
}

void ckem_masked_add_lane(uint64_t lanes[KECCAK_LANES], size_t share, size_t k, uint64_t lane) {
  masked_word *words = words_of(lanes, k);
  const uint32_t low = (uint32_t)lane;
  const uint32_t high = (uint32_t)(lane >> 32);

  words[0] ^= masked_turn(gather_bits(low) | gather_bits(high) << 16, 0, share);
  words[1] ^= masked_turn(gather_bits(low >> 1) | gather_bits(high >> 1) << 16, 0, share);
}

static uint64_t get_lane(const uint64_t lanes[KECCAK_LANES], size_t share, size_t k) {
  const masked_word *words = (const masked_word *)(const void *)(lanes + k);
  const uint32_t even = masked_turn(words[0], share, 0);
  const uint32_t odd = masked_turn(words[1], share, 0);
  const uint32_t low = spread_bits(even & 0xFFFF) | spread_bits(odd & 0xFFFF) << 1;
  const uint32_t high = spread_bits(even >> 16) | spread_bits(odd >> 16) << 1;

  return (uint64_t)high << 32 | low;
}

/* The words of a rotated lane: half 0 has the even bits. */
#define ROTATED_HALF(lane, half, n) \
  masked_rotate((lane)[(half) ^ ((n) & 1)], (unsigned)(64 - ((n) + 1 - (half)) / 2))

#else

void ckem_masked_add_lane(uint64_t lanes[KECCAK_LANES], size_t share, size_t k, uint64_t lane) {
  lanes[k] ^= masked_turn(lane, 0, share);
}

static uint64_t get_lane(const uint64_t lanes[KECCAK_LANES], size_t share, size_t k) {
  return masked_turn(lanes[k], share, 0);
}

#define ROTATED_HALF(lane, half, n) masked_rotate((lane)[half], 64U - (n))

#endif

/* theta, rho and pi on one share: b is what chi takes, row by row. */
static void linear_layer(uint64_t b[KECCAK_LANES], const uint64_t a[KECCAK_LANES]) {
  static const struct {
    uint8_t from, rho;
  } moved[KECCAK_LANES] = {{0, 0},   {6, 44},  {12, 43}, {18, 21}, {24, 14}, {3, 28},  {9, 20},
                           {10, 3},  {16, 45}, {22, 61}, {1, 1},   {7, 6},   {13, 25}, {19, 8},
                           {20, 18}, {4, 27},  {5, 36},  {11, 10}, {17, 15}, {23, 56}, {2, 62},
                           {8, 55},  {14, 39}, {15, 41}, {21, 2}};
  const masked_word *in = (const masked_word *)(const void *)a;
  masked_word *out = words_of(b, 0);
  masked_word sums[5][LANE_WORDS];
  masked_word changes[5][LANE_WORDS];

  UNROLL
  for (size_t i = 0; i < 5 * LANE_WORDS; i++) {
    const size_t row = 5 * LANE_WORDS;
    sums[i / LANE_WORDS][i % LANE_WORDS] =
        in[i] ^ in[row + i] ^ in[2 * row + i] ^ in[3 * row + i] ^ in[4 * row + i];
  }
  UNROLL
  for (size_t i = 0; i < 5 * LANE_WORDS; i++) {
    const size_t x = i / LANE_WORDS;
    const size_t half = i % LANE_WORDS;
    changes[x][half] = sums[(x + 4) % 5][half] ^ ROTATED_HALF(sums[(x + 1) % 5], half, 1);
  }
  UNROLL
  for (size_t i = 0; i < KECCAK_LANES * LANE_WORDS; i++) {
    const size_t lane = i / LANE_WORDS;
    const size_t half = i % LANE_WORDS;
    const size_t from = moved[lane].from;
    masked_word both[LANE_WORDS];
    for (size_t h = 0; h < LANE_WORDS; h++) {
      both[h] = in[LANE_WORDS * from + h] ^ changes[from % 5][h];
    }
    out[i] = ROTATED_HALF(both, half, moved[lane].rho);
  }
}

/* A lane is one word or two, each of which chi takes by itself: share i of lane x of a row is
 * in[i][x * LANE_WORDS]. */

#if MASKED_SHARES == 2

#if MASKED_IN_ASSEMBLY

void ckem_masked_chi_words_m4(uint32_t *out, const uint32_t *in, uint32_t fresh);

#else

/* a + NOT b AND c for share 0, without the NOT for share 1: the cross product comes first. c_other
 * is c of the other share. */
static inline masked_word chi_word(masked_word a, masked_word b, masked_word c, masked_word c_other,
                                   bool first) {
  const masked_word other = first ? masked_turn(c_other, 1, 0) : masked_turn(c_other, 0, 1);
  const masked_word factor = first ? ~b : b;
  const masked_word sum = masked_hide(a ^ masked_hide(factor & other));

  return masked_hide(sum ^ masked_hide(factor & c));
}

#endif

static inline void chi_words(struct masks *masks, masked_word *const out[2],
                             const masked_word *const in[2]) {
  const masked_word fresh = masks_word(masks, MASKED_WORD_BITS);

#if MASKED_IN_ASSEMBLY
  ckem_masked_chi_words_m4(out[0], in[0], fresh);
#else
  UNROLL
  for (size_t s = 0; s < 2; s++) {
    UNROLL
    for (size_t x = 0; x < 5; x++) {
      const size_t y = (x + 1) % 5 * LANE_WORDS;
      const size_t z = (x + 2) % 5 * LANE_WORDS;
      const masked_word sum =
          chi_word(in[s][x * LANE_WORDS], in[s][y], in[s][z], in[1 - s][z], s == 0);
      out[s][x * LANE_WORDS] = x == 0 ? masked_hide(sum ^ masked_turn(fresh, 0, s)) : sum;
    }
  }
#endif
}

#else

static inline void chi_words(struct masks *masks, masked_word *const out[MASKED_SHARES],
                             const masked_word *const in[MASKED_SHARES]) {
  for (size_t x = 0; x < 5; x++) {
    masked_word left[MASKED_SHARES];
    masked_word right[MASKED_SHARES];
    masked_word both[MASKED_SHARES];
    for (size_t i = 0; i < MASKED_SHARES; i++) {
      left[i] = in[i][(x + 1) % 5 * LANE_WORDS];
      right[i] = in[i][(x + 2) % 5 * LANE_WORDS];
    }
    left[0] = ~left[0];
    masked_and_word(masks, both, 1, left, 1, right, 1, MASKED_WORD_BITS);
    for (size_t i = 0; i < MASKED_SHARES; i++) {
      out[i][x * LANE_WORDS] = masked_hide(in[i][x * LANE_WORDS] ^ both[i]);
    }
  }
}

#endif

/* chi on the row that begins at lane y. */
static inline void chi_row_of_shares(struct masks *masks, uint64_t (*state)[KECCAK_LANES],
                                     uint64_t (*b)[KECCAK_LANES], size_t y) {
  UNROLL
  for (size_t half = 0; half < LANE_WORDS; half++) {
    masked_word *out[MASKED_SHARES];
    const masked_word *in[MASKED_SHARES];
    for (size_t s = 0; s < MASKED_SHARES; s++) {
      out[s] = (masked_word *)(void *)(state[s] + y) + half;
      in[s] = (const masked_word *)(const void *)(b[s] + y) + half;
    }
    chi_words(masks, out, in);
  }
}

void ckem_masked_chi(struct masks *masks, uint64_t (*state)[KECCAK_LANES],
                     uint64_t (*rows)[KECCAK_LANES]) {
  for (size_t y = 0; y < KECCAK_LANES; y += 5) {
    chi_row_of_shares(masks, state, rows, y);
  }
}

void ckem_masked_permute(struct masks *masks, uint64_t (*state)[KECCAK_LANES],
                         uint64_t (*rows)[KECCAK_LANES]) {
  for (size_t round = 0; round < KECCAK_ROUNDS; round++) {
    for (size_t s = 0; s < MASKED_SHARES; s++) {
      linear_layer(rows[s], state[s]);
    }
    ckem_masked_chi(masks, state, rows);
    ckem_masked_add_lane(state[0], 0, 0, ckem_keccak_round_constants[round]);
  }
}

/* --- The sponge ------------------------------------------------------------------------------- */

void ckem_masked_sponge_init(struct masked_sponge *sponge, struct masks *masks, size_t rate_bytes,
                             uint8_t suffix) {
  memset(sponge->state, 0, sizeof sponge->state);
  sponge->masks = masks;
  sponge->rate_bytes = rate_bytes;
  sponge->position = 0;
  sponge->suffix = suffix;
  sponge->refreshed = false;
}

static void permute_sponge(struct masked_sponge *sponge) {
  if (!sponge->refreshed) {
    const struct shared state = {(masked_word *)(void *)sponge->state, KECCAK_LANES * LANE_WORDS};
    ckem_masked_refresh(sponge->masks, state, 1, 64 * KECCAK_LANES);
    sponge->refreshed = true;
  }
  ckem_masked_permute(sponge->masks, sponge->state, sponge->rows);
  sponge->position = 0;
}

static void add_to_share(struct masked_sponge *sponge, size_t share, size_t position,
                         uint8_t byte) {
  ckem_masked_add_lane(sponge->state[share], share, position / 8,
                       (uint64_t)byte << (8 * (position % 8)));
}

void ckem_masked_absorb(struct masked_sponge *sponge, struct shared_bytes data, size_t length) {
  while (length > 0) {
    const size_t room = sponge->rate_bytes - sponge->position;
    const size_t added = length < room ? length : room;
    for (size_t s = 0; s < MASKED_SHARES; s++) {
      const uint8_t *share = share_of_bytes(data, s);
      for (size_t i = 0; i < added; i++) {
        add_to_share(sponge, s, sponge->position + i, share[i]);
      }
    }
    data = shared_bytes_from(data, added);
    length -= added;
    sponge->position += added;
    if (sponge->position == sponge->rate_bytes) {
      permute_sponge(sponge);
    }
  }
}

void ckem_masked_absorb_public(struct masked_sponge *sponge, const uint8_t *data, size_t length) {
  size_t i = 0;

  while (i < length) {
    if (sponge->position % 8 == 0 && i + 8 <= length) {
      ckem_masked_add_lane(sponge->state[0], 0, sponge->position / 8, load_le64(data + i));
      sponge->position += 8;
      i += 8;
    } else {
      add_to_share(sponge, 0, sponge->position, data[i]);
      sponge->position += 1;
      i += 1;
    }
    if (sponge->position == sponge->rate_bytes) {
      permute_sponge(sponge);
    }
  }
}

void ckem_masked_finish(struct masked_sponge *sponge, uint8_t domain) {
  ckem_masked_absorb_public(sponge, &domain, 1);
  add_to_share(sponge, 0, sponge->position, sponge->suffix);
  add_to_share(sponge, 0, sponge->rate_bytes - 1, 0x80);
  sponge->position = sponge->rate_bytes; /* the first squeeze permutes */
}

void ckem_masked_squeeze(struct masked_sponge *sponge, struct shared_bytes out, size_t length) {
  while (length > 0) {
    if (sponge->position == sponge->rate_bytes) {
      permute_sponge(sponge);
    }
    const size_t room = sponge->rate_bytes - sponge->position;
    const size_t taken = length < room ? length : room;
    for (size_t s = 0; s < MASKED_SHARES; s++) {
      uint8_t *share = share_of_bytes(out, s);
      uint64_t lane = 0;
      for (size_t i = 0; i < taken; i++) {
        const size_t at = sponge->position + i;
        if (i == 0 || at % 8 == 0) {
          lane = get_lane(sponge->state[s], s, at / 8);
        }
        share[i] = (uint8_t)(lane >> (8 * (at % 8)));
      }
    }
    out = shared_bytes_from(out, taken);
    length -= taken;
    sponge->position += taken;
  }
}
