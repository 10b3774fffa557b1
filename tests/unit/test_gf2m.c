/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Compares vectors over GF(2^m) of every back end with the reference, and that with definitions. */
#include "gf2m/gf2m.h"
#include "gf2m/gf2m_tables.h"
#include "unit_test.h"

#define FIELD_ELEMENTS 8192

static const struct gf2m_field *const fields[] = {&ckem_gf2m_12, &ckem_gf2m_13};
#define FIELD_COUNT (sizeof fields / sizeof fields[0])

static _Alignas(64) uint64_t a[GF2M_FIELD_WORDS(13)], b[GF2M_FIELD_WORDS(13)];
static _Alignas(64) uint64_t expected[GF2M_FIELD_WORDS(13)], got[GF2M_FIELD_WORDS(13)];
static _Alignas(64) uint64_t scratch[GF2M_SCRATCH_WORDS(13)];
static uint16_t numbers[FIELD_ELEMENTS], sums[FIELD_ELEMENTS], other_sums[FIELD_ELEMENTS];

static void random_vector(const struct gf2m_field *field, uint64_t *vector, uint64_t *state,
                          bool nonzero) {
  for (size_t i = 0; i < FIELD_ELEMENTS; i++) {
    numbers[i] = (uint16_t)next_random(state);
    if (nonzero && numbers[i] % (1U << field->degree) == 0) {
      numbers[i] = 1;
    }
  }
  ckem_gf2m_reference.pack(field, vector, numbers, (size_t)1 << field->degree);
}

static void assert_vectors_equal(const struct gf2m_field *field, size_t blocks) {
  assert_memory_equal(got, expected, blocks * GF2M_BLOCK_WORDS(field->degree) * sizeof got[0]);
}

/* The reduction polynomials, and products that the specification lists. */
static void single_elements(void **unused) {
  (void)unused;
  assert_int_equal(ckem_gf2m_multiply(&ckem_gf2m_12, 0xABC, 0x123), 0x103);
  assert_int_equal(ckem_gf2m_multiply(&ckem_gf2m_13, 0xABC, 0x123), 0x13AD);
  assert_int_equal(ckem_gf2m_multiply(&ckem_gf2m_12, 0xFFF, 0xFFF), 0xABA);
  assert_int_equal(ckem_gf2m_multiply(&ckem_gf2m_13, 0x1FFF, 0x1FFF), 0x151A);
  assert_int_equal(ckem_gf2m_inverse(&ckem_gf2m_12, 0xABC), 0x42F);
  assert_int_equal(ckem_gf2m_inverse(&ckem_gf2m_13, 0xABC), 0x196B);
  for (size_t i = 0; i < FIELD_COUNT; i++) {
    const uint32_t size = UINT32_C(1) << fields[i]->degree;
    assert_int_equal(ckem_gf2m_inverse(fields[i], 0), 0);
    for (uint32_t x = 1; x < size; x++) {
      assert_int_equal(
          ckem_gf2m_multiply(fields[i], (uint16_t)x, ckem_gf2m_inverse(fields[i], (uint16_t)x)), 1);
      assert_int_equal(ckem_gf2m_point(fields[i], ckem_gf2m_point(fields[i], x)), x);
    }
    for (unsigned k = 0; k < 9; k++) {
      for (unsigned bit = 0; bit < fields[i]->degree; bit++) {
        uint16_t power = (uint16_t)(1U << bit);
        for (unsigned repeat = 0; repeat < k; repeat++) {
          power = ckem_gf2m_multiply(fields[i], power, power);
        }
        assert_int_equal(fields[i]->frobenius[k][bit], power);
      }
    }
  }
}

/* The product of every pair, one operand the same in all elements of a vector. */
static void all_products(const struct backend *backend) {
  const struct gf2m_ops *ops = ckem_gf2m_ops_of(backend);
  const unsigned step = backend->id == BACKEND_REFERENCE ? 1997 : 211;

  for (size_t i = 0; i < FIELD_COUNT; i++) {
    const uint32_t size = UINT32_C(1) << fields[i]->degree;
    for (uint32_t x = 0; x < size; x += step) {
      for (uint32_t y = 0; y < size; y++) {
        numbers[y] = (uint16_t)y;
      }
      ops->pack(fields[i], a, numbers, size);
      for (uint32_t y = 0; y < size; y++) {
        numbers[y] = (uint16_t)x;
      }
      ops->pack(fields[i], b, numbers, size);
      ops->multiply(fields[i], got, a, b, GF2M_FIELD_BLOCKS(fields[i]->degree));
      ops->unpack(fields[i], numbers, got, size);
      for (uint32_t y = 0; y < size; y++) {
        assert_int_equal(numbers[y], ckem_gf2m_multiply(fields[i], (uint16_t)x, (uint16_t)y));
      }
    }
  }
}

static void pack_and_unpack(const struct backend *backend) {
  const struct gf2m_ops *ops = ckem_gf2m_ops_of(backend);
  static const size_t counts[] = {1, 63, 64, 65, 256, 511, 512, 513, 3488, 4096};
  uint64_t state = 1;

  for (size_t i = 0; i < FIELD_COUNT; i++) {
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
      random_vector(fields[i], a, &state, false); /* fills numbers */
      memset(expected, 0xFF, sizeof expected);
      memset(got, 0xFF, sizeof got);
      ckem_gf2m_reference.pack(fields[i], expected, numbers, counts[c]);
      ops->pack(fields[i], got, numbers, counts[c]);
      assert_memory_equal(got, expected, sizeof got);
      memset(sums, 0xEE, sizeof sums);
      memset(other_sums, 0xEE, sizeof sums);
      ckem_gf2m_reference.unpack(fields[i], other_sums, a, counts[c]);
      ops->unpack(fields[i], sums, a, counts[c]);
      assert_memory_equal(sums, other_sums, sizeof sums);
    }
  }
}

static void element_operations(const struct backend *backend) {
  const struct gf2m_ops *ops = ckem_gf2m_ops_of(backend);
  static _Alignas(64) uint64_t bits[128], other_bits[128];
  uint64_t state = 2;

  for (size_t i = 0; i < FIELD_COUNT; i++) {
    const struct gf2m_field *field = fields[i];
    const size_t blocks = GF2M_FIELD_BLOCKS(field->degree);
    random_vector(field, a, &state, true);
    random_vector(field, b, &state, false);
    ckem_gf2m_reference.square(field, expected, a, blocks);
    ops->square(field, got, a, blocks);
    assert_vectors_equal(field, blocks);
    memcpy(got, a, sizeof got);
    ops->square(field, got, got, blocks);
    assert_vectors_equal(field, blocks);
    ckem_gf2m_reference.multiply(field, expected, a, b, blocks);
    memcpy(got, a, sizeof got);
    ops->multiply(field, got, got, b, blocks);
    assert_vectors_equal(field, blocks);
    memcpy(got, b, sizeof got);
    ops->multiply(field, got, a, got, blocks);
    assert_vectors_equal(field, blocks);
    for (size_t some = 1; some <= blocks; some += some == 1 ? 1 : blocks - 2) {
      ckem_gf2m_reference.invert(field, expected, a, some, scratch);
      ops->invert(field, got, a, some, scratch);
      assert_vectors_equal(field, some);
      memcpy(got, a, sizeof got);
      ops->invert(field, got, got, some, scratch);
      assert_vectors_equal(field, some);
    }
    for (size_t k = 0; k < 128; k++) {
      bits[k] = next_random(&state);
    }
    ckem_gf2m_reference.select(field, expected, a, bits, blocks);
    ops->select(field, got, a, bits, blocks);
    assert_vectors_equal(field, blocks);
    ckem_gf2m_reference.zeros(field, bits, expected, blocks);
    ops->zeros(field, other_bits, expected, blocks);
    assert_memory_equal(other_bits, bits, 8 * blocks * sizeof bits[0]);
    ckem_gf2m_reference.invert(field, expected, got, blocks, scratch); /* mostly zeros */
    ops->invert(field, got, got, blocks, scratch);
    assert_vectors_equal(field, blocks);
  }
}

/* Counts at which the transform takes another path, and some between. */
static void transforms(void **unused) {
  static const size_t counts[FIELD_COUNT][7] = {{1, 3, 5, 33, 65, 128, 130},
                                                {1, 2, 17, 97, 129, 192, 256}};
  uint64_t state = 3;

  (void)unused;
  for (size_t i = 0; i < FIELD_COUNT; i++) {
    const struct gf2m_field *field = fields[i];
    for (size_t c = 0; c < 7; c++) {
      const struct backend *backend;
      size_t index = 0;
      random_vector(field, a, &state, false);
      for (size_t k = 0; k < FIELD_ELEMENTS; k++) {
        numbers[k] = (uint16_t)(numbers[k] % (1U << field->degree));
      }
      memset(sums, 0xEE, sizeof sums);
      ckem_gf2m_reference.evaluate(field, expected, numbers, counts[i][c], scratch);
      ckem_gf2m_reference.power_sums(field, sums, a, counts[i][c], scratch);
      while ((backend = next_compared_backend(&index)) != NULL) {
        const struct gf2m_ops *ops = ckem_gf2m_ops_of(backend);
        memset(scratch, 0xFF, sizeof scratch);
        memset(got, 0xFF, sizeof got);
        ops->evaluate(field, got, numbers, counts[i][c], scratch);
        assert_vectors_equal(field, GF2M_FIELD_BLOCKS(field->degree));
        memset(other_sums, 0xEE, sizeof sums);
        memset(scratch, 0xFF, sizeof scratch);
        ops->power_sums(field, other_sums, a, counts[i][c], scratch);
        assert_memory_equal(other_sums, sums, sizeof sums);
        /* in place */
        memset(other_sums, 0xEE, sizeof sums);
        memcpy(scratch, a, sizeof a);
        ops->power_sums(field, other_sums, scratch, counts[i][c], scratch);
        assert_memory_equal(other_sums, sums, sizeof sums);
        ops->evaluate(field, scratch, numbers, counts[i][c], scratch);
        memcpy(got, scratch, sizeof got);
        assert_vectors_equal(field, GF2M_FIELD_BLOCKS(field->degree));
      }
    }
  }
}

static void rows_of_powers(const struct backend *backend) {
  const struct gf2m_ops *ops = ckem_gf2m_ops_of(backend);
  static _Alignas(64) uint64_t rows[39 * 9], other_rows[39 * 9];
  uint64_t state = 4;

  for (size_t i = 0; i < FIELD_COUNT; i++) {
    for (size_t stride = 8; stride <= 9; stride++) {
      random_vector(fields[i], a, &state, false);
      random_vector(fields[i], b, &state, false);
      memset(rows, 0xEE, sizeof rows);
      memset(other_rows, 0xEE, sizeof rows);
      ckem_gf2m_reference.power_rows(fields[i], other_rows, stride, a, b, 3);
      ops->power_rows(fields[i], rows, stride, a, b, 3);
      assert_memory_equal(rows, other_rows, sizeof rows);
    }
  }
}

EACH_BACKEND(all_products)
EACH_BACKEND_BUT_REFERENCE(pack_and_unpack)
EACH_BACKEND_BUT_REFERENCE(element_operations)
EACH_BACKEND_BUT_REFERENCE(rows_of_powers)

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(single_elements),      cmocka_unit_test(all_products_each),
      cmocka_unit_test(pack_and_unpack_each), cmocka_unit_test(element_operations_each),
      cmocka_unit_test(transforms),           cmocka_unit_test(rows_of_powers_each),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
