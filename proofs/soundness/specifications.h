/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Functions that are proved alone, in ACSL: what they may rely on, and what they do.
 *
 * An analysis with -eva-use-spec takes these in place of their code, and demands what they require.
 * sampling.c has the proofs for HQC, bike_sampling.c those for BIKE.
 */
#ifndef CODEKEM_TESTS_SPECIFICATIONS_H
#define CODEKEM_TESTS_SPECIFICATIONS_H

#include "apart.h"
#include "bike/bike.h"
#include "bike/sampling.h"
#include "hqc/sampling.h"
#include "contracts.h"
#include "keccak/keccak.h"
#include "levels.h"

/*@ predicate is_stream(struct keccak_sponge *s) =
      \initialized(s->state + (0 .. 24)) &&
      (s->ops == &ckem_keccak_portable || s->ops == &keccak_contracts) &&
      s->rate_bytes == SHAKE256_RATE_BYTES && s->position <= SHAKE256_RATE_BYTES; */

#if defined(HQC)

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
    assigns \result \from first[0 .. 3 * KEY_WEIGHT - 1], stream->state[0 .. 24],
        stream->position;
    ensures set: \initialized(positions + (0 .. KEY_WEIGHT - 1));
    ensures stream: is_stream(stream);
    ensures verdict: \result == 0 || \result == 1; */
bool ckem_hqc_sample_rejection_from(const struct hqc_variant *variant,
                                    const struct backend *backend, struct keccak_sponge *stream,
                                    const uint8_t *first, uint32_t *positions);

/*@ requires weight: variant->params->key_weight == KEY_WEIGHT;
    requires stream: is_stream(stream);
    requires positions: \valid(positions + (0 .. KEY_WEIGHT - 1));
    requires apart: \separated(positions + (0 .. KEY_WEIGHT - 1), stream);
    assigns positions[0 .. KEY_WEIGHT - 1] \from stream->state[0 .. 24], stream->position;
    assigns stream->state[0 .. 24] \from stream->state[0 .. 24], stream->position;
    assigns stream->position \from stream->state[0 .. 24], stream->position;
    assigns \result \from stream->state[0 .. 24], stream->position;
    ensures set: \initialized(positions + (0 .. KEY_WEIGHT - 1));
    ensures stream: is_stream(stream);
    ensures verdict: \result == 0 || \result == 1; */
bool ckem_hqc_sample_rejection(const struct hqc_variant *variant, const struct backend *backend,
                               struct keccak_sponge *stream, uint32_t *positions);

#else

/*@ requires symmetric: symmetric == &ckem_bike_sha3;
    requires stream: is_stream(&prf->sponge);
    requires list: count == KEY_WEIGHT && length == R_BITS;
    requires positions: \valid(positions + (0 .. KEY_WEIGHT - 1));
    requires apart: \separated(positions + (0 .. KEY_WEIGHT - 1), prf);
    assigns positions[0 .. KEY_WEIGHT - 1] \from prf->sponge.state[0 .. 24], prf->sponge.position;
    assigns prf->sponge.state[0 .. 24] \from prf->sponge.state[0 .. 24], prf->sponge.position;
    assigns prf->sponge.position \from prf->sponge.state[0 .. 24], prf->sponge.position;
    assigns \result \from prf->sponge.state[0 .. 24], prf->sponge.position;
    ensures set: \initialized(positions + (0 .. KEY_WEIGHT - 1));
    ensures stream: is_stream(&prf->sponge);
    ensures verdict: \result == 0 || \result == 1; */
bool ckem_bike_sample_rejection(const struct bike_symmetric *symmetric, struct bike_prf *prf,
                                uint32_t *positions, size_t count, uint32_t length);

/*@ requires symmetric: symmetric == &ckem_bike_sha3;
    requires stream: is_stream(&prf->sponge);
    requires list: count == ERROR_WEIGHT && length == ERROR_LENGTH;
    requires draws: draws == BIKE_PARAMS.uniform_error_draws;
    requires positions: \valid(positions + (0 .. ERROR_WEIGHT - 1));
    requires apart: \separated(positions + (0 .. ERROR_WEIGHT - 1), prf);
    assigns positions[0 .. ERROR_WEIGHT - 1] \from prf->sponge.state[0 .. 24],
        prf->sponge.position;
    assigns prf->sponge.state[0 .. 24] \from prf->sponge.state[0 .. 24], prf->sponge.position;
    assigns prf->sponge.position \from prf->sponge.position;
    assigns \result \from \nothing;
    ensures set: \initialized(positions + (0 .. ERROR_WEIGHT - 1));
    ensures stream: is_stream(&prf->sponge);
    ensures good: \result == 1; */
bool ckem_bike_sample_fixed_draws(const struct bike_symmetric *symmetric, struct bike_prf *prf,
                                  uint32_t *positions, size_t count, uint32_t length,
                                  uint32_t draws);

#endif

#endif
