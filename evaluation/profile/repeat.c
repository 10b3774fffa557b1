/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Runs one operation of a KEM many times, without any clock, for a sampling profiler.
 *
 * usage: codekem_repeat KEM BACKEND keygen|encaps|decaps COUNT
 */
#include <stdio.h>
#include <string.h>

#include "exchange.h"

int main(int argc, char **argv) {
  static struct exchange exchange;
  int operation = 0;

  if (argc != 5) {
    fputs("usage: codekem_repeat KEM BACKEND keygen|encaps|decaps COUNT\n", stderr);
    return 2;
  }
  exchange.kem = exchange_open("codekem_repeat", argv[1], argv[2]);
  while (operation < OPERATION_COUNT && strcmp(operation_names[operation], argv[3]) != 0) {
    operation += 1;
  }
  if (operation == OPERATION_COUNT) {
    fprintf(stderr, "codekem_repeat: '%s' is not an operation: keygen, encaps or decaps\n",
            argv[3]);
    return 2;
  }
  const unsigned count = exchange_count("codekem_repeat", argv[4]);
  /* What the operation needs from those before it. */
  for (int before = 0; before < operation; before++) {
    exchange_run(&exchange, (enum operation)before, 0);
  }
  for (unsigned round = 0; round < count; round++) {
    exchange_run(&exchange, (enum operation)operation, round);
  }
  return 0;
}
