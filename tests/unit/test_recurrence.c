/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Recurrences: every back end beside the reference, and sequences whose recurrence is known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "backends.h"
#include "codekem.h"
#include "gf2m/gf2m.h"
#include "recurrence/recurrence.h"

/* The lengths that are in use, and one that is odd. */
static const uint32_t lengths[] = {64, 96, 119, 128};

#define LENGTHS (sizeof lengths / sizeof lengths[0])
#define MAX RECURRENCE_MAX_LENGTH

static uint64_t state = 1;
static _Alignas(64) uint64_t scratch[RECURRENCE_POWERS_WORDS];

static uint16_t draw(const struct gf2m_field *field) {
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint16_t)(state >> 40 & ((UINT64_C(1) << field->degree) - 1));
}

static const struct gf2m_field *const fields[] = {&ckem_gf2m_12, &ckem_gf2m_13};

/* Calls a check for each back end of this processor. */
static void for_each_backend(void (*check)(const struct recurrence_ops *ops)) {
  for (size_t i = 0; i < codekem_backend_count(); i++) {
    if (codekem_backend_supported(i)) {
      assert_int_equal(codekem_backend_select(codekem_backend_name(i)), CODEKEM_OK);
      check(ckem_recurrence_ops_of(ckem_backend_in_use()));
    }
  }
  assert_int_equal(codekem_backend_select(NULL), CODEKEM_OK);
}

/* Sums of powers of `count` elements, each with a weight: the shortest recurrence has them as
 * roots. */
static void make_sums(const struct gf2m_field *field, uint16_t *sequence, size_t length,
                      const uint16_t *points, size_t count) {
  memset(sequence, 0, 2 * length * sizeof *sequence);
  for (size_t i = 0; i < count; i++) {
    uint16_t value = (uint16_t)(draw(field) | 1);

    for (size_t n = 0; n < 2 * length; n++) {
      sequence[n] ^= value;
      value = ckem_gf2m_multiply(field, value, points[i]);
    }
  }
}

/* Returns the value of connection, backwards, at x. */
static uint16_t value_at(const struct gf2m_field *field, const uint16_t *connection, size_t length,
                         uint16_t x) {
  uint16_t value = 0;

  for (size_t i = 0; i <= length; i++) {
    value = ckem_gf2m_multiply(field, value, x) ^ connection[i];
  }
  return value;
}

static void check_known(const struct recurrence_ops *ops) {
  for (size_t i = 0; i < 2 * LENGTHS; i++) {
    const struct gf2m_field *field = fields[i % 2];
    const size_t length = lengths[i / 2];
    uint16_t sequence[2 * MAX], connection[MAX + 1], points[MAX];

    for (size_t j = 0; j < length; j++) {
      points[j] = (uint16_t)(7 * j); /* among them 0, all distinct */
    }
    make_sums(field, sequence, length, points, length);
    assert_true(ops->find(field, connection, sequence, length, scratch) == ~UINT64_C(0));
    assert_int_not_equal(connection[0], 0);
    for (size_t j = 0; j < length; j++) {
      assert_int_equal(value_at(field, connection, length, points[j]), 0);
    }
    assert_int_not_equal(value_at(field, connection, length, 1), 0);
    /* One element less: the recurrence is shorter than asked for. */
    make_sums(field, sequence, length, points, length - 1);
    assert_true(ops->find(field, connection, sequence, length, scratch) == 0);
    memset(sequence, 0, sizeof sequence);
    assert_true(ops->find(field, connection, sequence, length, scratch) == 0);
  }
}

/* Two connections are the same but for a factor. */
static void assert_proportional(const struct gf2m_field *field, const uint16_t *a,
                                const uint16_t *b, size_t length) {
  for (size_t i = 0; i <= length; i++) {
    assert_int_equal(ckem_gf2m_multiply(field, a[i], b[0]), ckem_gf2m_multiply(field, b[i], a[0]));
  }
}

static void check_random(const struct recurrence_ops *ops) {
  for (size_t i = 0; i < 2 * LENGTHS; i++) {
    const struct gf2m_field *field = fields[i % 2];
    const size_t length = lengths[i / 2];
    uint16_t sequence[2 * MAX], connection[MAX + 1], expected[MAX + 1];

    for (int kind = 0; kind < 4; kind++) {
      for (size_t n = 0; n < 2 * length; n++) {
        /* Zeros at the start, in the middle, and everywhere but at the end. */
        const size_t quarter = n / (length / 2);
        sequence[n] = (kind == 1 && quarter == 0) || (kind == 2 && quarter == 1) ||
                              (kind == 3 && n + 1 < 2 * length)
                          ? 0
                          : draw(field);
      }
      const uint64_t found = ops->find(field, connection, sequence, length, scratch);
      assert_true(found ==
                  ckem_recurrence_reference.find(field, expected, sequence, length, scratch));
      if (found != 0) {
        assert_proportional(field, connection, expected, length);
      }
    }
  }
}

static void check_powers(const struct recurrence_ops *ops) {
  static const struct recurrence_ring rings[LENGTHS] = {
      {.length = 64, .terms = 3, .low = {0, 1, 3}, .low_value = {2, 1, 1}},
      {.length = 96, .terms = 4, .low = {0, 6, 9, 10}, .low_value = {1, 1, 1, 1}},
      {.length = 119, .terms = 2, .low = {0, 8}, .low_value = {1, 1}},
      {.length = 128, .terms = 4, .low = {0, 1, 2, 7}, .low_value = {1, 1, 1, 1}},
  };

  for (size_t i = 0; i < LENGTHS; i++) {
    const struct gf2m_field *field = fields[i > 0];
    uint16_t beta[MAX], sequence[2 * MAX], expected[2 * MAX];

    for (size_t j = 0; j < rings[i].length; j++) {
      beta[j] = draw(field);
    }
    ops->power_sequence(field, &rings[i], sequence, beta, scratch);
    ckem_recurrence_reference.power_sequence(field, &rings[i], expected, beta, scratch);
    assert_memory_equal(sequence, expected, 4 * rings[i].length);
    memset(beta, 0, sizeof beta);
    beta[1] = 1; /* y: its powers are those of the ring's basis */
    ops->power_sequence(field, &rings[i], sequence, beta, scratch);
    assert_int_equal(sequence[0], 1);
    for (size_t n = 1; n < rings[i].length; n++) {
      assert_int_equal(sequence[n], 0);
    }
    assert_int_equal(sequence[rings[i].length], rings[i].low_value[0]);
  }
}

static void test_known_recurrences(void **unused) {
  (void)unused;
  for_each_backend(check_known);
}

static void test_random_sequences(void **unused) {
  (void)unused;
  for_each_backend(check_random);
}

static void test_powers(void **unused) {
  (void)unused;
  for_each_backend(check_powers);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_known_recurrences),
      cmocka_unit_test(test_random_sequences),
      cmocka_unit_test(test_powers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
