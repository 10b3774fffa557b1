/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Keccak-f[1600] of two states, with one lane of each in a 128-bit register: the 25 lanes fit into
 * the 32 registers. One state is in keccak_one_avx512.c, eight are in keccak_many_avx512.c.
 */
#include "base/intrinsics.h"
#include "keccak/keccak.h"

#if defined(CODEKEM_HAVE_AVX512)
ISA_BEGIN_AVX512

/* Lane i of the first state and lane i of the second. */
typedef __m128i lanes;

#define ADD(a, b) _mm_xor_si128(a, b)
#define TERNARY(a, b, c, table) _mm_ternarylogic_epi64(a, b, c, table)
#define ROTATE(a, n) _mm_rol_epi64(a, n)
#define BROADCAST(x) _mm_set1_epi64x((long long)(x))

#define TEMPLATE_SUFFIX avx512
#include "keccak/keccak_lanes_avx512.template.h"

static void permute_pair_avx512(uint64_t first[KECCAK_LANES], uint64_t second[KECCAK_LANES]) {
  lanes a[KECCAK_LANES];

#pragma GCC unroll 25
  for (unsigned i = 0; i < KECCAK_LANES; i++) {
    const __m128d low = _mm_load_sd((const double *)(const void *)&first[i]);
    a[i] = _mm_castpd_si128(_mm_loadh_pd(low, (const double *)(const void *)&second[i]));
  }
  permute_lanes_avx512(a);
#pragma GCC unroll 25
  for (unsigned i = 0; i < KECCAK_LANES; i++) {
    _mm_storel_epi64((__m128i *)(void *)&first[i], a[i]);
    _mm_storeh_pd((double *)(void *)&second[i], _mm_castsi128_pd(a[i]));
  }
}

const struct keccak_ops ckem_keccak_avx512 = {
    .name = "avx512",
    .permute = ckem_keccak_permute_avx512,
    .permute_pair = permute_pair_avx512,
    .width = 8,
    .permute_many = ckem_keccak_permute_many_avx512,
    .absorb = ckem_keccak_absorb_avx512,
};

ISA_END
#endif
