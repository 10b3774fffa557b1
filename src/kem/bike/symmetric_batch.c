/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Hashes and generators of BIKE for a batch [BIKE, S4]: side by side, or one by one where that is
 * the only way. Left out where there is no code for batches. */
#include "bike/symmetric.h"

#include "base/bytes.h"
#include "base/wipe.h"

static size_t smaller(size_t a, size_t b) {
  return a < b ? a : b;
}

void ckem_bike_sha3_prf_many(const struct keccak_ops *keccak, size_t count, uint32_t *const out[],
                             size_t words, const uint8_t *const seeds[]) {
  uint8_t *bytes[BIKE_GROUP] = {NULL};

  for (size_t i = 0; i < count; i++) {
    bytes[i] = (uint8_t *)out[i];
  }
  ckem_keccak_hash_many(keccak, SHAKE256_RATE_BYTES, KECCAK_SUFFIX_SHAKE, bytes, 4 * words, seeds,
                        32, count);
  for (size_t i = 0; i < count; i++) {
    for (size_t j = 0; j < words; j++) {
      out[i][j] = load_le32(bytes[i] + 4 * j);
    }
  }
}

void ckem_bike_sha3_hash_many(const struct keccak_ops *keccak, const struct bike_messages *messages,
                              uint8_t *const out[]) {
  struct keccak_many many;

  for (size_t i = 0; i < messages->count; i += keccak->width) {
    ckem_keccak_many_init(&many, keccak, smaller(keccak->width, messages->count - i),
                          SHA3_384_RATE_BYTES, KECCAK_SUFFIX_SHA3);
    ckem_keccak_many_absorb(&many, messages->first + i, messages->first_length);
    ckem_keccak_many_absorb(&many, messages->second + i, messages->second_length);
    ckem_keccak_many_finish(&many);
    ckem_keccak_many_squeeze(&many, out + i, 32);
  }
  ckem_secure_wipe(&many, sizeof many);
}

/* --- One by one, if the hash has no other way ------------------------------------------------- */

bool ckem_bike_prf_many(const struct bike_symmetric *symmetric, const struct keccak_ops *keccak,
                        size_t count, uint32_t *const out[], size_t words,
                        const uint8_t *const seeds[]) {
  struct bike_prf prf;
  bool good = true;

  if (symmetric->prf_many != NULL) {
    symmetric->prf_many(keccak, count, out, words, seeds);
    return true;
  }
  for (size_t i = 0; good && i < count; i++) {
    good = symmetric->prf_open(&prf, keccak, seeds[i]);
    if (good) {
      good = symmetric->prf_words(&prf, out[i], words);
      symmetric->prf_close(&prf);
    }
  }
  return good;
}

bool ckem_bike_hash_many(const struct bike_symmetric *symmetric, const struct keccak_ops *keccak,
                         const struct bike_messages *messages, uint8_t *const out[]) {
  struct bike_hash hash;
  bool good = true;

  if (symmetric->hash_many != NULL) {
    symmetric->hash_many(keccak, messages, out);
    return true;
  }
  for (size_t i = 0; good && i < messages->count; i++) {
    symmetric->hash_open(&hash, keccak);
    symmetric->hash_absorb(&hash, messages->first[i], messages->first_length);
    symmetric->hash_absorb(&hash, messages->second[i], messages->second_length);
    good = symmetric->hash_close(&hash, out[i]);
  }
  return good;
}
