/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The sponge: absorbing and squeezing bytes over a permutation [FIPS 202, 4 and 6]. */
#include "keccak/keccak.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include "base/bytes.h"
#include "base/wipe.h"

void ckem_keccak_init(struct keccak_sponge *sponge, const struct keccak_ops *ops, size_t rate_bytes,
                      uint8_t suffix) {
  assert(rate_bytes % 8 == 0 && rate_bytes < 200);
  for (size_t i = 0; i < KECCAK_LANES; i++) {
    sponge->state[i] = 0;
  }
  sponge->ops = ops;
  sponge->rate_bytes = rate_bytes;
  sponge->position = 0;
  sponge->suffix = suffix;
}

/* Adds one byte to the state at a byte position. */
static void add_byte(struct keccak_sponge *sponge, size_t position, uint8_t byte) {
  sponge->state[position / 8] ^= (uint64_t)byte << (8 * (position % 8));
}

/* Adds bytes to the current block, at most to its end. Returns how many. */
static size_t add_bytes(struct keccak_sponge *sponge, const uint8_t *data, size_t length) {
  const size_t room = sponge->rate_bytes - sponge->position;
  const size_t added = length < room ? length : room;
  size_t i = 0;

  for (; i < added && (sponge->position + i) % 8 != 0; i++) {
    add_byte(sponge, sponge->position + i, data[i]);
  }
  for (; i + 8 <= added; i += 8) {
    sponge->state[(sponge->position + i) / 8] ^= load_le64(data + i);
  }
  for (; i < added; i++) {
    add_byte(sponge, sponge->position + i, data[i]);
  }
  sponge->position += added;
  return added;
}

void ckem_keccak_absorb(struct keccak_sponge *sponge, const uint8_t *data, size_t length) {
  while (length > 0) {
    if (sponge->position == 0 && sponge->ops->absorb != NULL) {
      const size_t absorbed = sponge->ops->absorb(sponge->state, data, length, sponge->rate_bytes);
      data += absorbed;
      length -= absorbed;
    }
    const size_t added = add_bytes(sponge, data, length);

    data += added;
    length -= added;
    if (sponge->position == sponge->rate_bytes) {
      sponge->ops->permute(sponge->state);
      sponge->position = 0;
    }
  }
}

void ckem_keccak_absorb_pair(struct keccak_sponge *first, const uint8_t *first_data,
                             size_t first_length, struct keccak_sponge *second,
                             const uint8_t *second_data, size_t second_length) {
  while (first_length >= first->rate_bytes - first->position &&
         second_length >= second->rate_bytes - second->position) {
    const size_t first_added = add_bytes(first, first_data, first_length);
    const size_t second_added = add_bytes(second, second_data, second_length);

    first_data += first_added;
    first_length -= first_added;
    second_data += second_added;
    second_length -= second_added;
    first->ops->permute_pair(first->state, second->state);
    first->position = 0;
    second->position = 0;
  }
  ckem_keccak_absorb(first, first_data, first_length);
  ckem_keccak_absorb(second, second_data, second_length);
}

void ckem_keccak_finish(struct keccak_sponge *sponge) {
  add_byte(sponge, sponge->position, sponge->suffix);
  add_byte(sponge, sponge->rate_bytes - 1, 0x80);
  /* The first squeeze permutes. */
  sponge->position = sponge->rate_bytes;
}

/* Takes bytes from the current block, at most to its end. Returns how many. */
static size_t take_bytes(struct keccak_sponge *sponge, uint8_t *out, size_t length) {
  const size_t room = sponge->rate_bytes - sponge->position;
  const size_t taken = length < room ? length : room;

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  memcpy(out, (const uint8_t *)sponge->state + sponge->position, taken);
#else
  for (size_t i = 0; i < taken; i++) {
    const size_t position = sponge->position + i;
    out[i] = (uint8_t)(sponge->state[position / 8] >> (8 * (position % 8)));
  }
#endif
  sponge->position += taken;
  return taken;
}

void ckem_keccak_squeeze(struct keccak_sponge *sponge, uint8_t *out, size_t length) {
  while (length > 0) {
    if (sponge->position == sponge->rate_bytes) {
      sponge->ops->permute(sponge->state);
      sponge->position = 0;
    }
    const size_t taken = take_bytes(sponge, out, length);
    out += taken;
    length -= taken;
  }
}

/* Takes a task to its next permutation. Returns false if it wants none. */
static bool wants_permutation(struct keccak_task *task) {
  struct keccak_sponge *sponge = task->sponge;

  if (task->in == NULL) {
    const size_t taken = take_bytes(sponge, task->out, task->length);
    task->out += taken;
    task->length -= taken;
    return task->length > 0;
  }
  if (task->length < sponge->rate_bytes - sponge->position) {
    return false;
  }
  const size_t added = add_bytes(sponge, task->in, task->length);
  task->in += added;
  task->length -= added;
  return true;
}

void ckem_keccak_squeeze_beside(struct keccak_sponge *sponge, uint8_t *out, size_t length,
                                struct keccak_task *task) {
  if (task == NULL) {
    ckem_keccak_squeeze(sponge, out, length);
    return;
  }
  while (length > 0) {
    if (sponge->position == sponge->rate_bytes) {
      if (wants_permutation(task)) {
        sponge->ops->permute_pair(sponge->state, task->sponge->state);
        task->sponge->position = 0;
      } else {
        sponge->ops->permute(sponge->state);
      }
      sponge->position = 0;
    }
    const size_t taken = take_bytes(sponge, out, length);
    out += taken;
    length -= taken;
  }
}

void ckem_keccak_end_task(struct keccak_task *task) {
  if (task->in != NULL) {
    ckem_keccak_absorb(task->sponge, task->in, task->length);
  } else {
    ckem_keccak_squeeze(task->sponge, task->out, task->length);
  }
  task->length = 0;
}

/* One message in, one output out. */
static void sponge_once(const struct keccak_ops *ops, size_t rate_bytes, uint8_t suffix,
                        uint8_t *out, size_t out_length, const uint8_t *data, size_t length) {
  struct keccak_sponge sponge;

  ckem_keccak_init(&sponge, ops, rate_bytes, suffix);
  ckem_keccak_absorb(&sponge, data, length);
  ckem_keccak_finish(&sponge);
  ckem_keccak_squeeze(&sponge, out, out_length);
  ckem_secure_wipe(&sponge, sizeof sponge);
}

void ckem_sha3_256(const struct keccak_ops *ops, uint8_t out[32], const uint8_t *data,
                   size_t length) {
  sponge_once(ops, SHA3_256_RATE_BYTES, KECCAK_SUFFIX_SHA3, out, 32, data, length);
}

void ckem_sha3_384(const struct keccak_ops *ops, uint8_t out[48], const uint8_t *data,
                   size_t length) {
  sponge_once(ops, SHA3_384_RATE_BYTES, KECCAK_SUFFIX_SHA3, out, 48, data, length);
}

void ckem_sha3_512(const struct keccak_ops *ops, uint8_t out[64], const uint8_t *data,
                   size_t length) {
  sponge_once(ops, SHA3_512_RATE_BYTES, KECCAK_SUFFIX_SHA3, out, 64, data, length);
}

void ckem_shake128(const struct keccak_ops *ops, uint8_t *out, size_t out_length,
                   const uint8_t *data, size_t length) {
  sponge_once(ops, SHAKE128_RATE_BYTES, KECCAK_SUFFIX_SHAKE, out, out_length, data, length);
}

void ckem_shake256(const struct keccak_ops *ops, uint8_t *out, size_t out_length,
                   const uint8_t *data, size_t length) {
  sponge_once(ops, SHAKE256_RATE_BYTES, KECCAK_SUFFIX_SHAKE, out, out_length, data, length);
}
