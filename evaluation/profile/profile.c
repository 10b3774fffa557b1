/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Profiles a KEM on a back end: runs each operation many times, once with and once without the
 * clocks of wraps.c, in turn, and prints all samples as JSON.
 *
 * usage: codekem_profile KEM BACKEND ROUNDS
 */
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exchange.h"
#include "parts.h"
#include "wraps.h"

/* The samples of one operation: what it took without clocks, and the account with them. */
struct samples {
  uint64_t *plain;
  struct account *accounts;
};

static void *allocate(size_t count, size_t size) {
  void *memory = calloc(count, size);

  if (memory == NULL) {
    fputs("codekem_profile: there is not enough memory for so many rounds\n", stderr);
    exit(1);
  }
  return memory;
}

/* One core, so that the counters of two cores are never compared. */
static void pin(void) {
  cpu_set_t cpus;

  CPU_ZERO(&cpus);
  CPU_SET((size_t)sched_getcpu(), &cpus);
  sched_setaffinity(0, sizeof cpus, &cpus);
}

static void run_plain(struct samples *samples, struct exchange *exchange, enum operation operation,
                      unsigned round) {
  const uint64_t start = clock_now();

  exchange_run(exchange, operation, round);
  samples->plain[round] = clock_now() - start;
}

static void run_profiled(struct samples *samples, struct exchange *exchange,
                         const struct profiled_operation *profiled, unsigned round) {
  wraps_begin(profiled);
  account_begin(&samples->accounts[round]);
  exchange_run(exchange, profiled->operation, round);
  account_end();
}

static void print_cell(const struct account *accounts, unsigned rounds, unsigned part,
                       unsigned kernel) {
  printf("{\"part\":\"%s\",\"kernel\":\"%s\",\"calls\":%u,\"part_calls\":%u,\"cycles\":[",
         part_names[part], kernel_names[kernel], accounts[0].cells[part][kernel].calls,
         accounts[0].calls[part]);
  for (unsigned round = 0; round < rounds; round++) {
    printf("%s%lld", round > 0 ? "," : "", (long long)accounts[round].cells[part][kernel].cycles);
  }
  fputs("]}", stdout);
}

static void print_operation(enum operation operation, const struct samples *samples,
                            unsigned rounds) {
  const char *separator = "";

  printf("%s\n{\"operation\":\"%s\",\"plain\":[", operation > 0 ? "," : "",
         operation_names[operation]);
  for (unsigned round = 0; round < rounds; round++) {
    printf("%s%llu", round > 0 ? "," : "", (unsigned long long)samples->plain[round]);
  }
  fputs("],\"cells\":[", stdout);
  for (unsigned part = 0; part < PART_COUNT; part++) {
    for (unsigned kernel = 0; kernel < KERNEL_COUNT; kernel++) {
      if (samples->accounts[0].cells[part][kernel].calls > 0) {
        fputs(separator, stdout);
        print_cell(samples->accounts, rounds, part, kernel);
        separator = ",\n";
      }
    }
  }
  fputs("]}", stdout);
}

int main(int argc, char **argv) {
  static struct exchange exchange;
  struct samples samples[OPERATION_COUNT];

  if (argc != 4) {
    fputs("usage: codekem_profile KEM BACKEND ROUNDS\n", stderr);
    return 2;
  }
  exchange.kem = exchange_open("codekem_profile", argv[1], argv[2]);
  const unsigned rounds = exchange_count("codekem_profile", argv[3]);
  for (int i = 0; i < OPERATION_COUNT; i++) {
    samples[i].plain = allocate(rounds, sizeof *samples[i].plain);
    samples[i].accounts = allocate(rounds, sizeof *samples[i].accounts);
  }
  pin();
  const struct clock_cost cost = clock_calibrate();
  for (unsigned round = 0; round < rounds; round++) {
    for (int i = 0; i < OPERATION_COUNT; i++) {
      const struct profiled_operation profiled = {
          .scheme = exchange_scheme(argv[1]),
          .operation = (enum operation)i,
          .binds_public_key = strstr(argv[1], "-bind") != NULL,
      };
      if (round % 2 == 0) {
        run_plain(&samples[i], &exchange, (enum operation)i, round);
      }
      run_profiled(&samples[i], &exchange, &profiled, round);
      if (round % 2 != 0) {
        run_plain(&samples[i], &exchange, (enum operation)i, round);
      }
    }
  }
  printf(
      "{\"format\":\"codekem-profile-samples-1\",\"kem\":\"%s\",\"backend\":\"%s\","
      "\"rounds\":%u,\"clock\":\"%s\",\"clock_cost\":{\"inner\":%lld,\"outer\":%lld},"
      "\"operations\":[",
      argv[1], argv[2], rounds, clock_name, (long long)cost.inner, (long long)cost.outer);
  for (int i = 0; i < OPERATION_COUNT; i++) {
    print_operation((enum operation)i, &samples[i], rounds);
  }
  puts("\n]}");
  return fflush(stdout) == 0 && ferror(stdout) == 0 ? 0 : 1;
}
