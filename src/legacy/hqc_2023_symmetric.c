/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What HQC of 2023-04-30 hashes and how it samples [HQC, 17]. */
#include "legacy/hqc_2023_symmetric.h"

#include "base/bytes.h"
#include "base/ct.h"
#include "hqc/sampling.h"
#include "sparse/sparse.h"

#define DOMAIN_EXPANDER 2

void ckem_hqc_2023_open(struct keccak_sponge *stream, const struct keccak_ops *keccak,
                        const uint8_t *seed) {
  const uint8_t domain = DOMAIN_EXPANDER;

  ckem_hqc_2023_hash_start(stream, keccak);
  ckem_keccak_absorb(stream, seed, HQC_2023_SEED_BYTES);
  ckem_keccak_absorb(stream, &domain, 1);
  ckem_keccak_finish(stream);
}

void ckem_hqc_2023_hash_start(struct keccak_sponge *sponge, const struct keccak_ops *keccak) {
  ckem_keccak_init(sponge, keccak, SHAKE256_RATE_BYTES, KECCAK_SUFFIX_SHAKE);
}

/* Returns a word from which pick_distinct, which takes floor(w length / 2^32), takes
 * word mod length.
 *
 * With q = floor(2^32 / length), r (q + 1) length / 2^32 lies between r and r + length^2 / 2^32,
 * and length < 2^16. */
static uint32_t remainder_as_fraction(uint32_t word, uint32_t length) {
  const uint32_t q = UINT32_MAX / length; /* public: the ring and a loop counter */
  const uint32_t quotient = (uint32_t)((uint64_t)word * q >> 32);
  const uint32_t remainder = word - quotient * length; /* below 2 length */

  return (remainder - (length & ~ct_mask_less_u32(remainder, length))) * (q + 1);
}

void ckem_hqc_2023_sample(const struct hqc_params *params, const struct backend *backend,
                          struct keccak_sponge *stream, uint32_t *positions, uint32_t count) {
  const uint32_t n = params->ring->r_bits;
  uint8_t *bytes = (uint8_t *)positions;

  ckem_hqc_squeeze_rounded(stream, bytes, 4 * (size_t)count);
  for (uint32_t i = 0; i < count; i++) {
    positions[i] = remainder_as_fraction(load_le32(bytes + 4 * (size_t)i), n - i);
  }
  backend->sparse->pick_distinct(positions, positions, count, n);
}
