/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Batches of one KEM on arbitrary inputs: what Frama-C starts from; see operation.c.
 *
 * COUNT operations at once. With ONE_KEY all share a key; otherwise keys follow each other.
 */
#include <__fc_builtin.h>
#include <stdint.h>

#include "backends.h"
#include "codekem.h"
#include "contracts.h"
#include "sizes.h"

#include "specifications.h"

extern const codekem_kem KEM_OBJECT;

#define KEYS (ONE_KEY ? 1 : COUNT)
#define STRIDE_OF(bytes) (ONE_KEY ? 0 : (bytes))

extern const uint8_t any_public_keys[KEYS * PUBLIC_KEY_BYTES];
extern const uint8_t any_secret_keys[KEYS * SECRET_KEY_BYTES];
extern const uint8_t any_ciphertexts[COUNT * CIPHERTEXT_BYTES];
extern const uint8_t any_keypair_seeds[COUNT * KEYPAIR_SEED_BYTES];
extern const uint8_t any_encaps_seeds[COUNT * ENCAPS_SEED_BYTES];

const struct backend *ckem_backend_in_use(void) {
  return &USED;
}

static void keypair_batch(void) {
  uint8_t public_keys[COUNT * PUBLIC_KEY_BYTES];
  uint8_t secret_keys[COUNT * SECRET_KEY_BYTES];
  const codekem_status status = codekem_kem_keypair_batch(
      &KEM_OBJECT, COUNT, public_keys, secret_keys, CODEKEM_OPTIONS(.seed = any_keypair_seeds));

  //@ assert status: status == CODEKEM_OK || status == CODEKEM_ERROR_INTERNAL;
  //@ assert public_keys: \initialized(public_keys + (0 .. COUNT * PUBLIC_KEY_BYTES - 1));
  //@ assert secret_keys: \initialized(secret_keys + (0 .. COUNT * SECRET_KEY_BYTES - 1));
}

static void encaps_batch(void) {
  uint8_t ciphertexts[COUNT * CIPHERTEXT_BYTES];
  uint8_t shared_secrets[COUNT * SHARED_SECRET_BYTES];
  const codekem_status status =
      codekem_kem_encaps_batch(&KEM_OBJECT, COUNT, ciphertexts, shared_secrets, any_public_keys,
                               STRIDE_OF(PUBLIC_KEY_BYTES),
                               CODEKEM_OPTIONS(.seed = any_encaps_seeds));

  //@ assert status: status == CODEKEM_OK || status == CODEKEM_ERROR_INTERNAL;
  //@ assert ciphertexts: \initialized(ciphertexts + (0 .. COUNT * CIPHERTEXT_BYTES - 1));
  /*@ assert shared_secrets:
        \initialized(shared_secrets + (0 .. COUNT * SHARED_SECRET_BYTES - 1)); */
}

/* With every lower first threshold that the KEM takes. */
static void decaps_batch(void) {
  uint8_t shared_secrets[COUNT * SHARED_SECRET_BYTES];
  const int lower = Frama_C_interval(0, (int)KEM_OBJECT.internal->most_lower);
  const codekem_status status =
      codekem_kem_decaps_batch(&KEM_OBJECT, COUNT, shared_secrets, any_ciphertexts, any_secret_keys,
                               STRIDE_OF(SECRET_KEY_BYTES),
                               CODEKEM_OPTIONS(.lower_first_threshold = (size_t)lower));

  //@ assert status: status == CODEKEM_OK || status == CODEKEM_ERROR_INTERNAL;
  /*@ assert shared_secrets:
        \initialized(shared_secrets + (0 .. COUNT * SHARED_SECRET_BYTES - 1)); */
}

/* No key goes into a batch of key pairs. */
void analyse_all(void) {
#if !ONE_KEY
  keypair_batch();
#endif
  encaps_batch();
  decaps_batch();
  Frama_C_show_each_end();
}
