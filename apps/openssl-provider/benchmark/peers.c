/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The two sides of a TLS 1.3 connection over loopback. */
#define _GNU_SOURCE
#include "peers.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/ssl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define BACKLOG 128
#define CERTIFICATE_DAYS 1
#define ASK_REPORT 'R' /* instead of a TLS record, which begins with 22 */
#define ASK_STOP 'Q'

struct peer {
  SSL_CTX *context;
  int port;
};

/* --- Contexts --------------------------------------------------------------------------------- */

static void make_certificate(SSL_CTX *context) {
  EVP_PKEY *key = EVP_EC_gen("P-256");
  X509 *certificate = X509_new();
  X509_NAME *name = X509_get_subject_name(certificate);

  if (key == NULL || !X509_set_version(certificate, X509_VERSION_3) ||
      !ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1) ||
      X509_gmtime_adj(X509_getm_notBefore(certificate), 0) == NULL ||
      X509_gmtime_adj(X509_getm_notAfter(certificate), CERTIFICATE_DAYS * 86400L) == NULL ||
      !X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, (const unsigned char *)"localhost", -1,
                                  -1, 0) ||
      !X509_set_issuer_name(certificate, name) || !X509_set_pubkey(certificate, key) ||
      !X509_sign(certificate, key, EVP_sha256()) ||
      SSL_CTX_use_certificate(context, certificate) <= 0 ||
      SSL_CTX_use_PrivateKey(context, key) <= 0) {
    fail("making a certificate");
  }
  X509_free(certificate);
  EVP_PKEY_free(key);
}

static SSL_CTX *make_context(const SSL_METHOD *method, const char *group) {
  SSL_CTX *context = SSL_CTX_new(method);

  if (context == NULL || !SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION)) {
    fail("making a context");
  }
  if (!SSL_CTX_set1_groups_list(context, group)) {
    fail("choosing the group");
  }
  return context;
}

/* The certificate is of its maker alone; here only the signature of the handshake counts. */
static int accept_any(int verified, X509_STORE_CTX *store) {
  (void)verified;
  (void)store;
  return 1;
}

struct peer *peer_new_client(const char *group, int port) {
  struct peer *peer = calloc(1, sizeof *peer);

  if (peer == NULL) {
    fail("memory for the client");
  }
  peer->context = make_context(TLS_client_method(), group);
  peer->port = port;
  SSL_CTX_set_verify(peer->context, SSL_VERIFY_PEER, accept_any);
  (void)SSL_CTX_set_session_cache_mode(peer->context, SSL_SESS_CACHE_OFF);
  return peer;
}

void peer_free(struct peer *peer) {
  SSL_CTX_free(peer->context);
  free(peer);
}

/* --- Sockets ---------------------------------------------------------------------------------- */

static struct sockaddr_in loopback(int port) {
  struct sockaddr_in address;

  memset(&address, 0, sizeof address);
  address.sin_family = AF_INET;
  address.sin_port = htons((uint16_t)port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

int listen_on_loopback(int *port) {
  struct sockaddr_in address = loopback(0);
  socklen_t length = sizeof address;
  const int listener = socket(AF_INET, SOCK_STREAM, 0);

  if (listener < 0 || bind(listener, (struct sockaddr *)&address, sizeof address) != 0 ||
      listen(listener, BACKLOG) != 0 ||
      getsockname(listener, (struct sockaddr *)&address, &length) != 0) {
    fail("listening");
  }
  *port = ntohs(address.sin_port);
  return listener;
}

static int connect_to(int port) {
  const struct sockaddr_in address = loopback(port);
  const int connection = socket(AF_INET, SOCK_STREAM, 0);
  const int yes = 1;
  /* Reset on close: ten thousand connections would otherwise use up the ports. */
  const struct linger reset = {1, 0};

  if (connection < 0 ||
      connect(connection, (const struct sockaddr *)&address, sizeof address) != 0 ||
      setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes) != 0 ||
      setsockopt(connection, SOL_SOCKET, SO_LINGER, &reset, sizeof reset) != 0) {
    fail("connecting");
  }
  return connection;
}

/* --- The client ------------------------------------------------------------------------------- */

void peer_connect(const struct peer *peer, struct row *row) {
  const int connection = connect_to(peer->port);
  SSL *ssl = SSL_new(peer->context);
  char done;

  if (ssl == NULL || !SSL_set_fd(ssl, connection) || SSL_connect(ssl) != 1) {
    fail("the client's handshake");
  }
  /* When the server has finished it sends one byte, which shows that it has received everything. */
  if (SSL_read(ssl, &done, 1) != 1) {
    fail("the server's handshake");
  }
  if (row != NULL) {
    row->bytes_client = BIO_number_written(SSL_get_wbio(ssl));
    row->bytes_server = BIO_number_read(SSL_get_rbio(ssl));
  }
  SSL_free(ssl);
  (void)close(connection);
}

static void send_order(int port, char order) {
  const int connection = connect_to(port);
  char answer;

  if (send(connection, &order, 1, 0) != 1 || recv(connection, &answer, 1, 0) != 1) {
    fail("an order to the server");
  }
  (void)close(connection);
}

void server_ask(int control, int port, struct server_report *report) {
  send_order(port, ASK_REPORT);
  if (read(control, report, sizeof *report) != (ssize_t)sizeof *report) {
    fail("the server's report");
  }
}

void server_stop(int port) {
  send_order(port, ASK_STOP);
}

/* --- The server ------------------------------------------------------------------------------- */

struct server {
  SSL_CTX *context;
  int listener;
  int control;
};

static void obey(const struct server *server, int connection, char order) {
  const struct server_report report = {processor_seconds(), (long)heap_in_use()};

  if (order == ASK_REPORT &&
      write(server->control, &report, sizeof report) != (ssize_t)sizeof report) {
    fail("reporting");
  }
  (void)send(connection, "", 1, 0);
  if (order == ASK_STOP) {
    _exit(0);
  }
}

static void *accept_connections(void *argument) {
  const struct server *server = argument;
  const int yes = 1;

  for (;;) {
    const int connection = accept(server->listener, NULL, NULL);
    char first = 0;
    SSL *ssl;

    if (connection < 0 || recv(connection, &first, 1, MSG_PEEK) != 1) {
      fail("accepting a connection");
    }
    if (first == ASK_REPORT || first == ASK_STOP) {
      obey(server, connection, first);
      (void)close(connection);
      continue;
    }
    (void)setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    ssl = SSL_new(server->context);
    if (ssl == NULL || !SSL_set_fd(ssl, connection) || SSL_accept(ssl) != 1 ||
        SSL_write(ssl, "", 1) != 1) {
      fail("the server's handshake");
    }
    SSL_free(ssl);
    (void)close(connection);
  }
  return NULL;
}

_Noreturn void serve(const char *group, int listener, int control, int threads) {
  struct server server = {make_context(TLS_server_method(), group), listener, control};

  (void)signal(SIGPIPE, SIG_IGN);
  make_certificate(server.context);
  (void)SSL_CTX_set_num_tickets(server.context, 0); /* handshakes alone are measured */
  (void)SSL_CTX_set_session_cache_mode(server.context, SSL_SESS_CACHE_OFF);
  for (int i = 1; i < threads; i++) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, accept_connections, &server) != 0) {
      fail("starting a thread");
    }
  }
  (void)accept_connections(&server);
  _exit(0);
}
