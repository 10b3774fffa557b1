/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Seeds of fast random numbers. */
#include "random.h"

#include <string.h>

void random_open(struct lab_random *random, const uint8_t seed[DRAW_SEED_BYTES], uint64_t index) {
  struct stream stream;

  stream_open(&stream, seed, index);
  for (int i = 0; i < 4; i++) {
    const uint64_t low = uniform(&stream, UINT32_MAX);
    random->state[i] = low | (uint64_t)uniform(&stream, UINT32_MAX) << 32;
  }
  random->state[0] |= 1; /* never all zero */
}

uint64_t random_ties(const uint8_t seed[DRAW_SEED_BYTES], uint64_t index) {
  uint64_t word;

  memcpy(&word, seed, sizeof word);
  return word ^ index * UINT64_C(0x9E3779B97F4A7C15);
}

void random_open_short(struct lab_random *random, uint64_t seed) {
  for (int i = 0; i < 4; i++) { /* splitmix64, as the authors of xoshiro advise */
    seed += UINT64_C(0x9E3779B97F4A7C15);
    uint64_t z = seed;
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    random->state[i] = z ^ z >> 31;
  }
}
