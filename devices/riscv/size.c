/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Links the library, the driver of the cores, or both, with what they take of this system, and
 * nothing else: what remains is their size (hardware/soc/measure.py). It is not run. */
#include "board.h"
#include "codekem.h"

static uint8_t *volatile memory; /* of the keys, which are the program's */

#ifdef SIZE_LIBRARY
static void library(void) {
  const codekem_kem *kem = codekem_kem_at(0);

  while (codekem_kem_keypair_with(kem, memory, memory, CODEKEM_OPTIONS(.seed = memory)) ==
             CODEKEM_OK &&
         codekem_kem_encaps_with(kem, memory, memory, memory, CODEKEM_OPTIONS(.seed = memory)) ==
             CODEKEM_OK &&
         codekem_kem_decaps(kem, memory, memory, memory) == CODEKEM_OK) {
  }
}
#endif

#ifdef SIZE_DRIVER
static void driver(void) {
  const char *const name = (const char *)memory;
  const kem_driver *kem = kem_driver_of(name);
  kem_device core;

  if (board_core(&core, name, BOARD_INTERRUPT)) {
    while (kem->keypair_derand(&core, memory, memory, memory) == 0 &&
           kem->encaps_derand(&core, memory, memory, memory, memory) == 0 &&
           kem->decaps(&core, memory, memory, memory) == 0) {
    }
  }
}
#endif

int main(void) {
#ifdef SIZE_LIBRARY
  library();
#endif
#ifdef SIZE_DRIVER
  driver();
#endif
  return 0;
}
