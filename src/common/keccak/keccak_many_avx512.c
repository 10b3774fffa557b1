/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Keccak-f[1600] of eight states at once [FIPS 202, 3.2]: a 512-bit register has one lane of each,
 * and the 25 lanes fit into the 32 registers. */
#include "base/intrinsics.h"
#include "keccak/keccak.h"
#include "keccak/keccak_constants.h"

#if defined(CODEKEM_HAVE_AVX512)
ISA_BEGIN_AVX512

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* Lane i of eight states. */
typedef __m512i lanes;

ALWAYS_INLINE lanes add(lanes a, lanes b) {
  return _mm512_xor_si512(a, b);
}

/* a ^ b ^ c ^ d ^ e, where the later ones are known last. vpternlogq overwrites an input, so using
 * it twice would need a copy and save nothing. */
ALWAYS_INLINE lanes add5(lanes a, lanes b, lanes c, lanes d, lanes e) {
  return _mm512_ternarylogic_epi64(add(add(a, b), c), d, e, 0x96);
}

/* One lane of column x through theta and rho. */
#define MOVED(lane, x, rotation) _mm512_rol_epi64(add(lane, d##x), rotation)

/* chi on one row of five lanes. */
ALWAYS_INLINE void chi_row(lanes out[5], lanes b0, lanes b1, lanes b2, lanes b3, lanes b4) {
  out[0] = _mm512_ternarylogic_epi64(b0, b1, b2, 0xD2); /* b0 ^ (~b1 & b2) */
  out[1] = _mm512_ternarylogic_epi64(b1, b2, b3, 0xD2);
  out[2] = _mm512_ternarylogic_epi64(b2, b3, b4, 0xD2);
  out[3] = _mm512_ternarylogic_epi64(b3, b4, b0, 0xD2);
  out[4] = _mm512_ternarylogic_epi64(b4, b0, b1, 0xD2);
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
  const lanes d0 = add(c4, _mm512_rol_epi64(c1, 1));
  const lanes d1 = add(c0, _mm512_rol_epi64(c2, 1));
  const lanes d2 = add(c1, _mm512_rol_epi64(c3, 1));
  const lanes d3 = add(c2, _mm512_rol_epi64(c4, 1));
  const lanes d4 = add(c3, _mm512_rol_epi64(c0, 1));

  chi_row(o, add(a[0], d0), MOVED(a[6], 1, 44), MOVED(a[12], 2, 43), MOVED(a[18], 3, 21),
          MOVED(a[24], 4, 14));
  o[0] = add(o[0], _mm512_set1_epi64((long long)constant));
  chi_row(o + 5, MOVED(a[3], 3, 28), MOVED(a[9], 4, 20), MOVED(a[10], 0, 3), MOVED(a[16], 1, 45),
          MOVED(a[22], 2, 61));
  chi_row(o + 10, MOVED(a[1], 1, 1), MOVED(a[7], 2, 6), MOVED(a[13], 3, 25), MOVED(a[19], 4, 8),
          MOVED(a[20], 0, 18));
  chi_row(o + 15, MOVED(a[4], 4, 27), MOVED(a[5], 0, 36), MOVED(a[11], 1, 10), MOVED(a[17], 2, 15),
          MOVED(a[23], 3, 56));
  chi_row(o + 20, MOVED(a[2], 2, 62), MOVED(a[8], 3, 55), MOVED(a[14], 4, 39), MOVED(a[15], 0, 41),
          MOVED(a[21], 1, 2));
}

ALWAYS_INLINE void permute_lanes(lanes a[KECCAK_LANES]) {
  lanes b[KECCAK_LANES];

  for (unsigned round = 0; round < KECCAK_ROUNDS; round += 2) {
    round_into(b, a, ckem_keccak_round_constants[round]);
    round_into(a, b, ckem_keccak_round_constants[round + 1]);
  }
}

void ckem_keccak_permute_many_avx512(uint64_t *states) {
  lanes a[KECCAK_LANES];

#pragma GCC unroll 25
  for (size_t i = 0; i < KECCAK_LANES; i++) {
    a[i] = _mm512_loadu_si512(states + 8 * i);
  }
  permute_lanes(a);
#pragma GCC unroll 25
  for (size_t i = 0; i < KECCAK_LANES; i++) {
    _mm512_storeu_si512(states + 8 * i, a[i]);
  }
}

ISA_END
#endif
