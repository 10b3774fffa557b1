/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Keccak-f[1600] with AVX-512 on vectors that hold lane i of several states [FIPS 202, 3.2]: the
 * rotation and the three-operand functions of theta and chi are single instructions, and the 25
 * lanes fit into the 32 registers.
 *
 * A template (base/template.h): it defines permute_lanes with the suffix. The file that includes
 * this defines before it TEMPLATE_SUFFIX, the type lanes, and as macros for it:
 *   ADD(a, b): a + b;
 *   TERNARY(a, b, c, table): the function of three bits that the constant table lists;
 *   ROTATE(a, n): each lane rotated by the constant n, 0 < n < 64;
 *   BROADCAST(x): x in all lanes.
 */
#if !defined(TEMPLATE_SUFFIX) || !defined(ADD) || !defined(TERNARY) || !defined(ROTATE) || \
    !defined(BROADCAST)
#error This is a template: define TEMPLATE_SUFFIX, ADD, TERNARY, ROTATE and BROADCAST before it
#endif

#include "base/intrinsics.h"
#include "base/template.h"
#include "keccak/keccak.h"
#include "keccak/keccak_constants.h"

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* a ^ b ^ c ^ d ^ e, where the later ones are known last. vpternlogq overwrites an input, so using
 * it twice would need a copy and save nothing. */
ALWAYS_INLINE lanes add5(lanes a, lanes b, lanes c, lanes d, lanes e) {
  return TERNARY(ADD(ADD(a, b), c), d, e, 0x96);
}

/* One lane of column x through theta and rho. */
#define MOVED(lane, x, rotation) ROTATE(ADD(lane, d##x), rotation)

/* chi on one row of five lanes. */
ALWAYS_INLINE void chi_row(lanes out[5], lanes b0, lanes b1, lanes b2, lanes b3, lanes b4) {
  out[0] = TERNARY(b0, b1, b2, 0xD2); /* b0 ^ (~b1 & b2) */
  out[1] = TERNARY(b1, b2, b3, 0xD2);
  out[2] = TERNARY(b2, b3, b4, 0xD2);
  out[3] = TERNARY(b3, b4, b0, 0xD2);
  out[4] = TERNARY(b4, b0, b1, 0xD2);
}

/* One round from a to o: rho and pi happen while the lanes of each row are picked. */
ALWAYS_INLINE void round_into(lanes o[KECCAK_LANES], const lanes a[KECCAK_LANES],
                              uint64_t constant) {
  const lanes c0 = add5(a[0], a[5], a[10], a[15], a[20]);
  const lanes c1 = add5(a[1], a[6], a[11], a[16], a[21]);
  const lanes c2 = add5(a[2], a[7], a[12], a[17], a[22]);
  const lanes c3 = add5(a[3], a[8], a[13], a[18], a[23]);
  const lanes c4 = add5(a[4], a[9], a[14], a[19], a[24]);
  /* Adding both sums to each lane with one vpternlogq would save these five additions, but its
   * overwritten input needs copies: a sixth slower on Zen 5. */
  const lanes d0 = ADD(c4, ROTATE(c1, 1));
  const lanes d1 = ADD(c0, ROTATE(c2, 1));
  const lanes d2 = ADD(c1, ROTATE(c3, 1));
  const lanes d3 = ADD(c2, ROTATE(c4, 1));
  const lanes d4 = ADD(c3, ROTATE(c0, 1));

  chi_row(o, ADD(a[0], d0), MOVED(a[6], 1, 44), MOVED(a[12], 2, 43), MOVED(a[18], 3, 21),
          MOVED(a[24], 4, 14));
  o[0] = ADD(o[0], BROADCAST(constant));
  chi_row(o + 5, MOVED(a[3], 3, 28), MOVED(a[9], 4, 20), MOVED(a[10], 0, 3), MOVED(a[16], 1, 45),
          MOVED(a[22], 2, 61));
  chi_row(o + 10, MOVED(a[1], 1, 1), MOVED(a[7], 2, 6), MOVED(a[13], 3, 25), MOVED(a[19], 4, 8),
          MOVED(a[20], 0, 18));
  chi_row(o + 15, MOVED(a[4], 4, 27), MOVED(a[5], 0, 36), MOVED(a[11], 1, 10), MOVED(a[17], 2, 15),
          MOVED(a[23], 3, 56));
  chi_row(o + 20, MOVED(a[2], 2, 62), MOVED(a[8], 3, 55), MOVED(a[14], 4, 39), MOVED(a[15], 0, 41),
          MOVED(a[21], 1, 2));
}

ALWAYS_INLINE void TEMPLATE_NAME(permute_lanes)(lanes a[KECCAK_LANES]) {
  lanes b[KECCAK_LANES];

  for (unsigned round = 0; round < KECCAK_ROUNDS; round += 2) {
    round_into(b, a, ckem_keccak_round_constants[round]);
    round_into(a, b, ckem_keccak_round_constants[round + 1]);
  }
}
