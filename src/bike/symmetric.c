/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* SHA3-384 and SHAKE256 as the hash and the generator of BIKE [BIKE, S4.1 and S4.2]. */
#include "bike/symmetric.h"

#include "base/bytes.h"
#include "base/wipe.h"

static bool hash(const struct keccak_ops *keccak, uint8_t out[32], const struct bike_bytes *pieces,
                 size_t count) {
  struct keccak_sponge sponge;

  keccak_init(&sponge, keccak, SHA3_384_RATE_BYTES, KECCAK_SUFFIX_SHA3);
  for (size_t i = 0; i < count; i++) {
    keccak_absorb(&sponge, pieces[i].data, pieces[i].length);
  }
  keccak_finish(&sponge);
  keccak_squeeze(&sponge, out, 32);
  secure_wipe(&sponge, sizeof sponge);
  return true;
}

static bool prf_open(struct bike_prf *prf, const struct keccak_ops *keccak,
                     const uint8_t seed[32]) {
  keccak_init(&prf->sponge, keccak, SHAKE256_RATE_BYTES, KECCAK_SUFFIX_SHAKE);
  keccak_absorb(&prf->sponge, seed, 32);
  keccak_finish(&prf->sponge);
  return true;
}

static bool prf_words(struct bike_prf *prf, uint32_t *out, size_t count) {
  for (size_t i = 0; i < count; i++) {
    uint8_t word[4];
    keccak_squeeze(&prf->sponge, word, sizeof word);
    out[i] = load_le32(word);
    secure_wipe(word, sizeof word);
  }
  return true;
}

static void prf_close(struct bike_prf *prf) {
  secure_wipe(prf, sizeof *prf);
}

const struct bike_symmetric bike_sha3 = {
    .hash = hash,
    .prf_open = prf_open,
    .prf_words = prf_words,
    .prf_close = prf_close,
};
