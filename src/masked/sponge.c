/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Keccak-f[1600] and the sponge in shares. */
#include "masked/sponge.h"

#include "base/bytes.h"
#include "base/unroll.h"
#include "keccak/keccak_constants.h"
#include "masked/gadgets.h"

/* 0 < n < 64 */
static inline uint64_t turn_left(uint64_t x, unsigned n) {
  return x << n | x >> (64 - n);
}

/* theta, rho and pi on one share: b is what chi takes, row by row. */
static void linear_layer(uint64_t b[KECCAK_LANES], const uint64_t a[KECCAK_LANES]) {
  const uint64_t c0 = a[0] ^ a[5] ^ a[10] ^ a[15] ^ a[20];
  const uint64_t c1 = a[1] ^ a[6] ^ a[11] ^ a[16] ^ a[21];
  const uint64_t c2 = a[2] ^ a[7] ^ a[12] ^ a[17] ^ a[22];
  const uint64_t c3 = a[3] ^ a[8] ^ a[13] ^ a[18] ^ a[23];
  const uint64_t c4 = a[4] ^ a[9] ^ a[14] ^ a[19] ^ a[24];
  const uint64_t d0 = c4 ^ turn_left(c1, 1);
  const uint64_t d1 = c0 ^ turn_left(c2, 1);
  const uint64_t d2 = c1 ^ turn_left(c3, 1);
  const uint64_t d3 = c2 ^ turn_left(c4, 1);
  const uint64_t d4 = c3 ^ turn_left(c0, 1);

  b[0] = a[0] ^ d0;
  b[1] = turn_left(a[6] ^ d1, 44);
  b[2] = turn_left(a[12] ^ d2, 43);
  b[3] = turn_left(a[18] ^ d3, 21);
  b[4] = turn_left(a[24] ^ d4, 14);
  b[5] = turn_left(a[3] ^ d3, 28);
  b[6] = turn_left(a[9] ^ d4, 20);
  b[7] = turn_left(a[10] ^ d0, 3);
  b[8] = turn_left(a[16] ^ d1, 45);
  b[9] = turn_left(a[22] ^ d2, 61);
  b[10] = turn_left(a[1] ^ d1, 1);
  b[11] = turn_left(a[7] ^ d2, 6);
  b[12] = turn_left(a[13] ^ d3, 25);
  b[13] = turn_left(a[19] ^ d4, 8);
  b[14] = turn_left(a[20] ^ d0, 18);
  b[15] = turn_left(a[4] ^ d4, 27);
  b[16] = turn_left(a[5] ^ d0, 36);
  b[17] = turn_left(a[11] ^ d1, 10);
  b[18] = turn_left(a[17] ^ d2, 15);
  b[19] = turn_left(a[23] ^ d3, 56);
  b[20] = turn_left(a[2] ^ d2, 62);
  b[21] = turn_left(a[8] ^ d3, 55);
  b[22] = turn_left(a[14] ^ d4, 39);
  b[23] = turn_left(a[15] ^ d0, 41);
  b[24] = turn_left(a[21] ^ d1, 2);
}

/* A lane is one word or two, each of which chi takes by itself: share i of lane x of a row is
 * in[i][x * LANE_WORDS]. */
#define LANE_WORDS (64 / MASKED_WORD_BITS)

#if MASKED_SHARES == 2

static inline void chi_words(struct masks *masks, masked_word *const out[2],
                             const masked_word *const in[2]) {
  const masked_word fresh = masks_word(masks, MASKED_WORD_BITS);

  UNROLL
  for (size_t x = 0; x < 5; x++) {
    const size_t y = (x + 1) % 5 * LANE_WORDS;
    const size_t z = (x + 2) % 5 * LANE_WORDS;
    const masked_word not_y = ~in[0][y];
    masked_word sum = masked_hide(in[0][x * LANE_WORDS] ^ masked_hide(not_y & in[1][z]));
    sum = masked_hide(sum ^ masked_hide(not_y & in[0][z]));
    out[0][x * LANE_WORDS] = x == 0 ? masked_hide(sum ^ fresh) : sum;
  }
  UNROLL
  for (size_t x = 0; x < 5; x++) {
    const size_t y = (x + 1) % 5 * LANE_WORDS;
    const size_t z = (x + 2) % 5 * LANE_WORDS;
    masked_word sum = masked_hide(in[1][x * LANE_WORDS] ^ masked_hide(in[1][y] & in[0][z]));
    sum = masked_hide(sum ^ masked_hide(in[1][y] & in[1][z]));
    out[1][x * LANE_WORDS] = x == 0 ? masked_hide(sum ^ fresh) : sum;
  }
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
static inline void chi_row_of_shares(struct masks *masks,
                                     uint64_t state[MASKED_SHARES][KECCAK_LANES],
                                     uint64_t b[MASKED_SHARES][KECCAK_LANES], size_t y) {
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

void ckem_masked_chi(struct masks *masks, uint64_t state[MASKED_SHARES][KECCAK_LANES],
                     uint64_t rows[MASKED_SHARES][KECCAK_LANES]) {
  for (size_t y = 0; y < KECCAK_LANES; y += 5) {
    chi_row_of_shares(masks, state, rows, y);
  }
}

void ckem_masked_permute(struct masks *masks, uint64_t state[MASKED_SHARES][KECCAK_LANES],
                         uint64_t rows[MASKED_SHARES][KECCAK_LANES]) {
  for (size_t round = 0; round < KECCAK_ROUNDS; round++) {
    for (size_t s = 0; s < MASKED_SHARES; s++) {
      linear_layer(rows[s], state[s]);
    }
    ckem_masked_chi(masks, state, rows);
    state[0][0] ^= ckem_keccak_round_constants[round];
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
    for (size_t i = 0; i < MASKED_SHARES; i++) {
      for (size_t j = i + 1; j < MASKED_SHARES; j++) {
        for (size_t k = 0; k < KECCAK_LANES; k++) {
          const uint64_t fresh = masks_lane(sponge->masks);
          sponge->state[i][k] ^= fresh;
          sponge->state[j][k] ^= fresh;
        }
      }
    }
    sponge->refreshed = true;
  }
  ckem_masked_permute(sponge->masks, sponge->state, sponge->rows);
  sponge->position = 0;
}

static void add_to_share(struct masked_sponge *sponge, size_t share, size_t position,
                         uint8_t byte) {
  sponge->state[share][position / 8] ^= (uint64_t)byte << (8 * (position % 8));
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
      sponge->state[0][sponge->position / 8] ^= load_le64(data + i);
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
      for (size_t i = 0; i < taken; i++) {
        const size_t at = sponge->position + i;
        share[i] = (uint8_t)(sponge->state[s][at / 8] >> (8 * (at % 8)));
      }
    }
    out = shared_bytes_from(out, taken);
    length -= taken;
    sponge->position += taken;
  }
}
