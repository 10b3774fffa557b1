/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The two sides of a TLS 1.3 connection over loopback: full handshakes, certificates with ECDSA on
 * P-256, which the client verifies. */
#ifndef CODEKEM_BENCHMARK_PEERS_H
#define CODEKEM_BENCHMARK_PEERS_H

#include <stddef.h>

#include "measure.h"

struct peer; /* a client */

/* What the server reports when it is asked. */
struct server_report {
  double processor; /* seconds of its processor time */
  long heap;        /* bytes in use */
};

/* Returns a socket that listens on a free port of 127.0.0.1. */
int listen_on_loopback(int *port);

/* Accepts connections in threads until it is told to end; writes reports to control. */
_Noreturn void serve(const char *group, int listener, int control, int threads);

/* Asks the server at port for a report, which comes through the pipe control. */
void server_ask(int control, int port, struct server_report *report);
void server_stop(int port);

/* Makes a client that offers group alone. */
struct peer *peer_new_client(const char *group, int port);
void peer_free(struct peer *peer);

/* Connects, shakes hands, and closes. Counts the bytes into row, if it is not NULL. */
void peer_connect(const struct peer *peer, struct row *row);

#endif
