/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Keccak-f[1600] for the Cortex-M4: the permutation is in keccak_permute_m4.S. */
#include "base/isa.h"
#include "keccak/keccak.h"

#if defined(CODEKEM_HAVE_M4)

void ckem_keccak_permute_m4(uint64_t state[KECCAK_LANES]);

static void permute_pair_m4(uint64_t first[KECCAK_LANES], uint64_t second[KECCAK_LANES]) {
  ckem_keccak_permute_m4(first);
  ckem_keccak_permute_m4(second);
}

const struct keccak_ops ckem_keccak_m4 = {
    .name = "m4",
    .permute = ckem_keccak_permute_m4,
    .permute_pair = permute_pair_m4,
    .width = 1,
    .permute_many = ckem_keccak_permute_m4,
};

#endif
