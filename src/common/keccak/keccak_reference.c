/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Keccak-f[1600] as the standard writes it, step by step [FIPS 202, 3.2]: the oracle. */
#include "keccak/keccak.h"
#include "keccak/keccak_constants.h"

static uint64_t rotate_left_reference(uint64_t x, unsigned n) {
  return n == 0 ? x : x << n | x >> (64 - n);
}

static void theta_reference(uint64_t a[KECCAK_LANES]) {
  uint64_t column[5];

  for (unsigned x = 0; x < 5; x++) {
    column[x] = a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20];
  }
  for (unsigned x = 0; x < 5; x++) {
    uint64_t d = column[(x + 4) % 5] ^ rotate_left_reference(column[(x + 1) % 5], 1);
    for (unsigned y = 0; y < 5; y++) {
      a[x + 5 * y] ^= d;
    }
  }
}

/* rho rotates lane (x, y) and pi moves it to (y, 2 x + 3 y): both along one walk of the lanes. */
static void rho_and_pi_reference(uint64_t a[KECCAK_LANES]) {
  unsigned x = 1;
  unsigned y = 0;
  uint64_t lane = a[1];

  for (unsigned t = 0; t < 24; t++) {
    unsigned moved_y = (2 * x + 3 * y) % 5;
    x = y;
    y = moved_y;
    uint64_t next = a[x + 5 * y];
    a[x + 5 * y] = rotate_left_reference(lane, ((t + 1) * (t + 2) / 2) % 64);
    lane = next;
  }
}

static void chi_reference(uint64_t a[KECCAK_LANES]) {
  for (unsigned y = 0; y < 5; y++) {
    uint64_t row[5];
    for (unsigned x = 0; x < 5; x++) {
      row[x] = a[x + 5 * y];
    }
    for (unsigned x = 0; x < 5; x++) {
      a[x + 5 * y] = row[x] ^ (~row[(x + 1) % 5] & row[(x + 2) % 5]);
    }
  }
}

static void permute_reference(uint64_t state[KECCAK_LANES]) {
  for (unsigned round = 0; round < KECCAK_ROUNDS; round++) {
    theta_reference(state);
    rho_and_pi_reference(state);
    chi_reference(state);
    state[0] ^= ckem_keccak_round_constants[round];
  }
}

static void permute_pair_reference(uint64_t first[KECCAK_LANES], uint64_t second[KECCAK_LANES]) {
  permute_reference(first);
  permute_reference(second);
}

const struct keccak_ops ckem_keccak_reference = {
    .name = "reference",
    .permute = permute_reference,
    .permute_pair = permute_pair_reference,
    .width = 1,
    .permute_many = permute_reference,
};
