/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Keccak-f[1600] with one lane in each 128-bit register.
 *
 * The 25 lanes fit into the 32 registers, which they do not in the general ones. A register holds
 * two 64-bit lanes, so a second state costs nothing but its loads and stores. Eight states are in
 * keccak_many_avx512.c.
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

static void permute_avx512(uint64_t state[KECCAK_LANES]) {
  lanes a[KECCAK_LANES];

#pragma GCC unroll 25
  for (unsigned i = 0; i < KECCAK_LANES; i++) {
    a[i] = _mm_loadl_epi64((const __m128i *)(const void *)&state[i]);
  }
  permute_lanes_avx512(a);
#pragma GCC unroll 25
  for (unsigned i = 0; i < KECCAK_LANES; i++) {
    _mm_storel_epi64((__m128i *)(void *)&state[i], a[i]);
  }
}

static void permute_pair_avx512(uint64_t first[KECCAK_LANES], uint64_t second[KECCAK_LANES]) {
  lanes a[KECCAK_LANES];

#pragma GCC unroll 25
  for (unsigned i = 0; i < KECCAK_LANES; i++) {
    a[i] = _mm_insert_epi64(_mm_loadl_epi64((const __m128i *)(const void *)&first[i]),
                            (long long)second[i], 1);
  }
  permute_lanes_avx512(a);
#pragma GCC unroll 25
  for (unsigned i = 0; i < KECCAK_LANES; i++) {
    first[i] = (uint64_t)_mm_cvtsi128_si64(a[i]);
    second[i] = (uint64_t)_mm_extract_epi64(a[i], 1);
  }
}

const struct keccak_ops keccak_avx512 = {
    .name = "avx512",
    .permute = permute_avx512,
    .permute_pair = permute_pair_avx512,
    .width = 8,
    .permute_many = keccak_permute_many_avx512,
};

ISA_END
#endif
