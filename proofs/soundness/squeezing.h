/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * What samplers may rely on of ckem_keccak_squeeze, which squeezing.c proves, and any stream.
 *
 * SQUEEZED(length) says which lengths are asked for.
 */
#ifndef CODEKEM_TESTS_SQUEEZING_H
#define CODEKEM_TESTS_SQUEEZING_H

#include <__fc_builtin.h>

#include "specifications.h"

/*@ requires stream: is_stream(sponge);
    requires length: SQUEEZED(length);
    requires out: \valid(out + (0 .. length - 1));
    requires apart: \separated(out + (0 .. length - 1), sponge);
    assigns out[0 .. length - 1] \from sponge->state[0 .. 24], sponge->position;
    assigns sponge->state[0 .. 24] \from sponge->state[0 .. 24], sponge->position, length;
    assigns sponge->position \from sponge->position, length;
    ensures set: \initialized(out + (0 .. length - 1));
    ensures stream: is_stream(sponge); */
void ckem_keccak_squeeze(struct keccak_sponge *sponge, uint8_t *out, size_t length);

/* A stream that was squeezed before, to wherever. */
static inline void set_stream(struct keccak_sponge *stream) {
  Frama_C_make_unknown((char *)stream->state, sizeof stream->state);
  stream->ops = &ckem_keccak_portable;
  stream->rate_bytes = SHAKE256_RATE_BYTES;
  stream->position = (size_t)Frama_C_interval(0, SHAKE256_RATE_BYTES);
  stream->suffix = KECCAK_SUFFIX_SHAKE;
}

#endif
