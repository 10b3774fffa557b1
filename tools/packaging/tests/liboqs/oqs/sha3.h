/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The part of liboqs's interface that our glue calls, by the names that it has there. */
#ifndef CODEKEM_TESTS_OQS_SHA3_H
#define CODEKEM_TESTS_OQS_SHA3_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  void *ctx;
} OQS_SHA3_sha3_256_inc_ctx;
typedef struct {
  void *ctx;
} OQS_SHA3_sha3_384_inc_ctx;
typedef struct {
  void *ctx;
} OQS_SHA3_sha3_512_inc_ctx;
typedef struct {
  void *ctx;
} OQS_SHA3_shake256_inc_ctx;

void OQS_SHA3_sha3_256_inc_init(OQS_SHA3_sha3_256_inc_ctx *state);
void OQS_SHA3_sha3_256_inc_absorb(OQS_SHA3_sha3_256_inc_ctx *state, const uint8_t *in, size_t n);
void OQS_SHA3_sha3_256_inc_finalize(uint8_t *out, OQS_SHA3_sha3_256_inc_ctx *state);
void OQS_SHA3_sha3_256_inc_ctx_release(OQS_SHA3_sha3_256_inc_ctx *state);
void OQS_SHA3_sha3_384_inc_init(OQS_SHA3_sha3_384_inc_ctx *state);
void OQS_SHA3_sha3_384_inc_absorb(OQS_SHA3_sha3_384_inc_ctx *state, const uint8_t *in, size_t n);
void OQS_SHA3_sha3_384_inc_finalize(uint8_t *out, OQS_SHA3_sha3_384_inc_ctx *state);
void OQS_SHA3_sha3_384_inc_ctx_release(OQS_SHA3_sha3_384_inc_ctx *state);
void OQS_SHA3_sha3_512_inc_init(OQS_SHA3_sha3_512_inc_ctx *state);
void OQS_SHA3_sha3_512_inc_absorb(OQS_SHA3_sha3_512_inc_ctx *state, const uint8_t *in, size_t n);
void OQS_SHA3_sha3_512_inc_finalize(uint8_t *out, OQS_SHA3_sha3_512_inc_ctx *state);
void OQS_SHA3_sha3_512_inc_ctx_release(OQS_SHA3_sha3_512_inc_ctx *state);
void OQS_SHA3_shake256_inc_init(OQS_SHA3_shake256_inc_ctx *state);
void OQS_SHA3_shake256_inc_absorb(OQS_SHA3_shake256_inc_ctx *state, const uint8_t *in, size_t n);
void OQS_SHA3_shake256_inc_finalize(OQS_SHA3_shake256_inc_ctx *state);
void OQS_SHA3_shake256_inc_squeeze(uint8_t *out, size_t n, OQS_SHA3_shake256_inc_ctx *state);
void OQS_SHA3_shake256_inc_ctx_release(OQS_SHA3_shake256_inc_ctx *state);

/* The states that are open; of the tests alone. */
long states_open(void);

#define OQS_EXIT_IF_NULLPTR(pointer, place)     \
  do {                                          \
    if ((pointer) == NULL) {                    \
      fprintf(stderr, "%s: no state\n", place); \
      exit(EXIT_FAILURE);                       \
    }                                           \
  } while (0)

#endif
