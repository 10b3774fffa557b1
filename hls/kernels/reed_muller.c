/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The first-order Reed-Muller code of HQC: a byte to 128 bits, COPIES times.
 *
 * A code word is COPIES times two words of 64 bits. The decoder adds the copies up, transforms by
 * Hadamard and takes the greatest peak, the one at the lowest place if several are as great.
 */
#include "hls.h"
#include "hqc_parameters.h"

#ifndef PEAKS
#define PEAKS 1 /* places that the search looks at in each turn; a power of two */
#endif
#ifndef IN_PLACE
#define IN_PLACE 1 /* the transform: in a memory, or all sums in registers */
#endif
enum { BITS = 128 };
#ifndef SUM_BITS
#define SUM_BITS 11 /* 10 are enough for three copies: sums are COPIES * 128 at most */
#endif
typedef _BitInt(SUM_BITS) sum_t;
typedef unsigned _BitInt(20) key_t; /* size of a peak, place (inverted), sign */

/* The first half of a byte's word; the second is the same, or its complement if bit 6 is set. */
static inline uint64_t rm_half(uint8_t byte) {
  /* Bit j of row i + 1 is bit i of j. */
  static const uint64_t ROWS[6] = {0xAAAAAAAAAAAAAAAA, 0xCCCCCCCCCCCCCCCC, 0xF0F0F0F0F0F0F0F0,
                                   0xFF00FF00FF00FF00, 0xFFFF0000FFFF0000, 0xFFFFFFFF00000000};
  uint64_t low = -(uint64_t)(byte >> 7 & 1);

rows:
  for (int j = 0; j < 6; j++) low ^= ROWS[j] & -(uint64_t)(byte >> j & 1);
  return low;
}

void rm_encode(uint64_t code[static SYMBOLS * COPIES * 2], const uint8_t message[static SYMBOLS]) {
bytes:
  for (int i = 0; i < SYMBOLS; i++) {
    uint8_t byte = message[i];
    uint64_t low = rm_half(byte), high = low ^ -(uint64_t)(byte >> 6 & 1);
  copies:
    for (int j = 0; j < COPIES; j++) {
      code[(i * COPIES + j) * 2] = low;
      code[(i * COPIES + j) * 2 + 1] = high;
    }
  }
}

/* Adds the code words to sum. */
void rm_add(uint64_t sum[static SYMBOLS * COPIES * 2], const uint8_t message[static SYMBOLS]) {
each:
  for (int i = 0; i < SYMBOLS; i++) {
    uint8_t byte = message[i];
    uint64_t low = rm_half(byte), high = low ^ -(uint64_t)(byte >> 6 & 1);
  add:
    for (int j = 0; j < COPIES * 2; j++) sum[i * COPIES * 2 + j] ^= j & 1 ? high : low;
  }
}

void rm_decode(uint8_t message[static SYMBOLS], const uint64_t code[static SYMBOLS * COPIES * 2]) {
symbols:
  for (int i = 0; i < SYMBOLS; i++) {
    sum_t sums[BITS], other[BITS];
  halves:
    for (int half = 0; half < 2; half++) {
      uint64_t copy[COPIES];
    fetch:
      for (int c = 0; c < COPIES; c++) copy[c] = code[(i * COPIES + c) * 2 + half];
    bits:
      for (int j = 0; j < 64; j++) {
        sum_t count = 0;
      count:
        for (int c = 0; c < COPIES; c++) {
          count += (sum_t)(copy[c] & 1);
          copy[c] >>= 1;
        }
        sums[64 * half + j] = count;
      }
    }
    if (IN_PLACE) {
    passes:
      for (unsigned pass = 0; pass < 7; pass++) {
      pairs:
        for (unsigned k = 0; k < 64; k++) {
          unsigned below = (1u << pass) - 1;
          unsigned first = (k & ~below) << 1 | (k & below), second = first | 1u << pass;
          sum_t u = sums[first], v = sums[second];
          sums[first] = u + v;
          sums[second] = u - v;
        }
      }
    } else { /* constant geometry: seven times the same layer */
    layers:
      for (int layer = 0; layer < 7; layer++) {
      butterflies:
        for (int k = 0; k < 64; k++) {
          other[k] = sums[2 * k] + sums[2 * k + 1];
          other[k + 64] = sums[2 * k] - sums[2 * k + 1];
        }
      back:
        for (int k = 0; k < BITS; k++) sums[k] = other[k];
      }
    }
    key_t best = 0;
  peaks:
    for (unsigned turn = 0; turn < BITS / PEAKS; turn++) {
      key_t greatest = 0;
    lanes:
      for (unsigned lane = 0; lane < PEAKS; lane++) {
        unsigned place = turn * PEAKS + lane;
        sum_t value = sums[place] - (place == 0 ? 64 * COPIES : 0);
        sum_t size = value < 0 ? -value : value;
        key_t key = (key_t)size << 8 | (key_t)(127 - place) << 1 | (key_t)(value > 0);
        greatest = key > greatest ? key : greatest;
      }
      best = greatest > best ? greatest : best;
    }
    message[i] = (uint8_t)((127 - (unsigned)(best >> 1 & 127)) | (unsigned)(best & 1) << 7);
  }
}
