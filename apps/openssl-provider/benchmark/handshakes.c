/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Measures TLS 1.3 handshakes over loopback, server and client as processes on a core each: their
 * rate, latency, bytes, processor time, and whether the heap grows. Prints a row of JSON. */
#define _POSIX_C_SOURCE 200809L

#include <getopt.h>
#include <openssl/provider.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "measure.h"
#include "peers.h"

#define WARM_UP 50             /* handshakes before the heap is looked at and time is taken */
#define MAX_SAMPLES 100000     /* latencies that are kept */
#define MAX_THREADS 128

struct options {
  const char *group;
  const char *provider;        /* NULL: OpenSSL's default provider alone */
  const char *module_path;     /* NULL: OpenSSL's own folder */
  const char *implementation;  /* what the row says */
  double seconds;
  long count;                  /* instead of seconds, if not 0 */
  int threads;                 /* of the client and of the server while the rate is measured */
  int server_core, client_core;
};

static void usage(void) {
  (void)fputs(
      "usage: codekem_handshakes --group NAME [--provider NAME] [--module-path FOLDER]\n"
      "         [--implementation WORD] [--seconds S | --count N] [--threads N]\n"
      "         [--server-core N] [--client-core N]\n"
      "Half of the time, or of the count, goes to the latency of one connection at a time, half\n"
      "to the rate of --threads connections at once.\n",
      stderr);
  exit(2);
}

static struct options read_options(int argc, char **argv) {
  static const struct option known[] = {{"group", required_argument, NULL, 'g'},
                                        {"provider", required_argument, NULL, 'p'},
                                        {"module-path", required_argument, NULL, 'm'},
                                        {"implementation", required_argument, NULL, 'i'},
                                        {"seconds", required_argument, NULL, 's'},
                                        {"count", required_argument, NULL, 'n'},
                                        {"threads", required_argument, NULL, 't'},
                                        {"server-core", required_argument, NULL, 'S'},
                                        {"client-core", required_argument, NULL, 'C'},
                                        {NULL, 0, NULL, 0}};
  struct options options = {
      .implementation = "openssl", .seconds = 4, .threads = 8, .server_core = 0, .client_core = 1};
  int which;

  while ((which = getopt_long(argc, argv, "", known, NULL)) != -1) {
    switch (which) {
      case 'g':
        options.group = optarg;
        break;
      case 'p':
        options.provider = optarg;
        break;
      case 'm':
        options.module_path = optarg;
        break;
      case 'i':
        options.implementation = optarg;
        break;
      case 's':
        options.seconds = atof(optarg);
        break;
      case 'n':
        options.count = atol(optarg);
        break;
      case 't':
        options.threads = atoi(optarg);
        break;
      case 'S':
        options.server_core = atoi(optarg);
        break;
      case 'C':
        options.client_core = atoi(optarg);
        break;
      default:
        usage();
    }
  }
  if (options.group == NULL || options.threads < 1 || options.threads > MAX_THREADS ||
      optind != argc) {
    usage();
  }
  return options;
}

static void load_providers(const struct options *options) {
  if (options->module_path != NULL &&
      !OSSL_PROVIDER_set_default_search_path(NULL, options->module_path)) {
    fail("setting the folder of modules");
  }
  if (OSSL_PROVIDER_load(NULL, "default") == NULL) {
    fail("loading the default provider");
  }
  if (options->provider != NULL && OSSL_PROVIDER_load(NULL, options->provider) == NULL) {
    fail("loading the provider");
  }
}

/* --- The client: threads that connect until time or count is used up -------------------------- */

struct work {
  const struct peer *peer;
  double deadline;  /* 0: none */
  long left;        /* connections that this thread may still make; ignored with a deadline */
  long done;
  double *latencies; /* milliseconds; NULL: not kept */
};

/* Whether a client shall make another connection. With a deadline it makes one at least: on a busy
 * machine the time may be over before the first. */
static bool goes_on(const struct work *work) {
  return work->deadline > 0 ? work->done == 0 || now() < work->deadline : work->left > 0;
}

static void *run_client(void *argument) {
  struct work *work = argument;

  while (goes_on(work)) {
    const double start = now();
    peer_connect(work->peer, NULL);
    if (work->latencies != NULL && work->done < MAX_SAMPLES) {
      work->latencies[work->done] = 1000 * (now() - start);
    }
    work->done++;
    work->left--;
  }
  return NULL;
}

/* Runs threads at once; returns the number of handshakes. */
static long run_clients(const struct peer *peer, const struct options *options, int threads) {
  pthread_t thread[MAX_THREADS];
  struct work work[MAX_THREADS];
  const double deadline = options->count == 0 ? now() + options->seconds / 2 : 0;
  long done = 0;

  for (int i = 0; i < threads; i++) {
    work[i] = (struct work){peer, deadline, options->count / 2 / threads, 0, NULL};
    if (pthread_create(&thread[i], NULL, run_client, &work[i]) != 0) {
      fail("starting a thread");
    }
  }
  for (int i = 0; i < threads; i++) {
    (void)pthread_join(thread[i], NULL);
    done += work[i].done;
  }
  return done;
}

static void measure(const struct options *options, int port, int control, struct row *row) {
  struct peer *peer = peer_new_client(options->group, port);
  struct work work = {peer, 0, WARM_UP, 0, NULL};
  struct server_report server;
  size_t heap;
  double start;
  double processor;
  long total;

  (void)run_client(&work);
  /* The threads' arenas of the heap are made once, too. */
  (void)run_clients(peer, &(struct options){.count = 2 * WARM_UP + 2 * options->threads},
                    options->threads);
  peer_connect(peer, row);
  server_ask(control, port, &server);
  row->server_heap = server.heap;
  row->server_processor = server.processor;
  heap = heap_in_use();
  processor = processor_seconds();

  work = (struct work){peer, options->count == 0 ? now() + options->seconds / 2 : 0,
                       options->count / 2, 0, calloc(MAX_SAMPLES, sizeof(double))};
  if (work.latencies == NULL) {
    fail("memory for the latencies");
  }
  (void)run_client(&work);
  row->samples = work.done < MAX_SAMPLES ? work.done : MAX_SAMPLES;
  sort_samples(work.latencies, row->samples);
  row->median = quantile(work.latencies, row->samples, 0.5);
  row->p95 = quantile(work.latencies, row->samples, 0.95);
  row->p99 = quantile(work.latencies, row->samples, 0.99);
  free(work.latencies);

  start = now();
  total = run_clients(peer, options, options->threads);
  row->rate = (double)total / (now() - start);
  total += work.done;
  row->handshakes = total;
  row->client_processor = 1000 * (processor_seconds() - processor) / (double)total;
  row->client_heap = (long)heap_in_use() - (long)heap;
  server_ask(control, port, &server);
  row->server_processor = 1000 * (server.processor - row->server_processor) / (double)total;
  row->server_heap = server.heap - row->server_heap;
  peer_free(peer);
}

int main(int argc, char **argv) {
  const struct options options = read_options(argc, argv);
  struct row row = {.group = options.group, .implementation = options.implementation};
  int control[2];
  int port;
  pid_t server;
  int listener;

  listener = listen_on_loopback(&port);
  if (pipe(control) != 0) {
    fail("a pipe");
  }
  server = fork();
  if (server < 0) {
    fail("a process for the server");
  }
  if (server == 0) {
    pin_to_core(options.server_core);
    load_providers(&options);
    (void)close(control[0]);
    serve(options.group, listener, control[1], options.threads);
  }
  (void)close(control[1]);
  (void)close(listener);
  pin_to_core(options.client_core);
  load_providers(&options);
  measure(&options, port, control[0], &row);
  server_stop(port);
  (void)waitpid(server, NULL, 0);
  print_row(&row);
  return 0;
}
