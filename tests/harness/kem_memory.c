/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Operations of KEMs in a workspace, public checks, and batches. */
#include "kem_rows.h"

#include <string.h>

static size_t keypair_batch_workspace(void) {
  return kem->length_keypair_batch_workspace;
}

static size_t encaps_batch_workspace(void) {
  return kem->length_encaps_batch_workspace;
}

static size_t decaps_batch_workspace(void) {
  return kem->length_decaps_batch_workspace;
}

static codekem_status keypair(void) {
  return codekem_kem_keypair_with(kem, data.public_key, data.secret_key,
                                  CODEKEM_OPTIONS(.seed = data.keypair_seed,
                                                  IN_HARNESS(kem_keypair_workspace())));
}

static codekem_status encaps(void) {
  return codekem_kem_encaps_with(kem, data.ciphertext, data.shared_secret, data.public_key,
                                 CODEKEM_OPTIONS(.seed = data.encaps_seed,
                                                 IN_HARNESS(kem_encaps_workspace())));
}

/* With a lower first threshold, where there is one: the row without a workspace has none. */
static codekem_status decaps(void) {
  const size_t lower = strcmp(kem->family, "BIKE") == 0 ? 6 : 0;

  return codekem_kem_decaps_with(kem, data.shared_secret, data.ciphertext, data.secret_key,
                                 CODEKEM_OPTIONS(IN_HARNESS(kem_decaps_workspace()),
                                                 .lower_first_threshold = lower));
}

static codekem_status check(void) {
  return codekem_kem_check_secret_key_with(kem, data.secret_key,
                                           CODEKEM_OPTIONS(IN_HARNESS(kem_check_workspace())));
}

static codekem_status derive(void) {
  return codekem_kem_derive_public_key_with(kem, data.public_key, data.secret_key,
                                            CODEKEM_OPTIONS(IN_HARNESS(kem_check_workspace())));
}

static codekem_status check_public(void) {
  return codekem_kem_check_public_key(kem, data.public_key);
}

static codekem_status check_ciphertext(void) {
  return codekem_kem_check_ciphertext(kem, data.ciphertext);
}

const struct row kem_workspace_rows[KEM_WORKSPACE_ROWS] = {
    {"keypair", IN_WORKSPACE, keypair, KEM_KEYPAIR},
    {"encaps", IN_WORKSPACE, encaps, KEM_ENCAPS},
    {"decaps", IN_WORKSPACE, decaps, KEM_DECAPS},
    {"check", IN_WORKSPACE, check, KEM_CHECK},
    {"derive", IN_WORKSPACE, derive, kem_check_workspace, .reads = SECRET_KEY, .makes = PUBLIC_KEY},
    {"check-public", IN_WORKSPACE, check_public, .reads = PUBLIC_KEY, .inputs = ALL_THE_SAME},
    {"check-ciphertext", IN_WORKSPACE, check_ciphertext, .reads = CIPHERTEXT,
     .inputs = ALL_THE_SAME},
};

/* --- Batches ---------------------------------------------------------------------------------- */

static codekem_status keypairs(void) {
  const uint8_t *seeds = data.keypair_seed;

  return codekem_kem_keypair_batch(kem, BATCH, data.public_key, data.secret_key,
                                   CODEKEM_OPTIONS(.random = kem_random_keypair,
                                                   .random_context = &seeds));
}

static codekem_status keypairs_in_workspace(void) {
  return codekem_kem_keypair_batch(kem, BATCH, data.public_key, data.secret_key,
                                   CODEKEM_OPTIONS(.seed = data.keypair_seed,
                                                   IN_HARNESS(keypair_batch_workspace())));
}

static codekem_status keypairs_random_in_workspace(void) {
  const uint8_t *seeds = data.keypair_seed;

  return codekem_kem_keypair_batch(kem, BATCH, data.public_key, data.secret_key,
                                   CODEKEM_OPTIONS(.random = kem_random_keypair,
                                                   .random_context = &seeds,
                                                   IN_HARNESS(keypair_batch_workspace())));
}

static codekem_status encapsulate_with(size_t stride) {
  const uint8_t *seeds = data.encaps_seed;

  return codekem_kem_encaps_batch(
      kem, BATCH, data.ciphertext, data.shared_secret, data.public_key, stride,
      CODEKEM_OPTIONS(.random = kem_random_encaps, .random_context = &seeds));
}

static codekem_status encapsulations(void) {
  return encapsulate_with(kem->length_public_key);
}

static codekem_status encapsulations_one_key(void) {
  return encapsulate_with(0);
}

static codekem_status encapsulations_in_workspace(void) {
  return codekem_kem_encaps_batch(
      kem, BATCH, data.ciphertext, data.shared_secret, data.public_key, kem->length_public_key,
      CODEKEM_OPTIONS(.seed = data.encaps_seed, IN_HARNESS(encaps_batch_workspace())));
}

static codekem_status decapsulate_with(size_t stride) {
  return codekem_kem_decaps_batch(kem, BATCH, data.shared_secret, data.ciphertext, data.secret_key,
                                  stride, NULL);
}

static codekem_status decapsulations(void) {
  return decapsulate_with(kem->length_secret_key);
}

static codekem_status decapsulations_one_key(void) {
  return decapsulate_with(0);
}

static codekem_status decapsulations_in_workspace(void) {
  return codekem_kem_decaps_batch(kem, BATCH, data.shared_secret, data.ciphertext, data.secret_key,
                                  kem->length_secret_key,
                                  CODEKEM_OPTIONS(IN_HARNESS(decaps_batch_workspace())));
}

#define KEYPAIRS \
  .workspace = keypair_batch_workspace, .reads = KEYPAIR_SEED, .makes = PUBLIC_KEY | SECRET_KEY
#define ENCAPSULATIONS                                                    \
  .workspace = encaps_batch_workspace, .reads = ENCAPS_SEED | PUBLIC_KEY, \
  .makes = CIPHERTEXT | SHARED_SECRET, .inputs = ONE_KEY
#define DECAPSULATIONS \
  .workspace = decaps_batch_workspace, .reads = CIPHERTEXT | SECRET_KEY, .makes = SHARED_SECRET

const struct row kem_batches[KEM_BATCHES] = {
    {"keypair-batch", ON_STACK, keypairs, .items = BATCH, KEYPAIRS},
    {"keypair-batch", IN_WORKSPACE, keypairs_in_workspace, .items = BATCH, KEYPAIRS},
    {"keypair-batch-random", IN_WORKSPACE, keypairs_random_in_workspace, .items = BATCH, KEYPAIRS},
    {"encaps-batch", ON_STACK, encapsulations, .items = BATCH, ENCAPSULATIONS},
    {"encaps-batch", IN_WORKSPACE, encapsulations_in_workspace, .items = BATCH, ENCAPSULATIONS},
    {"encaps-batch-one-key", ON_STACK, encapsulations_one_key, .items = BATCH, .shares_key = true,
     ENCAPSULATIONS},
    {"decaps-batch", ON_STACK, decapsulations, .items = BATCH, DECAPSULATIONS},
    {"decaps-batch", IN_WORKSPACE, decapsulations_in_workspace, .items = BATCH, DECAPSULATIONS},
    {"decaps-batch-one-key", ON_STACK, decapsulations_one_key, .items = BATCH, .shares_key = true,
     DECAPSULATIONS},
};

const struct table kem_with_memory_table = {
    .lists = {ROWS(kem_rows), ROWS(kem_workspace_rows), ROWS(kem_batches)},
    .choose = kem_choose,
    .prepare = kem_prepare,
    .regions = kem_regions,
    .agrees = kem_agrees,
    .take_keys = kem_take_keys,
};
