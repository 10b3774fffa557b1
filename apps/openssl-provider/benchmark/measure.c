/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Clocks, heap, quantiles, and the row of JSON that is printed. */
#define _GNU_SOURCE /* sched_setaffinity, mallinfo2 */
#include "measure.h"

#include <malloc.h>
#include <openssl/err.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

_Noreturn void fail(const char *what) {
  (void)fprintf(stderr, "codekem_handshakes: %s failed\n", what);
  ERR_print_errors_fp(stderr);
  _exit(1);
}

static double seconds_of(clockid_t clock) {
  struct timespec time;

  (void)clock_gettime(clock, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

double now(void) {
  return seconds_of(CLOCK_MONOTONIC);
}

double processor_seconds(void) {
  return seconds_of(CLOCK_PROCESS_CPUTIME_ID);
}

size_t heap_in_use(void) {
  const struct mallinfo2 heap = mallinfo2();

  return heap.uordblks + heap.hblkhd;
}

void pin_to_core(int core) {
  cpu_set_t set;

  CPU_ZERO(&set);
  CPU_SET((size_t)(core % (int)sysconf(_SC_NPROCESSORS_CONF)), &set);
  (void)sched_setaffinity(0, sizeof set, &set); /* where it is forbidden, the numbers show it */
}

static int compare(const void *a, const void *b) {
  const double x = *(const double *)a;
  const double y = *(const double *)b;

  return (x > y) - (x < y);
}

void sort_samples(double *samples, long count) {
  qsort(samples, (size_t)count, sizeof *samples, compare);
}

double quantile(const double *sorted, long count, double which) {
  const long index = (long)(which * (double)(count - 1) + 0.5);

  return count == 0 ? 0 : sorted[index];
}

void print_row(const struct row *row) {
  (void)printf(
      "{\"group\": \"%s\", \"implementation\": \"%s\", \"handshakes_per_second\": %.1f, "
      "\"median_ms\": %.4f, \"p95_ms\": %.4f, \"p99_ms\": %.4f, "
      "\"bytes_client\": %llu, \"bytes_server\": %llu, \"samples\": %ld, "
      "\"handshakes\": %ld, \"processor_ms_client\": %.4f, "
      "\"processor_ms_server\": %.4f, \"heap_growth_client\": %ld, "
      "\"heap_growth_server\": %ld}\n",
      row->group, row->implementation, row->rate, row->median, row->p95, row->p99,
      (unsigned long long)row->bytes_client, (unsigned long long)row->bytes_server, row->samples,
      row->handshakes, row->client_processor, row->server_processor, row->client_heap,
      row->server_heap);
}
