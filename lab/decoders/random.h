/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Fast random numbers for simulations: xoshiro256++ [BV21], seeded by SHAKE128. */
#ifndef CODEKEM_EVALUATION_RANDOM_H
#define CODEKEM_EVALUATION_RANDOM_H

#include <stdint.h>

#include "../dfr/draw.h"

struct lab_random {
  uint64_t state[4];
};

/* Starts the numbers of a seed and an index. */
void random_open(struct lab_random *random, const uint8_t seed[DRAW_SEED_BYTES], uint64_t index);

/* Starts the numbers of 64 bits; quicker, for ties within one decoding. */
void random_open_short(struct lab_random *random, uint64_t seed);

/* The seed of the ties of decoding number index. */
uint64_t random_ties(const uint8_t seed[DRAW_SEED_BYTES], uint64_t index);

static inline uint64_t random_rotated(uint64_t a, unsigned by) {
  return a << by | a >> (64 - by);
}

static inline uint64_t random_word(struct lab_random *random) {
  uint64_t *s = random->state;
  const uint64_t result = random_rotated(s[0] + s[3], 23) + s[0];
  const uint64_t shifted = s[1] << 17;

  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= shifted;
  s[3] = random_rotated(s[3], 45);
  return result;
}

/* Returns a uniform number below limit, by Lemire's multiplication with rejection. */
static inline uint32_t random_below(struct lab_random *random, uint32_t limit) {
  uint64_t product = (random_word(random) >> 32) * limit;

  if ((uint32_t)product < limit) {
    const uint32_t bound = (uint32_t)(0U - limit) % limit;
    while ((uint32_t)product < bound) {
      product = (random_word(random) >> 32) * limit;
    }
  }
  return (uint32_t)(product >> 32);
}

#endif
