/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The shortened Reed-Solomon codes of HQC over GF(256) = GF(2)[x]/(x^8 + x^4 + x^3 + x^2 + 1).
 *
 * A code word is PARITY bytes, then the message; symbol i belongs to x^i. Its syndromes are its
 * values at alpha^1 .. alpha^PARITY, alpha = x.
 */
#include "hls.h"

#ifndef LENGTH
#define LENGTH 46
#endif
#ifndef MESSAGE
#define MESSAGE 16
#endif
enum { PARITY = LENGTH - MESSAGE };

#if LENGTH == 46
/* Of the generator polynomial, the product of x - alpha^i for i = 1 .. 30, without x^30. */
static const uint8_t GENERATOR[PARITY] = {89,  69,  153, 116, 176, 117, 111, 75,  73,  233,
                                          242, 233, 65,  210, 21,  139, 103, 173, 67,  118,
                                          105, 210, 174, 110, 74,  69,  228, 82,  255, 181};
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
