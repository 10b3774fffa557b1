/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Functions that are proved alone (sampling.c), in ACSL: what they may rely on, and what they do.
 *
 * An analysis with -eva-use-spec takes these in place of their code, and demands what they require.
 */
#ifndef CODEKEM_TESTS_SPECIFICATIONS_H
#define CODEKEM_TESTS_SPECIFICATIONS_H

#include "hqc/sampling.h"
#include "keccak/keccak.h"

/*@ predicate is_stream(struct keccak_sponge *s) =
      \initialized(s->state + (0 .. 24)) && s->ops == &keccak_portable &&
      s->rate_bytes == SHAKE256_RATE_BYTES && s->position <= SHAKE256_RATE_BYTES; */

/*@ requires weight: variant->params->key_weight == KEY_WEIGHT;
    requires stream: is_stream(stream);
    requires first: \initialized(first + (0 .. 3 * KEY_WEIGHT - 1));
    requires positions: \valid(positions + (0 .. KEY_WEIGHT - 1));
    requires apart: \separated(positions + (0 .. KEY_WEIGHT - 1), stream) &&
        \separated(positions + (0 .. KEY_WEIGHT - 1), first + (0 .. 3 * KEY_WEIGHT - 1)) &&
        \separated(stream, first + (0 .. 3 * KEY_WEIGHT - 1));
    assigns positions[0 .. KEY_WEIGHT - 1] \from first[0 .. 3 * KEY_WEIGHT - 1],
        stream->state[0 .. 24], stream->position;
    assigns stream->state[0 .. 24] \from stream->state[0 .. 24], stream->position;
    assigns stream->position \from first[0 .. 3 * KEY_WEIGHT - 1], stream->state[0 .. 24],
        stream->position;
    ensures set: \initialized(positions + (0 .. KEY_WEIGHT - 1));
    ensures stream: is_stream(stream); */
void hqc_sample_rejection_from(const struct hqc_variant *variant, struct keccak_sponge *stream,
                               const uint8_t *first, uint32_t *positions);

/*@ requires weight: variant->params->key_weight == KEY_WEIGHT;
    requires stream: is_stream(stream);
    requires positions: \valid(positions + (0 .. KEY_WEIGHT - 1));
    requires apart: \separated(positions + (0 .. KEY_WEIGHT - 1), stream);
    assigns positions[0 .. KEY_WEIGHT - 1] \from stream->state[0 .. 24], stream->position;
    assigns stream->state[0 .. 24] \from stream->state[0 .. 24], stream->position;
    assigns stream->position \from stream->state[0 .. 24], stream->position;
    ensures set: \initialized(positions + (0 .. KEY_WEIGHT - 1));
    ensures stream: is_stream(stream); */
void hqc_sample_rejection(const struct hqc_variant *variant, struct keccak_sponge *stream,
                          uint32_t *positions);

#endif
