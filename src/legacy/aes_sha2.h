/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The hash and the generator of BIKE with AES and SHA-2 [BIKE, S4 and S10], from libcrypto. */
#ifndef CODEKEM_LEGACY_AES_SHA2_H
#define CODEKEM_LEGACY_AES_SHA2_H

#include "bike/symmetric.h"

/* SHA-384 cut to 32 bytes, and AES-256 in counter mode. Timing: as constant as libcrypto's AES and
 * SHA-2; its AES is on processors with AES instructions, and on x86-64 with SSSE3. */
extern const struct bike_symmetric ckem_legacy_aes_sha2;

#endif
