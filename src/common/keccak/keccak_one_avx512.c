/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Keccak-f[1600] of one state with five lanes in each of five 512-bit registers [FIPS 202, 3.2].
 *
 * In a layout (a, b, c), lane (x, y) is in register a x + b y at place c x, all modulo 5. The place
 * depends on x alone, so theta's columns are sums of the registers. pi names the lanes anew:
 * register (a + b) x + 3 a y, place c (x + 3 y). Register r, turned by -c r / (a + b) places, then
 * has its lanes at places that depend on y alone: the neighbours in a row, for chi, are at the same
 * place of other registers. A second turn, by -c b r / (a (a + b)), leads to the layout
 * (a + b, 3 a, -c b / a). So a round takes ten shuffles, each of one register, no transposition.
 * Three rounds go from (1, 3, 1) through (4, 3, 2) and (2, 2, 1) to (4, 1, 4), where a + b is 0:
 * before the fourth, lanes change registers once.
 *
 * A round is one chain of about 20 cycles, where one lane in each register has 100 operations for
 * three ports. Places 5 to 7 hold zeros.
 */
#include "base/intrinsics.h"
#include "base/unroll.h"
#include "keccak/keccak.h"
#include "keccak/keccak_constants.h"

#if defined(CODEKEM_HAVE_AVX512)
ISA_BEGIN_AVX512

#define ALWAYS_INLINE static inline __attribute__((always_inline))
#define PLACES 8
#define ALL_PLACES 0x1F
#define ROUNDS_TO_REGROUP 3

/* Five lanes. */
typedef __m512i lanes;

/* By how many places lanes move up, and where each comes from. */
static const uint64_t turns[5][PLACES] = {{0, 1, 2, 3, 4, 5, 6, 7},
                                          {4, 0, 1, 2, 3, 5, 6, 7},
                                          {3, 4, 0, 1, 2, 5, 6, 7},
                                          {2, 3, 4, 0, 1, 5, 6, 7},
                                          {1, 2, 3, 4, 0, 5, 6, 7}};

/* The distances of rho in the three layouts. */
static const uint64_t distances[ROUNDS_TO_REGROUP][5][PLACES] = {{{0, 45, 6, 56, 39},
                                                                  {3, 1, 15, 55, 14},
                                                                  {18, 10, 62, 21, 20},
                                                                  {36, 2, 43, 28, 8},
                                                                  {41, 44, 61, 25, 27}},
                                                                 {{0, 55, 10, 8, 61},
                                                                  {3, 21, 2, 27, 6},
                                                                  {18, 28, 44, 39, 15},
                                                                  {36, 25, 45, 14, 62},
                                                                  {41, 56, 1, 20, 43}},
                                                                 {{0, 2, 15, 25, 20},
                                                                  {41, 10, 6, 28, 14},
                                                                  {36, 1, 61, 21, 39},
                                                                  {18, 45, 43, 55, 27},
                                                                  {3, 44, 62, 56, 8}}};

/* What of two registers comes to the places that the next registers want: of the first if below 8.
 * From chi of the third round to the layout (1, 3, 1), and to planes. */
static const uint64_t to_layout[5][PLACES] = {{0, 10, 3, 8, 1, 5, 6, 7},
                                              {4, 9, 2, 12, 0, 5, 6, 7},
                                              {3, 8, 1, 11, 4, 5, 6, 7},
                                              {2, 12, 0, 10, 3, 5, 6, 7},
                                              {1, 11, 4, 9, 2, 5, 6, 7}};
static const uint64_t to_planes[5][PLACES] = {{0, 8, 3, 11, 1, 5, 6, 7},
                                              {4, 12, 2, 10, 0, 5, 6, 7},
                                              {3, 11, 1, 9, 4, 5, 6, 7},
                                              {2, 10, 0, 8, 3, 5, 6, 7},
                                              {1, 9, 4, 12, 2, 5, 6, 7}};

ALWAYS_INLINE lanes load_table(const uint64_t table[PLACES]) {
  return _mm512_loadu_si512(table);
}

/* Lane i is lane from[i] of a, or lane from[i] - 8 of b. */
ALWAYS_INLINE lanes shuffle(lanes a, lanes from, lanes b) {
#if defined(CODEKEM_CHECK_MSAN) /* which leaves the marks of a shuffled register where they were */
  uint64_t both[2 * PLACES], places[PLACES], out[PLACES];

  _mm512_storeu_si512(both, a);
  _mm512_storeu_si512(both + PLACES, b);
  _mm512_storeu_si512(places, from);
  for (size_t i = 0; i < PLACES; i++) {
    out[i] = both[places[i]];
  }
  return _mm512_loadu_si512(out);
#else
  return _mm512_permutex2var_epi64(a, from, b);
#endif
}

ALWAYS_INLINE lanes turn(lanes a, const lanes by[5], unsigned places) {
#if defined(CODEKEM_CHECK_MSAN)
  return shuffle(a, by[places % 5], a);
#else
  return places % 5 == 0 ? a : _mm512_permutexvar_epi64(by[places % 5], a);
#endif
}

/* Places 2 and 3 of b, place 4 of c, the others of a. */
ALWAYS_INLINE lanes pick(lanes a, lanes b, lanes c) {
  return _mm512_mask_blend_epi64(0x10, _mm512_mask_blend_epi64(0x0C, a, b), c);
}

/* One round, but for the second turn, in a layout whose c is the third argument: register r turns
 * by first * r before chi, where the next lane of a row is step registers on. Register 0 does not
 * turn, so it can wait: it comes last, and takes the constant while the others turn. */
ALWAYS_INLINE void round_in_layout(lanes s[5], const lanes by[5], unsigned c, unsigned first,
                                   unsigned step, const uint64_t rho[5][PLACES],
                                   const uint64_t *constant) {
  const lanes sums = _mm512_ternarylogic_epi64(_mm512_ternarylogic_epi64(s[0], s[1], s[2], 0x96),
                                               s[3], s[4], 0x96);
  const lanes before = turn(sums, by, c);
  const lanes after = turn(_mm512_rol_epi64(sums, 1), by, 5 - c);
  const lanes of_round = _mm512_maskz_loadu_epi64(1, constant);
  lanes b[5];

  UNROLL for (unsigned i = 1; i <= 5; i++) {
    const unsigned r = i % 5;
    const lanes theta = _mm512_ternarylogic_epi64(s[r], before, after, 0x96);
    b[r] = turn(_mm512_rolv_epi64(theta, load_table(rho[r])), by, first * r);
  }
  const lanes iota = _mm512_xor_si512(b[0], of_round);
  UNROLL for (unsigned i = 1; i <= 5; i++) { /* b ^ (~next & the one after it) */
    const unsigned r = i % 5;
    s[r] = _mm512_ternarylogic_epi64(r == 0 ? iota : b[r], b[(r + step) % 5], b[(r + 2 * step) % 5],
                                     0xD2);
  }
}

/* The turn from chi to the next layout. */
ALWAYS_INLINE void turn_back(lanes s[5], const lanes by[5]) {
  UNROLL for (unsigned r = 1; r < 5; r++) {
    s[r] = turn(s[r], by, 3 * r);
  }
}

/* Three rounds from the layout (1, 3, 1). */
ALWAYS_INLINE void three_rounds(lanes s[5], const lanes by[5], const uint64_t *constants) {
  round_in_layout(s, by, 1, 1, 4, distances[0], constants);
  turn_back(s, by);
  round_in_layout(s, by, 2, 4, 2, distances[1], constants + 1);
  turn_back(s, by);
  round_in_layout(s, by, 1, 1, 4, distances[2], constants + 2);
}

/* From chi of the third round to the layout (1, 3, 1). */
ALWAYS_INLINE void regroup(lanes s[5]) {
  lanes m[5];

  UNROLL for (unsigned r = 0; r < 5; r++) {
    m[r] = shuffle(s[r], load_table(to_layout[r]), s[(r + 2) % 5]);
  }
  UNROLL for (unsigned r = 0; r < 5; r++) {
    s[r] = pick(m[2 * r % 5], m[(2 * r + 4) % 5], m[(2 * r + 3) % 5]);
  }
}

/* All rounds from the layout (1, 3, 1) to chi of the last. */
ALWAYS_INLINE void all_rounds(lanes s[5], const lanes by[5]) {
  three_rounds(s, by, ckem_keccak_round_constants);
  for (unsigned round = ROUNDS_TO_REGROUP; round < KECCAK_ROUNDS; round += ROUNDS_TO_REGROUP) {
    regroup(s);
    three_rounds(s, by, ckem_keccak_round_constants + round);
  }
}

/* From the planes of a state or block to the layout (1, 3, 1). */
ALWAYS_INLINE void enter(lanes s[5], const lanes planes[5]) {
  lanes m[5];

  UNROLL for (unsigned y = 0; y < 5; y++) {
    m[y] = _mm512_mask_blend_epi64(0x0A, planes[y], planes[(y + 3) % 5]);
  }
  UNROLL for (unsigned r = 0; r < 5; r++) {
    s[r] = pick(m[2 * r % 5], m[(2 * r + 1) % 5], planes[(2 * r + 2) % 5]);
  }
}

ALWAYS_INLINE void load_state(lanes s[5], const uint64_t state[KECCAK_LANES]) {
  lanes planes[5];

  UNROLL for (unsigned y = 0; y < 5; y++) {
    planes[y] = _mm512_maskz_loadu_epi64(ALL_PLACES, state + 5 * y);
  }
  enter(s, planes);
}

/* From chi of the last round. */
ALWAYS_INLINE void store_state(uint64_t state[KECCAK_LANES], const lanes s[5]) {
  lanes m[5];

  UNROLL for (unsigned r = 0; r < 5; r++) {
    m[r] = shuffle(s[r], load_table(to_planes[r]), s[(r + 4) % 5]);
  }
  UNROLL for (unsigned y = 0; y < 5; y++) {
    _mm512_mask_storeu_epi64(state + 5 * y, ALL_PLACES, pick(m[y], m[(y + 3) % 5], m[(y + 1) % 5]));
  }
}

ALWAYS_INLINE void load_turns(lanes by[5]) {
  UNROLL for (unsigned places = 0; places < 5; places++) {
    by[places] = load_table(turns[places]);
  }
}

void ckem_keccak_permute_avx512(uint64_t state[KECCAK_LANES]) {
  lanes by[5], s[5];

  load_turns(by);
  load_state(s, state);
  all_rounds(s, by);
  store_state(state, s);
}

size_t ckem_keccak_absorb_avx512(uint64_t state[KECCAK_LANES], const uint8_t *data, size_t length,
                                 size_t rate_bytes) {
  const uint32_t of_rate = (UINT32_C(1) << rate_bytes / 8) - 1;
  size_t absorbed = 0;
  lanes by[5], s[5];

  if (length < rate_bytes) {
    return 0;
  }
  load_turns(by);
  load_state(s, state);
  for (;;) {
    lanes planes[5], block[5];

    UNROLL for (unsigned y = 0; y < 5; y++) {
      const __mmask8 places = (__mmask8)(of_rate >> 5 * y & ALL_PLACES);
      const size_t start = places != 0 ? 40 * y : 0; /* no address behind the data */
      planes[y] = _mm512_maskz_loadu_epi64(places, data + absorbed + start);
    }
    enter(block, planes);
    UNROLL for (unsigned r = 0; r < 5; r++) {
      s[r] = _mm512_xor_si512(s[r], block[r]);
    }
    all_rounds(s, by);
    absorbed += rate_bytes;
    if (length - absorbed < rate_bytes) {
      break;
    }
    regroup(s);
  }
  store_state(state, s);
  return absorbed;
}

ISA_END
#endif
