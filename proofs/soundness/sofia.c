/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * SOFIA-4-128: what is proved of it, each on arbitrary inputs. See docs/soundness.md.
 *
 * Inputs are constant arrays of exactly their lengths with unknown contents, outputs and memory
 * start uninitialised. Signing and verification are not here: they are not proved.
 */
#include <__fc_builtin.h>
#include <stdint.h>

#include "backends.h"
#include "codekem_sofia.h"
#include "keccak/keccak.h"
#include "sofia/sofia.h"

extern const uint8_t any_seed[CODEKEM_SOFIA_KEYPAIR_SEED];

static const struct backend portable = {
    .name = "portable", .id = BACKEND_PORTABLE, .keccak = &ckem_keccak_portable};

/* In place of src/kem/backends.c, which uses atomics. */
const struct backend *ckem_backend_in_use(void) {
  return &portable;
}

/* ckem_mq4_ops_of names it; it is not analysed. */
const struct mq4_ops ckem_mq4_reference;

static void any_stream(void *context, uint8_t *out, size_t length) {
  (void)context;
  Frama_C_make_unknown((char *)out, length);
}

/* The sampler, on every stream: what verification derives from a signature that anyone sent. */
void analyse_challenges(void) {
  struct sofia_challenges challenges;

  (void)ckem_sofia_sample_challenges(&challenges, any_stream, &challenges);
  //@ assert set: \initialized(challenges.alpha + (0 .. SOFIA_ROUNDS - 1));
  //@ assert bits: \initialized(challenges.bit + (0 .. SOFIA_ROUNDS - 1));
  //@ assert alpha: \forall integer i; 0 <= i < SOFIA_ROUNDS ==> challenges.alpha[i] <= 2;
  //@ assert bit: \forall integer i; 0 <= i < SOFIA_ROUNDS ==> challenges.bit[i] <= 1;
  Frama_C_show_each_end();
}

/* The whole call. EVA does not know how the memory on its stack is aligned, so that it also follows
 * the refusal of a workspace that is not. */
void analyse_keypair(void) {
  uint8_t public_key[CODEKEM_SOFIA_PUBLIC_KEY], secret_key[CODEKEM_SOFIA_SECRET_KEY];
  const codekem_sofia_status status =
      codekem_sofia_keypair_derand(public_key, secret_key, any_seed);

  //@ assert status: status == CODEKEM_SOFIA_OK || status == CODEKEM_SOFIA_ERROR_WORKSPACE;
  //@ assert public_key: \initialized(public_key + (0 .. CODEKEM_SOFIA_PUBLIC_KEY - 1));
  //@ assert secret_key: \initialized(secret_key + (0 .. CODEKEM_SOFIA_SECRET_KEY - 1));
  Frama_C_show_each_end();
}
