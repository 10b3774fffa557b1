/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Keccak-f[1600] on vectors that hold lane i of one state or of two [FIPS 202, 3.2].
 *
 * A template (base/template.h): it defines permute_pair and permute_many with the suffix. The file
 * that includes this defines before it TEMPLATE_SUFFIX, which is its own ending, and as macros for
 * vectors of lanes (uint64x2_t):
 *   add_3(a, b, c): a + b + c;
 *   add_rotated(a, b): a + b, with b rotated by one;
 *   add_masked(a, b, c): a where c is 1, and a + b where it is 0;
 *   MOVE(a, d, n): a + d, rotated by the constant n, 0 < n < 64.
 */
#if !defined(TEMPLATE_SUFFIX) || !defined(add_3) || !defined(add_rotated) || \
    !defined(add_masked) || !defined(MOVE)
#error This is a template: define TEMPLATE_SUFFIX, add_3, add_rotated, add_masked and MOVE before it
#endif

#include "base/intrinsics.h"
#include "base/template.h"
#include "keccak/keccak.h"
#include "keccak/keccak_constants.h"

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* chi on one row of five lanes. */
ALWAYS_INLINE void chi_row(uint64x2_t out[5], const uint64x2_t b[5]) {
  out[0] = add_masked(b[0], b[2], b[1]);
  out[1] = add_masked(b[1], b[3], b[2]);
  out[2] = add_masked(b[2], b[4], b[3]);
  out[3] = add_masked(b[3], b[0], b[4]);
  out[4] = add_masked(b[4], b[1], b[0]);
}

/* One round. */
ALWAYS_INLINE void round_of_lanes(uint64x2_t a[KECCAK_LANES], const uint64_t *constant) {
  uint64x2_t b[KECCAK_LANES]; /* after rho and pi */
  uint64x2_t c[5], d[5];      /* theta: sums of the columns, and what is added to them */

  for (size_t x = 0; x < 5; x++) {
    c[x] = add_3(add_3(a[x], a[x + 5], a[x + 10]), a[x + 15], a[x + 20]);
  }
  for (size_t x = 0; x < 5; x++) {
    d[x] = add_rotated(c[(x + 4) % 5], c[(x + 1) % 5]);
  }
  b[0] = veorq_u64(a[0], d[0]);
  b[1] = MOVE(a[6], d[1], 44);
  b[2] = MOVE(a[12], d[2], 43);
  b[3] = MOVE(a[18], d[3], 21);
  b[4] = MOVE(a[24], d[4], 14);
  b[5] = MOVE(a[3], d[3], 28);
  b[6] = MOVE(a[9], d[4], 20);
  b[7] = MOVE(a[10], d[0], 3);
  b[8] = MOVE(a[16], d[1], 45);
  b[9] = MOVE(a[22], d[2], 61);
  b[10] = MOVE(a[1], d[1], 1);
  b[11] = MOVE(a[7], d[2], 6);
  b[12] = MOVE(a[13], d[3], 25);
  b[13] = MOVE(a[19], d[4], 8);
  b[14] = MOVE(a[20], d[0], 18);
  b[15] = MOVE(a[4], d[4], 27);
  b[16] = MOVE(a[5], d[0], 36);
  b[17] = MOVE(a[11], d[1], 10);
  b[18] = MOVE(a[17], d[2], 15);
  b[19] = MOVE(a[23], d[3], 56);
  b[20] = MOVE(a[2], d[2], 62);
  b[21] = MOVE(a[8], d[3], 55);
  b[22] = MOVE(a[14], d[4], 39);
  b[23] = MOVE(a[15], d[0], 41);
  b[24] = MOVE(a[21], d[1], 2);
  for (size_t y = 0; y < KECCAK_LANES; y += 5) {
    chi_row(a + y, b + y);
  }
  a[0] = veorq_u64(a[0], vld1q_dup_u64(constant));
}

ALWAYS_INLINE void permute_lanes(uint64x2_t a[KECCAK_LANES]) {
  for (size_t round = 0; round < KECCAK_ROUNDS; round++) {
    round_of_lanes(a, &ckem_keccak_round_constants[round]);
  }
}

static void TEMPLATE_NAME(permute_pair)(uint64_t first[KECCAK_LANES],
                                        uint64_t second[KECCAK_LANES]) {
  uint64x2_t a[KECCAK_LANES];

  for (size_t i = 0; i < KECCAK_LANES; i++) {
    a[i] = vcombine_u64(vld1_u64(first + i), vld1_u64(second + i));
  }
  permute_lanes(a);
  for (size_t i = 0; i < KECCAK_LANES; i++) {
    vst1q_lane_u64(first + i, a[i], 0);
    vst1q_lane_u64(second + i, a[i], 1);
  }
}

static void TEMPLATE_NAME(permute_many)(uint64_t *states) {
  uint64x2_t a[KECCAK_LANES];

  for (size_t i = 0; i < KECCAK_LANES; i++) {
    a[i] = vld1q_u64(states + 2 * i);
  }
  permute_lanes(a);
  for (size_t i = 0; i < KECCAK_LANES; i++) {
    vst1q_u64(states + 2 * i, a[i]);
  }
}
