/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The fields of the core's packets in the library's byte strings; see the header. */
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

static KEM_APART int run_packed(const bike_device *device, unsigned op, const kem_in_field *in,
                                size_t in_fields, const kem_out_field *out, size_t out_fields) {
  uint32_t in_words[MAX_POLY_WORDS + 8 + MAX_SECRET_WORDS], out_words[MAX_SECRET_WORDS];

  return kem_run_packed(device, op, in, in_fields, in_words, out, out_fields, out_words);
}

/* Runs op; if it fails, the outputs are wiped. */
static int run(const bike_device *device, unsigned op, const kem_in_field *in, size_t in_fields,
               const kem_out_field *out, size_t out_fields) {
  const int status = device->run_fields != NULL
                         ? device->run_fields(device->context, op, in, in_fields, out, out_fields)
                         : run_packed(device, op, in, in_fields, out, out_fields);
  if (status != 0) kem_wipe_fields(out, out_fields);
  return status;
}

int bike_device_keypair_derand(const bike_device *device, uint8_t *public_key, uint8_t *secret_key,
                               const uint8_t *seed) {
  struct sizes sizes;
  if (!sizes_of(device->level, &sizes)) return BIKE_DEVICE_LEVEL;
  uint8_t *const h0 = secret_key + 2 * sizes.list, *const h = h0 + 2 * sizes.poly;
  const kem_in_field in[] = {{seed, SEED_BYTES}};
  const kem_out_field out[] = {
      {secret_key, sizes.list}, {secret_key + sizes.list, sizes.list},
      {h0, sizes.poly},         {h0 + sizes.poly, sizes.poly},
      {h, sizes.poly},          {h + sizes.poly, STRING_BYTES},
  };
  const int status = run(device, KEM_OP_KEYGEN, in, KEM_COUNT_OF(in), out, KEM_COUNT_OF(out));
  kem_copy(public_key, h, sizes.poly); /* zeros after an error */
  return status;
}

int bike_device_encaps_derand(const bike_device *device, uint8_t *ciphertext,
                              uint8_t *shared_secret, const uint8_t *public_key,
                              const uint8_t *seed) {
  struct sizes sizes;
  if (!sizes_of(device->level, &sizes)) return BIKE_DEVICE_LEVEL;
  static const uint8_t unused[STRING_BYTES];
  const kem_in_field in[] = {
      {public_key, sizes.poly}, {seed, STRING_BYTES}, {unused, STRING_BYTES}};
  const kem_out_field out[] = {{ciphertext, sizes.poly},
                               {ciphertext + sizes.poly, STRING_BYTES},
                               {shared_secret, STRING_BYTES}};
  return run(device, KEM_OP_ENCAPS, in, KEM_COUNT_OF(in), out, KEM_COUNT_OF(out));
}

int bike_device_decaps(const bike_device *device, uint8_t *shared_secret, const uint8_t *ciphertext,
                       const uint8_t *secret_key) {
  struct sizes sizes;
  if (!sizes_of(device->level, &sizes)) return BIKE_DEVICE_LEVEL;
  const uint8_t *const h0 = secret_key + 2 * sizes.list, *const h = h0 + 2 * sizes.poly;
  const kem_in_field in[] = {
      {ciphertext, sizes.poly}, {ciphertext + sizes.poly, STRING_BYTES},
      {secret_key, sizes.list}, {secret_key + sizes.list, sizes.list},
      {h0, sizes.poly},         {h0 + sizes.poly, sizes.poly},
      {h, sizes.poly},          {h + sizes.poly, STRING_BYTES},
  };
  const kem_out_field out[] = {{shared_secret, STRING_BYTES}};
  return run(device, KEM_OP_DECAPS, in, KEM_COUNT_OF(in), out, KEM_COUNT_OF(out));
}

int bike_device_wipe(const bike_device *device) {
  return device->run(device->context, KEM_OP_WIPE, NULL, 0, NULL, 0);
}
