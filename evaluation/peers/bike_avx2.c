/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* In place of bike-kem's cpu_features.c: a processor with AVX2 and PCLMULQDQ, and no more. */
#include <stdint.h>

uint32_t is_avx2_enabled(void);
uint32_t is_avx512_enabled(void);
uint32_t is_pclmul_enabled(void);
uint32_t is_vpclmul_enabled(void);
void cpu_features_init(void);

uint32_t is_avx2_enabled(void) {
  return 1;
}

uint32_t is_avx512_enabled(void) {
  return 0;
}

uint32_t is_pclmul_enabled(void) {
  return 1;
}

uint32_t is_vpclmul_enabled(void) {
  return 0;
}

void cpu_features_init(void) {}
