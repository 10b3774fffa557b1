/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Times the product of two dense elements of HQC's ring beside that of another program: a shared
 * library with `void vect_mul(void *out, const void *a, const void *b)`, as HQC's optimised code
 * has it. Both get the same elements, must give the same product, and take turns in one process.
 *
 *   cc -O2 -Isrc/common -Isrc/kem -Iinclude evaluation/peers/product_speed.c \
 *     build/default/libcodekem.a -ldl -o build/product_speed
 *   taskset -c 1 build/product_speed HQC-1 avx512 ./libpeer.so
 *
 * Prints the medians in cycles of the time-stamp counter and the median of the ratios, with
 * quartiles.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <x86intrin.h>

#include "backends.h"
#include "codekem.h"
#include "hqc/hqc.h"

#define LARGEST 57637
#define ROUNDS 2001
#define ROOM 1024 /* words behind an element, which others read as zeros, or write */

typedef void product(void *out, const void *a, const void *b);

static _Alignas(64) uint64_t a[GF2X_STRIDE(LARGEST) + ROOM], b[GF2X_STRIDE(LARGEST) + ROOM];
static _Alignas(64) uint64_t ours[GF2X_STRIDE(LARGEST) + ROOM];
static _Alignas(64) uint64_t theirs[2 * GF2X_STRIDE(LARGEST) + ROOM];
static _Alignas(64) uint64_t scratch[GF2X_INVERT_SCRATCH_WORDS(LARGEST)];
static double times[2][ROUNDS], ratios[ROUNDS];

static void fail(const char *what) {
  fprintf(stderr, "product_speed: %s\n", what);
  exit(1);
}

static const struct gf2x_ring *ring_of(const char *kem) {
  const struct hqc_params *levels[] = {&ckem_hqc_level1, &ckem_hqc_level3, &ckem_hqc_level5};

  for (size_t i = 0; i < 3; i++) {
    if (strncmp(kem, "HQC-", 4) == 0 && atoi(kem + 4) == (int)(2 * i + 1)) {
      return levels[i]->ring;
    }
  }
  fail("the KEM is one of HQC-1, HQC-3 and HQC-5");
  return NULL;
}

static void fill(const struct gf2x_ring *ring, uint64_t *element) {
  static uint64_t random = 1;

  for (size_t i = 0; i < ring->words; i++) {
    random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
    element[i] = random ^ random >> 31;
  }
  element[ring->words - 1] &= (UINT64_C(1) << ring->r_bits % 64) - 1;
}

static uint64_t now(void) {
  unsigned aux;

  _mm_lfence();
  return __rdtscp(&aux);
}

static int by_size(const void *x, const void *y) {
  const double left = *(const double *)x, right = *(const double *)y;

  return (left > right) - (left < right);
}

static double at(double *values, int of_four) {
  qsort(values, ROUNDS, sizeof *values, by_size);
  return values[ROUNDS * of_four / 4];
}

int main(int argc, char **argv) {
  if (argc != 4) {
    fail("usage: product_speed KEM BACKEND ./PEER.so");
  }
  const struct gf2x_ring *ring = ring_of(argv[1]);
  if (codekem_backend_select(argv[2]) != CODEKEM_OK) {
    fail("there is no such back end here");
  }
  const struct gf2x_ops *gf2x = ckem_backend_in_use()->gf2x;
  void *library = dlopen(argv[3], RTLD_NOW);
  if (library == NULL) {
    fail(dlerror());
  }
  product *peer = NULL;
  *(void **)&peer = dlsym(library, "vect_mul");
  if (peer == NULL) {
    fail(dlerror());
  }
  for (int i = 0; i < ROUNDS; i++) {
    fill(ring, a);
    fill(ring, b);
    const uint64_t begin = now();
    gf2x->mul(ring, ours, a, b, scratch);
    const uint64_t middle = now();
    peer(theirs, a, b);
    const uint64_t end = now();
    if (memcmp(ours, theirs, 8 * ring->words) != 0) {
      fail("the products differ");
    }
    times[0][i] = (double)(middle - begin);
    times[1][i] = (double)(end - middle);
    ratios[i] = times[1][i] / times[0][i];
  }
  const double ratio = at(ratios, 2);
  printf("%s: ours %.0f, theirs %.0f cycles, ratio %.3f (%.3f to %.3f)\n", argv[1], at(times[0], 2),
         at(times[1], 2), ratio, at(ratios, 1), at(ratios, 3));
  return 0;
}
