/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* X25519: Montgomery's ladder on u coordinates [RFC7748, 5]. */
#include "hybrid/x25519.h"

#include <string.h>

#include "base/wipe.h"
#include "hybrid/fe25519.h"

/* (A - 2) / 4 of the curve. */
#define A24 121665

/* So that no frame holds the copies of all functions. */
#define NOT_INLINED __attribute__((noinline))

struct x25519_memory {
  struct fe x1, x2, z2, x3, z3; /* the point, and two of its multiples, which differ by it */
  struct fe sum, difference, product, cross, square_of_sum, square_of_difference;
  uint8_t scalar[X25519_BYTES];
};

/* Doubles the first multiple and adds it to the second. */
static NOT_INLINED void x25519_step(struct x25519_memory *m) {
  fe_add(&m->sum, &m->x2, &m->z2);
  fe_subtract(&m->difference, &m->x2, &m->z2);
  fe_add(&m->x2, &m->x3, &m->z3);
  fe_subtract(&m->z2, &m->x3, &m->z3);
  fe_multiply(&m->product, &m->z2, &m->sum);
  fe_multiply(&m->cross, &m->x2, &m->difference);
  fe_square(&m->square_of_sum, &m->sum);
  fe_square(&m->square_of_difference, &m->difference);
  fe_add(&m->x3, &m->product, &m->cross);
  fe_square(&m->x3, &m->x3);
  fe_subtract(&m->z3, &m->product, &m->cross);
  fe_square(&m->z3, &m->z3);
  fe_multiply(&m->z3, &m->z3, &m->x1);
  fe_multiply(&m->x2, &m->square_of_sum, &m->square_of_difference);
  fe_subtract(&m->difference, &m->square_of_sum, &m->square_of_difference);
  fe_multiply_small(&m->sum, &m->difference, A24);
  fe_add(&m->sum, &m->sum, &m->square_of_sum);
  fe_multiply(&m->z2, &m->sum, &m->difference);
}

/* out = a^(2^times) b. */
static void fe_power_multiply(struct fe *out, const struct fe *a, size_t times,
                              const struct fe *b) {
  struct fe power = *a;

  for (size_t i = 0; i < times; i++) {
    fe_square(&power, &power);
  }
  fe_multiply(out, &power, b);
}

/* Writes a^(p - 2), the inverse of a, or 0 of 0: p - 2 = 2^255 - 21 is 250 ones in binary, and then
 * 01011. The memory holds a in z2, and elements that are no longer needed. */
static NOT_INLINED void fe_invert(struct fe *out, struct x25519_memory *m) {
  struct fe *eleven = &m->sum, *ones_10 = &m->product, *ones_50 = &m->cross, *ones = &m->x3;

  fe_square(&m->x1, &m->z2);                            /* a^2 */
  fe_power_multiply(ones, &m->x1, 2, &m->z2);           /* a^9 */
  fe_multiply(eleven, ones, &m->x1);                    /* a^11 */
  fe_power_multiply(ones, eleven, 1, ones);             /* a^31: 5 ones */
  fe_power_multiply(ones_10, ones, 5, ones);
  fe_power_multiply(ones, ones_10, 10, ones_10);        /* 20 */
  fe_power_multiply(ones, ones, 20, ones);              /* 40 */
  fe_power_multiply(ones_50, ones, 10, ones_10);
  fe_power_multiply(ones, ones_50, 50, ones_50);        /* 100 */
  fe_power_multiply(ones, ones, 100, ones);             /* 200 */
  fe_power_multiply(ones, ones, 50, ones_50);           /* 250 */
  fe_power_multiply(out, ones, 5, eleven);
}

void ckem_x25519(uint8_t out[X25519_BYTES], const uint8_t scalar[X25519_BYTES],
                 const uint8_t point[X25519_BYTES]) {
  struct x25519_memory memory = {.x2 = {{1}}, .z3 = {{1}}};
  struct x25519_memory *m = &memory;
  uint32_t swapped = 0;

  memcpy(m->scalar, scalar, X25519_BYTES);
  m->scalar[0] &= 0xF8;
  m->scalar[31] = (uint8_t)((m->scalar[31] & 0x7F) | 0x40);
  fe_load(&m->x1, point);
  m->x3 = m->x1;
  for (size_t i = 255; i-- > 0;) {
    const uint32_t bit = m->scalar[i / 8] >> i % 8 & 1;
    fe_swap(&m->x2, &m->x3, swapped ^ bit);
    fe_swap(&m->z2, &m->z3, swapped ^ bit);
    swapped = bit;
    x25519_step(m);
  }
  /* Its lowest bits are 0, so that nothing is swapped. */
  fe_invert(&m->z3, m);
  fe_multiply(&m->x2, &m->x2, &m->z3);
  fe_store(out, &m->x2);
  ckem_secure_wipe(m, sizeof *m);
}
