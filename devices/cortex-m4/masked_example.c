/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * HQC on a device whose power somebody may measure: the key is made, stored and used in shares, and
 * the other side, which knows nothing of shares, agrees on the same secret twice.
 */
#include <string.h>

#include "board.h"
#include "codekem_masked.h"

enum { PUBLIC_KEY_BYTES = 2241, CIPHERTEXT_BYTES = 4433, SECRET_BYTES = 32 };

/* What the device keeps; on a real one in flash or in memory that only it can read. */
static uint8_t key[CODEKEM_MASKED_MAX_SECRET_KEY];

/* A device has a generator in hardware, from which masks come, too. The emulated board has none, so
 * the numbers here are NOT random: they protect nothing. */
static bool device_random(void *context, uint8_t *out, size_t length) {
  uint8_t *next = context;

  for (size_t i = 0; i < length; i++) {
    out[i] = (*next)++;
  }
  return true;
}

/* The other side: an ordinary program. */
static codekem_status peer_encapsulates(const codekem_kem *kem, uint8_t *ciphertext,
                                        uint8_t *secret, const uint8_t *public_key,
                                        uint8_t *counter) {
  const codekem_options drawing = {
      .size = sizeof drawing, .random = device_random, .random_context = counter};

  return codekem_kem_encaps_with(kem, ciphertext, secret, public_key, &drawing);
}

static int exchange(const codekem_masked_kem *kem) {
  static uint8_t public_key[PUBLIC_KEY_BYTES], ciphertext[CIPHERTEXT_BYTES];
  uint8_t shares[CODEKEM_MASKED_MAX_SHARED_SECRET], mine[SECRET_BYTES], theirs[SECRET_BYTES];
  uint8_t counter = 0;
  const codekem_masked_options masked = {
      .size = sizeof masked, .random = device_random, .random_context = &counter};

  if (codekem_masked_keypair(kem, public_key, key, &masked) != CODEKEM_OK) {
    return 2;
  }
  for (int i = 0; i < 2; i++) {
    if (peer_encapsulates(kem->kem, ciphertext, theirs, public_key, &counter) != CODEKEM_OK ||
        codekem_masked_decaps(kem, shares, ciphertext, key, &masked) != CODEKEM_OK) {
      return 2;
    }
    /* Here for the comparison alone: a cipher in shares takes the secret as it is. */
    codekem_masked_join(mine, shares, sizeof mine);
    if (memcmp(mine, theirs, sizeof mine) != 0) {
      return 1;
    }
    /* Stored shares that never change can be averaged. */
    if (codekem_masked_refresh_key(kem, key, &masked) != CODEKEM_OK) {
      return 2;
    }
  }
  return 0;
}

int main(void) {
  static const char same[] = "both hold the same secrets\n";
  static const char differ[] = "the secrets differ\n";
  const codekem_masked_kem *kem = codekem_masked_find("HQC-1");
  const int result = kem != NULL ? exchange(kem) : 3;

  board_write(result == 0 ? same : differ, result == 0 ? sizeof same - 1 : sizeof differ - 1);
  return result;
}
