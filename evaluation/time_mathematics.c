/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Times the mathematics of Goppa codes, kernel by kernel, and the parts of decapsulation of Classic
 * McEliece: the least of some runs, in microseconds of the process (so that other processes count
 * less).
 *
 * usage: time_mathematics [BACKEND]...    without one: all of the processor but the reference
 */
#define _POSIX_C_SOURCE 199309L

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "backends.h"
#include "benes/benes.h"
#include "bitmatrix/bitmatrix.h"
#include "codekem.h"
#include "gf2m/gf2m.h"
#include "keccak/keccak.h"
#include "recurrence/recurrence.h"
#include "sort/sort.h"
#if defined(CODEKEM_HAVE_MCELIECE)
#include "codekem_mceliece.h"
#endif

#define POINTS 8192
#define MOST_ROWS 1664
#define RUNS 15

static _Alignas(64) uint64_t a[GF2M_FIELD_WORDS(13)], b[GF2M_FIELD_WORDS(13)];
static _Alignas(64) uint64_t scratch[BITMATRIX_SCRATCH_WORDS(MOST_ROWS)];
static _Alignas(64) uint64_t left[BITMATRIX_LEFT_WORDS(MOST_ROWS)];
static _Alignas(64) uint64_t factors[BITMATRIX_FACTORS_WORDS(MOST_ROWS)];
static _Alignas(64) uint64_t panel[BITMATRIX_PANEL_WORDS(MOST_ROWS)];
static _Alignas(64) uint64_t network[BENES_NETWORK_WORDS(13)], bits[POINTS / 64];
static uint64_t keys[POINTS];
static uint16_t numbers[POINTS], sums[256];
static uint8_t control[BENES_CONTROL_BYTES(13)];

static uint64_t next_random(void) {
  static uint64_t state = 1;
  uint64_t z = (state += UINT64_C(0x9E3779B97F4A7C15));

  z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
  return z ^ (z >> 31);
}

static double now(void) {
  struct timespec t;

  (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

/* Prints the least time of `call`, before which `before` is run untimed. */
#define TIME(title, before, call)                        \
  do {                                                   \
    double least = 0;                                    \
    for (int run = 0; run < RUNS; run++) {               \
      before;                                            \
      const double start = now();                        \
      call;                                              \
      const double spent = now() - start;                \
      least = run == 0 || spent < least ? spent : least; \
    }                                                    \
    printf("  %-40s %10.1f us\n", title, least);         \
  } while (0)

/* The same for a call that is too short for the clock. */
#define MANY 32
#define TIME_SHORT(title, call)                          \
  do {                                                   \
    double least = 0;                                    \
    for (int run = 0; run < 8 * RUNS; run++) {           \
      const double start = now();                        \
      for (int repeat = 0; repeat < MANY; repeat++) {    \
        call;                                            \
      }                                                  \
      const double spent = (now() - start) / MANY;       \
      least = run == 0 || spent < least ? spent : least; \
    }                                                    \
    printf("  %-40s %10.2f us\n", title, least);         \
  } while (0)

static void random_keys(void) {
  for (size_t i = 0; i < POINTS; i++) {
    keys[i] = next_random();
  }
}

static void random_permutation(void) {
  for (size_t i = 0; i < POINTS; i++) {
    const size_t j = next_random() % (i + 1);
    numbers[i] = numbers[j];
    numbers[j] = (uint16_t)i;
  }
}

static void random_panel(uint32_t rows) {
  for (size_t i = 0; i < BITMATRIX_PANEL_WORDS(rows); i++) {
    panel[i] = next_random();
  }
}

static void random_left(const struct bitmatrix_ops *ops, uint32_t rows) {
  for (uint32_t first = 0; first < rows + 32; first += BITMATRIX_PANEL_COLUMNS) {
    random_panel(rows);
    ops->load(rows, true, left, first, panel);
  }
}

static void time_field(const struct gf2m_ops *ops) {
  const struct gf2m_field *field = &ckem_gf2m_13;

  random_permutation();
  TIME("pack 8192 elements", (void)0, ops->pack(field, a, numbers, POINTS));
  TIME("multiply 8192 elements", (void)0, ops->multiply(field, b, a, a, 16));
  TIME("invert 8192 elements", (void)0, ops->invert(field, b, a, 16, scratch));
  TIME("evaluate 129 coefficients", (void)0, ops->evaluate(field, b, numbers, 129, scratch));
  TIME("256 power sums", (void)0, ops->power_sums(field, sums, a, 256, scratch));
  TIME("128 powers of 512 elements as rows", (void)0, ops->power_rows(field, panel, 8, a, b, 128));
}

static void time_permutations(const struct sort_ops *sort, const struct benes_ops *benes) {
  TIME("sort 8192 numbers of 64 bits", random_keys(), sort->sort_u64(keys, POINTS));
  TIME("sort 8192 numbers of 32 bits", random_keys(), sort->sort_u32((uint32_t *)keys, POINTS));
  random_permutation();
  TIME("control bits for 8192 numbers", (void)0,
       benes->find_control_bits(13, control, numbers, scratch));
  TIME("prepare a network", (void)0, benes->prepare(13, network, control));
  TIME("apply a network", (void)0, benes->apply(13, bits, network));
}

static void time_matrix(const struct bitmatrix_ops *ops, uint32_t rows) {
  uint64_t pivots;
  bool done = true;

  printf("  matrix of %u rows\n", (unsigned)rows);
  TIME("factor", random_left(ops, rows),
       done &= ops->factor(rows, true, factors, &pivots, left, scratch));
  TIME("solve for 512 columns", random_panel(rows), ops->solve(rows, factors, panel, scratch));
  if (!done) {
    printf("  (a matrix could not be factored)\n");
  }
}

/* A whole decapsulation. */
static void time_whole(const char *name) {
#if defined(CODEKEM_HAVE_MCELIECE)
  const codekem_kem *kem = codekem_mceliece_kem_find(name);
  uint8_t *public_key = malloc(kem->length_public_key);
  uint8_t *secret_key = malloc(kem->length_secret_key);
  const size_t length = (kem->length_keypair_workspace + 63) / 64 * 64;
  void *workspace = aligned_alloc(64, length);
  uint8_t ciphertext[CODEKEM_MCELIECE_MAX_CIPHERTEXT], secret[2][32];

  if (public_key != NULL && secret_key != NULL && workspace != NULL &&
      codekem_kem_keypair_with(kem, public_key, secret_key,
                               CODEKEM_OPTIONS(.workspace = workspace,
                                               .workspace_length = length)) == CODEKEM_OK &&
      codekem_kem_encaps(kem, ciphertext, secret[0], public_key) == CODEKEM_OK) {
    TIME_SHORT("all", (void)!codekem_kem_decaps(kem, secret[1], ciphertext, secret_key));
    if (memcmp(secret[0], secret[1], sizeof secret[0]) != 0) {
      printf("  (the secrets differ)\n");
    }
  }
  free(public_key);
  free(secret_key);
  free(workspace);
#else
  printf("  (%s itself is not in this build)\n", name);
#endif
}

/* The parts of decapsulation, for n columns and errors of weight t. */
static void time_decapsulation(const struct backend *backend, const char *name,
                               const struct gf2m_field *field, size_t n, size_t t) {
  const struct gf2m_ops *ops = ckem_gf2m_ops_of(backend);
  const struct benes_ops *benes = ckem_benes_ops_of(backend);
  const struct recurrence_ops *recurrence = ckem_recurrence_ops_of(backend);
  const unsigned m = field->degree;
  const size_t blocks = GF2M_FIELD_BLOCKS(m);
  uint16_t connection[RECURRENCE_MAX_LENGTH + 1];
  uint8_t hash[32];

  printf("  parts of %s's decapsulation, each once\n", name);
  random_permutation();
  for (size_t i = 0; i < POINTS; i++) {
    numbers[i] &= (uint16_t)((1U << m) - 1);
  }
  memset(control, 0x5A, sizeof control);
  ops->pack(field, a, numbers, (size_t)1 << m);
  TIME_SHORT("evaluate g, or the locator", ops->evaluate(field, b, numbers, t + 1, scratch));
  TIME_SHORT("square the values of g", ops->square(field, b, a, blocks));
  TIME_SHORT("invert them", ops->invert(field, b, a, blocks, scratch));
  TIME_SHORT("prepare the network", benes->prepare(m, network, control));
  TIME_SHORT("apply it, one way or the other", benes->apply(m, bits, network));
  TIME_SHORT("choose weights", ops->select(field, scratch, a, bits, blocks));
  TIME_SHORT("sums for the syndrome", ops->power_sums(field, sums, a, 2 * t, scratch));
  TIME_SHORT("sums for the check", ops->power_sums(field, sums, a, t, scratch));
  TIME_SHORT("search for the recurrence",
             (void)recurrence->find(field, connection, sums, t, scratch));
  TIME_SHORT("zeros of the locator", ops->zeros(field, bits, a, blocks));
  TIME_SHORT("hash", ckem_shake256(backend->keccak, hash, sizeof hash, (const uint8_t *)keys,
                                   1 + n / 8 + (m * t + 7) / 8));
  time_whole(name);
}

int main(int argc, char **argv) {
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
    time_field(ckem_gf2m_ops_of(ckem_backend_in_use()));
    time_permutations(ckem_sort_ops_of(ckem_backend_in_use()),
                      ckem_benes_ops_of(ckem_backend_in_use()));
    time_matrix(ckem_bitmatrix_ops_of(ckem_backend_in_use()), 768);
    time_matrix(ckem_bitmatrix_ops_of(ckem_backend_in_use()), MOST_ROWS);
    time_decapsulation(ckem_backend_in_use(), "mceliece348864f", &ckem_gf2m_12, 3488, 64);
    time_decapsulation(ckem_backend_in_use(), "mceliece8192128f", &ckem_gf2m_13, 8192, 128);
  }
  return EXIT_SUCCESS;
}
