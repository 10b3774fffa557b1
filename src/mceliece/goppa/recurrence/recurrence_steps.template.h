/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Recurrences on bitsliced vectors of 128 elements.
 *
 * Before it is included: <assert.h> and <string.h>; `vector`, VECTORS (2 of 64 bits or 1 of 128),
 * TEMPLATE_SUFFIX, and lanes_xor, lanes_and, lanes_fill(w) (every word is w),
 * lanes_load(word[2], i), lanes_store(word[2], i, x).
 *
 * Coefficient i of a polynomial is element i; where coefficient 0 is kept outside, coefficient i is
 * element i - 1.
 */
#if !defined(VECTORS) || !defined(TEMPLATE_SUFFIX)
#error This is a template: define TEMPLATE_SUFFIX and the vectors first
#endif

#include "base/ct.h"
#include "base/template.h"
#include "base/unroll.h"
#include "recurrence/recurrence.h"

#define ALWAYS_INLINE static inline __attribute__((always_inline))
#define MAX_DEGREE 13

/* 128 elements, a plane for each bit. */
struct TEMPLATE_NAME(planes) {
  uint64_t word[MAX_DEGREE][2];
};

/* Adds the products of all elements of x and the element y to product[2 m - 1]. */
ALWAYS_INLINE void TEMPLATE_NAME(add_scaled)(
    unsigned m, vector product[], const struct TEMPLATE_NAME(planes) * x, uint16_t y, size_t v) {
  UNROLL
  for (unsigned j = 0; j < m; j++) {
    const vector bit = lanes_fill(ct_mask_bit_u64((uint64_t)y >> j));

    UNROLL
    for (unsigned i = 0; i < m; i++) {
      product[i + j] = lanes_xor(product[i + j], lanes_and(lanes_load(x->word[i], v), bit));
    }
  }
}

/* Adds the products of x and y, element by element. */
ALWAYS_INLINE void TEMPLATE_NAME(add_product)(unsigned m, vector product[],
                                              const struct TEMPLATE_NAME(planes) * x,
                                              const struct TEMPLATE_NAME(planes) * y, size_t v) {
  UNROLL
  for (unsigned j = 0; j < m; j++) {
    const vector bits = lanes_load(y->word[j], v);

    UNROLL
    for (unsigned i = 0; i < m; i++) {
      product[i + j] = lanes_xor(product[i + j], lanes_and(lanes_load(x->word[i], v), bits));
    }
  }
}

ALWAYS_INLINE void TEMPLATE_NAME(clear_product)(unsigned m, vector product[]) {
  UNROLL
  for (unsigned i = 0; i < 2 * m - 1; i++) {
    product[i] = lanes_fill(0);
  }
}

/* Reduces product modulo the polynomial of the field, in place. */
ALWAYS_INLINE void TEMPLATE_NAME(reduce_product)(unsigned m, vector product[]) {
  UNROLL
  for (unsigned i = 2 * m - 2; i >= m; i--) {
    if (m == 13) {
      product[i - 12] = lanes_xor(product[i - 12], product[i]);
      product[i - 10] = lanes_xor(product[i - 10], product[i]);
    }
    product[i - 9] = lanes_xor(product[i - 9], product[i]);
    product[i - m] = lanes_xor(product[i - m], product[i]);
  }
}

/* Moves every element to the next place; `in` gets the first. Returns the last one. */
ALWAYS_INLINE uint16_t TEMPLATE_NAME(move_up)(unsigned m, struct TEMPLATE_NAME(planes) * x,
                                              uint16_t in) {
  uint64_t out = 0;

  UNROLL
  for (unsigned i = 0; i < m; i++) {
    uint64_t *word = x->word[i];

    out |= word[1] >> 63 << i;
    word[1] = word[1] << 1 | word[0] >> 63;
    word[0] = word[0] << 1 | ((uint64_t)in >> i & 1);
  }
  return (uint16_t)out;
}

/* Returns the sum of all elements of x y. */
ALWAYS_INLINE uint16_t TEMPLATE_NAME(inner_product)(
    unsigned m, const struct TEMPLATE_NAME(planes) * x, const struct TEMPLATE_NAME(planes) * y) {
  uint64_t words[2 * MAX_DEGREE - 1][2];
  vector product[2 * MAX_DEGREE - 1];
  uint64_t sum = 0;

  for (size_t v = 0; v < VECTORS; v++) {
    TEMPLATE_NAME(clear_product)(m, product);
    TEMPLATE_NAME(add_product)(m, product, x, y, v);
    TEMPLATE_NAME(reduce_product)(m, product);
    UNROLL
    for (unsigned i = 0; i < m; i++) {
      lanes_store(words[i], v, product[i]);
    }
  }
  UNROLL
  for (unsigned i = 0; i < m; i++) {
    uint64_t bits = words[i][0] ^ words[i][1];

    bits ^= bits >> 32;
    bits ^= bits >> 16;
    bits ^= bits >> 8;
    bits ^= bits >> 4;
    sum |= (UINT64_C(0x6996) >> (bits & 15) & 1) << i;
  }
  return (uint16_t)sum;
}

/* The state of a search: connection and the one before the last change of length, both without
 * coefficient 0; that of `before` is 0. */
struct TEMPLATE_NAME(search) {
  struct TEMPLATE_NAME(planes) connection, before, window;
  uint64_t used[2]; /* a bit for each coefficient from 1 to length */
  uint16_t constant, divisor;
  uint32_t found;
};

/* Takes the next number of a sequence, number n. The connection is multiplied by the divisor rather
 * than the other polynomial divided by it. */
ALWAYS_INLINE void TEMPLATE_NAME(search_step)(const struct gf2m_field *field, unsigned m,
                                              struct TEMPLATE_NAME(search) * s, uint16_t next,
                                              uint32_t n) {
  const uint16_t discrepancy = ckem_gf2m_multiply(field, s->constant, next) ^
                               TEMPLATE_NAME(inner_product)(m, &s->connection, &s->window);
  const uint32_t grows = ~ct_mask_zero_u32(discrepancy) & ~ct_mask_less_u32(n, 2 * s->found);
  const uint64_t grows_64 = ct_mask_bit_u64(grows);
  const uint16_t constant = s->constant & (uint16_t)grows;

  for (size_t v = 0; v < VECTORS; v++) {
    vector product[2 * MAX_DEGREE - 1];

    TEMPLATE_NAME(clear_product)(m, product);
    TEMPLATE_NAME(add_scaled)(m, product, &s->connection, s->divisor, v);
    TEMPLATE_NAME(add_scaled)(m, product, &s->before, discrepancy, v);
    TEMPLATE_NAME(reduce_product)(m, product);
    UNROLL
    for (unsigned i = 0; i < m; i++) {
      const vector old = lanes_load(s->connection.word[i], v);
      const vector before = lanes_load(s->before.word[i], v);

      lanes_store(s->before.word[i], v,
                  lanes_xor(before, lanes_and(lanes_xor(before, old), lanes_fill(grows_64))));
      lanes_store(s->connection.word[i], v, product[i]);
    }
  }
  s->constant = ckem_gf2m_multiply(field, s->constant, s->divisor);
  s->divisor = (uint16_t)ct_select_u32(grows, discrepancy, s->divisor);
  s->found = ct_select_u32(grows, n + 1 - s->found, s->found);
  TEMPLATE_NAME(move_up)(m, &s->before, constant);
  TEMPLATE_NAME(move_up)(m, &s->window, next);
  UNROLL
  for (unsigned i = 0; i < m; i++) {
    s->before.word[i][0] &= s->used[0];
    s->before.word[i][1] &= s->used[1];
  }
}

ALWAYS_INLINE uint64_t TEMPLATE_NAME(find_recurrence_in)(const struct gf2m_field *field, unsigned m,
                                                         uint16_t *connection,
                                                         const uint16_t *sequence, size_t length,
                                                         struct TEMPLATE_NAME(search) * s) {
  const struct TEMPLATE_NAME(search) start = {.constant = 1, .divisor = 1, .used = {~UINT64_C(0)}};

  *s = start;
  s->before.word[0][0] = 1;
  s->used[1] = length == 64 ? 0 : ~UINT64_C(0) >> (128 - length);
  //@ loop unroll 0;
  for (uint32_t n = 0; n < 2 * length; n++) {
    TEMPLATE_NAME(search_step)(field, m, s, sequence[n], n);
  }
  connection[0] = s->constant;
  for (size_t i = 0; i < length; i++) {
    uint64_t coefficient = 0;

    for (unsigned b = 0; b < m; b++) {
      coefficient |= (s->connection.word[b][i / 64] >> (i % 64) & 1) << b;
    }
    connection[i + 1] = (uint16_t)coefficient;
  }
  return ct_mask_zero_u64(s->found ^ length);
}

static uint64_t TEMPLATE_NAME(find_recurrence)(const struct gf2m_field *field, uint16_t *connection,
                                               const uint16_t *sequence, size_t length,
                                               uint64_t *scratch) {
  struct TEMPLATE_NAME(search) *const s = (struct TEMPLATE_NAME(search) *)scratch;

  return field->degree == 12
             ? TEMPLATE_NAME(find_recurrence_in)(field, 12, connection, sequence, length, s)
             : TEMPLATE_NAME(find_recurrence_in)(field, 13, connection, sequence, length, s);
}

/* power = power * beta in the ring: Horner's rule over the coefficients of power. */
ALWAYS_INLINE void TEMPLATE_NAME(multiply_in_ring)(unsigned m, const struct recurrence_ring *ring,
                                                   const struct gf2m_field *field, uint16_t *power,
                                                   const struct TEMPLATE_NAME(planes) * beta) {
  struct TEMPLATE_NAME(planes) sum = {0};
  const size_t spare = RECURRENCE_MAX_LENGTH - ring->length; /* of the places below coefficient 0 */

  for (size_t i = ring->length; i-- > 0;) {
    const uint16_t out = TEMPLATE_NAME(move_up)(m, &sum, 0);

    for (size_t v = 0; v < VECTORS; v++) {
      vector product[2 * MAX_DEGREE - 1];

      TEMPLATE_NAME(clear_product)(m, product);
      TEMPLATE_NAME(add_scaled)(m, product, beta, power[i], v);
      TEMPLATE_NAME(reduce_product)(m, product);
      UNROLL
      for (unsigned b = 0; b < m; b++) {
        lanes_store(sum.word[b], v, lanes_xor(lanes_load(sum.word[b], v), product[b]));
      }
    }
    for (size_t j = 0; j < ring->terms; j++) {
      const uint16_t value =
          ring->low_value[j] == 1 ? out : ckem_gf2m_multiply(field, out, ring->low_value[j]);
      const size_t place = spare + ring->low[j];

      UNROLL
      for (unsigned b = 0; b < m; b++) {
        sum.word[b][place / 64] ^= (uint64_t)(value >> b & 1) << (place % 64);
      }
    }
  }
  for (size_t i = 0; i < ring->length; i++) {
    uint64_t coefficient = 0;

    for (unsigned b = 0; b < m; b++) {
      coefficient |= (sum.word[b][(spare + i) / 64] >> ((spare + i) % 64) & 1) << b;
    }
    power[i] = (uint16_t)coefficient;
  }
}

/* The element and the power that a sequence has come to. */
struct TEMPLATE_NAME(powers) {
  struct TEMPLATE_NAME(planes) factor;
  uint16_t power[RECURRENCE_MAX_LENGTH];
};

static_assert(sizeof(struct TEMPLATE_NAME(search)) <= 8 * RECURRENCE_FIND_WORDS &&
                  sizeof(struct TEMPLATE_NAME(powers)) <= 8 * RECURRENCE_POWERS_WORDS,
              "memory of recurrences");

ALWAYS_INLINE void TEMPLATE_NAME(power_sequence_in)(const struct gf2m_field *field, unsigned m,
                                                    const struct recurrence_ring *ring,
                                                    uint16_t *sequence, const uint16_t *beta,
                                                    struct TEMPLATE_NAME(powers) * s) {
  const size_t spare = RECURRENCE_MAX_LENGTH - ring->length;

  memset(s, 0, sizeof *s);
  s->power[0] = 1;
  for (size_t i = 0; i < ring->length; i++) {
    for (unsigned b = 0; b < m; b++) {
      s->factor.word[b][(spare + i) / 64] |= (uint64_t)(beta[i] >> b & 1) << ((spare + i) % 64);
    }
  }
  for (size_t n = 0; n < 2 * ring->length; n++) {
    sequence[n] = s->power[0];
    TEMPLATE_NAME(multiply_in_ring)(m, ring, field, s->power, &s->factor);
  }
}

static void TEMPLATE_NAME(power_sequence)(const struct gf2m_field *field,
                                          const struct recurrence_ring *ring, uint16_t *sequence,
                                          const uint16_t *beta, uint64_t *scratch) {
  struct TEMPLATE_NAME(powers) *const s = (struct TEMPLATE_NAME(powers) *)scratch;

  if (field->degree == 12) {
    TEMPLATE_NAME(power_sequence_in)(field, 12, ring, sequence, beta, s);
  } else {
    TEMPLATE_NAME(power_sequence_in)(field, 13, ring, sequence, beta, s);
  }
}

const struct recurrence_ops TEMPLATE_NAME(ckem_recurrence) = {
    .name = TEMPLATE_BACKEND,
    .find = TEMPLATE_NAME(find_recurrence),
    .power_sequence = TEMPLATE_NAME(power_sequence),
};
