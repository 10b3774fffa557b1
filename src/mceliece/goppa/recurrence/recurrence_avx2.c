/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Recurrences with look-ups in registers: the products by one element are a linear map, and vpshufb
 * finds those of 32 nibbles at once in a table of 16. Elements are in two arrays of bytes, the low
 * bits and the rest.
 *
 * The search is in a form without inner products: instead of the discrepancy of each step, the
 * discrepancies of all further steps are carried along [SS01]. As many are left as there are steps,
 * and the connection is no longer than the number of steps, so vectors come and go.
 */
#include <assert.h>
#include <string.h>

#include "base/ct.h"
#include "base/intrinsics.h"
#include "base/unroll.h"
#include "recurrence/recurrence.h"

#if defined(CODEKEM_HAVE_AVX2)
ISA_BEGIN_AVX2

#define ALWAYS_INLINE static inline __attribute__((always_inline))

typedef __m256i vector;

#define VECTOR 32
#define MAX_VECTORS (RECURRENCE_MAX_LENGTH / VECTOR)

/* Bits in the low bytes; the rest is in the high ones. With seven of 13 bits vpshufb, which ignores
 * three bits of a byte without its highest one, needs no mask for two of the four nibbles. */
#define LOW_BITS(m) ((m) == 12 ? 8U : 7U)
#define NIBBLES(m) ((m) == 12 ? 3U : 4U)

/* Elements, 0 to 15 in both halves: low bytes in the lower half, high bytes in the upper one. */
struct basis {
  vector power[13]; /* in power[j]: z^(i + j) at place i */
};

/* The products of an element and the nibbles: low bytes in the lower half, high bytes in the upper
 * one. */
struct tables {
  vector nibble[4];
};

/* The same, each in both halves. */
struct factor {
  vector low[4], high[4];
};

/* 32 elements and their nibbles. */
struct pair {
  vector low, high;
};
struct nibbles {
  vector nibble[4];
};

ALWAYS_INLINE vector load_avx2(const uint8_t *p) {
  return _mm256_load_si256((const __m256i *)(const void *)p);
}

ALWAYS_INLINE void store_avx2(uint8_t *p, vector x) {
  _mm256_store_si256((__m256i *)(void *)p, x);
}

static void make_basis_avx2(const struct gf2m_field *field, struct basis *basis) {
  const unsigned m = field->degree, low_bits = LOW_BITS(m);
  uint8_t low[32] = {0}, high[32] = {0};
  uint32_t power = 1;

  for (unsigned i = 0; i < 13 + 15; i++) {
    low[i] = (uint8_t)(power & ((1U << low_bits) - 1));
    high[i] = (uint8_t)(power >> low_bits);
    power = power << 1 ^ (field->modulus & ct_mask_bit_u32(power >> (m - 1)));
  }
  for (unsigned j = 0; j < 13; j++) {
    basis->power[j] = _mm256_loadu2_m128i((const __m128i *)(const void *)(high + j),
                                          (const __m128i *)(const void *)(low + j));
  }
}

/* Makes the tables of x. First the products of x and powers of z, then their sums. */
ALWAYS_INLINE struct tables tables_of_avx2(unsigned m, const struct basis *basis, uint32_t x) {
  /* byte i of sum[k]: i if bit k of the place is set; otherwise nothing */
  const vector places[4] = {_mm256_broadcastsi128_si256(_mm_setr_epi8(-1, 0, -1, 0, -1, 0, -1, 0,
                                                                      -1, 0, -1, 0, -1, 0, -1, 0)),
                            _mm256_broadcastsi128_si256(_mm_setr_epi8(-1, -1, 1, 1, -1, -1, 1, 1,
                                                                      -1, -1, 1, 1, -1, -1, 1, 1)),
                            _mm256_broadcastsi128_si256(_mm_setr_epi8(-1, -1, -1, -1, 2, 2, 2, 2,
                                                                      -1, -1, -1, -1, 2, 2, 2, 2)),
                            _mm256_broadcastsi128_si256(_mm_setr_epi8(-1, -1, -1, -1, -1, -1, -1,
                                                                      -1, 3, 3, 3, 3, 3, 3, 3, 3))};
  const vector low = _mm256_set1_epi8((char)(x & 0xFF)), high = _mm256_set1_epi8((char)(x >> 8));
  vector even = _mm256_setzero_si256(), odd = _mm256_setzero_si256();
  const unsigned count = NIBBLES(m);
  vector shifted[4];
  struct tables tables = {{low}};

  UNROLL
  for (unsigned j = 0; j < m; j++) { /* the highest bit of each byte chooses */
    const vector bit = _mm256_slli_epi16(j < 8 ? low : high, (int)(7 - j % 8));
    const vector part = _mm256_blendv_epi8(_mm256_setzero_si256(), basis->power[j], bit);

    if (j % 2 == 0) {
      even = _mm256_xor_si256(even, part);
    } else {
      odd = _mm256_xor_si256(odd, part);
    }
  }
  shifted[0] = _mm256_xor_si256(even, odd);
  shifted[1] = _mm256_srli_si256(shifted[0], 4);
  shifted[2] = m == 12 ? _mm256_srli_si256(shifted[0], 8) : _mm256_srli_si256(shifted[0], 7);
  shifted[3] = _mm256_srli_si256(shifted[0], 11);
  UNROLL
  for (unsigned k = 0; k < count; k++) {
    tables.nibble[k] =
        _mm256_xor_si256(_mm256_xor_si256(_mm256_shuffle_epi8(shifted[k], places[0]),
                                          _mm256_shuffle_epi8(shifted[k], places[1])),
                         _mm256_xor_si256(_mm256_shuffle_epi8(shifted[k], places[2]),
                                          _mm256_shuffle_epi8(shifted[k], places[3])));
  }
  return tables;
}

ALWAYS_INLINE struct factor factor_of_avx2(unsigned m, const struct tables *tables) {
  const unsigned count = NIBBLES(m);
  struct factor factor = {{tables->nibble[0]}, {tables->nibble[0]}};

  UNROLL
  for (unsigned k = 0; k < count; k++) {
    factor.low[k] = _mm256_permute2x128_si256(tables->nibble[k], tables->nibble[k], 0x00);
    factor.high[k] = _mm256_permute2x128_si256(tables->nibble[k], tables->nibble[k], 0x11);
  }
  return factor;
}

ALWAYS_INLINE struct nibbles nibbles_of_avx2(unsigned m, struct pair x) {
  const vector mask = _mm256_set1_epi8(15);
  struct nibbles nibbles = {{x.low}};

  nibbles.nibble[0] = m == 12 ? _mm256_and_si256(x.low, mask) : x.low;
  nibbles.nibble[1] = _mm256_and_si256(_mm256_srli_epi16(x.low, 4), mask);
  nibbles.nibble[2] = x.high;
  if (m == 13) {
    nibbles.nibble[3] = _mm256_and_si256(_mm256_srli_epi16(x.high, 4), mask);
  }
  return nibbles;
}

/* Returns sum + x * factor. */
ALWAYS_INLINE struct pair add_product_avx2(unsigned m, struct pair sum, const struct nibbles *x,
                                           const struct factor *factor) {
  const unsigned count = NIBBLES(m);

  UNROLL
  for (unsigned k = 0; k < count; k++) {
    sum.low = _mm256_xor_si256(sum.low, _mm256_shuffle_epi8(factor->low[k], x->nibble[k]));
    sum.high = _mm256_xor_si256(sum.high, _mm256_shuffle_epi8(factor->high[k], x->nibble[k]));
  }
  return sum;
}

ALWAYS_INLINE struct pair product_avx2(unsigned m, struct pair x, const struct factor *factor) {
  const struct nibbles nibbles = nibbles_of_avx2(m, x);
  const struct pair zero = {_mm256_setzero_si256(), _mm256_setzero_si256()};

  return add_product_avx2(m, zero, &nibbles, factor);
}

/* Returns the bytes 1 to 32 of two vectors. */
ALWAYS_INLINE vector next_bytes_avx2(vector first, vector second) {
  return _mm256_alignr_epi8(_mm256_permute2x128_si256(first, second, 0x21), first, 1);
}

/* Returns the last byte of a vector and those of the next one but the last. */
ALWAYS_INLINE vector previous_bytes_avx2(vector first, vector second) {
  return _mm256_alignr_epi8(second, _mm256_permute2x128_si256(first, second, 0x21), 15);
}

/* --- The search ------------------------------------------------------------------------------- */

/* Arrays of elements. Discrepancies move to the front, and coefficient i of the connection is at
 * place i - 1. */
struct discrepancies {
  _Alignas(VECTOR) uint8_t low[2 * RECURRENCE_MAX_LENGTH + VECTOR];
  _Alignas(VECTOR) uint8_t high[2 * RECURRENCE_MAX_LENGTH + VECTOR];
};
struct coefficients {
  _Alignas(VECTOR) uint8_t low[RECURRENCE_MAX_LENGTH];
  _Alignas(VECTOR) uint8_t high[RECURRENCE_MAX_LENGTH];
};

/* What a step multiplies by, and whether `before` becomes the former polynomial. */
struct step {
  struct factor divisor, discrepancy;
  vector grows;
};

/* Returns one byte of divisor * x - discrepancy * y for 32 elements: tables are those for it. */
ALWAYS_INLINE vector combine_avx2(unsigned m, const vector divisor[4], struct pair x,
                                  const vector discrepancy[4], struct pair y) {
  const struct nibbles own = nibbles_of_avx2(m, x), other = nibbles_of_avx2(m, y);
  const unsigned count = NIBBLES(m);
  vector sum = _mm256_setzero_si256();

  UNROLL
  for (unsigned k = 0; k < count; k++) {
    sum = _mm256_xor_si256(sum, _mm256_shuffle_epi8(divisor[k], own.nibble[k]));
    sum = _mm256_xor_si256(sum, _mm256_shuffle_epi8(discrepancy[k], other.nibble[k]));
  }
  return sum;
}

/* What a search has in memory. */
struct search_avx2 {
  struct discrepancies ahead, ahead_before;
  struct coefficients current, before;
  struct basis basis;
  struct pair moved[2 * RECURRENCE_MAX_LENGTH / VECTOR];
  vector low[MAX_VECTORS];
};

/* current = divisor * current / x - discrepancy * before; where the step grows, before becomes the
 * former current / x. First all low bytes, then all high bytes: registers hold half of the
 * tables. moved: 2 RECURRENCE_MAX_LENGTH elements. */
ALWAYS_INLINE void move_discrepancies_avx2(unsigned m, struct discrepancies *current,
                                           struct discrepancies *before, const struct step *step,
                                           size_t count, struct pair *moved) {
  struct pair here = {load_avx2(current->low), load_avx2(current->high)};

  for (size_t i = 0; i < count; i += VECTOR) {
    const struct pair next = {load_avx2(current->low + i + VECTOR),
                              load_avx2(current->high + i + VECTOR)};
    const struct pair old = {load_avx2(before->low + i), load_avx2(before->high + i)};
    const struct pair x = {next_bytes_avx2(here.low, next.low),
                           next_bytes_avx2(here.high, next.high)};

    store_avx2(current->low + i, combine_avx2(m, step->divisor.low, x, step->discrepancy.low, old));
    moved[i / VECTOR] = x;
    here = next;
  }
  for (size_t i = 0; i < count; i += VECTOR) {
    const struct pair old = {load_avx2(before->low + i), load_avx2(before->high + i)};
    const struct pair x = moved[i / VECTOR];

    store_avx2(current->high + i,
               combine_avx2(m, step->divisor.high, x, step->discrepancy.high, old));
    store_avx2(before->low + i, _mm256_blendv_epi8(old.low, x.low, step->grows));
    store_avx2(before->high + i, _mm256_blendv_epi8(old.high, x.high, step->grows));
  }
}

/* current = divisor * current - discrepancy * before; before becomes x times itself or, where the
 * step grows, x times the former current. in: what comes to the first place of before.
 * low: RECURRENCE_MAX_LENGTH bytes. */
ALWAYS_INLINE void update_connection_avx2(unsigned m, struct coefficients *current,
                                          struct coefficients *before, const struct step *step,
                                          struct pair in, size_t count, vector *low) {
  for (size_t i = 0; i < count; i += VECTOR) {
    const struct pair here = {load_avx2(current->low + i), load_avx2(current->high + i)};
    const struct pair old = {load_avx2(before->low + i), load_avx2(before->high + i)};

    low[i / VECTOR] = combine_avx2(m, step->divisor.low, here, step->discrepancy.low, old);
  }
  for (size_t i = 0; i < count; i += VECTOR) {
    const struct pair here = {load_avx2(current->low + i), load_avx2(current->high + i)};
    const struct pair old = {load_avx2(before->low + i), load_avx2(before->high + i)};
    const struct pair taken = {_mm256_blendv_epi8(old.low, here.low, step->grows),
                               _mm256_blendv_epi8(old.high, here.high, step->grows)};

    store_avx2(current->low + i, low[i / VECTOR]);
    store_avx2(current->high + i,
               combine_avx2(m, step->divisor.high, here, step->discrepancy.high, old));
    store_avx2(before->low + i, previous_bytes_avx2(in.low, taken.low));
    store_avx2(before->high + i, previous_bytes_avx2(in.high, taken.high));
    in = taken;
  }
}

ALWAYS_INLINE uint64_t find_in_avx2(const struct gf2m_field *field, unsigned m,
                                    uint16_t *connection, const uint16_t *sequence, size_t length,
                                    struct search_avx2 *s) {
  const unsigned nibbles = NIBBLES(m);
  struct pair constant = {_mm256_set1_epi8(1), _mm256_setzero_si256()}; /* in every place */
  struct tables tables;
  struct step step;
  uint32_t found = 0;

  memset(s, 0, sizeof *s);
  make_basis_avx2(field, &s->basis);
  for (size_t i = 0; i < 2 * length; i++) {
    s->ahead.low[i] = (uint8_t)(sequence[i] & ((1U << LOW_BITS(m)) - 1));
    s->ahead.high[i] = (uint8_t)(sequence[i] >> LOW_BITS(m));
  }
  s->ahead_before = s->ahead;
  s->before.low[0] = 1;
  tables = tables_of_avx2(m, &s->basis, 1);
  step.divisor = factor_of_avx2(m, &tables);
  for (uint32_t n = 0; n < 2 * length; n++) {
    const uint32_t discrepancy = s->ahead.low[0] | (uint32_t)s->ahead.high[0] << LOW_BITS(m);
    const uint32_t grows = ~ct_mask_zero_u32(discrepancy) & ~ct_mask_less_u32(n, 2 * found);
    const size_t reach = n + 2 < length ? n + 2 : length; /* the degree of before, at most */

    step.grows = _mm256_set1_epi32((int)grows);
    tables = tables_of_avx2(m, &s->basis, discrepancy);
    step.discrepancy = factor_of_avx2(m, &tables);
    move_discrepancies_avx2(m, &s->ahead, &s->ahead_before, &step, 2 * length - 1 - n, s->moved);
    const struct pair in = {_mm256_and_si256(constant.low, step.grows),
                            _mm256_and_si256(constant.high, step.grows)};
    update_connection_avx2(m, &s->current, &s->before, &step, in, reach, s->low);
    constant = product_avx2(m, constant, &step.divisor);
    UNROLL
    for (unsigned k = 0; k < nibbles; k++) {
      step.divisor.low[k] =
          _mm256_blendv_epi8(step.divisor.low[k], step.discrepancy.low[k], step.grows);
      step.divisor.high[k] =
          _mm256_blendv_epi8(step.divisor.high[k], step.discrepancy.high[k], step.grows);
    }
    found = ct_select_u32(grows, n + 1 - found, found);
  }
  connection[0] = (uint16_t)((_mm256_extract_epi16(constant.low, 0) & 0xFF) |
                             (_mm256_extract_epi16(constant.high, 0) & 0xFF) << LOW_BITS(m));
  for (size_t i = 0; i < length; i++) {
    connection[i + 1] = (uint16_t)(s->current.low[i] | s->current.high[i] << LOW_BITS(m));
  }
  return ct_mask_zero_u64(found ^ length);
}

static uint64_t find_recurrence_avx2(const struct gf2m_field *field, uint16_t *connection,
                                     const uint16_t *sequence, size_t length, uint64_t *scratch) {
  struct search_avx2 *const s = (struct search_avx2 *)scratch;

  return field->degree == 12 ? find_in_avx2(field, 12, connection, sequence, length, s)
                             : find_in_avx2(field, 13, connection, sequence, length, s);
}

/* --- Powers in a ring ------------------------------------------------------------------------- */

/* What a sequence has in memory. */
struct powers_avx2 {
  struct tables tables[RECURRENCE_MAX_LENGTH]; /* of beta */
  struct basis basis;
  struct nibbles nibbles[MAX_VECTORS];
  struct pair sum[2 * MAX_VECTORS];
  uint16_t power[2 * RECURRENCE_MAX_LENGTH];
};

static_assert(sizeof(struct search_avx2) <= 8 * RECURRENCE_FIND_WORDS &&
                  sizeof(struct powers_avx2) <= 8 * RECURRENCE_POWERS_WORDS,
              "memory of recurrences");

/* power *= beta before it is reduced, 2 length elements, from the tables of beta: the coefficients
 * of beta whose numbers are the same modulo 32 meet vectors at the same places, so only 32 times
 * everything moves up. */
ALWAYS_INLINE void multiply_polynomials_avx2(unsigned m, struct powers_avx2 *s, size_t length) {
  const size_t vectors = (length + VECTOR - 1) / VECTOR;
  struct nibbles *const nibbles = s->nibbles;
  struct pair *const sum = s->sum;
  uint16_t *const power = s->power;

  memset(sum, 0, sizeof s->sum);
  for (size_t v = 0; v < vectors; v++) {
    _Alignas(VECTOR) uint8_t low[VECTOR] = {0}, high[VECTOR] = {0};

    for (size_t i = 0; i < VECTOR && VECTOR * v + i < length; i++) {
      low[i] = (uint8_t)(power[VECTOR * v + i] & ((1U << LOW_BITS(m)) - 1));
      high[i] = (uint8_t)(power[VECTOR * v + i] >> LOW_BITS(m));
    }
    const struct pair x = {load_avx2(low), load_avx2(high)};
    nibbles[v] = nibbles_of_avx2(m, x);
  }
  for (size_t r = VECTOR; r-- > 0;) {
    for (size_t v = 2 * vectors; v-- > 1;) {
      sum[v].low = previous_bytes_avx2(sum[v - 1].low, sum[v].low);
      sum[v].high = previous_bytes_avx2(sum[v - 1].high, sum[v].high);
    }
    sum[0].low = previous_bytes_avx2(_mm256_setzero_si256(), sum[0].low);
    sum[0].high = previous_bytes_avx2(_mm256_setzero_si256(), sum[0].high);
    for (size_t a = 0; a < vectors; a++) {
      const struct factor factor = factor_of_avx2(m, &s->tables[VECTOR * a + r]);
      for (size_t v = 0; v < vectors; v++) {
        sum[a + v] = add_product_avx2(m, sum[a + v], &nibbles[v], &factor);
      }
    }
  }
  for (size_t v = 0; v < 2 * vectors; v++) {
    _Alignas(VECTOR) uint8_t low[VECTOR], high[VECTOR];

    store_avx2(low, sum[v].low);
    store_avx2(high, sum[v].high);
    for (size_t i = 0; i < VECTOR; i++) {
      power[VECTOR * v + i] = (uint16_t)(low[i] | high[i] << LOW_BITS(m));
    }
  }
}

ALWAYS_INLINE void power_sequence_in_avx2(const struct gf2m_field *field, unsigned m,
                                          const struct recurrence_ring *ring, uint16_t *sequence,
                                          const uint16_t *beta, struct powers_avx2 *s) {
  const size_t length = ring->length;
  uint16_t *const power = s->power;

  make_basis_avx2(field, &s->basis);
  memset(power, 0, sizeof s->power);
  power[0] = 1;
  for (size_t i = 0; i < RECURRENCE_MAX_LENGTH; i++) {
    s->tables[i] = tables_of_avx2(m, &s->basis, i < length ? beta[i] : 0);
  }
  for (size_t n = 0; n < 2 * length; n++) {
    sequence[n] = power[0];
    multiply_polynomials_avx2(m, s, length);
    for (size_t i = 2 * length - 2; i >= length; i--) {
      for (size_t j = 0; j < ring->terms; j++) {
        const uint16_t value = ring->low_value[j] == 1
                                   ? power[i]
                                   : ckem_gf2m_multiply(field, power[i], ring->low_value[j]);
        power[i - length + ring->low[j]] ^= value;
      }
    }
  }
}

static void power_sequence_avx2(const struct gf2m_field *field, const struct recurrence_ring *ring,
                                uint16_t *sequence, const uint16_t *beta, uint64_t *scratch) {
  struct powers_avx2 *const s = (struct powers_avx2 *)scratch;

  if (field->degree == 12) {
    power_sequence_in_avx2(field, 12, ring, sequence, beta, s);
  } else {
    power_sequence_in_avx2(field, 13, ring, sequence, beta, s);
  }
}

const struct recurrence_ops ckem_recurrence_avx2 = {
    .name = "avx2",
    .find = find_recurrence_avx2,
    .power_sequence = power_sequence_avx2,
};

ISA_END
#endif
