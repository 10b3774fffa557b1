/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * BIKE's positions of fixed weight from a stream of 32-bit numbers, in constant time.
 *
 * From the last position to the first, position i is drawn from i .. length - 1; one that has been
 * drawn is replaced by i. A bit for each says which have been; so they are the polynomials, too.
 * Their addresses depend on secrets, which is harmless for a block RAM.
 */
#ifndef CODEKEM_HLS_BIKE_SAMPLE
#define CODEKEM_HLS_BIKE_SAMPLE
#include "bike_parameters.h"

enum {
  KEY_STREAM = 17 * ((2 * D + 33) / 34), /* whole blocks of SHAKE256, in words of 64 bits */
  ERROR_STREAM = 17 * ((T + 33) / 34),
  HALF = (R + 63) / 64, /* words of a polynomial in words of 64 bits */
};

static inline void draw(uint16_t *positions, uint64_t *bits, const uint64_t *stream, unsigned first,
                        unsigned count, unsigned halves) {
none:
  for (unsigned i = 0; i < halves * HALF; i++) bits[i] = 0;
positions:
  for (unsigned turn = 0; turn < count; turn++) {
    unsigned number = first + turn, i = count - 1 - turn;
    uint64_t pair = stream[number / 2];
    uint32_t drawn = (uint32_t)(number & 1 ? pair >> 32 : pair);
    unsigned position = i + (unsigned)((uint64_t)drawn * (halves * R - i) >> 32);
    position &= 0xFFFF;
    unsigned place = position < R ? position : position + (64 * HALF - R);
    unsigned seen = bits[place / 64] >> place % 64 & 1;
    position = seen ? i : position;
    place = seen ? i : place;
    bits[place / 64] |= (uint64_t)1 << place % 64;
    positions[i] = (uint16_t)position;
  }
}

/* One half of a key, from number `first` of the stream on. */
void bike_sample_key(uint16_t positions[static D], uint64_t bits[static HALF],
                     const uint64_t stream[static KEY_STREAM], PUBLIC uint16_t first) {
  draw(positions, bits, stream, first, D, 1);
}

/* Errors: those below R are of the first half, the others of the second. */
void bike_sample_errors(uint16_t positions[static T], uint64_t bits[static 2 * HALF],
                        const uint64_t stream[static ERROR_STREAM]) {
  draw(positions, bits, stream, 0, T, 2);
}
#endif
