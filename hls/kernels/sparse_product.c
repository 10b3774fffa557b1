/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The product of a dense polynomial by a sparse one in GF(2)[x]/(x^N - 1), added to a third.
 *
 * The dense one lies twice in its array, 2 N bits one after the other: its product by x^p then is
 * the window of N bits that begins at bit N - p, so nothing wraps and nothing is reduced. A window
 * reads one word for each word that it gives, because it keeps the one before. What comes out above
 * bit N of the last word is not cleared.
 */
#include "hls.h"
#include "hqc_parameters.h"

#ifndef WORD
#define WORD 64 /* bits */
#endif
#ifndef WINDOWS
#define WINDOWS 1 /* at once */
#endif
#if WORD == 64
typedef uint64_t word;
#else
typedef unsigned _BitInt(WORD) word;
#endif
enum { WORDS = (N + WORD - 1) / WORD, DOUBLED = 2 * WORDS + 2 };

/* exact: weight is a multiple of WINDOWS. */
static inline void add_windows(word sum[static WORDS], const word dense[static DOUBLED],
                               const uint16_t *positions, unsigned weight, int exact) {
terms:
  for (unsigned k = 0; k < weight; k += WINDOWS) {
    unsigned first[WINDOWS], shift[WINDOWS];
    word low[WINDOWS];
  starts:
    for (unsigned i = 0; i < WINDOWS; i++) {
      unsigned start = (N - positions[k + i]) & (N < 0x8000 ? 0x7FFF : 0xFFFF);
      first[i] = start / WORD;
      shift[i] = start % WORD;
      low[i] = dense[first[i]];
    }
  words:
    for (unsigned j = 0; j < WORDS; j++) {
      word total = sum[j];
    windows:
      for (unsigned i = 0; i < WINDOWS; i++) {
        word high = dense[first[i] + j + 1];
        word window = low[i] >> shift[i] | high << 1 << (WORD - 1 - shift[i]);
        total ^= exact || k + i < weight ? window : 0;
        low[i] = high;
      }
      sum[j] = total;
    }
  }
}

void sparse_product(word sum[static WORDS], const word dense[static DOUBLED],
                    const uint16_t positions[static WEIGHT]) {
  add_windows(sum, dense, positions, WEIGHT, WEIGHT % WINDOWS == 0);
}

/* The same for as many positions as weight says, at most WEIGHT_R. */
void sparse_product_of(word sum[static WORDS], const word dense[static DOUBLED],
                       const uint16_t positions[static POSITIONS], PUBLIC uint16_t weight) {
  add_windows(sum, dense, positions, weight, WEIGHT % WINDOWS + WEIGHT_R % WINDOWS == 0);
}
