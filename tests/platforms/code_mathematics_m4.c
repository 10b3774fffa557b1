/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The mathematics of Goppa codes for the Cortex-M4 against the portable one, on the device. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "benes/benes.h"
#include "benes/benes_m4.h"
#include "gf2m/gf2m.h"
#include "gf2m/gf2m_m4.h"
#include "recurrence/recurrence.h"
#include "recurrence/recurrence_m4.h"

#define MOST 8192
#define MOST_WORDS (13 * MOST / 32)

static uint32_t groups[MOST_WORDS], other[MOST_WORDS], third[MOST_WORDS];
static uint16_t elements[MOST], expected[MOST], numbers[600];
static _Alignas(64) uint64_t vector[GF2M_FIELD_WORDS(13)], scratch[GF2M_SCRATCH_WORDS(13)];
static uint32_t state = 1;

static const struct {
  const struct gf2m_field *field;
  const struct gf2m_m4 *own;
} fields[2] = {{&ckem_gf2m_12, &ckem_gf2m_12_m4}, {&ckem_gf2m_13, &ckem_gf2m_13_m4}};

/* [Marsaglia, Xorshift RNGs], whose numbers are a short recurrence without the multiplication. */
static uint32_t next_random(void) {
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return state * UINT32_C(0x9E3779B1) ^ state * UINT32_C(0x9E3779B1) >> 16;
}

static uint16_t random_element(const struct gf2m_field *field) {
  return (uint16_t)(next_random() & ((1U << field->degree) - 1));
}

static uint16_t element_of(size_t m, const uint32_t *from, size_t i) {
  uint32_t element = 0;

  for (size_t b = 0; b < m; b++) {
    element |= (from[m * (i / 32) + b] >> (i % 32) & 1) << b;
  }
  return (uint16_t)element;
}

/* Writes elements of gf2m.h in the form of the device. */
static void write_groups(const struct gf2m_m4 *own, uint32_t *to, const uint16_t *from,
                         size_t count) {
  const size_t m = own->degree;

  memset(to, 0, 4 * m * (count + 31) / 32);
  for (size_t i = 0; i < count; i++) {
    const uint32_t element = ckem_gf2m_read_m4(own, from[i]);
    for (size_t b = 0; b < m; b++) {
      to[m * (i / 32) + b] |= (element >> b & 1) << (i % 32);
    }
  }
}

static void check_groups(const struct gf2m_m4 *own, const uint32_t *found, const uint16_t *values,
                         size_t count) {
  for (size_t i = 0; i < count; i++) {
    assert_int_equal(element_of(own->degree, found, i), ckem_gf2m_read_m4(own, values[i]));
  }
}

static void products(void **unused) {
  (void)unused;
  for (size_t k = 0; k < 2; k++) {
    const struct gf2m_field *field = fields[k].field;
    const struct gf2m_m4 *own = fields[k].own;
    uint16_t a[32], b[32], c[32], sum[32], last[32];

    for (size_t round = 0; round < 20; round++) {
      for (size_t i = 0; i < 32; i++) {
        a[i] = random_element(field);
        b[i] = i == 0 ? 0 : i == 1 ? 1 : random_element(field);
        c[i] = random_element(field);
        sum[i] = c[i] ^ ckem_gf2m_multiply(field, a[i], b[i]);
        last[i] = a[i] ^ sum[i];
        expected[i] = ckem_gf2m_multiply(field, a[i], a[i]);
      }
      write_groups(own, groups, a, 32);
      write_groups(own, other, b, 32);
      write_groups(own, third, c, 32);
      own->square(groups + 100, groups);
      check_groups(own, groups + 100, expected, 32);
      own->butterfly(third, groups, other);
      check_groups(own, third, sum, 32);
      check_groups(own, groups, last, 32);
      own->butterfly_transposed(third, groups, other);
      for (size_t i = 0; i < 32; i++) {
        sum[i] ^= last[i];
        last[i] ^= ckem_gf2m_multiply(field, sum[i], b[i]);
      }
      check_groups(own, third, sum, 32);
      check_groups(own, groups, last, 32);
      own->multiply_add(groups, third, other);
      own->multiply(third, third, other);
      for (size_t i = 0; i < 32; i++) {
        sum[i] = ckem_gf2m_multiply(field, sum[i], b[i]);
        last[i] ^= sum[i];
      }
      check_groups(own, third, sum, 32);
      check_groups(own, groups, last, 32);
    }
  }
}

static void inverses(void **unused) {
  (void)unused;
  for (size_t k = 0; k < 2; k++) {
    for (size_t i = 0; i < 32 * 32; i++) {
      do {
        elements[i] = random_element(fields[k].field);
      } while (elements[i] == 0);
      expected[i] = ckem_gf2m_inverse(fields[k].field, elements[i]);
    }
    write_groups(fields[k].own, groups, elements, 32 * 32);
    ckem_gf2m_invert_m4(fields[k].own, groups, 32, other);
    check_groups(fields[k].own, groups, expected, 32 * 32);
  }
}

static void moves(void **unused) {
  (void)unused;
  for (size_t k = 0; k < 2; k++) {
    for (size_t large = 0; large < 2; large++) {
      const size_t count = k == 0 ? 64 : large ? 128 : 96;
      for (size_t i = 0; i <= count; i++) {
        elements[i] = random_element(fields[k].field);
      }
      write_groups(fields[k].own, groups, elements + 1, count);
      fields[k].own->move_up[large](groups, ckem_gf2m_read_m4(fields[k].own, elements[0]));
      check_groups(fields[k].own, groups, elements, count);
    }
  }
}

static void transforms(void **unused) {
  static const size_t counts[2][4] = {{64, 65, 64, 65}, {97, 120, 128, 129}};
  static const size_t sums[2][4] = {{128, 127, 1, 64}, {192, 238, 256, 2}};

  (void)unused;
  for (size_t k = 0; k < 2; k++) {
    const struct gf2m_field *field = fields[k].field;
    const size_t q = (size_t)1 << field->degree;
    uint16_t f[129], own[129], found[256];

    for (size_t round = 0; round < 4; round++) {
      for (size_t i = 0; i < 129; i++) {
        f[i] = random_element(field);
        own[i] = ckem_gf2m_read_m4(fields[k].own, f[i]);
      }
      ckem_gf2m_portable.evaluate(field, vector, f, counts[k][round], scratch);
      ckem_gf2m_portable.unpack(field, expected, vector, q);
      ckem_gf2m_evaluate_m4(fields[k].own, groups, own, counts[k][round]);
      check_groups(fields[k].own, groups, expected, q);
      ckem_gf2m_portable.power_sums(field, expected, vector, sums[k][round], scratch);
      ckem_gf2m_power_sums_m4(fields[k].own, found, groups, sums[k][round]);
      for (size_t i = 0; i < sums[k][round]; i++) {
        assert_int_equal(found[i], ckem_gf2m_read_m4(fields[k].own, expected[i]));
      }
    }
  }
}

static void networks(void **unused) {
  static _Alignas(64) uint64_t network[BENES_NETWORK_WORDS(13)];
  static uint8_t control[BENES_CONTROL_BYTES(13)];

  (void)unused;
  for (unsigned m = 9; m <= 13; m++) {
    const size_t words = (size_t)1 << (m - 6);

    for (size_t i = 0; i < sizeof control; i++) {
      control[i] = (uint8_t)(next_random() >> 24);
    }
    for (size_t i = 0; i < words; i++) {
      vector[i] = (uint64_t)next_random() << 32 | next_random();
    }
    memcpy(groups, vector, 8 * words);
    ckem_benes_portable.prepare(m, network, control);
    ckem_benes_portable.apply(m, vector, network);
    ckem_benes_apply_m4(m, groups, control, false);
    assert_memory_equal(groups, vector, 8 * words);
    ckem_benes_portable.apply_reversed(m, vector, network);
    ckem_benes_portable.apply_reversed(m, vector, network);
    ckem_benes_apply_m4(m, groups, control, true);
    ckem_benes_apply_m4(m, groups, control, true);
    assert_memory_equal(groups, vector, 8 * words);
  }
}

/* Random numbers, and one number near the end that makes the recurrence too long. */
static void recurrences(void **unused) {
  static const size_t lengths[2][3] = {{64, 64, 64}, {96, 119, 128}};

  (void)unused;
  for (size_t k = 0; k < 2; k++) {
    const struct gf2m_field *field = fields[k].field;
    for (size_t round = 0; round < 6; round++) {
      const size_t length = lengths[k][round % 3];
      uint16_t connection[RECURRENCE_MAX_LENGTH + 1], found[RECURRENCE_MAX_LENGTH + 1];

      for (size_t i = 0; i < 2 * length; i++) {
        elements[i] = round < 3 || i == 2 * length - 3 ? random_element(field) : 0;
        numbers[i] = ckem_gf2m_read_m4(fields[k].own, elements[i]);
      }
      const uint64_t good =
          ckem_recurrence_portable.find(field, connection, elements, length, scratch);
      const uint32_t own = ckem_recurrence_find_m4(fields[k].own, found, numbers, length, groups);
      assert_int_equal(own, (uint32_t)good);
      assert_true(round >= 3 || good != 0);
      const uint16_t factor = ckem_gf2m_inverse(field, connection[0]);
      for (size_t i = 0; good != 0 && i <= length; i++) {
        const uint16_t coefficient = ckem_gf2m_multiply(field, factor, connection[i]);
        assert_int_equal(found[i], ckem_gf2m_read_m4(fields[k].own, coefficient));
      }
    }
  }
}

static uint16_t value_of(const struct gf2m_field *field, const uint16_t *f, size_t degree,
                         uint16_t point) {
  uint16_t value = 0;

  for (size_t i = degree + 1; i-- > 0;) {
    value = ckem_gf2m_multiply(field, value, point) ^ f[i];
  }
  return value;
}

/* Sums of weights 1 / g^2 at different roots, of which one may be wrong. */
static void weights(void **unused) {
  static const size_t lengths[2][3] = {{64, 64, 64}, {96, 119, 128}};

  (void)unused;
  for (size_t k = 0; k < 2; k++) {
    const struct gf2m_field *field = fields[k].field;
    for (size_t round = 0; round < 6; round++) {
      const size_t t = lengths[k][round % 3];
      uint16_t g[129], locator[129] = {1};

      for (size_t i = 0; i <= t; i++) {
        g[i] = i == t ? 1 : random_element(field);
      }
      memset(elements, 0, sizeof elements);
      for (size_t r = 0, point = 0; r < t; point += 3) {
        const uint16_t value = value_of(field, g, t, (uint16_t)point);
        if (value == 0) {
          continue;
        }
        uint16_t term = ckem_gf2m_inverse(field, ckem_gf2m_multiply(field, value, value));
        term ^= round >= 3 && r == round ? 1 : 0;
        for (size_t j = 0; j < 2 * t; j++) {
          elements[j] ^= term;
          term = ckem_gf2m_multiply(field, term, (uint16_t)point);
        }
        for (size_t i = r + 2; i-- > 0;) { /* times x + point */
          locator[i] = (uint16_t)((i > 0 ? locator[i - 1] : 0) ^
                                  ckem_gf2m_multiply(field, locator[i], (uint16_t)point));
        }
        r++;
      }
      for (size_t i = 0; i <= t; i++) {
        g[i] = ckem_gf2m_read_m4(fields[k].own, g[i]);
        locator[i] = ckem_gf2m_read_m4(fields[k].own, locator[i]);
      }
      for (size_t j = 0; j < 2 * t; j++) {
        numbers[j] = ckem_gf2m_read_m4(fields[k].own, elements[j]);
      }
      assert_int_equal(ckem_recurrence_has_weights_m4(fields[k].own, locator, numbers, g, t,
                                                      groups),
                       round < 3 ? UINT32_MAX : 0);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(products),   cmocka_unit_test(inverses), cmocka_unit_test(moves),
      cmocka_unit_test(transforms), cmocka_unit_test(networks), cmocka_unit_test(recurrences),
      cmocka_unit_test(weights),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
