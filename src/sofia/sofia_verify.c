/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Verification [SOFIA]. Everything here is public. */
#include "sofia/sofia.h"

#include <string.h>

/* One round of a signature. */
struct round {
  const uint8_t *answers; /* [SOFIA_ALPHAS], that of alpha open, the others hashed */
  const uint8_t *t1, *e1; /* the open one */
  const uint8_t *halves;  /* [2], that of bit open, the other hashed */
  const uint8_t *r;       /* the open one */
  const uint8_t *commitment; /* the one that cannot be computed */
  unsigned alpha, bit;
};

static struct round round_of(const struct sofia_challenges *challenges, const uint8_t *signature,
                             size_t i) {
  struct round round = {.alpha = challenges->alpha[i], .bit = challenges->bit[i]};

  round.answers = signature + SOFIA_HASH_BYTES + i * SOFIA_ROUND_BYTES;
  round.t1 = round.answers + (size_t)round.alpha * SOFIA_ANSWER_BYTES;
  round.e1 = round.t1 + SOFIA_VECTOR_BYTES;
  round.halves = round.answers + (size_t)SOFIA_ALPHAS * SOFIA_ANSWER_BYTES;
  round.r = round.halves + (size_t)round.bit * SOFIA_VECTOR_BYTES;
  round.commitment = round.halves + (size_t)2 * SOFIA_VECTOR_BYTES;
  return round;
}

/* Computes F(r) of all rounds, and G(t1, r) of those with bit 1. */
static void evaluate_open(struct sofia_verifying *verifying, const uint8_t *signature,
                          const uint8_t *public_key) {
  struct sofia_system *system = &verifying->memory.system;

  verifying->polar_count = 0;
  for (size_t i = 0; i < SOFIA_ROUNDS; i++) {
    const struct round round = round_of(&verifying->challenges, signature, i);
    memcpy(verifying->r[i], round.r, SOFIA_VECTOR_BYTES);
    if (round.bit == 1) {
      memcpy(verifying->t1[verifying->polar_count], round.t1, SOFIA_VECTOR_BYTES);
      memcpy(verifying->r1[verifying->polar_count], round.r, SOFIA_VECTOR_BYTES);
      verifying->polar_count += 1;
    }
  }
  const struct mq4_places places = {
      .x = verifying->r[0],
      .values = verifying->f[0],
      .count = SOFIA_ROUNDS,
      .y = verifying->t1[0],
      .z = verifying->r1[0],
      .polar_values = verifying->g[0],
      .polar_count = verifying->polar_count,
  };
  ckem_sofia_expand(verifying->backend->keccak, system->polynomials, public_key);
  ckem_mq4_ops_of(verifying->backend)->evaluate(&places, system->polynomials, system->scratch);
}

/* Writes r0, t0 = alpha r0 - t1, e0 = alpha F(r0) - e1. */
static void first_string(uint8_t *string, const struct round *round, const uint8_t *f) {
  memcpy(string, round->r, SOFIA_VECTOR_BYTES);
  ckem_sofia_add_scaled(string + SOFIA_VECTOR_BYTES, round->alpha, round->r, round->t1);
  ckem_sofia_add_scaled(string + 2 * SOFIA_VECTOR_BYTES, round->alpha, f, round->e1);
}

/* Writes r1, alpha (v - F(r1)) - G(t1, r1) - e1. */
static void second_string(uint8_t *string, const struct round *round, const uint8_t *f,
                          const uint8_t *g, const uint8_t *v) {
  sofia_vector rest, sum;

  ckem_sofia_add_scaled(rest, 1, v, f);
  ckem_sofia_add_scaled(sum, 1, g, round->e1);
  memcpy(string, round->r, SOFIA_VECTOR_BYTES);
  ckem_sofia_add_scaled(string + SOFIA_VECTOR_BYTES, round->alpha, rest, sum);
}

/* Fills the transcript: what the signature shows is hashed, what it hides is copied. */
static void rebuild(struct sofia_verifying *verifying, const uint8_t *signature, const uint8_t *v) {
  struct sofia_transcript *transcript = &verifying->memory.rounds.transcript;
  struct sofia_hashers *hashers = &verifying->memory.rounds.hashers;
  size_t polar = 0;

  ckem_sofia_hashers_begin(hashers, verifying->backend->keccak);
  for (size_t i = 0; i < SOFIA_ROUNDS; i++) {
    const struct round round = round_of(&verifying->challenges, signature, i);
    uint8_t *string = verifying->memory.rounds.strings[i];

    if (round.bit == 0) {
      first_string(string, &round, verifying->f[i]);
    } else {
      second_string(string, &round, verifying->f[i], verifying->g[polar], v);
      polar += 1;
    }
    ckem_sofia_hash_add(round.bit == 0 ? &hashers->first : &hashers->second,
                        transcript->commitments[i][round.bit], string);
    memcpy(transcript->commitments[i][1 - round.bit], round.commitment, SOFIA_HASH_BYTES);
    memcpy(transcript->hidden_answers[i], round.answers, sizeof transcript->hidden_answers[i]);
    ckem_sofia_hash_add(&hashers->answers, transcript->hidden_answers[i][round.alpha], round.t1);
    memcpy(transcript->hidden_halves[i], round.halves, sizeof transcript->hidden_halves[i]);
    ckem_sofia_hash_add(&hashers->halves, transcript->hidden_halves[i][round.bit], round.r);
  }
  ckem_sofia_hashers_flush(hashers);
}

void ckem_sofia_verify_begin(struct sofia_verifying *verifying, const struct backend *backend,
                             const uint8_t *signature, const uint8_t *public_key) {
  verifying->backend = backend;
  memcpy(verifying->expected, signature, SOFIA_HASH_BYTES);
  verifying->challenged =
      ckem_sofia_challenges_of(&verifying->challenges, backend->keccak, signature);
  evaluate_open(verifying, signature, public_key);
  rebuild(verifying, signature, public_key + SOFIA_SEED_BYTES);
  ckem_sofia_transcript(&verifying->hash, backend->keccak, public_key,
                        &verifying->memory.rounds.transcript);
}

bool ckem_sofia_verify_result(struct sofia_verifying *verifying) {
  sofia_hash hash;

  ckem_keccak_finish(&verifying->hash);
  ckem_keccak_squeeze(&verifying->hash, hash, sizeof hash);
  return verifying->challenged && memcmp(hash, verifying->expected, sizeof hash) == 0;
}
