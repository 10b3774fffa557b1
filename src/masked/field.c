/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Products and inverses in GF(256), in shares. */
#include "masked/field.h"

#include "base/unroll.h"
#include "masked/gadgets.h"

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

/* sum = sum + the product of one share of x with one of y, on one word of each plane. */
static inline void add_product(masked_word sum[8], const masked_word *x, const masked_word *y,
                               size_t words) {
  masked_word t[15] = {0};

  UNROLL
  for (size_t i = 0; i < 8; i++) {
    const masked_word a = x[i * words];
    UNROLL
    for (size_t j = 0; j < 8; j++) {
      t[i + j] ^= a & y[j * words];
    }
  }
  fold_product(t);
  UNROLL
  for (size_t b = 0; b < 8; b++) {
    sum[b] = masked_hide(sum[b] ^ masked_hide(t[b]));
  }
}

void ckem_masked_field_mul_two(struct masks *masks, struct shared z, struct shared x0,
                               struct shared y0, struct shared x1, struct shared y1, size_t lanes) {
  const size_t words = MASKED_WORDS(lanes);
  const struct shared x[2] = {x0, x1};
  const struct shared y[2] = {y0, y1};
  const size_t pairs = x1.at == NULL ? 1 : 2;

  for (size_t k = 0; k < words; k++) {
    masked_word out[MASKED_SHARES][8];
    for (size_t i = 0; i < MASKED_SHARES; i++) {
      memset(out[i], 0, sizeof out[i]);
      for (size_t p = 0; p < pairs; p++) {
        add_product(out[i], share_of(x[p], i) + k, share_of(y[p], i) + k, words);
      }
    }
    for (size_t i = 0; i < MASKED_SHARES; i++) {
      for (size_t j = i + 1; j < MASKED_SHARES; j++) {
        masked_word sum[8];
        for (size_t b = 0; b < 8; b++) {
          sum[b] = masks_word(masks, masked_lanes_of(lanes, k));
          out[i][b] = masked_hide(out[i][b] ^ sum[b]);
        }
        for (size_t p = 0; p < pairs; p++) {
          add_product(sum, share_of(x[p], i) + k, share_of(y[p], j) + k, words);
          add_product(sum, share_of(x[p], j) + k, share_of(y[p], i) + k, words);
        }
        for (size_t b = 0; b < 8; b++) {
          out[j][b] = masked_hide(out[j][b] ^ sum[b]);
        }
      }
    }
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
