/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The shortened Reed-Solomon codes of HQC over GF(256) = GF(2)[x]/(x^8 + x^4 + x^3 + x^2 + 1).
 *
 * A code word is PARITY bytes, then the message; symbol i belongs to x^i. Its syndromes are its
 * values at alpha^1 .. alpha^PARITY, alpha = x.
 */
#include "hls.h"
#include "hqc_parameters.h"

enum { PARITY = LENGTH - MESSAGE, HALF = PARITY / 2 };

/*
 * GENERATOR: of the product of x - alpha^i for i = 1 .. PARITY, without x^PARITY. START and SCALE:
 * alpha^-PARITY, and its power PARITY + 1; FACTOR: alpha^-(PARITY + 1).
 */
#if LEVEL == 1
static const uint8_t GENERATOR[PARITY] = {89,  69,  153, 116, 176, 117, 111, 75,  73,  233,
                                          242, 233, 65,  210, 21,  139, 103, 173, 67,  118,
                                          105, 210, 174, 110, 74,  69,  228, 82,  255, 181};
enum { START = 0x24, SCALE = 0xDF, FACTOR = 0x12 };
#elif LEVEL == 3
static const uint8_t GENERATOR[PARITY] = {45,  216, 239, 24,  253, 104, 27, 40,  107, 50,  163,
                                          210, 227, 134, 224, 158, 119, 13, 158, 1,   238, 164,
                                          82,  43,  15,  232, 246, 142, 50, 189, 29,  232};
enum { START = 0x09, SCALE = 0x56, FACTOR = 0x8A };
#else
static const uint8_t GENERATOR[PARITY] = {
    49,  167, 49,  39,  200, 121, 124, 91,  240, 63,  148, 71,  150, 123, 87,
    101, 32,  215, 159, 71,  201, 115, 97,  210, 186, 183, 141, 217, 123, 12,
    31,  243, 180, 219, 152, 239, 99,  141, 4,   246, 191, 144, 8,   232, 47,
    27,  141, 178, 130, 64,  124, 47,  39,  188, 216, 48,  199, 187};
enum { START = 0x8D, SCALE = 0x52, FACTOR = 0xC8 };
#endif

static inline uint8_t product(uint8_t a, uint8_t b) {
  unsigned sum = 0, power = a;
bits:
  for (int i = 0; i < 8; i++) {
    sum ^= power & -(b >> i & 1u);
    power = power << 1 ^ (0x11Du & -(power >> 7 & 1u));
  }
  return (uint8_t)sum;
}

/* Divides by the generator in a shift register. */
void rs_encode(uint8_t code[static LENGTH], const uint8_t message[static MESSAGE]) {
  uint8_t rest[PARITY];

clear:
  for (int i = 0; i < PARITY; i++) rest[i] = 0;
divide:
  for (int j = 0; j < MESSAGE; j++) {
    uint8_t byte = message[MESSAGE - 1 - j];
    uint8_t factor = byte ^ rest[PARITY - 1];
    code[LENGTH - 1 - j] = byte;
  taps:
    for (int i = PARITY - 1; i > 0; i--) rest[i] = rest[i - 1] ^ product(factor, GENERATOR[i]);
    rest[0] = product(factor, GENERATOR[0]);
  }
save:
  for (int i = 0; i < PARITY; i++) code[i] = rest[i];
}

/* Evaluates by Horner's rule, all syndromes side by side. */
void rs_syndromes(uint8_t syndromes[static PARITY], const uint8_t code[static LENGTH]) {
  uint8_t value[PARITY];

zero:
  for (int i = 0; i < PARITY; i++) value[i] = 0;
horner:
  for (int j = 0; j < LENGTH; j++) {
    uint8_t byte = code[LENGTH - 1 - j], power = 1;
  each:
    for (int i = 0; i < PARITY; i++) {
      power = product(power, 2);
      value[i] = product(value[i], power) ^ byte;
    }
  }
give:
  for (int i = 0; i < PARITY; i++) syndromes[i] = value[i];
}

/*
 * Makes the error locator from the syndromes without a division (the reformulated Berlekamp-Massey
 * algorithm of Sarwate and Shanbhag): in the end, key[HALF + i] is a multiple of its coefficient i,
 * and key[i], i < HALF, is what the values of the errors come from.
 */
static inline void key_equation(uint8_t key[static 3 * HALF + 2],
                                const uint8_t syndromes[static PARITY]) {
  uint8_t older[3 * HALF + 2];
  uint8_t factor = 1;
  int8_t surplus = 0;

prepare:
  for (int i = 0; i < 3 * HALF + 2; i++) {
    uint8_t syndrome = syndromes[i < PARITY ? i : 0];
    uint8_t value = i < PARITY ? syndrome : (uint8_t)(i == 3 * HALF);
    key[i] = value;
    older[i] = value;
  }
turns:
  for (int turn = 0; turn < PARITY; turn++) {
    uint8_t first = key[0];
    int exchange = (first != 0) & (surplus >= 0);
  terms:
    for (int i = 0; i < 3 * HALF + 1; i++) {
      uint8_t next = key[i + 1], old = older[i];
      key[i] = product(factor, next) ^ product(first, old);
      older[i] = exchange ? next : old;
    }
    factor = exchange ? first : factor;
    surplus = (int8_t)(exchange ? -surplus - 1 : surplus + 1);
  }
}

/* a^254, the inverse of a; 0 for 0. */
static inline uint8_t inverse(uint8_t a) {
  uint8_t result = 1;
squares:
  for (int i = 0; i < 7; i++) {
    a = product(a, a);
    result = product(result, a);
  }
  return result;
}

/*
 * Gives the message of a code word in which up to HALF symbols are wrong; of others, any bytes.
 * Looks for errors in the symbols of the message only (Chien's search), and takes their values from
 * Forney's formula.
 */
void rs_decode(uint8_t message[static MESSAGE], const uint8_t code[static LENGTH]) {
  uint8_t syndromes[PARITY], key[3 * HALF + 2];
  uint8_t place = START, scale = SCALE; /* alpha^-j of symbol j, and its power PARITY + 1 */

  rs_syndromes(syndromes, code);
  key_equation(key, syndromes);
symbols:
  for (int j = 0; j < MESSAGE; j++) {
    uint8_t power = 1, locator = 0, odd = 0, evaluator = 0;
  search:
    for (int i = 0; i <= HALF; i++) {
      uint8_t term = product(key[HALF + i], power), other = key[i];
      locator ^= term;
      odd ^= i & 1 ? term : 0;
      evaluator ^= product(i < HALF ? other : 0, power);
      power = product(power, place);
    }
    uint8_t error = product(product(scale, evaluator), inverse(odd));
    message[j] = code[PARITY + j] ^ (locator == 0 ? error : 0);
    place = product(place, 0x8E); /* 1 / alpha */
    scale = product(scale, FACTOR);
  }
}
