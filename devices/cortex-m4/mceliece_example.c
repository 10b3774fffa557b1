/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Classic McEliece on a device whose memory does not hold a public key: the key pair leaves in
 * pages for the flash, the other side takes the public key in pieces.
 *
 * The flash of the board is simulated: an array that the program writes in whole pages only, after
 * they were erased, and then reads.
 */
#include <string.h>

#include "board.h"
#include "codekem_mceliece.h"

enum { PAGE_BYTES = 2048, PUBLIC_KEY_BYTES = 261120, SECRET_KEY_BYTES = 6492, ERASED = 0xFF };

/* --- The flash; on a real device a driver, and no memory -------------------------------------- */

static uint8_t flash[(PUBLIC_KEY_BYTES + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES];

static void flash_erase(void) {
  memset(flash, ERASED, sizeof flash);
}

/* Writes a page that is erased; false if it is not. */
static bool flash_write(size_t offset, const uint8_t *page, size_t length) {
  if (offset % PAGE_BYTES != 0 || length > PAGE_BYTES || offset + length > sizeof flash) {
    return false;
  }
  for (size_t i = 0; i < length; i++) {
    if (flash[offset + i] != ERASED) {
      return false;
    }
  }
  memcpy(flash + offset, page, length);
  return true;
}

/* --- The device that makes the key ------------------------------------------------------------ */

static uint8_t secret_key[SECRET_KEY_BYTES];
/* Of codekem_mceliece_keypair_in_pages_workspace(kem, PAGE_BYTES) bytes. */
static _Alignas(CODEKEM_WORKSPACE_ALIGNMENT) uint8_t workspace[130176];

static bool write_page(void *context, size_t offset, const uint8_t *page, size_t length) {
  (void)context;
  return flash_write(offset, page, length);
}

static codekem_status make_key(const codekem_kem *kem, const uint8_t *seed) {
  flash_erase();
  return codekem_mceliece_keypair_in_pages(kem, secret_key, seed, PAGE_BYTES, write_page, NULL,
                                           workspace, sizeof workspace);
}

/* --- The other side, which takes the key as it comes ------------------------------------------ */

static codekem_status encapsulate(const codekem_kem *kem, uint8_t *ciphertext, uint8_t *secret,
                                  const uint8_t *seed) {
  codekem_mceliece_encapsulation state;
  codekem_status status = codekem_mceliece_encaps_begin_derand(kem, &state, seed);

  for (size_t at = 0; at < PUBLIC_KEY_BYTES && status == CODEKEM_OK; at += PAGE_BYTES) {
    const size_t left = PUBLIC_KEY_BYTES - at;

    status =
        codekem_mceliece_encaps_absorb(&state, flash + at, left < PAGE_BYTES ? left : PAGE_BYTES);
  }
  return status == CODEKEM_OK ? codekem_mceliece_encaps_end(&state, ciphertext, secret) : status;
}

static int exchange(const codekem_kem *kem) {
  /* Seeds come from the generator of the device. These are NOT random. */
  static const uint8_t key_seed[32] = {1}, encaps_seed[32] = {2};
  static uint8_t ciphertext[CODEKEM_MCELIECE_MAX_CIPHERTEXT];
  uint8_t alice[32], bob[32];

  if (codekem_mceliece_keypair_in_pages_workspace(kem, PAGE_BYTES) > sizeof workspace ||
      make_key(kem, key_seed) != CODEKEM_OK ||
      encapsulate(kem, ciphertext, alice, encaps_seed) != CODEKEM_OK ||
      codekem_kem_decaps(kem, bob, ciphertext, secret_key) != CODEKEM_OK) {
    return 2;
  }
  return memcmp(alice, bob, sizeof alice) != 0;
}

int main(void) {
  static const char same[] = "both hold the same secret\n";
  static const char differ[] = "the secrets differ\n";
  const codekem_kem *kem = codekem_mceliece_kem_find("mceliece348864");
  const int result = kem != NULL ? exchange(kem) : 3;

  board_write(result == 0 ? same : differ, result == 0 ? sizeof same - 1 : sizeof differ - 1);
  return result;
}
