/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Keccak-f[1600] of four states at once: a 256-bit register has one lane of each. */
#include "base/intrinsics.h"
#include "keccak/keccak.h"
#include "keccak/keccak_constants.h"

#if defined(CODEKEM_HAVE_AVX2)
ISA_BEGIN_AVX2

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* Lane i of four states. */
typedef __m256i lanes;

ALWAYS_INLINE lanes add(lanes a, lanes b) {
  return _mm256_xor_si256(a, b);
}

ALWAYS_INLINE lanes andnot(lanes a, lanes b) {
  return _mm256_andnot_si256(a, b);
}

ALWAYS_INLINE lanes broadcast(uint64_t x) {
  return _mm256_set1_epi64x((long long)x);
}

/* 0 < n < 64, constant. Rotations by whole bytes are single instructions. */
ALWAYS_INLINE lanes rotate(lanes x, int n) {
  if (n == 8) {
    return _mm256_shuffle_epi8(x, _mm256_broadcastsi128_si256(_mm_setr_epi8(
                                      7, 0, 1, 2, 3, 4, 5, 6, 15, 8, 9, 10, 11, 12, 13, 14)));
  }
  if (n == 56) {
    return _mm256_shuffle_epi8(x, _mm256_broadcastsi128_si256(_mm_setr_epi8(
                                      1, 2, 3, 4, 5, 6, 7, 0, 9, 10, 11, 12, 13, 14, 15, 8)));
  }
  return _mm256_or_si256(_mm256_slli_epi64(x, n), _mm256_srli_epi64(x, 64 - n));
}

/* One lane through theta and rho. */
ALWAYS_INLINE lanes move(lanes lane, lanes d, int rotation) {
  return rotate(add(lane, d), rotation);
}

/* chi on one row of five lanes. The results are added to the sums of the columns, which the next
 * round's theta wants, while they are in registers. */
ALWAYS_INLINE void chi_row(lanes out[5], lanes sums[5], lanes b0, lanes b1, lanes b2, lanes b3,
                           lanes b4) {
  out[0] = add(b0, andnot(b1, b2));
  out[1] = add(b1, andnot(b2, b3));
  out[2] = add(b2, andnot(b3, b4));
  out[3] = add(b3, andnot(b4, b0));
  out[4] = add(b4, andnot(b0, b1));
  sums[0] = add(sums[0], out[0]);
  sums[1] = add(sums[1], out[1]);
  sums[2] = add(sums[2], out[2]);
  sums[3] = add(sums[3], out[3]);
  sums[4] = add(sums[4], out[4]);
}

/* One round from a to o. sums: of the columns, before and after. */
ALWAYS_INLINE void round_of_lanes(lanes o[KECCAK_LANES], const lanes a[KECCAK_LANES], lanes sums[5],
                                  uint64_t constant) {
  const lanes d0 = add(sums[4], rotate(sums[1], 1));
  const lanes d1 = add(sums[0], rotate(sums[2], 1));
  const lanes d2 = add(sums[1], rotate(sums[3], 1));
  const lanes d3 = add(sums[2], rotate(sums[4], 1));
  const lanes d4 = add(sums[3], rotate(sums[0], 1));

  /* iota: the constant is in the sum and in the lane. */
  const lanes iota = broadcast(constant);
  sums[0] = iota;
  sums[1] = sums[2] = sums[3] = sums[4] = broadcast(0);
  chi_row(o, sums, add(a[0], d0), move(a[6], d1, 44), move(a[12], d2, 43), move(a[18], d3, 21),
          move(a[24], d4, 14));
  o[0] = add(o[0], iota);
  chi_row(o + 5, sums, move(a[3], d3, 28), move(a[9], d4, 20), move(a[10], d0, 3),
          move(a[16], d1, 45), move(a[22], d2, 61));
  chi_row(o + 10, sums, move(a[1], d1, 1), move(a[7], d2, 6), move(a[13], d3, 25),
          move(a[19], d4, 8), move(a[20], d0, 18));
  chi_row(o + 15, sums, move(a[4], d4, 27), move(a[5], d0, 36), move(a[11], d1, 10),
          move(a[17], d2, 15), move(a[23], d3, 56));
  chi_row(o + 20, sums, move(a[2], d2, 62), move(a[8], d3, 55), move(a[14], d4, 39),
          move(a[15], d0, 41), move(a[21], d1, 2));
}

void ckem_keccak_permute_many_avx2(uint64_t *states) {
  lanes a[KECCAK_LANES], b[KECCAK_LANES];
  lanes sums[5];

  for (size_t i = 0; i < KECCAK_LANES; i++) {
    a[i] = _mm256_loadu_si256((const __m256i *)(const void *)(states + 4 * i));
  }
  for (size_t x = 0; x < 5; x++) {
    sums[x] = add(add(add(a[x], a[x + 5]), add(a[x + 10], a[x + 15])), a[x + 20]);
  }
  for (size_t round = 0; round < KECCAK_ROUNDS; round += 2) {
    round_of_lanes(b, a, sums, ckem_keccak_round_constants[round]);
    round_of_lanes(a, b, sums, ckem_keccak_round_constants[round + 1]);
  }
  for (size_t i = 0; i < KECCAK_LANES; i++) {
    _mm256_storeu_si256((__m256i *)(void *)(states + 4 * i), a[i]);
  }
}

ISA_END
#endif
