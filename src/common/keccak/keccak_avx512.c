/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Keccak-f[1600] of two states, with two lanes of each in a 256-bit register. One state is in
 * keccak_one_avx512.c, eight are in keccak_many_avx512.c.
 *
 * A register holds lanes of one column: of the rows 0 and 1, 2 and 3, or of row 4 and zeros; those
 * of the first state in the lower half, those of the second in the upper one. So chi needs no
 * moves, and pi takes two lanes of a row for each register. That is 78 operations a round, where
 * one lane of each state in a register has 100.
 */
#include "base/intrinsics.h"
#include "base/unroll.h"
#include "keccak/keccak.h"
#include "keccak/keccak_constants.h"

#if defined(CODEKEM_HAVE_AVX512)
ISA_BEGIN_AVX512

#define ALWAYS_INLINE static inline __attribute__((always_inline))

typedef __m256i lanes;

/* Registers by column. */
struct pair {
  lanes rows01[5], rows23[5], row4[5];
  lanes sums[5]; /* of a column, in both places */
};

/* Of rho, for the rows 0 and 1, 2 and 3. */
#define TWICE(a, b) {a, b, a, b}
alignas(32) static const uint64_t rotations01[5][4] = {
    TWICE(0, 36), TWICE(1, 44), TWICE(62, 6), TWICE(28, 55), TWICE(27, 20),
};
alignas(32) static const uint64_t rotations23[5][4] = {
    TWICE(3, 41), TWICE(10, 45), TWICE(43, 15), TWICE(25, 21), TWICE(39, 8),
};

ALWAYS_INLINE lanes add3(lanes a, lanes b, lanes c) {
  return _mm256_ternarylogic_epi64(a, b, c, 0x96);
}

/* b0 ^ (~b1 & b2) */
ALWAYS_INLINE lanes chi(lanes b0, lanes b1, lanes b2) {
  return _mm256_ternarylogic_epi64(b0, b1, b2, 0xD2);
}

/* The same in the first place of each state, and 0 in the second. */
ALWAYS_INLINE lanes chi_of_row4(lanes b0, lanes b1, lanes b2) {
#if defined(CODEKEM_CHECK_MSAN) /* for which functions with masks use their arguments */
  return _mm256_and_si256(chi(b0, b1, b2), _mm256_set_epi64x(0, -1, 0, -1));
#else
  return _mm256_maskz_ternarylogic_epi64(0x5, b0, b1, b2, 0xD2);
#endif
}

/* The first lanes of a and b, and the second ones. */
ALWAYS_INLINE lanes firsts(lanes a, lanes b) {
  return _mm256_unpacklo_epi64(a, b);
}

ALWAYS_INLINE lanes seconds(lanes a, lanes b) {
  return _mm256_unpackhi_epi64(a, b);
}

ALWAYS_INLINE lanes rotate(lanes a, const uint64_t by[4]) {
  return _mm256_rolv_epi64(a, _mm256_load_si256((const lanes *)(const void *)by));
}

ALWAYS_INLINE void add_column(struct pair *s, int x) {
  const lanes sum = add3(s->rows01[x], s->rows23[x], s->row4[x]);

  s->sums[x] = _mm256_xor_si256(sum, _mm256_shuffle_epi32(sum, 0x4E));
}

/* The orders of columns in both loops let the first sums be ready before the last lanes are. */
ALWAYS_INLINE void round_of_pair(struct pair *s, uint64_t constant) {
  const lanes of_round = _mm256_set_epi64x(0, (long long)constant, 0, (long long)constant);
  lanes a[5], b[5], c[5];

  UNROLL
  for (int i = 0; i < 5; i++) {
    const int x = (2 * i + 1) % 5;
    const lanes before = s->sums[(x + 4) % 5];
    const lanes after = _mm256_rol_epi64(s->sums[(x + 1) % 5], 1);
    a[x] = rotate(add3(s->rows01[x], before, after), rotations01[x]);
    b[x] = rotate(add3(s->rows23[x], before, after), rotations23[x]);
    c[x] = add3(s->row4[x], before, after);
  }
  c[0] = _mm256_rol_epi64(c[0], 18);
  c[1] = _mm256_rol_epi64(c[1], 2);
  c[2] = _mm256_rol_epi64(c[2], 61);
  c[3] = _mm256_rol_epi64(c[3], 56);
  c[4] = _mm256_rol_epi64(c[4], 14);
  /* pi: lane (x, y) was (x + 3 y, x). */
  const lanes moved01[5] = {firsts(a[0], a[3]), seconds(a[1], a[4]), firsts(b[2], b[0]),
                            seconds(b[3], b[1]), firsts(c[4], c[2])};
  const lanes moved23[5] = {firsts(a[1], a[4]), seconds(a[2], a[0]), firsts(b[3], b[1]),
                            seconds(b[4], b[2]), firsts(c[0], c[3])};
  const lanes moved4[5] = {a[2], seconds(a[3], a[3]), b[4], seconds(b[0], b[0]), c[1]};
  const lanes iota = _mm256_xor_si256(moved01[0], of_round);
  UNROLL
  for (int i = 0; i < 5; i++) {
    const int x = 2 * i % 5, next = (x + 1) % 5, after = (x + 2) % 5;
    s->rows01[x] = chi(x == 0 ? iota : moved01[x], moved01[next], moved01[after]);
    s->rows23[x] = chi(moved23[x], moved23[next], moved23[after]);
    s->row4[x] = chi_of_row4(moved4[x], moved4[next], moved4[after]);
    add_column(s, x);
  }
}

ALWAYS_INLINE __m128i load_two(const uint64_t *first, const uint64_t *second) {
  const __m128d low = _mm_load_sd((const double *)(const void *)first);

  return _mm_castpd_si128(_mm_loadh_pd(low, (const double *)(const void *)second));
}

/* Lanes from and from + 5 of both states. */
ALWAYS_INLINE lanes load_lanes(const uint64_t *first, const uint64_t *second, int from) {
  return _mm256_set_m128i(load_two(second + from, second + from + 5),
                          load_two(first + from, first + from + 5));
}

ALWAYS_INLINE void store_two(uint64_t *first, uint64_t *second, __m128i lanes_of_state) {
  _mm_storel_epi64((__m128i *)(void *)first, lanes_of_state);
  _mm_storeh_pd((double *)(void *)second, _mm_castsi128_pd(lanes_of_state));
}

ALWAYS_INLINE void store_lanes(uint64_t *first, uint64_t *second, int to, lanes a) {
  store_two(first + to, first + to + 5, _mm256_castsi256_si128(a));
  store_two(second + to, second + to + 5, _mm256_extracti128_si256(a, 1));
}

static void permute_pair_avx512(uint64_t first[KECCAK_LANES], uint64_t second[KECCAK_LANES]) {
  struct pair s;

  UNROLL
  for (int x = 0; x < 5; x++) {
    s.rows01[x] = load_lanes(first, second, x);
    s.rows23[x] = load_lanes(first, second, 10 + x);
    s.row4[x] = _mm256_set_epi64x(0, (long long)second[20 + x], 0, (long long)first[20 + x]);
    add_column(&s, x);
  }
  for (size_t round = 0; round < KECCAK_ROUNDS; round++) {
    round_of_pair(&s, ckem_keccak_round_constants[round]);
  }
  UNROLL
  for (int x = 0; x < 5; x++) {
    store_lanes(first, second, x, s.rows01[x]);
    store_lanes(first, second, 10 + x, s.rows23[x]);
    _mm_storel_epi64((__m128i *)(void *)(first + 20 + x), _mm256_castsi256_si128(s.row4[x]));
    _mm_storel_epi64((__m128i *)(void *)(second + 20 + x), _mm256_extracti128_si256(s.row4[x], 1));
  }
}

const struct keccak_ops ckem_keccak_avx512 = {
    .name = "avx512",
    .permute = ckem_keccak_permute_avx512,
    .permute_pair = permute_pair_avx512,
    .width = 8,
    .permute_many = ckem_keccak_permute_many_avx512,
    .absorb = ckem_keccak_absorb_avx512,
};

ISA_END
#endif
