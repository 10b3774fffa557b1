/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The operations of HQC on a memory, whose layout is in hqc_layout.h.
 *
 * The memories of the operations are those of the function on top, which passes them on. Which
 * functions are modules, and whose module, is for the directives to say.
 */
#include "hls.h"
#include "hqc_layout.h"
#include "hqc_sponge.c"
#include "hqc_sampling.c"
#include "reed_muller.c"
#include "reed_solomon.c"
#include "sparse_product.c"

#define LAST_MASK (((uint64_t)1 << N % 64) - 1) /* the bits of a polynomial's last word */
#define TAIL_MASK (((uint64_t)1 << TAIL) - 1)

/* Moves words. */
void copy(uint64_t data[static DATA], PUBLIC uint16_t to, PUBLIC uint16_t from,
          PUBLIC uint8_t count) {
copies_of_words:
  for (unsigned i = 0; i < count; i++) data[to + i] = data[from + i];
}

/* Moves words to behind the TAIL_BYTES bytes that data[to] begins with. */
void pack(uint64_t data[static DATA], PUBLIC uint16_t to, PUBLIC uint16_t from,
          PUBLIC uint8_t count) {
  uint64_t before = data[to] & TAIL_MASK;

packing:
  for (unsigned i = 0; i < count; i++) {
    uint64_t word = data[from + i];
    data[to + i] = before | word << TAIL;
    before = word >> (64 - TAIL);
  }
  data[to + count] = before;
}

/* Moves words that begin behind TAIL_BYTES bytes of data[from]. */
void unpack(uint64_t data[static DATA], PUBLIC uint16_t to, PUBLIC uint16_t from,
            PUBLIC uint8_t count) {
  uint64_t before = data[from] >> TAIL;

unpacking:
  for (unsigned i = 0; i < count; i++) {
    uint64_t word = data[from + i + 1];
    data[to + i] = before | word << (64 - TAIL);
    before = word >> TAIL;
  }
}

/* Opens the XOF of a seed of four words; gives the first words of its output. */
static inline void expand(uint64_t data[static DATA], uint64_t sponge[static LANES], unsigned to,
                          unsigned seed, unsigned count) {
  absorb(sponge, data, (uint16_t)seed, 4, 0, XOF_RATE, 0, XOF_END(1));
  squeeze(data, sponge, (uint16_t)to, (uint16_t)count);
}

/*
 * Takes a polynomial from the memory, twice, as the product wants it. Set bits behind it in its
 * last byte, which only a damaged key has, count in the second one: so the product is that of the
 * reference code. Of the XOF's output, they are left out.
 */
void load_dense(uint64_t dense[static DOUBLED], const uint64_t data[static DATA],
                PUBLIC uint16_t from) {
  uint64_t before = 0;

once:
  for (unsigned i = 0; i < WORD_COUNT; i++) {
    before = data[from + i];
    dense[i] = before;
  }
  before &= from == STREAM ? LAST_MASK : TAIL_MASK;
twice:
  for (unsigned i = 0; i < WORD_COUNT; i++) {
    uint64_t word = dense[i];
    dense[WORD_COUNT - 1 + i] = before ^ word << N % 64;
    before = word >> (64 - N % 64);
  }
}

/*
 * Writes u and v into the ciphertext, or compares with what is there: u with its last word's
 * TAIL_BYTES bytes, then v behind them. Returns what is different, if check is set.
 */
static inline uint64_t give_u(uint64_t data[static DATA], const uint64_t sum[static WORD_COUNT],
                              unsigned check) {
  uint64_t different = 0;

  if (check) {
  compare_u:
    for (unsigned i = 0; i < WORD_COUNT; i++) {
      uint64_t word = sum[i], other = data[TEXT + i];
      word &= i == WORD_COUNT - 1 ? LAST_MASK : ~(uint64_t)0;
      other &= i == WORD_COUNT - 1 ? TAIL_MASK : ~(uint64_t)0;
      different |= word ^ other;
    }
  } else {
  write_u:
    for (unsigned i = 0; i < WORD_COUNT; i++) {
      uint64_t word = sum[i];
      data[TEXT + i] = word & (i == WORD_COUNT - 1 ? LAST_MASK : ~(uint64_t)0);
    }
  }
  return different;
}

static inline uint64_t give_v(uint64_t data[static DATA], const uint64_t sum[static WORD_COUNT],
                              unsigned check) {
  uint64_t different = 0, before = data[TEXT + WORD_COUNT - 1];

  if (check) {
    before >>= TAIL;
  compare_v:
    for (unsigned i = 0; i < CODE_WORDS; i++) {
      uint64_t next = data[TEXT + WORD_COUNT + i];
      different |= sum[i] ^ (before | next << (64 - TAIL));
      before = next >> TAIL;
    }
  } else {
  write_v:
    for (unsigned i = 0; i < CODE_WORDS; i++) {
      uint64_t word = sum[i];
      data[TEXT + WORD_COUNT - 1 + i] = before | word << TAIL;
      before = word >> (64 - TAIL);
    }
    data[TEXT + WORD_COUNT - 1 + CODE_WORDS] = before;
  }
  return different;
}

/* Adds the code word of the message at PLAIN. */
void encode(uint64_t sum[static WORD_COUNT], const uint64_t data[static DATA]) {
  uint8_t message[MESSAGE], symbols[SYMBOLS];

bytes_of_message:
  for (unsigned i = 0; i < MESSAGE; i++) message[i] = (uint8_t)(data[PLAIN + i / 8] >> 8 * (i % 8));
  rs_encode(symbols, message);
  rm_add(sum, symbols);
}

/* Finds the message of the word in sum; puts it to PLAIN. */
void decode(uint64_t data[static DATA], const uint64_t sum[static WORD_COUNT]) {
  uint8_t message[MESSAGE], symbols[SYMBOLS];

  rm_decode(symbols, sum);
  rs_decode(message, symbols);
words_of_message:
  for (unsigned i = 0; i < MESSAGE_WORDS; i++) {
    uint64_t word = 0;
  bytes_of_word:
    for (unsigned j = 0; j < 8; j++) word = word >> 8 | (uint64_t)message[8 * i + j] << 56;
    data[PLAIN + i] = word;
  }
}

/*
 * Hashes the encapsulation key; with m and the salt after that, this gives K and theta. Then
 * encrypts m; writes the ciphertext, or compares with it if check is set and returns whether it is
 * different.
 */
uint8_t encrypt(uint64_t data[static DATA], uint64_t sponge[static LANES],
                uint64_t dense[static DOUBLED], uint64_t sum[static WORD_COUNT],
                uint16_t positions[static POSITIONS], PUBLIC uint8_t check) {
  absorb(sponge, data, KEY, KEY_FULL, 0, HASH_RATE, 1, HASH_END(1));
  squeeze(data, sponge, HASH, 4);
  absorb(sponge, data, HASH, 4 + MESSAGE_WORDS + 2, 0, WIDE_RATE, 0, HASH_END(0));
  squeeze(data, sponge, SHARED, 8);

  expand(data, sponge, STREAM, KEY, WORD_COUNT);
  load_dense(dense, data, STREAM);
  expand(data, sponge, STREAM, THETA, FIXED_WORDS);
  sample_fixed(positions, sum, data, 0, KEPT);
  sample_fixed(positions, sum, data, 2 * WEIGHT_R, NOT_KEPT);
  sparse_product_of(sum, dense, positions, WEIGHT_R);
  uint64_t different = give_u(data, sum, check);

  load_dense(dense, data, KEY + 4);
  sample_fixed(positions, sum, data, WEIGHT_R, NOT_KEPT);
  sparse_product_of(sum, dense, positions, WEIGHT_R);
  encode(sum, data);
  different |= give_v(data, sum, check);
  return different != 0;
}

/* Clears what the core has put into the memory for itself. */
static inline void wipe(uint64_t data[static DATA]) {
own:
  for (unsigned i = OWN; i < DATA; i++) data[i] = 0;
}

/* COINS has 32 bytes; writes KEY. */
void keygen(uint64_t data[static DATA], uint64_t sponge[static LANES],
            uint64_t dense[static DOUBLED], uint64_t sum[static WORD_COUNT],
            uint16_t positions[static POSITIONS]) {
  expand(data, sponge, SEED_PKE, COINS, 4 + MESSAGE_WORDS);
  absorb(sponge, data, SEED_PKE, 4, 0, WIDE_RATE, 0, HASH_END(2));
  squeeze(data, sponge, SEED_DK, 8);
  copy(data, KEY, SEED_EK, 4);

  expand(data, sponge, STREAM, KEY, WORD_COUNT);
  load_dense(dense, data, STREAM);
  expand(data, sponge, STREAM, SEED_DK, REJECTION_WORDS);
  uint16_t next = sample_rejection(positions, sum, data, 0, 1);
  sample_rejection(positions, sum, data, next, 0);
  sparse_product_of(sum, dense, positions, WEIGHT);
write_s:
  for (unsigned i = 0; i < WORD_COUNT; i++) {
    uint64_t word = sum[i];
    data[KEY + 4 + i] = word & (i == WORD_COUNT - 1 ? LAST_MASK : ~(uint64_t)0);
  }
  pack(data, KEY + KEY_FULL, SEED_DK, 4);
  pack(data, KEY + KEY_FULL + 4, SIGMA, MESSAGE_WORDS);
  pack(data, KEY + KEY_FULL + 4 + MESSAGE_WORDS, COINS, 4);
}

/* KEY has the encapsulation key, COINS m and the salt; writes TEXT and SECRET. */
void encaps(uint64_t data[static DATA], uint64_t sponge[static LANES],
            uint64_t dense[static DOUBLED], uint64_t sum[static WORD_COUNT],
            uint16_t positions[static POSITIONS]) {
  copy(data, PLAIN, COINS, MESSAGE_WORDS + 2);
  encrypt(data, sponge, dense, sum, positions, 0);
  pack(data, TEXT + WORD_COUNT - 1 + CODE_WORDS, SALT, 2);
  copy(data, SECRET, SHARED, 4);
}

/* KEY has the decapsulation key, TEXT a ciphertext; writes SECRET. */
void decaps(uint64_t data[static DATA], uint64_t sponge[static LANES],
            uint64_t dense[static DOUBLED], uint64_t sum[static WORD_COUNT],
            uint16_t positions[static POSITIONS]) {
  unpack(data, SEED_DK, KEY + KEY_FULL, 4 + MESSAGE_WORDS);
  unpack(data, SALT, TEXT + WORD_COUNT - 1 + CODE_WORDS, 2);
  expand(data, sponge, STREAM, SEED_DK, REJECTION_WORDS);
  sample_rejection(positions, sum, data, 0, 1);
  load_dense(dense, data, TEXT);
  uint64_t before = data[TEXT + WORD_COUNT - 1] >> TAIL;
read_v:
  for (unsigned i = 0; i < CODE_WORDS; i++) {
    uint64_t next = data[TEXT + WORD_COUNT + i];
    sum[i] = before | next << (64 - TAIL);
    before = next >> TAIL;
  }
  sparse_product_of(sum, dense, positions, WEIGHT);
  decode(data, sum);

  uint8_t different = encrypt(data, sponge, dense, sum, positions, 1);
  absorb(sponge, data, HASH, 4, 0, HASH_RATE, 0, 0);
  absorb(sponge, data, SIGMA_AFTER, MESSAGE_WORDS, 4, HASH_RATE, 0, 0);
  absorb(sponge, data, TEXT, TEXT_FULL, 4 + MESSAGE_WORDS, HASH_RATE, 1, HASH_END(3));
  squeeze(data, sponge, REJECTED, 4);
choose:
  for (unsigned i = 0; i < 4; i++) {
    uint64_t accepted = data[SHARED + i], rejected = data[REJECTED + i];
    data[SECRET + i] = different ? rejected : accepted;
  }
}

/* One core for all: operation 0 is KeyGen, 1 Encaps, 2 Decaps. */
void hqc(uint64_t data[static DATA], PUBLIC uint8_t operation) {
  uint64_t sponge[LANES], dense[DOUBLED], sum[WORD_COUNT];
  uint16_t positions[POSITIONS];

  if (operation == 0) keygen(data, sponge, dense, sum, positions);
  if (operation == 1) encaps(data, sponge, dense, sum, positions);
  if (operation == 2) decaps(data, sponge, dense, sum, positions);
  wipe(data);
}

/* Cores of one operation each. */
void hqc_keygen(uint64_t data[static DATA]) {
  uint64_t sponge[LANES], dense[DOUBLED], sum[WORD_COUNT];
  uint16_t positions[POSITIONS];

  keygen(data, sponge, dense, sum, positions);
  wipe(data);
}

void hqc_encaps(uint64_t data[static DATA]) {
  uint64_t sponge[LANES], dense[DOUBLED], sum[WORD_COUNT];
  uint16_t positions[POSITIONS];

  encaps(data, sponge, dense, sum, positions);
  wipe(data);
}

void hqc_decaps(uint64_t data[static DATA]) {
  uint64_t sponge[LANES], dense[DOUBLED], sum[WORD_COUNT];
  uint16_t positions[POSITIONS];

  decaps(data, sponge, dense, sum, positions);
  wipe(data);
}
