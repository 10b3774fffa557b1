/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * SHA-3 and SHAKE [FIPS 202] of liboqs, in the place of keccak/keccak.h: so a program that has
 * given liboqs functions of its own (OQS_SHA3_set_callbacks) hashes with these here, too.
 *
 * A state of liboqs is memory of the heap, which somebody has to release, and schemes do not say
 * when they need a stream no more. So each thread has a list of those that are open, and whoever
 * calls an operation ends with ckem_keccak_release.
 */
#ifndef CODEKEM_KECCAK_KECCAK_H
#define CODEKEM_KECCAK_KECCAK_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <oqs/sha3.h>

#include "base/isa.h"
#include "base/wipe.h"

#define SHAKE256_RATE_BYTES 136
#define SHA3_256_RATE_BYTES 136
#define SHA3_384_RATE_BYTES 104
#define SHA3_512_RATE_BYTES 72
#define KECCAK_SUFFIX_SHA3 0x06
#define KECCAK_SUFFIX_SHAKE 0x1F

/* All back ends hash alike; the table of them names these. */
struct keccak_ops {
  const char *name;
};
static const struct keccak_ops ckem_keccak_of_liboqs = {"liboqs"};
#define ckem_keccak_portable ckem_keccak_of_liboqs
#define ckem_keccak_avx2 ckem_keccak_of_liboqs
#define ckem_keccak_avx512 ckem_keccak_of_liboqs
#define ckem_keccak_neon ckem_keccak_of_liboqs
#define ckem_keccak_neon32 ckem_keccak_of_liboqs
#define ckem_keccak_neon_sha3 ckem_keccak_of_liboqs
#define ckem_keccak_rvv ckem_keccak_of_liboqs

/* Batches alone have several states side by side, and this copy has no code for them. */
#define KECCAK_MAX_WIDTH 1
struct keccak_many;

/* A state of liboqs and the sponge that it belongs to; NULL if it is not open. */
struct keccak_state {
  const struct keccak_sponge *owner;
  size_t rate_bytes;
  uint8_t suffix;
  union {
    OQS_SHA3_sha3_256_inc_ctx sha3_256;
    OQS_SHA3_sha3_384_inc_ctx sha3_384;
    OQS_SHA3_sha3_512_inc_ctx sha3_512;
    OQS_SHA3_shake256_inc_ctx shake256;
  } of;
};

/* More sponges than an operation has. */
#define KECCAK_OPEN_STATES 8
static _Thread_local struct keccak_state keccak_open[KECCAK_OPEN_STATES];

struct keccak_sponge {
  struct keccak_state *state;
};

static inline void keccak_release_one(struct keccak_state *state) {
  if (state->suffix == KECCAK_SUFFIX_SHAKE) {
    OQS_SHA3_shake256_inc_ctx_release(&state->of.shake256);
  } else if (state->rate_bytes == SHA3_512_RATE_BYTES) {
    OQS_SHA3_sha3_512_inc_ctx_release(&state->of.sha3_512);
  } else if (state->rate_bytes == SHA3_384_RATE_BYTES) {
    OQS_SHA3_sha3_384_inc_ctx_release(&state->of.sha3_384);
  } else {
    OQS_SHA3_sha3_256_inc_ctx_release(&state->of.sha3_256);
  }
  state->owner = NULL;
}

/* Releases what this thread has open. */
void ckem_keccak_release(void);

/* The functions of keccak/keccak.h, on the same terms. */

static inline void ckem_keccak_init(struct keccak_sponge *sponge, const struct keccak_ops *ops,
                                    size_t rate_bytes, uint8_t suffix) {
  struct keccak_state *state = NULL;

  (void)ops;
  for (size_t i = 0; i < KECCAK_OPEN_STATES; i++) {
    if (keccak_open[i].owner == sponge) {
      keccak_release_one(&keccak_open[i]);
    }
  }
  for (size_t i = 0; i < KECCAK_OPEN_STATES && state == NULL; i++) {
    state = keccak_open[i].owner == NULL ? &keccak_open[i] : NULL;
  }
  if (state == NULL) {
    OQS_EXIT_IF_NULLPTR(state, "codekem");
  }
  state->owner = sponge;
  state->rate_bytes = rate_bytes;
  state->suffix = suffix;
  sponge->state = state;
  if (suffix == KECCAK_SUFFIX_SHAKE) {
    OQS_SHA3_shake256_inc_init(&state->of.shake256);
  } else if (rate_bytes == SHA3_512_RATE_BYTES) {
    OQS_SHA3_sha3_512_inc_init(&state->of.sha3_512);
  } else if (rate_bytes == SHA3_384_RATE_BYTES) {
    OQS_SHA3_sha3_384_inc_init(&state->of.sha3_384);
  } else {
    OQS_SHA3_sha3_256_inc_init(&state->of.sha3_256);
  }
}

static inline void ckem_keccak_absorb(struct keccak_sponge *sponge, const uint8_t *data,
                                      size_t length) {
  struct keccak_state *state = sponge->state;

  if (state->suffix == KECCAK_SUFFIX_SHAKE) {
    OQS_SHA3_shake256_inc_absorb(&state->of.shake256, data, length);
  } else if (state->rate_bytes == SHA3_512_RATE_BYTES) {
    OQS_SHA3_sha3_512_inc_absorb(&state->of.sha3_512, data, length);
  } else if (state->rate_bytes == SHA3_384_RATE_BYTES) {
    OQS_SHA3_sha3_384_inc_absorb(&state->of.sha3_384, data, length);
  } else {
    OQS_SHA3_sha3_256_inc_absorb(&state->of.sha3_256, data, length);
  }
}

static inline void ckem_keccak_absorb_pair(struct keccak_sponge *first, const uint8_t *first_data,
                                           size_t first_length, struct keccak_sponge *second,
                                           const uint8_t *second_data, size_t second_length) {
  ckem_keccak_absorb(first, first_data, first_length);
  ckem_keccak_absorb(second, second_data, second_length);
}

static inline void ckem_keccak_finish(struct keccak_sponge *sponge) {
  if (sponge->state->suffix == KECCAK_SUFFIX_SHAKE) {
    OQS_SHA3_shake256_inc_finalize(&sponge->state->of.shake256);
  }
}

/* A hash is squeezed once: as a whole, or BIKE's, of which 32 bytes are wanted. */
static inline void ckem_keccak_squeeze(struct keccak_sponge *sponge, uint8_t *out, size_t length) {
  struct keccak_state *state = sponge->state;

  if (state->suffix == KECCAK_SUFFIX_SHAKE) {
    OQS_SHA3_shake256_inc_squeeze(out, length, &state->of.shake256);
  } else if (state->rate_bytes == SHA3_512_RATE_BYTES) {
    assert(length == 64);
    OQS_SHA3_sha3_512_inc_finalize(out, &state->of.sha3_512);
  } else if (state->rate_bytes == SHA3_384_RATE_BYTES) {
    uint8_t whole[48];
    assert(length <= sizeof whole);
    OQS_SHA3_sha3_384_inc_finalize(whole, &state->of.sha3_384);
    memcpy(out, whole, length);
    ckem_secure_wipe(whole, sizeof whole);
  } else {
    assert(length == 32);
    OQS_SHA3_sha3_256_inc_finalize(out, &state->of.sha3_256);
  }
}

/* What another sponge has to do meanwhile: to absorb in[length], or, if in is NULL, to squeeze
 * out[length]. liboqs does one after the other. */
struct keccak_task {
  struct keccak_sponge *sponge;
  const uint8_t *in;
  uint8_t *out;
  size_t length;
};

static inline void ckem_keccak_squeeze_beside(struct keccak_sponge *sponge, uint8_t *out,
                                              size_t length, struct keccak_task *task) {
  (void)task;
  ckem_keccak_squeeze(sponge, out, length);
}

static inline void ckem_keccak_end_task(struct keccak_task *task) {
  if (task->in != NULL) {
    ckem_keccak_absorb(task->sponge, task->in, task->length);
  } else {
    ckem_keccak_squeeze(task->sponge, task->out, task->length);
  }
  task->length = 0;
}

static inline void ckem_sha3_256(const struct keccak_ops *ops, uint8_t out[32], const uint8_t *data,
                                 size_t length) {
  OQS_SHA3_sha3_256_inc_ctx state;

  (void)ops;
  OQS_SHA3_sha3_256_inc_init(&state);
  OQS_SHA3_sha3_256_inc_absorb(&state, data, length);
  OQS_SHA3_sha3_256_inc_finalize(out, &state);
  OQS_SHA3_sha3_256_inc_ctx_release(&state);
}

static inline void ckem_shake256(const struct keccak_ops *ops, uint8_t *out, size_t out_length,
                                 const uint8_t *data, size_t length) {
  OQS_SHA3_shake256_inc_ctx state;

  (void)ops;
  OQS_SHA3_shake256_inc_init(&state);
  OQS_SHA3_shake256_inc_absorb(&state, data, length);
  OQS_SHA3_shake256_inc_finalize(&state);
  OQS_SHA3_shake256_inc_squeeze(out, out_length, &state);
  OQS_SHA3_shake256_inc_ctx_release(&state);
}

#endif
