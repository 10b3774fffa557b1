/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Clocks, heap, quantiles, and the row of JSON that is printed. */
#ifndef CODEKEM_BENCHMARK_MEASURE_H
#define CODEKEM_BENCHMARK_MEASURE_H

#include <stddef.h>
#include <stdint.h>

struct row {
  const char *group;
  const char *implementation;
  double rate;                              /* handshakes per second */
  double median, p95, p99;                  /* milliseconds */
  uint64_t bytes_client, bytes_server;      /* sent by each, all of the handshake */
  long samples;                             /* latencies */
  long handshakes;                          /* in all that was measured */
  double client_processor, server_processor; /* milliseconds for one handshake */
  long client_heap, server_heap;            /* bytes that the heap grew by */
};

/* Prints what failed, and OpenSSL's errors, and ends the process. */
_Noreturn void fail(const char *what);

double now(void);               /* seconds */
double processor_seconds(void); /* of this process */
size_t heap_in_use(void);       /* bytes */
void pin_to_core(int core);
void sort_samples(double *samples, long count);
double quantile(const double *sorted, long count, double which);
void print_row(const struct row *row);

#endif
