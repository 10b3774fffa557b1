/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Measures hybrids beside the sum of their parts, in turns: the KEM's operation, and what the group
 * does for it.
 *
 * usage: hybrid_speed [ROUNDS]     201 by default
 *
 * Prints a line for each hybrid and operation: the parts and the hybrid in microseconds, medians,
 * and by how much the hybrid takes longer, the median of the ratios, in percent.
 */
#define _POSIX_C_SOURCE 199309L /* clock_gettime */
#include <stdio.h>
#include <stdlib.h>

#include "../medians.h"
#include "codekem_hybrid.h"
#include "p256_openssl.h"

#define MOST_ROUNDS 10001

static codekem_hybrid hybrid;
static uint8_t public_key[16384], secret_key[32768], ciphertext[16384];
static uint8_t secret[CODEKEM_HYBRID_SHARED_SECRET], scalar[CODEKEM_HYBRID_SCALAR] = {1};
static uint8_t element[CODEKEM_HYBRID_MAX_ELEMENT], peer[CODEKEM_HYBRID_MAX_ELEMENT];
static uint8_t part_public[CODEKEM_MAX_PUBLIC_KEY], part_secret[CODEKEM_MAX_SECRET_KEY];
static uint8_t part_ciphertext[CODEKEM_MAX_CIPHERTEXT];

static void require(bool good) {
  if (!good) {
    fputs("hybrid_speed: a call failed\n", stderr);
    exit(1);
  }
}

static void make_element(void) {
  require(hybrid.group.element(hybrid.group.context, element, scalar));
}

static void make_secret(void) {
  require(hybrid.group.secret(hybrid.group.context, secret, peer, scalar));
}

static void keypair_parts(void) {
  require(codekem_kem_keypair(hybrid.post_quantum, part_public, part_secret) == CODEKEM_OK);
  make_element();
}

static void encaps_parts(void) {
  require(codekem_kem_encaps(hybrid.post_quantum, part_ciphertext, secret, part_public) ==
          CODEKEM_OK);
  make_element();
  make_secret();
}

static void decaps_parts(void) {
  require(codekem_kem_decaps(hybrid.post_quantum, secret, part_ciphertext, part_secret) ==
          CODEKEM_OK);
  make_secret();
}

static void keypair(void) {
  require(codekem_kem_keypair(&hybrid.kem, public_key, secret_key) == CODEKEM_OK);
}

static void encaps(void) {
  require(codekem_kem_encaps(&hybrid.kem, ciphertext, secret, public_key) == CODEKEM_OK);
}

static void decaps(void) {
  require(codekem_kem_decaps(&hybrid.kem, secret, ciphertext, secret_key) == CODEKEM_OK);
}

static double time_of(void (*run)(void)) {
  const double start = now();

  run();
  return now() - start;
}

static void measure(const char *name, void (*parts)(void), void (*whole)(void), size_t rounds) {
  static double of_parts[MOST_ROUNDS], of_whole[MOST_ROUNDS], ratios[MOST_ROUNDS];

  for (size_t i = 0; i < rounds; i++) {
    of_parts[i] = time_of(parts);
    of_whole[i] = time_of(whole);
    ratios[i] = of_whole[i] / of_parts[i];
  }
  const double ratio = median(ratios, rounds);
  printf("%-14s %-7s parts %8.1f  hybrid %8.1f  %+5.1f %%\n", hybrid.name, name,
         median(of_parts, rounds), median(of_whole, rounds), 100 * (ratio - 1));
}

int main(int argc, char **argv) {
  static const char *const names[] = {"HQC-1", "HQC-3", "HQC-5", "BIKE-L1", "BIKE-L3", "BIKE-L5"};
  const codekem_hybrid_group groups[] = {codekem_hybrid_x25519(), p256_openssl()};
  const size_t rounds = argc > 1 ? (size_t)strtoul(argv[1], NULL, 10) : 201;

  if (rounds == 0 || rounds > MOST_ROUNDS) {
    fputs("usage: hybrid_speed [ROUNDS]\n", stderr);
    return 2;
  }
  printf("back end %s\n", codekem_backend_current());
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    for (size_t g = 0; g < sizeof groups / sizeof groups[0]; g++) {
      require(codekem_hybrid_make(&hybrid, codekem_kem_find(names[i]), &groups[g]) == CODEKEM_OK);
      require(groups[g].element(groups[g].context, peer, scalar));
      keypair_parts();
      keypair();
      encaps_parts();
      encaps();
      measure("keypair", keypair_parts, keypair, rounds);
      measure("encaps", encaps_parts, encaps, rounds);
      measure("decaps", decaps_parts, decaps, rounds);
    }
  }
  return 0;
}
