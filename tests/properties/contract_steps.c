/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* For contract_check.c: steps after one that failed, and functions that return no status. */
#include <stdlib.h>
#include <string.h>

#include "codekem_legacy.h"
#include "codekem_mceliece.h"
#include "codekem_sofia.h"
#include "contract.h"

/* --- Steps after one that failed -------------------------------------------------------------- */

static bool failing(void *context, uint8_t *out, size_t length) {
  (void)context;
  memset(out, 1, length);
  return false;
}

/* The beginning failed, in way number way; the steps that follow say so, and leave zeros. */
void check_encapsulation(const codekem_kem *kem, int way) {
  static const uint8_t seed[32] = {1};
  const codekem_kem *other = codekem_kem_at(0);
  const codekem_kem *given = way == 0 ? other : way == 1 ? NULL : kem;
  codekem_mceliece_encapsulation *state = malloc(sizeof *state);
  uint8_t ciphertext[CODEKEM_MAX_CIPHERTEXT], secret[CODEKEM_MAX_SHARED_SECRET];
  codekem_status status;

  situation = "an encapsulation that failed";
  require(state != NULL, "out of memory");
  memset(state, 0x5A, sizeof *state);
  memset(ciphertext, DIRT, sizeof ciphertext);
  memset(secret, DIRT, sizeof secret);
  status = way == 2   ? codekem_mceliece_encaps_begin(kem, state, failing, NULL)
           : way == 3 ? codekem_mceliece_encaps_begin(kem, state, NULL, NULL)
           : way == 4 ? codekem_mceliece_encaps_begin_derand(kem, state, NULL)
                      : codekem_mceliece_encaps_begin_derand(given, state, seed);
  if (way == 5) { /* this one begins, and fails later */
    require(status == CODEKEM_OK, "cannot begin");
    status = codekem_mceliece_encaps_absorb(state, NULL, 1);
  }
  require(status != CODEKEM_OK, "no error");
  require(codekem_mceliece_encaps_absorb(state, seed, 1) == CODEKEM_ERROR_NULL, "it goes on");
  for (int again = 0; again < 2; again++) {
    require(codekem_mceliece_encaps_end(state, ciphertext, secret) == CODEKEM_ERROR_NULL,
            "it ends");
    for (size_t i = 0; i < kem->length_shared_secret; i++) {
      require(secret[i] == 0, "a secret is not zeroed");
    }
    for (size_t i = 0; given != NULL && i < given->length_ciphertext; i++) {
      require(ciphertext[i] == 0, "a ciphertext is not zeroed");
    }
  }
  free(state);
}

/* A workspace in which nothing could begin, as short as the caller said. */
void check_sofia_steps(size_t length, const uint8_t *key, size_t signature_length) {
  static const uint8_t part[4];
  const codekem_sofia_status order = CODEKEM_SOFIA_ERROR_ORDER;
  uint8_t *workspace = aligned_alloc(CODEKEM_WORKSPACE_ALIGNMENT, length);
  uint8_t *signature = malloc(CODEKEM_SOFIA_SIGNATURE);

  situation = "steps of SOFIA after a failure";
  require(workspace != NULL && signature != NULL, "out of memory");
  for (int verify = 0; verify < 2; verify++) {
    memset(workspace, 1, length); /* a stage that a session has */
    memset(signature, DIRT, CODEKEM_SOFIA_SIGNATURE);
    const codekem_sofia_status status =
        verify != 0
            ? codekem_sofia_verify_start(workspace, length, signature, signature_length, key)
            : codekem_sofia_sign_start(workspace, length, key);
    require(status != CODEKEM_SOFIA_OK, "it begins");
    require(codekem_sofia_sign_update(workspace, part, 4) == order, "update");
    require(codekem_sofia_sign_again(workspace) == order, "again");
    require(codekem_sofia_sign_finish(workspace, signature) == order, "finish");
    for (size_t i = 0; i < CODEKEM_SOFIA_SIGNATURE; i++) {
      require(signature[i] == 0, "a signature is not zeroed");
    }
    require(codekem_sofia_verify_update(workspace, part, 4) == order, "verify_update");
    require(codekem_sofia_verify_finish(workspace) == order, "verify_finish");
  }
  free(signature);
  free(workspace);
}

/* --- What returns no status ------------------------------------------------------------------- */

void check_rest(void) {
  const codekem_kem *kem = codekem_kem_at(0);
  uint8_t bytes[3] = {1, 1, 1};

  situation = "a function without a status";
  require(codekem_kem_at(SIZE_MAX) == NULL && codekem_kem_at(codekem_kem_count()) == NULL, "at");
  require(codekem_kem_find(NULL) == NULL && codekem_kem_find("") == NULL, "find");
  require(codekem_legacy_kem_at(codekem_legacy_kem_count()) == NULL, "legacy at");
  require(codekem_legacy_kem_find(NULL) == NULL, "legacy find");
  require(codekem_mceliece_kem_at(codekem_mceliece_kem_count()) == NULL, "mceliece at");
  require(codekem_mceliece_kem_find(NULL) == NULL, "mceliece find");
  for (int i = 0; i < 2; i++) {
    const codekem_kem *other = i == 0 ? NULL : kem;
    require(codekem_mceliece_rows(other) == 0 && codekem_mceliece_rows_length(other) == 0 &&
                codekem_mceliece_prepared_length(other) == 0 &&
                codekem_mceliece_keypair_in_pages_workspace(other, PAGE) == 0,
            "a length without a KEM of the scheme");
  }
  require(codekem_kem_self_test_workspace(NULL) == 0, "a length without a KEM");
  require(codekem_status_text((codekem_status)99) != NULL && codekem_version() != NULL, "a text");
  require(codekem_sofia_status_text((codekem_sofia_status)99) != NULL, "a text");
  require(codekem_mceliece_warning() != NULL, "a text");
  require(codekem_backend_name(codekem_backend_count()) == NULL, "a back end's name");
  require(!codekem_backend_supported(codekem_backend_count()), "a back end");
  require(codekem_backend_select("nothing") == CODEKEM_ERROR_BACKEND, "a back end");
  require(no_backend == (codekem_backend_current() == NULL), "the back end");
  require(!codekem_random_system(NULL, NULL, 1), "randomness without a place");
  codekem_wipe(NULL, 1);
  codekem_wipe(bytes, 2);
  require(bytes[0] == 0 && bytes[1] == 0 && bytes[2] == 1, "wipe");
}
