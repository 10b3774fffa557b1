/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The codes of HQC with AVX-512 and GFNI.
 *
 * Reed-Muller: the 128 sums of one symbol fill four vectors of 16-bit numbers, and all seven levels
 * of the Hadamard transform stay in registers. Reed-Solomon: a polynomial is one vector. Bytes are
 * moved to the field of AES, for which there are instructions (see tools/generate_gf256.py), and
 * back at the end. The algorithms are those of reed_muller.c and reed_solomon.template.h.
 */
#include <assert.h>
#include <string.h>

#include "base/ct.h"
#include "base/intrinsics.h"
#include "base/wipe.h"
#include "hqc/gf256_tables.h"
#include "hqc/codes.h"
#include "hqc/reed_muller.h"

#if defined(CODEKEM_HAVE_AVX512)
ISA_BEGIN_AVX512

typedef __m512i vector;
typedef __m256i half;

/* --- Reed-Muller ------------------------------------------------------------------------------ */

/* One level of the transform inside a vector: partner is x with neighbours exchanged, and negate
 * marks the second of each pair. */
static inline vector butterfly_avx512(vector x, vector partner, __mmask32 negate) {
  return _mm512_mask_sub_epi16(_mm512_add_epi16(x, partner), negate, partner, x);
}

/* The five levels inside a vector. */
static inline vector transform_inside_avx512(vector x) {
  x = butterfly_avx512(x, _mm512_shuffle_i64x2(x, x, 0x4E), 0xFFFF0000);
  x = butterfly_avx512(x, _mm512_shuffle_i64x2(x, x, 0xB1), 0xFF00FF00);
  x = butterfly_avx512(x, _mm512_shuffle_epi32(x, (_MM_PERM_ENUM)0x4E), 0xF0F0F0F0);
  x = butterfly_avx512(x, _mm512_shuffle_epi32(x, (_MM_PERM_ENUM)0xB1), 0xCCCCCCCC);
  return butterfly_avx512(x, _mm512_rol_epi32(x, 16), 0xAAAAAAAA);
}

/* The Hadamard transform of w[128], and the shift of entry 0 that sums of 0 and 1 need. */
static inline void transform_avx512(vector w[4], size_t copies) {
  const vector s0 = _mm512_add_epi16(w[0], w[2]), d0 = _mm512_sub_epi16(w[0], w[2]);
  const vector s1 = _mm512_add_epi16(w[1], w[3]), d1 = _mm512_sub_epi16(w[1], w[3]);

  w[0] = transform_inside_avx512(_mm512_add_epi16(s0, s1));
  w[1] = transform_inside_avx512(_mm512_sub_epi16(s0, s1));
  w[2] = transform_inside_avx512(_mm512_add_epi16(d0, d1));
  w[3] = transform_inside_avx512(_mm512_sub_epi16(d0, d1));
  w[0] = _mm512_mask_sub_epi16(w[0], 1, w[0], _mm512_set1_epi16((short)(64 * copies)));
}

/* The largest of 128 numbers, in every place. */
static inline vector largest_avx512(const vector a[4]) {
  const vector all = _mm512_max_epu16(_mm512_max_epu16(a[0], a[1]), _mm512_max_epu16(a[2], a[3]));
  const half h = _mm256_max_epu16(_mm512_castsi512_si256(all), _mm512_extracti64x4_epi64(all, 1));
  const __m128i q = _mm_max_epu16(_mm256_castsi256_si128(h), _mm256_extracti128_si256(h, 1));
  /* The instruction finds the smallest of eight, so take complements. */
  const __m128i smallest = _mm_minpos_epu16(_mm_xor_si128(q, _mm_set1_epi16(-1)));

  return _mm512_broadcastw_epi16(_mm_xor_si128(smallest, _mm_set1_epi16(-1)));
}

/* The symbol of the entry with the largest absolute value, the first of several. */
static inline uint8_t find_peak_avx512(const vector w[4]) {
  const vector zero = _mm512_setzero_si512();
  vector absolute[4];
  uint64_t at_peak[2];  /* bit t: entry t has the largest absolute value */
  uint64_t positive[2];

  for (int i = 0; i < 4; i++) {
    absolute[i] = _mm512_abs_epi16(w[i]);
  }
  const vector peak = largest_avx512(absolute);
  for (int i = 0; i < 2; i++) {
    at_peak[i] = (uint64_t)_mm512_cmpeq_epi16_mask(absolute[2 * i], peak) |
                 (uint64_t)_mm512_cmpeq_epi16_mask(absolute[2 * i + 1], peak) << 32;
    positive[i] = (uint64_t)_mm512_cmpgt_epi16_mask(w[2 * i], zero) |
                  (uint64_t)_mm512_cmpgt_epi16_mask(w[2 * i + 1], zero) << 32;
  }
  const uint64_t in_second = ct_mask_zero_u64(at_peak[0]);
  const uint64_t candidates = ct_select_u64(in_second, at_peak[1], at_peak[0]);
  const uint64_t signs = ct_select_u64(in_second, positive[1], positive[0]);
  const uint64_t first = candidates & (0 - candidates);
  const uint64_t sign = ~ct_mask_zero_u64(first & signs) & 0x80;

  /* The number of zeros below the first candidate is its place; one instruction, no branch. */
  return (uint8_t)(_tzcnt_u64(candidates) | (in_second & 64) | sign);
}

static void reed_muller_decode_avx512(uint8_t *symbols, const uint64_t *in, size_t count,
                                      size_t copies) {
  const vector minus_one = _mm512_set1_epi16(-1);

  for (size_t i = 0; i < count; i++) {
    vector w[4];
    for (int part = 0; part < 4; part++) {
      w[part] = _mm512_setzero_si512();
      for (size_t c = 0; c < copies; c++) {
        const uint64_t word = in[REED_MULLER_WORDS * (copies * i + c) + (size_t)part / 2];
        const __mmask32 bits = (__mmask32)(word >> (32 * (part % 2)));
        w[part] = _mm512_mask_sub_epi16(w[part], bits, w[part], minus_one);
      }
    }
    transform_avx512(w, copies);
    symbols[i] = find_peak_avx512(w);
  }
}

/* --- Reed-Solomon ----------------------------------------------------------------------------- */

#define LOCATOR_BYTES 32 /* delta + 2 <= 31 coefficients: half a vector */

static inline vector to_aes(vector x) {
  return _mm512_gf2p8affine_epi64_epi8(x, _mm512_set1_epi64((long long)GF256_TO_AES), 0);
}

static inline vector from_aes(vector x) {
  return _mm512_gf2p8affine_epi64_epi8(x, _mm512_set1_epi64((long long)GF256_FROM_AES), 0);
}

/* The inverse of each element, 0 for 0: the instruction for it with the identity as its matrix. */
static inline half invert_half(half x) {
  return _mm256_gf2p8affineinv_epi64_epi8(x, _mm256_set1_epi64x(0x0102040810204080), 0);
}

static inline vector invert(vector x) {
  return _mm512_gf2p8affineinv_epi64_epi8(x, _mm512_set1_epi64(0x0102040810204080), 0);
}

/* A mask of the first count bytes of a vector. */
static inline __mmask64 first_bytes(size_t count) {
  return count >= 64 ? ~(__mmask64)0 : ((__mmask64)1 << count) - 1;
}

/* The permutation that moves every byte one place up; place 0 is for the caller to mask. */
static inline vector one_up(void) {
  uint8_t index[64];

  for (unsigned i = 0; i < 64; i++) {
    index[i] = (uint8_t)(i - 1);
  }
  return _mm512_loadu_si512(index);
}

static void reed_solomon_encode_avx512(const struct reed_solomon *code, uint8_t *codeword,
                                       const uint8_t *message) {
  const size_t parity_bytes = 2 * (size_t)code->delta;
  const __mmask64 parity_places = first_bytes(parity_bytes);
  const vector generator = to_aes(_mm512_loadu_si512(code->generator));
  const vector up = one_up();
  const vector top = _mm512_set1_epi8((char)(parity_bytes - 1));
  const vector m = to_aes(_mm512_maskz_loadu_epi8(first_bytes(code->message_bytes), message));
  vector parity = _mm512_setzero_si512();

  for (size_t j = code->message_bytes; j-- > 0;) {
    const vector next = _mm512_permutexvar_epi8(_mm512_set1_epi8((char)j), m);
    const vector feedback = _mm512_xor_si512(next, _mm512_permutexvar_epi8(top, parity));
    const vector shifted = _mm512_maskz_permutexvar_epi8(parity_places & ~(__mmask64)1, up, parity);
    parity = _mm512_xor_si512(shifted, _mm512_gf2p8mul_epi8(feedback, generator));
  }
  _mm512_mask_storeu_epi8(codeword, parity_places, from_aes(parity));
  memcpy(codeword + parity_bytes, message, code->message_bytes);
}

/* Everything secret that decoding keeps in memory, in the field of AES. Polynomials have
 * coefficient i in byte i. */
struct decoder {
  uint8_t received[2][64];
  uint8_t syndromes[LOCATOR_BYTES + 64]; /* zeros, then S_1 ... */
  uint8_t reversed[64 + LOCATOR_BYTES];  /* ... S_1, then zeros */
  uint8_t locator[64];
  uint8_t evaluator[64];
};

/* S_i = r(alpha^i), all of them in one vector, by Horner's rule on even and odd coefficients. */
static void compute_syndromes_avx512(const struct reed_solomon *code, struct decoder *d) {
  const uint8_t *received = &d->received[0][0];
  const vector points = _mm512_loadu_si512(gf256_aes_syndrome_points);
  const vector squares = _mm512_gf2p8mul_epi8(points, points);
  const size_t count = 2 * (size_t)code->delta;
  vector even = _mm512_setzero_si512();
  vector odd = _mm512_setzero_si512();

  /* The length is even and at most 90; bytes behind it are zero. */
  for (size_t j = code->length; j > 0; j -= 2) {
    odd = _mm512_xor_si512(_mm512_gf2p8mul_epi8(odd, squares),
                           _mm512_set1_epi8((char)received[j - 1]));
    even = _mm512_xor_si512(_mm512_gf2p8mul_epi8(even, squares),
                            _mm512_set1_epi8((char)received[j - 2]));
  }
  const vector sum = _mm512_xor_si512(even, _mm512_gf2p8mul_epi8(odd, points));
  const vector syndromes = _mm512_maskz_mov_epi8(first_bytes(count), sum);
  uint8_t index[64];
  for (unsigned i = 0; i < 64; i++) {
    index[i] = (uint8_t)(count - 1 - i); /* wraps to large ones, which are masked */
  }
  memset(d->syndromes, 0, LOCATOR_BYTES);
  _mm512_storeu_si512(d->syndromes + LOCATOR_BYTES, syndromes);
  _mm512_storeu_si512(d->reversed, _mm512_maskz_permutexvar_epi8(
                                       first_bytes(count), _mm512_loadu_si512(index), syndromes));
  memset(d->reversed + 64, 0, LOCATOR_BYTES);
}

/* The sum of all bytes, in every byte. */
static inline half sum_everywhere(half x) {
  x = _mm256_xor_si256(x, _mm256_permute4x64_epi64(x, 0x4E));
  x = _mm256_xor_si256(x, _mm256_shuffle_epi32(x, 0x4E));
  x = _mm256_xor_si256(x, _mm256_shuffle_epi32(x, 0xB1));
  x = _mm256_xor_si256(x, _mm256_rol_epi32(x, 16));
  return _mm256_xor_si256(x, _mm256_or_si256(_mm256_slli_epi16(x, 8), _mm256_srli_epi16(x, 8)));
}

/* Berlekamp's algorithm with a fixed number of steps. Numbers (degrees, steps) are below 128 and
 * stand in every byte of a vector, like the discrepancy. */
static void find_locator_avx512(const struct reed_solomon *code, struct decoder *d) {
  const __mmask32 places = (__mmask32)first_bytes(code->delta + 1);
  const half up = _mm512_castsi512_si256(one_up());
  const half one = _mm256_set1_epi8(1);
  half locator = _mm256_maskz_set1_epi8(1, 1);
  half auxiliary = _mm256_maskz_set1_epi8(2, 1);
  half degree = _mm256_setzero_si256();
  half lead = _mm256_setzero_si256(); /* candidate degree at step t, less t + 1 */
  half inverse = one;

  for (uint32_t t = 0; t < 2 * code->delta; t++) {
    const uint8_t *window = d->reversed + 2 * (size_t)code->delta - 1 - t;
    const half step = _mm256_set1_epi8((char)(t + 1));
    const half gap = sum_everywhere(
        _mm256_gf2p8mul_epi8(locator, _mm256_loadu_si256((const half *)(const void *)window)));
    const half factor = _mm256_gf2p8mul_epi8(gap, inverse);
    const half candidate = _mm256_add_epi8(step, lead);
    const __mmask32 update =
        _mm256_test_epi8_mask(gap, gap) & _mm256_cmpgt_epi8_mask(candidate, degree);
    const half updated = _mm256_maskz_mov_epi8(
        places, _mm256_xor_si256(locator, _mm256_gf2p8mul_epi8(factor, auxiliary)));
    auxiliary = _mm256_mask_mov_epi8(auxiliary, update, locator);
    auxiliary = _mm256_maskz_permutexvar_epi8(~(__mmask32)1, up, auxiliary);
    lead = _mm256_mask_sub_epi8(lead, update, degree, step);
    degree = _mm256_mask_mov_epi8(degree, update, candidate);
    inverse = _mm256_mask_mov_epi8(inverse, update, invert_half(gap));
    locator = updated;
  }
  _mm512_storeu_si512(d->locator, _mm512_zextsi256_si512(locator));
}

/* z = sigma * (1 + S_1 x + S_2 x^2 + ...) mod x^(delta + 1) */
static void find_evaluator_avx512(const struct reed_solomon *code, struct decoder *d) {
  const __mmask32 places = (__mmask32)first_bytes(code->delta + 1);
  half sum = _mm256_loadu_si256((const half *)(const void *)d->locator);

  for (size_t j = 0; j <= code->delta; j++) {
    const uint8_t *shifted = d->syndromes + LOCATOR_BYTES - 1 - j;
    sum = _mm256_xor_si256(
        sum, _mm256_gf2p8mul_epi8(_mm256_set1_epi8((char)d->locator[j]),
                                  _mm256_loadu_si256((const half *)(const void *)shifted)));
  }
  _mm512_storeu_si512(d->evaluator, _mm512_zextsi256_si512(_mm256_maskz_mov_epi8(places, sum)));
}

/* The errors at 64 positions; see errors_at in reed_solomon.template.h. */
static inline vector errors_at(const struct reed_solomon *code, const struct decoder *d, vector x) {
  const vector square = _mm512_gf2p8mul_epi8(x, x);
  vector odd = _mm512_setzero_si512();
  vector even = _mm512_setzero_si512();
  vector value_odd = _mm512_setzero_si512();
  vector value_even = _mm512_setzero_si512();

  for (size_t i = (code->delta + 2) / 2; i-- > 0;) {
    odd = _mm512_xor_si512(_mm512_gf2p8mul_epi8(odd, square),
                           _mm512_set1_epi8((char)d->locator[2 * i + 1]));
    even = _mm512_xor_si512(_mm512_gf2p8mul_epi8(even, square),
                            _mm512_set1_epi8((char)d->locator[2 * i]));
    value_odd = _mm512_xor_si512(_mm512_gf2p8mul_epi8(value_odd, square),
                                 _mm512_set1_epi8((char)d->evaluator[2 * i + 1]));
    value_even = _mm512_xor_si512(_mm512_gf2p8mul_epi8(value_even, square),
                                  _mm512_set1_epi8((char)d->evaluator[2 * i]));
  }
  odd = _mm512_gf2p8mul_epi8(odd, x);
  const vector value = _mm512_xor_si512(value_even, _mm512_gf2p8mul_epi8(value_odd, x));
  const __mmask64 wrong = _mm512_cmpeq_epi8_mask(odd, even); /* sigma(x) = 0 */

  return _mm512_maskz_mov_epi8(wrong, _mm512_gf2p8mul_epi8(value, invert(odd)));
}

static void reed_solomon_decode_avx512(const struct reed_solomon *code, uint8_t *message,
                                       const uint8_t *received) {
  const size_t parity_bytes = 2 * (size_t)code->delta;
  struct decoder d;

  assert(code->delta + 2 < LOCATOR_BYTES && code->length % 2 == 0 && code->length <= 128);
  for (size_t i = 0; i < 2; i++) {
    const size_t left = code->length > 64 * i ? code->length - 64 * i : 0;
    const vector bytes = _mm512_maskz_loadu_epi8(first_bytes(left), received + 64 * i);
    _mm512_storeu_si512(d.received[i], to_aes(bytes));
  }
  compute_syndromes_avx512(code, &d);
  find_locator_avx512(code, &d);
  find_evaluator_avx512(code, &d);
  for (size_t i = 0; i < 2; i++) {
    const vector x = _mm512_loadu_si512(gf256_aes_position_points + 64 * i);
    const vector corrected =
        _mm512_xor_si512(_mm512_loadu_si512(d.received[i]), errors_at(code, &d, x));
    _mm512_storeu_si512(d.received[i], from_aes(corrected));
  }
  memcpy(message, &d.received[0][0] + parity_bytes, code->message_bytes);
  ckem_secure_wipe(&d, sizeof d);
}

const struct hqc_codes ckem_hqc_codes_avx512 = {
    .name = "avx512",
    .reed_muller_decode = reed_muller_decode_avx512,
    .reed_solomon_encode = reed_solomon_encode_avx512,
    .reed_solomon_decode = reed_solomon_decode_avx512,
};

ISA_END
#endif
