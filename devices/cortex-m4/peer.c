/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Measures an implementation with the interface of pqm4 [PQM4] on the board, in the same way as
 * operations.c measures the library: devices/measure.py --pqm4 builds it from a copy of pqm4.
 *
 * Output: three lines "OPERATION INSTRUCTIONS STACK_BYTES"; status 1 if the secrets differ.
 */
#include <string.h>

#include "api.h"
#include "board.h"
#include "measure.h"
#include "randombytes.h"

int crypto_kem_keypair(unsigned char *pk, unsigned char *sk);
int crypto_kem_enc(unsigned char *ct, unsigned char *ss, const unsigned char *pk);
int crypto_kem_dec(unsigned char *ss, const unsigned char *ct, const unsigned char *sk);

static unsigned char pk[CRYPTO_PUBLICKEYBYTES], sk[CRYPTO_SECRETKEYBYTES];
static unsigned char ct[CRYPTO_CIPHERTEXTBYTES], ss[CRYPTO_BYTES], ss2[CRYPTO_BYTES];

/* Numbers that are the same in each run [Marsaglia, Xorshift RNGs]; they need not be good. */
int randombytes(uint8_t *out, size_t length) {
  static uint32_t state = 0x12345678;

  for (size_t i = 0; i < length; i++) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    out[i] = (uint8_t)state;
  }
  return 0;
}

static void keypair(void *context) {
  (void)context;
  crypto_kem_keypair(pk, sk);
}

static void encaps(void *context) {
  (void)context;
  crypto_kem_enc(ct, ss, pk);
}

static void decaps(void *context) {
  (void)context;
  crypto_kem_dec(ss2, ct, sk);
}

static void say_number(uint32_t number) {
  char digits[10];
  size_t at = sizeof digits;

  do {
    digits[--at] = (char)('0' + number % 10);
    number /= 10;
  } while (number != 0);
  board_write(digits + at, sizeof digits - at);
}

static void run(const char *name, void (*operation)(void *context)) {
  const struct measurement measured = measure(operation, NULL);

  board_write(name, strlen(name));
  board_write(" ", 1);
  say_number(measured.instructions);
  board_write(" ", 1);
  say_number(measured.stack_bytes);
  board_write("\n", 1);
}

int main(void) {
  *(volatile uint32_t *)0xE000ED88 |= 0xFu << 20; /* pqm4 takes the FPU's registers for spilling */
  run("keypair", keypair);
  run("encaps", encaps);
  run("decaps", decaps);
  return memcmp(ss, ss2, sizeof ss) != 0;
}
