/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The operations of HQC in fewer cycles, on the memory of hqc.c: functions that share no array run
 * at the same time, if the directives say so.
 *
 * A vector that is only added is drawn into `bits`, while a product is made in `sum`.
 */
#include "hls.h"
#include "hqc.c"
#include "sponge_queue.c"
#include "window_product.c"

/* The memories of an operation; positions is for a vector that is multiplied, spare for others. */
#define MEMORIES                                                                \
  uint64_t dense[static DOUBLED], uint64_t sum[static WORD_COUNT],              \
      uint64_t bits[static WORD_COUNT], uint16_t positions[static POSITIONS],   \
      uint16_t spare[static POSITIONS], uint64_t message[static MESSAGE_WORDS], \
      uint8_t symbols[static SYMBOLS]

static inline void hash(uint64_t data[static DATA], unsigned from, unsigned count, unsigned rate,
                        unsigned end, unsigned to, unsigned given) {
  sponge_run(data, 0, 0, (uint16_t)from, (uint16_t)count, 0, (uint8_t)rate,
             (uint8_t)BLOCKS_OF(count, rate), (uint16_t)end, (uint16_t)to, (uint16_t)given,
             (uint8_t)PAGES_OF(given));
}

/* The hash of the encapsulation key. */
static inline void hash_key(uint64_t data[static DATA]) {
  sponge_run(data, 0, 0, KEY, KEY_FULL, 1, HASH_RATE, BLOCKS_OF(KEY_FULL, HASH_RATE), HASH_END(1),
             HASH, 4, 1);
}

/* As load_dense, both copies in one loop. */
void load_doubled(uint64_t dense[static DOUBLED], const uint64_t data[static DATA],
                  PUBLIC uint16_t from) {
  uint64_t mask = from == STREAM ? LAST_MASK : TAIL_MASK;
  uint64_t before = data[from + WORD_COUNT - 1] & mask;

both_copies:
  for (unsigned i = 0; i < WORD_COUNT; i++) {
    uint64_t word = data[from + i];
    dense[WORD_COUNT - 1 + i] = before ^ word << N % 64;
    before = word >> (64 - N % 64);
    if (i < WORD_COUNT - 1) dense[i] = word;
  }
}

/* Writes u, the sum of both, into the ciphertext, or compares; as give_u. */
static inline uint64_t put_u(uint64_t data[static DATA], const uint64_t sum[static WORD_COUNT],
                             const uint64_t bits[static WORD_COUNT], unsigned check) {
  uint64_t different = 0;

u_words:
  for (unsigned i = 0; i < WORD_COUNT; i++) {
    uint64_t word = sum[i] ^ bits[i], other = data[check ? TEXT + i : 0];
    word &= i == WORD_COUNT - 1 ? LAST_MASK : ~(uint64_t)0;
    other &= i == WORD_COUNT - 1 ? TAIL_MASK : ~(uint64_t)0;
    different |= word ^ other;
    if (!check) data[TEXT + i] = word;
  }
  return check ? different : 0;
}

/* The same for v, to which the code word of symbols is added; as give_v. */
static inline uint64_t put_v(uint64_t data[static DATA], const uint64_t sum[static WORD_COUNT],
                             const uint64_t bits[static WORD_COUNT],
                             const uint8_t symbols[static SYMBOLS], unsigned check) {
  uint64_t different = 0, before = data[TEXT + WORD_COUNT - 1];
  unsigned symbol = 0, half = 0;

  before = check ? before >> TAIL : before;
v_words:
  for (unsigned i = 0; i < CODE_WORDS; i++) {
    uint8_t byte = symbols[symbol];
    uint64_t word = sum[i] ^ bits[i] ^ rm_half(byte) ^ (half & 1 ? -(uint64_t)(byte >> 6 & 1) : 0);
    uint64_t next = check ? data[TEXT + WORD_COUNT + i] : word;
    uint64_t joined = before | (check ? next << (64 - TAIL) : word << TAIL);
    different |= word ^ joined;
    before = check ? next >> TAIL : word >> (64 - TAIL);
    if (!check) data[TEXT + WORD_COUNT - 1 + i] = joined;
    symbol += half == 2 * COPIES - 1;
    half = half == 2 * COPIES - 1 ? 0 : half + 1;
  }
  if (!check) data[TEXT + WORD_COUNT - 1 + CODE_WORDS] = before;
  return check ? different : 0;
}

/* The Reed-Solomon code word of a message. */
void encode_message(uint8_t symbols[static SYMBOLS], const uint64_t message[static MESSAGE_WORDS]) {
  uint8_t bytes[MESSAGE];

message_in:
  for (unsigned i = 0; i < MESSAGE; i++) bytes[i] = (uint8_t)(message[i / 8] >> 8 * (i % 8));
  rs_encode(symbols, bytes);
}

/* Finds the message of the word in sum. */
void decode_message(uint64_t message[static MESSAGE_WORDS], const uint64_t sum[static WORD_COUNT]) {
  uint8_t bytes[MESSAGE], symbols[SYMBOLS];

  rm_decode(symbols, sum);
  rs_decode(bytes, symbols);
message_out:
  for (unsigned i = 0; i < MESSAGE_WORDS; i++) {
    uint64_t word = 0;
  message_bytes:
    for (unsigned j = 0; j < 8; j++) word = word >> 8 | (uint64_t)bytes[8 * i + j] << 56;
    message[i] = word;
  }
}

/*
 * What does not depend on the message: h, the hash of the encapsulation key and, with check, that
 * of the ciphertext, for which sigma lies behind the place of the first one.
 */
void prepare(uint64_t data[static DATA], uint64_t dense[static DOUBLED], PUBLIC uint8_t check) {
  hash_key(data);
  hash(data, KEY, 4, XOF_RATE, XOF_END(1), STREAM, WORD_COUNT);
  load_doubled(dense, data, STREAM);
  if (check)
    sponge_run(data, HASH, 4 + MESSAGE_WORDS, TEXT, TEXT_FULL, 1, HASH_RATE,
               BLOCKS_OF(4 + MESSAGE_WORDS + TEXT_FULL, HASH_RATE), HASH_END(3), REJECTED, 4, 1);
}

/* The rest of the encryption; as encrypt. */
uint8_t encrypt_message(uint64_t data[static DATA], MEMORIES, PUBLIC uint8_t check) {
message_words:
  for (unsigned i = 0; i < MESSAGE_WORDS; i++) data[PLAIN + i] = message[i];
  hash(data, HASH, 4 + MESSAGE_WORDS + 2, WIDE_RATE, HASH_END(0), SHARED, 8);
  hash(data, THETA, 4, XOF_RATE, XOF_END(1), STREAM, FIXED_WORDS);
  sample_fixed(positions, bits, data, 0, KEPT);
  window_product(sum, dense, positions, WEIGHT_R);
  sample_fixed(spare, bits, data, 2 * WEIGHT_R, KEPT);
  uint64_t different = put_u(data, sum, bits, check);

  load_doubled(dense, data, KEY + 4);
  window_product(sum, dense, positions, WEIGHT_R);
  sample_fixed(spare, bits, data, WEIGHT_R, KEPT);
  encode_message(symbols, message);
  different |= put_v(data, sum, bits, symbols, check);
  return different != 0;
}

static inline void fast_keygen(uint64_t data[static DATA], MEMORIES) {
  hash(data, COINS, 4, XOF_RATE, XOF_END(1), SEED_PKE, 4 + MESSAGE_WORDS);
  hash(data, SEED_PKE, 4, WIDE_RATE, HASH_END(2), SEED_DK, 8);
  copy(data, KEY, SEED_EK, 4);

  hash(data, KEY, 4, XOF_RATE, XOF_END(1), STREAM, WORD_COUNT);
  load_doubled(dense, data, STREAM);
  hash(data, SEED_DK, 4, XOF_RATE, XOF_END(1), STREAM, REJECTION_WORDS);
  uint16_t next = sample_rejection(positions, bits, data, 0, 1);
  window_product(sum, dense, positions, WEIGHT);
  sample_rejection(spare, bits, data, next, 0);
s_words:
  for (unsigned i = 0; i < WORD_COUNT; i++) {
    uint64_t one = sum[i] ^ bits[i];
    data[KEY + 4 + i] = one & (i == WORD_COUNT - 1 ? LAST_MASK : ~(uint64_t)0);
  }
  pack(data, KEY + KEY_FULL, SEED_DK, 4);
  pack(data, KEY + KEY_FULL + 4, SIGMA, MESSAGE_WORDS);
  pack(data, KEY + KEY_FULL + 4 + MESSAGE_WORDS, COINS, 4);
}

static inline void fast_encaps(uint64_t data[static DATA], MEMORIES) {
  copy(data, PLAIN, COINS, MESSAGE_WORDS + 2);
own_message:
  for (unsigned i = 0; i < MESSAGE_WORDS; i++) message[i] = data[COINS + i];
  prepare(data, dense, 0);
  encrypt_message(data, dense, sum, bits, positions, spare, message, symbols, 0);
  pack(data, TEXT + WORD_COUNT - 1 + CODE_WORDS, SALT, 2);
  copy(data, SECRET, SHARED, 4);
}

static inline void fast_decaps(uint64_t data[static DATA], MEMORIES) {
  unpack(data, SEED_DK, KEY + KEY_FULL, 4 + MESSAGE_WORDS);
  unpack(data, SALT, TEXT + WORD_COUNT - 1 + CODE_WORDS, 2);
  copy(data, PLAIN, SIGMA_AFTER, MESSAGE_WORDS);
  hash(data, SEED_DK, 4, XOF_RATE, XOF_END(1), STREAM, REJECTION_WORDS);
  sample_rejection(positions, bits, data, 0, 1);
  load_doubled(dense, data, TEXT);
  window_product(sum, dense, positions, WEIGHT);
  uint64_t before = data[TEXT + WORD_COUNT - 1] >> TAIL;
add_v:
  for (unsigned i = 0; i < CODE_WORDS; i++) {
    uint64_t next = data[TEXT + WORD_COUNT + i];
    sum[i] ^= before | next << (64 - TAIL);
    before = next >> TAIL;
  }
  prepare(data, dense, 1);
  decode_message(message, sum);

  uint8_t different =
      encrypt_message(data, dense, sum, bits, positions, spare, message, symbols, 1);
chosen:
  for (unsigned i = 0; i < 4; i++) {
    uint64_t accepted = data[SHARED + i], rejected = data[REJECTED + i];
    data[SECRET + i] = different ? rejected : accepted;
  }
}

/* One core for all: operation 0 is KeyGen, 1 Encaps, 2 Decaps. */
void hqc_fast(uint64_t data[static DATA], PUBLIC uint8_t operation) {
  uint64_t dense[DOUBLED], sum[WORD_COUNT], bits[WORD_COUNT], message[MESSAGE_WORDS];
  uint16_t positions[POSITIONS], spare[POSITIONS];
  uint8_t symbols[SYMBOLS];

  if (operation == 0) fast_keygen(data, dense, sum, bits, positions, spare, message, symbols);
  if (operation == 1) fast_encaps(data, dense, sum, bits, positions, spare, message, symbols);
  if (operation == 2) fast_decaps(data, dense, sum, bits, positions, spare, message, symbols);
  wipe(data);
}
