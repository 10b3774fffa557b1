/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Sponges side by side: independent strings of equal length, one in each lane of the vectors. */
#include <assert.h>
#include <string.h>

#include "base/bytes.h"
#include "base/wipe.h"
#include "keccak/keccak.h"

void ckem_keccak_many_init(struct keccak_many *many, const struct keccak_ops *ops, size_t count,
                           size_t rate_bytes, uint8_t suffix) {
  assert(ops->width <= KECCAK_MAX_WIDTH && 1 <= count && count <= ops->width);
  assert(rate_bytes % 8 == 0 && rate_bytes < 200);
  memset(many->states, 0, sizeof many->states);
  many->ops = ops;
  many->count = count;
  many->rate_bytes = rate_bytes;
  many->position = 0;
  many->suffix = suffix;
}

/* Returns where the lane with a byte of sponge 0 is; those of the others follow. */
static uint64_t *lanes_at(struct keccak_many *many, size_t position) {
  return many->states + many->ops->width * (position / 8);
}

/* Adds one byte to all sponges. */
static void add_to_all(struct keccak_many *many, size_t position, uint8_t byte) {
  uint64_t *lanes = lanes_at(many, position);

  for (size_t j = 0; j < many->count; j++) {
    lanes[j] ^= (uint64_t)byte << (8 * (position % 8));
  }
}

/* Adds data[j][start] to data[j][start + length - 1] to the current blocks, where there is room. */
static void add_to_blocks(struct keccak_many *many, const uint8_t *const data[], size_t start,
                          size_t length) {
  size_t i = 0;

  while (i < length) {
    const size_t position = many->position + i;
    uint64_t *lanes = lanes_at(many, position);
    if (position % 8 == 0 && length - i >= 8) {
      for (size_t j = 0; j < many->count; j++) {
        lanes[j] ^= load_le64(data[j] + start + i);
      }
      i += 8;
    } else {
      for (size_t j = 0; j < many->count; j++) {
        lanes[j] ^= (uint64_t)data[j][start + i] << (8 * (position % 8));
      }
      i += 1;
    }
  }
  many->position += length;
}

void ckem_keccak_many_absorb(struct keccak_many *many, const uint8_t *const data[], size_t length) {
  for (size_t done = 0; done < length;) {
    const size_t room = many->rate_bytes - many->position;
    const size_t added = length - done < room ? length - done : room;

    add_to_blocks(many, data, done, added);
    done += added;
    if (many->position == many->rate_bytes) {
      many->ops->permute_many(many->states);
      many->position = 0;
    }
  }
}

void ckem_keccak_many_finish(struct keccak_many *many) {
  add_to_all(many, many->position, many->suffix);
  add_to_all(many, many->rate_bytes - 1, 0x80);
  /* The first squeeze permutes. */
  many->position = many->rate_bytes;
}

/* Takes length bytes of the current blocks, which have them, to out[j] + start. */
static void take_from_blocks(struct keccak_many *many, uint8_t *const out[], size_t start,
                             size_t length) {
  size_t i = 0;

  while (i < length) {
    const size_t position = many->position + i;
    const uint64_t *lanes = lanes_at(many, position);
    if (position % 8 == 0 && length - i >= 8) {
      for (size_t j = 0; j < many->count; j++) {
        store_le64(out[j] + start + i, lanes[j]);
      }
      i += 8;
    } else {
      for (size_t j = 0; j < many->count; j++) {
        out[j][start + i] = (uint8_t)(lanes[j] >> (8 * (position % 8)));
      }
      i += 1;
    }
  }
  many->position += length;
}

void ckem_keccak_many_squeeze(struct keccak_many *many, uint8_t *const out[], size_t length) {
  for (size_t done = 0; done < length;) {
    if (many->position == many->rate_bytes) {
      many->ops->permute_many(many->states);
      many->position = 0;
    }
    const size_t room = many->rate_bytes - many->position;
    const size_t taken = length - done < room ? length - done : room;
    take_from_blocks(many, out, done, taken);
    done += taken;
  }
}

void ckem_keccak_many_copy_one(const struct keccak_many *many, size_t j,
                               struct keccak_sponge *sponge) {
  assert(j < many->count);
  for (size_t i = 0; i < KECCAK_LANES; i++) {
    sponge->state[i] = many->states[many->ops->width * i + j];
  }
  sponge->ops = many->ops;
  sponge->rate_bytes = many->rate_bytes;
  sponge->position = many->position;
  sponge->suffix = many->suffix;
}

void ckem_keccak_hash_many(const struct keccak_ops *ops, size_t rate_bytes, uint8_t suffix,
                           uint8_t *const out[], size_t out_length, const uint8_t *const data[],
                           size_t length, size_t count) {
  struct keccak_many many;

  for (size_t first = 0; first < count; first += ops->width) {
    const size_t rest = count - first;
    ckem_keccak_many_init(&many, ops, rest < ops->width ? rest : ops->width, rate_bytes, suffix);
    ckem_keccak_many_absorb(&many, data + first, length);
    ckem_keccak_many_finish(&many);
    ckem_keccak_many_squeeze(&many, out + first, out_length);
  }
  ckem_secure_wipe(&many, sizeof many);
}
