/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * codekem-legacy: earlier versions of the KEMs of codekem that need OpenSSL's libcrypto.
 *
 * The KEMs are BIKE version 4.2 with AES-256 and SHA-384 instead of SHAKE256 and SHA3-384, without
 * and with the public key bound to the message: "BIKE-L1-v4.2-aes", "BIKE-L1-v4.2-aes-bind", and
 * the same for L3 and L5. They are included for comparison with published results, not for new
 * uses. The objects work with every codekem_kem_* function of codekem.h. Unlike the KEMs there,
 * their operations use the heap, through libcrypto. If libcrypto fails, they report
 * CODEKEM_ERROR_INTERNAL with the outputs zeroed, and libcrypto's error queue says why.
 */
#ifndef CODEKEM_LEGACY_H
#define CODEKEM_LEGACY_H

#include <stddef.h>

#include "codekem.h"

#ifdef __cplusplus
extern "C" {
#endif

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
