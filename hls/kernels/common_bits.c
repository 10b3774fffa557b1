/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The example of docs/hls.md: the bits that two arrays have in common, and how many they are. */
#include "hls.h"

uint16_t common_bits(uint32_t out[static 64], const uint32_t a[static 64],
                     const uint32_t b[static 64]) {
  uint16_t sum = 0;
words:
  for (int i = 0; i < 64; i++) {
    uint32_t common = a[i] & b[i], ones = 0;
  bits:
    for (int j = 0; j < 32; j++) ones += common >> j & 1;
    out[i] = common;
    sum += ones;
  }
  return sum;
}
