/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The round constants of Keccak-f[1600] [FIPS 202, 3.2.5], shared by the back ends. */
#ifndef CODEKEM_KECCAK_KECCAK_CONSTANTS_H
#define CODEKEM_KECCAK_KECCAK_CONSTANTS_H

#include <stdint.h>

#define KECCAK_ROUNDS 24

extern const uint64_t ckem_keccak_round_constants[KECCAK_ROUNDS];

#endif
