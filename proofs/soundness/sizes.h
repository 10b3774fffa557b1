/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The lengths of what goes into and comes out of a KEM, as its specification has them: constants,
 * so that inputs can be arrays of exactly these lengths. By scheme and LEVEL; see frama_c.h. */
#ifndef CODEKEM_TESTS_SIZES_H
#define CODEKEM_TESTS_SIZES_H

#include "bike/bike.h"
#include "hqc/hqc.h"

#if defined(HQC_2023) /* with seeds of 40 bytes and shared secrets of 64 */
#define PUBLIC_KEY_BYTES (40 + GF2X_BYTES(R_BITS))
#define SECRET_KEY_BYTES (40 + MESSAGE + PUBLIC_KEY_BYTES)
#define CIPHERTEXT_BYTES HQC_CIPHERTEXT_BYTES(R_BITS, CODE_BITS)
#define SHARED_SECRET_BYTES 64
#define KEYPAIR_SEED_BYTES (40 + MESSAGE + 40)
#define ENCAPS_SEED_BYTES (MESSAGE + HQC_SALT_BYTES)
#elif defined(HQC)
#define PUBLIC_KEY_BYTES HQC_PUBLIC_KEY_BYTES(R_BITS)
#define SECRET_KEY_BYTES HQC_SECRET_KEY_BYTES(R_BITS, MESSAGE)
#define CIPHERTEXT_BYTES HQC_CIPHERTEXT_BYTES(R_BITS, CODE_BITS)
#define SHARED_SECRET_BYTES HQC_SECRET_BYTES
#define KEYPAIR_SEED_BYTES HQC_SEED_BYTES
#define ENCAPS_SEED_BYTES (MESSAGE + HQC_SALT_BYTES)
#else
#define PUBLIC_KEY_BYTES BIKE_PUBLIC_KEY_BYTES(R_BITS)
#define SECRET_KEY_BYTES BIKE_SECRET_KEY_BYTES(R_BITS, KEY_WEIGHT)
#define CIPHERTEXT_BYTES BIKE_CIPHERTEXT_BYTES(R_BITS)
#define SHARED_SECRET_BYTES BIKE_SEED_BYTES
#define KEYPAIR_SEED_BYTES BIKE_KEYPAIR_SEED_BYTES
#define ENCAPS_SEED_BYTES BIKE_SEED_BYTES
#endif

#endif
