/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Recurrences with bit matrices (GFNI): a product by one element is a linear map, a matrix of
 * 16 x 16 bits in four parts, of which an instruction applies one to 64 elements. Elements are in
 * two arrays of bytes, the low eight bits and the rest.
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

#if defined(CODEKEM_HAVE_AVX512)
ISA_BEGIN_AVX512

#define ALWAYS_INLINE static inline __attribute__((always_inline))

#define VECTOR 64

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

/* Returns the four parts of the product by x in one vector; x is in each 16 bits. */
ALWAYS_INLINE __m256i parts_of_avx512(const struct matrices *matrices, __m256i x) {
  __m256i sum[4];

  UNROLL
  for (unsigned i = 0; i < 4; i++) {
    sum[i] = _mm256_setzero_si256();
  }
  UNROLL
  for (unsigned j = 0; j < 13; j++) { /* the last matrix of GF(2^12) is zero */
    const __m256i part = _mm256_loadu_si256((const __m256i *)(const void *)matrices->part[j]);
    const __m256i mask = _mm256_srai_epi16(_mm256_slli_epi16(x, (int)(15 - j)), 15);
    /* 0x78: sum + mask * part */
    sum[j % 4] = _mm256_ternarylogic_epi64(sum[j % 4], mask, part, 0x78);
  }
  /* 0x96: the sum of three */
  return _mm256_ternarylogic_epi64(_mm256_xor_si256(sum[0], sum[1]), sum[2], sum[3], 0x96);
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

/* Returns the last byte of a vector and those of the next one but the last. */
ALWAYS_INLINE __m512i previous_bytes_avx512(__m512i first, __m512i second) {
  return _mm512_alignr_epi8(second, _mm512_alignr_epi64(second, first, 6), 15);
}

/* --- The search ------------------------------------------------------------------------------- */

/* Arrays of elements, low bytes and high bytes. Discrepancies move to the front, and coefficient i
 * of the connection is at place i - 1. */
struct discrepancies_avx512 {
  _Alignas(VECTOR) uint8_t low[2 * RECURRENCE_MAX_LENGTH + VECTOR];
  _Alignas(VECTOR) uint8_t high[2 * RECURRENCE_MAX_LENGTH + VECTOR];
};
struct coefficients_avx512 {
  _Alignas(VECTOR) uint8_t low[RECURRENCE_MAX_LENGTH];
  _Alignas(VECTOR) uint8_t high[RECURRENCE_MAX_LENGTH];
};

/* 64 elements. */
struct pair_avx512 {
  __m512i low, high;
};

/* What a step multiplies by, and whether `before` becomes the former polynomial. */
struct step_avx512 {
  struct factor divisor, discrepancy;
  __mmask64 grows;
};

/* Returns divisor * x - discrepancy * y. */
ALWAYS_INLINE struct pair_avx512 combine_avx512(const struct step_avx512 *step,
                                                struct pair_avx512 x, struct pair_avx512 y) {
  const struct pair_avx512 sum = {
      _mm512_xor_si512(low_of_product_avx512(&step->divisor, x.low, x.high),
                       low_of_product_avx512(&step->discrepancy, y.low, y.high)),
      _mm512_xor_si512(high_of_product_avx512(&step->divisor, x.low, x.high),
                       high_of_product_avx512(&step->discrepancy, y.low, y.high))};

  return sum;
}

/* current = divisor * current / x - discrepancy * before; where the step grows, before becomes the
 * former current / x. Returns the first elements. */
ALWAYS_INLINE struct pair_avx512 move_discrepancies_avx512(struct discrepancies_avx512 *current,
                                                           struct discrepancies_avx512 *before,
                                                           const struct step_avx512 *step,
                                                           size_t count) {
  struct pair_avx512 here = {_mm512_load_si512(current->low), _mm512_load_si512(current->high)};
  struct pair_avx512 first = here;

  for (size_t i = 0; i < count; i += VECTOR) {
    const struct pair_avx512 next = {_mm512_load_si512(current->low + i + VECTOR),
                                     _mm512_load_si512(current->high + i + VECTOR)};
    const struct pair_avx512 old = {_mm512_load_si512(before->low + i),
                                    _mm512_load_si512(before->high + i)};
    const struct pair_avx512 moved = {next_bytes_avx512(here.low, next.low),
                                      next_bytes_avx512(here.high, next.high)};
    const struct pair_avx512 sum = combine_avx512(step, moved, old);

    _mm512_store_si512(current->low + i, sum.low);
    _mm512_store_si512(current->high + i, sum.high);
    _mm512_store_si512(before->low + i, _mm512_mask_mov_epi8(old.low, step->grows, moved.low));
    _mm512_store_si512(before->high + i, _mm512_mask_mov_epi8(old.high, step->grows, moved.high));
    first = i == 0 ? sum : first;
    here = next;
  }
  return first;
}

/* current = divisor * current - discrepancy * before; before becomes x times itself or, where the
 * step grows, x times the former current. in: what comes to the first place of before. */
ALWAYS_INLINE void update_connection_avx512(struct coefficients_avx512 *current,
                                            struct coefficients_avx512 *before,
                                            const struct step_avx512 *step, struct pair_avx512 in,
                                            size_t count) {
  for (size_t i = 0; i < count; i += VECTOR) {
    const struct pair_avx512 here = {_mm512_load_si512(current->low + i),
                                     _mm512_load_si512(current->high + i)};
    const struct pair_avx512 old = {_mm512_load_si512(before->low + i),
                                    _mm512_load_si512(before->high + i)};
    const struct pair_avx512 taken = {_mm512_mask_mov_epi8(old.low, step->grows, here.low),
                                      _mm512_mask_mov_epi8(old.high, step->grows, here.high)};
    const struct pair_avx512 sum = combine_avx512(step, here, old);

    _mm512_store_si512(current->low + i, sum.low);
    _mm512_store_si512(current->high + i, sum.high);
    _mm512_store_si512(before->low + i, previous_bytes_avx512(in.low, taken.low));
    _mm512_store_si512(before->high + i, previous_bytes_avx512(in.high, taken.high));
    in = taken;
  }
}

/* What a search has in memory. */
struct search_avx512 {
  struct discrepancies_avx512 ahead, ahead_before;
  struct coefficients_avx512 current, before;
  struct matrices matrices;
};

static uint64_t find_recurrence_avx512(const struct gf2m_field *field, uint16_t *connection,
                                       const uint16_t *sequence, size_t length, uint64_t *scratch) {
  struct search_avx512 *const s = (struct search_avx512 *)scratch;
  struct pair_avx512 constant = {_mm512_set1_epi8(1), _mm512_setzero_si512()}; /* everywhere */
  struct step_avx512 step;
  __m256i divisor;
  uint32_t found = 0;

  memset(s, 0, sizeof *s);
  make_matrices_avx512(field, &s->matrices);
  for (size_t i = 0; i < 2 * length; i++) {
    s->ahead.low[i] = (uint8_t)sequence[i];
    s->ahead.high[i] = (uint8_t)(sequence[i] >> 8);
  }
  s->ahead_before = s->ahead;
  s->before.low[0] = 1;
  divisor = parts_of_avx512(&s->matrices, _mm256_set1_epi16(1));
  struct pair_avx512 first = {_mm512_load_si512(s->ahead.low), _mm512_load_si512(s->ahead.high)};
  for (uint32_t n = 0; n < 2 * length; n++) {
    const __m128i both =
        _mm_unpacklo_epi8(_mm512_castsi512_si128(first.low), _mm512_castsi512_si128(first.high));
    const uint32_t discrepancy = (uint32_t)_mm_cvtsi128_si32(both) & 0xFFFF;
    const uint32_t grows = ~ct_mask_zero_u32(discrepancy) & ~ct_mask_less_u32(n, 2 * found);
    const uint64_t grows_64 = ct_mask_bit_u64(grows);
    const __m256i parts = parts_of_avx512(&s->matrices, _mm256_broadcastw_epi16(both));
    const size_t reach = n + 2 < length ? n + 2 : length; /* the degree of before, at most */

    step.grows = (__mmask64)grows_64;
    step.divisor = factor_of_avx512(divisor);
    step.discrepancy = factor_of_avx512(parts);
    first = move_discrepancies_avx512(&s->ahead, &s->ahead_before, &step, 2 * length - 1 - n);
    const struct pair_avx512 in = {_mm512_maskz_mov_epi8(step.grows, constant.low),
                                   _mm512_maskz_mov_epi8(step.grows, constant.high)};
    update_connection_avx512(&s->current, &s->before, &step, in, reach);
    const __m512i low = low_of_product_avx512(&step.divisor, constant.low, constant.high);
    constant.high = high_of_product_avx512(&step.divisor, constant.low, constant.high);
    constant.low = low;
    divisor = _mm256_mask_mov_epi64(divisor, (__mmask8)grows_64, parts);
    found = ct_select_u32(grows, n + 1 - found, found);
  }
  connection[0] = (uint16_t)((_mm512_cvtsi512_si32(constant.low) & 0xFF) |
                             (_mm512_cvtsi512_si32(constant.high) & 0xFF) << 8);
  for (size_t i = 0; i < length; i++) {
    connection[i + 1] = (uint16_t)(s->current.low[i] | s->current.high[i] << 8);
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

    x[i] = previous_bytes_avx512(below, x[i]);
  }
}

/* What a sequence has in memory: the parts of beta, and a power in bytes. */
struct powers_avx512 {
  _Alignas(VECTOR) __m256i beta_parts[RECURRENCE_MAX_LENGTH];
  _Alignas(VECTOR) uint8_t low[RECURRENCE_MAX_LENGTH];
  _Alignas(VECTOR) uint8_t high[RECURRENCE_MAX_LENGTH];
  _Alignas(VECTOR) uint8_t out_low[4 * VECTOR];
  _Alignas(VECTOR) uint8_t out_high[4 * VECTOR];
  struct matrices matrices;
  uint16_t product[2 * RECURRENCE_MAX_LENGTH];
};

static_assert(sizeof(struct search_avx512) <= 8 * RECURRENCE_FIND_WORDS &&
                  sizeof(struct powers_avx512) <= 8 * RECURRENCE_POWERS_WORDS,
              "memory of recurrences");

/* product[2 RECURRENCE_MAX_LENGTH] = power * beta: Horner's rule over beta, whose parts are ready.
 */
ALWAYS_INLINE void multiply_polynomials_avx512(struct powers_avx512 *s, size_t length) {
  const __m512i low[2] = {_mm512_load_si512(s->low), _mm512_load_si512(s->low + VECTOR)};
  const __m512i high[2] = {_mm512_load_si512(s->high), _mm512_load_si512(s->high + VECTOR)};
  struct wide_avx512 sum;

  UNROLL
  for (size_t i = 0; i < 4; i++) {
    sum.low[i] = _mm512_setzero_si512();
    sum.high[i] = _mm512_setzero_si512();
  }
  for (size_t i = length; i-- > 0;) {
    const struct factor factor = factor_of_avx512(_mm256_load_si256(s->beta_parts + i));

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
    _mm512_store_si512(s->out_low + VECTOR * i, sum.low[i]);
    _mm512_store_si512(s->out_high + VECTOR * i, sum.high[i]);
  }
  for (size_t i = 0; i < 2 * RECURRENCE_MAX_LENGTH; i++) {
    s->product[i] = (uint16_t)(s->out_low[i] | s->out_high[i] << 8);
  }
}

static void power_sequence_avx512(const struct gf2m_field *field,
                                  const struct recurrence_ring *ring, uint16_t *sequence,
                                  const uint16_t *beta, uint64_t *scratch) {
  struct powers_avx512 *const s = (struct powers_avx512 *)scratch;
  const size_t length = ring->length;
  uint16_t *const product = s->product;

  memset(s, 0, sizeof *s);
  s->low[0] = 1;
  make_matrices_avx512(field, &s->matrices);
  for (size_t i = 0; i < length; i++) {
    _mm256_store_si256(s->beta_parts + i,
                       parts_of_avx512(&s->matrices, _mm256_set1_epi16((short)beta[i])));
  }
  for (size_t n = 0; n < 2 * length; n++) {
    sequence[n] = (uint16_t)(s->low[0] | s->high[0] << 8);
    multiply_polynomials_avx512(s, length);
    for (size_t i = 2 * length - 2; i >= length; i--) {
      for (size_t j = 0; j < ring->terms; j++) {
        const uint16_t value = ring->low_value[j] == 1
                                   ? product[i]
                                   : ckem_gf2m_multiply(field, product[i], ring->low_value[j]);
        product[i - length + ring->low[j]] ^= value;
      }
    }
    for (size_t i = 0; i < length; i++) {
      s->low[i] = (uint8_t)product[i];
      s->high[i] = (uint8_t)(product[i] >> 8);
    }
  }
}

const struct recurrence_ops ckem_recurrence_avx512 = {
    .name = "avx512",
    .find = find_recurrence_avx512,
    .power_sequence = power_sequence_avx512,
};

ISA_END
#endif
