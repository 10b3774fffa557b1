/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Recurrences with bit matrices (GFNI): a product by one element is a linear map, a matrix of
 * 16 x 16 bits in four parts, of which an instruction applies one to 64 elements. Elements are in
 * two arrays of bytes, the low eight bits and the rest.
 *
 * The search is in a form without inner products: instead of the discrepancy of each step, the
 * discrepancies of all further steps are carried along, as coefficients of one polynomial with the
 * connection behind them [SS01].
 */
#include <string.h>

#include "base/ct.h"
#include "base/intrinsics.h"
#include "base/unroll.h"
#include "recurrence/recurrence.h"

#if defined(CODEKEM_HAVE_AVX512)
ISA_BEGIN_AVX512

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* Coefficients of the search: 3 * 128 + 1, in whole vectors, and a vector of zeros behind them. */
#define VECTOR 64
#define SEARCH_VECTORS 7
#define SEARCH_BYTES (VECTOR * (SEARCH_VECTORS + 1))

/* The matrices of z^j for j < 13: low to low, high to low, low to high, high to high byte. */
struct matrices {
  uint64_t part[13][4];
};

/* The parts of the product by one element, each in every lane. */
struct factor {
  __m512i low_low, high_low, low_high, high_high;
};

/* Returns a column of a part: bit r of x is the lowest bit of byte 7 - r. */
ALWAYS_INLINE uint64_t column_of_avx512(uint32_t x) {
  return __builtin_bswap64(_pdep_u64(x, UINT64_C(0x0101010101010101)));
}

/* Column b of the matrix of z^j is z^(j + b). Row r of a part is its byte 7 - r. */
static void make_matrices_avx512(const struct gf2m_field *field, struct matrices *matrices) {
  const unsigned m = field->degree;
  uint64_t low[25], high[25]; /* columns of the powers of z */
  uint32_t power = 1;

  for (unsigned i = 0; i < 2 * m - 1; i++) {
    low[i] = column_of_avx512(power & 0xFF);
    high[i] = column_of_avx512(power >> 8);
    power = power << 1 ^ (field->modulus & ct_mask_bit_u32(power >> (m - 1)));
  }
  memset(matrices, 0, sizeof *matrices);
  for (unsigned j = 0; j < m; j++) {
    for (unsigned b = 0; b < m; b++) {
      matrices->part[j][b / 8] |= low[j + b] << (b % 8);
      matrices->part[j][2 + b / 8] |= high[j + b] << (b % 8);
    }
  }
}

/* Returns the four parts of the product by x in one vector. */
ALWAYS_INLINE __m256i parts_of_avx512(const struct gf2m_field *field,
                                      const struct matrices *matrices, uint32_t x) {
  __m256i even = _mm256_setzero_si256(), odd = _mm256_setzero_si256();

  for (unsigned j = 0; j < field->degree; j += 2) {
    const __m256i first = _mm256_loadu_si256((const __m256i *)(const void *)matrices->part[j]);
    const __m256i mask = _mm256_set1_epi64x((long long)ct_mask_bit_u64((uint64_t)x >> j));
    /* 0x78: even + mask * first */
    even = _mm256_ternarylogic_epi64(even, mask, first, 0x78);
    if (j + 1 < 13) {
      const __m256i second =
          _mm256_loadu_si256((const __m256i *)(const void *)matrices->part[j + 1]);
      const __m256i next = _mm256_set1_epi64x((long long)ct_mask_bit_u64((uint64_t)x >> (j + 1)));
      odd = _mm256_ternarylogic_epi64(odd, next, second, 0x78);
    }
  }
  return _mm256_xor_si256(even, odd);
}

ALWAYS_INLINE struct factor factor_of_avx512(__m256i parts) {
  const __m512i wide = _mm512_castsi256_si512(parts);
  struct factor factor;

  factor.low_low = _mm512_permutexvar_epi64(_mm512_set1_epi64(0), wide);
  factor.high_low = _mm512_permutexvar_epi64(_mm512_set1_epi64(1), wide);
  factor.low_high = _mm512_permutexvar_epi64(_mm512_set1_epi64(2), wide);
  factor.high_high = _mm512_permutexvar_epi64(_mm512_set1_epi64(3), wide);
  return factor;
}

ALWAYS_INLINE __m512i low_of_product_avx512(const struct factor *factor, __m512i low,
                                            __m512i high) {
  return _mm512_xor_si512(_mm512_gf2p8affine_epi64_epi8(low, factor->low_low, 0),
                          _mm512_gf2p8affine_epi64_epi8(high, factor->high_low, 0));
}

ALWAYS_INLINE __m512i high_of_product_avx512(const struct factor *factor, __m512i low,
                                             __m512i high) {
  return _mm512_xor_si512(_mm512_gf2p8affine_epi64_epi8(low, factor->low_high, 0),
                          _mm512_gf2p8affine_epi64_epi8(high, factor->high_high, 0));
}

/* Returns bytes 1 to 64 of two vectors. */
ALWAYS_INLINE __m512i next_bytes_avx512(__m512i first, __m512i second) {
  return _mm512_alignr_epi8(_mm512_alignr_epi64(second, first, 2), first, 1);
}

/* --- The search ------------------------------------------------------------------------------- */

/* Polynomials: low bytes, and high bytes. */
struct bytes_avx512 {
  _Alignas(VECTOR) uint8_t low[SEARCH_BYTES];
  _Alignas(VECTOR) uint8_t high[SEARCH_BYTES];
};

/* current = divisor * current / x - discrepancy * before; where grows, before becomes the former
 * current / x. */
ALWAYS_INLINE void step_avx512(struct bytes_avx512 *current, struct bytes_avx512 *before,
                               __m256i divisor_parts, __m256i discrepancy_parts, uint64_t grows,
                               size_t bytes) {
  const struct factor divisor = factor_of_avx512(divisor_parts);
  const struct factor discrepancy = factor_of_avx512(discrepancy_parts);
  const __mmask64 take = (__mmask64)grows;
  __m512i low = _mm512_load_si512(current->low), high = _mm512_load_si512(current->high);

  for (size_t i = 0; i < bytes; i += VECTOR) {
    const __m512i next_low = _mm512_load_si512(current->low + i + VECTOR);
    const __m512i next_high = _mm512_load_si512(current->high + i + VECTOR);
    const __m512i moved_low = next_bytes_avx512(low, next_low);
    const __m512i moved_high = next_bytes_avx512(high, next_high);
    const __m512i before_low = _mm512_load_si512(before->low + i);
    const __m512i before_high = _mm512_load_si512(before->high + i);

    _mm512_store_si512(
        current->low + i,
        _mm512_xor_si512(low_of_product_avx512(&divisor, moved_low, moved_high),
                         low_of_product_avx512(&discrepancy, before_low, before_high)));
    _mm512_store_si512(
        current->high + i,
        _mm512_xor_si512(high_of_product_avx512(&divisor, moved_low, moved_high),
                         high_of_product_avx512(&discrepancy, before_low, before_high)));
    _mm512_store_si512(before->low + i, _mm512_mask_mov_epi8(before_low, take, moved_low));
    _mm512_store_si512(before->high + i, _mm512_mask_mov_epi8(before_high, take, moved_high));
    low = next_low;
    high = next_high;
  }
}

static uint64_t find_recurrence_avx512(const struct gf2m_field *field, uint16_t *connection,
                                       const uint16_t *sequence, size_t length) {
  const size_t bytes = 3 * length + 1;
  struct bytes_avx512 current = {{0}, {0}}, before;
  struct matrices matrices;
  __m256i divisor;
  uint32_t found = 0;

  make_matrices_avx512(field, &matrices);
  for (size_t i = 0; i < 2 * length; i++) {
    current.low[i] = (uint8_t)sequence[i];
    current.high[i] = (uint8_t)(sequence[i] >> 8);
  }
  current.low[3 * length] = 1;
  before = current;
  divisor = parts_of_avx512(field, &matrices, 1);
  for (uint32_t n = 0; n < 2 * length; n++) {
    const uint32_t discrepancy = current.low[0] | (uint32_t)current.high[0] << 8;
    const __m256i parts = parts_of_avx512(field, &matrices, discrepancy);
    const uint32_t grows = ~ct_mask_zero_u32(discrepancy) & ~ct_mask_less_u32(n, 2 * found);
    const uint64_t grows_64 = ct_mask_bit_u64(grows);

    step_avx512(&current, &before, divisor, parts, grows_64, bytes);
    divisor = _mm256_mask_mov_epi64(divisor, (__mmask8)grows_64, parts);
    found = ct_select_u32(grows, n + 1 - found, found);
  }
  for (size_t i = 0; i <= length; i++) {
    connection[i] = (uint16_t)(current.low[length + i] | current.high[length + i] << 8);
  }
  return ct_mask_zero_u64(found ^ length);
}

/* --- Powers in a ring ------------------------------------------------------------------------- */

/* 256 elements in registers. */
struct wide_avx512 {
  __m512i low[4], high[4];
};

/* Moves every element to the next place. */
ALWAYS_INLINE void move_up_avx512(__m512i x[4]) {
  UNROLL
  for (size_t i = 4; i-- > 0;) {
    const __m512i below = i > 0 ? x[i - 1] : _mm512_setzero_si512();

    x[i] = _mm512_alignr_epi8(x[i], _mm512_alignr_epi64(x[i], below, 6), 15);
  }
}

/* product[2 RECURRENCE_MAX_LENGTH] = power * beta: Horner's rule over beta, whose parts are ready.
 * power is in bytes. */
ALWAYS_INLINE void multiply_polynomials_avx512(uint16_t *product, const uint8_t *low_bytes,
                                               const uint8_t *high_bytes, const __m256i *beta_parts,
                                               size_t length) {
  const __m512i low[2] = {_mm512_loadu_si512(low_bytes), _mm512_loadu_si512(low_bytes + VECTOR)};
  const __m512i high[2] = {_mm512_loadu_si512(high_bytes), _mm512_loadu_si512(high_bytes + VECTOR)};
  _Alignas(VECTOR) uint8_t out_low[4 * VECTOR];
  _Alignas(VECTOR) uint8_t out_high[4 * VECTOR];
  struct wide_avx512 sum;

  UNROLL
  for (size_t i = 0; i < 4; i++) {
    sum.low[i] = _mm512_setzero_si512();
    sum.high[i] = _mm512_setzero_si512();
  }
  for (size_t i = length; i-- > 0;) {
    const struct factor factor = factor_of_avx512(_mm256_loadu_si256(beta_parts + i));

    move_up_avx512(sum.low);
    move_up_avx512(sum.high);
    UNROLL
    for (size_t j = 0; j < 2; j++) {
      sum.low[j] = _mm512_xor_si512(sum.low[j], low_of_product_avx512(&factor, low[j], high[j]));
      sum.high[j] = _mm512_xor_si512(sum.high[j], high_of_product_avx512(&factor, low[j], high[j]));
    }
  }
  UNROLL
  for (size_t i = 0; i < 4; i++) {
    _mm512_store_si512(out_low + VECTOR * i, sum.low[i]);
    _mm512_store_si512(out_high + VECTOR * i, sum.high[i]);
  }
  for (size_t i = 0; i < 2 * RECURRENCE_MAX_LENGTH; i++) {
    product[i] = (uint16_t)(out_low[i] | out_high[i] << 8);
  }
}

static void power_sequence_avx512(const struct gf2m_field *field,
                                  const struct recurrence_ring *ring, uint16_t *sequence,
                                  const uint16_t *beta) {
  const size_t length = ring->length;
  uint16_t product[2 * RECURRENCE_MAX_LENGTH];
  uint8_t low[RECURRENCE_MAX_LENGTH] = {1}, high[RECURRENCE_MAX_LENGTH] = {0};
  __m256i beta_parts[RECURRENCE_MAX_LENGTH];
  struct matrices matrices;

  make_matrices_avx512(field, &matrices);
  for (size_t i = 0; i < length; i++) {
    _mm256_storeu_si256(beta_parts + i, parts_of_avx512(field, &matrices, beta[i]));
  }
  for (size_t n = 0; n < 2 * length; n++) {
    sequence[n] = (uint16_t)(low[0] | high[0] << 8);
    multiply_polynomials_avx512(product, low, high, beta_parts, length);
    for (size_t i = 2 * length - 2; i >= length; i--) {
      for (size_t j = 0; j < ring->terms; j++) {
        const uint16_t value = ring->low_value[j] == 1
                                   ? product[i]
                                   : gf2m_multiply(field, product[i], ring->low_value[j]);
        product[i - length + ring->low[j]] ^= value;
      }
    }
    for (size_t i = 0; i < length; i++) {
      low[i] = (uint8_t)product[i];
      high[i] = (uint8_t)(product[i] >> 8);
    }
  }
}

const struct recurrence_ops recurrence_avx512 = {
    .name = "avx512",
    .find = find_recurrence_avx512,
    .power_sequence = power_sequence_avx512,
};

ISA_END
#endif
