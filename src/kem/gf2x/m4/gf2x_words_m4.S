/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Carry-less products of 32-bit words on Armv7E-M (Cortex-M4), whose integer multiplication takes
 * the same time for all operands [Pornin].
 *
 * A product of words is put together from integer products of operands with holes: with every
 * fourth bit set, at most 8 ones meet in one position of a product of two such operands, and two
 * products may be added as integers where their highest sums do not meet (8 + 7 < 16). A sum below
 * 16 does not reach the next bit that is used.
 *
 * No branch and no address depends on the operands.
 */


#if defined(CODEKEM_HAVE_M4)

  .syntax unified
  .cpu cortex-m4
  .thumb
  .text

/* Splits r1 into the operands y0, y1, y2, y3 with holes. */
.macro split_factor
  and r5, r1, #0x11111111
  and r6, r1, #0x22222222
  and r7, r1, #0x44444444
  and r1, r1, #0x88888888
.endm

/* lr:r12 = r0 * r1 without carries, r1 split: 50 instructions. Changes r0 to r11. */
.macro multiply_split
  and r2, r0, #0x11111111
  and r3, r0, #0x22222222
  and r4, r0, #0x44444444
  and r0, r0, #0x88888888
  /* bits 1 modulo 4: x0 y1 + x2 y3, x1 y0 + x3 y2 */
  umull r12, lr, r2, r6
  umlal r12, lr, r4, r1
  umull r10, r11, r3, r5
  umlal r10, r11, r0, r7
  eor r12, r12, r10
  eor lr, lr, r11
  and r12, r12, #0x22222222
  and lr, lr, #0x22222222
  /* bits 0 modulo 4: x0 y0 + x1 y3, x2 y2, x3 y1 */
  umull r8, r9, r2, r5
  umlal r8, r9, r3, r1
  umull r10, r11, r4, r7
  eor r8, r8, r10
  eor r9, r9, r11
  umull r10, r11, r0, r6
  eor r8, r8, r10
  eor r9, r9, r11
  and r8, r8, #0x11111111
  and r9, r9, #0x11111111
  orr r12, r12, r8
  orr lr, lr, r9
  /* bits 2 modulo 4: x0 y2 + x3 y3, x1 y1, x2 y0 */
  umull r8, r9, r2, r7
  umlal r8, r9, r0, r1
  umull r10, r11, r3, r6
  eor r8, r8, r10
  eor r9, r9, r11
  umull r10, r11, r4, r5
  eor r8, r8, r10
  eor r9, r9, r11
  and r8, r8, #0x44444444
  and r9, r9, #0x44444444
  orr r12, r12, r8
  orr lr, lr, r9
  /* bits 3 modulo 4: x0 y3, x1 y2, x2 y1, x3 y0 */
  umull r8, r9, r2, r1
  umull r10, r11, r3, r7
  eor r8, r8, r10
  eor r9, r9, r11
  umull r10, r11, r4, r6
  eor r8, r8, r10
  eor r9, r9, r11
  umull r10, r11, r0, r5
  eor r8, r8, r10
  eor r9, r9, r11
  and r8, r8, #0x88888888
  and r9, r9, #0x88888888
  orr r12, r12, r8
  orr lr, lr, r9
.endm

/* Writes the nine pairs of operands of a product of four words by four, a in r4 to r7 and b in r8
 * to r11, to the stack from offset on. Karatsuba's method, twice: low half, high half, sum; each of
 * them low word, high word, sum. */
.macro evaluate offset
  strd r4, r8, [sp, #\offset]
  strd r5, r9, [sp, #\offset + 8]
  eor r12, r4, r5
  eor lr, r8, r9
  strd r12, lr, [sp, #\offset + 16]
  strd r6, r10, [sp, #\offset + 24]
  strd r7, r11, [sp, #\offset + 32]
  eor r12, r6, r7
  eor lr, r10, r11
  strd r12, lr, [sp, #\offset + 40]
  eor r4, r4, r6
  eor r5, r5, r7
  eor r8, r8, r10
  eor r9, r9, r11
  strd r4, r8, [sp, #\offset + 48]
  strd r5, r9, [sp, #\offset + 56]
  eor r4, r4, r5
  eor r8, r8, r9
  strd r4, r8, [sp, #\offset + 64]
.endm

/* Adds the word at address + offset to a register. */
.macro add_word register, address, offset
  ldr r12, [\address, #\offset]
  eor \register, \register, r12
.endm

/* Two columns of Karatsuba's last step on eight words: L at low, H at high, M at middle, two words
 * of each and those four behind them. r0: the result. */
.macro join column
  ldrd r2, r3, [sp, #4 * \column]
  ldrd r4, r5, [sp, #4 * \column + 16]
  ldrd r6, r7, [sp, #4 * \column + 32]
  ldrd r8, r9, [sp, #4 * \column + 48]
  strd r2, r3, [r0, #4 * \column]
  strd r8, r9, [r0, #4 * \column + 48]
  eor r4, r4, r6
  eor r5, r5, r7
  eor r2, r2, r4
  eor r3, r3, r5
  eor r8, r8, r4
  eor r9, r9, r5
  ldrd r6, r7, [sp, #4 * \column + 64]
  ldrd r10, r11, [sp, #4 * \column + 80]
  eor r2, r2, r6
  eor r3, r3, r7
  eor r8, r8, r10
  eor r9, r9, r11
  strd r2, r3, [r0, #4 * \column + 16]
  strd r8, r9, [r0, #4 * \column + 32]
.endm

  .set PAIRS, 27
  .set FRAME_BYTES, 8 * PAIRS

/* void ckem_gf2x_mul8_m4(uint32_t out[16], const uint32_t a[8], const uint32_t b[8]); */
  .section .text.ckem_gf2x_mul8_m4, "ax", %progbits
  .global ckem_gf2x_mul8_m4
  .hidden ckem_gf2x_mul8_m4
  .type ckem_gf2x_mul8_m4, %function
  .thumb_func
  .align 2
ckem_gf2x_mul8_m4:
  push {r0, r4-r11, lr}
  sub sp, sp, #FRAME_BYTES
  ldm r1, {r4-r7}
  ldm r2, {r8-r11}
  evaluate 0
  add r3, r1, #16
  ldm r3, {r4-r7}
  add r3, r2, #16
  ldm r3, {r8-r11}
  evaluate 72
  ldm r1, {r4-r7}
  add_word r4, r1, 16
  add_word r5, r1, 20
  add_word r6, r1, 24
  add_word r7, r1, 28
  ldm r2, {r8-r11}
  add_word r8, r2, 16
  add_word r9, r2, 20
  add_word r10, r2, 24
  add_word r11, r2, 28
  evaluate 144

  .set pair, 0
  .rept PAIRS
  ldrd r0, r1, [sp, #8 * pair]
  split_factor
  multiply_split
  strd r12, lr, [sp, #8 * pair]
  .set pair, pair + 1
  .endr

  /* Nine products of two words by two, each from three of a word by a word. */
  mov r12, sp
  mov lr, sp
  .rept 9
  ldmia r12!, {r0-r5}
  eor r2, r2, r1
  eor r1, r2, r4
  eor r1, r1, r0
  eor r2, r2, r5
  eor r2, r2, r3
  stmia lr!, {r0-r3}
  .endr
  /* Three products of four words by four. */
  mov r12, sp
  mov lr, sp
  .rept 3
  ldmia r12!, {r0-r11}
  eor r2, r2, r4
  eor r3, r3, r5
  eor r4, r2, r10
  eor r5, r3, r11
  eor r4, r4, r6
  eor r5, r5, r7
  eor r2, r2, r8
  eor r3, r3, r9
  eor r2, r2, r0
  eor r3, r3, r1
  stmia lr!, {r0-r7}
  .endr
  ldr r0, [sp, #FRAME_BYTES]
  join 0
  join 2
  add sp, sp, #FRAME_BYTES + 4
  pop {r4-r11, pc}
  .size ckem_gf2x_mul8_m4, . - ckem_gf2x_mul8_m4

/* void ckem_gf2x_mul1_m4(uint32_t out[2], uint32_t a, uint32_t b); */
  .section .text.ckem_gf2x_mul1_m4, "ax", %progbits
  .global ckem_gf2x_mul1_m4
  .hidden ckem_gf2x_mul1_m4
  .type ckem_gf2x_mul1_m4, %function
  .thumb_func
  .align 2
ckem_gf2x_mul1_m4:
  push {r0, r4-r11, lr}
  mov r0, r2
  split_factor
  multiply_split
  ldr r0, [sp], #4
  strd r12, lr, [r0]
  pop {r4-r11, pc}
  .size ckem_gf2x_mul1_m4, . - ckem_gf2x_mul1_m4

/* void ckem_gf2x_mul16_m4(uint32_t out[32], const uint32_t a[16], const uint32_t b[16]); */
  .section .text.ckem_gf2x_mul16_m4, "ax", %progbits
  .global ckem_gf2x_mul16_m4
  .hidden ckem_gf2x_mul16_m4
  .type ckem_gf2x_mul16_m4, %function
  .thumb_func
  .align 2
ckem_gf2x_mul16_m4:
  push {r0-r2, r4-r11, lr}
  sub sp, sp, #128         /* the sums of the halves of a and b, and their product */
  mov r0, sp
  .rept 2
  add r3, r1, #32
  .rept 2
  ldmia r1!, {r4-r7}
  ldmia r3!, {r8-r11}
  eor r4, r4, r8
  eor r5, r5, r9
  eor r6, r6, r10
  eor r7, r7, r11
  stmia r0!, {r4-r7}
  .endr
  mov r1, r2
  .endr
  mov r1, sp
  add r2, sp, #32
  bl ckem_gf2x_mul8_m4
  ldrd r0, r1, [sp, #128]
  ldr r2, [sp, #136]
  bl ckem_gf2x_mul8_m4
  ldrd r0, r1, [sp, #128]
  ldr r2, [sp, #136]
  add r0, r0, #64
  add r1, r1, #32
  add r2, r2, #32
  bl ckem_gf2x_mul8_m4
  ldr r0, [sp, #128]
  .set offset, 0
  .rept 4                  /* as in ckem_gf2x_join_m4 */
  ldrd r2, r3, [r0, #offset + 32]
  ldrd r4, r5, [r0, #offset + 64]
  ldrd r6, r7, [r0, #offset]
  ldrd r8, r9, [r0, #offset + 96]
  eor r2, r2, r4
  eor r3, r3, r5
  ldrd r4, r5, [sp, #offset + 64]
  ldrd r10, r11, [sp, #offset + 96]
  eor r6, r6, r2
  eor r7, r7, r3
  eor r8, r8, r2
  eor r9, r9, r3
  eor r6, r6, r4
  eor r7, r7, r5
  eor r8, r8, r10
  eor r9, r9, r11
  strd r6, r7, [r0, #offset + 32]
  strd r8, r9, [r0, #offset + 64]
  .set offset, offset + 8
  .endr
  add sp, sp, #140
  pop {r4-r11, pc}
  .size ckem_gf2x_mul16_m4, . - ckem_gf2x_mul16_m4

/* void ckem_gf2x_mul_last_m4(uint32_t *out, const uint32_t *a, const uint32_t *b, uint32_t words);
 * Adds a[words] * b[words] + b[words] * a[words], the word behind each factor times the factor, to
 * out[words + 1]; words is at least 1. */
  .set OUT, 0              /* where the next word of the result stands, and how far behind it */
  .set TO_A, 4             /* the next words of a */
  .set TO_B, 8             /* and b stand */
  .set END, 12             /* where out ends */
  .set HIGH, 16            /* the high words of the products before */
  .set FIRST, 24           /* the product with a */
  .set LAST_B, 32          /* the last word of b, split */
  .set LAST_A, 48          /* the last word of a, split */
  .section .text.ckem_gf2x_mul_last_m4, "ax", %progbits
  .global ckem_gf2x_mul_last_m4
  .hidden ckem_gf2x_mul_last_m4
  .type ckem_gf2x_mul_last_m4, %function
  .thumb_func
  .align 2
ckem_gf2x_mul_last_m4:
  push {r4-r11, lr}
  sub sp, sp, #68
  add r4, r0, r3, lsl #2
  str r4, [sp, #END]
  ldr r8, [r1, r3, lsl #2]
  ldr r9, [r2, r3, lsl #2]
  sub r1, r1, r0
  sub r2, r2, r0
  strd r0, r1, [sp, #OUT]
  str r2, [sp, #TO_B]
  mov r1, r9
  split_factor
  strd r5, r6, [sp, #LAST_B]
  strd r7, r1, [sp, #LAST_B + 8]
  mov r1, r8
  split_factor
  strd r5, r6, [sp, #LAST_A]
  strd r7, r1, [sp, #LAST_A + 8]
  mov r2, #0
  str r2, [sp, #HIGH]
1:
  ldrd r2, r3, [sp, #OUT]
  ldr r0, [r2, r3]
  ldrd r5, r6, [sp, #LAST_B]
  ldrd r7, r1, [sp, #LAST_B + 8]
  multiply_split
  strd r12, lr, [sp, #FIRST]
  ldr r2, [sp, #OUT]
  ldr r3, [sp, #TO_B]
  ldr r0, [r2, r3]
  ldrd r5, r6, [sp, #LAST_A]
  ldrd r7, r1, [sp, #LAST_A + 8]
  multiply_split
  ldrd r2, r3, [sp, #FIRST]
  ldr r4, [sp, #OUT]
  ldrd r5, r6, [sp, #END]  /* the end, the high words */
  eor r12, r12, r2
  ldr r7, [r4]
  eor r12, r12, r6
  eor lr, lr, r3
  eor r7, r7, r12
  str r7, [r4], #4
  str r4, [sp, #OUT]
  str lr, [sp, #HIGH]
  cmp r4, r5
  bne 1b
  ldr r7, [r4]
  eor r7, r7, lr
  str r7, [r4]
  add sp, sp, #68
  pop {r4-r11, pc}
  .size ckem_gf2x_mul_last_m4, . - ckem_gf2x_mul_last_m4

/* void ckem_gf2x_sum_m4(uint32_t *out, const uint32_t *a, const uint32_t *b, uint32_t words);
 * out = a + b; words is at least 1. out may be a or b. */
  .section .text.ckem_gf2x_sum_m4, "ax", %progbits
  .global ckem_gf2x_sum_m4
  .hidden ckem_gf2x_sum_m4
  .type ckem_gf2x_sum_m4, %function
  .thumb_func
  .align 2
ckem_gf2x_sum_m4:
  push {r4-r11, lr}
  subs r3, r3, #4
  blo 2f
1:
  ldmia r1!, {r4-r7}
  ldmia r2!, {r8-r11}
  eor r4, r4, r8
  eor r5, r5, r9
  eor r6, r6, r10
  eor r7, r7, r11
  stmia r0!, {r4-r7}
  subs r3, r3, #4
  bhs 1b
2:
  adds r3, r3, #4
  beq 4f
3:
  ldr r4, [r1], #4
  ldr r5, [r2], #4
  eor r4, r4, r5
  str r4, [r0], #4
  subs r3, r3, #1
  bne 3b
4:
  pop {r4-r11, pc}
  .size ckem_gf2x_sum_m4, . - ckem_gf2x_sum_m4

/* void ckem_gf2x_join_m4(uint32_t *out, const uint32_t *middle, uint32_t half);
 * The last step of Karatsuba's method: out[4 half] holds the products of the low and of the high
 * halves, middle[2 half] that of the sums. half is at least 1.
 * Word j of each quarter: L0 L1 H0 H1 with M0 M1 become L0, L0 + (L1 + H0) + M0, ... */
  .section .text.ckem_gf2x_join_m4, "ax", %progbits
  .global ckem_gf2x_join_m4
  .hidden ckem_gf2x_join_m4
  .type ckem_gf2x_join_m4, %function
  .thumb_func
  .align 2
ckem_gf2x_join_m4:
  push {r4-r11, lr}
  lsl r3, r2, #2
  add r4, r0, r3           /* L1 */
  add r5, r4, r3           /* H0 */
  add r6, r5, r3           /* H1 */
  add r7, r1, r3           /* M1 */
  tst r2, #1
  beq 2f
1:
  ldr r8, [r4]
  ldr r9, [r5]
  ldr r10, [r0], #4
  ldr r11, [r6], #4
  ldr r12, [r1], #4
  ldr lr, [r7], #4
  eor r8, r8, r9
  eor r10, r10, r8
  eor r11, r11, r8
  eor r10, r10, r12
  eor r11, r11, lr
  str r10, [r4], #4
  str r11, [r5], #4
  subs r2, r2, #1
  beq 4f
2:
  push {r2}
3:                         /* two words at a time */
  ldrd r2, r3, [r4]
  ldrd r8, r9, [r5]
  ldrd r10, r11, [r0], #8
  eor r2, r2, r8
  eor r3, r3, r9
  ldrd r8, r9, [r6], #8
  eor r10, r10, r2
  eor r11, r11, r3
  eor r8, r8, r2
  eor r9, r9, r3
  ldrd r2, r3, [r1], #8
  ldrd r12, lr, [r7], #8
  eor r10, r10, r2
  eor r11, r11, r3
  eor r8, r8, r12
  eor r9, r9, lr
  strd r10, r11, [r4], #8
  strd r8, r9, [r5], #8
  ldr r2, [sp]
  subs r2, r2, #2
  str r2, [sp]
  bne 3b
  add sp, sp, #4
4:
  pop {r4-r11, pc}
  .size ckem_gf2x_join_m4, . - ckem_gf2x_join_m4

#endif
