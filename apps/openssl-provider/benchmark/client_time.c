/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Measures a TLS client's processor time for a handshake with and without a pool of keys, and with
 * X25519 beside it: client and server in one thread, the three in turn.
 *
 *   codekem_client_time POOL-CONF PLAIN-CONF GROUP psk|ed25519|p256 ROUNDS
 *
 * The files are configurations of OpenSSL that activate the provider, one with pool.size. A round
 * has 32 handshakes of each kind, so that it pays for whole batches. Prints medians in microseconds
 * and the median and the quartiles of the ratios of rounds.
 */
#define _POSIX_C_SOURCE 200809L

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PLAIN, POOLED, CLASSICAL, KINDS };
enum { IN_A_ROUND = 32, WARM_UP = 100, BUFFER = 65536, DAY = 86400 };

struct ends {
  SSL_CTX *client, *server;
};

static void need(bool good, const char *what) {
  if (!good) {
    (void)fprintf(stderr, "codekem_client_time: %s\n", what);
    ERR_print_errors_fp(stderr);
    exit(1);
  }
}

static double microseconds(void) {
  struct timespec now;

  need(clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) == 0, "no clock of a thread");
  return 1e6 * (double)now.tv_sec + 1e-3 * (double)now.tv_nsec;
}

/* --- Authentication --------------------------------------------------------------------------- */

/* A session from a key that both ends know. */
static SSL_SESSION *known_session(SSL *ssl) {
  static const unsigned char suite[] = {0x13, 0x01}, secret[32] = {1};
  SSL_SESSION *session = SSL_SESSION_new();

  need(session != NULL && SSL_SESSION_set1_master_key(session, secret, sizeof secret) == 1 &&
           SSL_SESSION_set_cipher(session, SSL_CIPHER_find(ssl, suite)) == 1 &&
           SSL_SESSION_set_protocol_version(session, TLS1_3_VERSION) == 1,
       "no session");
  return session;
}

static int use_session(SSL *ssl, const EVP_MD *digest, const unsigned char **identity,
                       size_t *length, SSL_SESSION **session) {
  (void)digest;
  *identity = (const unsigned char *)"known";
  *length = 5;
  *session = known_session(ssl);
  return 1;
}

static int find_session(SSL *ssl, const unsigned char *identity, size_t length,
                        SSL_SESSION **session) {
  (void)identity;
  (void)length;
  *session = known_session(ssl);
  return 1;
}

/* Gives the server a certificate that it has signed itself, and that the client trusts. */
static void certify(struct ends *ends, OSSL_LIB_CTX *library, bool ed25519) {
  EVP_PKEY *key = ed25519 ? EVP_PKEY_Q_keygen(library, NULL, "ED25519")
                          : EVP_PKEY_Q_keygen(library, NULL, "EC", "P-256");
  X509 *certificate = X509_new_ex(library, NULL);

  need(key != NULL && certificate != NULL, "no key");
  X509_NAME *name = X509_get_subject_name(certificate);
  need(X509_set_version(certificate, 2) == 1 && X509_set_pubkey(certificate, key) == 1 &&
           X509_gmtime_adj(X509_getm_notBefore(certificate), 0) != NULL &&
           X509_gmtime_adj(X509_getm_notAfter(certificate), DAY) != NULL &&
           X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, (const unsigned char *)"server", -1,
                                      -1, 0) == 1 &&
           X509_set_issuer_name(certificate, name) == 1 &&
           X509_sign(certificate, key, ed25519 ? NULL : EVP_sha256()) > 0 &&
           SSL_CTX_use_certificate(ends->server, certificate) == 1 &&
           SSL_CTX_use_PrivateKey(ends->server, key) == 1 &&
           X509_STORE_add_cert(SSL_CTX_get_cert_store(ends->client), certificate) == 1,
       "no certificate");
  SSL_CTX_set_verify(ends->client, SSL_VERIFY_PEER, NULL);
  X509_free(certificate);
  EVP_PKEY_free(key);
}

/* --- Handshakes ------------------------------------------------------------------------------- */

static struct ends open_ends(const char *configuration, const char *group, const char *how) {
  OSSL_LIB_CTX *library = OSSL_LIB_CTX_new(); /* until the end of the program */
  struct ends ends = {NULL, NULL};

  need(library != NULL && OSSL_LIB_CTX_load_config(library, configuration) == 1, configuration);
  ends.client = SSL_CTX_new_ex(library, NULL, TLS_client_method());
  ends.server = SSL_CTX_new_ex(library, NULL, TLS_server_method());
  for (int i = 0; i < 2; i++) {
    SSL_CTX *end = i == 0 ? ends.client : ends.server;
    need(end != NULL && SSL_CTX_set_min_proto_version(end, TLS1_3_VERSION) == 1 &&
             SSL_CTX_set1_groups_list(end, group) == 1 &&
             SSL_CTX_set_ciphersuites(end, "TLS_AES_128_GCM_SHA256") == 1 &&
             SSL_CTX_set_num_tickets(end, 0) == 1,
         "no such group");
  }
  if (strcmp(how, "psk") == 0) {
    SSL_CTX_set_psk_use_session_callback(ends.client, use_session);
    SSL_CTX_set_psk_find_session_callback(ends.server, find_session);
  } else {
    certify(&ends, library, strcmp(how, "ed25519") == 0);
  }
  return ends;
}

/* Returns the client's time for a handshake. */
static double shake_hands(const struct ends *ends) {
  BIO *near = NULL, *far = NULL;
  SSL *server = SSL_new(ends->server);

  need(server != NULL && BIO_new_bio_pair(&near, BUFFER, &far, BUFFER) == 1, "no memory");
  SSL_set_bio(server, far, far);
  SSL_set_accept_state(server);
  double before = microseconds();
  SSL *client = SSL_new(ends->client);
  need(client != NULL, "no memory");
  SSL_set_bio(client, near, near);
  SSL_set_connect_state(client);
  (void)SSL_do_handshake(client); /* its first flight */
  double spent = microseconds() - before;
  (void)SSL_do_handshake(server);
  before = microseconds();
  need(SSL_do_handshake(client) == 1, "the client gave up");
  spent += microseconds() - before;
  need(SSL_do_handshake(server) == 1, "the server gave up");
  before = microseconds();
  SSL_free(client);
  spent += microseconds() - before;
  SSL_free(server);
  return spent;
}

static int compare(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;

  return (x > y) - (x < y);
}

int main(int argc, char **argv) {
  static const char usage[] = "POOL-CONF PLAIN-CONF GROUP psk|ed25519|p256 ROUNDS";
  const long rounds = argc == 6 ? atol(argv[5]) : 0;
  double *spent[KINDS + 1]; /* and ratios */

  need(rounds > 0, usage);
  const struct ends ends[KINDS] = {open_ends(argv[2], argv[3], argv[4]),
                                   open_ends(argv[1], argv[3], argv[4]),
                                   open_ends(argv[2], "X25519", argv[4])};
  for (int kind = 0; kind <= KINDS; kind++) {
    spent[kind] = calloc((size_t)rounds, sizeof *spent[kind]);
    need(spent[kind] != NULL, "no memory");
  }
  for (int i = 0; i < WARM_UP * KINDS; i++) {
    (void)shake_hands(&ends[i % KINDS]);
  }
  for (long round = 0; round < rounds; round++) {
    for (int i = 0; i < IN_A_ROUND * KINDS; i++) {
      spent[i / IN_A_ROUND][round] += shake_hands(&ends[i / IN_A_ROUND]) / IN_A_ROUND;
    }
    spent[KINDS][round] = spent[POOLED][round] / spent[PLAIN][round];
  }
  for (int kind = 0; kind <= KINDS; kind++) {
    qsort(spent[kind], (size_t)rounds, sizeof *spent[kind], compare);
  }
  printf("%s %s: %.1f without a pool, %.1f with one, X25519 %.1f; ratio %.3f, %.3f to %.3f\n",
         argv[3], argv[4], spent[PLAIN][rounds / 2], spent[POOLED][rounds / 2],
         spent[CLASSICAL][rounds / 2], spent[KINDS][rounds / 2], spent[KINDS][rounds / 4],
         spent[KINDS][3 * rounds / 4]);
  return 0;
}
