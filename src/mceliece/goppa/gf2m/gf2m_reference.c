/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Vectors over GF(2^m) as in the textbook, one element after the other; not constant time. */
#include "gf2m/gf2m.h"

#if !defined(CODEKEM_SMALL)

static uint64_t *word_of(uint64_t *vector, unsigned m, size_t element, unsigned bit) {
  return vector + element / 512 * GF2M_BLOCK_WORDS(m) + (size_t)bit * 8 + element % 512 / 64;
}

static uint16_t get_element(const struct gf2m_field *field, const uint64_t *vector,
                            size_t element) {
  uint16_t value = 0;

  for (unsigned bit = 0; bit < field->degree; bit++) {
    const uint64_t word = *word_of((uint64_t *)(uintptr_t)vector, field->degree, element, bit);
    value = (uint16_t)(value | (word >> (element % 64) & 1) << bit);
  }
  return value;
}

static void put_element(const struct gf2m_field *field, uint64_t *vector, size_t element,
                        uint16_t value) {
  for (unsigned bit = 0; bit < field->degree; bit++) {
    uint64_t *word = word_of(vector, field->degree, element, bit);
    *word = (*word & ~(UINT64_C(1) << (element % 64))) | (uint64_t)(value >> bit & 1)
                                                             << (element % 64);
  }
}

static uint16_t multiply_one(const struct gf2m_field *field, uint32_t a, uint16_t b) {
  uint32_t product = 0;

  for (; b != 0; b >>= 1) {
    if ((b & 1) != 0) {
      product ^= a;
    }
    a <<= 1;
    if ((a >> field->degree & 1) != 0) {
      a ^= field->modulus;
    }
  }
  return (uint16_t)product;
}

static void pack_reference(const struct gf2m_field *field, uint64_t *out, const uint16_t *in,
                           size_t count) {
  const uint32_t size = UINT32_C(1) << field->degree;

  for (size_t i = 0; i < (count + 511) / 512 * 512; i++) {
    put_element(field, out, i, i < count ? (uint16_t)(in[i] % size) : 0);
  }
}

static void unpack_reference(const struct gf2m_field *field, uint16_t *out, const uint64_t *in,
                             size_t count) {
  for (size_t i = 0; i < count; i++) {
    out[i] = get_element(field, in, i);
  }
}

static void multiply_elements_reference(const struct gf2m_field *field, uint64_t *out,
                                        const uint64_t *a, const uint64_t *b, size_t blocks) {
  for (size_t i = 0; i < 512 * blocks; i++) {
    put_element(field, out, i,
                multiply_one(field, get_element(field, a, i), get_element(field, b, i)));
  }
}

static void square_reference(const struct gf2m_field *field, uint64_t *out, const uint64_t *a,
                             size_t blocks) {
  multiply_elements_reference(field, out, a, a, blocks);
}

/* a^(2^m - 2). */
static uint16_t inverse_one(const struct gf2m_field *field, uint16_t a) {
  uint16_t result = 1;

  for (unsigned i = 1; i < field->degree; i++) {
    a = multiply_one(field, a, a);
    result = multiply_one(field, result, a);
  }
  return result;
}

static void invert_reference(const struct gf2m_field *field, uint64_t *out, const uint64_t *a,
                             size_t blocks, uint64_t *scratch) {
  (void)scratch;
  for (size_t lane = 0; lane < 512; lane++) {
    uint16_t product = 1;
    for (size_t block = 0; block < blocks; block++) {
      product = multiply_one(field, product, get_element(field, a, 512 * block + lane));
    }
    for (size_t block = 0; block < blocks; block++) {
      const size_t i = 512 * block + lane;
      put_element(field, out, i, product == 0 ? 0 : inverse_one(field, get_element(field, a, i)));
    }
  }
}

static void evaluate_points_reference(const struct gf2m_field *field, uint64_t *values,
                                      const uint16_t *f, size_t count, uint64_t *scratch) {
  (void)scratch;
  for (uint32_t i = 0; i < UINT32_C(1) << field->degree; i++) {
    const uint16_t point = ckem_gf2m_point(field, i);
    uint16_t value = 0;
    for (size_t k = count; k-- > 0;) {
      value = multiply_one(field, value, point) ^ f[k];
    }
    put_element(field, values, i, value);
  }
}

static void power_sums_reference(const struct gf2m_field *field, uint16_t *sums,
                                 const uint64_t *weights, size_t count, uint64_t *scratch) {
  (void)scratch;
  for (size_t j = 0; j < count; j++) {
    sums[j] = 0;
  }
  for (uint32_t i = 0; i < UINT32_C(1) << field->degree; i++) {
    uint16_t term = get_element(field, weights, i);
    for (size_t j = 0; j < count; j++) {
      sums[j] ^= term;
      term = multiply_one(field, term, ckem_gf2m_point(field, i));
    }
  }
}

static void select_reference(const struct gf2m_field *field, uint64_t *out, const uint64_t *a,
                             const uint64_t *bits, size_t blocks) {
  for (size_t i = 0; i < 512 * blocks; i++) {
    put_element(field, out, i, (bits[i / 64] >> (i % 64) & 1) != 0 ? get_element(field, a, i) : 0);
  }
}

static void zeros_reference(const struct gf2m_field *field, uint64_t *bits, const uint64_t *a,
                            size_t blocks) {
  for (size_t i = 0; i < 512 * blocks; i++) {
    const uint64_t zero = get_element(field, a, i) == 0;
    bits[i / 64] = i % 64 == 0 ? zero : bits[i / 64] | zero << (i % 64);
  }
}

static void power_rows_reference(const struct gf2m_field *field, uint64_t *rows, size_t stride,
                                 const uint64_t *first, const uint64_t *ratio, size_t count) {
  const unsigned m = field->degree;

  for (size_t lane = 0; lane < 512; lane++) {
    uint16_t value = get_element(field, first, lane);
    for (size_t row = 0; row < count * m; row++) {
      uint64_t *word = rows + row * stride + lane / 64;
      const uint64_t bit = value >> (row % m) & 1;
      *word = lane % 64 == 0 ? bit : *word | bit << (lane % 64);
      if (row % m == m - 1) {
        value = multiply_one(field, value, get_element(field, ratio, lane));
      }
    }
  }
}

const struct gf2m_ops ckem_gf2m_reference = {
    .name = "reference",
    .pack = pack_reference,
    .unpack = unpack_reference,
    .multiply = multiply_elements_reference,
    .square = square_reference,
    .invert = invert_reference,
    .evaluate = evaluate_points_reference,
    .power_sums = power_sums_reference,
    .select = select_reference,
    .zeros = zeros_reference,
    .power_rows = power_rows_reference,
};

#endif
