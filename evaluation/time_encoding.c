/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Times what encapsulation of Classic McEliece could compute of a public key beforehand: the check
 * of its unused bits, and rows that start at whole vectors. Beside them stands encapsulation as it
 * is. All in microseconds of the process, the least of many runs.
 *
 * usage: time_encoding [BACKEND]...    without one: all of the processor but the reference
 */
#define _POSIX_C_SOURCE 200112L

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "backends.h"
#include "codekem_mceliece.h"
#include "mceliece/mceliece_ops.h"

#define VECTOR 64
#define RUNS 150
#define CALLS 8 /* in a run */
#define PARITY_BYTES 256

static uint8_t *allocate(size_t length) {
  void *memory = NULL;

  if (posix_memalign(&memory, CODEKEM_WORKSPACE_ALIGNMENT, length) != 0) {
    fprintf(stderr, "time_encoding: out of memory\n");
    exit(1);
  }
  return memory;
}

static void fill(uint8_t *out, size_t length) {
  uint32_t state = 1;

  for (size_t i = 0; i < length; i++) {
    state = state * UINT32_C(1664525) + UINT32_C(1013904223);
    out[i] = (uint8_t)(state >> 24);
  }
}

static double now(void) {
  struct timespec t;

  (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

/* Keeps the least time of a call in `least`. */
#define TIME(least, call)                         \
  do {                                            \
    const double start = now();                   \
    for (int i = 0; i < CALLS; i++) {             \
      call;                                       \
    }                                             \
    const double spent = (now() - start) / CALLS; \
    if ((least) == 0 || spent < (least)) {        \
      (least) = spent;                            \
    }                                             \
  } while (0)

/* Whether all calls succeed. */
static bool time_set(const codekem_kem *kem, const struct mceliece_ops *ops) {
  const size_t rows = codekem_mceliece_rows(kem);
  const size_t row_bytes = kem->length_public_key / rows;
  const size_t padded_bytes = (row_bytes + VECTOR - 1) / VECTOR * VECTOR;
  const size_t whole = rows / 8 * 8;
  uint8_t *key = allocate(kem->length_public_key);
  uint8_t *padded = allocate(rows * padded_bytes);
  uint8_t *workspace = allocate(kem->length_encaps_workspace);
  uint8_t partner[MCELIECE_PARTNER_BYTES] = {0}, parities[PARITY_BYTES];
  uint8_t ciphertext[CODEKEM_MCELIECE_MAX_CIPHERTEXT], secret[32];
  const uint8_t seed[32] = {1};
  const codekem_options options = {.size = sizeof options,
                                   .seed = seed,
                                   .workspace = workspace,
                                   .workspace_length = kem->length_encaps_workspace};
  double encaps = 0, check = 0, stored = 0, aligned = 0;
  bool good = true;

  fill(key, kem->length_public_key);
  fill(partner, row_bytes);
  memset(padded, 0, rows * padded_bytes);
  for (size_t r = 0; r < rows; r++) {
    key[(r + 1) * row_bytes - 1] &= 0x1F; /* no unused bit is set */
    memcpy(padded + r * padded_bytes, key + r * row_bytes, row_bytes);
  }
  for (int run = 0; run < RUNS; run++) {
    TIME(encaps,
         good &= codekem_kem_encaps_with(kem, ciphertext, secret, key, &options) == CODEKEM_OK);
    TIME(check, good &= codekem_kem_check_public_key(kem, key) == CODEKEM_OK);
    TIME(stored, ops->multiply(parities, key, whole, row_bytes, partner));
    TIME(aligned, ops->multiply(parities, padded, whole, padded_bytes, partner));
  }
  printf("  %-16s encaps %7.2f  check %5.2f  rows as stored %7.2f  padded %7.2f\n",
         kem->method_name, encaps, check, stored, aligned);
  free(workspace);
  free(padded);
  free(key);
  return good;
}

int main(int argc, char **argv) {
  static const char *const sets[] = {"mceliece348864", "mceliece460896", "mceliece6688128",
                                     "mceliece6960119", "mceliece8192128"};
  bool good = true;

  for (size_t i = 0; i < codekem_backend_count(); i++) {
    const char *name = codekem_backend_name(i);
    bool wanted = argc == 1 && strcmp(name, "reference") != 0;

    for (int k = 1; k < argc; k++) {
      wanted = wanted || strcmp(argv[k], name) == 0;
    }
    if (!wanted || codekem_backend_select(name) != CODEKEM_OK) {
      continue;
    }
    printf("%s\n", name);
    for (size_t k = 0; k < sizeof sets / sizeof sets[0]; k++) {
      const codekem_kem *kem = codekem_mceliece_kem_find(sets[k]);

      if (kem != NULL) { /* a build may have some sets only */
        good &= time_set(kem, ckem_mceliece_ops_of(ckem_backend_in_use()));
      }
    }
  }
  return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
