/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The product of a dense polynomial by a sparse one in GF(2)[x]/(x^R - 1), added to a third.
 *
 * The dense one lies twice in its array, so its product by x^p is the window of R bits that begins
 * at bit R - p. Positions from R on add nothing: so a secret number of positions takes as long as
 * the greatest. What comes out above bit R of the last word is not cleared.
 */
#ifndef CODEKEM_HLS_BIKE_PRODUCT
#define CODEKEM_HLS_BIKE_PRODUCT
#include "bike_parameters.h"

void bike_product(word sum[static WORDS], const word dense[static DOUBLED],
                  const uint16_t positions[static D]) {
terms:
  for (unsigned k = 0; k < D; k++) {
    unsigned position = positions[k], start = (R - position) & 0x7FFF;
    unsigned first = start / WORD, shift = start % WORD;
    word taken = position < R ? ~(word)0 : 0;
    first = position < R ? first : 0;
    word low = dense[first];
  words_of_sum:
    for (unsigned j = 0; j < WORDS; j++) {
      word high = dense[first + j + 1];
      sum[j] ^= (low >> shift | high << 1 << (WORD - 1 - shift)) & taken;
      low = high;
    }
  }
}

/* Puts a polynomial twice into an array; bits from R on are folded, as x^R = 1. */
void bike_double(word dense[static DOUBLED], const word polynomial[static WORDS]) {
  word above = polynomial[WORDS - 1] >> R % WORD, before = 0;

once:
  for (unsigned i = 0; i < WORDS; i++) {
    before = polynomial[i] ^ (i == 0 ? above : 0);
    before &= i == WORDS - 1 ? LAST_MASK : ~(word)0;
    dense[i] = before;
  }
twice:
  for (unsigned i = 0; i < WORDS; i++) {
    word next = dense[i];
    dense[WORDS - 1 + i] = before | next << R % WORD;
    before = next >> (WORD - R % WORD);
  }
  dense[2 * WORDS - 1] = before;
}
#endif
