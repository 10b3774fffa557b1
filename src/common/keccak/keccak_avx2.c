/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Keccak-f[1600] for processors with AVX2 and BMI2: one state in general registers, where rorx and
 * andn save moves; two states at once in vectors, two lanes of both in a register. Four lanes of
 * one state in a vector would be slower than either: the moves between the halves of a vector use
 * up the gain. Four states are in keccak_many_avx2.c.
 */
#include "base/intrinsics.h"
#include "base/unroll.h"
#include "keccak/keccak.h"
#include "keccak/keccak_constants.h"

#if defined(CODEKEM_HAVE_AVX2)
ISA_BEGIN_AVX2

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* --- One state ----------------------------------------------------------------------------- */

#define TEMPLATE_SUFFIX avx2
#include "keccak/keccak_one.template.h"

/* --- Two states ---------------------------------------------------------------------------- */

/*
 * A register holds two lanes of the first state in its lower half, and the same two of the second
 * in the upper one. So 13 registers do for 25 lanes, and each is rotated by shifts that differ from
 * lane to lane: fewer instructions than with one lane of both states in a register, though lanes
 * that chi combines have to be brought together.
 *
 * Lanes (0, y) and (1, y) are in register y, (2, y) and (3, y) in 5 + y, (4, 0) and (4, 1) in 10,
 * (4, 2) and (4, 3) in 11, and (4, 4) twice in 12.
 */
#define PAIRS 13
#define REGISTER(x, y) ((x) < 2 ? (y) : (x) < 4 ? 5 + (y) : 10 + (y) / 2)
#define PLACE(x, y) ((x) < 4 ? (x) % 2 : (y) % 2)

/* Of rho. A shift by 64 gives 0. */
#define ROTATION(first, second) {first, second, 64 - (first), 64 - (second)}
alignas(32) static const uint64_t rotations[PAIRS][4] = {
    ROTATION(0, 1),   ROTATION(36, 44), ROTATION(3, 10),  ROTATION(41, 45), ROTATION(18, 2),
    ROTATION(62, 28), ROTATION(6, 55),  ROTATION(43, 25), ROTATION(15, 21), ROTATION(61, 56),
    ROTATION(27, 20), ROTATION(39, 8),  ROTATION(14, 14),
};

ALWAYS_INLINE __m256i add(__m256i a, __m256i b) {
  return _mm256_xor_si256(a, b);
}

ALWAYS_INLINE __m256i in_both_halves(const uint64_t two[2]) {
  return _mm256_broadcastsi128_si256(_mm_load_si128((const __m128i *)(const void *)two));
}

ALWAYS_INLINE __m256i rotate_by_one(__m256i a) {
  return _mm256_or_si256(_mm256_add_epi64(a, a), _mm256_srli_epi64(a, 63));
}

ALWAYS_INLINE __m256i rotate(__m256i a, const uint64_t rotation[4]) {
  return _mm256_or_si256(_mm256_sllv_epi64(a, in_both_halves(rotation)),
                         _mm256_srlv_epi64(a, in_both_halves(rotation + 2)));
}

/* In each half: the lane of a at place i, and that of b at place j; constants. */
ALWAYS_INLINE __m256i pick(__m256i a, int i, __m256i b, int j) {
  if (i == 0) {
    return j == 0 ? _mm256_unpacklo_epi64(a, b) : _mm256_blend_epi32(a, b, 0xCC);
  }
  if (j == 1) {
    return _mm256_unpackhi_epi64(a, b);
  }
  return _mm256_castpd_si256(_mm256_shuffle_pd(_mm256_castsi256_pd(a), _mm256_castsi256_pd(b),
                                               0x5));
}

/* Lanes (x1, y1) and (x2, y2) of what pi makes of a: its lane (x, y) is (x + 3 y, x) of a. */
ALWAYS_INLINE __m256i pick_moved(const __m256i a[PAIRS], int x1, int y1, int x2, int y2) {
  const int from1 = (x1 + 3 * y1) % 5, from2 = (x2 + 3 * y2) % 5;

  return pick(a[REGISTER(from1, x1)], PLACE(from1, x1), a[REGISTER(from2, x2)], PLACE(from2, x2));
}

ALWAYS_INLINE __m256i chi(__m256i a, __m256i b, __m256i c) {
  return add(a, _mm256_andnot_si256(b, c));
}

ALWAYS_INLINE void round_of_pairs(__m256i a[PAIRS], uint64_t constant) {
  __m256i moved[PAIRS];
  const __m256i sum01 = add(add(add(a[0], a[1]), add(a[2], a[3])), a[4]);
  const __m256i sum23 = add(add(add(a[5], a[6]), add(a[7], a[8])), a[9]);
  const __m256i sums4 = add(a[10], a[11]);
  const __m256i sum4 = add(add(sums4, _mm256_shuffle_epi32(sums4, 0x4E)), a[12]); /* twice */
  const __m256i sum12 = pick(sum01, 1, sum23, 0);
  const __m256i d[3] = {
      add(pick(sum4, 0, sum01, 0), rotate_by_one(sum12)),
      add(sum12, rotate_by_one(pick(sum23, 1, sum4, 0))),
      add(pick(sum23, 1, sum23, 1), rotate_by_one(pick(sum01, 0, sum01, 0))),
  };

  UNROLL
  for (int i = 0; i < PAIRS; i++) {
    moved[i] = rotate(add(a[i], d[i / 5]), rotations[i]);
  }
  UNROLL
  for (int y = 0; y < 5; y += 2) { /* first, as their sum takes the longest */
    const int other = y < 4 ? y + 1 : y;
    a[REGISTER(4, y)] = chi(pick_moved(moved, 4, y, 4, other), pick_moved(moved, 0, y, 0, other),
                            pick_moved(moved, 1, y, 1, other));
  }
  UNROLL
  for (int y = 0; y < 5; y++) {
    const __m256i lanes23 = pick_moved(moved, 2, y, 3, y);
    a[y] = chi(pick_moved(moved, 0, y, 1, y), pick_moved(moved, 1, y, 2, y), lanes23);
    a[5 + y] = chi(lanes23, pick_moved(moved, 3, y, 4, y), pick_moved(moved, 4, y, 0, y));
    if (y == 0) {
      a[0] = add(a[0], _mm256_set_epi64x(0, (long long)constant, 0, (long long)constant));
    }
  }
}

ALWAYS_INLINE __m128i load_two(const uint64_t *from) {
  return _mm_loadu_si128((const __m128i *)(const void *)from);
}

static void permute_pair_avx2(uint64_t first[KECCAK_LANES], uint64_t second[KECCAK_LANES]) {
  __m256i a[PAIRS];

  UNROLL
  for (size_t i = 0; i < 10; i++) {
    const size_t from = i < 5 ? 5 * i : 5 * (i - 5) + 2;
    a[i] = _mm256_set_m128i(load_two(second + from), load_two(first + from));
  }
  UNROLL
  for (size_t i = 0; i < 3; i++) {
    const size_t from = 10 * i + 4, next = i < 2 ? from + 5 : from;
    a[10 + i] = _mm256_set_epi64x((long long)second[next], (long long)second[from],
                                  (long long)first[next], (long long)first[from]);
  }
  for (size_t round = 0; round < KECCAK_ROUNDS; round++) {
    round_of_pairs(a, ckem_keccak_round_constants[round]);
  }
  UNROLL
  for (size_t i = 0; i < 10; i++) {
    const size_t to = i < 5 ? 5 * i : 5 * (i - 5) + 2;
    _mm_storeu_si128((__m128i *)(void *)(first + to), _mm256_castsi256_si128(a[i]));
    _mm_storeu_si128((__m128i *)(void *)(second + to), _mm256_extracti128_si256(a[i], 1));
  }
  UNROLL
  for (size_t i = 0; i < 3; i++) {
    const size_t to = 10 * i + 4;
    first[to] = (uint64_t)_mm256_extract_epi64(a[10 + i], 0);
    second[to] = (uint64_t)_mm256_extract_epi64(a[10 + i], 2);
    if (i < 2) {
      first[to + 5] = (uint64_t)_mm256_extract_epi64(a[10 + i], 1);
      second[to + 5] = (uint64_t)_mm256_extract_epi64(a[10 + i], 3);
    }
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
