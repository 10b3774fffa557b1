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

#ifndef N
#define N 17669
#endif
#ifndef WEIGHT
#define WEIGHT 66
#endif
#ifndef WORD
#define WORD 64 /* bits */
#endif
#ifndef WINDOWS
#define WINDOWS 1 /* at once; divides WEIGHT */
#endif
#if WORD == 64
typedef uint64_t word;
#else
typedef unsigned _BitInt(WORD) word;
#endif
enum { WORDS = (N + WORD - 1) / WORD, DOUBLED = 2 * WORDS + 2 };

void sparse_product(word sum[static WORDS], const word dense[static DOUBLED],
                    const uint16_t positions[static WEIGHT]) {
terms:
  for (int k = 0; k < WEIGHT; k += WINDOWS) {
    unsigned first[WINDOWS], shift[WINDOWS];
    word low[WINDOWS];
  starts:
    for (int i = 0; i < WINDOWS; i++) {
      unsigned start = (N - positions[k + i]) & 0x7FFF;
      first[i] = start / WORD;
      shift[i] = start % WORD;
      low[i] = dense[first[i]];
    }
  words:
    for (int j = 0; j < WORDS; j++) {
      word total = sum[j];
    windows:
      for (int i = 0; i < WINDOWS; i++) {
        word high = dense[first[i] + j + 1];
        total ^= low[i] >> shift[i] | high << 1 << (WORD - 1 - shift[i]);
        low[i] = high;
      }
      sum[j] = total;
    }
  }
}
