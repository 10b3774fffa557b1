/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Hybrids with X25519: the same calls as of KEMs; and X25519 alone. */
#include <string.h>

#include "hybrid/x25519.h"
#include "kem_rows.h"

#define SUFFIX "-X25519"
#define MOST_NAME 32

static codekem_hybrid hybrid;

static codekem_status make_keypair(uint8_t *public_key, uint8_t *secret_key, const uint8_t *seed) {
  return codekem_kem_keypair_with(kem, public_key, secret_key, CODEKEM_OPTIONS(.seed = seed));
}

static codekem_status make_ciphertext(uint8_t *ciphertext, uint8_t *shared_secret,
                                      const uint8_t *public_key, const uint8_t *seed) {
  return codekem_kem_encaps_with(kem, ciphertext, shared_secret, public_key,
                                 CODEKEM_OPTIONS(.seed = seed));
}

static bool choose(const char *name) {
  static const struct kem_calls on_stack = {make_keypair, make_ciphertext};
  const codekem_hybrid_group group = codekem_hybrid_x25519();
  const char *end = strstr(name, SUFFIX);
  char kem_name[MOST_NAME] = {0};

  if (end == NULL || strcmp(end, SUFFIX) != 0 || (size_t)(end - name) >= sizeof kem_name) {
    return false;
  }
  memcpy(kem_name, name, (size_t)(end - name));
  if (strcmp(name, hybrid.name) == 0) {
    return kem_use(&hybrid.kem, &on_stack);
  }
  kem = NULL; /* or the pairs of another hybrid at the same place would be taken for its own */
  return codekem_hybrid_make(&hybrid, harness_find_kem(kem_name), &group) == CODEKEM_OK &&
         kem_use(&hybrid.kem, &on_stack);
}

/* The source is asked for the bytes of a seed, and gives them. */
const struct table hybrid_table = {
    .lists = {ROWS(kem_rows), ROWS(kem_workspace_rows), ROWS(kem_batches)},
    .choose = choose,
    .prepare = kem_prepare,
    .regions = kem_regions,
    .agrees = kem_agrees,
    .take_keys = kem_take_keys,
};
