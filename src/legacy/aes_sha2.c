/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* SHA-384 and AES-256 as the hash and the generator of BIKE [BIKE, S4.1 and S4.2], by libcrypto. */
#include "legacy/aes_sha2.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <string.h>

#include "base/bytes.h"

#define SHA384_BYTES 48
#define AES_BLOCK_BYTES 16

/* Blocks encrypted at once: the samplers ask for single words, and a call of libcrypto is
 * expensive. */
#define STREAM_BLOCKS 32
#define STREAM_BYTES (STREAM_BLOCKS * AES_BLOCK_BYTES)

/* --- SHA-384. The handle is libcrypto's context; NULL says that something failed. ------------- */

static void hash_drop(struct bike_hash *hash) {
  EVP_MD_CTX_free(hash->handle); /* cleanses what it held */
  hash->handle = NULL;
}

static void hash_open(struct bike_hash *hash, const struct keccak_ops *keccak) {
  (void)keccak;
  hash->handle = EVP_MD_CTX_new();
  if (hash->handle != NULL && EVP_DigestInit_ex2(hash->handle, EVP_sha384(), NULL) != 1) {
    hash_drop(hash);
  }
}

static void hash_absorb(struct bike_hash *hash, const uint8_t *data, size_t length) {
  if (hash->handle != NULL && EVP_DigestUpdate(hash->handle, data, length) != 1) {
    hash_drop(hash);
  }
}

static void hash_absorb_pair(struct bike_hash *first, const uint8_t *first_data,
                             size_t first_length, struct bike_hash *second,
                             const uint8_t *second_data, size_t second_length) {
  hash_absorb(first, first_data, first_length);
  hash_absorb(second, second_data, second_length);
}

static bool hash_close(struct bike_hash *hash, uint8_t out[32]) {
  uint8_t digest[SHA384_BYTES];
  const bool good = hash->handle != NULL && EVP_DigestFinal_ex(hash->handle, digest, NULL) == 1;

  if (good) {
    memcpy(out, digest, 32);
  } else {
    memset(out, 0, 32);
  }
  OPENSSL_cleanse(digest, sizeof digest);
  hash_drop(hash);
  return good;
}

/* --- AES-256 in counter mode: block i is the encryption of i as a little-endian number, which is
 * not the big-endian counter mode that libcrypto has. ------------------------------------------ */

struct stream {
  EVP_CIPHER_CTX *cipher; /* the bare block cipher with the seed as its key */
  uint64_t next_block;
  size_t used; /* bytes of blocks that were taken; STREAM_BYTES before the first */
  uint8_t blocks[STREAM_BYTES];
};

static void stream_free(struct stream *stream) {
  EVP_CIPHER_CTX_free(stream->cipher); /* cleanses the key */
  OPENSSL_clear_free(stream, sizeof *stream);
}

/* Encrypts the next STREAM_BLOCKS counters. */
static bool stream_refill(struct stream *stream) {
  int length = 0;

  memset(stream->blocks, 0, sizeof stream->blocks);
  for (size_t i = 0; i < STREAM_BLOCKS; i++) {
    store_le64(stream->blocks + AES_BLOCK_BYTES * i, stream->next_block + i);
  }
  stream->next_block += STREAM_BLOCKS;
  stream->used = 0;
  return EVP_EncryptUpdate(stream->cipher, stream->blocks, &length, stream->blocks, STREAM_BYTES) ==
             1 &&
         length == STREAM_BYTES;
}

static bool prf_open(struct bike_prf *prf, const struct keccak_ops *keccak,
                     const uint8_t seed[32]) {
  struct stream *stream = OPENSSL_zalloc(sizeof *stream);

  (void)keccak;
  prf->handle = NULL;
  if (stream == NULL) {
    return false;
  }
  stream->used = STREAM_BYTES;
  stream->cipher = EVP_CIPHER_CTX_new();
  if (stream->cipher == NULL ||
      EVP_EncryptInit_ex2(stream->cipher, EVP_aes_256_ecb(), seed, NULL, NULL) != 1 ||
      EVP_CIPHER_CTX_set_padding(stream->cipher, 0) != 1) {
    stream_free(stream);
    return false;
  }
  prf->handle = stream;
  return true;
}

static bool prf_words(struct bike_prf *prf, uint32_t *out, size_t count) {
  struct stream *stream = prf->handle;

  for (size_t i = 0; i < count; i++) {
    if (stream->used == STREAM_BYTES && !stream_refill(stream)) {
      return false;
    }
    out[i] = load_le32(stream->blocks + stream->used);
    stream->used += 4;
  }
  return true;
}

static void prf_close(struct bike_prf *prf) {
  stream_free(prf->handle);
  prf->handle = NULL;
}

const struct bike_symmetric ckem_legacy_aes_sha2 = {
    .hash_open = hash_open,
    .hash_absorb = hash_absorb,
    .hash_absorb_pair = hash_absorb_pair,
    .hash_close = hash_close,
    .prf_open = prf_open,
    .prf_words = prf_words,
    .prf_close = prf_close,
};
