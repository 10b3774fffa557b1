/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The end of hashing with liboqs. */
#include "keccak/keccak.h"

void ckem_keccak_release(void) {
  for (size_t i = 0; i < KECCAK_OPEN_STATES; i++) {
    if (keccak_open[i].owner != NULL) {
      keccak_release_one(&keccak_open[i]);
    }
  }
}
