/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Keccak-f[1600] with AArch64's instructions for SHA-3, which do theta, rho and chi in 65 of them a
 * round, for two states at once or for one in the lower halves of the registers.
 */
#include "base/intrinsics.h"
#include "keccak/keccak.h"

#if defined(CODEKEM_HAVE_NEON_SHA3)
ISA_BEGIN_NEON_SHA3

#define add_3(a, b, c) veor3q_u64(a, b, c)
#define add_rotated(a, b) vrax1q_u64(a, b)
#define add_masked(a, b, c) vbcaxq_u64(a, b, c)
#define MOVE(a, d, n) vxarq_u64(a, d, 64 - (n))

#define TEMPLATE_SUFFIX neon_sha3
#include "keccak/keccak_lanes_neon.template.h"

static void permute_neon_sha3(uint64_t state[KECCAK_LANES]) {
  uint64x2_t a[KECCAK_LANES];

  for (size_t i = 0; i < KECCAK_LANES; i++) {
    a[i] = vcombine_u64(vld1_u64(state + i), vdup_n_u64(0));
  }
  permute_lanes(a);
  for (size_t i = 0; i < KECCAK_LANES; i++) {
    vst1q_lane_u64(state + i, a[i], 0);
  }
}

const struct keccak_ops ckem_keccak_neon_sha3 = {
    .name = "neon-sha3",
    .permute = permute_neon_sha3,
    .permute_pair = permute_pair_neon_sha3,
    .width = 2,
    .permute_many = permute_many_neon_sha3,
};

ISA_END
#endif
