/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The KEMs of the BIKE family, by name, and the stack of each level. */
#include "bike/bike_kems.h"

#include <assert.h>
#include <stdalign.h>

#include "bike/bike.h"
#include "bike/decoder.h"
#include "bike/symmetric.h"

/* The sizes of the specification [BIKE, S2]. */
static_assert(BIKE_PUBLIC_KEY_BYTES(12323) == 1541, "public key of level 1");
static_assert(BIKE_PUBLIC_KEY_BYTES(24659) == 3083, "public key of level 3");
static_assert(BIKE_PUBLIC_KEY_BYTES(40973) == 5122, "public key of level 5");
static_assert(BIKE_SECRET_KEY_BYTES(12323, 71) == 5223, "secret key of level 1");
static_assert(BIKE_SECRET_KEY_BYTES(24659, 103) == 10105, "secret key of level 3");
static_assert(BIKE_SECRET_KEY_BYTES(40973, 137) == 16494, "secret key of level 5");
static_assert(BIKE_CIPHERTEXT_BYTES(12323) == 1573, "ciphertext of level 1");
static_assert(BIKE_CIPHERTEXT_BYTES(24659) == 3115, "ciphertext of level 3");
static_assert(BIKE_CIPHERTEXT_BYTES(40973) == 5154, "ciphertext of level 5");
static_assert(CODEKEM_MAX_PUBLIC_KEY >= BIKE_PUBLIC_KEY_BYTES(40973), "the largest public key");
static_assert(CODEKEM_MAX_SECRET_KEY >= BIKE_SECRET_KEY_BYTES(40973, 137), "the largest secret key");
static_assert(CODEKEM_MAX_CIPHERTEXT >= BIKE_CIPHERTEXT_BYTES(40973), "the largest ciphertext");
/* Sampling uses memory that the product uses later. */
static_assert(BIKE_ERROR_WORDS <= GF2X_SCRATCH_WORDS(12323), "memory for sampling");

static codekem_status keypair(const void *variant, const struct backend *backend,
                              uint8_t *public_key, uint8_t *secret_key, const uint8_t *seed,
                              struct arena arena) {
  return bike_keypair(variant, backend, public_key, secret_key, seed, arena);
}

static codekem_status encaps(const void *variant, const struct backend *backend,
                             uint8_t *ciphertext, uint8_t *shared_secret,
                             const uint8_t *public_key, const uint8_t *seed, struct arena arena) {
  return bike_encaps(variant, backend, ciphertext, shared_secret, public_key, seed, arena);
}

static codekem_status decaps(const void *variant, const struct backend *backend,
                             uint8_t *shared_secret, const uint8_t *ciphertext,
                             const uint8_t *secret_key, struct arena arena) {
  return bike_decaps(variant, backend, shared_secret, ciphertext, secret_key, arena);
}

static codekem_status check_public_key(const void *variant, const uint8_t *public_key) {
  return bike_is_canonical(variant, public_key) ? CODEKEM_OK : CODEKEM_ERROR_PUBLIC_KEY;
}

static codekem_status check_secret_key(const void *variant, const struct backend *backend,
                                       const uint8_t *secret_key, struct arena arena) {
  return bike_check_secret_key(variant, backend, secret_key, arena);
}

static codekem_status check_ciphertext(const void *variant, const uint8_t *ciphertext) {
  return bike_is_canonical(variant, ciphertext) ? CODEKEM_OK : CODEKEM_ERROR_CIPHERTEXT;
}

const struct kem_operations bike_operations = {
    .keypair = keypair,
    .encaps = encaps,
    .decaps = decaps,
    .check_public_key = check_public_key,
    .check_secret_key = check_secret_key,
    .check_ciphertext = check_ciphertext,
};

/* Each function below takes from the stack what its operation needs at its level. */

codekem_status bike_level1_keypair(kem_body *body, const struct kem_call *call) {
  alignas(64) uint64_t words[BIKE_KEYPAIR_WORDS(12323)];
  return kem_run_in(words, BIKE_KEYPAIR_WORDS(12323), body, call);
}

codekem_status bike_level1_encaps(kem_body *body, const struct kem_call *call) {
  alignas(64) uint64_t words[BIKE_ENCAPS_WORDS(12323)];
  return kem_run_in(words, BIKE_ENCAPS_WORDS(12323), body, call);
}

codekem_status bike_level1_decaps(kem_body *body, const struct kem_call *call) {
  alignas(64) uint64_t words[BIKE_DECAPS_WORDS(12323)];
  return kem_run_in(words, BIKE_DECAPS_WORDS(12323), body, call);
}

codekem_status bike_level3_keypair(kem_body *body, const struct kem_call *call) {
  alignas(64) uint64_t words[BIKE_KEYPAIR_WORDS(24659)];
  return kem_run_in(words, BIKE_KEYPAIR_WORDS(24659), body, call);
}

codekem_status bike_level3_encaps(kem_body *body, const struct kem_call *call) {
  alignas(64) uint64_t words[BIKE_ENCAPS_WORDS(24659)];
  return kem_run_in(words, BIKE_ENCAPS_WORDS(24659), body, call);
}

codekem_status bike_level3_decaps(kem_body *body, const struct kem_call *call) {
  alignas(64) uint64_t words[BIKE_DECAPS_WORDS(24659)];
  return kem_run_in(words, BIKE_DECAPS_WORDS(24659), body, call);
}

codekem_status bike_level5_keypair(kem_body *body, const struct kem_call *call) {
  alignas(64) uint64_t words[BIKE_KEYPAIR_WORDS(40973)];
  return kem_run_in(words, BIKE_KEYPAIR_WORDS(40973), body, call);
}

codekem_status bike_level5_encaps(kem_body *body, const struct kem_call *call) {
  alignas(64) uint64_t words[BIKE_ENCAPS_WORDS(40973)];
  return kem_run_in(words, BIKE_ENCAPS_WORDS(40973), body, call);
}

codekem_status bike_level5_decaps(kem_body *body, const struct kem_call *call) {
  alignas(64) uint64_t words[BIKE_DECAPS_WORDS(40973)];
  return kem_run_in(words, BIKE_DECAPS_WORDS(40973), body, call);
}

/* A KEM with its variant, as objects of their own: a linker can drop those that nobody names. */
#define BIKE_KEM(name, method, version, level, bind, uniform)                                  \
  static const struct bike_variant name##_variant = {&bike_level##level, &bike_sha3, (bind),   \
                                                     (uniform)};                               \
  static const struct codekem_kem_internal name##_internal =                                   \
      BIKE_INTERNAL(level, &name##_variant);                                                   \
  const codekem_kem name = {(method), (version), BIKE_LEVEL##level##_FIELDS,                   \
                            .internal = &name##_internal}

/* Version 5.1, and version 4.2 with SHA-3 (uniform sampling), without and with binding. */
BIKE_KEM(bike_l1, "BIKE-L1", "5.1", 1, false, false);
BIKE_KEM(bike_l3, "BIKE-L3", "5.1", 3, false, false);
BIKE_KEM(bike_l5, "BIKE-L5", "5.1", 5, false, false);
BIKE_KEM(bike_l1_v4_2_sha3, "BIKE-L1-v4.2-sha3", "4.2", 1, false, true);
BIKE_KEM(bike_l3_v4_2_sha3, "BIKE-L3-v4.2-sha3", "4.2", 3, false, true);
BIKE_KEM(bike_l5_v4_2_sha3, "BIKE-L5-v4.2-sha3", "4.2", 5, false, true);
BIKE_KEM(bike_l1_v4_2_sha3_bind, "BIKE-L1-v4.2-sha3-bind", "4.2", 1, true, true);
BIKE_KEM(bike_l3_v4_2_sha3_bind, "BIKE-L3-v4.2-sha3-bind", "4.2", 3, true, true);
BIKE_KEM(bike_l5_v4_2_sha3_bind, "BIKE-L5-v4.2-sha3-bind", "4.2", 5, true, true);
