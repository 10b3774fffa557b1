/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* SOFIA: its operations, and alone what signing does with secrets before the hash is known. */
#include <string.h>

#include "backends.h"
#include "codekem_sofia.h"
#include "sofia/sofia.h"
#include "subject.h"

#define SIGNERS 3
#define SOME_ROUNDS 8

/* Bits of row.reads and row.makes. */
enum { SEED = 1, PUBLIC_KEY = 2, SECRET_KEY = 4, SIGNATURE = 8, ROUNDS = 16 };

static uint8_t seed[CODEKEM_SOFIA_KEYPAIR_SEED];
static uint8_t public_key[CODEKEM_SOFIA_PUBLIC_KEY], secret_key[CODEKEM_SOFIA_SECRET_KEY];
static uint8_t signature[CODEKEM_SOFIA_SIGNATURE];
static const uint8_t message[500] = {1, 2, 3};
static struct sofia_signing signing; /* of the rounds alone */
static struct {
  bool made;
  uint8_t public_key[CODEKEM_SOFIA_PUBLIC_KEY], signature[CODEKEM_SOFIA_SIGNATURE];
} signers[SIGNERS];

/* What a key expands to, and both halves of some rounds, of which the signature opens one. */
static uint8_t expanded[3 * 32], halves[SOME_ROUNDS][2 * 32];

static bool choose(const char *name) {
  return strcmp(name, CODEKEM_SOFIA_NAME) == 0;
}

static void find_hidden(void) {
  const struct keccak_ops *ops = &ckem_keccak_portable;
  uint8_t randomness[SOFIA_ROUNDS * 32];
  struct keccak_sponge sponge;

  ckem_shake128(ops, expanded, sizeof expanded, secret_key, sizeof secret_key);
  ckem_keccak_init(&sponge, ops, SHAKE128_RATE_BYTES, KECCAK_SUFFIX_SHAKE);
  ckem_keccak_absorb(&sponge, expanded + 64, 32);
  ckem_keccak_absorb(&sponge, message, sizeof message);
  ckem_keccak_finish(&sponge);
  ckem_keccak_squeeze(&sponge, randomness, sizeof randomness);
  for (size_t i = 0; i < SOME_ROUNDS; i++) {
    const uint8_t *r0 = randomness + 32 * i * 50;
    memcpy(halves[i], r0, 32);
    ckem_sofia_add_scaled(halves[i] + 32, 1, r0, expanded + 32);
  }
}

/* Keeps a signature with its key: the one that was made just now, or else a new one, unless there
 * is one. */
static void keep_signature(unsigned number, bool is_made) {
  uint8_t same_key[CODEKEM_SOFIA_SECRET_KEY];

  harness_require(number < SIGNERS, "too many turns");
  if (signers[number].made) {
    return;
  }
  harness_require(codekem_sofia_keypair_derand(signers[number].public_key, same_key, seed) ==
                          CODEKEM_SOFIA_OK &&
                      (is_made || codekem_sofia_sign_workspace(signature, message, sizeof message,
                                                               same_key, harness_workspace,
                                                               CODEKEM_SOFIA_SIGN_WORKSPACE) ==
                                      CODEKEM_SOFIA_OK),
                  "no signature");
  memcpy(signers[number].signature, signature, sizeof signature);
  signers[number].made = true;
}

static void prepare_rounds(unsigned number) {
  memset(&signing, 0, sizeof signing);
  signing.backend = ckem_backend_in_use();
  harness_fill(signing.public_key, SOFIA_SEED_BYTES, 1); /* F is public, and addresses tables */
  harness_fill(signing.r0[0], sizeof signing.r0, 200 + number); /* s behind the others */
  harness_fill(signing.t0[0], sizeof signing.t0, 300 + number);
  harness_fill(signing.e0[0], sizeof signing.e0, 400 + number);
}

static void prepare(const struct row *row, const struct turn *turn) {
  const unsigned number = row->inputs == ALL_THE_SAME ? 0 : turn->number;

  harness_fill(seed, sizeof seed, 100 + number);
  memcpy(secret_key, seed, sizeof seed);
  if ((row->reads & ROUNDS) != 0) {
    prepare_rounds(number);
  }
  if ((row->reads & SECRET_KEY) != 0) {
    find_hidden();
  }
  if ((row->reads & SIGNATURE) != 0) {
    keep_signature(number, false);
    memcpy(public_key, signers[number].public_key, sizeof public_key);
    memcpy(signature, signers[number].signature, sizeof signature);
  }
}

static size_t regions(const struct row *row, struct region *list) {
  size_t count = 0;

  if ((row->reads & SEED) != 0) {
    list[count++] = (struct region){"seed", seed, sizeof seed, SECRET_INPUT, 0};
  }
  if ((row->reads & SECRET_KEY) != 0) {
    list[count++] = (struct region){"key", secret_key, sizeof secret_key, SECRET_INPUT, 0};
    /* But for the seed of F in front. */
    list[count++] = (struct region){"expanded key", expanded + 32, 64, HIDDEN, 0};
    list[count++] = (struct region){"halves", halves, sizeof halves, HIDDEN, 0};
  }
  if ((row->reads & ROUNDS) != 0) {
    list[count++] = (struct region){"r0", signing.r0, sizeof signing.r0, SECRET_INPUT, 0};
    list[count++] = (struct region){"t0", signing.t0, sizeof signing.t0, SECRET_INPUT, 0};
    list[count++] = (struct region){"e0", signing.e0, sizeof signing.e0, SECRET_INPUT, 0};
  }
  if ((row->makes & PUBLIC_KEY) != 0) {
    list[count++] = (struct region){"public key", public_key, sizeof public_key, PUBLIC_OUTPUT, 0};
    list[count++] = (struct region){"key", secret_key, sizeof secret_key, SECRET_OUTPUT, 0};
  }
  if ((row->makes & SIGNATURE) != 0) { /* but for its hash */
    list[count++] = (struct region){"signature", signature, sizeof signature, PUBLISHED_OUTPUT, 32};
  }
  return count;
}

static bool agrees(const struct row *row, const struct turn *turn) {
  if ((row->makes & SIGNATURE) != 0) {
    keep_signature(turn->number, true);
  }
  return true; /* verification is a row, too */
}

/* --- Calls ------------------------------------------------------------------------------------ */

static size_t keypair_workspace(void) {
  return CODEKEM_SOFIA_KEYPAIR_WORKSPACE;
}

static size_t sign_workspace(void) {
  return CODEKEM_SOFIA_SIGN_WORKSPACE;
}

static size_t verify_workspace(void) {
  return CODEKEM_SOFIA_VERIFY_WORKSPACE;
}

static codekem_status keypair(void) {
  return (codekem_status)codekem_sofia_keypair_derand(public_key, secret_key, seed);
}

static codekem_status keypair_in_workspace(void) {
  return (codekem_status)codekem_sofia_keypair_workspace(public_key, secret_key, seed,
                                                         harness_workspace, keypair_workspace());
}

static codekem_status sign(void) {
  return (codekem_status)codekem_sofia_sign(signature, message, sizeof message, secret_key);
}

static codekem_status sign_in_workspace(void) {
  return (codekem_status)codekem_sofia_sign_workspace(
      signature, message, sizeof message, secret_key, harness_workspace, sign_workspace());
}

static codekem_status verify(void) {
  return (codekem_status)codekem_sofia_verify(message, sizeof message, signature, sizeof signature,
                                              public_key);
}

static codekem_status verify_in_workspace(void) {
  return (codekem_status)codekem_sofia_verify_workspace(message, sizeof message, signature,
                                                        sizeof signature, public_key,
                                                        harness_workspace, verify_workspace());
}

static codekem_status rounds(void) {
  ckem_sofia_sign_commit(&signing);
  return CODEKEM_OK;
}

#define KEYPAIR keypair_workspace, .reads = SEED, .makes = PUBLIC_KEY
#define SIGN sign_workspace, .reads = SECRET_KEY, .makes = SIGNATURE
#define VERIFY verify_workspace, .reads = SIGNATURE, .inputs = ALL_THE_SAME

static const struct row rows[] = {
    {"keypair", ON_STACK, keypair, KEYPAIR},
    {"keypair", IN_WORKSPACE, keypair_in_workspace, KEYPAIR},
    {"sign", ON_STACK, sign, SIGN},
    {"sign", IN_WORKSPACE, sign_in_workspace, SIGN},
    {"verify", ON_STACK, verify, VERIFY},
    {"verify", IN_WORKSPACE, verify_in_workspace, VERIFY},
    {"rounds", FUNCTION, rounds, .reads = ROUNDS},
};

const struct table sofia_table = {
    .lists = {ROWS(rows)},
    .choose = choose,
    .prepare = prepare,
    .regions = regions,
    .agrees = agrees,
};
