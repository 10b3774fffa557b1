/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * SOFIA-4-128 [SOFIA], the variant of the authors' reference code: key generation, the steps of
 * signing and of verification, and what they share.
 *
 * The secret is a place s, the public key a system F and v = F(s). Each of 438 rounds splits
 * s = r0 + r1 and commits to both halves and to the answers to all challenges (alpha, bit). One
 * hash over everything (the transcript) and the message gives the challenges of all rounds. There
 * must never be two such hashes, one for alpha and one for the bits: that is what breaks signatures
 * from five-pass identification [KZ20].
 */
#ifndef CODEKEM_SOFIA_SOFIA_H
#define CODEKEM_SOFIA_SOFIA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/backend.h"
#include "keccak/keccak.h"
#include "mq4/mq4.h"

#define SOFIA_ROUNDS 438
#define SOFIA_ALPHAS 3 /* 0, 1 and w */
#define SOFIA_HASH_BYTES 32
#define SOFIA_SEED_BYTES 32
#define SOFIA_VECTOR_BYTES MQ4_VECTOR_BYTES
#define SOFIA_ANSWER_BYTES (2 * SOFIA_VECTOR_BYTES) /* t1 and e1 */
#define SOFIA_PUBLIC_KEY_BYTES (SOFIA_SEED_BYTES + SOFIA_VECTOR_BYTES)
#define SOFIA_SECRET_KEY_BYTES SOFIA_SEED_BYTES
#define SOFIA_ROUND_BYTES \
  (SOFIA_ALPHAS * SOFIA_ANSWER_BYTES + 2 * SOFIA_VECTOR_BYTES + SOFIA_HASH_BYTES)
#define SOFIA_SIGNATURE_BYTES (SOFIA_HASH_BYTES + SOFIA_ROUNDS * SOFIA_ROUND_BYTES)

/* F comes in so many streams of hashing, each with the polynomials of a quarter. */
#define SOFIA_PARTS 4
#define SOFIA_POLYNOMIALS_OF_PART (MQ4_VARIABLES / SOFIA_PARTS)

typedef uint8_t sofia_vector[SOFIA_VECTOR_BYTES];
typedef uint8_t sofia_hash[SOFIA_HASH_BYTES];
typedef uint8_t sofia_answer[SOFIA_ANSWER_BYTES];

/* What a signature hashes, but for the public key in front and the message behind. */
struct sofia_transcript {
  sofia_hash commitments[SOFIA_ROUNDS][2];
  sofia_answer hidden_answers[SOFIA_ROUNDS][SOFIA_ALPHAS]; /* hashed */
  sofia_vector hidden_halves[SOFIA_ROUNDS][2];             /* r0 and r1, hashed */
};

/* alpha: 0, 1, or 2 for w. */
struct sofia_challenges {
  uint8_t alpha[SOFIA_ROUNDS];
  uint8_t bit[SOFIA_ROUNDS];
};

/* Strings to be hashed side by side. Inputs and outputs must stay until the flush. */
#define SOFIA_HASH_GROUP 64
struct sofia_hasher {
  const struct keccak_ops *ops;
  size_t in_bytes, out_bytes; /* of each string */
  size_t count;
  const uint8_t *in[SOFIA_HASH_GROUP];
  uint8_t *out[SOFIA_HASH_GROUP];
};

/* Those of all rounds: of both kinds of commitments, of answers, and of halves. */
struct sofia_hashers {
  struct sofia_hasher first, second, answers, halves;
};

/* F and the memory for its values. */
struct sofia_system {
  _Alignas(64) uint8_t polynomials[MQ4_SYSTEM_BYTES];
  _Alignas(64) uint64_t scratch[MQ4_SCRATCH_WORDS];
};

/* A signature in the making. */
struct sofia_signing {
  const struct backend *backend;
  struct keccak_sponge randomness; /* absorbs a secret seed and the message */
  struct keccak_sponge hash;       /* absorbs the transcript and the message */
  uint8_t public_key[SOFIA_PUBLIC_KEY_BYTES];
  uint8_t randomness_seed[SOFIA_SEED_BYTES];
  sofia_vector r0[SOFIA_ROUNDS + 1]; /* one more, so that F(s) is computed, too */
  sofia_vector f[SOFIA_ROUNDS + 1];  /* F(r0), F(s) */
  sofia_vector t0[SOFIA_ROUNDS];
  sofia_vector e0[SOFIA_ROUNDS];
  sofia_vector r1[SOFIA_ROUNDS];
  sofia_vector g[SOFIA_ROUNDS]; /* G(t0, r1) */
  union {
    struct sofia_system system; /* until all values are there */
    struct {
      struct sofia_transcript transcript;
      sofia_answer answers[SOFIA_ROUNDS][SOFIA_ALPHAS];
      uint8_t first_strings[SOFIA_ROUNDS][3 * SOFIA_VECTOR_BYTES]; /* hashed to commitments */
      uint8_t second_strings[SOFIA_ROUNDS][2 * SOFIA_VECTOR_BYTES];
      struct sofia_hashers hashers;
    } rounds;
  } memory;
};

/* A verification in the making. */
struct sofia_verifying {
  const struct backend *backend;
  struct keccak_sponge hash; /* absorbs the transcript and the message */
  sofia_hash expected;
  struct sofia_challenges challenges;
  bool challenged;              /* they could be sampled */
  sofia_vector r[SOFIA_ROUNDS]; /* r0 or r1 of each round */
  sofia_vector f[SOFIA_ROUNDS]; /* F(r) */
  size_t polar_count;           /* rounds with bit 1, of which these are: */
  sofia_vector t1[SOFIA_ROUNDS];
  sofia_vector r1[SOFIA_ROUNDS];
  sofia_vector g[SOFIA_ROUNDS]; /* G(t1, r1) */
  union {
    struct sofia_system system;
    struct {
      struct sofia_transcript transcript;
      uint8_t strings[SOFIA_ROUNDS][3 * SOFIA_VECTOR_BYTES];
      struct sofia_hashers hashers;
    } rounds;
  } memory;
};

/* The memory of key generation. */
struct sofia_generating {
  struct keccak_many parts;
  uint8_t secrets[3 * SOFIA_SEED_BYTES];
  uint64_t monomials[MQ4_MONOMIAL_WORDS];
  uint8_t polynomials[SOFIA_PARTS][MQ4_POLYNOMIAL_BYTES];
};

/* --- Key generation ------------------------------------------------------------------------------
 * Timing is constant in the secrets, here and below. */

/* Writes the public key that belongs to a secret key. */
void ckem_sofia_make_keypair(struct sofia_generating *memory, const struct backend *backend,
                             uint8_t *public_key, const uint8_t *secret_key);

/* --- Signing: these steps one after the other ------------------------------------------------- */

/* Derives the secrets; from now on the message can be absorbed. */
void ckem_sofia_sign_begin(struct sofia_signing *signing, const struct backend *backend,
                           const uint8_t *secret_key);

/* Draws r0, t0 and e0 of all rounds from the secret seed and the message, and starts over for the
 * message's second time. */
void ckem_sofia_sign_draw(struct sofia_signing *signing);

/* Computes all rounds and absorbs the transcript. */
void ckem_sofia_sign_commit(struct sofia_signing *signing);

/* Absorbs a part of the message: before ckem_sofia_sign_commit for the randomness (second is
 * false), after it for the hash. */
void ckem_sofia_sign_absorb(struct sofia_signing *signing, const uint8_t *part, size_t length,
                            bool second);

/* Returns false if the message was not the same both times. Only for randomness of
 * ckem_sofia_sign_draw. */
bool ckem_sofia_sign_same_message(struct sofia_signing *signing);

/* Writes the signature. Returns false, and writes a part of it, if its challenges cannot be
 * sampled. */
bool ckem_sofia_sign_write(struct sofia_signing *signing, uint8_t *signature);

/* --- Verification ----------------------------------------------------------------------------- */

/* Computes all rounds and absorbs the transcript; the message follows, into verifying->hash. */
void ckem_sofia_verify_begin(struct sofia_verifying *verifying, const struct backend *backend,
                             const uint8_t *signature, const uint8_t *public_key);

/* Returns whether the signature is one of the message absorbed. */
bool ckem_sofia_verify_result(struct sofia_verifying *verifying);

/* --- What they share -------------------------------------------------------------------------- */

/* Starts the streams of parts first to first + count - 1 of F from its seed. */
void ckem_sofia_start_parts(struct keccak_many *parts, const struct keccak_ops *ops, size_t first,
                            size_t count, const uint8_t *seed);

/* Writes all of F. */
void ckem_sofia_expand(const struct keccak_ops *ops, uint8_t *system, const uint8_t *seed);

/* Sets out = alpha x + y. out may be y. alpha is public. */
void ckem_sofia_add_scaled(uint8_t *out, unsigned alpha, const uint8_t *x, const uint8_t *y);

/* Starts them without strings, and flushes them. */
void ckem_sofia_hashers_begin(struct sofia_hashers *hashers, const struct keccak_ops *ops);
void ckem_sofia_hashers_flush(struct sofia_hashers *hashers);

/* Hashes in[in_bytes] to out[out_bytes], at the latest at the next flush. */
void ckem_sofia_hash_add(struct sofia_hasher *hasher, uint8_t *out, const uint8_t *in);

/* Hashes all strings that wait. */
void ckem_sofia_hash_flush(struct sofia_hasher *hasher);

/* Absorbs public key and transcript into a new sponge. */
void ckem_sofia_transcript(struct keccak_sponge *hash, const struct keccak_ops *ops,
                           const uint8_t *public_key, const struct sofia_transcript *transcript);

/* Writes the next length bytes of a stream to out. */
typedef void sofia_stream(void *context, uint8_t *out, size_t length);

/* Samples the challenges from a public stream. Returns false if it gives none for too long, as only
 * a stream that is stuck does; the challenges that are missing are then 0. */
bool ckem_sofia_sample_challenges(struct sofia_challenges *challenges, sofia_stream *stream,
                                  void *context);

/* Derives the challenges from the public hash. Returns as ckem_sofia_sample_challenges. */
bool ckem_sofia_challenges_of(struct sofia_challenges *challenges, const struct keccak_ops *ops,
                              const uint8_t *hash);

#endif
