/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Random numbers and sets of positions from a seed and a number. */
#ifndef CODEKEM_EVALUATION_DRAW_H
#define CODEKEM_EVALUATION_DRAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "keccak/keccak.h"

#define DRAW_SEED_BYTES 32
#define DRAW_MAX_POSITION (2 * 57637) /* above every position */

/* SHAKE128 of seed and index, in blocks. */
struct stream {
  struct keccak_sponge sponge;
  uint8_t block[SHAKE128_RATE_BYTES];
  size_t used;
};

/* A set of positions. */
struct set {
  uint64_t bits[(DRAW_MAX_POSITION + 63) / 64];
};

/* Starts the stream of a seed and an index. */
void stream_open(struct stream *stream, const uint8_t seed[DRAW_SEED_BYTES], uint64_t index);

/* Returns a uniform number below limit, by rejection. */
uint32_t uniform(struct stream *stream, uint32_t limit);

static inline bool contains(const struct set *set, uint32_t number) {
  return (set->bits[number / 64] >> (number % 64) & 1) != 0;
}

static inline void insert(struct set *set, uint32_t number) {
  set->bits[number / 64] |= UINT64_C(1) << (number % 64);
}

/* Fills list[from .. count) with distinct numbers below limit that are not in set, uniformly, and
 * puts them into set. */
void draw_distinct(struct stream *stream, struct set *set, uint32_t *list, uint32_t from,
                   uint32_t count, uint32_t limit);

#endif
