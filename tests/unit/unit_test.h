/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What the unit tests share: cmocka with the headers it wants, back ends, random elements. */
#ifndef CODEKEM_TESTS_UNIT_TEST_H
#define CODEKEM_TESTS_UNIT_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "backends.h"
#include "codekem.h"
#include "gf2x/gf2x.h"

#define LARGEST_R_BITS 57637
#define LARGEST_STRIDE GF2X_STRIDE(GF2X_MAX_R_BITS)

/* An element of any ring, aligned as gf2x.h asks. */
struct element {
  _Alignas(64) uint64_t words[LARGEST_STRIDE];
};

static const struct gf2x_ring *const all_rings[] = {&ckem_gf2x_ring_12323, &ckem_gf2x_ring_24659,
                                                    &ckem_gf2x_ring_40973, &ckem_gf2x_ring_17669,
                                                    &ckem_gf2x_ring_35851, &ckem_gf2x_ring_57637};
#define RING_COUNT (sizeof all_rings / sizeof all_rings[0])
/* The first of them, those of BIKE, have plans for the powers that inversion takes. */
#define INVERSION_RING_COUNT 3

/* Runs test(backend) for every back end that this processor can run, and says which it was.
 * but_reference leaves out the reference: for tests that compare with it. */
static inline void for_each_backend(void (*test)(const struct backend *backend),
                                    bool but_reference) {
  size_t run = 0;

  for (size_t i = 0; i < codekem_backend_count(); i++) {
    const char *name = codekem_backend_name(i);
    if (codekem_backend_supported(i) && !(but_reference && strcmp(name, "reference") == 0)) {
      assert_int_equal(codekem_backend_select(name), CODEKEM_OK);
      print_message("           with %s\n", name);
      test(ckem_backend_in_use());
      run++;
    }
  }
  assert_true(run >= 1);
}

/* Returns the next back end from *index on that can run and is not the reference, NULL at the end:
 * for comparing all of them with one result of the slow reference. */
static inline const struct backend *next_compared_backend(size_t *index) {
  while (*index < codekem_backend_count()) {
    const size_t i = (*index)++;
    const char *name = codekem_backend_name(i);
    if (codekem_backend_supported(i) && strcmp(name, "reference") != 0) {
      assert_int_equal(codekem_backend_select(name), CODEKEM_OK);
      return ckem_backend_in_use();
    }
  }
  return NULL;
}

/* Makes of test(backend) a cmocka test called <test>_each. */
#define EACH_BACKEND(test)                \
  static void test##_each(void **state) { \
    (void)state;                          \
    for_each_backend(test, false);        \
  }
#define EACH_BACKEND_BUT_REFERENCE(test)  \
  static void test##_each(void **state) { \
    (void)state;                          \
    for_each_backend(test, true);         \
  }

/* A small generator (splitmix64), so that a failure can be repeated. */
static inline uint64_t next_random(uint64_t *state) {
  uint64_t z = (*state += UINT64_C(0x9E3779B97F4A7C15));

  z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
  return z ^ (z >> 31);
}

/* Fills an element with random coefficients. */
static inline void random_element(const struct gf2x_ring *ring, uint64_t *out, uint64_t *state) {
  memset(out, 0, ring->stride * sizeof *out);
  for (size_t i = 0; i < ring->words; i++) {
    out[i] = next_random(state);
  }
  out[ring->words - 1] &= (UINT64_C(1) << (ring->r_bits % 64)) - 1;
}

/* Sets the coefficient of x^j. */
static inline void set_bit(uint64_t *a, uint32_t j) {
  a[j / 64] |= UINT64_C(1) << (j % 64);
}

/* Compares two elements word by word, unused words included. */
static inline void assert_elements_equal(const struct gf2x_ring *ring, const uint64_t *a,
                                         const uint64_t *b) {
  assert_memory_equal(a, b, ring->stride * sizeof *a);
}

#endif
