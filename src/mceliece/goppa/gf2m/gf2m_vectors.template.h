/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Bitsliced arithmetic on blocks of 512 elements, for any width of vector registers.
 *
 * Before it is included: `vector`, VECTOR_WORDS (1, 4 or 8), vector_load, vector_store, vector_xor,
 * vector_store_any (at any address), vector_and, vector_fill(w) (every word is w),
 * vector_add_product(sum, a, b) (sum + a b, bit by bit), and TEMPLATE_SUFFIX.
 *
 * An element vector `e` is an array of `m` vectors, one for each plane. m is a constant after
 * inlining.
 */
#ifndef TEMPLATE_SUFFIX
#error This is a template: define TEMPLATE_SUFFIX, and what is named above, before it
#endif

#include "base/ct.h"
#include "base/template.h"
#include "base/unroll.h"
#include "gf2m/gf2m.h"
#include "gf2m/gf2m_tables.h"

#define ALWAYS_INLINE static inline __attribute__((always_inline))
#define MAX_DEGREE 13
#define BLOCK_VECTORS (GF2M_PLANE_WORDS / VECTOR_WORDS)

/* Reads and writes vector i of the planes of a block. */
ALWAYS_INLINE void TEMPLATE_NAME(load)(unsigned m, vector e[], const uint64_t *block, size_t i) {
  UNROLL
  for (unsigned b = 0; b < m; b++) {
    e[b] = vector_load(block + (size_t)b * GF2M_PLANE_WORDS + i * VECTOR_WORDS);
  }
}

ALWAYS_INLINE void TEMPLATE_NAME(store)(unsigned m, uint64_t *block, size_t i, const vector e[]) {
  UNROLL
  for (unsigned b = 0; b < m; b++) {
    vector_store(block + (size_t)b * GF2M_PLANE_WORDS + i * VECTOR_WORDS, e[b]);
  }
}

/* Sets out to the polynomial product[2 m - 1] modulo the field's. */
ALWAYS_INLINE void TEMPLATE_NAME(reduce)(unsigned m, vector out[], vector product[]) {
  UNROLL
  for (unsigned i = 2 * m - 2; i >= m; i--) {
    if (m == 13) {
      product[i - 12] = vector_xor(product[i - 12], product[i]);
      product[i - 10] = vector_xor(product[i - 10], product[i]);
    }
    product[i - 9] = vector_xor(product[i - 9], product[i]);
    product[i - m] = vector_xor(product[i - m], product[i]);
  }
  UNROLL
  for (unsigned i = 0; i < m; i++) {
    out[i] = product[i];
  }
}

/* out = a b. out may be a or b. */
ALWAYS_INLINE void TEMPLATE_NAME(product)(unsigned m, vector out[], const vector a[],
                                          const vector b[]) {
  vector product[2 * MAX_DEGREE - 1];

  UNROLL
  for (unsigned i = 0; i < 2 * m - 1; i++) {
    const unsigned first = i < m ? 0 : i - m + 1;
    const unsigned end = i < m ? i + 1 : m;
    vector sum = vector_and(a[first], b[i - first]);
    UNROLL
    for (unsigned j = first + 1; j < end; j++) {
      sum = vector_add_product(sum, a[j], b[i - j]);
    }
    product[i] = sum;
  }
  TEMPLATE_NAME(reduce)(m, out, product);
}

/* out = a^2. */
ALWAYS_INLINE void TEMPLATE_NAME(square_of)(unsigned m, vector out[], const vector a[]) {
  vector product[2 * MAX_DEGREE - 1];

  UNROLL
  for (unsigned i = 0; i < 2 * m - 1; i++) {
    product[i] = i % 2 == 0 ? a[i / 2] : vector_fill(0);
  }
  TEMPLATE_NAME(reduce)(m, out, product);
}

/* The same in memory, as functions: the product is too long to be everywhere. */
#define DEFINE_BLOCK_FUNCTIONS(m)                                                            \
  static __attribute__((noinline)) void TEMPLATE_NAME(multiply_block_##m)(                   \
      uint64_t *out, const uint64_t *a, const uint64_t *b) {                                 \
    for (size_t i = 0; i < BLOCK_VECTORS; i++) {                                             \
      vector x[MAX_DEGREE], y[MAX_DEGREE];                                                   \
      TEMPLATE_NAME(load)(m, x, a, i);                                                       \
      TEMPLATE_NAME(load)(m, y, b, i);                                                       \
      TEMPLATE_NAME(product)(m, x, x, y);                                                    \
      TEMPLATE_NAME(store)(m, out, i, x);                                                    \
    }                                                                                        \
  }                                                                                          \
  static __attribute__((noinline)) void TEMPLATE_NAME(square_block_##m)(uint64_t *out,       \
                                                                        const uint64_t *a) { \
    for (size_t i = 0; i < BLOCK_VECTORS; i++) {                                             \
      vector x[MAX_DEGREE];                                                                  \
      TEMPLATE_NAME(load)(m, x, a, i);                                                       \
      TEMPLATE_NAME(square_of)(m, x, x);                                                     \
      TEMPLATE_NAME(store)(m, out, i, x);                                                    \
    }                                                                                        \
  }

DEFINE_BLOCK_FUNCTIONS(12)
DEFINE_BLOCK_FUNCTIONS(13)

static void TEMPLATE_NAME(multiply_block)(unsigned m, uint64_t *out, const uint64_t *a,
                                          const uint64_t *b) {
  if (m == 12) {
    TEMPLATE_NAME(multiply_block_12)(out, a, b);
  } else {
    TEMPLATE_NAME(multiply_block_13)(out, a, b);
  }
}

static void TEMPLATE_NAME(square_block)(unsigned m, uint64_t *out, const uint64_t *a) {
  if (m == 12) {
    TEMPLATE_NAME(square_block_12)(out, a);
  } else {
    TEMPLATE_NAME(square_block_13)(out, a);
  }
}

static void TEMPLATE_NAME(gf2m_multiply)(const struct gf2m_field *field, uint64_t *out,
                                         const uint64_t *a, const uint64_t *b, size_t blocks) {
  const size_t step = GF2M_BLOCK_WORDS(field->degree);

  for (size_t i = 0; i < blocks; i++) {
    TEMPLATE_NAME(multiply_block)(field->degree, out + step * i, a + step * i, b + step * i);
  }
}

static void TEMPLATE_NAME(gf2m_square)(const struct gf2m_field *field, uint64_t *out,
                                       const uint64_t *a, size_t blocks) {
  const size_t step = GF2M_BLOCK_WORDS(field->degree);

  for (size_t i = 0; i < blocks; i++) {
    TEMPLATE_NAME(square_block)(field->degree, out + step * i, a + step * i);
  }
}

/* out = a^-1 for one block, 0 for 0: a^(2^m - 2). out is not a. scratch: two blocks. */
static void TEMPLATE_NAME(invert_block)(unsigned m, uint64_t *out, const uint64_t *a,
                                        uint64_t *scratch) {
  uint64_t *power = scratch; /* a^(2^k - 1) for k = 1, 3, 6, 12 */
  uint64_t *squared = scratch + GF2M_BLOCK_WORDS(MAX_DEGREE);

  TEMPLATE_NAME(square_block)(m, squared, a);
  TEMPLATE_NAME(multiply_block)(m, power, squared, a); /* k = 2 */
  TEMPLATE_NAME(square_block)(m, squared, power);
  TEMPLATE_NAME(multiply_block)(m, power, squared, a); /* k = 3 */
  TEMPLATE_NAME(square_block)(m, squared, power);
  TEMPLATE_NAME(square_block)(m, squared, squared);
  if (m == 12) { /* k = 5 = 3 + 2 needs a^3; 11 = 2 * 5 + 1 */
    TEMPLATE_NAME(square_block)(m, out, a);
    TEMPLATE_NAME(multiply_block)(m, out, out, a);
    TEMPLATE_NAME(multiply_block)(m, power, squared, out);
    TEMPLATE_NAME(square_block)(m, squared, power);
    for (unsigned i = 1; i < 5; i++) {
      TEMPLATE_NAME(square_block)(m, squared, squared);
    }
    TEMPLATE_NAME(multiply_block)(m, power, squared, power); /* k = 10 */
    TEMPLATE_NAME(square_block)(m, squared, power);
    TEMPLATE_NAME(multiply_block)(m, power, squared, a); /* k = 11 */
  } else {
    TEMPLATE_NAME(square_block)(m, squared, squared);
    TEMPLATE_NAME(multiply_block)(m, power, squared, power); /* k = 6 */
    TEMPLATE_NAME(square_block)(m, squared, power);
    for (unsigned i = 1; i < 6; i++) {
      TEMPLATE_NAME(square_block)(m, squared, squared);
    }
    TEMPLATE_NAME(multiply_block)(m, power, squared, power); /* k = 12 */
  }
  TEMPLATE_NAME(square_block)(m, out, power);
}

/* One inversion for all blocks: products of the first blocks, then back [Montgomery's trick]. */
static void TEMPLATE_NAME(gf2m_invert)(const struct gf2m_field *field, uint64_t *out,
                                       const uint64_t *a, size_t blocks, uint64_t *scratch) {
  const unsigned m = field->degree;
  const size_t step = GF2M_BLOCK_WORDS(m);
  uint64_t *inverse = scratch + GF2M_FIELD_WORDS(m);
  uint64_t *own = inverse + GF2M_BLOCK_WORDS(MAX_DEGREE);

  for (size_t i = 0; i < step; i++) {
    scratch[i] = a[i];
  }
  for (size_t i = 1; i < blocks; i++) {
    TEMPLATE_NAME(multiply_block)(m, scratch + step * i, scratch + step * (i - 1), a + step * i);
  }
  TEMPLATE_NAME(invert_block)(m, inverse, scratch + step * (blocks - 1),
                              own + GF2M_BLOCK_WORDS(MAX_DEGREE));
  for (size_t i = blocks - 1; i > 0; i--) {
    TEMPLATE_NAME(multiply_block)(m, own, inverse, scratch + step * (i - 1));
    TEMPLATE_NAME(multiply_block)(m, inverse, inverse, a + step * i);
    for (size_t k = 0; k < step; k++) {
      out[step * i + k] = own[k];
    }
  }
  for (size_t k = 0; k < step; k++) {
    out[k] = inverse[k];
  }
}

static void TEMPLATE_NAME(gf2m_select)(const struct gf2m_field *field, uint64_t *out,
                                       const uint64_t *a, const uint64_t *bits, size_t blocks) {
  const unsigned m = field->degree;

  for (size_t i = 0; i < blocks; i++) {
    for (size_t k = 0; k < BLOCK_VECTORS; k++) {
      const vector mask = vector_load(bits + GF2M_PLANE_WORDS * i + VECTOR_WORDS * k);
      for (unsigned b = 0; b < m; b++) {
        const size_t at = GF2M_BLOCK_WORDS(m) * i + GF2M_PLANE_WORDS * (size_t)b + VECTOR_WORDS * k;
        vector_store(out + at, vector_and(vector_load(a + at), mask));
      }
    }
  }
}

static void TEMPLATE_NAME(gf2m_zeros)(const struct gf2m_field *field, uint64_t *bits,
                                      const uint64_t *a, size_t blocks) {
  const unsigned m = field->degree;

  for (size_t i = 0; i < blocks; i++) {
    for (size_t k = 0; k < BLOCK_VECTORS; k++) {
      vector none = vector_fill(~UINT64_C(0));
      for (unsigned b = 0; b < m; b++) {
        const size_t at = GF2M_BLOCK_WORDS(m) * i + GF2M_PLANE_WORDS * (size_t)b + VECTOR_WORDS * k;
        none = vector_and(none, vector_xor(vector_load(a + at), vector_fill(~UINT64_C(0))));
      }
      vector_store_any(bits + GF2M_PLANE_WORDS * i + VECTOR_WORDS * k, none);
    }
  }
}

static void TEMPLATE_NAME(gf2m_power_rows)(const struct gf2m_field *field, uint64_t *rows,
                                           size_t stride, const uint64_t *first,
                                           const uint64_t *ratio, size_t count) {
  _Alignas(64) uint64_t power[GF2M_BLOCK_WORDS(MAX_DEGREE)];
  const unsigned m = field->degree;

  for (size_t i = 0; i < GF2M_BLOCK_WORDS(m); i++) {
    power[i] = first[i];
  }
  for (size_t i = 0; i < count; i++) {
    for (unsigned b = 0; b < m; b++) {
      uint64_t *row = rows + (i * m + b) * stride;
      for (size_t k = 0; k < BLOCK_VECTORS; k++) {
        vector_store_any(row + VECTOR_WORDS * k,
                         vector_load(power + GF2M_PLANE_WORDS * (size_t)b + VECTOR_WORDS * k));
      }
    }
    if (i + 1 < count) {
      TEMPLATE_NAME(multiply_block)(m, power, power, ratio);
    }
  }
}
