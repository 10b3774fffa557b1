/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Keccak-f[1600] for processors with AVX2 and BMI2: one state in general registers, where rorx and
 * andn save moves; two states at once in vectors, lane i of both in one 128-bit register. Four
 * lanes of one state in a vector would be slower than either: AVX2 has no rotation, and the moves
 * between the lanes of a vector use up the gain. Four states are in keccak_many_avx2.c.
 */
#include "base/intrinsics.h"
#include "keccak/keccak.h"
#include "keccak/keccak_constants.h"

#if defined(CODEKEM_HAVE_AVX2)
ISA_BEGIN_AVX2

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* --- One state ----------------------------------------------------------------------------- */

/* Returns x and forces it into a general register. Otherwise clang puts pairs of lanes into
 * vectors, which takes twice the time. */
ALWAYS_INLINE uint64_t in_register(uint64_t x) {
#if defined(__clang__)
  __asm__("" : "+r"(x));
#endif
  return x;
}

/* 0 < n < 64 */
ALWAYS_INLINE uint64_t rotate_lane(uint64_t x, unsigned n) {
  return in_register(x << n | x >> (64 - n));
}

ALWAYS_INLINE void chi_lanes(uint64_t out[5], uint64_t b0, uint64_t b1, uint64_t b2, uint64_t b3,
                             uint64_t b4) {
  out[0] = b0 ^ (~b1 & b2);
  out[1] = b1 ^ (~b2 & b3);
  out[2] = b2 ^ (~b3 & b4);
  out[3] = b3 ^ (~b4 & b0);
  out[4] = b4 ^ (~b0 & b1);
}

/* One round from a to o: rho and pi happen while the lanes of each row are picked. */
ALWAYS_INLINE void round_of_one(uint64_t o[KECCAK_LANES], const uint64_t a[KECCAK_LANES],
                                uint64_t constant) {
  const uint64_t c0 = a[0] ^ a[5] ^ a[10] ^ a[15] ^ a[20];
  const uint64_t c1 = a[1] ^ a[6] ^ a[11] ^ a[16] ^ a[21];
  const uint64_t c2 = a[2] ^ a[7] ^ a[12] ^ a[17] ^ a[22];
  const uint64_t c3 = a[3] ^ a[8] ^ a[13] ^ a[18] ^ a[23];
  const uint64_t c4 = a[4] ^ a[9] ^ a[14] ^ a[19] ^ a[24];
  const uint64_t d0 = c4 ^ rotate_lane(c1, 1);
  const uint64_t d1 = c0 ^ rotate_lane(c2, 1);
  const uint64_t d2 = c1 ^ rotate_lane(c3, 1);
  const uint64_t d3 = c2 ^ rotate_lane(c4, 1);
  const uint64_t d4 = c3 ^ rotate_lane(c0, 1);

  chi_lanes(o, a[0] ^ d0, rotate_lane(a[6] ^ d1, 44), rotate_lane(a[12] ^ d2, 43),
            rotate_lane(a[18] ^ d3, 21), rotate_lane(a[24] ^ d4, 14));
  o[0] ^= constant;
  chi_lanes(o + 5, rotate_lane(a[3] ^ d3, 28), rotate_lane(a[9] ^ d4, 20),
            rotate_lane(a[10] ^ d0, 3), rotate_lane(a[16] ^ d1, 45), rotate_lane(a[22] ^ d2, 61));
  chi_lanes(o + 10, rotate_lane(a[1] ^ d1, 1), rotate_lane(a[7] ^ d2, 6),
            rotate_lane(a[13] ^ d3, 25), rotate_lane(a[19] ^ d4, 8), rotate_lane(a[20] ^ d0, 18));
  chi_lanes(o + 15, rotate_lane(a[4] ^ d4, 27), rotate_lane(a[5] ^ d0, 36),
            rotate_lane(a[11] ^ d1, 10), rotate_lane(a[17] ^ d2, 15), rotate_lane(a[23] ^ d3, 56));
  chi_lanes(o + 20, rotate_lane(a[2] ^ d2, 62), rotate_lane(a[8] ^ d3, 55),
            rotate_lane(a[14] ^ d4, 39), rotate_lane(a[15] ^ d0, 41), rotate_lane(a[21] ^ d1, 2));
}

static void permute_avx2(uint64_t state[KECCAK_LANES]) {
  uint64_t a[KECCAK_LANES];
  uint64_t b[KECCAK_LANES];

  for (size_t i = 0; i < KECCAK_LANES; i++) {
    a[i] = state[i];
  }
  for (size_t round = 0; round < KECCAK_ROUNDS; round += 2) {
    round_of_one(b, a, ckem_keccak_round_constants[round]);
    round_of_one(a, b, ckem_keccak_round_constants[round + 1]);
  }
  for (size_t i = 0; i < KECCAK_LANES; i++) {
    state[i] = a[i];
  }
}

/* --- Two states ---------------------------------------------------------------------------- */

/* Lane i of the first state and lane i of the second. */
typedef __m128i lanes;

ALWAYS_INLINE lanes add(lanes a, lanes b) {
  return _mm_xor_si128(a, b);
}

ALWAYS_INLINE lanes andnot(lanes a, lanes b) {
  return _mm_andnot_si128(a, b);
}

ALWAYS_INLINE lanes broadcast(uint64_t x) {
  return _mm_set1_epi64x((long long)x);
}

/* 0 < n < 64, constant. Rotations by whole bytes are single instructions. */
ALWAYS_INLINE lanes rotate(lanes x, int n) {
  if (n == 8) {
    return _mm_shuffle_epi8(x, _mm_setr_epi8(7, 0, 1, 2, 3, 4, 5, 6, 15, 8, 9, 10, 11, 12, 13, 14));
  }
  if (n == 56) {
    return _mm_shuffle_epi8(x, _mm_setr_epi8(1, 2, 3, 4, 5, 6, 7, 0, 9, 10, 11, 12, 13, 14, 15, 8));
  }
  return _mm_or_si128(_mm_slli_epi64(x, n), _mm_srli_epi64(x, 64 - n));
}

#define TEMPLATE_SUFFIX avx2
#include "keccak/keccak_lanes_avx2.template.h"

static void permute_pair_avx2(uint64_t first[KECCAK_LANES], uint64_t second[KECCAK_LANES]) {
  lanes a[KECCAK_LANES];

  for (size_t i = 0; i < KECCAK_LANES; i++) {
    a[i] = _mm_set_epi64x((long long)second[i], (long long)first[i]);
  }
  permute_lanes_avx2(a);
  for (size_t i = 0; i < KECCAK_LANES; i++) {
    first[i] = (uint64_t)_mm_cvtsi128_si64(a[i]);
    second[i] = (uint64_t)_mm_extract_epi64(a[i], 1);
  }
}

const struct keccak_ops ckem_keccak_avx2 = {
    .name = "avx2",
    .permute = permute_avx2,
    .permute_pair = permute_pair_avx2,
    .width = 4,
    .permute_many = ckem_keccak_permute_many_avx2,
};

ISA_END
#endif
