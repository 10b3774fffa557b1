/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The functions of NIST's API over one parameter set of libmceliece, -DSET=mceliece348864f, and
 * what it asks of librandombytes. */
#include <mceliece.h>

#include "random.h"

#define JOIN(a, b) a##b
#define OF_SET(set, name) JOIN(set, name)

int crypto_kem_keypair(unsigned char *pk, unsigned char *sk);
int crypto_kem_enc(unsigned char *ct, unsigned char *ss, const unsigned char *pk);
int crypto_kem_dec(unsigned char *ss, const unsigned char *ct, const unsigned char *sk);
void randombytes_internal_void_voidstar_longlong(void *out, long long length);

int crypto_kem_keypair(unsigned char *pk, unsigned char *sk) {
  OF_SET(SET, _keypair)(pk, sk);
  return 0;
}

int crypto_kem_enc(unsigned char *ct, unsigned char *ss, const unsigned char *pk) {
  return OF_SET(SET, _enc)(ct, ss, pk);
}

int crypto_kem_dec(unsigned char *ss, const unsigned char *ct, const unsigned char *sk) {
  return OF_SET(SET, _dec)(ss, ct, sk);
}

void randombytes_internal_void_voidstar_longlong(void *out, long long length) {
  peer_bytes(out, (size_t)length);
}
