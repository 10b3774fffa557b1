/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Random numbers and sets of positions from a seed and a number. */
#include "draw.h"

#include <string.h>

#include "base/bytes.h"

void stream_open(struct stream *stream, const uint8_t seed[DRAW_SEED_BYTES], uint64_t index) {
  uint8_t input[DRAW_SEED_BYTES + 8];

  memcpy(input, seed, DRAW_SEED_BYTES);
  store_le64(input + DRAW_SEED_BYTES, index);
  ckem_keccak_init(&stream->sponge, &ckem_keccak_portable, SHAKE128_RATE_BYTES,
                   KECCAK_SUFFIX_SHAKE);
  ckem_keccak_absorb(&stream->sponge, input, sizeof input);
  ckem_keccak_finish(&stream->sponge);
  stream->used = sizeof stream->block;
}

uint32_t uniform(struct stream *stream, uint32_t limit) {
  const uint32_t bound = UINT32_MAX - UINT32_MAX % limit; /* a multiple of limit */
  uint32_t word;

  do {
    if (stream->used == sizeof stream->block) {
      ckem_keccak_squeeze(&stream->sponge, stream->block, sizeof stream->block);
      stream->used = 0;
    }
    word = load_le32(stream->block + stream->used);
    stream->used += 4;
  } while (word >= bound);
  return word % limit;
}

void draw_distinct(struct stream *stream, struct set *set, uint32_t *list, uint32_t from,
                   uint32_t count, uint32_t limit) {
  for (uint32_t held = from; held < count;) {
    const uint32_t candidate = uniform(stream, limit);
    if (!contains(set, candidate)) {
      insert(set, candidate);
      list[held++] = candidate;
    }
  }
}
