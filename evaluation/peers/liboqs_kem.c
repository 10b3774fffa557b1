/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The functions of NIST's API over one KEM of liboqs, so that `--peer` can measure it.
 *
 * Compiled once for each KEM with -DKEM=hqc_1 or another name that liboqs has; liboqs.sh does so.
 * In a liboqs that has our code, -DSELECT names the function that chooses our back end, and
 * CODEKEM_CPU in the environment says which. Timing: what liboqs takes and one call more.
 */
#include <stdio.h>
#include <stdlib.h>

#include <oqs/oqs.h>

#include "random.h"

#ifndef KEM
#error "name a KEM of liboqs, as in -DKEM=hqc_1"
#endif
#define JOIN(a, b, c) a##b##c
#define FUNCTION(kem, operation) JOIN(OQS_KEM_, kem, operation)

int crypto_kem_keypair(unsigned char *pk, unsigned char *sk);
int crypto_kem_enc(unsigned char *ct, unsigned char *ss, const unsigned char *pk);
int crypto_kem_dec(unsigned char *ss, const unsigned char *ct, const unsigned char *sk);

/* Of random.h; liboqs has a generator of its own. */
void peer_random(peer_fill *fill) {
  if (fill != NULL) {
    OQS_randombytes_custom_algorithm(fill);
  } else {
    (void)OQS_randombytes_switch_algorithm(OQS_RAND_alg_system);
  }
}

int crypto_kem_keypair(unsigned char *pk, unsigned char *sk) {
  return FUNCTION(KEM, _keypair)(pk, sk) == OQS_SUCCESS ? 0 : -1;
}

int crypto_kem_enc(unsigned char *ct, unsigned char *ss, const unsigned char *pk) {
  return FUNCTION(KEM, _encaps)(ct, ss, pk) == OQS_SUCCESS ? 0 : -1;
}

int crypto_kem_dec(unsigned char *ss, const unsigned char *ct, const unsigned char *sk) {
  return FUNCTION(KEM, _decaps)(ss, ct, sk) == OQS_SUCCESS ? 0 : -1;
}

#ifdef SELECT
int SELECT(const char *backend);

/* Ends the program if the back end is not there: nothing else would be measured. */
__attribute__((constructor)) static void select_backend(void) {
  const char *backend = getenv("CODEKEM_CPU");

  if (backend != NULL && SELECT(backend) != 0) {
    fprintf(stderr, "CODEKEM_CPU=%s: liboqs's copy has no such back end here\n", backend);
    exit(1);
  }
}
#endif
