/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The operations of SOFIA on secrets, for trace_compare.c.
 *
 * keypair: from another seed in each case. rounds: all that signing computes before the hash is
 * known, from another secret and other randomness in each case. The system F is the same there: it
 * is public, and addresses tables. What follows the hash is public, too.
 */
#include <string.h>

#include "backends.h"
#include "codekem_sofia.h"
#include "sofia/sofia.h"
#include "trace_operation.h"

static struct sofia_signing signing;
static uint8_t seed[CODEKEM_SOFIA_KEYPAIR_SEED];
static uint8_t public_key[CODEKEM_SOFIA_PUBLIC_KEY], secret_key[CODEKEM_SOFIA_SECRET_KEY];
static bool rounds;

bool trace_choose(const char *scheme, const char *operation, bool fixed_key) {
  rounds = strcmp(operation, "rounds") == 0;
  return strcmp(scheme, CODEKEM_SOFIA_NAME) == 0 && !fixed_key &&
         (rounds || strcmp(operation, "keypair") == 0);
}

void trace_prepare(unsigned number) {
  trace_fill(seed, sizeof seed, 100 + number);
  memset(&signing, 0, sizeof signing);
  signing.backend = ckem_backend_in_use();
  trace_fill(signing.public_key, SOFIA_SEED_BYTES, 1);
  trace_fill(signing.r0[0], sizeof signing.r0, 200 + number); /* s behind the others */
  trace_fill(signing.t0[0], sizeof signing.t0, 300 + number);
  trace_fill(signing.e0[0], sizeof signing.e0, 400 + number);
}

bool trace_operate(void) {
  if (rounds) {
    ckem_sofia_sign_commit(&signing);
    return true;
  }
  return codekem_sofia_keypair_derand(public_key, secret_key, seed) == CODEKEM_SOFIA_OK;
}
