/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What bike-kem wants of its user: its look at the processor, which it does not take by itself, and
 * randomness. */
#include "random.h"

void cpu_features_init(void);
int randombytes(unsigned char *out, unsigned long long length);

__attribute__((constructor)) static void look_at_processor(void) {
  cpu_features_init();
}

int randombytes(unsigned char *out, unsigned long long length) {
  peer_bytes(out, (size_t)length);
  return 0;
}
