/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Packs the library's byte strings into the core's packets and back; see the header. */
#include "bike_device.h"

#include <stdbool.h>

#include "kem_packet.h"

enum { SEED_BYTES = 64, STRING_BYTES = 32, MAX_POLY_WORDS = (5122 + 3) / 4, MAX_WEIGHT = 137 };
enum { MAX_SECRET_WORDS = 2 * MAX_WEIGHT + 3 * MAX_POLY_WORDS + 8 };

struct sizes {
  size_t poly; /* bytes */
  size_t list; /* bytes of a list of positions */
};

static bool sizes_of(unsigned level, struct sizes *sizes) {
  static const struct sizes known[] = {{1541, 4 * 71}, {3083, 4 * 103}, {5122, 4 * 137}};
  if (level != 1 && level != 3 && level != 5) return false;
  *sizes = known[level / 2];
  return true;
}

int bike_device_keypair_derand(const bike_device *device, uint8_t *public_key, uint8_t *secret_key,
                               const uint8_t *seed) {
  struct sizes sizes;
  if (!sizes_of(device->level, &sizes)) return BIKE_DEVICE_LEVEL;
  const size_t secret_bytes = 2 * sizes.list + 3 * sizes.poly + STRING_BYTES;
  uint32_t in_words[SEED_BYTES / 4], out_words[MAX_SECRET_WORDS];
  struct kem_packet in = {in_words, 0}, out = {out_words, 0};
  kem_put(&in, seed, SEED_BYTES);
  const size_t count =
      2 * kem_words_of(sizes.list) + 3 * kem_words_of(sizes.poly) + STRING_BYTES / 4;
  const int status =
      device->run(device->context, KEM_OP_KEYGEN, in.words, in.count, out.words, count);
  if (status == 0) {
    uint8_t *next = kem_get(&out, secret_key, sizes.list);
    next = kem_get(&out, next, sizes.list);
    next = kem_get(&out, next, sizes.poly);
    next = kem_get(&out, next, sizes.poly);
    struct kem_packet h = out; /* the public key is in both */
    kem_get(&h, public_key, sizes.poly);
    next = kem_get(&out, next, sizes.poly);
    kem_get(&out, next, STRING_BYTES);
  } else {
    kem_wipe(public_key, sizes.poly);
    kem_wipe(secret_key, secret_bytes);
  }
  kem_wipe(in_words, sizeof in_words);
  kem_wipe(out_words, sizeof out_words);
  return status;
}

int bike_device_encaps_derand(const bike_device *device, uint8_t *ciphertext,
                              uint8_t *shared_secret, const uint8_t *public_key,
                              const uint8_t *seed) {
  struct sizes sizes;
  if (!sizes_of(device->level, &sizes)) return BIKE_DEVICE_LEVEL;
  static const uint8_t unused[STRING_BYTES];
  uint32_t in_words[MAX_POLY_WORDS + 16], out_words[MAX_POLY_WORDS + 16];
  struct kem_packet in = {in_words, 0}, out = {out_words, 0};
  kem_put(&in, public_key, sizes.poly);
  kem_put(&in, seed, STRING_BYTES);
  kem_put(&in, unused, STRING_BYTES);
  const int status = device->run(device->context, KEM_OP_ENCAPS, in.words, in.count, out.words,
                                 kem_words_of(sizes.poly) + 16);
  if (status == 0) {
    uint8_t *const c1 = kem_get(&out, ciphertext, sizes.poly);
    kem_get(&out, c1, STRING_BYTES);
    kem_get(&out, shared_secret, STRING_BYTES);
  } else {
    kem_wipe(ciphertext, sizes.poly + STRING_BYTES);
    kem_wipe(shared_secret, STRING_BYTES);
  }
  kem_wipe(in_words, sizeof in_words);
  kem_wipe(out_words, sizeof out_words);
  return status;
}

int bike_device_decaps(const bike_device *device, uint8_t *shared_secret, const uint8_t *ciphertext,
                       const uint8_t *secret_key) {
  struct sizes sizes;
  if (!sizes_of(device->level, &sizes)) return BIKE_DEVICE_LEVEL;
  uint32_t in_words[MAX_POLY_WORDS + 8 + MAX_SECRET_WORDS], out_words[STRING_BYTES / 4];
  struct kem_packet in = {in_words, 0}, out = {out_words, 0};
  const uint8_t *next = kem_put(&in, ciphertext, sizes.poly);
  kem_put(&in, next, STRING_BYTES);
  next = kem_put(&in, secret_key, sizes.list);
  next = kem_put(&in, next, sizes.list);
  for (int i = 0; i < 3; ++i) next = kem_put(&in, next, sizes.poly);
  kem_put(&in, next, STRING_BYTES);
  const int status =
      device->run(device->context, KEM_OP_DECAPS, in.words, in.count, out.words, STRING_BYTES / 4);
  if (status == 0) {
    kem_get(&out, shared_secret, STRING_BYTES);
  } else {
    kem_wipe(shared_secret, STRING_BYTES);
  }
  kem_wipe(in_words, sizeof in_words);
  kem_wipe(out_words, sizeof out_words);
  return status;
}

int bike_device_wipe(const bike_device *device) {
  return device->run(device->context, KEM_OP_WIPE, NULL, 0, NULL, 0);
}
