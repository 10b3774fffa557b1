/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Links encapsulation and decapsulation of Classic McEliece and nothing else: what remains is the
 * size of the library for a device that makes no keys. It is not run. */
#include "codekem_mceliece.h"

void board_reset(void);

void board_reset(void) {
  const codekem_kem *kem = codekem_mceliece_kem_at(0);
  uint8_t *volatile memory = (uint8_t *)0x20000000;
  codekem_mceliece_encapsulation *state = (codekem_mceliece_encapsulation *)(void *)memory;

  while (codekem_mceliece_encaps_begin_derand(kem, state, memory) == CODEKEM_OK &&
         codekem_mceliece_encaps_absorb(state, memory, 1) == CODEKEM_OK &&
         codekem_mceliece_encaps_end(state, memory, memory) == CODEKEM_OK &&
         codekem_kem_decaps(kem, memory, memory, memory) == CODEKEM_OK) {
  }
}
