/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * A KEM of the size of Classic McEliece 8192128, in place of the library's first: for the test that
 * nothing in the command is too small for it. It is no cryptography.
 *
 * Its public key is one byte, the key's number, again and again; the secret key is that number and
 * does not hold the public key. No call has room on the stack: only the *_workspace functions work.
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
static bool use(void *workspace, size_t length) {
  if (workspace == NULL || length < WORKSPACE) {
    return false;
  }
  memset(workspace, 0, WORKSPACE);
  return true;
}

codekem_status __wrap_codekem_kem_keypair_workspace(const codekem_kem *kem, uint8_t *public_key,
                                                    uint8_t *secret_key, const uint8_t *seed,
                                                    void *workspace, size_t length) {
  (void)kem;
  memset(public_key, seed[0], PUBLIC);
  memset(secret_key, seed[0], SECRET);
  return use(workspace, length) ? CODEKEM_OK : CODEKEM_ERROR_WORKSPACE;
}

codekem_status __wrap_codekem_kem_keypair_random_workspace(
    const codekem_kem *kem, uint8_t *public_key, uint8_t *secret_key,
    codekem_random_function random, void *context, void *workspace, size_t length) {
  uint8_t seed[SEED];
  return random(context, seed, sizeof seed)
             ? __wrap_codekem_kem_keypair_workspace(kem, public_key, secret_key, seed, workspace,
                                                    length)
             : CODEKEM_ERROR_RANDOM;
}

codekem_status __wrap_codekem_kem_encaps_random_workspace(
    const codekem_kem *kem, uint8_t *ciphertext, uint8_t *shared_secret, const uint8_t *public_key,
    codekem_random_function random, void *context, void *workspace, size_t length) {
  (void)kem;
  if (!random(context, ciphertext, CIPHERTEXT)) {
    return CODEKEM_ERROR_RANDOM;
  }
  for (size_t i = 0; i < SHARED; i++) {
    shared_secret[i] = ciphertext[i] ^ public_key[PUBLIC - 1 - i];
  }
  return use(workspace, length) ? CODEKEM_OK : CODEKEM_ERROR_WORKSPACE;
}

codekem_status __wrap_codekem_kem_decaps_workspace(const codekem_kem *kem, uint8_t *shared_secret,
                                                   const uint8_t *ciphertext,
                                                   const uint8_t *secret_key, void *workspace,
                                                   size_t length) {
  (void)kem;
  for (size_t i = 0; i < SHARED; i++) {
    shared_secret[i] = ciphertext[i] ^ secret_key[SECRET - 1 - i];
  }
  return use(workspace, length) ? CODEKEM_OK : CODEKEM_ERROR_WORKSPACE;
}

codekem_status __wrap_codekem_kem_check_public_key(const codekem_kem *kem, const uint8_t *key) {
  (void)kem;
  return key[0] == key[PUBLIC - 1] ? CODEKEM_OK : CODEKEM_ERROR_PUBLIC_KEY;
}

codekem_status __wrap_codekem_kem_check_secret_key_workspace(
    const codekem_kem *kem, const uint8_t *key, void *workspace, size_t length) {
  (void)kem;
  (void)key;
  return use(workspace, length) ? CODEKEM_OK : CODEKEM_ERROR_WORKSPACE;
}

codekem_status __wrap_codekem_kem_check_ciphertext(const codekem_kem *kem, const uint8_t *data) {
  (void)kem;
  (void)data;
  return CODEKEM_OK;
}
