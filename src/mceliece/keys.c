/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* From a seed to the parts of a key [MCE, 5]. */
#include "mceliece/keys.h"

#include <string.h>

#include "base/bytes.h"
#include "base/ct.h"
#include "base/profile.h"
#include "base/wipe.h"
#include "keccak/keccak.h"
#include "mceliece/mceliece.h"

/* The pivots of a key whose columns have not moved. */
#define PIVOTS_IN_PLACE UINT64_C(0xFFFFFFFF)

__attribute__((noinline)) void ckem_mceliece_wipe_key_stack(void) {
#if PROFILE_M4_ONLY
  unsigned char below[6144]; /* portable code for recurrences goes that deep (devices/tests) */

  ckem_secure_wipe(below, sizeof below);
#endif
}

struct mceliece_key_memory ckem_mceliece_take_key_memory(const struct mceliece_params *params,
                                                         struct arena *arena) {
  struct mceliece_key_memory memory;

  memory.expansion =
      (uint8_t *)arena_take(arena, ARENA_BYTES_TO_WORDS(mceliece_expansion_bytes(params)));
  memory.goppa = (uint16_t *)arena_take(arena, ARENA_BYTES_TO_WORDS(2 * (size_t)params->t));
  memory.columns = ckem_mceliece_take_columns(params, arena);
  return memory;
}

void ckem_mceliece_read_goppa(const struct mceliece_params *params, uint16_t *goppa,
                              const uint8_t *bytes) {
  for (size_t i = 0; i < params->t; i++) {
    goppa[i] =
        (uint16_t)((bytes[2 * i] | bytes[2 * i + 1] << 8) & (int)(mceliece_field_size(params) - 1));
  }
}

struct mceliece_expansion ckem_mceliece_expand(const struct mceliece_params *params,
                                               const struct backend *backend, uint8_t *bytes,
                                               const uint8_t *delta) {
  uint8_t message[1 + MCELIECE_SEED_BYTES] = {64};
  struct mceliece_expansion parts;

  memcpy(message + 1, delta, MCELIECE_SEED_BYTES);
  ckem_shake256(backend->keccak, bytes, mceliece_expansion_bytes(params), message, sizeof message);
  parts.rejection = bytes;
  parts.ordering = parts.rejection + mceliece_error_bytes(params);
  parts.beta = parts.ordering + 4 * (size_t)mceliece_field_size(params);
  parts.next = parts.beta + 2 * params->t;
  return parts;
}

/* Returns a mask: a key may have these pivots. */
static uint64_t possible_pivots(const struct mceliece_variant *variant, uint64_t pivots) {
  uint32_t weight = 0;

  for (uint32_t i = 0; i < MCELIECE_NU; i++) {
    weight += (uint32_t)(pivots >> i & 1);
  }
  return ct_mask_zero_u64(weight ^ MCELIECE_MU) &
         (variant->semi_systematic ? ~UINT64_C(0) : ct_mask_zero_u64(pivots ^ PIVOTS_IN_PLACE));
}

/* Writes g, the control bits and s into a secret key. */
static void write_parts(const struct mceliece_params *params, const struct backend *backend,
                        uint8_t *secret_key, const uint16_t *goppa, const uint16_t *pi,
                        const uint8_t *rejection, struct arena arena) {
  const struct mceliece_secret_key_layout layout = mceliece_lay_out_secret_key(params);

  for (size_t i = 0; i < params->t; i++) {
    secret_key[layout.goppa + 2 * i] = (uint8_t)goppa[i];
    secret_key[layout.goppa + 2 * i + 1] = (uint8_t)(goppa[i] >> 8);
  }
  memcpy(secret_key + layout.rejection, rejection, mceliece_error_bytes(params));
  ckem_benes_ops_of(backend)->find_control_bits(params->m, secret_key + layout.control, pi,
                                                arena_take(&arena, BENES_SCRATCH_WORDS(params->m)));
}

codekem_status ckem_mceliece_keypair(const struct mceliece_variant *variant,
                                     const struct backend *backend, uint8_t *public_key,
                                     uint8_t *secret_key, const uint8_t *seed, struct arena arena) {
  const struct mceliece_params *params = variant->params;
  const struct mceliece_key_memory memory = ckem_mceliece_take_key_memory(params, &arena);
  struct mceliece_expansion parts;
  uint64_t pivots = PIVOTS_IN_PLACE;
  bool made = false;

  memcpy(secret_key, seed, MCELIECE_SEED_BYTES);
  //@ dynamic_split made;
  //@ loop unroll 0;
  for (size_t attempt = 0; !made; attempt++) {
    if (attempt == MCELIECE_MOST_ATTEMPTS) {
      return CODEKEM_ERROR_INTERNAL;
    }
    parts = ckem_mceliece_expand(params, backend, memory.expansion, secret_key);
    made = ckem_mceliece_goppa_polynomial(params, backend, memory.goppa, parts.beta, arena) &&
           ckem_mceliece_order_columns(params, backend, &memory.columns, parts.ordering,
                                       memory.goppa, arena) &&
           ckem_mceliece_make_public_key(params, backend, variant->semi_systematic, public_key,
                                         &pivots, &memory.columns, arena);
    if (!made) {
      memcpy(secret_key, parts.next, MCELIECE_SEED_BYTES);
    }
  }
  store_le64(secret_key + MCELIECE_SEED_BYTES, pivots);
  write_parts(params, backend, secret_key, memory.goppa, memory.columns.pi, parts.rejection, arena);
  return CODEKEM_OK;
}

codekem_status ckem_mceliece_expand_short_key(const struct mceliece_variant *variant,
                                              const struct backend *backend, uint8_t *secret_key,
                                              const uint8_t *short_key, struct arena arena) {
  const struct mceliece_params *params = variant->params;
  const struct mceliece_key_memory memory = ckem_mceliece_take_key_memory(params, &arena);
  const struct mceliece_expansion parts =
      ckem_mceliece_expand(params, backend, memory.expansion, short_key);
  const uint64_t pivots = load_le64(short_key + MCELIECE_SEED_BYTES);
  uint64_t possible = possible_pivots(variant, pivots);

  /* Public: the verdict on the key. */
  ct_declassify(&possible, sizeof possible);
  if (possible == 0 ||
      !ckem_mceliece_goppa_polynomial(params, backend, memory.goppa, parts.beta, arena) ||
      !ckem_mceliece_order_columns(params, backend, &memory.columns, parts.ordering, memory.goppa,
                                   arena)) {
    return CODEKEM_ERROR_SECRET_KEY;
  }
  if (variant->semi_systematic) {
    ckem_bitmatrix_move_pivots((uint32_t)mceliece_rows(params), pivots, memory.columns.pi);
  }
  memmove(secret_key, short_key, MCELIECE_SHORT_KEY_BYTES);
  write_parts(params, backend, secret_key, memory.goppa, memory.columns.pi, parts.rejection, arena);
  return CODEKEM_OK;
}

codekem_status ckem_mceliece_check_secret_key(const struct mceliece_variant *variant,
                                              const struct backend *backend,
                                              const uint8_t *secret_key, struct arena arena) {
  const size_t length = mceliece_lay_out_secret_key(variant->params).end;
  uint8_t *again = (uint8_t *)arena_take(&arena, ARENA_BYTES_TO_WORDS(length));
  uint64_t differences = 0;

  if (ckem_mceliece_expand_short_key(variant, backend, again, secret_key, arena) != CODEKEM_OK) {
    return CODEKEM_ERROR_SECRET_KEY;
  }
  for (size_t i = 0; i < length; i++) {
    differences |= (uint64_t)(again[i] ^ secret_key[i]);
  }
  uint64_t good = ct_mask_zero_u64(differences);
  /* Public: the verdict is what the caller asked for. */
  ct_declassify(&good, sizeof good);
  return good != 0 ? CODEKEM_OK : CODEKEM_ERROR_SECRET_KEY;
}

void ckem_mceliece_columns_of_key(const struct mceliece_params *params,
                                  const struct backend *backend,
                                  const struct mceliece_columns *columns, const uint8_t *secret_key,
                                  struct arena arena) {
  const struct mceliece_secret_key_layout layout = mceliece_lay_out_secret_key(params);
  const struct benes_ops *ops = ckem_benes_ops_of(backend);
  uint64_t *network = arena_take(&arena, BENES_NETWORK_WORDS(params->m));
  uint64_t *scratch = arena_take(&arena, BENES_SCRATCH_WORDS(params->m));
  uint16_t goppa[MCELIECE_MAX_T];

  ckem_mceliece_read_goppa(params, goppa, secret_key + layout.goppa);
  ops->prepare(params->m, network, secret_key + layout.control);
  ops->permutation(params->m, columns->pi, network, scratch);
  ckem_mceliece_fill_columns(params, backend, columns, goppa, arena);
}

codekem_status ckem_mceliece_derive_public_key(const struct mceliece_variant *variant,
                                               const struct backend *backend, uint8_t *public_key,
                                               const uint8_t *secret_key, struct arena arena) {
  const struct mceliece_params *params = variant->params;
  const struct mceliece_columns columns = ckem_mceliece_take_columns(params, &arena);
  uint64_t pivots;

  ckem_mceliece_columns_of_key(params, backend, &columns, secret_key, arena);
  return ckem_mceliece_make_public_key(params, backend, false, public_key, &pivots, &columns, arena)
             ? CODEKEM_OK
             : CODEKEM_ERROR_SECRET_KEY;
}
