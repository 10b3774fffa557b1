/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The public operations of one KEM on arbitrary inputs, one or all: what Frama-C starts from.
 *
 * KEM_OBJECT is the object that describes the KEM (src/kem/kems.def), LEVEL its level, USED is
 * `portable` or `contracts`. Inputs are constant arrays of exactly the lengths of the KEM with
 * unknown contents, outputs and the stack start uninitialised: reading beyond an input, writing to
 * one, or leaving an output unset is an alarm.
 */
#include <__fc_builtin.h>
#include <stdint.h>

#include "backends.h"
#include "codekem.h"
#include "contracts.h"
#include "sizes.h"

#include "specifications.h"
#if defined(HQC_2023)
#include "legacy/hqc_2023.h"
#endif

extern const codekem_kem KEM_OBJECT;

extern const uint8_t any_public_key[PUBLIC_KEY_BYTES];
extern const uint8_t any_secret_key[SECRET_KEY_BYTES];
extern const uint8_t any_ciphertext[CIPHERTEXT_BYTES];
extern const uint8_t any_keypair_seed[KEYPAIR_SEED_BYTES];
extern const uint8_t any_encaps_seed[ENCAPS_SEED_BYTES];

/* The choice between back ends (src/kem/backends.c) uses atomics, which Frama-C does not read. */
const struct backend *ckem_backend_in_use(void) {
  return &USED;
}

static void keypair(void) {
  uint8_t public_key[PUBLIC_KEY_BYTES];
  uint8_t secret_key[SECRET_KEY_BYTES];
  const codekem_status status = codekem_kem_keypair_with(&KEM_OBJECT, public_key, secret_key,
                                                         CODEKEM_OPTIONS(.seed = any_keypair_seed));

  //@ assert status: status == CODEKEM_OK || status == CODEKEM_ERROR_INTERNAL;
  //@ assert public_key: \initialized(public_key + (0 .. PUBLIC_KEY_BYTES - 1));
  //@ assert secret_key: \initialized(secret_key + (0 .. SECRET_KEY_BYTES - 1));
}

static void encaps(void) {
  uint8_t ciphertext[CIPHERTEXT_BYTES];
  uint8_t shared_secret[SHARED_SECRET_BYTES];
  const codekem_status status =
      codekem_kem_encaps_with(&KEM_OBJECT, ciphertext, shared_secret, any_public_key,
                              CODEKEM_OPTIONS(.seed = any_encaps_seed));

  //@ assert status: status == CODEKEM_OK || status == CODEKEM_ERROR_INTERNAL;
  //@ assert ciphertext: \initialized(ciphertext + (0 .. CIPHERTEXT_BYTES - 1));
  //@ assert shared_secret: \initialized(shared_secret + (0 .. SHARED_SECRET_BYTES - 1));
}

/* With every lower first threshold that the KEM takes. */
static void decaps(void) {
  uint8_t shared_secret[SHARED_SECRET_BYTES];
  const int lower = Frama_C_interval(0, (int)KEM_OBJECT.internal->most_lower);
  const codekem_status status =
      codekem_kem_decaps_with(&KEM_OBJECT, shared_secret, any_ciphertext, any_secret_key,
                              CODEKEM_OPTIONS(.lower_first_threshold = (size_t)lower));

  //@ assert status: status == CODEKEM_OK || status == CODEKEM_ERROR_INTERNAL;
  //@ assert shared_secret: \initialized(shared_secret + (0 .. SHARED_SECRET_BYTES - 1));
}

static void checks(void) {
  const codekem_status secret_key = codekem_kem_check_secret_key(&KEM_OBJECT, any_secret_key);
  const codekem_status public_key = codekem_kem_check_public_key(&KEM_OBJECT, any_public_key);
  const codekem_status ciphertext = codekem_kem_check_ciphertext(&KEM_OBJECT, any_ciphertext);
  uint8_t derived[PUBLIC_KEY_BYTES];
  const codekem_status derivation =
      codekem_kem_derive_public_key(&KEM_OBJECT, derived, any_secret_key);

  //@ assert secret_key: secret_key == CODEKEM_OK || secret_key == CODEKEM_ERROR_SECRET_KEY;
  //@ assert public_key: public_key == CODEKEM_OK || public_key == CODEKEM_ERROR_PUBLIC_KEY;
  //@ assert ciphertext: ciphertext == CODEKEM_OK || ciphertext == CODEKEM_ERROR_CIPHERTEXT;
  //@ assert derivation: derivation == CODEKEM_OK;
  //@ assert derived: \initialized(derived + (0 .. PUBLIC_KEY_BYTES - 1));
}

#define ANALYSE(operation)         \
  void analyse_##operation(void) { \
    operation();                   \
    Frama_C_show_each_end();       \
  }

ANALYSE(keypair)
ANALYSE(encaps)
ANALYSE(decaps)
ANALYSE(checks)

/* One after the other: reading the sources takes longer than some of these. */
void analyse_all(void) {
  keypair();
  encaps();
  decaps();
  checks();
  Frama_C_show_each_end();
}
