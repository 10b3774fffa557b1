/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Encapsulation to a public key that may come in pieces [MCE, 6.2, 6.3, 8]. */
#include "mceliece/encoder.h"

#include <string.h>

#include "base/bytes.h"
#include "base/profile.h"
#include "mceliece/mceliece_ops_m4.h"

/* Rows whose parities are made at once. */
#define ROWS_AT_ONCE 512

void ckem_mceliece_hash(const struct keccak_ops *keccak, struct keccak_sponge *sponge,
                        uint8_t out[MCELIECE_HASH_BYTES], uint8_t prefix, const uint8_t *error,
                        size_t error_bytes, const uint8_t *ciphertext, size_t length) {
  ckem_keccak_init(sponge, keccak, SHAKE256_RATE_BYTES, KECCAK_SUFFIX_SHAKE);
  ckem_keccak_absorb(sponge, &prefix, 1);
  ckem_keccak_absorb(sponge, error, error_bytes);
  ckem_keccak_absorb(sponge, ciphertext, length);
  ckem_keccak_finish(sponge);
  ckem_keccak_squeeze(sponge, out, MCELIECE_HASH_BYTES);
}

void ckem_mceliece_encoder_begin(struct mceliece_encoder *encoder,
                                 const struct mceliece_params *params) {
  const size_t rows = mceliece_rows(params);
  const size_t whole = rows / 64;
  const unsigned places = (unsigned)(rows % 64);

  memset(encoder->partner, 0, sizeof encoder->partner);
  for (size_t i = whole; i < MCELIECE_ERROR_WORDS; i++) {
    const uint64_t next = i + 1 < MCELIECE_ERROR_WORDS ? encoder->error[i + 1] : 0;
    const uint64_t word = encoder->error[i] >> places | next << 1 << (63 - places);
    if (8 * (i - whole) + 8 <= sizeof encoder->partner) {
      store_le64(encoder->partner + 8 * (i - whole), word);
    }
  }
  memset(encoder->ciphertext, 0, sizeof encoder->ciphertext);
  for (size_t i = 0; i < mceliece_syndrome_bytes(params); i++) {
    encoder->ciphertext[i] = (uint8_t)(encoder->error[i / 8] >> (8 * (i % 8)));
  }
  if (rows % 8 != 0) {
    encoder->ciphertext[rows / 8] &= (uint8_t)((1U << (rows % 8)) - 1);
  }
  encoder->sum = 0;
  encoder->row = 0;
  encoder->offset = 0;
  encoder->excess = 0;
}

/* Returns the bits of a row's last byte that no column has. */
static uint8_t unused_bits(const struct mceliece_params *params) {
  const size_t used = mceliece_columns(params) % 8;

  return used == 0 ? 0 : (uint8_t)(0xFF << used);
}

/* Absorbs whole rows, a multiple of eight, where the rows so far are one, too. */
static void absorb_rows(struct mceliece_encoder *encoder, const struct mceliece_params *params,
                        const struct mceliece_ops *ops, const uint8_t *data, size_t count) {
  const size_t row_bytes = mceliece_row_bytes(params);
  const uint8_t unused = unused_bits(params);
  uint8_t parities[ROWS_AT_ONCE / 8];

  ops->multiply(parities, data, count, row_bytes, encoder->partner);
  for (size_t i = 0; i < count / 8; i++) {
    encoder->ciphertext[encoder->row / 8 + i] ^= parities[i];
  }
  for (size_t i = 1; unused != 0 && i <= count; i++) {
    encoder->excess |= data[i * row_bytes - 1] & unused;
  }
  encoder->row += (uint32_t)count;
}

/* Returns words whose sum has the parity of data[length] and partner[length]. */
static uint64_t fold_part(const uint8_t *data, const uint8_t *partner, size_t length) {
  uint64_t sum = 0;
  size_t i = 0;

#if PROFILE_M4_ONLY
  if (((uintptr_t)data | (uintptr_t)partner) % 4 == 0 && length >= 4) {
    uint32_t words;

    ckem_mceliece_fold_rows_m4(&words, (const uint32_t *)(const void *)data, 1,
                               (const uint32_t *)(const void *)partner, length / 4);
    sum = words;
    i = length / 4 * 4;
  }
#endif
  for (; i + 8 <= length; i += 8) {
    sum ^= load_le64(data + i) & load_le64(partner + i);
  }
  for (; i < length; i++) {
    sum ^= (uint64_t)(data[i] & partner[i]);
  }
  return sum;
}

/* Absorbs at most the rest of a row; returns how many bytes. */
static size_t absorb_part(struct mceliece_encoder *encoder, const struct mceliece_params *params,
                          const uint8_t *data, size_t length) {
  const size_t row_bytes = mceliece_row_bytes(params);
  const size_t room = row_bytes - encoder->offset;
  const size_t taken = length < room ? length : room;

  encoder->sum ^= fold_part(data, encoder->partner + encoder->offset, taken);
  encoder->offset += (uint32_t)taken;
  if (encoder->offset == row_bytes) {
    uint64_t sum = encoder->sum;

    encoder->excess |= data[taken - 1] & unused_bits(params);
    for (unsigned half = 32; half > 0; half /= 2) {
      sum ^= sum >> half;
    }
    encoder->ciphertext[encoder->row / 8] ^= (uint8_t)((sum & 1) << (encoder->row % 8));
    encoder->sum = 0;
    encoder->row += 1;
    encoder->offset = 0;
  }
  return taken;
}

void ckem_mceliece_encoder_absorb(struct mceliece_encoder *encoder,
                                  const struct mceliece_params *params,
                                  const struct mceliece_ops *ops, const uint8_t *data,
                                  size_t length) {
  const size_t row_bytes = mceliece_row_bytes(params);

  while (length > 0) {
    const size_t left = mceliece_rows(params) - encoder->row;
    size_t count = length / row_bytes < left ? length / row_bytes : left;
    size_t taken;

    if (left == 0) {
      encoder->excess |= 1;
      return;
    }
    count = (count < ROWS_AT_ONCE ? count : ROWS_AT_ONCE) / 8 * 8;
    if (encoder->offset == 0 && encoder->row % 8 == 0 && count > 0) {
      absorb_rows(encoder, params, ops, data, count);
      taken = count * row_bytes;
    } else {
      taken = absorb_part(encoder, params, data, length);
    }
    data += taken;
    length -= taken;
  }
}

bool ckem_mceliece_encoder_end(struct mceliece_encoder *encoder,
                               const struct mceliece_variant *variant,
                               const struct keccak_ops *keccak, struct keccak_sponge *sponge,
                               uint8_t *ciphertext, uint8_t *shared_secret) {
  const size_t syndrome_bytes = mceliece_syndrome_bytes(variant->params);
  const size_t error_bytes = mceliece_error_bytes(variant->params);
  uint8_t *error = (uint8_t *)encoder->error;

  if (encoder->row != mceliece_rows(variant->params) || encoder->excess != 0) {
    return false;
  }
  for (size_t i = 0; i < MCELIECE_ERROR_WORDS; i++) {
    store_le64(error + 8 * i, encoder->error[i]); /* in place */
  }
  if (variant->confirms) {
    ckem_mceliece_hash(keccak, sponge, encoder->ciphertext + syndrome_bytes, 2, error, error_bytes,
                       NULL, 0);
  }
  memcpy(ciphertext, encoder->ciphertext, mceliece_ciphertext_bytes(variant));
  ckem_mceliece_hash(keccak, sponge, shared_secret, 1, error, error_bytes, ciphertext,
                     mceliece_ciphertext_bytes(variant));
  return true;
}
