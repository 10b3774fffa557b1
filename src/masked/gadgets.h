/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Gadgets: operations on values in shares that are not linear, and so take fresh bits. A processor
 * with assembly of its own replaces masked_and_word and ckem_masked_chi, on which all others stand.
 *
 * A *number* is a run of planes, the lowest bit first, each of MASKED_WORDS(lanes) words. Results
 * may take the place of operands. Operands of one gadget have independent sharings.
 */
#ifndef CODEKEM_MASKED_GADGETS_H
#define CODEKEM_MASKED_GADGETS_H

#include "masked/shares.h"

#if MASKED_SHARES == 2

/* out = x AND y. On a Cortex-M4 the order of the instructions is fixed: no share follows the other
 * one, and no product of two shares the other share of its factor. */
static inline void masked_and_two(masked_word out[2], masked_word x0, masked_word x1,
                                  masked_word y0, masked_word y1, masked_word fresh) {
#if MASKED_IN_ASSEMBLY
  uint32_t a, b, t;

  __asm__ volatile(
      "movs %[a], #0\n\t"
      "movs %[b], #0\n\t"
      "movs %[t], #0\n\t"
      "and %[a], %[x0], %[y1], ror #16\n\t"
      "eor %[a], %[a], %[r]\n\t"
      "and %[t], %[x0], %[y0]\n\t"
      "eor %[a], %[a], %[t]\n\t"
      "and %[b], %[x1], %[y0], ror #16\n\t"
      "eor %[b], %[b], %[r], ror #16\n\t"
      "movs %[t], #0\n\t"
      "and %[t], %[x1], %[y1]\n\t"
      "eor %[b], %[b], %[t]\n\t"
      "movs %[t], #0"
      : [a] "=&r"(a), [b] "=&r"(b), [t] "=&l"(t)
      : [x0] "r"(x0), [x1] "r"(x1), [y0] "r"(y0), [y1] "r"(y1), [r] "r"(fresh)
      : "cc");
  out[0] = a;
  out[1] = b;
#else
  out[0] = masked_hide(fresh ^ masked_hide(x0 & masked_turn(y1, 1, 0)));
  out[0] = masked_hide(out[0] ^ masked_hide(x0 & y0));
  out[1] = masked_hide(masked_turn(fresh, 0, 1) ^ masked_hide(x1 & masked_turn(y0, 0, 1)));
  out[1] = masked_hide(out[1] ^ masked_hide(x1 & y1));
#endif
}

#endif

/* z = x AND y on one word: the mask meets a cross product before another one does. Share i of x is
 * x[i * x_gap], and so on. With two shares each of them gets one cross product, so that the two
 * never meet; with more it is [ISW03]. */
static inline void masked_and_word(struct masks *masks, masked_word *z, size_t z_gap,
                                   const masked_word *x, size_t x_gap, const masked_word *y,
                                   size_t y_gap, size_t lanes) {
  masked_word out[MASKED_SHARES];

#if MASKED_SHARES == 2
  const masked_word fresh = masks_word(masks, lanes);
  masked_and_two(out, x[0], x[x_gap], y[0], y[y_gap], fresh);
#else
  for (size_t i = 0; i < MASKED_SHARES; i++) {
    out[i] = masked_hide(x[i * x_gap] & y[i * y_gap]);
  }
  for (size_t i = 0; i < MASKED_SHARES; i++) {
    for (size_t j = i + 1; j < MASKED_SHARES; j++) {
      const masked_word fresh = masks_word(masks, lanes);
      const masked_word x_i = masked_turn(x[i * x_gap], i, j);
      const masked_word y_i = masked_turn(y[i * y_gap], i, j);
      out[i] = masked_hide(out[i] ^ masked_turn(fresh, 0, i));
      masked_word sum = masked_hide(masked_turn(fresh, 0, j) ^ masked_hide(x_i & y[j * y_gap]));
      sum = masked_hide(sum ^ masked_hide(x[j * x_gap] & y_i));
      out[j] = masked_hide(out[j] ^ sum);
    }
  }
#endif
  for (size_t i = 0; i < MASKED_SHARES; i++) {
    z[i * z_gap] = out[i];
  }
}

/* z = a fresh sharing of x on one word: every pair of shares gets a mask (SNI) [ISW03]. */
static inline void masked_refresh_word(struct masks *masks, masked_word *x, size_t gap,
                                       size_t lanes) {
  for (size_t i = 0; i < MASKED_SHARES; i++) {
    for (size_t j = i + 1; j < MASKED_SHARES; j++) {
      const masked_word fresh = masks_word(masks, lanes);
      x[i * gap] = masked_hide(x[i * gap] ^ masked_turn(fresh, 0, i));
      x[j * gap] = masked_hide(x[j * gap] ^ masked_turn(fresh, 0, j));
    }
  }
}

/* z = x AND y, x OR y, NOT x, x XOR y; z = x. */
void ckem_masked_and(struct masks *masks, struct shared z, struct shared x, struct shared y,
                     size_t lanes);
void ckem_masked_or(struct masks *masks, struct shared z, struct shared x, struct shared y,
                    size_t lanes);
void ckem_masked_not(struct shared x, size_t lanes);
void ckem_masked_xor(struct shared z, struct shared x, struct shared y, size_t words);
void ckem_masked_copy(struct shared z, struct shared x, size_t words);

/* Sets words to a public plane, which goes into share 0, or to zeros if it is NULL. */
void ckem_masked_set(struct shared z, const masked_word *value, size_t words);

void ckem_masked_refresh(struct masks *masks, struct shared x, size_t planes, size_t lanes);

/* z = choice ? a : b for each of planes, where choice is one plane. */
void ckem_masked_mux(struct masks *masks, struct shared z, struct shared choice, struct shared a,
                     struct shared b, size_t planes, size_t lanes);

/* What masked_alternate gives for 0. */
#define MASKED_ALTERNATE_ZERO ((masked_word)(~(masked_word)0 / 3))

/* A bit in turns with its complement: 10...10 or, for 0, 01...01. A word of ones or zeros would
 * show a bit of a share at once. */
static inline masked_word masked_alternate(masked_word bit) {
  return masked_hide_word(masked_hide_word(bit + 1) * MASKED_ALTERNATE_ZERO);
}

/* Copies lane 0 of one word to all lanes of a plane, in a fresh sharing. */
void ckem_masked_spread(struct masks *masks, struct shared z, struct shared x, size_t lanes);

/* x = x + y of so many planes, modulo 2^planes. With carry_out the carry is the plane behind x; x
 * then has no other use for it. With carry_in, which is public, x = x + y + 1. */
void ckem_masked_add(struct masks *masks, struct shared x, struct shared y, size_t planes,
                     size_t lanes, bool carry_in, bool carry_out);

/* The absolute value of numbers in two's complement: all planes of x but the last, which stays the
 * sign. The least number does not occur. */
void ckem_masked_absolute(struct masks *masks, struct shared x, size_t planes, size_t lanes);

/* z = 1 where x < y. */
void ckem_masked_less(struct masks *masks, struct shared z, struct shared x, struct shared y,
                      size_t planes, size_t lanes);

/* The OR of all planes of x; the first plane of x is what comes out, the others are lost. */
void ckem_masked_any(struct masks *masks, struct shared x, size_t planes, size_t lanes);

/* The same with AND. */
void ckem_masked_all(struct masks *masks, struct shared x, size_t planes, size_t lanes);

/* The OR of all lanes of a plane, in lane 0 of its first word; the plane is lost. */
void ckem_masked_fold(struct masks *masks, struct shared x, size_t lanes);

/* --- Between XOR and addition -------------------------------------------------------------------
 * Additive shares are numbers whose sum modulo 2^planes is the value: planes of one share each. */

/* out = a bit as additive shares: one after the other, t XOR b = t + b - 2 t b. work: planes of a
 * single share. */
void ckem_masked_bit_to_sum(struct masks *masks, struct shared out, struct shared bit,
                            size_t planes, size_t lanes, masked_word *work);

/* out = the sum of additive shares, in shares; out and work have as many planes. */
void ckem_masked_sum_to_bits(struct masks *masks, struct shared out, struct shared sums,
                             size_t planes, size_t lanes, struct shared work);

/* On one additive share or on public numbers, modulo 2^planes: a = a + b; a = a - b; and (a, b) =
 * (a + b, a - b). */
void ckem_planes_add(masked_word *a, const masked_word *b, size_t planes, size_t words);
void ckem_planes_subtract(masked_word *a, const masked_word *b, size_t planes, size_t words);
void ckem_planes_butterfly(masked_word *a, masked_word *b, size_t planes, size_t words);

/* --- Planes, of which share they are, and bytes, which are not turned ------------------------- */

/* In which order a matrix of bits is turned: pairs of rows in every step. The orders of two shares
 * are drawn separately, so that nobody knows which bits were moved when. */
#define MASKED_PAIRS 16
struct turn_order {
  uint16_t pair[MASKED_PAIRS];
};

static inline struct turn_order masks_turn_order(struct masks *masks) {
  struct turn_order order;

  ckem_masks_order(masks, order.pair, MASKED_PAIRS);
  return order;
}

/* Row k of 32 in the order in which rows are read and written. */
static inline size_t turn_order_row(const struct turn_order *order, size_t k) {
  return order->pair[k % MASKED_PAIRS] + (k & MASKED_PAIRS);
}

/* Turns a matrix of 32 x 32 bits: bit i of a[j] becomes bit j of a[i]. */
void ckem_turn_bits(uint32_t a[32], const struct turn_order *order);

/* Lane first + i of plane j, of count planes of so many words, becomes bit j of column i, for 32
 * lanes from a multiple of 32 on; the other bits are zeros, and columns are rotated to the right by
 * turn. */
void ckem_columns_from_planes(uint32_t columns[32], const masked_word *planes, size_t share,
                              size_t count, size_t first, size_t words, unsigned turn,
                              const struct turn_order *order);

/* Bit i of column j of in becomes lane j of plane i, for 32 planes and so many lanes: column j is
 * 32 bits of the word in[j * step], its higher half if high. And back, where it is added to
 * out[j * step]. */
void ckem_planes_from_columns(masked_word *planes, size_t share, const uint64_t *in, size_t step,
                              bool high, size_t lanes, const struct turn_order *order);
void ckem_planes_add_to_columns(uint64_t *out, size_t step, bool high, const masked_word *planes,
                                size_t share, size_t lanes, const struct turn_order *order);

/* Bit b of byte i of in[count] becomes lane i of plane b, 8 planes; and back. */
void ckem_planes_from_bytes(masked_word *planes, size_t share, const uint8_t *in, size_t count,
                            const struct turn_order *order);
void ckem_planes_to_bytes(uint8_t *out, const masked_word *planes, size_t share, size_t count,
                          const struct turn_order *order);

#endif
