/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Keccak-f[1600] of eight states at once: a 512-bit register has one lane of each. */
#include "base/intrinsics.h"
#include "keccak/keccak.h"

#if defined(CODEKEM_HAVE_AVX512)
ISA_BEGIN_AVX512

/* Lane i of eight states. */
typedef __m512i lanes;

#define ADD(a, b) _mm512_xor_si512(a, b)
#define TERNARY(a, b, c, table) _mm512_ternarylogic_epi64(a, b, c, table)
#define ROTATE(a, n) _mm512_rol_epi64(a, n)
#define BROADCAST(x) _mm512_set1_epi64((long long)(x))

#define TEMPLATE_SUFFIX many_avx512
#include "keccak/keccak_lanes_avx512.template.h"

void ckem_keccak_permute_many_avx512(uint64_t *states) {
  lanes a[KECCAK_LANES];

#pragma GCC unroll 25
  for (size_t i = 0; i < KECCAK_LANES; i++) {
    a[i] = _mm512_loadu_si512(states + 8 * i);
  }
  permute_lanes_many_avx512(a);
#pragma GCC unroll 25
  for (size_t i = 0; i < KECCAK_LANES; i++) {
    _mm512_storeu_si512(states + 8 * i, a[i]);
  }
}

ISA_END
#endif
