/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Keccak-f[1600] for this processor: its instruction cache has 4 KiB, and two rounds in a row, as
 * the library's portable back end has them, take twice that, so that every instruction of every
 * round came from the RAM. Here one round is a function that fits, and it keeps a row at a time in
 * registers. Timing is constant.
 */
#include "keccak_here.h"

#include "keccak/keccak.h"
#include "keccak/keccak_constants.h"

/* Nothing moves past this, so that the lanes of one row are in registers, not those of all. */
#define ROW_ENDS() __asm__ volatile("" : : : "memory")

/* 0 < n < 64 */
static inline uint64_t rotate_left(uint64_t x, unsigned n) {
  return x << n | x >> (64 - n);
}

/* chi on one row of five lanes. */
static inline void chi_row(uint64_t out[5], uint64_t b0, uint64_t b1, uint64_t b2, uint64_t b3,
                           uint64_t b4) {
  out[0] = b0 ^ (~b1 & b2);
  out[1] = b1 ^ (~b2 & b3);
  out[2] = b2 ^ (~b3 & b4);
  out[3] = b3 ^ (~b4 & b0);
  out[4] = b4 ^ (~b0 & b1);
  ROW_ENDS();
}

static __attribute__((noinline)) void round_into(uint64_t *restrict o, const uint64_t *restrict a,
                                                 uint64_t constant) {
  uint64_t c[5], d[5];

  for (unsigned x = 0; x < 5; x++) {
    c[x] = a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20];
    ROW_ENDS();
  }
  for (unsigned x = 0; x < 5; x++) {
    d[x] = c[(x + 4) % 5] ^ rotate_left(c[(x + 1) % 5], 1);
  }
  ROW_ENDS();
  chi_row(o, a[0] ^ d[0], rotate_left(a[6] ^ d[1], 44), rotate_left(a[12] ^ d[2], 43),
          rotate_left(a[18] ^ d[3], 21), rotate_left(a[24] ^ d[4], 14));
  o[0] ^= constant;
  chi_row(o + 5, rotate_left(a[3] ^ d[3], 28), rotate_left(a[9] ^ d[4], 20),
          rotate_left(a[10] ^ d[0], 3), rotate_left(a[16] ^ d[1], 45),
          rotate_left(a[22] ^ d[2], 61));
  chi_row(o + 10, rotate_left(a[1] ^ d[1], 1), rotate_left(a[7] ^ d[2], 6),
          rotate_left(a[13] ^ d[3], 25), rotate_left(a[19] ^ d[4], 8),
          rotate_left(a[20] ^ d[0], 18));
  chi_row(o + 15, rotate_left(a[4] ^ d[4], 27), rotate_left(a[5] ^ d[0], 36),
          rotate_left(a[11] ^ d[1], 10), rotate_left(a[17] ^ d[2], 15),
          rotate_left(a[23] ^ d[3], 56));
  chi_row(o + 20, rotate_left(a[2] ^ d[2], 62), rotate_left(a[8] ^ d[3], 55),
          rotate_left(a[14] ^ d[4], 39), rotate_left(a[15] ^ d[0], 41),
          rotate_left(a[21] ^ d[1], 2));
}

void keccak_permute_here(uint64_t state[KECCAK_LANES]) {
  uint64_t other[KECCAK_LANES];

  for (unsigned round = 0; round < KECCAK_ROUNDS; round += 2) {
    round_into(other, state, keccak_round_constants[round]);
    round_into(state, other, keccak_round_constants[round + 1]);
  }
}
