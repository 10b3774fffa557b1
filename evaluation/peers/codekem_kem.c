/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The functions of NIST's API over one KEM of codekem, so that what measures or watches a peer can
 * do the same with ours. CODEKEM_CPU in the environment chooses the back end. From a folder with
 * the static library:
 *
 *   cc -O2 -shared -fPIC '-DKEM="HQC-1"' -Iinclude evaluation/peers/codekem_kem.c \
 *      build/default/libcodekem.a -Wl,-Bsymbolic -o codekem-HQC-1.so
 */
#include <codekem.h>

#ifndef KEM
#error "name a KEM, as in -DKEM=\"HQC-1\""
#endif

int crypto_kem_keypair(unsigned char *pk, unsigned char *sk);
int crypto_kem_enc(unsigned char *ct, unsigned char *ss, const unsigned char *pk);
int crypto_kem_dec(unsigned char *ss, const unsigned char *ct, const unsigned char *sk);

int crypto_kem_keypair(unsigned char *pk, unsigned char *sk) {
  return codekem_kem_keypair(codekem_kem_find(KEM), pk, sk) == CODEKEM_OK ? 0 : -1;
}

int crypto_kem_enc(unsigned char *ct, unsigned char *ss, const unsigned char *pk) {
  return codekem_kem_encaps(codekem_kem_find(KEM), ct, ss, pk) == CODEKEM_OK ? 0 : -1;
}

int crypto_kem_dec(unsigned char *ss, const unsigned char *ct, const unsigned char *sk) {
  return codekem_kem_decaps(codekem_kem_find(KEM), ss, ct, sk) == CODEKEM_OK ? 0 : -1;
}
