/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * A KEM of the size of Classic McEliece 8192128, in place of the library's first: for the test that
 * nothing in the command is too small for it. It is no cryptography.
 *
 * Its public key is one byte, the key's number, again and again; the secret key is that number and
 * does not hold the public key. No call has room on the stack: all need a workspace.
 */
#include <codekem.h>
#include <string.h>

#include "key-encoding/key_oids.h"

enum { PUBLIC = 1357824, SECRET = 14120, CIPHERTEXT = 208, SHARED = 32, SEED = 32 };
enum { WORKSPACE = 8 << 20 };

static const codekem_kem giant = {
    .method_name = "GIANT-1",
    .alg_version = "1",
    .security = "IND-CCA2",
    .claimed_nist_level = 5,
    .ind_cca = true,
    .length_public_key = PUBLIC,
    .length_secret_key = SECRET,
    .length_ciphertext = CIPHERTEXT,
    .length_shared_secret = SHARED,
    .length_keypair_seed = SEED,
    .length_encaps_seed = SEED,
    .length_keypair_workspace = WORKSPACE,
    .length_encaps_workspace = WORKSPACE,
    .length_decaps_workspace = WORKSPACE,
    .family = "GIANT",
    .length_check_workspace = WORKSPACE,
#ifdef SUPERSEDED
    .superseded = true,
#endif
};

const codekem_kem *__wrap_codekem_kem_at(size_t index) { return index == 0 ? &giant : NULL; }

size_t __wrap_codekem_kem_count(void) { return 1; }

const codekem_kem *__wrap_codekem_kem_find(const char *name) {
  return strcmp(name, giant.method_name) == 0 ? &giant : NULL;
}

const char *__wrap_ckem_key_oid_of_kem(const char *kem) {
  return strcmp(kem, giant.method_name) == 0 ? "1.3.9999.77" : NULL;
}

const char *__wrap_ckem_key_kem_of_oid(const char *oid) {
  return strcmp(oid, "1.3.9999.77") == 0 ? giant.method_name : NULL;
}

/* Says whether the caller gave the memory that the KEM asks for, and uses all of it. */
static codekem_status use(const codekem_options *options) {
  if (options->workspace == NULL || options->workspace_length < WORKSPACE) {
    return CODEKEM_ERROR_WORKSPACE;
  }
  memset(options->workspace, 0, WORKSPACE);
  return CODEKEM_OK;
}

static bool draw(const codekem_options *options, uint8_t *out, size_t length) {
  const codekem_random_function random =
      options->random == NULL ? codekem_random_system : options->random;

  return random(options->random_context, out, length);
}

codekem_status __wrap_codekem_kem_keypair_with(const codekem_kem *kem, uint8_t *public_key,
                                               uint8_t *secret_key,
                                               const codekem_options *options) {
  uint8_t seed[SEED];

  (void)kem;
  if (options->seed != NULL) {
    memcpy(seed, options->seed, SEED);
  } else if (!draw(options, seed, SEED)) {
    return CODEKEM_ERROR_RANDOM;
  }
  memset(public_key, seed[0], PUBLIC);
  memset(secret_key, seed[0], SECRET);
  return use(options);
}

codekem_status __wrap_codekem_kem_encaps_with(const codekem_kem *kem, uint8_t *ciphertext,
                                              uint8_t *shared_secret, const uint8_t *public_key,
                                              const codekem_options *options) {
  (void)kem;
  if (!draw(options, ciphertext, CIPHERTEXT)) {
    return CODEKEM_ERROR_RANDOM;
  }
  for (size_t i = 0; i < SHARED; i++) {
    shared_secret[i] = ciphertext[i] ^ public_key[PUBLIC - 1 - i];
  }
  return use(options);
}

codekem_status __wrap_codekem_kem_decaps_with(const codekem_kem *kem, uint8_t *shared_secret,
                                              const uint8_t *ciphertext, const uint8_t *secret_key,
                                              const codekem_options *options) {
  (void)kem;
  for (size_t i = 0; i < SHARED; i++) {
    shared_secret[i] = ciphertext[i] ^ secret_key[SECRET - 1 - i];
  }
  return use(options);
}

codekem_status __wrap_codekem_kem_check_public_key(const codekem_kem *kem, const uint8_t *key) {
  (void)kem;
  return key[0] == key[PUBLIC - 1] ? CODEKEM_OK : CODEKEM_ERROR_PUBLIC_KEY;
}

codekem_status __wrap_codekem_kem_check_secret_key_with(const codekem_kem *kem, const uint8_t *key,
                                                        const codekem_options *options) {
  (void)kem;
  (void)key;
  return use(options);
}

codekem_status __wrap_codekem_kem_check_ciphertext(const codekem_kem *kem, const uint8_t *data) {
  (void)kem;
  (void)data;
  return CODEKEM_OK;
}
