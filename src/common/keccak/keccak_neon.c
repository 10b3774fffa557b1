/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Keccak-f[1600] for AArch64: one state in general registers, where a rotation comes free with an
 * addition; two states at once in vectors.
 */
#include "base/intrinsics.h"
#include "keccak/keccak.h"

#if defined(CODEKEM_HAVE_NEON)
ISA_BEGIN_NEON

/* --- Two states ---------------------------------------------------------------------------- */

/* 0 < n < 64, constant */
#define ROTATE(x, n) vsriq_n_u64(vshlq_n_u64(x, n), x, 64 - (n))

#define add_3(a, b, c) veorq_u64(veorq_u64(a, b), c)
#define add_rotated(a, b) veorq_u64(a, ROTATE(b, 1))
#define add_masked(a, b, c) veorq_u64(a, vbicq_u64(b, c))
#define MOVE(a, d, n) ROTATE(veorq_u64(a, d), n)

#define TEMPLATE_SUFFIX neon
#include "keccak/keccak_lanes_neon.template.h"

/* --- One state ----------------------------------------------------------------------------- */

static void permute_neon(uint64_t state[KECCAK_LANES]) {
  ckem_keccak_portable.permute(state);
}

const struct keccak_ops ckem_keccak_neon = {
    .name = "neon",
    .permute = permute_neon,
    .permute_pair = permute_pair_neon,
    .width = 2,
    .permute_many = permute_many_neon,
};

ISA_END
#endif
