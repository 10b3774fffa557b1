/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Networks on 64-bit words. */
#include "benes/benes_words.h"

#include <stddef.h>

#include "base/bytes.h"

/* Lanes whose number has bit j clear. */
static const uint64_t lanes_without_bit[6] = {0x5555555555555555, 0x3333333333333333,
                                              0x0F0F0F0F0F0F0F0F, 0x00FF00FF00FF00FF,
                                              0x0000FFFF0000FFFF, 0x00000000FFFFFFFF};

/* Returns the exponent of the distance of a layer. */
static unsigned log_distance(unsigned m, unsigned layer) {
  return layer < m ? layer : 2 * m - 2 - layer;
}

/* Moves 32 bits to the places whose bit s is clear. */
static uint64_t spread(uint32_t bits, unsigned s) {
  uint64_t x = bits;

  for (unsigned k = 5; k-- > s;) {
    x = (x | x << (1U << k)) & lanes_without_bit[k];
  }
  return x;
}

void ckem_benes_prepare_words(unsigned m, uint64_t *network, const uint8_t *control) {
  const size_t words = (size_t)1 << (m - 6);

  for (unsigned layer = 0; layer < 2 * m - 1; layer++) {
    const unsigned s = log_distance(m, layer);
    uint64_t *to = network + words * layer;
    const uint8_t *from = control + 4 * words * layer;
    for (size_t w = 0; w < words; w++) {
      if (s < 6) {
        to[w] = spread(load_le32(from + 4 * w), s);
      } else {
        to[w] = w < words / 2 ? load_le64(from + 8 * w) : 0;
      }
    }
  }
}

static inline void swap_pair(uint64_t *x, uint64_t *y, uint64_t control) {
  const uint64_t change = (*x ^ *y) & control;

  *x ^= change;
  *y ^= change;
}

static void run_layer(unsigned m, unsigned s, uint64_t *data, const uint64_t *control) {
  const size_t words = (size_t)1 << (m - 6);

  if (s < 6) {
    const unsigned d = 1U << s;
    for (size_t w = 0; w < words; w++) {
      const uint64_t change = (data[w] ^ data[w] >> d) & control[w];
      data[w] ^= change ^ change << d;
    }
  } else {
    const size_t d = (size_t)1 << (s - 6);
    for (size_t base = 0; base < words; base += 2 * d) {
      for (size_t j = base; j < base + d; j++) {
        swap_pair(&data[j], &data[j + d], *control++);
      }
    }
  }
}

void ckem_benes_apply_words(unsigned m, uint64_t *data, const uint64_t *network) {
  for (unsigned layer = 0; layer < 2 * m - 1; layer++) {
    run_layer(m, log_distance(m, layer), data, network + ((size_t)layer << (m - 6)));
  }
}

void ckem_benes_apply_words_reversed(unsigned m, uint64_t *data, const uint64_t *network) {
  for (unsigned layer = 2 * m - 1; layer-- > 0;) {
    run_layer(m, log_distance(m, layer), data, network + ((size_t)layer << (m - 6)));
  }
}

void ckem_benes_permutation_by(benes_apply_function *apply, unsigned m, uint16_t *pi,
                               const uint64_t *network, uint64_t *scratch) {
  const size_t words = (size_t)1 << (m - 6);

  /* the numbers' bits, one after the other */
  for (unsigned bit = 0; bit < m; bit++) {
    for (size_t w = 0; w < words; w++) {
      scratch[w] = bit < 6 ? ~lanes_without_bit[bit] : UINT64_C(0) - (w >> (bit - 6) & 1);
    }
    apply(m, scratch, network);
    /* For the proof: to the end the first time, which sets pi, and not at all afterwards. */
    //@ loop unroll 100000 / (100000 * bit + 1);
    for (size_t r = 0; r < 64 * words; r++) {
      const uint64_t moved = (scratch[r / 64] >> (r % 64) & 1) << bit;
      pi[r] = (uint16_t)(bit == 0 ? moved : pi[r] | moved);
    }
  }
}

void ckem_benes_permutation_of_words(unsigned m, uint16_t *pi, const uint64_t *network,
                                     uint64_t *scratch) {
  ckem_benes_permutation_by(ckem_benes_apply_words, m, pi, network, scratch);
}
