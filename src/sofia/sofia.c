/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What key generation, signing and verification share: F, scalars, hashing, challenges. */
#include "sofia/sofia.h"

#include <string.h>

/* cSHAKE128 [SP 800-185, 3.3] without a function name, customised by two bytes: a part's number. */
#define CSHAKE_SUFFIX 0x04

/* --- The system ------------------------------------------------------------------------------- */

void ckem_sofia_start_parts(struct keccak_many *parts, const struct keccak_ops *ops, size_t first,
                            size_t count, const uint8_t *seed) {
  uint8_t heads[SOFIA_PARTS][SHAKE128_RATE_BYTES];
  const uint8_t *head_of[SOFIA_PARTS], *seed_of[SOFIA_PARTS];

  for (size_t j = 0; j < count; j++) {
    /* The rate, no name, 16 bits of customisation: lengths and what they measure. */
    const uint8_t head[] = {1, SHAKE128_RATE_BYTES, 1, 0, 1, 16, (uint8_t)(first + j), 0};
    memset(heads[j], 0, sizeof heads[j]);
    memcpy(heads[j], head, sizeof head);
    head_of[j] = heads[j];
    seed_of[j] = seed;
  }
  ckem_keccak_many_init(parts, ops, count, SHAKE128_RATE_BYTES, CSHAKE_SUFFIX);
  ckem_keccak_many_absorb(parts, head_of, SHAKE128_RATE_BYTES);
  ckem_keccak_many_absorb(parts, seed_of, SOFIA_SEED_BYTES);
  ckem_keccak_many_finish(parts);
}

void ckem_sofia_expand(const struct keccak_ops *ops, uint8_t *system, const uint8_t *seed) {
  struct keccak_many parts;

  for (size_t first = 0; first < SOFIA_PARTS; first += ops->width) {
    const size_t rest = SOFIA_PARTS - first;
    const size_t count = rest < ops->width ? rest : ops->width;
    uint8_t *out[SOFIA_PARTS];

    for (size_t j = 0; j < count; j++) {
      out[j] = system + (first + j) * (MQ4_SYSTEM_BYTES / SOFIA_PARTS);
    }
    ckem_sofia_start_parts(&parts, ops, first, count, seed);
    ckem_keccak_many_squeeze(&parts, out, MQ4_SYSTEM_BYTES / SOFIA_PARTS);
  }
}

/* --- Vectors ---------------------------------------------------------------------------------- */

void ckem_sofia_add_scaled(uint8_t *out, unsigned alpha, const uint8_t *x, const uint8_t *y) {
  for (size_t i = 0; i < MQ4_PLANE_BYTES; i++) {
    const uint8_t lo = x[i], hi = x[MQ4_PLANE_BYTES + i];
    uint8_t product_lo = 0, product_hi = 0;
    if (alpha == 1) {
      product_lo = lo;
      product_hi = hi;
    } else if (alpha == 2) { /* w (lo + hi w) = hi + (lo + hi) w */
      product_lo = hi;
      product_hi = lo ^ hi;
    }
    out[i] = product_lo ^ y[i];
    out[MQ4_PLANE_BYTES + i] = product_hi ^ y[MQ4_PLANE_BYTES + i];
  }
}

/* --- Hashing ---------------------------------------------------------------------------------- */

void ckem_sofia_hash_flush(struct sofia_hasher *hasher) {
  ckem_keccak_hash_many(hasher->ops, SHAKE128_RATE_BYTES, KECCAK_SUFFIX_SHAKE, hasher->out,
                        hasher->out_bytes, hasher->in, hasher->in_bytes, hasher->count);
  hasher->count = 0;
}

static void begin_hasher(struct sofia_hasher *hasher, const struct keccak_ops *ops, size_t in,
                         size_t out) {
  hasher->ops = ops;
  hasher->in_bytes = in;
  hasher->out_bytes = out;
  hasher->count = 0;
}

void ckem_sofia_hashers_begin(struct sofia_hashers *hashers, const struct keccak_ops *ops) {
  begin_hasher(&hashers->first, ops, 96, SOFIA_HASH_BYTES);
  begin_hasher(&hashers->second, ops, 64, SOFIA_HASH_BYTES);
  begin_hasher(&hashers->answers, ops, 64, SOFIA_ANSWER_BYTES);
  begin_hasher(&hashers->halves, ops, 32, SOFIA_VECTOR_BYTES);
}

void ckem_sofia_hashers_flush(struct sofia_hashers *hashers) {
  ckem_sofia_hash_flush(&hashers->first);
  ckem_sofia_hash_flush(&hashers->second);
  ckem_sofia_hash_flush(&hashers->answers);
  ckem_sofia_hash_flush(&hashers->halves);
}

void ckem_sofia_hash_add(struct sofia_hasher *hasher, uint8_t *out, const uint8_t *in) {
  hasher->out[hasher->count] = out;
  hasher->in[hasher->count] = in;
  hasher->count += 1;
  if (hasher->count == SOFIA_HASH_GROUP) {
    ckem_sofia_hash_flush(hasher);
  }
}

void ckem_sofia_transcript(struct keccak_sponge *hash, const struct keccak_ops *ops,
                           const uint8_t *public_key, const struct sofia_transcript *transcript) {
  ckem_keccak_init(hash, ops, SHAKE128_RATE_BYTES, KECCAK_SUFFIX_SHAKE);
  ckem_keccak_absorb(hash, public_key, SOFIA_PUBLIC_KEY_BYTES);
  ckem_keccak_absorb(hash, (const uint8_t *)transcript, sizeof *transcript);
}

/* --- Challenges ------------------------------------------------------------------------------- */

/* Three of four draws give a challenge, so that no good stream ever needs as many. */
#define MOST_DRAWS (16 * SOFIA_ROUNDS)

/* The bits of a stream, the lowest of each byte first. */
struct bits {
  sofia_stream *stream;
  void *context;
  uint8_t block[SHAKE128_RATE_BYTES];
  size_t used; /* bits of the block */
};

static unsigned take_bit(struct bits *bits) {
  if (bits->used >= 8 * sizeof bits->block) {
    bits->stream(bits->context, bits->block, sizeof bits->block);
    bits->used = 0;
  }
  const unsigned bit = bits->block[bits->used / 8] >> bits->used % 8 & 1;
  bits->used += 1;
  return bit;
}

bool ckem_sofia_sample_challenges(struct sofia_challenges *challenges, sofia_stream *stream,
                                  void *context) {
  struct bits bits = {.stream = stream, .context = context, .used = 8 * sizeof bits.block};
  size_t drawn = 0;

  memset(challenges, 0, sizeof *challenges);
  /* For the proof of memory safety: one state for each number drawn, no unrolling. */
  //@ dynamic_split drawn;
  //@ loop unroll 0;
  for (size_t n = 0; drawn < SOFIA_ROUNDS; n++) {
    if (n == MOST_DRAWS) {
      return false;
    }
    const unsigned low = take_bit(&bits);
    const unsigned alpha = low | take_bit(&bits) << 1;
    if (alpha < SOFIA_ALPHAS) {
      challenges->alpha[drawn] = (uint8_t)alpha;
      drawn += 1;
    }
  }
  for (size_t i = 0; i < SOFIA_ROUNDS; i++) { /* from the next bit on, wherever that is */
    challenges->bit[i] = (uint8_t)take_bit(&bits);
  }
  return true;
}

static void squeeze_stream(void *context, uint8_t *out, size_t length) {
  ckem_keccak_squeeze(context, out, length);
}

bool ckem_sofia_challenges_of(struct sofia_challenges *challenges, const struct keccak_ops *ops,
                              const uint8_t *hash) {
  struct keccak_sponge sponge;

  ckem_keccak_init(&sponge, ops, SHAKE128_RATE_BYTES, KECCAK_SUFFIX_SHAKE);
  ckem_keccak_absorb(&sponge, hash, SOFIA_HASH_BYTES);
  ckem_keccak_finish(&sponge);
  return ckem_sofia_sample_challenges(challenges, squeeze_stream, &sponge);
}
