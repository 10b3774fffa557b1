/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Links all operations and nothing else: what remains is the size of the library. It is not run. */
#include "codekem.h"

void board_reset(void);

void board_reset(void) {
  const codekem_kem *kem = codekem_kem_at(0);
  uint8_t *volatile memory = (uint8_t *)0x20000000;

  while (codekem_kem_keypair_with(kem, memory, memory, CODEKEM_OPTIONS(.seed = memory)) ==
             CODEKEM_OK &&
         codekem_kem_encaps_with(kem, memory, memory, memory, CODEKEM_OPTIONS(.seed = memory)) ==
             CODEKEM_OK &&
         codekem_kem_decaps(kem, memory, memory, memory) == CODEKEM_OK) {
  }
}
