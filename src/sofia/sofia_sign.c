/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Key generation and signing [SOFIA]. */
#include "base/ct.h"
#include "sofia/sofia.h"

#include <string.h>

/* --- Key generation --------------------------------------------------------------------------- */

/* What a secret key expands to, in this order. */
enum { SYSTEM_SEED = 0, PLACE = SOFIA_SEED_BYTES, RANDOMNESS_SEED = 2 * SOFIA_SEED_BYTES };

/* Expands a secret key; the seed of F becomes public. */
static void expand_secret(uint8_t secrets[3 * SOFIA_SEED_BYTES], const struct keccak_ops *ops,
                          const uint8_t *secret_key) {
  ckem_shake128(ops, secrets, 3 * SOFIA_SEED_BYTES, secret_key, SOFIA_SECRET_KEY_BYTES);
  /* Public: it is half of the public key. */
  ct_declassify(secrets + SYSTEM_SEED, SOFIA_SEED_BYTES);
}

/* Sets element k of a vector whose elements from k on are zero. */
static void set_element(uint8_t *vector, size_t k, uint32_t value) {
  vector[k / 8] |= (uint8_t)((value & 1) << k % 8);
  vector[MQ4_PLANE_BYTES + k / 8] |= (uint8_t)((value >> 1) << k % 8);
}

/* Writes F(s), polynomial by polynomial as the streams give them, from monomials of s. */
static void evaluate_streams(struct sofia_generating *memory, const struct backend *backend,
                             uint8_t *value) {
  const struct mq4_ops *mq4 = ckem_mq4_ops_of(backend);
  const size_t width = backend->keccak->width;

  memset(value, 0, SOFIA_VECTOR_BYTES);
  for (size_t first = 0; first < SOFIA_PARTS; first += width) {
    const size_t count = SOFIA_PARTS - first < width ? SOFIA_PARTS - first : width;
    uint8_t *out[SOFIA_PARTS];

    for (size_t j = 0; j < count; j++) {
      out[j] = memory->polynomials[j];
    }
    ckem_sofia_start_parts(&memory->parts, backend->keccak, first, count,
                           memory->secrets + SYSTEM_SEED);
    for (size_t i = 0; i < SOFIA_POLYNOMIALS_OF_PART; i++) {
      ckem_keccak_many_squeeze(&memory->parts, out, MQ4_POLYNOMIAL_BYTES);
      for (size_t j = 0; j < count; j++) {
        set_element(value, (first + j) * SOFIA_POLYNOMIALS_OF_PART + i,
                    mq4->value(memory->monomials, memory->polynomials[j]));
      }
    }
  }
}

void ckem_sofia_make_keypair(struct sofia_generating *memory, const struct backend *backend,
                             uint8_t *public_key, const uint8_t *secret_key) {
  expand_secret(memory->secrets, backend->keccak, secret_key);
  ckem_mq4_monomials(memory->monomials, memory->secrets + PLACE);
  evaluate_streams(memory, backend, public_key + SOFIA_SEED_BYTES);
  memcpy(public_key, memory->secrets + SYSTEM_SEED, SOFIA_SEED_BYTES);
  /* Public: it is the other half of the public key. */
  ct_declassify(public_key + SOFIA_SEED_BYTES, SOFIA_VECTOR_BYTES);
}

/* --- Signing ---------------------------------------------------------------------------------- */

/* Starts the stream of randomness, which absorbs the message next. */
static void start_randomness(struct sofia_signing *signing) {
  ckem_keccak_init(&signing->randomness, signing->backend->keccak, SHAKE128_RATE_BYTES,
                   KECCAK_SUFFIX_SHAKE);
  ckem_keccak_absorb(&signing->randomness, signing->randomness_seed, SOFIA_SEED_BYTES);
}

void ckem_sofia_sign_begin(struct sofia_signing *signing, const struct backend *backend,
                           const uint8_t *secret_key) {
  uint8_t secrets[3 * SOFIA_SEED_BYTES];

  signing->backend = backend;
  expand_secret(secrets, backend->keccak, secret_key);
  memcpy(signing->public_key, secrets + SYSTEM_SEED, SOFIA_SEED_BYTES);
  memcpy(signing->r0[SOFIA_ROUNDS], secrets + PLACE, SOFIA_VECTOR_BYTES);
  memcpy(signing->randomness_seed, secrets + RANDOMNESS_SEED, SOFIA_SEED_BYTES);
  start_randomness(signing);
}

void ckem_sofia_sign_absorb(struct sofia_signing *signing, const uint8_t *part, size_t length,
                            bool second) {
  if (second) {
    ckem_keccak_absorb_pair(&signing->randomness, part, length, &signing->hash, part, length);
  } else {
    ckem_keccak_absorb(&signing->randomness, part, length);
  }
}

void ckem_sofia_sign_draw(struct sofia_signing *signing) {
  ckem_keccak_finish(&signing->randomness);
  ckem_keccak_squeeze(&signing->randomness, signing->r0[0], SOFIA_ROUNDS * SOFIA_VECTOR_BYTES);
  ckem_keccak_squeeze(&signing->randomness, signing->t0[0], sizeof signing->t0);
  ckem_keccak_squeeze(&signing->randomness, signing->e0[0], sizeof signing->e0);
  start_randomness(signing);
}

bool ckem_sofia_sign_same_message(struct sofia_signing *signing) {
  sofia_vector again;
  uint8_t difference = 0;

  ckem_keccak_finish(&signing->randomness);
  ckem_keccak_squeeze(&signing->randomness, again, sizeof again);
  for (size_t i = 0; i < sizeof again; i++) {
    difference |= again[i] ^ signing->r0[0][i];
  }
  /* Public: it is what the caller is told. */
  ct_declassify(&difference, sizeof difference);
  return difference == 0;
}

/* Computes r1, F(r0), G(t0, r1) and the public key. */
static void evaluate_rounds(struct sofia_signing *signing) {
  const uint8_t *s = signing->r0[SOFIA_ROUNDS];
  const struct mq4_places places = {
      .x = signing->r0[0],
      .values = signing->f[0],
      .count = SOFIA_ROUNDS + 1,
      .y = signing->t0[0],
      .z = signing->r1[0],
      .polar_values = signing->g[0],
      .polar_count = SOFIA_ROUNDS,
  };
  struct sofia_system *system = &signing->memory.system;

  for (size_t i = 0; i < SOFIA_ROUNDS; i++) {
    ckem_sofia_add_scaled(signing->r1[i], 1, signing->r0[i], s);
  }
  ckem_sofia_expand(signing->backend->keccak, system->polynomials, signing->public_key);
  ckem_mq4_ops_of(signing->backend)->evaluate(&places, system->polynomials, system->scratch);
  memcpy(signing->public_key + SOFIA_SEED_BYTES, signing->f[SOFIA_ROUNDS], SOFIA_VECTOR_BYTES);
  /* Public: it is half of the public key. */
  ct_declassify(signing->public_key + SOFIA_SEED_BYTES, SOFIA_VECTOR_BYTES);
}

/* Writes the strings that are hashed to commitments, and the answers to all challenges. */
static void answer_all(struct sofia_signing *signing) {
  for (size_t i = 0; i < SOFIA_ROUNDS; i++) {
    uint8_t *first = signing->memory.rounds.first_strings[i];
    uint8_t *second = signing->memory.rounds.second_strings[i];

    memcpy(first, signing->r0[i], SOFIA_VECTOR_BYTES);
    memcpy(first + SOFIA_VECTOR_BYTES, signing->t0[i], SOFIA_VECTOR_BYTES);
    memcpy(first + 2 * SOFIA_VECTOR_BYTES, signing->e0[i], SOFIA_VECTOR_BYTES);
    memcpy(second, signing->r1[i], SOFIA_VECTOR_BYTES);
    ckem_sofia_add_scaled(second + SOFIA_VECTOR_BYTES, 1, signing->g[i], signing->e0[i]);
    for (unsigned alpha = 0; alpha < SOFIA_ALPHAS; alpha++) {
      uint8_t *answer = signing->memory.rounds.answers[i][alpha];
      ckem_sofia_add_scaled(answer, alpha, signing->r0[i], signing->t0[i]);
      ckem_sofia_add_scaled(answer + SOFIA_VECTOR_BYTES, alpha, signing->f[i], signing->e0[i]);
    }
  }
}

/* Hashes commitments, answers and halves. */
static void hash_all(struct sofia_signing *signing) {
  struct sofia_transcript *transcript = &signing->memory.rounds.transcript;
  struct sofia_hashers *hashers = &signing->memory.rounds.hashers;

  ckem_sofia_hashers_begin(hashers, signing->backend->keccak);
  for (size_t i = 0; i < SOFIA_ROUNDS; i++) {
    ckem_sofia_hash_add(&hashers->first, transcript->commitments[i][0],
                        signing->memory.rounds.first_strings[i]);
    ckem_sofia_hash_add(&hashers->second, transcript->commitments[i][1],
                        signing->memory.rounds.second_strings[i]);
    for (size_t alpha = 0; alpha < SOFIA_ALPHAS; alpha++) {
      ckem_sofia_hash_add(&hashers->answers, transcript->hidden_answers[i][alpha],
                          signing->memory.rounds.answers[i][alpha]);
    }
    ckem_sofia_hash_add(&hashers->halves, transcript->hidden_halves[i][0], signing->r0[i]);
    ckem_sofia_hash_add(&hashers->halves, transcript->hidden_halves[i][1], signing->r1[i]);
  }
  ckem_sofia_hashers_flush(hashers);
}

void ckem_sofia_sign_commit(struct sofia_signing *signing) {
  evaluate_rounds(signing);
  answer_all(signing);
  hash_all(signing);
  ckem_sofia_transcript(&signing->hash, signing->backend->keccak, signing->public_key,
                        &signing->memory.rounds.transcript);
}

bool ckem_sofia_sign_write(struct sofia_signing *signing, uint8_t *signature) {
  const struct sofia_transcript *transcript = &signing->memory.rounds.transcript;
  struct sofia_challenges challenges;

  ckem_keccak_finish(&signing->hash);
  ckem_keccak_squeeze(&signing->hash, signature, SOFIA_HASH_BYTES);
  /* Public: it is part of the signature, and the challenges come from it alone. */
  ct_declassify(signature, SOFIA_HASH_BYTES);
  if (!ckem_sofia_challenges_of(&challenges, signing->backend->keccak, signature)) {
    return false;
  }
  signature += SOFIA_HASH_BYTES;
  for (size_t i = 0; i < SOFIA_ROUNDS; i++) {
    const size_t alpha = challenges.alpha[i], bit = challenges.bit[i];
    uint8_t *halves = signature + sizeof transcript->hidden_answers[i];

    memcpy(signature, transcript->hidden_answers[i], sizeof transcript->hidden_answers[i]);
    memcpy(signature + alpha * SOFIA_ANSWER_BYTES, signing->memory.rounds.answers[i][alpha],
           SOFIA_ANSWER_BYTES);
    memcpy(halves, transcript->hidden_halves[i], sizeof transcript->hidden_halves[i]);
    memcpy(halves + bit * SOFIA_VECTOR_BYTES, bit == 0 ? signing->r0[i] : signing->r1[i],
           SOFIA_VECTOR_BYTES);
    memcpy(halves + 2 * SOFIA_VECTOR_BYTES, transcript->commitments[i][1 - bit], SOFIA_HASH_BYTES);
    signature += SOFIA_ROUND_BYTES;
  }
  return true;
}
