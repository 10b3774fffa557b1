/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * 256 numbers to lanes and back, on registers of 256 bits; for x86-64.
 *
 * Number k goes to lane reverse(k), its eight bits in reverse. So the numbers 16 a to 16 a + 15,
 * which a register holds, go to those lanes whose number is reverse(a) modulo 16: a transpose of
 * 16 x 16 bits in the parts of sixteen registers and a permutation within each of them are enough.
 */
#ifndef TEMPLATE_SUFFIX
#error This is a template: define TEMPLATE_SUFFIX, and what is named above, before it
#endif

static const uint8_t reverse_of_four_bits[16] = {0, 8, 4, 12, 2, 10, 6, 14,
                                                 1, 9, 5, 13, 3, 11, 7, 15};

/* Brings what is at place i of 16 to the place with the four bits of i in reverse. */
static inline __attribute__((always_inline)) __m256i reverse_places(__m256i x) {
  const __m256i first = _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 8, 9, 4, 5, 12, 13, 2, 3,
                                                                  10, 11, 6, 7, 14, 15));
  const __m256i second = _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 8, 9, 2, 3, 10, 11, 4, 5,
                                                                   12, 13, 6, 7, 14, 15));

  x = _mm256_permute4x64_epi64(_mm256_shuffle_epi8(x, first), 0xD8);
  return _mm256_shuffle_epi8(x, second);
}

/* Swaps bit i of 16 of x[k] with bit k of 16 of x[i], everywhere. */
static inline __attribute__((always_inline)) void transpose_parts(__m256i x[16]) {
  static const uint16_t masks[4] = {0x00FF, 0x0F0F, 0x3333, 0x5555};

  UNROLL
  for (unsigned round = 0; round < 4; round++) {
    const unsigned j = 8U >> round;
    const __m256i mask = _mm256_set1_epi16((short)masks[round]);
    UNROLL
    for (unsigned k = 0; k < 16; k++) {
      if ((k & j) == 0) {
        const __m256i t =
            _mm256_and_si256(_mm256_xor_si256(_mm256_srli_epi16(x[k], (int)j), x[k + j]), mask);
        x[k + j] = _mm256_xor_si256(x[k + j], t);
        x[k] = _mm256_xor_si256(x[k], _mm256_slli_epi16(t, (int)j));
      }
    }
  }
}

/* Makes the lanes of f[count], count <= 256. */
static void pack_lanes(unsigned m, uint64_t *lanes, const uint16_t *f, size_t count) {
  _Alignas(32) uint16_t numbers[256];
  __m256i x[16];

  memcpy(numbers, f, count * sizeof *f);
  memset(numbers + count, 0, (256 - count) * sizeof *f);
  UNROLL
  for (unsigned a = 0; a < 16; a++) {
    x[reverse_of_four_bits[a]] = reverse_places(
        _mm256_load_si256((const __m256i *)(const void *)(numbers + (size_t)16 * a)));
  }
  transpose_parts(x);
  for (unsigned b = 0; b < m; b++) {
    _mm256_store_si256((__m256i *)(void *)(lanes + (size_t)b * GF2M_PLANE_WORDS), x[b]);
  }
}
#define pack_lanes pack_lanes

/* The other way. */
static void unpack_lanes(unsigned m, uint16_t *f, const uint64_t *lanes, size_t count) {
  _Alignas(32) uint16_t numbers[256];
  __m256i x[16];

  UNROLL
  for (unsigned b = 0; b < 16; b++) {
    x[b] = b < m ? _mm256_load_si256(
                       (const __m256i *)(const void *)(lanes + (size_t)b * GF2M_PLANE_WORDS))
                 : _mm256_setzero_si256();
  }
  transpose_parts(x);
  UNROLL
  for (unsigned a = 0; a < 16; a++) {
    _mm256_store_si256((__m256i *)(void *)(numbers + (size_t)16 * a),
                       reverse_places(x[reverse_of_four_bits[a]]));
  }
  memcpy(f, numbers, count * sizeof *f);
}
#define unpack_lanes unpack_lanes
