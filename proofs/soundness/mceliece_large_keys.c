/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The interface for large keys, as mceliece_operation.c, whose back end it uses: a prepared secret
 * key, and one that is made from its short form. */
#include <__fc_builtin.h>
#include <stdint.h>

#include "codekem_mceliece.h"
#include "kem.h"
#include "mceliece_operation.h"

#define PREPARED_BYTES (64 + 8 * MCELIECE_PREPARED_WORDS(M) + N / 8)

extern const uint8_t any_secret_key[SECRET_KEY_BYTES];
extern const uint8_t any_ciphertext[CIPHERTEXT_BYTES];
extern const uint8_t any_short_key[MCELIECE_SHORT_KEY_BYTES];

void analyse_prepared(void) {
  uint8_t prepared[PREPARED_BYTES];
  uint64_t workspace[MCELIECE_DECAPS_WORDS(M, T)];
  uint64_t other_workspace[MCELIECE_DECAPS_WORDS(M, T)];
  uint8_t shared_secret[MCELIECE_HASH_BYTES];
  const codekem_status preparation = codekem_mceliece_prepare_secret_key(
      &KEM_OBJECT, prepared, sizeof prepared, any_secret_key, workspace, sizeof workspace);

  //@ assert preparation: preparation == CODEKEM_OK || preparation == CODEKEM_ERROR_WORKSPACE;
  if (preparation == CODEKEM_OK) {
    const codekem_status status =
        codekem_mceliece_decaps_prepared(&KEM_OBJECT, shared_secret, any_ciphertext, prepared,
                                         other_workspace, sizeof other_workspace);

    /*@ assert status: status == CODEKEM_OK || status == CODEKEM_ERROR_CIPHERTEXT ||
          status == CODEKEM_ERROR_WORKSPACE; */
    //@ assert shared_secret: \initialized(shared_secret + (0 .. MCELIECE_HASH_BYTES - 1));
  }
  Frama_C_show_each_end();
}

void analyse_expand(void) {
  uint64_t workspace[MCELIECE_CHECK_WORDS(M, N, T)];
  uint8_t secret_key[SECRET_KEY_BYTES];
  const codekem_status status = codekem_mceliece_expand_secret_key(
      &KEM_OBJECT, secret_key, any_short_key, workspace, sizeof workspace);

  /*@ assert status: status == CODEKEM_OK || status == CODEKEM_ERROR_SECRET_KEY ||
        status == CODEKEM_ERROR_WORKSPACE; */
  //@ assert secret_key: \initialized(secret_key + (0 .. SECRET_KEY_BYTES - 1));
  Frama_C_show_each_end();
}
