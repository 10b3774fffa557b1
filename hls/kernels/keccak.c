/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Keccak-f[1600] [FIPS 202] and SHAKE256 of a message of fixed length.
 *
 * Lane x + 5 y of the state is element x + 5 y of an array. Each loop has a label, by which
 * directives call it.
 */
#include "hls.h"

#ifndef BLOCKS
#define BLOCKS 2 /* blocks of 17 lanes that come in, padded by the caller */
#endif
enum { LANES = 25, RATE = 17, ROUNDS = 24, OUTPUT = 8 };

static const uint64_t IOTA[ROUNDS] = {
    0x0000000000000001, 0x0000000000008082, 0x800000000000808A, 0x8000000080008000,
    0x000000000000808B, 0x0000000080000001, 0x8000000080008081, 0x8000000000008009,
    0x000000000000008A, 0x0000000000000088, 0x0000000080008009, 0x000000008000000A,
    0x000000008000808B, 0x800000000000008B, 0x8000000000008089, 0x8000000000008003,
    0x8000000000008002, 0x8000000000000080, 0x000000000000800A, 0x800000008000000A,
    0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008};
/* By lane: the distance of rho, and where pi puts the lane. */
static const uint8_t RHO[LANES] = {0,  1,  62, 28, 27, 36, 44, 6,  55, 20, 3,  10, 43,
                                   25, 39, 41, 45, 15, 21, 8,  18, 2,  61, 56, 14};
static const uint8_t PI[LANES] = {0,  10, 20, 5, 15, 16, 1,  11, 21, 6, 7,  17, 2,
                                  12, 22, 23, 8, 18, 3,  13, 14, 24, 9, 19, 4};
static const uint8_t NEXT[5] = {1, 2, 3, 4, 0};

static inline uint64_t rotated(uint64_t lane, unsigned distance) {
  return lane << distance | lane >> (-distance & 63);
}

/* Applies Keccak-f[1600] to a. */
void keccak_f(uint64_t a[static LANES]) {
  uint64_t state[LANES], moved[LANES], parity[5], effect[5];

load:
  for (int i = 0; i < LANES; i++) state[i] = a[i];
rounds:
  for (int round = 0; round < ROUNDS; round++) {
  columns:
    for (int x = 0; x < 5; x++) {
      uint64_t sum = 0;
    column:
      for (int y = 0; y < LANES; y += 5) sum ^= state[x + y];
      parity[x] = sum;
    }
  theta:
    for (int x = 0; x < 5; x++) effect[NEXT[x]] = parity[x] ^ rotated(parity[NEXT[NEXT[x]]], 1);
  planes:
    for (int y = 0; y < LANES; y += 5) {
    rho:
      for (int x = 0; x < 5; x++) moved[PI[x + y]] = rotated(state[x + y] ^ effect[x], RHO[x + y]);
    }
  rows:
    for (int y = 0; y < LANES; y += 5) {
      uint64_t iota = y == 0 ? IOTA[round] : 0;
    chi:
      for (int x = 0; x < 5; x++) {
        uint64_t mask = ~moved[NEXT[x] + y] & moved[NEXT[NEXT[x]] + y];
        state[x + y] = moved[x + y] ^ mask ^ (x == 0 ? iota : 0);
      }
    }
  }
save:
  for (int i = 0; i < LANES; i++) a[i] = state[i];
}

/* SHAKE256: BLOCKS padded blocks come in, 8 lanes go out. */
void shake256(uint64_t out[static OUTPUT], const uint64_t in[static BLOCKS * RATE]) {
  uint64_t sponge[LANES];

clear:
  for (int i = 0; i < LANES; i++) sponge[i] = 0;
blocks:
  for (int block = 0; block < BLOCKS; block++) {
  absorb:
    for (int i = 0; i < RATE; i++) sponge[i] ^= in[RATE * block + i];
    keccak_f(sponge);
  }
squeeze:
  for (int i = 0; i < OUTPUT; i++) out[i] = sponge[i];
}
