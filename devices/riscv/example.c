/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The smallest program: an exchange with BIKE-L1 on the system of hardware/soc.
 *
 * Key generation and decapsulation are done by the core, if there is one; encapsulation by the
 * library, as the other side would.
 */
#include <string.h>

#include "board.h"
#include "codekem.h"
#include "offload.h"

static int exchange(const codekem_kem *kem, offload_to core) {
  static uint8_t public_key[1541], secret_key[5223], ciphertext[1573];
  /* A device takes these from its generator. This one has none, so they are NOT random: with them,
   * everybody has the same keys. */
  static const uint8_t key_seed[64] = {1}, seed[32] = {2};
  uint8_t alice[32], bob[32];

  if (offload_keypair_derand(core, kem, public_key, secret_key, key_seed) != CODEKEM_OK ||
      offload_encaps_derand(NULL, kem, ciphertext, alice, public_key, seed) != CODEKEM_OK ||
      offload_decaps(core, kem, bob, ciphertext, secret_key) != CODEKEM_OK) {
    return 2;
  }
  return memcmp(alice, bob, sizeof alice) != 0;
}

int main(void) {
  static const char same[] = "both hold the same secret\n";
  static const char differ[] = "the secrets differ\n";
  const codekem_kem *kem = codekem_kem_find("BIKE-L1");
  kem_device device;
  const bool core = board_core(&device, "BIKE-L1", BOARD_INTERRUPT);
  const int result = kem != NULL ? exchange(kem, core ? &device : NULL) : 3;

  board_write(result == 0 ? same : differ, result == 0 ? sizeof same - 1 : sizeof differ - 1);
  return result;
}
