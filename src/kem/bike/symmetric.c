/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* SHA3-384 and SHAKE256 as the hash and the generator of BIKE [BIKE, S4.1 and S4.2]. */
#include "bike/symmetric.h"

#include "base/bytes.h"
#include "base/wipe.h"
#include "kem.h"

static void hash_open(struct bike_hash *hash, const struct keccak_ops *keccak) {
  ckem_keccak_init(&hash->sponge, keccak, SHA3_384_RATE_BYTES, KECCAK_SUFFIX_SHA3);
}

static void hash_absorb(struct bike_hash *hash, const uint8_t *data, size_t length) {
  ckem_keccak_absorb(&hash->sponge, data, length);
}

static void hash_absorb_pair(struct bike_hash *first, const uint8_t *first_data,
                             size_t first_length, struct bike_hash *second,
                             const uint8_t *second_data, size_t second_length) {
  ckem_keccak_absorb_pair(&first->sponge, first_data, first_length, &second->sponge, second_data,
                          second_length);
}

static bool hash_close(struct bike_hash *hash, uint8_t out[32]) {
  ckem_keccak_finish(&hash->sponge);
  ckem_keccak_squeeze(&hash->sponge, out, 32);
  ckem_secure_wipe(hash, sizeof *hash);
  return true;
}

static bool prf_open(struct bike_prf *prf, const struct keccak_ops *keccak,
                     const uint8_t seed[32]) {
  ckem_keccak_init(&prf->sponge, keccak, SHAKE256_RATE_BYTES, KECCAK_SUFFIX_SHAKE);
  ckem_keccak_absorb(&prf->sponge, seed, 32);
  ckem_keccak_finish(&prf->sponge);
  return true;
}

static bool prf_words(struct bike_prf *prf, uint32_t *out, size_t count) {
  uint8_t *bytes = (uint8_t *)out;

  ckem_keccak_squeeze(&prf->sponge, bytes, 4 * count);
  for (size_t i = 0; i < count; i++) {
    out[i] = load_le32(bytes + 4 * i);
  }
  return true;
}

static void prf_close(struct bike_prf *prf) {
  ckem_secure_wipe(prf, sizeof *prf);
}

const struct bike_symmetric ckem_bike_sha3 = {
    .hash_open = hash_open,
    .hash_absorb = hash_absorb,
    .hash_absorb_pair = hash_absorb_pair,
    .hash_close = hash_close,
    .prf_open = prf_open,
    .prf_words = prf_words,
    .prf_close = prf_close,
    .prf_many = KEM_BATCH(ckem_bike_sha3_prf_many),
    .hash_many = KEM_BATCH(ckem_bike_sha3_hash_many),
};
