/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * HQC of 2023-04-30, the fourth round's: codes and ring are those of today, hashing and sampling
 * are not [HQC, 17].
 *
 * One thing is not as published: the secret of a rejected ciphertext. The published one is
 * K(sigma, u, v), so it is the same for every salt: whoever sends (u, v) twice with other salts and
 * gets the same secret twice knows that it was rejected (CVE-2025-48946). Here it also depends on
 * the salt, and has a domain of its own. Nobody but the owner of the key ever computes it, so both
 * exchange with each other.
 */
#ifndef CODEKEM_LEGACY_HQC_2023_H
#define CODEKEM_LEGACY_HQC_2023_H

#include "codekem.h"
#include "legacy/legacy_levels.h"

#define HQC_2023_DECLARE(object, ...) extern const codekem_kem object;
LEGACY_HQC_KEMS(HQC_2023_DECLARE)
#undef HQC_2023_DECLARE

#endif
