/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The samplers of HQC, in constant time.
 *
 * A bit for each position says which have been drawn; so it is the vector, too. Its address depends
 * on a secret, which is harmless for a block RAM.
 */
#include "hls.h"
#include "hqc_layout.h"

/*
 * Candidates for WEIGHT positions. That more than 32 are refused, so that positions are missing,
 * has a probability below 2^-128.
 */
enum { CANDIDATES = WEIGHT + 32, RECIPROCAL = (uint32_t)(0x100000000 / N) };
enum { UNUSED = POSITIONS - 1, KEPT = 0, NOT_KEPT = POSITIONS / 2 };
/* Words of the stream that two vectors by rejection take, and three of fixed size. */
enum { REJECTION_WORDS = 6 * CANDIDATES / 8 + 2, FIXED_WORDS = (12 * WEIGHT_R + 7) / 8 };

static inline void no_positions(uint64_t bits[static WORD_COUNT]) {
none:
  for (int i = 0; i < WORD_COUNT; i++) bits[i] = 0;
}

/*
 * Draws WEIGHT positions by rejection from the stream's candidates of 24 bits, candidate `opening`
 * first; returns the candidate after the last one that is used. Positions are given if keep is set.
 */
uint16_t sample_rejection(uint16_t positions[static POSITIONS], uint64_t bits[static WORD_COUNT],
                          const uint64_t data[static DATA], uint16_t opening, PUBLIC uint8_t keep) {
  unsigned found = 0, next = 0;

  no_positions(bits);
candidates:
  for (unsigned i = 0; i < CANDIDATES; i++) {
    unsigned number = opening + i, byte = (3 * number) & 0x7FF, shift = 8 * (byte & 7);
    uint64_t low = data[STREAM + byte / 8], high = data[STREAM + byte / 8 + 1];
    uint32_t drawn = (uint32_t)(low >> shift | high << 1 << (63 - shift)) & 0xFFFFFF;
    uint32_t quotient = (uint32_t)((uint64_t)drawn * RECIPROCAL >> 32);
    uint32_t position = drawn - quotient * N;
    position = (position >= N ? position - N : position) & 0xFFFF;
    uint64_t word = bits[position / 64];
    unsigned seen = word >> position % 64 & 1;
    unsigned taken = (drawn < BOUND) & (seen ^ 1) & (found < WEIGHT);
    bits[position / 64] = word | (uint64_t)taken << position % 64;
    positions[taken & keep ? found : UNUSED] = (uint16_t)position;
    found += taken;
    next = taken ? number + 1 : next;
  }
  return (uint16_t)next;
}

/*
 * Draws WEIGHT_R positions from the stream's numbers of 32 bits, number `first` first: position i
 * from i .. N - 1; from the last to the first, one that comes again later is replaced by i.
 */
void sample_fixed(uint16_t positions[static POSITIONS], uint64_t bits[static WORD_COUNT],
                  const uint64_t data[static DATA], PUBLIC uint16_t first, PUBLIC uint16_t to) {
  no_positions(bits);
numbers:
  for (unsigned i = 0; i < WEIGHT_R; i++) {
    unsigned number = first + i;
    uint64_t word = data[STREAM + number / 2];
    uint32_t drawn = (uint32_t)(number & 1 ? word >> 32 : word);
    positions[to + i] = (uint16_t)(i + (uint32_t)((uint64_t)drawn * (N - i) >> 32));
  }
places:
  for (unsigned i = WEIGHT_R; i-- > 0;) {
    unsigned position = positions[to + i];
    unsigned seen = bits[position / 64] >> position % 64 & 1;
    position = seen ? i : position;
    positions[to + i] = (uint16_t)position;
    bits[position / 64] |= (uint64_t)1 << position % 64;
  }
}
