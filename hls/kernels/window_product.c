/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The product of sparse_product.c for many windows at once, by funnel shifters and without a choice
 * behind each window. A part of hqc_fast.c.
 */

/* How many windows of the last turn have no position. */
#define UNUSED_WINDOWS(weight) ((WINDOWS - (weight) % WINDOWS) % WINDOWS)

/*
 * sum becomes dense times the polynomial of `weight` positions, WEIGHT or WEIGHT_R.
 *
 * Windows without a position are all the same one, so that pairs of them cancel out; if their
 * number is odd, the last one is left out.
 */
void window_product(word sum[static WORDS], const word dense[static DOUBLED],
                    const uint16_t positions[static POSITIONS], PUBLIC uint16_t weight) {
  unsigned odd = weight == WEIGHT ? UNUSED_WINDOWS(WEIGHT) & 1 : UNUSED_WINDOWS(WEIGHT_R) & 1;

window_turns:
  for (unsigned k = 0; k < weight; k += WINDOWS) {
    unsigned first[WINDOWS], shift[WINDOWS];
    word low[WINDOWS];
    unsigned left_out = odd && k + WINDOWS > weight;
  window_starts:
    for (unsigned i = 0; i < WINDOWS; i++) {
      unsigned position = positions[k + i < weight ? k + i : 0];
      position = k + i < weight ? position : 0;
      unsigned start = (N - position) & (N < 0x8000 ? 0x7FFF : 0xFFFF);
      first[i] = start / WORD;
      shift[i] = start % WORD;
      low[i] = dense[first[i]];
    }
  window_words:
    for (unsigned j = 0; j < WORDS; j++) {
      word total = sum[j];
      total = k == 0 ? 0 : total;
    each_window:
      for (unsigned i = 0; i < WINDOWS; i++) {
        word high = dense[first[i] + j + 1];
        word window = shift[i] ? low[i] >> shift[i] | high << (WORD - shift[i]) : low[i];
        total ^= i == WINDOWS - 1 && left_out ? 0 : window;
        low[i] = high;
      }
      sum[j] = total;
    }
  }
}
