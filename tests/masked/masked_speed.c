/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Measures decapsulation in shares beside that without, in turns, with the back end in use.
 *
 * usage: masked_speed [ROUNDS]     101 by default
 *
 * Prints a line for each level: both in microseconds, medians, and the median of the ratios.
 */
#define _POSIX_C_SOURCE 199309L /* clock_gettime */
#include <stdio.h>
#include <stdlib.h>

#include "../medians.h"
#include "codekem_masked.h"

#define MOST_ROUNDS 10001

static uint8_t public_key[CODEKEM_MAX_PUBLIC_KEY], plain[CODEKEM_MAX_SECRET_KEY];
static uint8_t key[CODEKEM_MASKED_MAX_SECRET_KEY], ciphertext[CODEKEM_MAX_CIPHERTEXT];
static uint8_t secret[32], shares[CODEKEM_MASKED_MAX_SHARED_SECRET];
static double without[MOST_ROUNDS], with[MOST_ROUNDS], ratios[MOST_ROUNDS];

static void require(codekem_status status) {
  if (status != CODEKEM_OK) {
    fprintf(stderr, "masked_speed: %s\n", codekem_status_text(status));
    exit(1);
  }
}

static void measure(const codekem_masked_kem *kem, size_t rounds) {
  require(codekem_kem_keypair(kem->kem, public_key, plain));
  require(codekem_kem_encaps(kem->kem, ciphertext, secret, public_key));
  require(codekem_masked_import_key(kem, key, plain, NULL));
  for (size_t i = 0; i < rounds; i++) {
    const double start = now();
    require(codekem_kem_decaps(kem->kem, secret, ciphertext, plain));
    const double middle = now();
    require(codekem_masked_decaps(kem, shares, ciphertext, key, NULL));
    without[i] = middle - start;
    with[i] = now() - middle;
    ratios[i] = with[i] / without[i];
  }
  printf("%s %.1f %.1f %.2f\n", kem->kem->method_name, median(without, rounds),
         median(with, rounds), median(ratios, rounds));
}

int main(int argc, char **argv) {
  static const char *const names[] = {"HQC-1", "HQC-3", "HQC-5"};
  const size_t rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : 101;

  if (rounds == 0 || rounds > MOST_ROUNDS) {
    fputs("masked_speed: 1 to 10001 rounds\n", stderr);
    return 2;
  }
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    measure(codekem_masked_find(names[i]), rounds);
  }
  return 0;
}
