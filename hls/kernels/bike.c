/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The operations of BIKE, round 4. Polynomials are arrays of words of 64 bits, little-endian, with
 * the bits of the encoded bytes; the halves of a key are positions, in the sampler's order.
 *
 * Which functions are modules is for the directives to say.
 */
#include "hls.h"
#include "bike_counters.c"
#include "bike_inverse.c"
#include "bike_product.c"
#include "bike_sample.c"
#include "keccak.c"

enum {
  HASH_RATE = 13,                      /* words of a block of SHA3-384 */
  TAIL = 8 * ((R + 7) / 8 % 8),        /* bits of a polynomial's bytes in its last word */
  TAIL_WORD = HALF - 1,
  ERROR_BYTES = 2 * ((R + 7) / 8),     /* the messages that are hashed: errors */
  TEXT_BYTES = 32 + (R + 7) / 8 + 32,  /* and m with the ciphertext */
  ERROR_BLOCKS = ERROR_BYTES / (8 * HASH_RATE) + 1,
  TEXT_BLOCKS = TEXT_BYTES / (8 * HASH_RATE) + 1,
  MESSAGE = ERROR_BLOCKS * HASH_RATE,
  MASKED_THRESHOLD = (D + 1) / 2 + 1,
  NO_POSITION = 0xFFFF,
  PASSES = 7, /* of the decoder: black and gray are flipped back in the second and third */
};
#ifndef LOWER_FIRST_THRESHOLD
#define LOWER_FIRST_THRESHOLD 0 /* what is taken off the first pass' threshold, down to the least */
#endif
#define TAIL_MASK (((uint64_t)1 << TAIL) - 1)

/* Memories that the operations have in common: a core for all of them has each once. */
#define MEMORIES                                                                              \
  uint64_t stream[static KEY_STREAM], word dense[static DOUBLED], word sum[static WORDS],     \
      word error0[static WORDS], word error1[static WORDS], uint64_t errors[static 2 * HALF], \
      uint64_t message[static MESSAGE], uint64_t digest[static 4], uint16_t positions[static T]

/* SHAKE256 of a seed. */
void expand(uint64_t stream[static KEY_STREAM], const uint64_t seed[static 4],
            PUBLIC uint8_t blocks) {
  uint64_t sponge[LANES];

pad:
  for (unsigned i = 0; i < LANES; i++)
    sponge[i] = i == 4 ? 0x1F : i == RATE - 1 ? (uint64_t)1 << 63 : 0;
seed:
  for (unsigned i = 0; i < 4; i++) sponge[i] = seed[i];
blocks_out:
  for (unsigned block = 0; block < blocks; block++) {
    keccak_f(sponge);
  words_out:
    for (unsigned i = 0; i < RATE; i++) stream[RATE * block + i] = sponge[i];
  }
}

/* The first 32 bytes of SHA3-384; the message is padded. */
void hash(uint64_t digest[static 4], const uint64_t message[static MESSAGE],
          PUBLIC uint8_t blocks) {
  uint64_t sponge[LANES];

empty:
  for (unsigned i = 0; i < LANES; i++) sponge[i] = 0;
blocks_in:
  for (unsigned block = 0; block < blocks; block++) {
  words_in:
    for (unsigned i = 0; i < HASH_RATE; i++) sponge[i] ^= message[HASH_RATE * block + i];
    keccak_f(sponge);
  }
digest:
  for (unsigned i = 0; i < 4; i++) digest[i] = sponge[i];
}

/* Clears the message from a word on, and ends it after so many bytes. */
static inline void end_message(uint64_t message[static MESSAGE], unsigned from, unsigned bytes,
                               unsigned blocks) {
rest:
  for (unsigned i = from; i < HASH_RATE * blocks; i++) message[i] = 0;
  message[bytes / 8] |= (uint64_t)6 << 8 * (bytes % 8);
  message[HASH_RATE * blocks - 1] |= (uint64_t)1 << 63;
}

/* L: hashes both halves of the errors, one behind the other. */
void hash_errors(uint64_t digest[static 4], uint64_t message[static MESSAGE],
                 const uint64_t error0[static HALF], const uint64_t error1[static HALF]) {
  uint64_t before = 0;

half0:
  for (unsigned i = 0; i < HALF; i++) {
    before = error0[i];
    message[i] = before;
  }
half1:
  for (unsigned i = 0; i < HALF; i++) {
    uint64_t next = error1[i];
    message[TAIL_WORD + i] = before | next << TAIL;
    before = next >> (64 - TAIL);
  }
  message[TAIL_WORD + HALF] = before;
  end_message(message, TAIL_WORD + HALF + 1, ERROR_BYTES, ERROR_BLOCKS);
  hash(digest, message, ERROR_BLOCKS);
}

/* K: hashes m and the ciphertext. */
void hash_text(uint64_t secret[static 4], uint64_t message[static MESSAGE],
               const uint64_t m[static 4], const uint64_t c0[static HALF],
               const uint64_t c1[static 4]) {
  uint64_t before = 0;

m_in:
  for (unsigned i = 0; i < 4; i++) message[i] = m[i];
c0_in:
  for (unsigned i = 0; i < HALF; i++) {
    before = c0[i] & (i == TAIL_WORD ? TAIL_MASK : ~(uint64_t)0);
    message[4 + i] = before;
  }
c1_in:
  for (unsigned i = 0; i < 4; i++) {
    uint64_t next = c1[i];
    message[4 + TAIL_WORD + i] = before | next << TAIL;
    before = next >> (64 - TAIL);
  }
  message[8 + TAIL_WORD] = before;
  end_message(message, 9 + TAIL_WORD, TEXT_BYTES, TEXT_BLOCKS);
  hash(secret, message, TEXT_BLOCKS);
}

static inline void keygen(uint64_t public_key[static HALF], uint16_t positions0[static D],
                          uint16_t positions1[static D], uint64_t half0[static HALF],
                          uint64_t half1[static HALF], const uint64_t seed[static 4], MEMORIES) {
  (void)error1, (void)errors, (void)message, (void)digest, (void)positions;

  expand(stream, seed, KEY_STREAM / RATE);
  bike_sample_key(positions0, half0, stream, 0);
  bike_sample_key(positions1, half1, stream, D);
  bike_inverse(error0, positions0);
  bike_double(dense, error0);
zero:
  for (unsigned i = 0; i < WORDS; i++) sum[i] = 0;
  bike_product(sum, dense, positions1);
give:
  for (unsigned i = 0; i < WORDS; i++)
    public_key[i] = sum[i] & (i == WORDS - 1 ? LAST_MASK : ~(word)0);
}

/* The position of an error within the second half. */
static inline uint16_t in_second(unsigned position) {
  return (uint16_t)(position < R ? NO_POSITION : position - R);
}

/* The errors of the second half are two lists: so the product is that by a half of a key. */
static inline void encaps(uint64_t c0[static HALF], uint64_t c1[static 4],
                          uint64_t secret[static 4], const uint64_t public_key[static HALF],
                          const uint64_t m[static 4], MEMORIES) {
  uint16_t second0[D], second1[D];

  expand(stream, m, ERROR_STREAM / RATE);
  bike_sample_errors(positions, errors, stream);
split:
  for (unsigned i = 0; i < HALF; i++) {
    uint64_t low = errors[i];
    error0[i] = low;
    sum[i] = low;
  }
split1:
  for (unsigned i = 0; i < HALF; i++) error1[i] = errors[HALF + i];
seconds0:
  for (unsigned i = 0; i < D; i++) second0[i] = in_second(positions[i]);
seconds1:
  for (unsigned i = 0; i < D; i++)
    second1[i] = D + i < T ? in_second(positions[D + i]) : NO_POSITION;
  bike_double(dense, public_key);
  bike_product(sum, dense, second0);
  bike_product(sum, dense, second1);
give_c0:
  for (unsigned i = 0; i < HALF; i++) c0[i] = sum[i] & (i == WORDS - 1 ? LAST_MASK : ~(word)0);
  hash_errors(digest, message, error0, error1);
give_c1:
  for (unsigned i = 0; i < 4; i++) c1[i] = digest[i] ^ m[i];
  hash_text(secret, message, m, c0, c1);
}

/* The decoder: finds the errors of a ciphertext. */
static inline void find_errors(word error0[static WORDS], word error1[static WORDS],
                               const word c0[static WORDS], const uint16_t positions0[static D],
                               const uint16_t positions1[static D], word dense[static DOUBLED],
                               word syndrome[static WORDS]) {
  word begun[WORDS];
  word black0[WORDS], gray0[WORDS], black1[WORDS], gray1[WORDS];
  planes counters[WORDS];

clear:
  for (unsigned i = 0; i < WORDS; i++) {
    begun[i] = 0;
    error0[i] = 0;
    error1[i] = 0;
  }
  bike_double(dense, c0);
  bike_product(begun, dense, positions0);
passes:
  for (unsigned pass = 0; pass < PASSES; pass++) {
    uint8_t mode = pass == 1 ? 1 : pass == 2 ? 2 : 0;
  restart:
    for (unsigned i = 0; i < WORDS; i++) syndrome[i] = begun[i];
    if (pass > 0) {
      bike_double(dense, error0);
      bike_product(syndrome, dense, positions0);
      bike_double(dense, error1);
      bike_product(syndrome, dense, positions1);
    }
    uint8_t threshold = bike_threshold(syndrome);
#if LOWER_FIRST_THRESHOLD
    if (pass == 0) {
      uint8_t lower = threshold - LOWER_FIRST_THRESHOLD;
      threshold = lower < LEAST ? LEAST : lower;
    }
#endif
    threshold = mode == 0 ? threshold : MASKED_THRESHOLD;
    syndrome[WORDS - 1] &= LAST_MASK; /* what bike_double would fold */
    bike_double(dense, syndrome);
    bike_counters(counters, dense, positions0);
    bike_flip(error0, black0, gray0, counters, threshold, mode);
    bike_counters(counters, dense, positions1);
    bike_flip(error1, black1, gray1, counters, threshold, mode);
  }
}

static inline void decaps(uint64_t secret[static 4], const uint64_t c0[static HALF],
                          const uint64_t c1[static 4], const uint16_t positions0[static D],
                          const uint16_t positions1[static D], const uint64_t sigma[static 4],
                          MEMORIES) {
  uint64_t m[4], chosen[4];
  uint64_t different = 0;

  find_errors(error0, error1, c0, positions0, positions1, dense, sum);
  hash_errors(digest, message, error0, error1);
plain:
  for (unsigned i = 0; i < 4; i++) m[i] = digest[i] ^ c1[i];
  expand(stream, m, ERROR_STREAM / RATE);
  bike_sample_errors(positions, errors, stream);
compare0:
  for (unsigned i = 0; i < HALF; i++) different |= error0[i] ^ errors[i];
compare1:
  for (unsigned i = 0; i < HALF; i++) different |= error1[i] ^ errors[HALF + i];
choose:
  for (unsigned i = 0; i < 4; i++) {
    uint64_t accepted = m[i], rejected = sigma[i];
    chosen[i] = different ? rejected : accepted;
  }
  hash_text(secret, message, chosen, c0, c1);
}

/* Cores of one operation each. */
#define OWN_MEMORIES                                                          \
  uint64_t stream[KEY_STREAM], errors[2 * HALF], message[MESSAGE], digest[4]; \
  word dense[DOUBLED], sum[WORDS], error0[WORDS], error1[WORDS];              \
  uint16_t positions[T]
#define ALL_MEMORIES stream, dense, sum, error0, error1, errors, message, digest, positions

void bike_keygen(uint64_t public_key[static HALF], uint16_t positions0[static D],
                 uint16_t positions1[static D], uint64_t half0[static HALF],
                 uint64_t half1[static HALF], const uint64_t seed[static 4]) {
  OWN_MEMORIES;

  keygen(public_key, positions0, positions1, half0, half1, seed, ALL_MEMORIES);
}

void bike_encaps(uint64_t c0[static HALF], uint64_t c1[static 4], uint64_t secret[static 4],
                 const uint64_t public_key[static HALF], const uint64_t m[static 4]) {
  OWN_MEMORIES;

  encaps(c0, c1, secret, public_key, m, ALL_MEMORIES);
}

void bike_decaps(uint64_t secret[static 4], const uint64_t c0[static HALF],
                 const uint64_t c1[static 4], const uint16_t positions0[static D],
                 const uint16_t positions1[static D], const uint64_t sigma[static 4]) {
  OWN_MEMORIES;

  decaps(secret, c0, c1, positions0, positions1, sigma, ALL_MEMORIES);
}

/*
 * One core for all: operation 0 is KeyGen, whose seed is in `coins`, 1 Encaps of the m in `coins`,
 * 2 Decaps, for which sigma is in `coins`.
 */
void bike(uint64_t public_key[static HALF], uint16_t positions0[static D],
          uint16_t positions1[static D], uint64_t half0[static HALF], uint64_t half1[static HALF],
          uint64_t c0[static HALF], uint64_t c1[static 4], uint64_t secret[static 4],
          const uint64_t coins[static 4], PUBLIC uint8_t operation) {
  OWN_MEMORIES;

  if (operation == 0) keygen(public_key, positions0, positions1, half0, half1, coins, ALL_MEMORIES);
  if (operation == 1) encaps(c0, c1, secret, public_key, coins, ALL_MEMORIES);
  if (operation == 2) decaps(secret, c0, c1, positions0, positions1, coins, ALL_MEMORIES);
}
