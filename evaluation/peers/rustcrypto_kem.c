/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The functions of NIST's API over RustCrypto's hqc-kem, as rust/src/for_c.rs gives them to C;
 * -DLEVEL=1. */
#define JOIN(a, b, c) a##b##c
#define OF_LEVEL(level, name) JOIN(rustcrypto_, level, name)

int OF_LEVEL(LEVEL, _keypair)(unsigned char *pk, unsigned char *sk);
int OF_LEVEL(LEVEL, _encaps)(unsigned char *ct, unsigned char *ss, const unsigned char *pk);
int OF_LEVEL(LEVEL, _decaps)(unsigned char *ss, const unsigned char *ct, const unsigned char *sk);

int crypto_kem_keypair(unsigned char *pk, unsigned char *sk);
int crypto_kem_enc(unsigned char *ct, unsigned char *ss, const unsigned char *pk);
int crypto_kem_dec(unsigned char *ss, const unsigned char *ct, const unsigned char *sk);

int crypto_kem_keypair(unsigned char *pk, unsigned char *sk) {
  return OF_LEVEL(LEVEL, _keypair)(pk, sk);
}

int crypto_kem_enc(unsigned char *ct, unsigned char *ss, const unsigned char *pk) {
  return OF_LEVEL(LEVEL, _encaps)(ct, ss, pk);
}

int crypto_kem_dec(unsigned char *ss, const unsigned char *ct, const unsigned char *sk) {
  return OF_LEVEL(LEVEL, _decaps)(ss, ct, sk);
}
