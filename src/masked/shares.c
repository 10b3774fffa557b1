/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Fresh bits, and bytes in shares. */
#include "masked/shares.h"

#include "base/bytes.h"
#include "base/wipe.h"

/* --- ChaCha with eight rounds [Ber08] --------------------------------------------------------- */

#define CHACHA_ROUNDS 8
#define CHACHA_BLOCK 64
/* Blocks side by side, for compilers that have vectors. Elsewhere there is one, and the round is
 * written for variables that stay in registers. */
#define CHACHA_LANES (ISA_WORDS_OF_32_BITS ? 1 : MASKS_BLOCK / CHACHA_BLOCK)

#define ROTATED(x, n) ((x) << (n) % 32 | (x) >> (32 - (n)) % 32) /* 0 < n <= 32 */

#if defined(__arm__)

/* Instructions of Arm rotate an operand for nothing: words b and d lack their last rotation until
 * then. */
#define LACKS_B 7
#define LACKS_D 8
#define CHACHA_QUARTER(a, b, c, d)               \
  v[a][0] += ROTATED(v[b][0], LACKS_B);          \
  v[d][0] = v[a][0] ^ ROTATED(v[d][0], LACKS_D); \
  v[c][0] += ROTATED(v[d][0], 16);               \
  v[b][0] = v[c][0] ^ ROTATED(v[b][0], LACKS_B); \
  v[a][0] += ROTATED(v[b][0], 12);               \
  v[d][0] = v[a][0] ^ ROTATED(v[d][0], 16);      \
  v[c][0] += ROTATED(v[d][0], LACKS_D);          \
  v[b][0] = v[c][0] ^ ROTATED(v[b][0], 12);
#define LACKS(j) ((j) / 4 == 1 ? LACKS_B : (j) / 4 == 3 ? LACKS_D : 32)

#else

#define CHACHA_QUARTER(a, b, c, d)            \
  for (size_t i = 0; i < CHACHA_LANES; i++) { \
    v[a][i] += v[b][i];                       \
    v[d][i] = ROTATED(v[d][i] ^ v[a][i], 16); \
    v[c][i] += v[d][i];                       \
    v[b][i] = ROTATED(v[b][i] ^ v[c][i], 12); \
    v[a][i] += v[b][i];                       \
    v[d][i] = ROTATED(v[d][i] ^ v[a][i], 8);  \
    v[c][i] += v[d][i];                       \
    v[b][i] = ROTATED(v[b][i] ^ v[c][i], 7);  \
  }
#define LACKS(j) 32

#endif

/* Writes CHACHA_LANES blocks and moves the counter on. */
static void chacha_blocks(uint8_t *out, uint32_t state[16]) {
  uint32_t v[16][CHACHA_LANES];

  for (size_t j = 0; j < 16; j++) {
    for (size_t i = 0; i < CHACHA_LANES; i++) {
      const uint32_t first = state[j] + (j == 12 ? (uint32_t)i : 0);
      v[j][i] = ROTATED(first, 32 - LACKS(j) % 32);
    }
  }
  for (size_t round = 0; round < CHACHA_ROUNDS; round += 2) {
    CHACHA_QUARTER(0, 4, 8, 12)
    CHACHA_QUARTER(1, 5, 9, 13)
    CHACHA_QUARTER(2, 6, 10, 14)
    CHACHA_QUARTER(3, 7, 11, 15)
    CHACHA_QUARTER(0, 5, 10, 15)
    CHACHA_QUARTER(1, 6, 11, 12)
    CHACHA_QUARTER(2, 7, 8, 13)
    CHACHA_QUARTER(3, 4, 9, 14)
  }
  for (size_t i = 0; i < CHACHA_LANES; i++) {
    for (size_t j = 0; j < 16; j++) {
      const uint32_t first = state[j] + (j == 12 ? (uint32_t)i : 0);
      const uint32_t word = ROTATED(v[j][i], LACKS(j)) + first;
      memcpy(out + CHACHA_BLOCK * i + 4 * j, &word, sizeof word); /* in the processor's order */
    }
  }
  state[12] += CHACHA_LANES; /* no call takes 2^32 blocks */
}

void ckem_masks_init(struct masks *masks, const uint8_t *seed, codekem_random_function source,
                     void *context) {
  static const uint32_t constants[4] = {0x61707865, 0x3320646E, 0x79622D32, 0x6B206574};

  memset(masks, 0, sizeof *masks);
  memcpy(masks->state, constants, sizeof constants);
  for (size_t i = 0; i < MASKS_SEED_BYTES / 4; i++) {
    masks->state[4 + i] = load_le32(seed + 4 * i);
  }
  masks->next = masks->bytes;
  masks->source = source;
  masks->context = context;
}

void ckem_masks_refill(struct masks *masks) {
  uint8_t *block = masks->bytes + 8;
  uint8_t *first = block - masks->left;

  memmove(first, masks->next, masks->left);
  if (masks->source != NULL && !masks->failed) {
    masks->failed = !masks->source(masks->context, block, MASKS_BLOCK);
  }
  if (masks->source == NULL || masks->failed) {
    for (size_t i = 0; i < MASKS_BLOCK; i += CHACHA_BLOCK * CHACHA_LANES) {
      chacha_blocks(block + i, masks->state);
    }
  }
  masks->next = first;
  masks->left += MASKS_BLOCK;
}

/* --- Random orders ---------------------------------------------------------------------------- */

uint32_t ckem_masks_below(struct masks *masks, uint32_t bound) {
  const unsigned bits = bound <= 512 ? 16 : 24;
  uint32_t number = (uint32_t)((uint64_t)masks_word(masks, bits) * bound >> bits);

  /* Public: it masks nothing and follows from no secret. */
  ct_declassify(&number, sizeof number);
  return number;
}

/* --- Bytes in shares -------------------------------------------------------------------------- */

void ckem_masked_set_public(struct shared_bytes out, const uint8_t *value, size_t length) {
  for (size_t s = 1; s < MASKED_SHARES; s++) {
    memset(share_of_bytes(out, s), 0, length);
  }
  memcpy(out.at, value, length);
}

void ckem_masked_share_bytes(struct masks *masks, struct shared_bytes out, const uint8_t *value,
                             size_t length) {
  ckem_masked_set_public(out, value, length);
  ckem_masked_refresh_bytes(masks, out, length);
}

void ckem_masked_refresh_bytes(struct masks *masks, struct shared_bytes x, size_t length) {
  for (size_t i = 0; i < MASKED_SHARES; i++) {
    for (size_t j = i + 1; j < MASKED_SHARES; j++) {
      uint8_t *a = share_of_bytes(x, i);
      uint8_t *b = share_of_bytes(x, j);
      for (size_t k = 0; k < length; k++) {
        const uint8_t fresh = (uint8_t)masks_word(masks, 8);
        a[k] ^= fresh;
        b[k] ^= fresh;
      }
    }
  }
}

void ckem_masked_join_bytes(uint8_t *out, struct shared_bytes x, size_t length) {
  memmove(out, x.at, length);
  for (size_t s = 1; s < MASKED_SHARES; s++) {
    const uint8_t *share = share_of_bytes(x, s);
    for (size_t k = 0; k < length; k++) {
      out[k] ^= share[k];
    }
  }
}
