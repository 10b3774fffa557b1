/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Looks for a dependence of decapsulation's time on secrets by statistics, as dudect does
 * (Reparaz, Balasch, Verbauwhede: Dude, is my code constant time?, 2017).
 *
 *   timing_test BACKEND KEM random-ciphertext|rejected-ciphertext|random-key|leak SECONDS
 *
 * Two classes of inputs alternate in random order: in the first, the same input every time; in the
 * second another one each time (or, for rejected-ciphertext, valid ones against damaged ones).
 * Welch's t-test compares the mean times, over all measurements and over those below several
 * thresholds, because the slowest ones are noise. Prints the largest |t|. `leak` times a comparison
 * that stops at the first difference, which must show.
 */
#define _GNU_SOURCE
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

#include "codekem.h"

#define POOL 64          /* different inputs of each class */
#define THRESHOLDS 20    /* crops, besides all measurements */
#define WARM_UP 200      /* measurements that set the thresholds, and are not used otherwise */
#define FEWEST 500       /* measurements of each class that a test needs */

struct input {
  uint8_t secret_key[CODEKEM_MAX_SECRET_KEY];
  uint8_t ciphertext[CODEKEM_MAX_CIPHERTEXT];
};

/* Running mean and variance of one class, by Welford's method. */
struct moments {
  double count;
  double mean;
  double squares;
};

static struct input pool[2][POOL];
static struct input current;
static struct moments moments[THRESHOLDS + 1][2];
static double threshold[THRESHOLDS];

static void require(bool condition, const char *what) {
  if (!condition) {
    fprintf(stderr, "timing_test: %s\n", what);
    exit(2);
  }
}

static uint64_t now(void) {
#if defined(__x86_64__)
  unsigned processor;
  _mm_lfence();
  const uint64_t cycles = __rdtscp(&processor);
  _mm_lfence();
  return cycles;
#else
  struct timespec t;
  require(clock_gettime(CLOCK_MONOTONIC, &t) == 0, "no clock");
  return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
#endif
}

/* xorshift64: only the order of the classes and the test inputs come from it. */
static uint64_t next_random(void) {
  static uint64_t state = UINT64_C(0x853c49e6748fea9b);

  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

/* Makes both pools. Copies of the same input fill as many slots as different inputs do, so that the
 * caches see the same. */
static void fill_pools(const codekem_kem *kem, const char *kind) {
  static uint8_t public_key[CODEKEM_MAX_PUBLIC_KEY];
  static uint8_t secret_key[CODEKEM_MAX_SECRET_KEY];
  uint8_t shared_secret[CODEKEM_MAX_SHARED_SECRET];
  const bool new_keys = strcmp(kind, "random-key") == 0;
  const bool rejected = strcmp(kind, "rejected-ciphertext") == 0;

  require(codekem_kem_keypair(kem, public_key, secret_key) == CODEKEM_OK, "keypair failed");
  for (size_t i = 0; i < POOL; i++) {
    for (size_t class = 0; class < 2; class++) {
      struct input *input = &pool[class][i];
      if (class == 1 && new_keys) {
        require(codekem_kem_keypair(kem, public_key, secret_key) == CODEKEM_OK, "keypair failed");
      }
      memcpy(input->secret_key, secret_key, kem->length_secret_key);
      require(codekem_kem_encaps(kem, input->ciphertext, shared_secret, public_key) == CODEKEM_OK,
              "encaps failed");
      if (class == 1 && rejected) {
        for (size_t j = 0; j < 100; j++) {
          input->ciphertext[next_random() % kem->length_ciphertext] ^= (uint8_t)next_random();
        }
      }
    }
    if (!rejected) {
      pool[0][i] = pool[0][0];
    }
  }
}

/* The deliberate leak: like memcmp, it stops at the first difference. */
static void compare_until_different(const codekem_kem *kem) {
  volatile const uint8_t *a = pool[0][0].ciphertext;
  volatile const uint8_t *b = current.ciphertext;
  size_t i = 0;

  while (i < kem->length_ciphertext && a[i] == b[i]) {
    i += 1;
  }
}

static double measure(const codekem_kem *kem, bool leak, size_t class) {
  uint8_t shared_secret[CODEKEM_MAX_SHARED_SECRET];
  codekem_status status = CODEKEM_OK;

  current = pool[class][next_random() % POOL];
  const uint64_t start = now();
  if (leak) {
    compare_until_different(kem);
  } else {
    status = codekem_kem_decaps(kem, shared_secret, current.ciphertext, current.secret_key);
  }
  const uint64_t end = now();
  require(status == CODEKEM_OK, "decaps failed");
  return (double)(end - start);
}

static int compare_doubles(const void *a, const void *b) {
  const double x = *(const double *)a;
  const double y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Thresholds that keep from half to nearly all measurements. */
static void choose_thresholds(const codekem_kem *kem, bool leak) {
  double samples[WARM_UP];

  for (size_t i = 0; i < WARM_UP; i++) {
    samples[i] = measure(kem, leak, i % 2);
  }
  qsort(samples, WARM_UP, sizeof *samples, compare_doubles);
  for (size_t i = 0; i < THRESHOLDS; i++) {
    threshold[i] = samples[WARM_UP / 2 + i * (WARM_UP / 2 - 2) / THRESHOLDS];
  }
}

static void add(struct moments *m, double x) {
  const double before = x - m->mean;

  m->count += 1;
  m->mean += before / m->count;
  m->squares += before * (x - m->mean);
}

/* Returns Welch's t, or 0 if there are too few measurements. */
static double welch(const struct moments m[2]) {
  if (m[0].count < FEWEST || m[1].count < FEWEST) {
    return 0;
  }
  const double variance =
      m[0].squares / (m[0].count - 1) / m[0].count + m[1].squares / (m[1].count - 1) / m[1].count;
  return variance > 0 ? (m[0].mean - m[1].mean) / sqrt(variance) : 0;
}

int main(int argc, char **argv) {
  require(argc == 5, "usage: timing_test BACKEND KEM KIND SECONDS");
  if (codekem_backend_select(argv[1]) != CODEKEM_OK) {
    fprintf(stderr, "timing_test: back end %s cannot run here\n", argv[1]);
    return 3;
  }
  const codekem_kem *kem = codekem_kem_find(argv[2]);
  const bool leak = strcmp(argv[3], "leak") == 0;
  const time_t end = time(NULL) + atoi(argv[4]);
  double largest = 0;
  size_t count = 0;

  require(kem != NULL, "no such KEM");
  fill_pools(kem, argv[3]);
  choose_thresholds(kem, leak);
  while (time(NULL) < end || count < (size_t)4 * FEWEST) {
    const size_t class = next_random() >> 63;
    const double x = measure(kem, leak, class);
    add(&moments[THRESHOLDS][class], x);
    for (size_t i = 0; i < THRESHOLDS; i++) {
      if (x <= threshold[i]) {
        add(&moments[i][class], x);
      }
    }
    count += 1;
  }
  for (size_t i = 0; i <= THRESHOLDS; i++) {
    const double t = fabs(welch(moments[i]));
    largest = t > largest ? t : largest;
  }
  printf("measurements=%zu t=%.2f\n", count, largest);
  return 0;
}
