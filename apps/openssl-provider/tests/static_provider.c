/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A program that links the provider and loads no module: an exchange, a key in DER, a TLS handshake
 * in memory with the group that its argument names. usage: static_provider GROUP */
#include <codekem_provider.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/provider.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LARGEST 32768
#define SECRET 32
#define TURNS 20

/* The provider's names without their prefix: a program may have them, too. */
int key_new, key_free, pool_open, settings_load, kem_functions, reason_strings, shared_library_open,
    key_der_read_private, key_oid_of_kem;

static int check(int good, const char *what) {
  if (!good) {
    (void)fprintf(stderr, "%s failed\n", what);
    ERR_print_errors_fp(stderr);
    exit(1);
  }
  return good;
}

static EVP_PKEY *make_key(const char *name) {
  EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, name, NULL);
  EVP_PKEY *key = NULL;

  check(context != NULL && EVP_PKEY_keygen_init(context) == 1 &&
            EVP_PKEY_generate(context, &key) == 1,
        "making a key");
  EVP_PKEY_CTX_free(context);
  return key;
}

/* Writes a key in DER and reads it again. */
static EVP_PKEY *written_and_read(EVP_PKEY *key) {
  unsigned char *der = NULL;
  const int length = i2d_PrivateKey(key, &der);
  const unsigned char *end = der;
  EVP_PKEY *copy = length <= 0 ? NULL : d2i_AutoPrivateKey(NULL, &end, length);

  check(copy != NULL && EVP_PKEY_eq(key, copy) == 1, "writing and reading a key");
  OPENSSL_clear_free(der, (size_t)length);
  return copy;
}

static void exchange(const char *name) {
  static unsigned char ciphertext[LARGEST], sent[SECRET], received[SECRET];
  size_t ciphertext_length = sizeof ciphertext;
  size_t sent_length = sizeof sent;
  size_t received_length = sizeof received;
  EVP_PKEY *key = make_key(name);
  EVP_PKEY *copy = written_and_read(key);
  EVP_PKEY_CTX *sender = EVP_PKEY_CTX_new_from_pkey(NULL, key, NULL);
  EVP_PKEY_CTX *receiver = EVP_PKEY_CTX_new_from_pkey(NULL, copy, NULL);

  check(EVP_PKEY_encapsulate_init(sender, NULL) == 1 &&
            EVP_PKEY_encapsulate(sender, ciphertext, &ciphertext_length, sent, &sent_length) == 1 &&
            EVP_PKEY_decapsulate_init(receiver, NULL) == 1 &&
            EVP_PKEY_decapsulate(receiver, received, &received_length, ciphertext,
                                 ciphertext_length) == 1 &&
            sent_length == SECRET && memcmp(sent, received, SECRET) == 0,
        "the exchange");
  EVP_PKEY_CTX_free(sender);
  EVP_PKEY_CTX_free(receiver);
  EVP_PKEY_free(key);
  EVP_PKEY_free(copy);
}

static void use_certificate(SSL_CTX *context) {
  EVP_PKEY *key = EVP_EC_gen("P-256");
  X509 *certificate = X509_new();

  check(ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1) &&
            X509_gmtime_adj(X509_getm_notBefore(certificate), 0) != NULL &&
            X509_gmtime_adj(X509_getm_notAfter(certificate), 86400) != NULL &&
            X509_set_pubkey(certificate, key) && X509_sign(certificate, key, EVP_sha256()) &&
            SSL_CTX_use_certificate(context, certificate) == 1 &&
            SSL_CTX_use_PrivateKey(context, key) == 1,
        "making a certificate");
  X509_free(certificate);
  EVP_PKEY_free(key);
}

static SSL *make_side(const SSL_METHOD *method, const char *group, int is_server) {
  SSL_CTX *context = SSL_CTX_new(method);
  SSL *side;

  check(context != NULL && SSL_CTX_set1_groups_list(context, group) == 1, "choosing the group");
  if (is_server) {
    use_certificate(context);
  }
  side = SSL_new(context);
  SSL_CTX_free(context);
  return side;
}

static void shake_hands(const char *group) {
  SSL *client = make_side(TLS_client_method(), group, 0);
  SSL *server = make_side(TLS_server_method(), group, 1);
  BIO *ends[2];
  int done = 0;

  check(BIO_new_bio_pair(&ends[0], LARGEST, &ends[1], LARGEST) == 1, "connecting");
  SSL_set_bio(client, ends[0], ends[0]);
  SSL_set_bio(server, ends[1], ends[1]);
  for (int turn = 0; !done && turn < TURNS; turn++) {
    const int connected = SSL_connect(client) == 1;
    const int accepted = SSL_accept(server) == 1;
    done = connected && accepted;
  }
  check(done && SSL_version(client) == TLS1_3_VERSION, "the handshake");
  (void)printf("group %#lx\n", (unsigned long)SSL_get_negotiated_group(client) & 0xFFFF);
  SSL_free(client);
  SSL_free(server);
}

int main(int argc, char **argv) {
  OSSL_PROVIDER *base, *codekem;

  check(OSSL_PROVIDER_add_builtin(NULL, "codekem", codekem_ossl_provider_init), "adding");
  base = OSSL_PROVIDER_load(NULL, "default");
  codekem = OSSL_PROVIDER_load(NULL, "codekem");
  check(base != NULL && codekem != NULL, "loading");
  exchange("HQC-1");
  exchange("BIKE-L1");
  shake_hands(argc == 2 ? argv[1] : "x25519_bikel1");
  return OSSL_PROVIDER_unload(codekem) == 1 && OSSL_PROVIDER_unload(base) == 1 ? 0 : 1;
}
