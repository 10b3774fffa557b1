/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Formulas for the product of two polynomials with four to seven terms over GF(2).
 *
 * The product is a linear function of products of sums of the terms: gf2x_forms_N makes the sums of
 * one factor, and gf2x_combine_N makes the terms of the result from the products of the sums, which
 * stand in the same order. N = 4 and 7 are Karatsuba's method, applied twice (the product of the
 * terms that number 3 stand for is used in two places); N = 5 and 6 have as few products as [Mon05].
 * Which partial sums to share was found by search, so the order of the lines has no meaning.
 *
 * Terms are 128-bit blocks. Results are vectors, so that two sets of products can be combined at
 * once; nothing depends on what they hold.
 */
#ifndef CODEKEM_GF2X_GF2X_TERMS_AVX2_H
#define CODEKEM_GF2X_GF2X_TERMS_AVX2_H

#include "gf2x/gf2x_avx2.h"

#define GF2X_MIN_TERMS 4
#define GF2X_MAX_TERMS 7
#define GF2X_MAX_PRODUCTS 23

/* 4 terms, 9 products */
ALWAYS_INLINE void gf2x_forms_4(block f[9], const block a[4]) {
  f[0] = a[0];
  f[1] = a[1];
  f[3] = a[2];
  f[5] = a[3];
  f[6] = xor_blocks(a[1], a[3]);
  f[4] = xor_blocks(a[0], a[2]);
  f[7] = xor_blocks(a[2], a[3]);
  f[2] = xor_blocks(a[0], a[1]);
  f[8] = xor_blocks(f[6], f[4]);
}

ALWAYS_INLINE void gf2x_combine_4(vector c[7], const vector p[9]) {
  c[0] = p[0];
  c[6] = p[5];
  const vector t0 = xor2(p[0], p[1]);
  const vector t1 = xor2(p[3], p[5]);
  c[5] = xor2(p[7], t1);
  const vector t3 = xor2(p[4], t0);
  const vector t4 = xor2(p[2], p[8]);
  const vector t5 = xor2(p[1], p[6]);
  c[2] = xor2(p[3], t3);
  c[1] = xor2(p[2], t0);
  const vector t8 = xor2(p[6], t4);
  const vector t9 = xor2(c[5], t8);
  c[4] = xor2(t1, t5);
  c[3] = xor2(t3, t9);
}

/* 5 terms, 13 products */
ALWAYS_INLINE void gf2x_forms_5(block f[13], const block a[5]) {
  f[0] = a[0];
  f[1] = a[1];
  f[3] = a[2];
  f[5] = a[3];
  f[7] = a[4];
  f[2] = xor_blocks(a[0], a[1]);
  f[10] = xor_blocks(a[3], a[4]);
  f[4] = xor_blocks(a[0], a[2]);
  f[11] = xor_blocks(f[2], f[10]);
  f[8] = xor_blocks(a[2], a[4]);
  f[6] = xor_blocks(a[3], f[4]);
  f[9] = xor_blocks(a[1], f[8]);
  f[12] = xor_blocks(a[2], f[11]);
}

ALWAYS_INLINE void gf2x_combine_5(vector c[9], const vector p[13]) {
  c[0] = p[0];
  c[8] = p[7];
  const vector t0 = xor2(p[0], p[1]);
  const vector t1 = xor2(p[5], p[7]);
  const vector t2 = xor2(p[8], t1);
  c[6] = xor2(p[3], t2);
  const vector t4 = xor2(p[9], p[12]);
  const vector t5 = xor2(p[4], t0);
  c[7] = xor2(p[10], t1);
  c[2] = xor2(p[3], t5);
  c[1] = xor2(p[2], t0);
  const vector t9 = xor2(p[7], c[2]);
  const vector t10 = xor2(p[12], c[6]);
  const vector t11 = xor2(p[11], t4);
  const vector t12 = xor2(t4, c[1]);
  const vector t13 = xor2(p[11], t10);
  const vector t14 = xor2(p[0], p[6]);
  const vector t15 = xor2(c[7], t12);
  c[4] = xor2(p[6], t15);
  c[3] = xor2(t13, t14);
  c[5] = xor2(t9, t11);
}

/* 6 terms, 17 products */
ALWAYS_INLINE void gf2x_forms_6(block f[17], const block a[6]) {
  f[0] = a[0];
  f[1] = a[1];
  f[6] = a[4];
  f[10] = a[5];
  f[13] = xor_blocks(a[4], a[5]);
  const block s7 = xor_blocks(a[0], a[2]);
  f[11] = xor_blocks(a[5], s7);
  f[15] = xor_blocks(a[3], f[13]);
  f[8] = xor_blocks(a[3], a[4]);
  f[3] = xor_blocks(a[1], a[2]);
  f[2] = xor_blocks(a[0], a[1]);
  f[4] = xor_blocks(a[1], s7);
  f[9] = xor_blocks(f[8], f[2]);
  f[16] = xor_blocks(f[15], f[4]);
  f[5] = xor_blocks(a[2], a[3]);
  f[7] = xor_blocks(a[1], a[4]);
  f[14] = xor_blocks(f[13], f[3]);
  f[12] = xor_blocks(a[3], f[11]);
}

ALWAYS_INLINE void gf2x_combine_6(vector c[11], const vector p[17]) {
  c[0] = p[0];
  c[10] = p[10];
  const vector t0 = xor2(p[13], p[15]);
  const vector t1 = xor2(p[5], p[11]);
  const vector t2 = xor2(p[3], p[8]);
  const vector t3 = xor2(p[1], t1);
  const vector t4 = xor2(p[9], p[16]);
  const vector t5 = xor2(p[12], t3);
  const vector t6 = xor2(p[14], t4);
  const vector t7 = xor2(p[7], t0);
  const vector t8 = xor2(p[2], p[4]);
  const vector t9 = xor2(t0, t2);
  const vector t10 = xor2(p[0], p[10]);
  const vector t11 = xor2(p[2], p[9]);
  const vector t12 = xor2(t1, t6);
  const vector t13 = xor2(p[15], t2);
  const vector t14 = xor2(t5, t9);
  const vector t15 = xor2(t4, t13);
  c[2] = xor2(p[3], t8);
  const vector t17 = xor2(p[1], p[2]);
  const vector t18 = xor2(t7, t12);
  const vector t19 = xor2(p[6], p[10]);
  const vector t20 = xor2(t3, t10);
  const vector t21 = xor2(t5, t11);
  c[9] = xor2(p[13], t19);
  c[1] = xor2(p[0], t17);
  c[4] = xor2(t7, t21);
  const vector t25 = xor2(t6, t8);
  c[5] = xor2(t9, t25);
  c[7] = xor2(t10, t18);
  c[6] = xor2(t15, t20);
  c[3] = xor2(p[6], t14);
  c[8] = xor2(p[8], t0);
}

/* 7 terms, 23 products */
ALWAYS_INLINE void gf2x_forms_7(block f[23], const block a[7]) {
  f[0] = a[0];
  f[1] = a[1];
  f[3] = a[2];
  f[4] = a[3];
  f[9] = a[4];
  f[10] = a[5];
  f[11] = a[6];
  f[15] = xor_blocks(a[0], a[4]);
  f[18] = xor_blocks(a[2], a[6]);
  f[16] = xor_blocks(a[1], a[5]);
  f[20] = xor_blocks(f[15], f[18]);
  f[7] = xor_blocks(a[1], a[3]);
  f[21] = xor_blocks(a[3], f[16]);
  f[6] = xor_blocks(a[0], a[2]);
  f[22] = xor_blocks(f[20], f[21]);
  f[17] = xor_blocks(f[15], f[16]);
  f[2] = xor_blocks(a[0], a[1]);
  f[19] = xor_blocks(a[3], f[18]);
  f[14] = xor_blocks(a[5], a[6]);
  f[12] = xor_blocks(a[4], a[5]);
  f[13] = xor_blocks(a[4], a[6]);
  f[5] = xor_blocks(a[2], a[3]);
  f[8] = xor_blocks(f[7], f[6]);
}

ALWAYS_INLINE void gf2x_combine_7(vector c[13], const vector p[23]) {
  c[0] = p[0];
  c[12] = p[11];
  const vector t0 = xor2(p[0], p[1]);
  const vector t1 = xor2(p[3], t0);
  c[2] = xor2(p[6], t1);
  const vector t3 = xor2(p[9], p[10]);
  const vector t4 = xor2(p[2], p[5]);
  const vector t5 = xor2(p[11], p[18]);
  const vector t6 = xor2(p[4], p[15]);
  const vector t7 = xor2(p[16], t5);
  const vector t8 = xor2(p[7], c[2]);
  const vector t9 = xor2(p[13], t3);
  const vector t10 = xor2(p[10], p[14]);
  const vector t11 = xor2(p[8], t4);
  const vector t12 = xor2(t8, t11);
  const vector t13 = xor2(p[12], t3);
  const vector t14 = xor2(p[7], p[9]);
  const vector t15 = xor2(p[20], t7);
  const vector t16 = xor2(t1, t6);
  const vector t17 = xor2(p[15], p[17]);
  const vector t18 = xor2(p[3], t7);
  const vector t19 = xor2(t10, t15);
  const vector t20 = xor2(p[19], t19);
  const vector t21 = xor2(p[3], p[5]);
  const vector t22 = xor2(p[21], t20);
  const vector t23 = xor2(c[2], t9);
  const vector t24 = xor2(t13, t16);
  const vector t25 = xor2(t4, t24);
  c[11] = xor2(p[11], t10);
  c[4] = xor2(t14, t16);
  const vector t28 = xor2(p[19], t21);
  const vector t29 = xor2(t14, t18);
  const vector t30 = xor2(t12, t17);
  const vector t31 = xor2(p[1], p[21]);
  const vector t32 = xor2(p[16], t25);
  c[5] = xor2(p[17], t32);
  const vector t34 = xor2(p[22], t30);
  const vector t35 = xor2(t6, t15);
  c[10] = xor2(p[11], t9);
  c[1] = xor2(p[2], t0);
  const vector t38 = xor2(t13, t28);
  c[7] = xor2(t22, t34);
  c[8] = xor2(t29, t31);
  c[6] = xor2(t23, t35);
  c[9] = xor2(p[18], t38);
  c[3] = xor2(p[4], t12);
}

#endif
