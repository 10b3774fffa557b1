/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The smallest program: an exchange with BIKE-L1 on a device without operating system.
 *
 * It shows what a device brings along: randomness, and the memory of the calls (here the stack).
 */
#include <string.h>

#include "board.h"
#include "codekem.h"

/* A device has a generator in hardware, and this function reads it. The emulated board has none, so
 * the numbers here are NOT random: with them, everybody has the same keys. */
static bool device_random(void *context, uint8_t *out, size_t length) {
  uint8_t *next = context;

  for (size_t i = 0; i < length; i++) {
    out[i] = (*next)++;
  }
  return true;
}

static int exchange(const codekem_kem *kem) {
  static uint8_t public_key[1541], secret_key[5223], ciphertext[1573];
  uint8_t alice[32], bob[32], counter = 0;
  const codekem_options drawing = {
      .size = sizeof drawing, .random = device_random, .random_context = &counter};

  if (codekem_kem_keypair_with(kem, public_key, secret_key, &drawing) != CODEKEM_OK ||
      codekem_kem_encaps_with(kem, ciphertext, alice, public_key, &drawing) != CODEKEM_OK ||
      codekem_kem_decaps(kem, bob, ciphertext, secret_key) != CODEKEM_OK) {
    return 2;
  }
  return memcmp(alice, bob, sizeof alice) != 0;
}

int main(void) {
  static const char same[] = "both hold the same secret\n";
  static const char differ[] = "the secrets differ\n";
  const codekem_kem *kem = codekem_kem_find("BIKE-L1");
  const int result = kem != NULL ? exchange(kem) : 3;

  board_write(result == 0 ? same : differ, result == 0 ? sizeof same - 1 : sizeof differ - 1);
  return result;
}
