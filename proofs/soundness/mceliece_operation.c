/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * One public operation of a KEM of Classic McEliece on arbitrary inputs, over contracts
 * (mceliece_contracts.c): what Frama-C starts from. As operation.c, but what keys take comes from
 * the caller; EVA does not know how that memory is aligned, so that it also follows the refusal.
 */
#include <__fc_builtin.h>
#include <stdint.h>

#include "backends.h"
#include "codekem_mceliece.h"
#include "keccak/keccak.h"
#include "kem.h"
#include "mceliece/mceliece.h"
#include "mceliece_operation.h"

extern const uint8_t any_public_key[PUBLIC_KEY_BYTES];
extern const uint8_t any_secret_key[SECRET_KEY_BYTES];
extern const uint8_t any_ciphertext[CIPHERTEXT_BYTES];
extern const uint8_t any_seed[MCELIECE_SEED_BYTES];

const struct backend contracts = {
    .name = "contracts", .id = BACKEND_PORTABLE, .keccak = &ckem_keccak_portable};

/* In place of src/kem/backends.c, which uses atomics. */
const struct backend *ckem_backend_in_use(void) {
  return &contracts;
}

/* In place of src/mceliece/sampling.c, which mceliece_sampling.c is about. One attempt here; that
 * the stream can be squeezed from wherever the attempts before left it is proved there. */
codekem_status ckem_mceliece_draw_error(const struct mceliece_params *params,
                                        const struct mceliece_ops *ops, uint64_t *error,
                                        struct mceliece_draw *draw, codekem_random_function random,
                                        void *context) {
  //@ assert draw: \valid(draw);
  //@ assert error: \valid(error + (0 .. MCELIECE_ERROR_WORDS - 1));
  //@ assert apart: \separated(draw, error + (0 .. MCELIECE_ERROR_WORDS - 1));
  (void)ops;
  if (!random(context, draw->bytes, 2 * params->tau)) {
    return CODEKEM_ERROR_RANDOM;
  }
  Frama_C_make_unknown((char *)draw, sizeof *draw);
  Frama_C_make_unknown((char *)error, MCELIECE_ERROR_WORDS * sizeof *error);
  return CODEKEM_OK;
}

/* With all of an output set, too, if the call failed. */
void analyse_keypair(void) {
  uint64_t workspace[MCELIECE_KEYPAIR_WORDS(M, N, T)];
  uint8_t public_key[PUBLIC_KEY_BYTES];
  uint8_t secret_key[SECRET_KEY_BYTES];
  const codekem_status status =
      codekem_kem_keypair_with(&KEM_OBJECT, public_key, secret_key,
                               CODEKEM_OPTIONS(.seed = any_seed, .workspace = workspace,
                                               .workspace_length = sizeof workspace));

  //@ assert status: status == CODEKEM_OK || status == CODEKEM_ERROR_WORKSPACE;
  //@ assert public_key: \initialized(public_key + (0 .. PUBLIC_KEY_BYTES - 1));
  //@ assert secret_key: \initialized(secret_key + (0 .. SECRET_KEY_BYTES - 1));
  Frama_C_show_each_end();
}

void analyse_encaps(void) {
  uint8_t ciphertext[CIPHERTEXT_BYTES];
  uint8_t shared_secret[MCELIECE_HASH_BYTES];
  const codekem_status status = codekem_kem_encaps_with(
      &KEM_OBJECT, ciphertext, shared_secret, any_public_key, CODEKEM_OPTIONS(.seed = any_seed));

  //@ assert status: status == CODEKEM_OK || status == CODEKEM_ERROR_PUBLIC_KEY;
  //@ assert ciphertext: \initialized(ciphertext + (0 .. CIPHERTEXT_BYTES - 1));
  //@ assert shared_secret: \initialized(shared_secret + (0 .. MCELIECE_HASH_BYTES - 1));
  Frama_C_show_each_end();
}

void analyse_decaps(void) {
  uint8_t shared_secret[MCELIECE_HASH_BYTES];
  const codekem_status status =
      codekem_kem_decaps(&KEM_OBJECT, shared_secret, any_ciphertext, any_secret_key);

  //@ assert status: status == CODEKEM_OK || status == CODEKEM_ERROR_CIPHERTEXT;
  //@ assert shared_secret: \initialized(shared_secret + (0 .. MCELIECE_HASH_BYTES - 1));
  Frama_C_show_each_end();
}

void analyse_checks(void) {
  uint64_t workspace[MCELIECE_CHECK_WORDS(M, N, T)];
  uint64_t other_workspace[MCELIECE_CHECK_WORDS(M, N, T)];
  uint8_t derived[PUBLIC_KEY_BYTES];
  const codekem_status public_key = codekem_kem_check_public_key(&KEM_OBJECT, any_public_key);
  const codekem_status ciphertext = codekem_kem_check_ciphertext(&KEM_OBJECT, any_ciphertext);
  const codekem_status secret_key = codekem_kem_check_secret_key_with(
      &KEM_OBJECT, any_secret_key,
      CODEKEM_OPTIONS(.workspace = workspace, .workspace_length = sizeof workspace));
  const codekem_status derivation = codekem_kem_derive_public_key_with(
      &KEM_OBJECT, derived, any_secret_key,
      CODEKEM_OPTIONS(.workspace = other_workspace, .workspace_length = sizeof other_workspace));

  //@ assert public_key: public_key == CODEKEM_OK || public_key == CODEKEM_ERROR_PUBLIC_KEY;
  //@ assert ciphertext: ciphertext == CODEKEM_OK || ciphertext == CODEKEM_ERROR_CIPHERTEXT;
  /*@ assert secret_key: secret_key == CODEKEM_OK || secret_key == CODEKEM_ERROR_SECRET_KEY ||
        secret_key == CODEKEM_ERROR_WORKSPACE; */
  /*@ assert derivation: derivation == CODEKEM_OK || derivation == CODEKEM_ERROR_SECRET_KEY ||
        derivation == CODEKEM_ERROR_WORKSPACE; */
  //@ assert derived: \initialized(derived + (0 .. PUBLIC_KEY_BYTES - 1));
  Frama_C_show_each_end();
}

/* --- The steps --- */

struct some_columns {
  uint16_t pi[ENTRIES], point[ENTRIES], inverse[ENTRIES];
};

static struct mceliece_columns set_columns(struct some_columns *some) {
  const struct mceliece_columns columns = {some->pi, some->point, some->inverse};

  Frama_C_make_unknown((char *)some, sizeof *some);
  return columns;
}

extern const uint8_t any_ordering[4 << M];
extern const uint16_t any_goppa[T];

void analyse_order_columns(void) {
  uint64_t words[ORDERING_WORDS];
  struct some_columns some;
  const struct mceliece_columns columns = set_columns(&some);
  const struct arena arena = {words, ORDERING_WORDS};
  const bool ordered =
      ckem_mceliece_order_columns(&PARAMS, &contracts, &columns, any_ordering, any_goppa, arena);

  Frama_C_show_each_end(ordered);
}

void analyse_fill_columns(void) {
  uint64_t words[ORDERING_WORDS];
  struct some_columns some;
  const struct mceliece_columns columns = set_columns(&some);
  const struct arena arena = {words, ORDERING_WORDS};

  ckem_mceliece_fill_columns(&PARAMS, &contracts, &columns, any_goppa, arena);
  Frama_C_show_each_end();
}

/* SEMI says whether columns of pivots may move. */
void analyse_make_public_key(void) {
  uint64_t words[MATRIX_WORDS], pivots;
  uint8_t public_key[PUBLIC_KEY_BYTES];
  struct some_columns some;
  const struct mceliece_columns columns = set_columns(&some);
  const struct arena arena = {words, MATRIX_WORDS};

  if (ckem_mceliece_make_public_key(&PARAMS, &contracts, SEMI, public_key, &pivots, &columns,
                                    arena)) {
    //@ assert made: \initialized(public_key + (0 .. PUBLIC_KEY_BYTES - 1));
  }
  //@ assert pivots: \initialized(&pivots);
  Frama_C_show_each_end();
}
