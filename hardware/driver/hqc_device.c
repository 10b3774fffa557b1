/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Packs the library's byte strings into the core's packets and back; see the header. */
#include "hqc_device.h"

#include <stdbool.h>

#include "kem_packet.h"

enum { STRING_BYTES = 32, SALT_BYTES = 16 };
enum { MAX_U_WORDS = (7205 + 3) / 4, MAX_V_WORDS = 7200 / 4, STRING_WORDS = 8, SALT_WORDS = 4 };
enum { MAX_SECRET_WORDS = MAX_U_WORDS + 4 * STRING_WORDS };
enum { MAX_CIPHERTEXT_WORDS = MAX_U_WORDS + MAX_V_WORDS + SALT_WORDS };

struct sizes {
  size_t u; /* bytes of u, and of s */
  size_t v;
  size_t m; /* of m, and of sigma */
};

static bool sizes_of(unsigned level, struct sizes *sizes) {
  static const struct sizes known[] = {{2209, 2208, 16}, {4482, 4480, 24}, {7205, 7200, 32}};
  if (level != 1 && level != 3 && level != 5) return false;
  *sizes = known[level / 2];
  return true;
}

int hqc_device_keypair_derand(const kem_device *device, uint8_t *public_key, uint8_t *secret_key,
                              const uint8_t *seed) {
  struct sizes sizes;
  if (!sizes_of(device->level, &sizes)) return KEM_DEVICE_LEVEL;
  const size_t public_bytes = STRING_BYTES + sizes.u;
  uint32_t in_words[STRING_WORDS], out_words[MAX_SECRET_WORDS];
  struct kem_packet in = {in_words, 0}, out = {out_words, 0};
  kem_put(&in, seed, STRING_BYTES);
  const size_t count = kem_words_of(sizes.u) + 3 * STRING_WORDS + sizes.m / 4;
  const int status =
      device->run(device->context, KEM_OP_KEYGEN, in.words, in.count, out.words, count);
  if (status == 0) {
    struct kem_packet again = out; /* the public key is the beginning of the secret one */
    kem_get(&again, kem_get(&again, public_key, STRING_BYTES), sizes.u);
    uint8_t *next = kem_get(&out, secret_key, STRING_BYTES);
    next = kem_get(&out, next, sizes.u);
    next = kem_get(&out, next, STRING_BYTES);
    next = kem_get(&out, next, sizes.m);
    kem_get(&out, next, STRING_BYTES);
  } else {
    kem_wipe(public_key, public_bytes);
    kem_wipe(secret_key, public_bytes + 2 * STRING_BYTES + sizes.m);
  }
  kem_wipe(in_words, sizeof in_words);
  kem_wipe(out_words, sizeof out_words);
  return status;
}

int hqc_device_encaps_derand(const kem_device *device, uint8_t *ciphertext, uint8_t *shared_secret,
                             const uint8_t *public_key, const uint8_t *seed) {
  struct sizes sizes;
  if (!sizes_of(device->level, &sizes)) return KEM_DEVICE_LEVEL;
  uint32_t in_words[MAX_U_WORDS + 3 * STRING_WORDS];
  uint32_t out_words[MAX_CIPHERTEXT_WORDS + STRING_WORDS];
  struct kem_packet in = {in_words, 0}, out = {out_words, 0};
  const uint8_t *const s = kem_put(&in, public_key, STRING_BYTES);
  kem_put(&in, s, sizes.u);
  const uint8_t *const salt = kem_put(&in, seed, sizes.m);
  kem_put(&in, salt, SALT_BYTES);
  const size_t count = kem_words_of(sizes.u) + sizes.v / 4 + SALT_WORDS + STRING_WORDS;
  const int status =
      device->run(device->context, KEM_OP_ENCAPS, in.words, in.count, out.words, count);
  if (status == 0) {
    uint8_t *next = kem_get(&out, ciphertext, sizes.u);
    next = kem_get(&out, next, sizes.v);
    kem_get(&out, next, SALT_BYTES);
    kem_get(&out, shared_secret, STRING_BYTES);
  } else {
    kem_wipe(ciphertext, sizes.u + sizes.v + SALT_BYTES);
    kem_wipe(shared_secret, STRING_BYTES);
  }
  kem_wipe(in_words, sizeof in_words);
  kem_wipe(out_words, sizeof out_words);
  return status;
}

int hqc_device_decaps(const kem_device *device, uint8_t *shared_secret, const uint8_t *ciphertext,
                      const uint8_t *secret_key) {
  struct sizes sizes;
  if (!sizes_of(device->level, &sizes)) return KEM_DEVICE_LEVEL;
  uint32_t in_words[MAX_CIPHERTEXT_WORDS + MAX_SECRET_WORDS], out_words[STRING_WORDS];
  struct kem_packet in = {in_words, 0}, out = {out_words, 0};
  const uint8_t *const seed_dk = secret_key + STRING_BYTES + sizes.u;
  const uint8_t *const sigma = kem_put(&in, seed_dk, STRING_BYTES);
  const uint8_t *next = kem_put(&in, ciphertext, sizes.u);
  next = kem_put(&in, next, sizes.v);
  kem_put(&in, next, SALT_BYTES);
  const uint8_t *const s = kem_put(&in, secret_key, STRING_BYTES);
  kem_put(&in, s, sizes.u);
  kem_put(&in, sigma, sizes.m);
  const int status =
      device->run(device->context, KEM_OP_DECAPS, in.words, in.count, out.words, STRING_WORDS);
  if (status == 0) {
    kem_get(&out, shared_secret, STRING_BYTES);
  } else {
    kem_wipe(shared_secret, STRING_BYTES);
  }
  kem_wipe(in_words, sizeof in_words);
  kem_wipe(out_words, sizeof out_words);
  return status;
}

int hqc_device_wipe(const kem_device *device) {
  return device->run(device->context, KEM_OP_WIPE, NULL, 0, NULL, 0);
}
