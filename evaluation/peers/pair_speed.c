/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Times two implementations of one KEM side by side: a codekem back end, and a shared library with
 * the NIST functions crypto_kem_keypair, crypto_kem_enc and crypto_kem_dec (or a second codekem
 * back end). Calls alternate in one process on one core, so that a change of clock or a noisy
 * neighbour meets both alike.
 *
 * pair_speed KEM BACKEND PEER [ROUNDS [BATCH]]
 *   PEER: ./libpeer.so, or the name of a codekem back end
 *   BATCH: operations that codekem's side does at once; its times are those of one of them
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "codekem.h"
#ifdef CODEKEM_HAVE_MCELIECE
#include "codekem_mceliece.h"
#endif

#if defined(__x86_64__)
#include <x86intrin.h>
static double now(void) {
  unsigned aux;
  _mm_lfence();
  return (double)__rdtscp(&aux);
}
static const char *unit = "kcycles (TSC)";
#else
static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}
static const char *unit = "us";
#endif

struct side {
  const char *backend; /* a codekem back end, or NULL for the library below */
  int (*keypair)(unsigned char *pk, unsigned char *sk);
  int (*encaps)(unsigned char *ct, unsigned char *ss, const unsigned char *pk);
  int (*decaps)(unsigned char *ss, const unsigned char *ct, const unsigned char *sk);
  size_t batch; /* operations at once */
  unsigned char *pk, *sk, *ct, *ss[2];
  double *samples[3];
};

static void fail(const char *what) {
  fprintf(stderr, "pair_speed: %s\n", what);
  exit(1);
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a;
  double y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Memory of codekem's side, for keys that are too large for a stack. */
static void *workspace;
static size_t workspace_length;

static const codekem_kem *find(const char *name) {
  const codekem_kem *kem = codekem_kem_find(name);

#ifdef CODEKEM_HAVE_MCELIECE
  if (kem == NULL) {
    kem = codekem_mceliece_kem_find(name);
  }
#endif
  if (kem != NULL) {
    const size_t alignment = CODEKEM_WORKSPACE_ALIGNMENT;
    workspace_length = (kem->length_keypair_workspace + alignment - 1) / alignment * alignment;
    workspace = aligned_alloc(alignment, workspace_length);
    if (workspace == NULL) {
      fail("out of memory");
    }
  }
  return kem;
}

static int own_keypair(const codekem_kem *kem, unsigned char *pk, unsigned char *sk) {
  if (workspace_length <= CODEKEM_MAX_STACK) {
    return (int)codekem_kem_keypair(kem, pk, sk);
  }
  return (int)codekem_kem_keypair_with(
      kem, pk, sk, CODEKEM_OPTIONS(.workspace = workspace, .workspace_length = workspace_length));
}

static void open_side(struct side *side, const codekem_kem *kem, const char *name, size_t rounds,
                      size_t batch) {
  side->batch = batch;
  if (strchr(name, '/') != NULL) {
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
      fail(dlerror());
    }
    *(void **)&side->keypair = dlsym(library, "crypto_kem_keypair");
    *(void **)&side->encaps = dlsym(library, "crypto_kem_enc");
    *(void **)&side->decaps = dlsym(library, "crypto_kem_dec");
    if (side->keypair == NULL || side->encaps == NULL || side->decaps == NULL) {
      fail("the peer lacks crypto_kem_keypair, crypto_kem_enc or crypto_kem_dec");
    }
    void (*prepare)(void);
    *(void **)&prepare = dlsym(library, "cpu_features_init"); /* bike-kem wants this call */
    if (prepare != NULL) {
      prepare();
    }
  } else {
    side->backend = name;
  }
  side->pk = malloc(batch * kem->length_public_key + 64);
  side->sk = malloc(batch * kem->length_secret_key + 64);
  side->ct = malloc(batch * kem->length_ciphertext + 64);
  side->ss[0] = malloc(batch * kem->length_shared_secret + 64);
  side->ss[1] = malloc(batch * kem->length_shared_secret + 64);
  for (int i = 0; i < 3; i++) {
    side->samples[i] = malloc(rounds * sizeof(double));
  }
}

static int keypair(struct side *side, const codekem_kem *kem) {
  return side->backend == NULL ? side->keypair(side->pk, side->sk)
         : side->batch > 1
             ? (int)codekem_kem_keypair_batch(kem, side->batch, side->pk, side->sk, NULL)
             : own_keypair(kem, side->pk, side->sk);
}

static int encaps(struct side *side, const codekem_kem *kem) {
  return side->backend == NULL ? side->encaps(side->ct, side->ss[0], side->pk)
         : side->batch > 1 ? (int)codekem_kem_encaps_batch(kem, side->batch, side->ct, side->ss[0],
                                                           side->pk, kem->length_public_key, NULL)
                           : (int)codekem_kem_encaps(kem, side->ct, side->ss[0], side->pk);
}

static int decaps(struct side *side, const codekem_kem *kem) {
  return side->backend == NULL ? side->decaps(side->ss[1], side->ct, side->sk)
         : side->batch > 1 ? (int)codekem_kem_decaps_batch(kem, side->batch, side->ss[1], side->ct,
                                                           side->sk, kem->length_secret_key, NULL)
                           : (int)codekem_kem_decaps(kem, side->ss[1], side->ct, side->sk);
}

/* One exchange on one side, or a batch of them; keeps the three times, each of one operation. */
static void exchange(struct side *side, const codekem_kem *kem, size_t round) {
  int bad = 0;
  double t[4];

  if (side->backend != NULL && codekem_backend_select(side->backend) != CODEKEM_OK) {
    fail("this processor or build lacks that back end");
  }
  t[0] = now();
  bad |= keypair(side, kem);
  t[1] = now();
  bad |= encaps(side, kem);
  t[2] = now();
  bad |= decaps(side, kem);
  t[3] = now();
  if (bad != 0 || memcmp(side->ss[0], side->ss[1], side->batch * kem->length_shared_secret) != 0) {
    fail("an exchange failed");
  }
  for (int i = 0; i < 3; i++) {
    side->samples[i][round] = (t[i + 1] - t[i]) / 1000 / (double)side->batch;
  }
}

/* Sets ratio[3] to the median of the second side's times over the first's, round by round, and to
 * the ends of its interval of 95 %: that between two of the sorted ratios, by the normal
 * approximation of the binomial distribution. The two calls of a round follow each other, so drift
 * meets both. */
static void ratio_of(double ratio[3], const struct side sides[2], int operation, size_t rounds) {
  double *ratios = malloc(rounds * sizeof *ratios);

  if (ratios == NULL) {
    fail("out of memory");
  }
  for (size_t j = 0; j < rounds; j++) {
    ratios[j] = sides[1].samples[operation][j] / sides[0].samples[operation][j];
  }
  qsort(ratios, rounds, sizeof *ratios, compare);
  const double reach = 0.98 * sqrt((double)rounds);
  const double low = floor((double)rounds / 2 - reach);
  const size_t first = low > 0 ? (size_t)low : 0;
  ratio[0] = ratios[rounds / 2];
  ratio[1] = ratios[first];
  ratio[2] = ratios[rounds - 1 - first];
  free(ratios);
}

static void report(struct side sides[2], size_t rounds) {
  static const char *const operation[3] = {"keypair", "encaps", "decaps"};

  for (int i = 0; i < 3; i++) {
    double ratio[3];
    ratio_of(ratio, sides, i, rounds); /* before the samples are sorted */
    double quartile[2][3];
    for (int s = 0; s < 2; s++) {
      qsort(sides[s].samples[i], rounds, sizeof(double), compare);
      for (int q = 0; q < 3; q++) {
        quartile[s][q] = sides[s].samples[i][rounds * (size_t)(q + 1) / 4];
      }
    }
    printf("  %-8s %10.1f [%.1f .. %.1f]  %10.1f [%.1f .. %.1f]  ratio %.4g [%.4g .. %.4g]\n",
           operation[i], quartile[0][1], quartile[0][0], quartile[0][2], quartile[1][1],
           quartile[1][0], quartile[1][2], ratio[0], ratio[1], ratio[2]);
  }
}

int main(int argc, char **argv) {
  struct side sides[2] = {{0}};

  if (argc < 4) {
    fail("usage: pair_speed KEM BACKEND PEER [ROUNDS [BATCH]]");
  }
  const codekem_kem *kem = find(argv[1]);
  size_t rounds = argc > 4 ? strtoul(argv[4], NULL, 10) : 200;
  size_t batch = argc > 5 ? strtoul(argv[5], NULL, 10) : 1;
  if (kem == NULL || rounds < 8 || batch < 1 || batch > 1024) {
    fail("no such KEM, fewer than 8 rounds, or a batch that is not from 1 to 1024");
  }
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  CPU_SET(sched_getcpu(), &cpus);
  sched_setaffinity(0, sizeof cpus, &cpus);
  for (int s = 0; s < 2; s++) {
    open_side(&sides[s], kem, argv[2 + s], rounds, s == 0 ? batch : 1);
  }
  for (size_t round = 0; round < rounds; round++) {
    exchange(&sides[round % 2], kem, round);
    exchange(&sides[1 - round % 2], kem, round);
  }
  printf("%s, %s, median [quartiles] over %zu: %s, then %s, and the second over the first\n",
         kem->method_name, unit, rounds, argv[2], argv[3]);
  report(sides, rounds);
  return 0;
}
