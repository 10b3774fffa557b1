/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Packs the library's byte strings into the core's packets and back; see the header. */
#include "bike_device.h"

#include <stdbool.h>

enum { OP_KEYGEN = 1, OP_ENCAPS = 2, OP_DECAPS = 3, OP_WIPE = 4 };
enum { SEED_BYTES = 64, STRING_BYTES = 32, MAX_POLY_WORDS = (5122 + 3) / 4, MAX_WEIGHT = 137 };
enum { MAX_SECRET_WORDS = 2 * MAX_WEIGHT + 3 * MAX_POLY_WORDS + 8 };

/* A packet that is being written or read, field by field. */
struct packet {
  uint32_t *words;
  size_t count;
};

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

static void wipe(void *data, size_t bytes) {
  volatile uint8_t *p = data;
  while (bytes-- > 0) *p++ = 0;
}

static size_t words_of(size_t bytes) {
  return (bytes + 3) / 4;
}

/* Appends a field of bytes; returns what follows it in the byte string. */
static const uint8_t *put(struct packet *packet, const uint8_t *bytes, size_t length) {
  for (size_t i = 0; i < words_of(length); ++i) {
    uint32_t word = 0;
    for (size_t j = 0; j < 4 && 4 * i + j < length; ++j) {
      word |= (uint32_t)bytes[4 * i + j] << (8 * j);
    }
    packet->words[packet->count++] = word;
  }
  return bytes + length;
}

/* Takes a field out of a packet; returns where the next one goes. */
static uint8_t *get(struct packet *packet, uint8_t *bytes, size_t length) {
  for (size_t i = 0; i < length; ++i) {
    bytes[i] = (uint8_t)(packet->words[packet->count + i / 4] >> (8 * (i % 4)));
  }
  packet->count += words_of(length);
  return bytes + length;
}

int bike_device_keypair_derand(const bike_device *device, uint8_t *public_key, uint8_t *secret_key,
                               const uint8_t *seed) {
  struct sizes sizes;
  if (!sizes_of(device->level, &sizes)) return BIKE_DEVICE_LEVEL;
  const size_t secret_bytes = 2 * sizes.list + 3 * sizes.poly + STRING_BYTES;
  uint32_t in_words[SEED_BYTES / 4], out_words[MAX_SECRET_WORDS];
  struct packet in = {in_words, 0}, out = {out_words, 0};
  put(&in, seed, SEED_BYTES);
  const size_t count = 2 * words_of(sizes.list) + 3 * words_of(sizes.poly) + STRING_BYTES / 4;
  const int status = device->run(device->context, OP_KEYGEN, in.words, in.count, out.words, count);
  if (status == 0) {
    uint8_t *next = get(&out, secret_key, sizes.list);
    next = get(&out, next, sizes.list);
    next = get(&out, next, sizes.poly);
    next = get(&out, next, sizes.poly);
    struct packet h = out; /* the public key is in both */
    get(&h, public_key, sizes.poly);
    next = get(&out, next, sizes.poly);
    get(&out, next, STRING_BYTES);
  } else {
    wipe(public_key, sizes.poly);
    wipe(secret_key, secret_bytes);
  }
  wipe(in_words, sizeof in_words);
  wipe(out_words, sizeof out_words);
  return status;
}

int bike_device_encaps_derand(const bike_device *device, uint8_t *ciphertext,
                              uint8_t *shared_secret, const uint8_t *public_key,
                              const uint8_t *seed) {
  struct sizes sizes;
  if (!sizes_of(device->level, &sizes)) return BIKE_DEVICE_LEVEL;
  static const uint8_t unused[STRING_BYTES];
  uint32_t in_words[MAX_POLY_WORDS + 16], out_words[MAX_POLY_WORDS + 16];
  struct packet in = {in_words, 0}, out = {out_words, 0};
  put(&in, public_key, sizes.poly);
  put(&in, seed, STRING_BYTES);
  put(&in, unused, STRING_BYTES);
  const int status = device->run(device->context, OP_ENCAPS, in.words, in.count, out.words,
                                 words_of(sizes.poly) + 16);
  if (status == 0) {
    uint8_t *const c1 = get(&out, ciphertext, sizes.poly);
    get(&out, c1, STRING_BYTES);
    get(&out, shared_secret, STRING_BYTES);
  } else {
    wipe(ciphertext, sizes.poly + STRING_BYTES);
    wipe(shared_secret, STRING_BYTES);
  }
  wipe(in_words, sizeof in_words);
  wipe(out_words, sizeof out_words);
  return status;
}

int bike_device_decaps(const bike_device *device, uint8_t *shared_secret, const uint8_t *ciphertext,
                       const uint8_t *secret_key) {
  struct sizes sizes;
  if (!sizes_of(device->level, &sizes)) return BIKE_DEVICE_LEVEL;
  uint32_t in_words[MAX_POLY_WORDS + 8 + MAX_SECRET_WORDS], out_words[STRING_BYTES / 4];
  struct packet in = {in_words, 0}, out = {out_words, 0};
  const uint8_t *next = put(&in, ciphertext, sizes.poly);
  put(&in, next, STRING_BYTES);
  next = put(&in, secret_key, sizes.list);
  next = put(&in, next, sizes.list);
  for (int i = 0; i < 3; ++i) next = put(&in, next, sizes.poly);
  put(&in, next, STRING_BYTES);
  const int status =
      device->run(device->context, OP_DECAPS, in.words, in.count, out.words, STRING_BYTES / 4);
  if (status == 0) {
    get(&out, shared_secret, STRING_BYTES);
  } else {
    wipe(shared_secret, STRING_BYTES);
  }
  wipe(in_words, sizeof in_words);
  wipe(out_words, sizeof out_words);
  return status;
}

int bike_device_wipe(const bike_device *device) {
  return device->run(device->context, OP_WIPE, NULL, 0, NULL, 0);
}
