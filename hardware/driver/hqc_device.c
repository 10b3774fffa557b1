/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The fields of the core's packets in the library's byte strings; see the header. */
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

static KEM_APART int run_packed(const kem_device *device, unsigned op, const kem_in_field *in,
                                size_t in_fields, const kem_out_field *out, size_t out_fields) {
  uint32_t in_words[MAX_CIPHERTEXT_WORDS + MAX_SECRET_WORDS];
  uint32_t out_words[MAX_CIPHERTEXT_WORDS + STRING_WORDS];

  return kem_run_packed(device, op, in, in_fields, in_words, out, out_fields, out_words);
}

/* Runs op; if it fails, the outputs are wiped. */
static int run(const kem_device *device, unsigned op, const kem_in_field *in, size_t in_fields,
               const kem_out_field *out, size_t out_fields) {
  const int status = device->run_fields != NULL
                         ? device->run_fields(device->context, op, in, in_fields, out, out_fields)
                         : run_packed(device, op, in, in_fields, out, out_fields);
  if (status != 0) kem_wipe_fields(out, out_fields);
  return status;
}

int hqc_device_keypair_derand(const kem_device *device, uint8_t *public_key, uint8_t *secret_key,
                              const uint8_t *seed) {
  struct sizes sizes;
  if (!sizes_of(device->level, &sizes)) return KEM_DEVICE_LEVEL;
  const size_t public_bytes = STRING_BYTES + sizes.u;
  uint8_t *const seed_dk = secret_key + public_bytes, *const sigma = seed_dk + STRING_BYTES;
  const kem_in_field in[] = {{seed, STRING_BYTES}};
  const kem_out_field out[] = {
      {secret_key, STRING_BYTES}, {secret_key + STRING_BYTES, sizes.u}, {seed_dk, STRING_BYTES},
      {sigma, sizes.m},           {sigma + sizes.m, STRING_BYTES},
  };
  const int status = run(device, KEM_OP_KEYGEN, in, KEM_COUNT_OF(in), out, KEM_COUNT_OF(out));
  /* The public key is the beginning of the secret one; zeros after an error. */
  kem_copy(public_key, secret_key, public_bytes);
  return status;
}

int hqc_device_encaps_derand(const kem_device *device, uint8_t *ciphertext, uint8_t *shared_secret,
                             const uint8_t *public_key, const uint8_t *seed) {
  struct sizes sizes;
  if (!sizes_of(device->level, &sizes)) return KEM_DEVICE_LEVEL;
  uint8_t *const v = ciphertext + sizes.u;
  const kem_in_field in[] = {{public_key, STRING_BYTES},
                             {public_key + STRING_BYTES, sizes.u},
                             {seed, sizes.m},
                             {seed + sizes.m, SALT_BYTES}};
  const kem_out_field out[] = {{ciphertext, sizes.u},
                               {v, sizes.v},
                               {v + sizes.v, SALT_BYTES},
                               {shared_secret, STRING_BYTES}};
  return run(device, KEM_OP_ENCAPS, in, KEM_COUNT_OF(in), out, KEM_COUNT_OF(out));
}

int hqc_device_decaps(const kem_device *device, uint8_t *shared_secret, const uint8_t *ciphertext,
                      const uint8_t *secret_key) {
  struct sizes sizes;
  if (!sizes_of(device->level, &sizes)) return KEM_DEVICE_LEVEL;
  const uint8_t *const v = ciphertext + sizes.u;
  const uint8_t *const seed_dk = secret_key + STRING_BYTES + sizes.u;
  const kem_in_field in[] = {
      {seed_dk, STRING_BYTES},
      {ciphertext, sizes.u},
      {v, sizes.v},
      {v + sizes.v, SALT_BYTES},
      {secret_key, STRING_BYTES},
      {secret_key + STRING_BYTES, sizes.u},
      {seed_dk + STRING_BYTES, sizes.m},
  };
  const kem_out_field out[] = {{shared_secret, STRING_BYTES}};
  return run(device, KEM_OP_DECAPS, in, KEM_COUNT_OF(in), out, KEM_COUNT_OF(out));
}

int hqc_device_wipe(const kem_device *device) {
  return device->run(device->context, KEM_OP_WIPE, NULL, 0, NULL, 0);
}
