/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Networks on vectors of words.
 *
 * Before it is included: `vector`, LOG_WORDS (a vector has 2^LOG_WORDS words), TEMPLATE_SUFFIX,
 * load_any and store_any, load_halves(p) (each word is half a word from p on), vector_xor,
 * vector_and, vector_fill(w) (every word is w), vector_shift_left and vector_shift_right of words
 * by any distance, and vector_swap(x, k), which exchanges words 2^k apart, k < LOG_WORDS.
 *
 * A layer has 2^(m-6) words of network. Those of distances below 64 have control bits at the lower
 * places of the pairs in each word of data. Those of distances within a vector have the word of a
 * pair for both of its words. For larger ones there is a word for each pair, in the order of the
 * lower ones; the rest is not used.
 */
#ifndef TEMPLATE_SUFFIX
#error This is a template: define TEMPLATE_SUFFIX, and what is named above, before it
#endif

#include "base/bytes.h"
#include "base/template.h"
#include "benes/benes_words.h"

#define VECTOR_WORDS ((size_t)1 << LOG_WORDS)

/* Moves the lower halves of words to the places whose bit s is clear. */
static inline vector TEMPLATE_NAME(spread_bits)(vector x, unsigned s) {
  static const uint64_t lanes_without_bit[5] = {0x5555555555555555, 0x3333333333333333,
                                                0x0F0F0F0F0F0F0F0F, 0x00FF00FF00FF00FF,
                                                0x0000FFFF0000FFFF};

  for (unsigned k = 5; k-- > s;) {
    x = vector_and(vector_xor(x, vector_shift_left(x, 1U << k)), vector_fill(lanes_without_bit[k]));
  }
  return x;
}

static void TEMPLATE_NAME(prepare_layer)(size_t words, unsigned s, uint64_t *to,
                                         const uint8_t *from) {
  if (s < 6) {
    for (size_t w = 0; w < words; w += VECTOR_WORDS) {
      store_any(to + w, TEMPLATE_NAME(spread_bits)(load_halves(from + 4 * w), s));
    }
  } else if (s < 6 + LOG_WORDS) {
    const size_t low = ((size_t)1 << (s - 6)) - 1;
    for (size_t w = 0; w < words; w++) {
      to[w] = load_le64(from + 8 * ((w >> 1 & ~low) | (w & low)));
    }
  } else {
    for (size_t w = 0; w < words / 2; w += VECTOR_WORDS) {
      store_any(to + w, load_any(from + 8 * w));
    }
    for (size_t w = words / 2; w < words; w++) {
      to[w] = 0;
    }
  }
}

static void TEMPLATE_NAME(prepare)(unsigned m, uint64_t *network, const uint8_t *control) {
  const size_t words = (size_t)1 << (m - 6);

  for (unsigned layer = 0; layer < 2 * m - 1; layer++) {
    TEMPLATE_NAME(prepare_layer)
    (words, layer < m ? layer : 2 * m - 2 - layer, network + words * layer,
     control + 4 * words * layer);
  }
}

/* A layer of a distance within a vector: k is its logarithm in words. */
static inline __attribute__((always_inline)) void TEMPLATE_NAME(swap_words)(
    size_t words, unsigned k, uint64_t *data, const uint64_t *control) {
  for (size_t w = 0; w < words; w += VECTOR_WORDS) {
    const vector x = load_any(data + w);
    const vector change = vector_and(vector_xor(x, vector_swap(x, k)), load_any(control + w));
    store_any(data + w, vector_xor(x, change));
  }
}

static void TEMPLATE_NAME(run_layer)(size_t words, unsigned s, uint64_t *data,
                                     const uint64_t *control) {
  if (s < 6) {
    const unsigned d = 1U << s;
    for (size_t w = 0; w < words; w += VECTOR_WORDS) {
      const vector x = load_any(data + w);
      const vector change =
          vector_and(vector_xor(x, vector_shift_right(x, d)), load_any(control + w));
      store_any(data + w, vector_xor(x, vector_xor(change, vector_shift_left(change, d))));
    }
  } else if (s == 6) {
    TEMPLATE_NAME(swap_words)(words, 0, data, control);
  } else if (s == 7) {
    TEMPLATE_NAME(swap_words)(words, 1, data, control);
  } else if (s < 6 + LOG_WORDS) {
    TEMPLATE_NAME(swap_words)(words, LOG_WORDS - 1, data, control);
  } else {
    const size_t d = (size_t)1 << (s - 6);
    for (size_t base = 0; base < words; base += 2 * d) {
      for (size_t j = base; j < base + d; j += VECTOR_WORDS) {
        const vector x = load_any(data + j), y = load_any(data + j + d);
        const vector change = vector_and(vector_xor(x, y), load_any(control));
        store_any(data + j, vector_xor(x, change));
        store_any(data + j + d, vector_xor(y, change));
        control += VECTOR_WORDS;
      }
    }
  }
}

static void TEMPLATE_NAME(apply)(unsigned m, uint64_t *data, const uint64_t *network) {
  const size_t words = (size_t)1 << (m - 6);

  for (unsigned layer = 0; layer < 2 * m - 1; layer++) {
    TEMPLATE_NAME(run_layer)
    (words, layer < m ? layer : 2 * m - 2 - layer, data, network + words * layer);
  }
}

static void TEMPLATE_NAME(apply_reversed)(unsigned m, uint64_t *data, const uint64_t *network) {
  const size_t words = (size_t)1 << (m - 6);

  for (unsigned layer = 2 * m - 1; layer-- > 0;) {
    TEMPLATE_NAME(run_layer)
    (words, layer < m ? layer : 2 * m - 2 - layer, data, network + words * layer);
  }
}

static void TEMPLATE_NAME(permutation)(unsigned m, uint16_t *pi, const uint64_t *network,
                                       uint64_t *scratch) {
  benes_permutation_by(TEMPLATE_NAME(apply), m, pi, network, scratch);
}
