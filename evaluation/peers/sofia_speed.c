/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Times the authors' code of SOFIA and codekem-sofia in turn, and lets each verify the other's
 * signatures. sofia_speed.py builds it once with each of their two implementations.
 *
 *   sofia_speed NAME [CALLS]    prints name, median microseconds of key pair, sign and verify
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "codekem_sofia.h"

/* The interface of SUPERCOP, by the authors' code. */
int crypto_sign_keypair(unsigned char *public_key, unsigned char *secret_key);
int crypto_sign(unsigned char *out, unsigned long long *out_length, const unsigned char *message,
                unsigned long long length, const unsigned char *secret_key);
int crypto_sign_open(unsigned char *message, unsigned long long *length, const unsigned char *in,
                     unsigned long long in_length, const unsigned char *public_key);

enum { MOST_CALLS = 1000, MOST_RUNNERS = 12, OPERATIONS = 3, LENGTH = 32, SLACK = 4096 };

static double times[MOST_RUNNERS][OPERATIONS][MOST_CALLS];
static unsigned char public_key[CODEKEM_SOFIA_PUBLIC_KEY], secret_key[CODEKEM_SOFIA_SECRET_KEY];
static unsigned char theirs[CODEKEM_SOFIA_SIGNATURE + LENGTH + SLACK];
static unsigned char ours[CODEKEM_SOFIA_SIGNATURE + LENGTH + SLACK];
static unsigned char opened[CODEKEM_SOFIA_SIGNATURE + LENGTH + SLACK];
static const unsigned char message[LENGTH] = "alternating in one process";

static double now(void) {
  struct timespec t;

  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static void require(int condition, const char *what) {
  if (!condition) {
    fprintf(stderr, "sofia_speed: %s\n", what);
    exit(1);
  }
}

static void run_authors(size_t call) {
  unsigned long long length, opened_length;
  double t[OPERATIONS + 1];

  t[0] = now();
  require(crypto_sign_keypair(public_key, secret_key) == 0, "their key pair failed");
  t[1] = now();
  require(crypto_sign(theirs, &length, message, LENGTH, secret_key) == 0, "their sign failed");
  t[2] = now();
  require(crypto_sign_open(opened, &opened_length, theirs, length, public_key) == 0,
          "their verification failed");
  t[3] = now();
  require(codekem_sofia_verify(message, LENGTH, theirs, CODEKEM_SOFIA_SIGNATURE, public_key) ==
              CODEKEM_SOFIA_OK,
          "codekem refuses their signature");
  for (size_t i = 0; i < OPERATIONS; i++) {
    times[0][i][call] = t[i + 1] - t[i];
  }
}

static void run_codekem(size_t runner, size_t call) {
  unsigned char key[CODEKEM_SOFIA_PUBLIC_KEY], secret[CODEKEM_SOFIA_SECRET_KEY];
  unsigned long long length;
  double t[OPERATIONS + 1];

  t[0] = now();
  require(codekem_sofia_keypair_derand(key, secret, secret_key) == CODEKEM_SOFIA_OK,
          "key pair failed");
  t[1] = now();
  require(codekem_sofia_sign(ours, message, LENGTH, secret) == CODEKEM_SOFIA_OK, "sign failed");
  t[2] = now();
  require(codekem_sofia_verify(message, LENGTH, ours, CODEKEM_SOFIA_SIGNATURE, key) ==
              CODEKEM_SOFIA_OK,
          "verification failed");
  t[3] = now();
  require(memcmp(key, public_key, sizeof key) == 0, "the public keys differ");
  memcpy(ours + CODEKEM_SOFIA_SIGNATURE, message, LENGTH);
  require(crypto_sign_open(opened, &length, ours, CODEKEM_SOFIA_SIGNATURE + LENGTH, key) == 0,
          "they refuse our signature");
  for (size_t i = 0; i < OPERATIONS; i++) {
    times[runner][i][call] = t[i + 1] - t[i];
  }
}

static int compare(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;

  return (x > y) - (x < y);
}

static void print_medians(const char *name, size_t runner, size_t calls) {
  printf("%s", name);
  for (size_t i = 0; i < OPERATIONS; i++) {
    qsort(times[runner][i], calls, sizeof(double), compare);
    printf(" %.1f", times[runner][i][calls / 2]);
  }
  printf("\n");
}

int main(int argc, char **argv) {
  const size_t calls = argc > 2 ? strtoul(argv[2], NULL, 10) : 41;
  const size_t backends = codekem_backend_count();

  require(argc > 1 && calls > 0 && calls <= MOST_CALLS && backends < MOST_RUNNERS, "usage");
  for (size_t call = 0; call < calls; call++) {
    run_authors(call);
    for (size_t i = 1; i < backends; i++) { /* 0 is the reference */
      if (codekem_backend_select(codekem_backend_name(i)) == CODEKEM_OK) {
        run_codekem(i, call);
      }
    }
  }
  print_medians(argv[1], 0, calls);
  for (size_t i = 1; i < backends; i++) {
    if (codekem_backend_supported(i)) {
      print_medians(codekem_backend_name(i), i, calls);
    }
  }
  return 0;
}
