/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Networks on 32-bit words. The five layers at either end stay within words, and are done for one
 * word after the other. */
#include "benes/benes_m4.h"

#include <stddef.h>

#include "base/bytes.h"

#if defined(CODEKEM_HAVE_M4)

/* Moves 16 bits to the places whose bit s is clear. */
#define SPREAD(x, s)                                     \
  do {                                                   \
    (x) = (s) < 4 ? ((x) | (x) << 8) & 0x00FF00FF : (x); \
    (x) = (s) < 3 ? ((x) | (x) << 4) & 0x0F0F0F0F : (x); \
    (x) = (s) < 2 ? ((x) | (x) << 2) & 0x33333333 : (x); \
    (x) = (s) < 1 ? ((x) | (x) << 1) & 0x55555555 : (x); \
  } while (0)

/* A layer of distance 2^s within a word; control: two bytes. */
#define SWAP_WITHIN(word, s, control)                                     \
  do {                                                                    \
    uint32_t bits = (uint32_t)(control)[0] | (uint32_t)(control)[1] << 8; \
    SPREAD(bits, s);                                                      \
    const uint32_t change = ((word) ^ (word) >> (1U << (s))) & bits;      \
    (word) ^= change ^ change << (1U << (s));                             \
  } while (0)

/* The layers of distance 1 to 16 of all words, or the other way round; `layer` bytes apart. */
static void run_inner(uint32_t *data, size_t words, const uint8_t *control, ptrdiff_t layer) {
  for (size_t w = 0; w < words; w++) {
    const uint8_t *from = control + 2 * w;
    uint32_t word = data[w];

    SWAP_WITHIN(word, 0, from);
    SWAP_WITHIN(word, 1, from + layer);
    SWAP_WITHIN(word, 2, from + 2 * layer);
    SWAP_WITHIN(word, 3, from + 3 * layer);
    SWAP_WITHIN(word, 4, from + 4 * layer);
    data[w] = word;
  }
}

static void run_inner_reversed(uint32_t *data, size_t words, const uint8_t *control,
                               ptrdiff_t layer) {
  for (size_t w = 0; w < words; w++) {
    const uint8_t *from = control + 2 * w;
    uint32_t word = data[w];

    SWAP_WITHIN(word, 4, from + 4 * layer);
    SWAP_WITHIN(word, 3, from + 3 * layer);
    SWAP_WITHIN(word, 2, from + 2 * layer);
    SWAP_WITHIN(word, 1, from + layer);
    SWAP_WITHIN(word, 0, from);
    data[w] = word;
  }
}

/* A layer of whole words, `distance` apart. */
static void run_outer(uint32_t *data, size_t words, const uint8_t *control, size_t distance) {
  for (size_t base = 0; base < words; base += 2 * distance) {
    for (uint32_t *x = data + base; x < data + base + distance; x++) {
      const uint32_t change = (x[0] ^ x[distance]) & load_le32(control);
      x[0] ^= change;
      x[distance] ^= change;
      control += 4;
    }
  }
}

void ckem_benes_apply_m4(unsigned m, uint32_t *data, const uint8_t *control, bool reversed) {
  const size_t words = (size_t)1 << (m - 5);
  const size_t layer = 2 * words; /* bytes */
  const size_t last = (size_t)2 * m - 2;
  const uint8_t *end = control + layer * last;

  /* The network is symmetric but for its control bits: in reverse they are taken from the end. */
  run_inner(data, words, reversed ? end : control, reversed ? -(ptrdiff_t)layer : (ptrdiff_t)layer);
  for (size_t i = 5; i <= last - 5; i++) {
    const size_t s = i < m ? i : last - i;
    run_outer(data, words, control + layer * (reversed ? last - i : i), (size_t)1 << (s - 5));
  }
  run_inner_reversed(data, words, reversed ? control : end,
                     reversed ? (ptrdiff_t)layer : -(ptrdiff_t)layer);
}

#endif
