/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * codekem-legacy: earlier versions of the KEMs of codekem, for comparison with published results
 * and for exchanges with programs that have them. Not for new uses. The objects work with every
 * codekem_kem_* function of codekem.h.
 *
 * "HQC-128-2023", "HQC-192-2023" and "HQC-256-2023" are HQC as of 2023-04-30, which liboqs had up
 * to 0.13, as PQClean and the crate pqcrypto-hqc do. Their shared secrets have 64 bytes. What they
 * give for a ciphertext that does not decrypt depends on the salt, too, unlike there, where two
 * decapsulations show that it was rejected (CVE-2025-48946); there is no other difference. The
 * check of a secret key compares all but sigma, which nothing determines.
 *
 * "BIKE-L1-v4.2-aes", "BIKE-L1-v4.2-aes-bind", and the same for L3 and L5, are BIKE version 4.2
 * with AES-256 and SHA-384 instead of SHAKE256 and SHA3-384, without and with the public key bound
 * to the message. They need OpenSSL's libcrypto, through which their operations use the heap, and
 * builds without it (CODEKEM_LEGACY_AES=OFF) do not have them. If libcrypto fails, they report
 * CODEKEM_ERROR_INTERNAL with the outputs zeroed, and libcrypto's error queue says why.
 */
#ifndef CODEKEM_LEGACY_H
#define CODEKEM_LEGACY_H

#include <stddef.h>

#include "codekem.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The largest lengths of any KEM of codekem or codekem-legacy, for static buffers; see
 * CODEKEM_MAX_* in codekem.h. Seeds of encapsulation are no longer than there. */
#define CODEKEM_LEGACY_MAX_PUBLIC_KEY 7245
#define CODEKEM_LEGACY_MAX_SECRET_KEY 16494
#define CODEKEM_LEGACY_MAX_CIPHERTEXT 14421
#define CODEKEM_LEGACY_MAX_SHARED_SECRET 64
#define CODEKEM_LEGACY_MAX_KEYPAIR_SEED 112

/* Returns the number of legacy KEMs. */
CODEKEM_API size_t codekem_legacy_kem_count(void);

/* Returns legacy KEM number index, 0 <= index < codekem_legacy_kem_count(); NULL beyond. */
CODEKEM_API const codekem_kem *codekem_legacy_kem_at(size_t index);

/* Returns the legacy KEM called name (exact, case matters), or NULL if there is none. */
CODEKEM_API const codekem_kem *codekem_legacy_kem_find(const char *name);

#ifdef __cplusplus
}
#endif

#endif
