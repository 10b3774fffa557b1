/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Leaks on purpose, to show that the checkers see them.
 *
 * The linker puts these functions in front of ckem_gf2x_encode and ckem_gf2x_decode (--wrap),
 * through which every operation passes a secret. CODEKEM_TEST_LEAK says how they leak: 1, a branch
 * on a secret bit; 2, a table index made of secret bits. leak_by_division is for the look at the
 * disassembly.
 */
#include "gf2x/gf2x.h"

void __real_ckem_gf2x_encode(const struct gf2x_ring *ring, uint8_t *out, const uint64_t *a);
void __real_ckem_gf2x_decode(const struct gf2x_ring *ring, uint64_t *out, const uint8_t *in);
void __wrap_ckem_gf2x_encode(const struct gf2x_ring *ring, uint8_t *out, const uint64_t *a);
void __wrap_ckem_gf2x_decode(const struct gf2x_ring *ring, uint64_t *out, const uint8_t *in);
uint32_t leak_by_division(uint32_t secret, uint32_t divisor);

static volatile uint8_t sink[64];

static void leak(uint64_t secret) {
#if CODEKEM_TEST_LEAK == 1
  if ((secret & 1) != 0) {
    sink[0] = 1; /* volatile, so the compiler keeps the branch */
  }
#elif CODEKEM_TEST_LEAK == 2
  sink[1] = sink[secret % sizeof sink];
#else
#error "CODEKEM_TEST_LEAK must be 1 or 2"
#endif
}

void __wrap_ckem_gf2x_encode(const struct gf2x_ring *ring, uint8_t *out, const uint64_t *a) {
  leak(a[0]);
  __real_ckem_gf2x_encode(ring, out, a);
}

void __wrap_ckem_gf2x_decode(const struct gf2x_ring *ring, uint64_t *out, const uint8_t *in) {
  leak(in[0]);
  __real_ckem_gf2x_decode(ring, out, in);
}

uint32_t leak_by_division(uint32_t secret, uint32_t divisor) {
  return secret / divisor;
}
