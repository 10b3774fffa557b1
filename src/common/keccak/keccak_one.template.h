/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Keccak-f[1600] on one state in general registers, with no index arithmetic [FIPS 202, 3.2].
 *
 * A template (base/template.h): it defines permute with the suffix. How much of a round is held in
 * registers decides its speed:
 *   with 30 registers the state is in local variables;
 *   x86-64 has room for theta's sums and one row. Compilers would keep more, and move words to the
 *     stack and back. Told that the state is in memory, they take 183 instructions a round instead
 *     of 215;
 *   with 32 bits there is room for half of that. A round is a function of its own, and gcc leaves
 *     its statements in this order: 600 instructions on RISC-V instead of 1,000.
 */
#if !defined(TEMPLATE_SUFFIX)
#error This is a template: define TEMPLATE_SUFFIX before
#endif

#include "base/isa.h"
#include "base/template.h"
#include "keccak/keccak.h"
#include "keccak/keccak_constants.h"

#if ISA_WORDS_OF_32_BITS || defined(__x86_64__)
#define FEW_REGISTERS 1
#else
#define FEW_REGISTERS 0
#endif

#if ISA_WORDS_OF_32_BITS
#define ROUND_FUNCTION static ISA_IN_ORDER
#else
#define ROUND_FUNCTION static inline __attribute__((always_inline))
#endif

/* Returns words and hides from the compiler which ones they are: it takes them from memory. */
static inline const uint64_t *in_memory(const uint64_t *words) {
#if defined(__x86_64__) && !defined(__FRAMAC__)
  __asm__("" : "+r"(words));
#endif
  return words;
}

/* Returns x, in a general register. Otherwise clang puts pairs of words into vectors, which takes
 * twice the time. MemorySanitizer cannot follow a value through assembly. */
static inline uint64_t in_register(uint64_t x) {
#if defined(__x86_64__) && defined(__clang__) && !defined(CODEKEM_CHECK_MSAN)
  __asm__("" : "+r"(x));
#endif
  return x;
}

/* 0 < n < 64 */
static inline uint64_t rotate_word(uint64_t x, unsigned n) {
  return in_register(x << n | x >> (64 - n));
}

/* chi on one row of five lanes. */
static inline void chi_words(uint64_t out[5], uint64_t b0, uint64_t b1, uint64_t b2, uint64_t b3,
                             uint64_t b4) {
  out[0] = b0 ^ (~b1 & b2);
  out[1] = b1 ^ (~b2 & b3);
  out[2] = b2 ^ (~b3 & b4);
  out[3] = b3 ^ (~b4 & b0);
  out[4] = b4 ^ (~b0 & b1);
}

/* One round from a to o: rho and pi happen while the lanes of each row are picked. */
ROUND_FUNCTION void TEMPLATE_NAME(round_of_words)(
    uint64_t o[KECCAK_LANES], const uint64_t before[KECCAK_LANES], uint64_t constant) {
  const uint64_t *a = in_memory(before);
  uint64_t c0 = a[0] ^ a[5] ^ a[10] ^ a[15] ^ a[20];
  uint64_t c1 = a[1] ^ a[6] ^ a[11] ^ a[16] ^ a[21];
  uint64_t c2 = a[2] ^ a[7] ^ a[12] ^ a[17] ^ a[22];
  uint64_t c3 = a[3] ^ a[8] ^ a[13] ^ a[18] ^ a[23];
  uint64_t c4 = a[4] ^ a[9] ^ a[14] ^ a[19] ^ a[24];
  uint64_t d0 = c4 ^ rotate_word(c1, 1);
  uint64_t d1 = c0 ^ rotate_word(c2, 1);
  uint64_t d2 = c1 ^ rotate_word(c3, 1);
  uint64_t d3 = c2 ^ rotate_word(c4, 1);
  uint64_t d4 = c3 ^ rotate_word(c0, 1);

  a = in_memory(before);
  chi_words(o, a[0] ^ d0, rotate_word(a[6] ^ d1, 44), rotate_word(a[12] ^ d2, 43),
            rotate_word(a[18] ^ d3, 21), rotate_word(a[24] ^ d4, 14));
  o[0] ^= constant;
  chi_words(o + 5, rotate_word(a[3] ^ d3, 28), rotate_word(a[9] ^ d4, 20),
            rotate_word(a[10] ^ d0, 3), rotate_word(a[16] ^ d1, 45), rotate_word(a[22] ^ d2, 61));
  chi_words(o + 10, rotate_word(a[1] ^ d1, 1), rotate_word(a[7] ^ d2, 6),
            rotate_word(a[13] ^ d3, 25), rotate_word(a[19] ^ d4, 8), rotate_word(a[20] ^ d0, 18));
  chi_words(o + 15, rotate_word(a[4] ^ d4, 27), rotate_word(a[5] ^ d0, 36),
            rotate_word(a[11] ^ d1, 10), rotate_word(a[17] ^ d2, 15), rotate_word(a[23] ^ d3, 56));
  chi_words(o + 20, rotate_word(a[2] ^ d2, 62), rotate_word(a[8] ^ d3, 55),
            rotate_word(a[14] ^ d4, 39), rotate_word(a[15] ^ d0, 41), rotate_word(a[21] ^ d1, 2));
}

static void TEMPLATE_NAME(permute)(uint64_t state[KECCAK_LANES]) {
  uint64_t b[KECCAK_LANES];
#if FEW_REGISTERS
  uint64_t *const a = state;
#else
  uint64_t a[KECCAK_LANES];

  for (unsigned i = 0; i < KECCAK_LANES; i++) {
    a[i] = state[i];
  }
#endif
  for (unsigned round = 0; round < KECCAK_ROUNDS; round += 2) {
    TEMPLATE_NAME(round_of_words)(b, a, ckem_keccak_round_constants[round]);
    TEMPLATE_NAME(round_of_words)(a, b, ckem_keccak_round_constants[round + 1]);
  }
#if !FEW_REGISTERS
  for (unsigned i = 0; i < KECCAK_LANES; i++) {
    state[i] = a[i];
  }
#endif
}

#undef FEW_REGISTERS
#undef ROUND_FUNCTION
#undef TEMPLATE_SUFFIX
