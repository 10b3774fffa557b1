/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* SHA-3 by the names of liboqs, over the library's, whose states are on the heap and counted. */
#include <oqs/common.h>
#include <oqs/sha3.h>

#include "keccak/keccak.h"

static long open_states;

long states_open(void) {
  return open_states;
}

static void *begin(size_t rate_bytes, uint8_t suffix) {
  struct keccak_sponge *sponge = malloc(sizeof *sponge);

  OQS_EXIT_IF_NULLPTR(sponge, "small.c");
  ckem_keccak_init(sponge, &ckem_keccak_portable, rate_bytes, suffix);
  open_states += 1;
  return sponge;
}

static void end(void **sponge) {
  free(*sponge);
  *sponge = NULL;
  open_states -= 1;
}

static void hash(void *sponge, uint8_t *out, size_t length) {
  ckem_keccak_finish(sponge);
  ckem_keccak_squeeze(sponge, out, length);
}

void OQS_SHA3_sha3_256_inc_init(OQS_SHA3_sha3_256_inc_ctx *state) {
  state->ctx = begin(SHA3_256_RATE_BYTES, KECCAK_SUFFIX_SHA3);
}

void OQS_SHA3_sha3_256_inc_absorb(OQS_SHA3_sha3_256_inc_ctx *state, const uint8_t *in, size_t n) {
  ckem_keccak_absorb(state->ctx, in, n);
}

void OQS_SHA3_sha3_256_inc_finalize(uint8_t *out, OQS_SHA3_sha3_256_inc_ctx *state) {
  hash(state->ctx, out, 32);
}

void OQS_SHA3_sha3_256_inc_ctx_release(OQS_SHA3_sha3_256_inc_ctx *state) {
  end(&state->ctx);
}

void OQS_SHA3_sha3_384_inc_init(OQS_SHA3_sha3_384_inc_ctx *state) {
  state->ctx = begin(SHA3_384_RATE_BYTES, KECCAK_SUFFIX_SHA3);
}

void OQS_SHA3_sha3_384_inc_absorb(OQS_SHA3_sha3_384_inc_ctx *state, const uint8_t *in, size_t n) {
  ckem_keccak_absorb(state->ctx, in, n);
}

void OQS_SHA3_sha3_384_inc_finalize(uint8_t *out, OQS_SHA3_sha3_384_inc_ctx *state) {
  hash(state->ctx, out, 48);
}

void OQS_SHA3_sha3_384_inc_ctx_release(OQS_SHA3_sha3_384_inc_ctx *state) {
  end(&state->ctx);
}

void OQS_SHA3_sha3_512_inc_init(OQS_SHA3_sha3_512_inc_ctx *state) {
  state->ctx = begin(SHA3_512_RATE_BYTES, KECCAK_SUFFIX_SHA3);
}

void OQS_SHA3_sha3_512_inc_absorb(OQS_SHA3_sha3_512_inc_ctx *state, const uint8_t *in, size_t n) {
  ckem_keccak_absorb(state->ctx, in, n);
}

void OQS_SHA3_sha3_512_inc_finalize(uint8_t *out, OQS_SHA3_sha3_512_inc_ctx *state) {
  hash(state->ctx, out, 64);
}

void OQS_SHA3_sha3_512_inc_ctx_release(OQS_SHA3_sha3_512_inc_ctx *state) {
  end(&state->ctx);
}

void OQS_SHA3_shake256_inc_init(OQS_SHA3_shake256_inc_ctx *state) {
  state->ctx = begin(SHAKE256_RATE_BYTES, KECCAK_SUFFIX_SHAKE);
}

void OQS_SHA3_shake256_inc_absorb(OQS_SHA3_shake256_inc_ctx *state, const uint8_t *in, size_t n) {
  ckem_keccak_absorb(state->ctx, in, n);
}

void OQS_SHA3_shake256_inc_finalize(OQS_SHA3_shake256_inc_ctx *state) {
  ckem_keccak_finish(state->ctx);
}

void OQS_SHA3_shake256_inc_squeeze(uint8_t *out, size_t n, OQS_SHA3_shake256_inc_ctx *state) {
  ckem_keccak_squeeze(state->ctx, out, n);
}

void OQS_SHA3_shake256_inc_ctx_release(OQS_SHA3_shake256_inc_ctx *state) {
  end(&state->ctx);
}

void *OQS_MEM_aligned_alloc(size_t alignment, size_t size) {
  return aligned_alloc(alignment, size);
}

void OQS_MEM_aligned_free(void *memory) {
  free(memory);
}
