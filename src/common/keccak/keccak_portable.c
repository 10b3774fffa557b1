/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Keccak-f[1600] with no index arithmetic. Where words have 64 bits, the whole state is in local
 * variables. 32-bit processors have registers for five lanes and theta's sums at most: there a
 * round is a function of its own, between two states in memory, and gcc leaves its statements in
 * this order, in which no more is held. That takes 600 instructions on RISC-V instead of 1,000. */
#include "base/isa.h"
#include "keccak/keccak.h"
#include "keccak/keccak_constants.h"

#if ISA_WORDS_OF_32_BITS
#define ROUND_FUNCTION static ISA_IN_ORDER
#else
#define ROUND_FUNCTION static inline
#endif

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
}

/* One round: theta's column sums are added while rho and pi pick the lanes of each row. */
ROUND_FUNCTION void round_into(uint64_t o[KECCAK_LANES], const uint64_t a[KECCAK_LANES],
                               uint64_t constant) {
  uint64_t c0 = a[0] ^ a[5] ^ a[10] ^ a[15] ^ a[20];
  uint64_t c1 = a[1] ^ a[6] ^ a[11] ^ a[16] ^ a[21];
  uint64_t c2 = a[2] ^ a[7] ^ a[12] ^ a[17] ^ a[22];
  uint64_t c3 = a[3] ^ a[8] ^ a[13] ^ a[18] ^ a[23];
  uint64_t c4 = a[4] ^ a[9] ^ a[14] ^ a[19] ^ a[24];
  uint64_t d0 = c4 ^ rotate_left(c1, 1);
  uint64_t d1 = c0 ^ rotate_left(c2, 1);
  uint64_t d2 = c1 ^ rotate_left(c3, 1);
  uint64_t d3 = c2 ^ rotate_left(c4, 1);
  uint64_t d4 = c3 ^ rotate_left(c0, 1);

  chi_row(o, a[0] ^ d0, rotate_left(a[6] ^ d1, 44), rotate_left(a[12] ^ d2, 43),
          rotate_left(a[18] ^ d3, 21), rotate_left(a[24] ^ d4, 14));
  o[0] ^= constant;
  chi_row(o + 5, rotate_left(a[3] ^ d3, 28), rotate_left(a[9] ^ d4, 20), rotate_left(a[10] ^ d0, 3),
          rotate_left(a[16] ^ d1, 45), rotate_left(a[22] ^ d2, 61));
  chi_row(o + 10, rotate_left(a[1] ^ d1, 1), rotate_left(a[7] ^ d2, 6), rotate_left(a[13] ^ d3, 25),
          rotate_left(a[19] ^ d4, 8), rotate_left(a[20] ^ d0, 18));
  chi_row(o + 15, rotate_left(a[4] ^ d4, 27), rotate_left(a[5] ^ d0, 36),
          rotate_left(a[11] ^ d1, 10), rotate_left(a[17] ^ d2, 15), rotate_left(a[23] ^ d3, 56));
  chi_row(o + 20, rotate_left(a[2] ^ d2, 62), rotate_left(a[8] ^ d3, 55),
          rotate_left(a[14] ^ d4, 39), rotate_left(a[15] ^ d0, 41), rotate_left(a[21] ^ d1, 2));
}

static void permute_portable(uint64_t state[KECCAK_LANES]) {
  uint64_t a[KECCAK_LANES];
  uint64_t b[KECCAK_LANES];

  for (unsigned i = 0; i < KECCAK_LANES; i++) {
    a[i] = state[i];
  }
  for (unsigned round = 0; round < KECCAK_ROUNDS; round += 2) {
    round_into(b, a, ckem_keccak_round_constants[round]);
    round_into(a, b, ckem_keccak_round_constants[round + 1]);
  }
  for (unsigned i = 0; i < KECCAK_LANES; i++) {
    state[i] = a[i];
  }
}

static void permute_pair_portable(uint64_t first[KECCAK_LANES], uint64_t second[KECCAK_LANES]) {
  permute_portable(first);
  permute_portable(second);
}

const struct keccak_ops ckem_keccak_portable = {
    .name = "portable",
    .permute = permute_portable,
    .permute_pair = permute_pair_portable,
    .width = 1,
    .permute_many = permute_portable,
};
