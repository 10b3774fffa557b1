/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Networks on vectors of words.
 *
 * Before it is included: `vector`, LOG_WORDS (a vector has 2^LOG_WORDS words), TEMPLATE_SUFFIX,
 * load_any and store_any, load_halves(p) (each word is half a word from p on), vector_xor,
 * vector_and, vector_fill(w) (every word is w), vector_shift_left and vector_shift_right of words
 * by any distance; and for k < LOG_WORDS vector_swap(x, k), which exchanges words 2^k apart, and
 * vector_double(x, k, upper), where each of two such words becomes the upper or the lower one.
 *
 * The two layers of a distance share the words of network of the first one, 2^(m-6) of them; so
 * the network is no larger than the control bits. For distances below 64 bits at the lower places
 * of pairs belong to the first layer and those at the upper ones to the second; for distances
 * within a vector the same holds for words. For larger ones there is a word for each pair of words,
 * in the order of the lower ones, first those of the first layer.
 */
#ifndef TEMPLATE_SUFFIX
#error This is a template: define TEMPLATE_SUFFIX, and what is named above, before it
#endif

#include <stdbool.h>

#include "base/bytes.h"
#include "base/template.h"
#include "benes/benes_words.h"

#define VECTOR_WORDS ((size_t)1 << LOG_WORDS)

/* Bits at the lower places of pairs 2^s apart. */
static const uint64_t TEMPLATE_NAME(lower_places)[6] = {0x5555555555555555, 0x3333333333333333,
                                                        0x0F0F0F0F0F0F0F0F, 0x00FF00FF00FF00FF,
                                                        0x0000FFFF0000FFFF, 0x00000000FFFFFFFF};

/* Moves the lower halves of words to the lower places of pairs 2^s apart. */
static inline vector TEMPLATE_NAME(spread_bits)(vector x, unsigned s) {
  for (unsigned k = 5; k-- > s;) {
    x = vector_and(vector_xor(x, vector_shift_left(x, 1U << k)),
                   vector_fill(TEMPLATE_NAME(lower_places)[k]));
  }
  return x;
}

/* Prepares the first and the second layer of distance 2^s. */
static void TEMPLATE_NAME(prepare_layers)(size_t words, unsigned s, uint64_t *to,
                                          const uint8_t *first, const uint8_t *second) {
  if (s < 6) {
    for (size_t w = 0; w < words; w += VECTOR_WORDS) {
      const vector x = TEMPLATE_NAME(spread_bits)(load_halves(first + 4 * w), s);
      const vector y = TEMPLATE_NAME(spread_bits)(load_halves(second + 4 * w), s);
      store_any(to + w, vector_xor(x, vector_shift_left(y, 1U << s)));
    }
  } else if (s < 6 + LOG_WORDS) {
    const size_t d = (size_t)1 << (s - 6);
    for (size_t w = 0; w < words; w++) {
      const size_t pair = (w / (2 * d) * d) | (w & (d - 1));
      to[w] = load_le64(((w & d) == 0 ? first : second) + 8 * pair);
    }
  } else {
    for (size_t w = 0; w < words / 2; w += VECTOR_WORDS) {
      store_any(to + w, load_any(first + 8 * w));
      if (second != first) {
        store_any(to + words / 2 + w, load_any(second + 8 * w));
      }
    }
  }
}

static void TEMPLATE_NAME(prepare)(unsigned m, uint64_t *network, const uint8_t *control) {
  const size_t words = (size_t)1 << (m - 6);

  for (unsigned s = 0; s < m; s++) {
    TEMPLATE_NAME(prepare_layers)
    (words, s, network + words * s, control + 4 * words * s, control + 4 * words * (2 * m - 2 - s));
  }
}

/* A layer of a distance within a vector: k is its logarithm in words. */
static inline __attribute__((always_inline)) void TEMPLATE_NAME(swap_words)(
    size_t words, unsigned k, bool second, uint64_t *data, const uint64_t *control) {
  for (size_t w = 0; w < words; w += VECTOR_WORDS) {
    const vector x = load_any(data + w), c = load_any(control + w);
    const vector both = second ? vector_double(c, k, true) : vector_double(c, k, false);
    store_any(data + w, vector_xor(x, vector_and(vector_xor(x, vector_swap(x, k)), both)));
  }
}

static void TEMPLATE_NAME(run_layer)(size_t words, unsigned s, bool second, uint64_t *data,
                                     const uint64_t *control) {
  if (s < 6) {
    const unsigned d = 1U << s;
    const unsigned shift = second ? d : 0;
    const vector mask = vector_fill(TEMPLATE_NAME(lower_places)[s]);
    for (size_t w = 0; w < words; w += VECTOR_WORDS) {
      const vector x = load_any(data + w);
      const vector bits = vector_and(vector_shift_right(load_any(control + w), shift), mask);
      const vector change = vector_and(vector_xor(x, vector_shift_right(x, d)), bits);
      store_any(data + w, vector_xor(x, vector_xor(change, vector_shift_left(change, d))));
    }
  } else if (s == 6) {
    TEMPLATE_NAME(swap_words)(words, 0, second, data, control);
  } else if (s == 7) {
    TEMPLATE_NAME(swap_words)(words, 1, second, data, control);
  } else if (s < 6 + LOG_WORDS) {
    TEMPLATE_NAME(swap_words)(words, LOG_WORDS - 1, second, data, control);
  } else {
    const size_t d = (size_t)1 << (s - 6);
    const uint64_t *next = second ? control + words / 2 : control;
    for (size_t base = 0; base < words; base += 2 * d) {
      for (size_t j = base; j < base + d; j += VECTOR_WORDS) {
        const vector x = load_any(data + j), y = load_any(data + j + d);
        const vector change = vector_and(vector_xor(x, y), load_any(next));
        store_any(data + j, vector_xor(x, change));
        store_any(data + j + d, vector_xor(y, change));
        next += VECTOR_WORDS;
      }
    }
  }
}

static void TEMPLATE_NAME(apply)(unsigned m, uint64_t *data, const uint64_t *network) {
  const size_t words = (size_t)1 << (m - 6);

  for (unsigned s = 0; s < m; s++) {
    TEMPLATE_NAME(run_layer)(words, s, false, data, network + words * s);
  }
  for (unsigned s = m - 1; s-- > 0;) {
    TEMPLATE_NAME(run_layer)(words, s, true, data, network + words * s);
  }
}

static void TEMPLATE_NAME(apply_reversed)(unsigned m, uint64_t *data, const uint64_t *network) {
  const size_t words = (size_t)1 << (m - 6);

  for (unsigned s = 0; s + 1 < m; s++) {
    TEMPLATE_NAME(run_layer)(words, s, true, data, network + words * s);
  }
  for (unsigned s = m; s-- > 0;) {
    TEMPLATE_NAME(run_layer)(words, s, false, data, network + words * s);
  }
}

static void TEMPLATE_NAME(permutation)(unsigned m, uint16_t *pi, const uint64_t *network,
                                       uint64_t *scratch) {
  ckem_benes_permutation_by(TEMPLATE_NAME(apply), m, pi, network, scratch);
}
