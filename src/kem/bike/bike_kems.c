/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The KEMs of the BIKE family, by name, and the stack of each level. */
#include "bike/bike_kems.h"

#include <assert.h>

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

/* Sampling uses memory that the product uses later. */
#define CHECK_LEVEL(level)                                                                       \
  static_assert(CODEKEM_MAX_PUBLIC_KEY >= BIKE_PUBLIC_KEY_BYTES(BIKE_R_##level), "public keys"); \
  static_assert(CODEKEM_MAX_SECRET_KEY >= BIKE_SECRET_KEY_BYTES(BIKE_R_##level, BIKE_D_##level), \
                "secret keys");                                                                  \
  static_assert(CODEKEM_MAX_CIPHERTEXT >= BIKE_CIPHERTEXT_BYTES(BIKE_R_##level), "ciphertexts"); \
  static_assert(BIKE_D_##level < 1 << BIKE_PLANES_##level, "counters of key's positions");       \
  static_assert(BIKE_PLANES_##level <= 8, "planes of counters");                                 \
  static_assert(BIKE_T_##level <= SPARSE_MAX_POSITIONS, "positions of errors");                  \
  static_assert(2 * GF2X_STRIDE(BIKE_R_##level) + BIKE_LISTS_WORDS(BIKE_DECAPS_GROUP) +          \
                        BIKE_PRF_WORDS <=                                                        \
                    BIKE_DECODER_WORDS(BIKE_R_##level),                                          \
                "memory for hashing in a batch");                                                \
  static_assert(BIKE_ERROR_WORDS <= GF2X_MUL_SCRATCH_WORDS(BIKE_R_##level), "memory for sampling");
BIKE_LEVELS(CHECK_LEVEL)

const struct kem_operations ckem_bike_operations = {
    .keypair = ckem_bike_keypair,
    .encaps = ckem_bike_encaps,
    .decaps = ckem_bike_decaps,
    .check_secret_key = ckem_bike_check_secret_key,
    .derive_public_key = ckem_bike_derive_public_key,
    .good_public_key = ckem_bike_check_public_key,
    .good_ciphertext = ckem_bike_check_ciphertext,
    .keypair_batch = KEM_BATCH(ckem_bike_keypair_batch),
    .encaps_batch = KEM_BATCH(ckem_bike_encaps_batch),
    .decaps_batch = KEM_BATCH(ckem_bike_decaps_batch),
};

/* The stack of each operation at each level. */
#define BIKE_STACKS_OF(level, r_bits)                                                            \
  KEM_STACK(bike_level##level##_keypair_on_stack, BIKE_KEYPAIR_WORDS(r_bits));                   \
  KEM_STACK(bike_level##level##_encaps_on_stack, BIKE_ENCAPS_WORDS(r_bits));                     \
  KEM_STACK(bike_level##level##_decaps_on_stack, BIKE_DECAPS_WORDS(r_bits));                     \
  KEM_STACK(bike_level##level##_check_on_stack, BIKE_CHECK_WORDS(r_bits));                       \
  KEM_BATCH_STACK(bike_level##level##_keypair_batch_on_stack, BIKE_KEYPAIR_BATCH_WORDS(r_bits)); \
  KEM_BATCH_STACK(bike_level##level##_encaps_batch_on_stack, BIKE_ENCAPS_BATCH_WORDS(r_bits));   \
  KEM_BATCH_STACK(bike_level##level##_decaps_batch_on_stack, BIKE_DECAPS_BATCH_WORDS(r_bits));   \
  const struct kem_stacks ckem_bike_level##level##_stacks = {                                    \
      .keypair = bike_level##level##_keypair_on_stack,                                           \
      .encaps = bike_level##level##_encaps_on_stack,                                             \
      .decaps = bike_level##level##_decaps_on_stack,                                             \
      .check = bike_level##level##_check_on_stack,                                               \
      .keypair_batch = KEM_BATCH(bike_level##level##_keypair_batch_on_stack),                    \
      .encaps_batch = KEM_BATCH(bike_level##level##_encaps_batch_on_stack),                      \
      .decaps_batch = KEM_BATCH(bike_level##level##_decaps_batch_on_stack),                      \
  }

#define BIKE_STACKS(level) BIKE_STACKS_OF(level, BIKE_R_##level);
BIKE_LEVELS(BIKE_STACKS)

#define BIKE_OF_SHA3(object, name, level, version, superseded, bind, uniform) \
  BIKE_KEM(, object, name, level, version, superseded, &ckem_bike_sha3, bind, uniform);
BIKE_KEMS(BIKE_OF_SHA3)
