/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A mistake that only three certain bytes reach: the fuzzers must be able to find such a one. */
#include "fuzz_input.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  uint8_t *memory = fuzz_allocate(8);
  volatile size_t beyond = 8;

  if (size >= 3 && data[0] == 'B' && data[1] == 'U' && data[2] == 'G') {
    memory[beyond] = 1;
  }
  free(memory);
  return 0;
}
