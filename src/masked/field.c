/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Products and inverses in GF(256), in shares. */
#include "masked/field.h"

#include "base/unroll.h"
#include "masked/gadgets.h"

#define NOINLINE __attribute__((noinline))

/* Folds coefficients 8 to 14 of a product: x^8 = x^4 + x^3 + x^2 + 1. */
static inline void fold_product(masked_word t[15]) {
  UNROLL
  for (size_t i = 14; i > 7; i--) {
    t[i - 4] ^= t[i];
    t[i - 5] ^= t[i];
    t[i - 6] ^= t[i];
    t[i - 8] ^= t[i];
  }
}

/* sum = sum + the product of one share of x with one of y, on one word of each plane; by turn y
 * would be rotated to be in line with x and sum. The product of two shares is made in line with y:
 * then no word of it is in line with one of x times the same share. */
static inline void add_product(masked_word sum[8], const masked_word *x, const masked_word *y,
                               unsigned turn, size_t words) {
  masked_word t[15] = {0};

  UNROLL
  for (size_t i = 0; i < 8; i++) {
    const masked_word a = x[i * words];
    UNROLL
    for (size_t j = 0; j < 8; j++) {
      const masked_word b = y[j * words];
      t[i + j] ^= turn == 0 ? a & b : masked_and_turned(b, a, 0 - turn);
    }
  }
  fold_product(t);
  UNROLL
  for (size_t b = 0; b < 8; b++) {
    sum[b] = masked_hide(sum[b] ^ masked_rotate(masked_hide(t[b]), turn));
    masked_write(&sum[b]); /* or both products would come over the mask in one step */
  }
}

#if MASKED_SHARES == 2

/* out = out + the products of share i of x with both shares of y, on word k. */
static NOINLINE void multiply_share(masked_word out[8], const struct shared x[2],
                                    const struct shared y[2], size_t pairs, size_t i, size_t k,
                                    size_t words) {
  const unsigned turn = MASKED_TURN(i) - MASKED_TURN(1 - i);

  for (size_t p = 0; p < pairs; p++) {
    add_product(out, share_of(x[p], i) + k, share_of(y[p], 1 - i) + k, turn, words);
    add_product(out, share_of(x[p], i) + k, share_of(y[p], i) + k, 0, words);
  }
}

/* out = the sum of products, on word k of each plane. */
static void multiply_word(struct masks *masks, masked_word out[MASKED_SHARES][8],
                          const struct shared x[2], const struct shared y[2], size_t pairs,
                          size_t k, size_t lanes) {
  for (size_t b = 0; b < 8; b++) {
    out[0][b] = masks_word(masks, masked_lanes_of(lanes, k));
    out[1][b] = masked_turn(out[0][b], 0, 1);
  }
  for (size_t i = 0; i < 2; i++) { /* each share gets one cross product */
    multiply_share(out[i], x, y, pairs, i, k, MASKED_WORDS(lanes));
  }
}

#else

static void multiply_word(struct masks *masks, masked_word out[MASKED_SHARES][8],
                          const struct shared x[2], const struct shared y[2], size_t pairs,
                          size_t k, size_t lanes) {
  const size_t words = MASKED_WORDS(lanes);

  for (size_t i = 0; i < MASKED_SHARES; i++) {
    memset(out[i], 0, sizeof out[i]);
    for (size_t p = 0; p < pairs; p++) {
      add_product(out[i], share_of(x[p], i) + k, share_of(y[p], i) + k, 0, words);
    }
  }
  for (size_t i = 0; i < MASKED_SHARES; i++) {
    for (size_t j = i + 1; j < MASKED_SHARES; j++) {
      const unsigned turn = MASKED_TURN(j) - MASKED_TURN(i);
      masked_word sum[8];
      for (size_t b = 0; b < 8; b++) {
        const masked_word fresh = masks_word(masks, masked_lanes_of(lanes, k));
        sum[b] = masked_turn(fresh, 0, j);
        out[i][b] = masked_hide(out[i][b] ^ masked_turn(fresh, 0, i));
      }
      for (size_t p = 0; p < pairs; p++) {
        add_product(sum, share_of(y[p], j) + k, share_of(x[p], i) + k, turn, words);
        add_product(sum, share_of(x[p], j) + k, share_of(y[p], i) + k, turn, words);
      }
      for (size_t b = 0; b < 8; b++) {
        out[j][b] = masked_hide(out[j][b] ^ sum[b]);
      }
    }
  }
}

#endif

void ckem_masked_field_mul_two(struct masks *masks, struct shared z, struct shared x0,
                               struct shared y0, struct shared x1, struct shared y1, size_t lanes) {
  const size_t words = MASKED_WORDS(lanes);
  const struct shared x[2] = {x0, x1};
  const struct shared y[2] = {y0, y1};
  masked_word out[MASKED_SHARES][8];

  for (size_t k = 0; k < words; k++) {
    multiply_word(masks, out, x, y, x1.at == NULL ? 1 : 2, k, lanes);
    for (size_t i = 0; i < MASKED_SHARES; i++) {
      for (size_t b = 0; b < 8; b++) {
        share_of(z, i)[b * words + k] = out[i][b];
      }
    }
  }
}

void ckem_masked_field_mul(struct masks *masks, struct shared z, struct shared x, struct shared y,
                           size_t lanes) {
  const struct shared none = {NULL, 0};

  ckem_masked_field_mul_two(masks, z, x, y, none, none, lanes);
}

void ckem_masked_field_square(struct shared x, size_t times, size_t lanes) {
  const size_t words = MASKED_WORDS(lanes);

  for (size_t s = 0; s < MASKED_SHARES; s++) {
    masked_word *a = share_of(x, s);
    for (size_t k = 0; k < words; k++) {
      for (size_t n = 0; n < times; n++) {
        masked_word t[15] = {0};
        for (size_t b = 0; b < 8; b++) {
          t[2 * b] = a[b * words + k];
        }
        fold_product(t);
        for (size_t b = 0; b < 8; b++) {
          a[b * words + k] = masked_hide(t[b]);
        }
      }
    }
  }
}

/* x^254 = x^252 x^2, by four products [RP10]. */
void ckem_masked_field_invert(struct masks *masks, struct shared x, size_t lanes,
                              struct shared work) {
  const size_t element = 8 * MASKED_WORDS(lanes);
  const struct shared x2 = shared_from(work, 0);
  const struct shared x3 = shared_from(work, element);
  const struct shared x12 = shared_from(work, 2 * element);
  const struct shared fresh = shared_from(work, 3 * element);

  ckem_masked_copy(x2, x, element);
  ckem_masked_field_square(x2, 1, lanes);
  ckem_masked_copy(fresh, x2, element);
  ckem_masked_refresh(masks, fresh, 8, lanes); /* x and x^2 */
  ckem_masked_field_mul(masks, x3, x, fresh, lanes);
  ckem_masked_copy(x12, x3, element);
  ckem_masked_field_square(x12, 2, lanes);
  ckem_masked_copy(fresh, x12, element);
  ckem_masked_refresh(masks, fresh, 8, lanes); /* x^3 and x^12 */
  ckem_masked_field_mul(masks, x3, x3, fresh, lanes);
  ckem_masked_field_square(x3, 4, lanes); /* (x^15)^16 */
  ckem_masked_field_mul(masks, x3, x3, x12, lanes);
  ckem_masked_field_mul(masks, x, x3, x2, lanes);
}
