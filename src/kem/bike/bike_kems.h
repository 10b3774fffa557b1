/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What the KEMs of the BIKE family share, for those that are defined elsewhere (codekem-legacy). */
#ifndef CODEKEM_BIKE_BIKE_KEMS_H
#define CODEKEM_BIKE_BIKE_KEMS_H

#include "bike/bike.h"
#include "bike/decoder.h"
#include "bike/symmetric.h"
#include "kem.h"

extern const struct kem_operations ckem_bike_operations;

/* The stacks of a level: ckem_bike_level1_stacks and so on. */
#define BIKE_DECLARE_STACKS(level) extern const struct kem_stacks ckem_bike_level##level##_stacks;
BIKE_LEVELS(BIKE_DECLARE_STACKS)
#undef BIKE_DECLARE_STACKS

/* The fields of a codekem_kem that depend on the level alone. */
#define BIKE_FIELDS(level, category, r_bits, weight)                                           \
  .family = "BIKE", .claimed_nist_level = (category), .ind_cca = false, .security = "IND-CPA", \
  .length_public_key = BIKE_PUBLIC_KEY_BYTES(r_bits),                                          \
  .length_secret_key = BIKE_SECRET_KEY_BYTES(r_bits, weight),                                  \
  .length_ciphertext = BIKE_CIPHERTEXT_BYTES(r_bits), .length_shared_secret = BIKE_SEED_BYTES, \
  .length_keypair_seed = BIKE_KEYPAIR_SEED_BYTES, .length_encaps_seed = BIKE_SEED_BYTES,       \
  .length_keypair_workspace = 8 * BIKE_KEYPAIR_WORDS(r_bits),                                  \
  .length_encaps_workspace = 8 * BIKE_ENCAPS_WORDS(r_bits),                                    \
  .length_decaps_workspace = 8 * BIKE_DECAPS_WORDS(r_bits),                                    \
  .length_check_workspace = 8 * BIKE_CHECK_WORDS(r_bits),                                      \
  .length_keypair_batch_workspace =                                                            \
      8 * (KEM_BATCHES ? BIKE_KEYPAIR_BATCH_WORDS(r_bits) : BIKE_KEYPAIR_WORDS(r_bits)),       \
  .length_encaps_batch_workspace =                                                             \
      8 * (KEM_BATCHES ? BIKE_ENCAPS_BATCH_WORDS(r_bits) : BIKE_ENCAPS_WORDS(r_bits)),         \
  .length_decaps_batch_workspace =                                                             \
      8 * (KEM_BATCHES ? BIKE_DECAPS_BATCH_WORDS(r_bits) : BIKE_DECAPS_WORDS(r_bits))

/* A KEM with its variant, as objects of their own: a linker can drop those that nobody names.
 * storage is nothing or static. */
#define BIKE_KEM(storage, object, name, level, version, old, hash, bind, uniform) \
  static const struct bike_variant object##_variant = {                           \
      .params = &ckem_bike_level##level,                                          \
      .symmetric = (hash),                                                        \
      .bind_public_key = (bind),                                                  \
      .uniform_sampling = (uniform),                                              \
  };                                                                              \
  static const struct codekem_kem_internal object##_internal = {                  \
      .operations = &ckem_bike_operations,                                        \
      .variant = &object##_variant,                                               \
      .stacks = &ckem_bike_level##level##_stacks,                                 \
      .keypair_request = BIKE_KEYPAIR_SEED_BYTES,                                 \
      .encaps_request = BIKE_ENCAPS_REQUEST_BYTES,                                \
      .most_lower = BIKE_MOST_LOWER_##level,                                      \
  };                                                                              \
  storage const codekem_kem object = {                                            \
      .method_name = (name),                                                      \
      .alg_version = (version),                                                   \
      .superseded = (old),                                                        \
      .internal = &object##_internal,                                             \
      BIKE_FIELDS(level, BIKE_CATEGORY_##level, BIKE_R_##level, BIKE_D_##level),  \
  }

#endif
