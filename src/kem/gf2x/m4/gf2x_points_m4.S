/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Evaluation and interpolation in Toom's method on Armv7E-M (Cortex-M4); gf2x_toom_m4.c has the
 * formulas.
 *
 * All are loops over words that stand at the same place of several vectors. Vector k of those at
 * r0 is found by shifting the distance of two vectors, for k = 0, 1, 2, 4, 8; for 3, 5 and 7 from
 * vector 3 on, which is at r2.
 */


#if defined(CODEKEM_HAVE_M4)

  .syntax unified
  .cpu cortex-m4
  .thumb
  .text

/* out = term + word x^k, with the word before. */
.macro sum_shifted out, term, word, before, k
  eor \out, \term, \word, lsl #\k
  eor \out, \out, \before, lsr #(32 - \k)
.endm

/* sum += word x^k. */
.macro add_shifted sum, word, before, k
  sum_shifted \sum, \sum, \word, \before, \k
.endm

/* out = word / (x^k + 1), with the word before of the quotient. */
.macro divide out, word, before, k
  eor \out, \word, \before, lsr #(32 - \k)
  .irp times, 1, 2, 4, 8, 16
  .if \times * \k < 32
  eor \out, \out, \out, lsl #(\times * \k)
  .endif
  .endr
.endm

/* void ckem_gf2x_evaluate_m4(uint32_t *out, uint32_t distance, uint32_t parts[5][17],
 *                       uint32_t words);
 * Writes words of the values of five parts to nine vectors; parts has one word before, too. */
  .section .text.ckem_gf2x_evaluate_m4, "ax", %progbits
  .global ckem_gf2x_evaluate_m4
  .hidden ckem_gf2x_evaluate_m4
  .type ckem_gf2x_evaluate_m4, %function
  .thumb_func
  .align 2
ckem_gf2x_evaluate_m4:
  push {r4-r11, lr}
  lsl r1, r1, #2
  mov lr, r2
  add r2, r0, r1
  add r2, r2, r1, lsl #1
1:
  ldr r4, [lr, #4]         /* a0 */
  ldrd r5, r6, [lr, #68]   /* a1 and the word before */
  str r4, [r0]
  sum_shifted r8, r4, r6, r5, 1
  sum_shifted r9, r4, r6, r5, 2
  mov r7, r6               /* a1 + a2 + a3 + a4 */
  ldrd r5, r6, [lr, #136]  /* a2 */
  add_shifted r8, r6, r5, 2
  add_shifted r9, r6, r5, 4
  eor r7, r7, r6
  ldrd r5, r6, [lr, #272]  /* a4 */
  str r6, [r0, r1, lsl #3] /* at infinity */
  add_shifted r8, r6, r5, 4
  add_shifted r9, r6, r5, 8
  eor r7, r7, r6
  ldrd r5, r6, [lr, #204]  /* a3 */
  add_shifted r8, r6, r5, 3
  str r8, [r0, r1, lsl #1] /* at x */
  add_shifted r9, r6, r5, 6
  str r9, [r0, r1, lsl #2] /* at x^2 */
  eor r7, r7, r6
  eor r10, r7, r4
  str r10, [r0, r1]        /* at 1 */
  eor r10, r7, r8
  add_shifted r10, r6, r5, 1
  add_shifted r10, r6, r5, 2
  str r10, [r2]            /* at x + 1 */
  eor r10, r7, r9
  add_shifted r10, r6, r5, 2
  add_shifted r10, r6, r5, 4
  str r10, [r2, r1, lsl #1] /* at x^2 + 1 */
  eor r10, r8, r9
  eor r10, r10, r4
  add_shifted r10, r6, r5, 4
  add_shifted r10, r6, r5, 5
  add r11, r0, r1, lsl #2
  str r10, [r11, r1, lsl #1] /* at x^2 + x */
  eor r10, r10, r7
  add_shifted r10, r6, r5, 1
  add_shifted r10, r6, r5, 4
  str r10, [r2, r1, lsl #2] /* at x^2 + x + 1 */
  add r0, r0, #4
  add r2, r2, #4
  add lr, lr, #4
  subs r3, r3, #1
  bne 1b
  pop {r4-r11, pc}
  .size ckem_gf2x_evaluate_m4, . - ckem_gf2x_evaluate_m4

/* The frame of interpolation: what one word needs of the word before, in two banks that take
 * turns. */
  .set X_0, 0
  .set Y_0, 4
  .set SUM, 8
  .set C7, 12
  .set A12, 16
  .set A13, 20
  .set A23, 24
  .set G, 28
  .set H_1, 32
  .set H, 36
  .set J, 40
  .set T, 44
  .set C3, 48
  .set C5, 52
  .set C6, 56
  .set C8, 60
  .set E, 64
  .set F, 68
  .set C4, 72
  .set S_1, 76
  .set U_1, 80
  .set END, 84
  .set BANK_BYTES, 88

/* One word of all vectors; now and then: the banks. */
.macro interpolate_word now, then
  ldr r3, [r0]
  ldr r4, [r0, r1]
  ldr r5, [r0, r1, lsl #1]
  ldr r6, [r2]
  ldr r7, [r0, r1, lsl #2]
  ldr r8, [r2, r1, lsl #1]
  add r11, r0, r1, lsl #2
  ldr r9, [r11, r1, lsl #1]
  ldr r10, [r2, r1, lsl #2]
  eor r10, r10, r9
  eor r9, r9, r7
  eor r5, r5, r3           /* P(x) + c0 */
  eor r9, r9, r5           /* P(x, x^2) */
  eor r7, r7, r3           /* P(x^2) + c0 */
  eor r6, r6, r4
  eor r6, r6, r5           /* P(1, x) */
  eor r8, r8, r4
  eor r8, r8, r7           /* P(1, x^2) */
  eor r4, r4, r3           /* P(1) + c0 */
  eor r10, r10, r6
  eor r10, r10, r8
  eor r10, r10, r4         /* the sum of all */
  strd r5, r7, [sp, #\now + X_0]
  str r4, [sp, #\now + U_1]

  ldrd r3, r4, [sp, #\then + SUM]
  divide r10, r10, r3, 4
  sum_shifted r5, r10, r10, r3, 1
  divide r5, r5, r4, 3     /* c7; r4: before */
  strd r10, r5, [sp, #\now + SUM]
  ldrd r3, r7, [sp, #\then + A12]
  divide r6, r6, r3, 1
  divide r8, r8, r7, 2
  strd r6, r8, [sp, #\now + A12]
  add_shifted r8, r6, r3, 1
  lsl r6, r6, #3
  eor r6, r6, r3, lsr #29
  ldrd r3, r7, [sp, #\then + A23]
  divide r9, r9, r3, 1
  divide r8, r8, r7, 3     /* g; r7: before */
  strd r9, r8, [sp, #\now + A23]
  eor r9, r9, r6
  ldrd r3, r10, [sp, #\then + H_1]
  divide r9, r9, r3, 1
  divide r11, r9, r10, 3
  strd r9, r11, [sp, #\now + H_1]
  ldrd r3, r9, [sp, #\then + J]
  add_shifted r11, r8, r7, 1
  divide r11, r11, r3, 1   /* j */
  sum_shifted r10, r5, r5, r4, 2
  eor r12, r11, r10
  add_shifted r12, r5, r4, 1 /* c6 */
  eor r8, r8, r5
  add_shifted r8, r5, r4, 3 /* t; r9: before */
  strd r11, r8, [sp, #\now + J]
  sum_shifted r11, r12, r8, r9, 1 /* c5 */
  eor r6, r6, r10
  add_shifted r6, r5, r4, 4
  add_shifted r6, r8, r9, 2
  add_shifted r6, r8, r9, 3
  eor r6, r6, r11          /* c3 */
  str r6, [r2]
  str r11, [r2, r1, lsl #1]
  str r5, [r2, r1, lsl #2]
  add r3, r0, r1, lsl #2
  str r12, [r3, r1, lsl #1]

  ldr r10, [r0, r1, lsl #3] /* c8 */
  ldr r3, [sp, #\now + U_1]
  ldr lr, [sp, #\then + U_1]
  eor r3, r3, r10
  str r3, [sp, #\now + U_1]
  eor r7, r6, r11
  eor r7, r7, r12
  eor r7, r7, r5
  add_shifted r7, r3, lr, 4 /* s_1 */
  ldrd r3, lr, [sp, #\now + X_0]
  eor r8, r7, r3, lsl #3   /* s_1 + s_x */
  eor r9, r7, lr, lsl #2   /* s_1 + s_y */
  ldrd r3, lr, [sp, #\then + X_0]
  eor r8, r8, r3, lsr #29
  eor r9, r9, lr, lsr #30
  ldrd r3, lr, [sp, #\then + C3]
  strd r6, r11, [sp, #\now + C3]
  add_shifted r8, r6, r3, 2
  add_shifted r9, r6, r3, 4
  add_shifted r8, r11, lr, 4
  add_shifted r9, r11, lr, 8
  ldrd r3, lr, [sp, #\then + C6]
  strd r12, r10, [sp, #\now + C6]
  add_shifted r8, r12, r3, 5
  add_shifted r9, r12, r3, 10
  add_shifted r8, r10, lr, 11
  add_shifted r9, r10, lr, 18
  add_shifted r8, r5, r4, 6
  add_shifted r9, r5, r4, 12
  ldrd r3, lr, [sp, #\then + E]
  divide r8, r8, r3, 1
  divide r9, r9, lr, 2
  strd r8, r9, [sp, #\now + E]
  eor r9, r9, r8
  ldrd r5, r6, [sp, #\then + C4]
  divide r9, r9, r5, 3     /* c4 */
  strd r9, r7, [sp, #\now + C4]
  sum_shifted r8, r9, r8, r3, 1
  add_shifted r8, r9, r5, 1
  add_shifted r8, r9, r5, 2 /* c2 */
  eor r3, r8, r9
  add_shifted r3, r7, r6, 1 /* c1 */
  str r3, [r0, r1]
  str r8, [r0, r1, lsl #1]
  str r9, [r0, r1, lsl #2]
  add r0, r0, #4
  add r2, r2, #4
.endm

/* void ckem_gf2x_interpolate_m4(uint32_t *products, uint32_t words);
 * Turns the products at nine points, of an even number of words each, into the coefficients, each
 * times a power of x. */
  .section .text.ckem_gf2x_interpolate_m4, "ax", %progbits
  .global ckem_gf2x_interpolate_m4
  .hidden ckem_gf2x_interpolate_m4
  .type ckem_gf2x_interpolate_m4, %function
  .thumb_func
  .align 2
ckem_gf2x_interpolate_m4:
  push {r4-r11, lr}
  sub sp, sp, #2 * BANK_BYTES + 4
  lsl r1, r1, #2
  add r2, r0, r1
  str r2, [sp, #END]
  add r2, r2, r1, lsl #1
  mov r4, #0
  mov r5, #0
  .set offset, 0
  .rept BANK_BYTES / 8
  strd r4, r5, [sp, #BANK_BYTES + offset]
  .set offset, offset + 8
  .endr
1:
  interpolate_word 0, BANK_BYTES
  interpolate_word BANK_BYTES, 0
  ldr r3, [sp, #END]
  cmp r0, r3
  bne 1b
  add sp, sp, #2 * BANK_BYTES + 4
  pop {r4-r11, pc}
  .size ckem_gf2x_interpolate_m4, . - ckem_gf2x_interpolate_m4

/* void ckem_gf2x_add_shifted_m4(uint32_t *out, const uint32_t *a, uint32_t words, uint32_t factor);
 * Adds a times factor, a power of two, to out[words + 1]. */
  .section .text.ckem_gf2x_add_shifted_m4, "ax", %progbits
  .global ckem_gf2x_add_shifted_m4
  .hidden ckem_gf2x_add_shifted_m4
  .type ckem_gf2x_add_shifted_m4, %function
  .thumb_func
  .align 2
ckem_gf2x_add_shifted_m4:
  push {r4-r11, lr}
  mov r12, #0              /* the high word of the product before */
  subs r2, r2, #4
  blo 2f
1:
  ldmia r1!, {r4-r7}
  ldm r0, {r8-r11}
  eor r8, r8, r12
  umull r4, r12, r4, r3
  eor r8, r8, r4
  umull r5, r4, r5, r3
  eor r9, r9, r12
  eor r9, r9, r5
  umull r6, r5, r6, r3
  eor r10, r10, r4
  eor r10, r10, r6
  umull r7, r12, r7, r3
  eor r11, r11, r5
  eor r11, r11, r7
  stmia r0!, {r8-r11}
  subs r2, r2, #4
  bhs 1b
2:
  adds r2, r2, #4
  beq 4f
3:
  ldr r4, [r1], #4
  ldr r8, [r0]
  eor r8, r8, r12
  umull r4, r12, r4, r3
  eor r8, r8, r4
  str r8, [r0], #4
  subs r2, r2, #1
  bne 3b
4:
  ldr r8, [r0]
  eor r8, r8, r12
  str r8, [r0]
  pop {r4-r11, pc}
  .size ckem_gf2x_add_shifted_m4, . - ckem_gf2x_add_shifted_m4

#endif
