/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The KEMs of the BIKE family, by name. */
#ifndef CODEKEM_BIKE_BIKE_KEMS_H
#define CODEKEM_BIKE_BIKE_KEMS_H

#include "kem.h"

extern const codekem_kem bike_l1, bike_l3, bike_l5;
extern const codekem_kem bike_l1_v4_2_sha3, bike_l3_v4_2_sha3, bike_l5_v4_2_sha3;
extern const codekem_kem bike_l1_v4_2_sha3_bind, bike_l3_v4_2_sha3_bind, bike_l5_v4_2_sha3_bind;

/* The addresses of all of them, for tables. */
#define BIKE_KEMS                                                                          \
  &bike_l1, &bike_l3, &bike_l5, &bike_l1_v4_2_sha3, &bike_l3_v4_2_sha3, &bike_l5_v4_2_sha3, \
      &bike_l1_v4_2_sha3_bind, &bike_l3_v4_2_sha3_bind, &bike_l5_v4_2_sha3_bind

/* What the KEMs of one level share, for those that are defined elsewhere (legacy variants). */
extern const struct kem_operations bike_operations;
kem_on_stack bike_level1_keypair, bike_level1_encaps, bike_level1_decaps;
kem_on_stack bike_level3_keypair, bike_level3_encaps, bike_level3_decaps;
kem_on_stack bike_level5_keypair, bike_level5_encaps, bike_level5_decaps;

/* The fields of a codekem_kem and of its internal part that depend on the level alone. */
#define BIKE_LEVEL_FIELDS(level, r_bits, weight)                               \
  .claimed_nist_level = (level), .ind_cca = false, .security = "IND-CPA",      \
  .length_public_key = BIKE_PUBLIC_KEY_BYTES(r_bits),                          \
  .length_secret_key = BIKE_SECRET_KEY_BYTES(r_bits, weight),                  \
  .length_ciphertext = BIKE_CIPHERTEXT_BYTES(r_bits),                          \
  .length_shared_secret = BIKE_SEED_BYTES,                                     \
  .length_keypair_seed = BIKE_KEYPAIR_SEED_BYTES,                              \
  .length_encaps_seed = BIKE_SEED_BYTES,                                       \
  .length_keypair_workspace = 8 * BIKE_KEYPAIR_WORDS(r_bits),                  \
  .length_encaps_workspace = 8 * BIKE_ENCAPS_WORDS(r_bits),                    \
  .length_decaps_workspace = 8 * BIKE_DECAPS_WORDS(r_bits)

#define BIKE_LEVEL1_FIELDS BIKE_LEVEL_FIELDS(1, 12323, 71)
#define BIKE_LEVEL3_FIELDS BIKE_LEVEL_FIELDS(3, 24659, 103)
#define BIKE_LEVEL5_FIELDS BIKE_LEVEL_FIELDS(5, 40973, 137)

#define BIKE_INTERNAL(level, variant_)                                         \
  {                                                                            \
    .operations = &bike_operations, .variant = (variant_),                     \
    .keypair_on_stack = bike_level##level##_keypair,                           \
    .encaps_on_stack = bike_level##level##_encaps,                             \
    .decaps_on_stack = bike_level##level##_decaps,                             \
    .keypair_request = BIKE_KEYPAIR_SEED_BYTES,                                \
    .encaps_request = BIKE_ENCAPS_REQUEST_BYTES                                \
  }

#endif
