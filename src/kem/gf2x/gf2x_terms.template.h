/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Formulas for the product of two polynomials with four to seven terms over GF(2).
 *
 * The terms c of the product are sums of products of sums of the factors' terms: gf2x_forms_N makes
 * the sums of one factor, and gf2x_multiply_N multiplies and adds. N = 4 and 7 are Karatsuba's
 * method, applied twice; N = 5 and 6 have as few products as [Mon05]. Which partial sums to share,
 * and an order in which few of them wait at a time, were found by search: each product stands just
 * before its first use, so that multiplications and additions alternate and little leaves the
 * registers.
 *
 * A template (base/template.h). Terms are blocks. The file that includes this defines before it
 *   TEMPLATE_SUFFIX: its own ending;
 *   ALWAYS_INLINE: the beginning of a function that is always inlined;
 *   block, xor_blocks(a, b): a term and the sum of two;
 *   vector, xor2(a, b): what holds products of words, and the sum of two;
 *   enum word_products, multiply_words(which, a, b): which words of two terms to multiply, and
 *     their products.
 */
#if !defined(TEMPLATE_SUFFIX) || !defined(ALWAYS_INLINE)
#error This is a template: define TEMPLATE_SUFFIX, ALWAYS_INLINE, block, xor_blocks, vector, xor2, \
  enum word_products and multiply_words before it
#endif

#include <stddef.h>

#define GF2X_MIN_TERMS 4
#define GF2X_MAX_TERMS 7
#define GF2X_MAX_FORMS 23

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

ALWAYS_INLINE void gf2x_multiply_4(enum word_products which, vector c[7], const block f[9],
                                   const block g[9]) {
  c[6] = multiply_words(which, f[5], g[5]);
  const vector p3 = multiply_words(which, f[3], g[3]);
  const vector t0 = xor2(p3, c[6]);
  const vector p7 = multiply_words(which, f[7], g[7]);
  c[5] = xor2(p7, t0);
  const vector p6 = multiply_words(which, f[6], g[6]);
  const vector t1 = xor2(p6, t0);
  const vector t2 = xor2(p7, t1);
  const vector p4 = multiply_words(which, f[4], g[4]);
  const vector t3 = xor2(p3, p4);
  const vector t4 = xor2(p4, t2);
  const vector p1 = multiply_words(which, f[1], g[1]);
  c[4] = xor2(p1, t1);
  c[0] = multiply_words(which, f[0], g[0]);
  const vector t5 = xor2(c[0], p1);
  c[2] = xor2(t5, t3);
  const vector p2 = multiply_words(which, f[2], g[2]);
  c[1] = xor2(p2, t5);
  const vector t6 = xor2(c[1], t4);
  const vector p8 = multiply_words(which, f[8], g[8]);
  c[3] = xor2(p8, t6);
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

ALWAYS_INLINE void gf2x_multiply_5(enum word_products which, vector c[9], const block f[13],
                                   const block g[13]) {
  const vector p5 = multiply_words(which, f[5], g[5]);
  c[8] = multiply_words(which, f[7], g[7]);
  const vector t0 = xor2(p5, c[8]);
  const vector p8 = multiply_words(which, f[8], g[8]);
  const vector t1 = xor2(p8, t0);
  const vector p10 = multiply_words(which, f[10], g[10]);
  c[7] = xor2(p10, t0);
  const vector p9 = multiply_words(which, f[9], g[9]);
  const vector t2 = xor2(p9, c[7]);
  const vector t3 = xor2(c[8], p9);
  const vector p3 = multiply_words(which, f[3], g[3]);
  c[6] = xor2(p3, t1);
  c[0] = multiply_words(which, f[0], g[0]);
  const vector t4 = xor2(c[0], c[6]);
  const vector p1 = multiply_words(which, f[1], g[1]);
  const vector t5 = xor2(c[0], p1);
  const vector t6 = xor2(p3, t5);
  const vector p4 = multiply_words(which, f[4], g[4]);
  c[2] = xor2(p4, t6);
  const vector t7 = xor2(c[2], t3);
  const vector p2 = multiply_words(which, f[2], g[2]);
  c[1] = xor2(p2, t5);
  const vector p12 = multiply_words(which, f[12], g[12]);
  const vector t8 = xor2(p12, c[1]);
  const vector t9 = xor2(t2, t8);
  const vector p11 = multiply_words(which, f[11], g[11]);
  const vector t10 = xor2(p11, p12);
  c[5] = xor2(t10, t7);
  const vector p6 = multiply_words(which, f[6], g[6]);
  c[4] = xor2(p6, t9);
  const vector t11 = xor2(p6, t10);
  c[3] = xor2(t11, t4);
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

ALWAYS_INLINE void gf2x_multiply_6(enum word_products which, vector c[11], const block f[17],
                                   const block g[17]) {
  const vector p2 = multiply_words(which, f[2], g[2]);
  const vector p4 = multiply_words(which, f[4], g[4]);
  const vector t0 = xor2(p2, p4);
  const vector p1 = multiply_words(which, f[1], g[1]);
  const vector t1 = xor2(p1, p2);
  c[0] = multiply_words(which, f[0], g[0]);
  c[1] = xor2(c[0], t1);
  const vector p3 = multiply_words(which, f[3], g[3]);
  c[2] = xor2(p3, t0);
  const vector p9 = multiply_words(which, f[9], g[9]);
  const vector t2 = xor2(p9, t1);
  const vector p16 = multiply_words(which, f[16], g[16]);
  const vector t3 = xor2(p9, p16);
  const vector t4 = xor2(t3, t0);
  c[10] = multiply_words(which, f[10], g[10]);
  const vector t5 = xor2(c[10], t3);
  const vector t6 = xor2(c[0], t5);
  const vector p6 = multiply_words(which, f[6], g[6]);
  const vector t7 = xor2(p6, c[10]);
  const vector p13 = multiply_words(which, f[13], g[13]);
  c[9] = xor2(p13, t7);
  const vector p8 = multiply_words(which, f[8], g[8]);
  const vector t8 = xor2(p3, p8);
  const vector t9 = xor2(t8, t4);
  const vector t10 = xor2(p1, t8);
  const vector p15 = multiply_words(which, f[15], g[15]);
  const vector t11 = xor2(p13, p15);
  c[8] = xor2(p8, t11);
  const vector t12 = xor2(p15, t10);
  const vector t13 = xor2(t11, t9);
  const vector t14 = xor2(t6, t12);
  const vector p14 = multiply_words(which, f[14], g[14]);
  c[5] = xor2(p14, t13);
  const vector p7 = multiply_words(which, f[7], g[7]);
  const vector t15 = xor2(p7, p14);
  const vector t16 = xor2(t6, t15);
  const vector p5 = multiply_words(which, f[5], g[5]);
  const vector p11 = multiply_words(which, f[11], g[11]);
  const vector t17 = xor2(p5, p11);
  c[6] = xor2(t17, t14);
  const vector t18 = xor2(t11, t17);
  c[7] = xor2(t18, t16);
  const vector p12 = multiply_words(which, f[12], g[12]);
  const vector t19 = xor2(p12, t18);
  const vector t20 = xor2(p7, t19);
  c[4] = xor2(t20, t2);
  const vector t21 = xor2(t19, t10);
  c[3] = xor2(p6, t21);
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

ALWAYS_INLINE void gf2x_multiply_7(enum word_products which, vector c[13], const block f[23],
                                   const block g[23]) {
  const vector p14 = multiply_words(which, f[14], g[14]);
  const vector p10 = multiply_words(which, f[10], g[10]);
  const vector t0 = xor2(p10, p14);
  c[12] = multiply_words(which, f[11], g[11]);
  c[11] = xor2(c[12], t0);
  const vector p9 = multiply_words(which, f[9], g[9]);
  const vector t1 = xor2(p9, p10);
  const vector p12 = multiply_words(which, f[12], g[12]);
  const vector t2 = xor2(p12, t1);
  const vector p16 = multiply_words(which, f[16], g[16]);
  const vector p13 = multiply_words(which, f[13], g[13]);
  const vector t3 = xor2(p13, t1);
  c[10] = xor2(c[12], t3);
  const vector t4 = xor2(c[12], p16);
  const vector t5 = xor2(p16, t2);
  const vector p7 = multiply_words(which, f[7], g[7]);
  const vector t6 = xor2(p7, p9);
  const vector p18 = multiply_words(which, f[18], g[18]);
  const vector t7 = xor2(p18, t4);
  const vector t8 = xor2(t7, t3);
  const vector p6 = multiply_words(which, f[6], g[6]);
  const vector t9 = xor2(p6, p7);
  const vector p21 = multiply_words(which, f[21], g[21]);
  const vector t10 = xor2(p21, t7);
  const vector t11 = xor2(t10, t0);
  const vector p19 = multiply_words(which, f[19], g[19]);
  const vector t12 = xor2(p19, t11);
  const vector p5 = multiply_words(which, f[5], g[5]);
  const vector t13 = xor2(p5, p19);
  const vector t14 = xor2(p18, t13);
  const vector p3 = multiply_words(which, f[3], g[3]);
  const vector t15 = xor2(p3, t14);
  c[9] = xor2(t2, t15);
  const vector p1 = multiply_words(which, f[1], g[1]);
  const vector t16 = xor2(p1, p3);
  const vector t17 = xor2(t16, t10);
  c[8] = xor2(t6, t17);
  c[0] = multiply_words(which, f[0], g[0]);
  const vector t18 = xor2(c[0], p1);
  const vector t19 = xor2(c[0], t16);
  c[2] = xor2(p6, t19);
  const vector p2 = multiply_words(which, f[2], g[2]);
  c[1] = xor2(p2, t18);
  const vector t20 = xor2(p2, p5);
  const vector p8 = multiply_words(which, f[8], g[8]);
  const vector t21 = xor2(p8, t20);
  const vector t22 = xor2(t9, t21);
  const vector p17 = multiply_words(which, f[17], g[17]);
  const vector p4 = multiply_words(which, f[4], g[4]);
  const vector t23 = xor2(p4, t19);
  c[3] = xor2(t23, t22);
  const vector t24 = xor2(p17, t19);
  const vector p15 = multiply_words(which, f[15], g[15]);
  const vector t25 = xor2(p15, t22);
  const vector t26 = xor2(p15, t23);
  const vector t27 = xor2(t25, t24);
  c[4] = xor2(t26, t6);
  const vector t28 = xor2(t12, t27);
  const vector t29 = xor2(p17, t26);
  const vector t30 = xor2(t20, t29);
  c[5] = xor2(t5, t30);
  const vector p20 = multiply_words(which, f[20], g[20]);
  const vector t31 = xor2(p20, t26);
  const vector t32 = xor2(t8, t31);
  c[6] = xor2(p6, t32);
  const vector p22 = multiply_words(which, f[22], g[22]);
  const vector t33 = xor2(p20, p22);
  c[7] = xor2(t33, t28);
}

ALWAYS_INLINE void gf2x_forms(size_t n, block *forms, const block *terms) {
  switch (n) {
    case 4:
      gf2x_forms_4(forms, terms);
      break;
    case 5:
      gf2x_forms_5(forms, terms);
      break;
    case 6:
      gf2x_forms_6(forms, terms);
      break;
    default:
      gf2x_forms_7(forms, terms);
      break;
  }
}

ALWAYS_INLINE void gf2x_multiply_forms(enum word_products which, size_t n, vector *result,
                                       const block *forms_a, const block *forms_b) {
  switch (n) {
    case 4:
      gf2x_multiply_4(which, result, forms_a, forms_b);
      break;
    case 5:
      gf2x_multiply_5(which, result, forms_a, forms_b);
      break;
    case 6:
      gf2x_multiply_6(which, result, forms_a, forms_b);
      break;
    default:
      gf2x_multiply_7(which, result, forms_a, forms_b);
      break;
  }
}
