/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Keccak-f[1600] for a processor with a small instruction cache. */
#ifndef CODEKEM_RISCV_KECCAK_HERE_H
#define CODEKEM_RISCV_KECCAK_HERE_H

#include <stdint.h>

/* Applies the permutation to a state of 25 lanes. */
void keccak_permute_here(uint64_t state[25]);

#endif
