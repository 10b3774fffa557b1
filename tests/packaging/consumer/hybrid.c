/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Exchanges a key by X25519 and a KEM, combined as docs/start/application.md shows it. Prints, each
   on a line in hex: X25519 secret, KEM secret, Bob's and Alice's X25519 keys, the KEM's public key,
   the ciphertext, Bob's key and Alice's key. */

#include <codekem.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>

int combine(uint8_t key[32], const codekem_kem *kem, const uint8_t x25519_secret[32],
            const uint8_t *kem_secret, const uint8_t bob_x25519[32], const uint8_t alice_x25519[32],
            const uint8_t *public_key, const uint8_t *ciphertext, const char *purpose);

static void need(int good) {
  if (!good) {
    exit(1);
  }
}

static void show(const uint8_t *bytes, size_t length) {
  for (size_t i = 0; i < length; i++) {
    printf("%02x", bytes[i]);
  }
  puts("");
}

/* Computes the X25519 secret of own, a key pair, and other, a public key of 32 bytes. */
static void agree(uint8_t secret[32], EVP_PKEY *own, const uint8_t other[32]) {
  EVP_PKEY *peer = EVP_PKEY_new_raw_public_key(EVP_PKEY_X25519, NULL, other, 32);
  EVP_PKEY_CTX *context = EVP_PKEY_CTX_new(own, NULL);
  size_t length = 32;
  need(peer != NULL && context != NULL && EVP_PKEY_derive_init(context) == 1 &&
       EVP_PKEY_derive_set_peer(context, peer) == 1 &&
       EVP_PKEY_derive(context, secret, &length) == 1 && length == 32);
  EVP_PKEY_CTX_free(context);
  EVP_PKEY_free(peer);
}

/* Makes an X25519 key pair; stores its public key. */
static EVP_PKEY *make(uint8_t public_key[32]) {
  EVP_PKEY *pair = EVP_PKEY_Q_keygen(NULL, NULL, "X25519");
  size_t length = 32;
  need(pair != NULL && EVP_PKEY_get_raw_public_key(pair, public_key, &length) == 1);
  return pair;
}

int main(int count, char **arguments) {
  static uint8_t pk[CODEKEM_MAX_PUBLIC_KEY], sk[CODEKEM_MAX_SECRET_KEY], ct[CODEKEM_MAX_CIPHERTEXT];
  uint8_t sent[CODEKEM_MAX_SHARED_SECRET], received[CODEKEM_MAX_SHARED_SECRET];
  uint8_t bob[32], alice[32], bob_secret[32], alice_secret[32], bob_key[32], alice_key[32];

  need(count == 3);
  const codekem_kem *kem = codekem_kem_find(arguments[1]);
  need(kem != NULL);
  EVP_PKEY *bob_pair = make(bob), *alice_pair = make(alice);
  need(codekem_kem_keypair(kem, pk, sk) == CODEKEM_OK);
  need(codekem_kem_encaps(kem, ct, sent, pk) == CODEKEM_OK);
  need(codekem_kem_decaps(kem, received, ct, sk) == CODEKEM_OK);
  agree(bob_secret, bob_pair, alice);
  agree(alice_secret, alice_pair, bob);
  need(combine(bob_key, kem, bob_secret, received, bob, alice, pk, ct, arguments[2]));
  need(combine(alice_key, kem, alice_secret, sent, bob, alice, pk, ct, arguments[2]));
  show(bob_secret, 32);
  show(sent, kem->length_shared_secret);
  show(bob, 32);
  show(alice, 32);
  show(pk, kem->length_public_key);
  show(ct, kem->length_ciphertext);
  show(bob_key, 32);
  show(alice_key, 32);
  EVP_PKEY_free(bob_pair);
  EVP_PKEY_free(alice_pair);
  return 0;
}
