/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * What HQC of 2023-04-30 hashes and how it samples: SHAKE256 for everything [HQC, 17].
 *
 * Nothing here can fail. All inputs and outputs may be secret; timing depends on lengths only.
 */
#ifndef CODEKEM_LEGACY_HQC_2023_SYMMETRIC_H
#define CODEKEM_LEGACY_HQC_2023_SYMMETRIC_H

#include <stddef.h>
#include <stdint.h>

#include "hqc/hqc.h"
#include "keccak/keccak.h"

#define HQC_2023_SEED_BYTES 40
#define HQC_2023_HASH_BYTES 64 /* the shared secret, and theta: the first seed bytes of it count */

/* What a hash is used for is its last input. */
#define HQC_2023_DOMAIN_G 3
#define HQC_2023_DOMAIN_K 4
#define HQC_2023_DOMAIN_REJECTION 5 /* ours; see hqc_2023.h */

/* Opens stream, the seed expander of seed[HQC_2023_SEED_BYTES]. */
void ckem_hqc_2023_open(struct keccak_sponge *stream, const struct keccak_ops *keccak,
                        const uint8_t *seed);

/* Starts a hash; ckem_hqc_hash_end ends it. */
void ckem_hqc_2023_hash_start(struct keccak_sponge *sponge, const struct keccak_ops *keccak);

/* Draws count distinct positions, at most HQC_MAX_WEIGHT, as [Sen21] with a remainder: word w at
 * index i gives i + w mod (n - i). */
void ckem_hqc_2023_sample(const struct hqc_params *params, const struct backend *backend,
                          struct keccak_sponge *stream, uint32_t *positions, uint32_t count);

#endif
